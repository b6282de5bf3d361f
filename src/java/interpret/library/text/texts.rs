//! Models known strings, by UTF-16 units as in Java.

use super::sequences::sequence;
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{
    Answer, array, array_items, boolean, compare_texts, from_units, int, open, reference, settle, size, spread, text,
    text_hash, text_of, throw,
};
use crate::interpret::values::scalar::{Prim, Scalar};
use crate::interpret::values::value::{Type, Value};

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if call.fqn != "java.lang.String" {
        return None;
    }
    let answer = match call.receiver {
        None => statics(machine, call)?,
        Some(receiver) => {
            let own = text(receiver)?.to_owned();
            on_text(machine, receiver, &own, call)?
        }
    };
    Some(settle(machine, call, answer))
}

fn units(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

fn chars(machine: &Machine<'_>, value: &Value) -> Option<Vec<u16>> {
    array_items(machine, value)?
        .iter()
        .map(|item| match item {
            Value::Scalar(Scalar::Char(unit)) => Some(*unit),
            _ => None,
        })
        .collect()
}

fn statics(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    Some(match (call.name, call.args) {
        ("<init>", []) => Ok(machine.fresh_text("")),
        ("<init>", [from]) if sequence(machine, from).is_some() => {
            let text = sequence(machine, from)?;
            Ok(machine.fresh_text(&text))
        }
        ("<init>" | "valueOf" | "copyValueOf", [from])
            if chars(machine, from).is_some() && reference(from).is_some() =>
        {
            let units = chars(machine, from)?;
            if units.is_empty()
                && call.is_primitive(0).is_none()
                && crate::interpret::library::collections::ordered::array_tools::element(machine, from).is_none()
            {
                return None;
            }
            from_units(machine, &units)
        }
        ("<init>" | "valueOf" | "copyValueOf", [from, at, count]) if chars(machine, from).is_some() => {
            let units = chars(machine, from)?;
            let (at, count) = (int(at)?, int(count)?);
            let cut = usize::try_from(at)
                .ok()
                .zip(usize::try_from(count).ok())
                .and_then(|(at, count)| units.get(at..at.checked_add(count)?));
            match cut {
                Some(cut) => from_units(machine, cut),
                None => Err(throw(machine, "StringIndexOutOfBoundsException")),
            }
        }
        ("<init>", [from, ..]) => {
            let bytes: Option<Vec<u8>> = array_items(machine, from)?
                .iter()
                .map(|item| match item {
                    Value::Scalar(Scalar::Byte(byte)) => Some(*byte as u8),
                    _ => None,
                })
                .collect();
            let bytes = bytes?;
            let utf8 = call.args.len() == 1 || (call.args.len() == 2 && is_utf8(&call.args[1]));
            match String::from_utf8(bytes) {
                Ok(text)
                    if utf8
                        || (text.is_ascii() && call.args.get(1).is_some_and(holds_ascii) && call.args.len() == 2) =>
                {
                    Ok(machine.fresh_text(&text))
                }
                _ => open("bytes that are no text"),
            }
        }
        ("valueOf", [Value::Ref(id)]) => Ok(match machine.text_of(&Value::Ref(*id)) {
            Ok(text) => text,
            Err(stop) => return Some(Err(stop.into())),
        }),
        ("valueOf", [value @ Value::Scalar(_)]) => text_of(machine, value).map(|text| machine.fresh_text(&text)),
        ("join", [by, parts @ ..]) => join(machine, by, parts),
        ("format", args) => return super::formatting::formats::format(machine, args),
        _ => return None,
    })
}

/// Whether a charset, given as a constant or by name, is UTF-8.
pub fn is_utf8(charset: &Value) -> bool {
    match charset {
        Value::Scalar(Scalar::Enum(_, name)) => &**name == "UTF_8",
        other => {
            text(other).is_some_and(|name| name.eq_ignore_ascii_case("utf-8") || name.eq_ignore_ascii_case("utf8"))
        }
    }
}

/// Whether a charset encodes ASCII characters as ASCII bytes.
fn holds_ascii(charset: &Value) -> bool {
    match charset {
        Value::Scalar(Scalar::Enum(_, name)) => matches!(&**name, "UTF_8" | "US_ASCII" | "ISO_8859_1"),
        other => text(other).is_some_and(|name| {
            matches!(name.to_ascii_lowercase().as_str(), "utf-8" | "utf8" | "us-ascii" | "iso-8859-1")
        }),
    }
}

fn join(machine: &mut Machine<'_>, by: &Value, parts: &[Value]) -> Answer {
    let Some(by) = sequence(machine, by) else { return open("what joins") };
    let items = match parts {
        [Value::Ref(_)] if crate::interpret::library::base::support::class_of(machine, &parts[0]).is_some() => {
            crate::interpret::library::collections::iterators::items_of(machine, &parts[0])?
        }
        _ => spread(machine, parts),
    };
    let mut texts = Vec::new();
    for item in items {
        texts.push(text_of(machine, &item)?);
    }
    Ok(machine.fresh_text(&texts.join(&by)))
}

/// The first position of some units within others, from a start index.
fn find(all: &[u16], wanted: &[u16], from: usize) -> Option<usize> {
    (from..=all.len().checked_sub(wanted.len())?).find(|at| all[*at..].starts_with(wanted))
}

fn rfind(all: &[u16], wanted: &[u16], from: i32) -> Option<usize> {
    let last = all.len().checked_sub(wanted.len())?.min(usize::try_from(from).ok()?);
    (0..=last).rev().find(|at| all[*at..].starts_with(wanted))
}

fn place(found: Option<usize>) -> Value {
    found.map_or(Value::int(-1), size)
}

/// The units of a string, or of a character given as `char` or code point.
fn wanted(value: &Value) -> Option<Vec<u16>> {
    match value {
        Value::Scalar(Scalar::Str(text)) => Some(units(&text.text)),
        Value::Scalar(Scalar::Char(unit)) => Some(vec![*unit]),
        Value::Scalar(Scalar::Int(point)) => {
            let c = char::from_u32(u32::try_from(*point).ok()?)?;
            Some(units(&c.to_string()))
        }
        _ => None,
    }
}

/// Java's `Character.isWhitespace`.
pub fn is_whitespace(c: char) -> bool {
    match c {
        '\t'..='\r' | '\u{1c}'..='\u{1f}' | ' ' => true,
        '\u{a0}' | '\u{2007}' | '\u{202f}' | '\u{85}' => false,
        _ => !c.is_ascii() && c.is_whitespace(),
    }
}

fn clamp(at: i32, length: usize) -> usize {
    usize::try_from(at.max(0)).unwrap_or_default().min(length)
}

/// Letters with a simple case mapping: one character to one, in every locale and release.
fn plain_case(c: char) -> bool {
    c.is_ascii()
        || ('\u{c0}'..='\u{17f}').contains(&c) && !matches!(c, 'ß' | 'İ' | 'ı' | 'ŉ' | 'ſ' | 'ÿ' | 'Ÿ')
        || !c.is_alphabetic() && c < '\u{250}'
        || has_no_case(c)
        // Latin letters with two marks, carons or commas, Ə, Greek except sigma, Cyrillic and Armenian.
        || matches!(c, '\u{1cd}'..='\u{1dc}' | '\u{1de}'..='\u{1ef}' | '\u{1f8}'..='\u{21f}' | '\u{222}'..='\u{233}')
        || matches!(c, '\u{18f}' | '\u{259}' | '\u{386}' | '\u{388}'..='\u{38a}' | '\u{38c}' | '\u{38e}' | '\u{38f}')
        || matches!(c, '\u{391}'..='\u{3a1}' | '\u{3a4}'..='\u{3a9}' | '\u{3ac}'..='\u{3af}' | '\u{3b1}'..='\u{3c1}')
        || matches!(c, '\u{3c4}'..='\u{3c9}' | '\u{3cc}'..='\u{3ce}' | '\u{400}'..='\u{481}')
        || matches!(c, '\u{48a}'..='\u{4bf}' | '\u{4c1}'..='\u{4ce}' | '\u{4d0}'..='\u{513}')
        || matches!(c, '\u{531}'..='\u{556}' | '\u{561}'..='\u{586}')
        || matches!(c, '\u{1e00}'..='\u{1e95}' | '\u{1ea0}'..='\u{1ef9}')
}

/// Marks, punctuation, and scripts without case: no release gave them case mappings.
const fn has_no_case(c: char) -> bool {
    matches!(
        c,
        '\u{2b0}'..='\u{344}'
            | '\u{346}'..='\u{34e}'
            | '\u{590}'..='\u{6ff}'
            | '\u{900}'..='\u{109f}'
            | '\u{1100}'..='\u{137f}'
            | '\u{1780}'..='\u{18a9}'
            | '\u{2000}'..='\u{206f}'
            | '\u{3000}'..='\u{30ff}'
            | '\u{3400}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7a3}'
    )
}

fn recased(machine: &mut Machine<'_>, own: &str, upper: bool) -> Answer {
    let special = |c: char| match c {
        'ß' | 'ÿ' | 'ı' | 'ſ' => true,
        'Ÿ' | '\u{250}'..='\u{2af}' => !upper || plain_case(c),
        _ => plain_case(c),
    };
    if !own.chars().all(special) {
        return open("letters whose case depends on the language");
    }
    let text = if upper { own.to_uppercase() } else { own.to_lowercase() };
    Ok(machine.fresh_text(&text))
}

fn equals_ignoring_case(a: &str, b: &str) -> Option<bool> {
    if a.encode_utf16().count() != b.encode_utf16().count() {
        return Some(false);
    }
    if a == b {
        return Some(true);
    }
    if !a.chars().chain(b.chars()).all(plain_case) {
        return None;
    }
    Some(a.chars().zip(b.chars()).all(|(a, b)| a == b || a.to_lowercase().eq(b.to_lowercase())))
}

fn on_text(machine: &mut Machine<'_>, receiver: &Value, own: &str, call: &LibraryCall<'_>) -> Option<Answer> {
    if let (
        "compareTo"
        | "compareToIgnoreCase"
        | "concat"
        | "contains"
        | "startsWith"
        | "endsWith"
        | "indexOf"
        | "lastIndexOf"
        | "split"
        | "matches"
        | "replaceAll",
        [first, ..],
    ) = (call.name, call.args)
        && first.is_null()
    {
        return Some(Err(throw(machine, "NullPointerException")));
    }
    tests(machine, own, call)
        .or_else(|| places(machine, own, call))
        .or_else(|| parts(machine, receiver, own, call))
        .or_else(|| wholes(machine, own, call))
        .or_else(|| super::matching::pattern_texts::on_text(machine, own, call))
}

fn tests(machine: &mut Machine<'_>, own: &str, call: &LibraryCall<'_>) -> Option<Answer> {
    let value = match (call.name, call.args) {
        ("length", []) => size(own.encode_utf16().count()),
        ("isEmpty", []) => Value::bool(own.is_empty()),
        ("isBlank", []) => Value::bool(own.chars().all(is_whitespace)),
        ("hashCode", []) => Value::int(text_hash(own)),
        ("equals", [other @ Value::Scalar(_)]) => Value::bool(text(other) == Some(own)),
        ("equals", [Value::Ref(_) | Value::Class(_) | Value::Lambda(_)]) => Value::bool(false),
        ("equalsIgnoreCase", [other]) if other.is_null() => Value::bool(false),
        ("equalsIgnoreCase", [other]) => match equals_ignoring_case(own, text(other)?) {
            Some(same) => Value::bool(same),
            None => return Some(open("letters whose case depends on the language")),
        },
        ("compareTo", [other]) => Value::int(compare_texts(own, text(other)?)),
        ("compareToIgnoreCase", [other]) => {
            let other = text(other)?;
            if !own.is_ascii() || !other.is_ascii() {
                return Some(open("letters whose case depends on the language"));
            }
            Value::int(compare_texts(&own.to_ascii_lowercase(), &other.to_ascii_lowercase()))
        }
        ("startsWith", [other]) => Value::bool(own.starts_with(text(other)?)),
        ("startsWith", [other, at]) => {
            let (all, other, at) = (units(own), units(text(other)?), int(at)?);
            Value::bool(
                usize::try_from(at).ok().and_then(|at| all.get(at..)).is_some_and(|rest| rest.starts_with(&other)),
            )
        }
        ("endsWith", [other]) => Value::bool(own.ends_with(text(other)?)),
        ("contains", [other]) => Value::bool(own.contains(&sequence(machine, other)?)),
        ("contentEquals", [other]) => Value::bool(own == sequence(machine, other)?),
        ("regionMatches", [at, other, place, count]) => return region(own, false, at, other, place, count),
        ("regionMatches", [ignore, at, other, place, count]) => {
            return region(own, boolean(ignore)?, at, other, place, count);
        }
        _ => return None,
    };
    Some(Ok(value))
}

fn region(own: &str, ignore: bool, at: &Value, other: &Value, place: &Value, count: &Value) -> Option<Answer> {
    let (a, b) = (units(own), units(text(other)?));
    let (at, place, count) = (int(at)?, int(place)?, int(count)?);
    let part = |all: &[u16], from: i32| -> Option<Vec<u16>> {
        let from = usize::try_from(from).ok()?;
        let count = usize::try_from(count.max(0)).ok()?;
        all.get(from..from.checked_add(count)?).map(<[u16]>::to_vec)
    };
    let (Some(x), Some(y)) = (part(&a, at), part(&b, place)) else { return Some(Ok(Value::bool(false))) };
    if !ignore {
        return Some(Ok(Value::bool(x == y)));
    }
    if x.iter().chain(&y).any(|unit| *unit >= 128) {
        return Some(open("letters whose case depends on the language"));
    }
    let low = |unit: &u16| (*unit as u8).to_ascii_lowercase();
    Some(Ok(Value::bool(x.iter().map(low).eq(y.iter().map(low)))))
}

fn places(machine: &mut Machine<'_>, own: &str, call: &LibraryCall<'_>) -> Option<Answer> {
    Some(Ok(match (call.name, call.args) {
        ("charAt", [at]) => {
            let at = int(at)?;
            let unit = if own.is_ascii() {
                usize::try_from(at).ok().and_then(|at| own.as_bytes().get(at)).map(|byte| u16::from(*byte))
            } else {
                usize::try_from(at).ok().and_then(|at| own.encode_utf16().nth(at))
            };
            match unit {
                Some(unit) => Value::Scalar(Scalar::Char(unit)),
                None => return Some(Err(throw(machine, "StringIndexOutOfBoundsException"))),
            }
        }
        ("indexOf", [what]) => place(find(&units(own), &wanted(what)?, 0)),
        ("indexOf", [what, from]) => {
            let all = units(own);
            let wanted = wanted(what)?;
            let from = clamp(int(from)?, all.len());
            place(find(&all, &wanted, from))
        }
        ("lastIndexOf", [what]) => place(rfind(&units(own), &wanted(what)?, i32::MAX)),
        ("lastIndexOf", [what, from]) => place(rfind(&units(own), &wanted(what)?, int(from)?)),
        ("codePointAt", [at]) => {
            let all = units(own);
            let at = usize::try_from(int(at)?).ok().filter(|at| *at < all.len());
            match at {
                Some(at) => match char::decode_utf16(all[at..].iter().copied()).next()? {
                    Ok(c) => Value::int(c as i32),
                    Err(half) => Value::int(half.unpaired_surrogate().into()),
                },
                None => return Some(Err(throw(machine, "StringIndexOutOfBoundsException"))),
            }
        }
        ("codePointCount", [from, to]) => {
            let all = units(own);
            let cut = all.get(usize::try_from(int(from)?).ok()?..usize::try_from(int(to)?).ok()?)?;
            size(char::decode_utf16(cut.iter().copied()).count())
        }
        _ => return None,
    }))
}

fn parts(machine: &mut Machine<'_>, receiver: &Value, own: &str, call: &LibraryCall<'_>) -> Option<Answer> {
    Some(match (call.name, call.args) {
        ("toString" | "strip" | "trim" | "intern", []) if call.name == "toString" => Ok(receiver.clone()),
        ("intern", []) => Ok(Value::Scalar(Scalar::pooled(own))),
        ("substring" | "subSequence", [from, rest @ ..]) if rest.len() < 2 => {
            let all = units(own);
            let from = int(from)?;
            let to = match rest.first() {
                Some(to) => int(to)?,
                None => i32::try_from(all.len()).ok()?,
            };
            if from == 0 && usize::try_from(to).ok() == Some(all.len()) {
                return Some(Ok(receiver.clone()));
            }
            match usize::try_from(from).ok().zip(usize::try_from(to).ok()).and_then(|(from, to)| all.get(from..to)) {
                Some(cut) => from_units(machine, cut),
                None => Err(throw(machine, "StringIndexOutOfBoundsException")),
            }
        }
        ("trim", []) => kept(machine, receiver, own, own.trim_matches(|c| c <= ' ')),
        ("strip", []) => kept(machine, receiver, own, own.trim_matches(is_whitespace)),
        ("stripLeading", []) => kept(machine, receiver, own, own.trim_start_matches(is_whitespace)),
        ("stripTrailing", []) => kept(machine, receiver, own, own.trim_end_matches(is_whitespace)),
        ("toCharArray", []) => {
            let items = own.encode_utf16().map(|unit| Value::Scalar(Scalar::Char(unit))).collect();
            Ok(array(machine, items, Type::Prim(Prim::Char)))
        }
        ("getBytes", args) => {
            let plain = args.first().is_none_or(|charset| is_utf8(charset) || own.is_ascii() && holds_ascii(charset));
            if !plain || args.len() > 1 {
                return Some(open("bytes in another charset"));
            }
            let items = own.bytes().map(|byte| Value::Scalar(Scalar::Byte(byte as i8))).collect();
            Ok(array(machine, items, Type::Prim(Prim::Byte)))
        }
        ("lines", []) => {
            let mut lines: Vec<String> =
                own.replace("\r\n", "\n").replace('\r', "\n").split('\n').map(str::to_owned).collect();
            if lines.last().is_some_and(String::is_empty) {
                lines.pop();
            }
            let items = lines.iter().map(|line| machine.fresh_text(line)).collect();
            Ok(crate::interpret::library::functions::stream_state::of(machine, items, None))
        }
        ("chars", []) => {
            let items = own.encode_utf16().map(|unit| Value::int(unit.into())).collect();
            Ok(crate::interpret::library::functions::stream_state::of(machine, items, Some(Prim::Int)))
        }
        ("codePoints", []) => {
            let items = own.chars().map(|c| Value::int(c as i32)).collect();
            Ok(crate::interpret::library::functions::stream_state::of(machine, items, Some(Prim::Int)))
        }
        _ => return None,
    })
}

/// The result of trimming: the same object if nothing was removed.
fn kept(machine: &mut Machine<'_>, receiver: &Value, own: &str, left: &str) -> Answer {
    if own == left { Ok(receiver.clone()) } else { Ok(machine.fresh_text(left)) }
}

fn wholes(machine: &mut Machine<'_>, own: &str, call: &LibraryCall<'_>) -> Option<Answer> {
    let made = match (call.name, call.args) {
        ("toLowerCase" | "toUpperCase", args) => {
            if args.len() > 1 || (!args.is_empty() && !own.is_ascii()) {
                return Some(open("letters whose case depends on the language"));
            }
            return Some(recased(machine, own, call.name == "toUpperCase"));
        }
        ("replace", [Value::Scalar(Scalar::Char(from)), Value::Scalar(Scalar::Char(to))]) => {
            let units: Vec<u16> = own.encode_utf16().map(|unit| if unit == *from { *to } else { unit }).collect();
            return Some(from_units(machine, &units));
        }
        ("replace", [from, to]) => {
            if from.is_null() || to.is_null() {
                return Some(Err(throw(machine, "NullPointerException")));
            }
            let (from, to) = (sequence(machine, from)?, sequence(machine, to)?);
            if from.is_empty() && own.chars().any(|c| c as u32 > 0xffff) {
                return Some(open("text with half a character"));
            }
            own.replace(&from, &to)
        }
        ("repeat", [count]) => match usize::try_from(int(count)?) {
            Ok(count) if own.len().saturating_mul(count) < 1_000_000 => own.repeat(count),
            Ok(_) => return Some(open("a text that is too long")),
            Err(_) => return Some(Err(throw(machine, "IllegalArgumentException"))),
        },
        ("concat", [other]) => format!("{own}{}", text(other)?),
        ("formatted", args) => {
            let mut all = vec![Value::text(own)];
            all.extend(args.iter().cloned());
            return super::formatting::formats::format(machine, &all);
        }
        _ => return None,
    };
    Some(Ok(machine.fresh_text(&made)))
}
