//! Models `StringBuilder`, `StringBuffer` and `StringJoiner`.

use super::sequences::{Builder, sequence};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{
    Answer, array_items, int, native, open, open_capacity, reference, settle, size, text_of, throw,
};
use crate::interpret::values::scalar::Scalar;
use crate::interpret::values::value::{Kind, Native, ObjId, Type, Value};

/// The state of a `StringJoiner`.
#[derive(Debug, Clone, Default)]
struct Joiner {
    by: String,
    prefix: String,
    suffix: String,
    empty: Option<String>,
    parts: Option<Vec<String>>,
}

impl Native for Joiner {
    native_state!(leaf);
}

impl Joiner {
    fn shown(&self) -> String {
        match (&self.parts, &self.empty) {
            (None, Some(empty)) => empty.clone(),
            (parts, _) => format!("{}{}{}", self.prefix, parts.clone().unwrap_or_default().join(&self.by), self.suffix),
        }
    }
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if let (None, "java.lang.StringBuilder" | "java.lang.StringBuffer", "<init>", [value]) =
        (call.receiver, call.fqn, call.name, call.args)
        && let Some(taken) = open_capacity(machine, value, "java.lang.NegativeArraySizeException")
    {
        return Some(taken.map(|()| native(machine, call.fqn, Builder { text: String::new() })));
    }
    let answer = match (call.receiver, call.fqn) {
        (None, "java.lang.StringBuilder" | "java.lang.StringBuffer") if call.name == "<init>" => {
            construct(machine, call)?
        }
        (None, "java.util.StringJoiner") if call.name == "<init>" => {
            let mut texts = Vec::new();
            for arg in call.args {
                texts.push(sequence(machine, arg)?);
            }
            let mut texts = texts.into_iter();
            let joiner = Joiner {
                by: texts.next()?,
                prefix: texts.next().unwrap_or_default(),
                suffix: texts.next().unwrap_or_default(),
                ..Joiner::default()
            };
            Ok(native(machine, call.fqn, joiner))
        }
        (Some(receiver), _) => {
            let id = reference(receiver)?;
            if let ("append", [only]) = (call.name, call.args)
                && is_lost(machine, id, call.fqn, only)
            {
                // An unknown text is appended like any other.
                let reason = format!("{}: a text that is not known", call.fqn.rsplit('.').next().unwrap_or_default());
                machine.escape(receiver, &reason);
                return Some(Ok(receiver.clone()));
            }
            if machine.native::<Joiner>(id).is_some() {
                on_joiner(machine, id, call)?
            } else {
                machine.native::<Builder>(id)?;
                on_builder(machine, id, call)?
            }
        }
        _ => return None,
    };
    Some(settle(machine, call, answer))
}

fn construct(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    let text = match call.args {
        [] => String::new(),
        [Value::Scalar(Scalar::Int(n))] if *n >= 0 => String::new(),
        [value] if value.is_null() => return Some(Err(throw(machine, "NullPointerException"))),
        [value] => sequence(machine, value)?,
        _ => return None,
    };
    Some(Ok(native(machine, call.fqn, Builder { text })))
}

fn on_joiner(machine: &mut Machine<'_>, id: ObjId, call: &LibraryCall<'_>) -> Option<Answer> {
    Some(match (call.name, call.args) {
        ("add", [value]) => text_of(machine, value).map(|text| {
            if let Some(joiner) = machine.native_mut::<Joiner>(id) {
                joiner.parts.get_or_insert_default().push(text);
            }
            Value::Ref(id)
        }),
        ("setEmptyValue", [value]) => {
            let text = sequence(machine, value)?;
            machine.native_mut::<Joiner>(id)?.empty = Some(text);
            Ok(Value::Ref(id))
        }
        ("toString", []) => {
            let text = machine.native::<Joiner>(id)?.shown();
            Ok(machine.fresh_text(&text))
        }
        ("length", []) => Ok(size(machine.native::<Joiner>(id)?.shown().encode_utf16().count())),
        _ => return None,
    })
}

/// Whether a builder's text is unknown after this call: an unknown text is appended to it now, or was appended
/// before. None of this can fail.
fn is_lost(machine: &Machine<'_>, id: ObjId, fqn: &str, given: &Value) -> bool {
    let is_builder = matches!(fqn, "java.lang.StringBuilder" | "java.lang.StringBuffer");
    let is_plain = |ty: &Type| matches!(ty, Type::Str | Type::Prim(_) | Type::Boxed(_));
    let (is_text, is_known) = match given {
        Value::Scalar(_) => (true, true),
        Value::Cond(_) => (true, false),
        Value::Unknown(unknown) => (is_plain(&unknown.ty), false),
        Value::Symbol(symbol) => (is_plain(&symbol.ty), false),
        _ => (false, false),
    };
    is_builder && is_text && (!is_known || matches!(machine.object(id).kind, Kind::Escaped(_)))
}

/// The text that `append` adds.
fn appended(machine: &mut Machine<'_>, args: &[Value]) -> Option<Answer<String>> {
    let chars = |machine: &Machine<'_>, value: &Value| -> Option<Vec<u16>> {
        array_items(machine, value)?
            .iter()
            .map(|item| match item {
                Value::Scalar(Scalar::Char(unit)) => Some(*unit),
                _ => None,
            })
            .collect()
    };
    let cut = |units: &[u16], from: i32, to: i32| -> Option<String> {
        String::from_utf16(units.get(usize::try_from(from).ok()?..usize::try_from(to).ok()?)?).ok()
    };
    Some(match args {
        [value] => match chars(machine, value) {
            Some(units) if reference(value).is_some() => match String::from_utf16(&units) {
                Ok(text) => Ok(text),
                Err(_) => open("text with half a character"),
            },
            _ => text_of(machine, value),
        },
        [value, from, to] => match chars(machine, value) {
            Some(units) => Ok(cut(&units, int(from)?, int(from)?.checked_add(int(to)?)?)?),
            None => {
                let units: Vec<u16> = sequence(machine, value)?.encode_utf16().collect();
                Ok(cut(&units, int(from)?, int(to)?)?)
            }
        },
        _ => return None,
    })
}

fn on_builder(machine: &mut Machine<'_>, id: ObjId, call: &LibraryCall<'_>) -> Option<Answer> {
    if let ("append", args) = (call.name, call.args) {
        return Some(appended(machine, args)?.map(|text| {
            if let Some(builder) = machine.native_mut::<Builder>(id) {
                builder.text.push_str(&text);
            }
            Value::Ref(id)
        }));
    }
    let own = machine.native::<Builder>(id)?.text.clone();
    match (call.name, call.args) {
        ("toString", []) => return Some(Ok(machine.fresh_text(&own))),
        ("equals", [other]) => return Some(Ok(Value::bool(reference(other) == Some(id)))),
        ("hashCode", []) => return Some(open("the identity hash of a builder")),
        ("capacity", _) => return None,
        ("ensureCapacity" | "trimToSize", _) => return Some(Ok(Value::NULL)),
        ("compareTo", [other]) => {
            let other = sequence(machine, other)?;
            return Some(Ok(Value::int(crate::interpret::library::base::support::compare_texts(&own, &other))));
        }
        (
            "length" | "charAt" | "indexOf" | "lastIndexOf" | "substring" | "subSequence" | "isEmpty" | "chars"
            | "codePointAt",
            args,
        ) => {
            // The answer is that of the string which the builder holds, except that a wrong index throws a different
            // exception class.
            if call.name == "charAt" {
                let length = own.encode_utf16().count();
                if usize::try_from(int(args.first()?)?).ok().is_none_or(|at| at >= length) {
                    return Some(Err(throw(machine, "StringIndexOutOfBoundsException")));
                }
            }
            return Some(machine.call_method(Value::text(&own), call.name, args.to_vec()).map_err(Into::into));
        }
        _ => {}
    }
    let units: Vec<u16> = own.encode_utf16().collect();
    let length = i32::try_from(units.len()).ok()?;
    let new = match changed(machine, call, units, length)? {
        Ok(new) => new,
        Err(fail) => return Some(Err(fail)),
    };
    let Ok(text) = String::from_utf16(&new) else { return Some(open("text with half a character")) };
    machine.native_mut::<Builder>(id)?.text = text;
    Some(Ok(match call.name {
        "setLength" | "setCharAt" => Value::NULL,
        _ => Value::Ref(id),
    }))
}

fn changed(
    machine: &mut Machine<'_>,
    call: &LibraryCall<'_>,
    mut units: Vec<u16>,
    length: i32,
) -> Option<Answer<Vec<u16>>> {
    const OUT: &str = "StringIndexOutOfBoundsException";
    let index = |value: &Value| int(value);
    let at = |n: i32| usize::try_from(n).unwrap_or_default();
    match (call.name, call.args) {
        ("insert", [place, value]) => {
            let place = index(place)?;
            if place < 0 || place > length {
                return Some(Err(throw(machine, OUT)));
            }
            let text = match appended(machine, std::slice::from_ref(value))? {
                Ok(text) => text,
                Err(fail) => return Some(Err(fail)),
            };
            units.splice(at(place)..at(place), text.encode_utf16());
        }
        ("delete", [from, to]) => {
            let (from, to) = (index(from)?, index(to)?.min(length));
            if from < 0 || from > to {
                return Some(Err(throw(machine, OUT)));
            }
            units.drain(at(from)..at(to));
        }
        ("deleteCharAt", [place]) => {
            let place = index(place)?;
            if place < 0 || place >= length {
                return Some(Err(throw(machine, OUT)));
            }
            units.remove(at(place));
        }
        ("replace", [from, to, with]) => {
            let (from, to) = (index(from)?, index(to)?.min(length));
            if from < 0 || from > length || from > to {
                return Some(Err(throw(machine, OUT)));
            }
            let with = sequence(machine, with)?;
            units.splice(at(from)..at(to), with.encode_utf16());
        }
        ("setCharAt", [place, Value::Scalar(Scalar::Char(unit))]) => {
            let place = index(place)?;
            if place < 0 || place >= length {
                return Some(Err(throw(machine, OUT)));
            }
            units[at(place)] = *unit;
        }
        ("setLength", [to]) => {
            let to = index(to)?;
            if to < 0 {
                return Some(Err(throw(machine, OUT)));
            }
            units.resize(at(to), 0);
        }
        ("reverse", []) => {
            let text: String = String::from_utf16(&units).ok()?.chars().rev().collect();
            units = text.encode_utf16().collect();
        }
        ("appendCodePoint", [point]) => match u32::try_from(index(point)?).ok().and_then(char::from_u32) {
            Some(c) => units.extend(c.to_string().encode_utf16()),
            None => return Some(open("a code point that is none")),
        },
        _ => return None,
    }
    Some(Ok(units))
}
