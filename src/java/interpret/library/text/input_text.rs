//! Models streams and readers over known bytes: `InputStreamReader`, `BufferedReader`, `Scanner`, and reading all of
//! their text.

use std::rc::Rc;

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, array, open, reference, settle, text, throw};
use crate::interpret::values::scalar::{ClassRef, Prim, Scalar};
use crate::interpret::values::value::{Native, ObjId, Type, Value};

/// An input stream over known bytes.
#[derive(Debug, Clone)]
struct Stream {
    bytes: Rc<[u8]>,
    at: usize,
}

impl Native for Stream {
    native_state!(leaf);
}

/// A reader or scanner over known text; a scanner may have its own delimiter.
#[derive(Debug, Clone)]
struct Text {
    text: Rc<str>,
    at: usize,
    delimiter: Option<String>,
}

impl Native for Text {
    native_state!(leaf);
}

/// Maximum length of a file whose text is read.
const LIMIT: usize = 4 << 20;

/// A new input stream over bytes.
pub fn stream(machine: &mut Machine<'_>, bytes: Rc<[u8]>) -> Value {
    crate::interpret::library::base::support::native(machine, "java.io.InputStream", Stream { bytes, at: 0 })
}

/// Decodes bytes as UTF-8; unknown if they are not valid UTF-8.
pub fn decoded(machine: &mut Machine<'_>, bytes: &[u8]) -> Answer {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(machine.fresh_text(text)),
        Err(_) => open("bytes that are no UTF-8"),
    }
}

/// The remaining text of a stream or reader, which is then at its end.
pub fn rest(machine: &mut Machine<'_>, value: &Value) -> Option<String> {
    let id = reference(value)?;
    if let Some(reader) = machine.native_mut::<Text>(id) {
        let left = reader.text.get(reader.at..)?.to_owned();
        reader.at = reader.text.len();
        return Some(left);
    }
    let stream = machine.native_mut::<Stream>(id)?;
    let left = std::str::from_utf8(stream.bytes.get(stream.at..)?).ok().filter(|text| text.len() <= LIMIT)?.to_owned();
    stream.at = stream.bytes.len();
    Some(left)
}

/// Whether a charset, given by name or as a constant, is UTF-8.
fn is_utf8(value: &Value) -> bool {
    match value {
        Value::Scalar(Scalar::Str(name)) => matches!(&*name.text, "UTF-8" | "utf-8" | "UTF8" | "utf8"),
        Value::Scalar(Scalar::Enum(ClassRef::Library(class), name)) => {
            &**class == "java.nio.charset.StandardCharsets" && &**name == "UTF_8"
        }
        _ => false,
    }
}

/// A constant of `StandardCharsets`.
pub fn constant(fqn: &str, name: &str) -> Option<Value> {
    let known = fqn == "java.nio.charset.StandardCharsets"
        && matches!(name, "UTF_8" | "US_ASCII" | "ISO_8859_1" | "UTF_16" | "UTF_16BE" | "UTF_16LE");
    known.then(|| Value::Scalar(Scalar::Enum(ClassRef::library(fqn), name.into())))
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let answer = match call.receiver {
        None => made(machine, call)?,
        Some(receiver) => {
            let id = reference(receiver)?;
            if machine.native::<Stream>(id).is_some() {
                on_stream(machine, id, call)?
            } else {
                machine.native::<Text>(id)?;
                on_text(machine, id, call)?
            }
        }
    };
    Some(settle(machine, call, answer))
}

fn made(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    if call.name != "<init>" {
        return None;
    }
    let simple = call.fqn.strip_prefix("java.io.").or_else(|| call.fqn.strip_prefix("java.util."))?;
    let own = match (simple, call.args) {
        ("StringReader" | "Scanner", [given]) if text(given).is_some() => text(given)?.to_owned(),
        ("ByteArrayInputStream", [given]) => {
            let items = crate::interpret::library::base::support::array_items(machine, given)?;
            let bytes: Option<Vec<u8>> = items
                .iter()
                .map(|item| match item {
                    Value::Scalar(Scalar::Byte(byte)) => Some(byte.cast_unsigned()),
                    _ => None,
                })
                .collect();
            return Some(Ok(stream(machine, bytes?.into())));
        }
        ("BufferedInputStream" | "DataInputStream", [given]) => {
            machine.native::<Stream>(reference(given)?)?;
            return Some(Ok(given.clone()));
        }
        // Without a charset, the platform's default applies: the text is known only if it is ASCII.
        ("InputStreamReader" | "Scanner", [given]) => {
            let left = rest(machine, given)?;
            if !left.is_ascii() && machine.native::<Text>(reference(given)?).is_none() {
                return Some(open("the charset of the platform"));
            }
            left
        }
        ("InputStreamReader" | "Scanner", [given, charset]) if is_utf8(charset) => rest(machine, given)?,
        ("BufferedReader" | "LineNumberReader", [given, ..]) => {
            let id = reference(given)?;
            machine.native::<Text>(id)?;
            rest(machine, given)?
        }
        _ => return None,
    };
    let delimiter = None;
    Some(Ok(crate::interpret::library::base::support::native(
        machine,
        call.fqn,
        Text { text: own.into(), at: 0, delimiter },
    )))
}

fn on_stream(machine: &mut Machine<'_>, id: ObjId, call: &LibraryCall<'_>) -> Option<Answer> {
    Some(match (call.name, call.args) {
        ("readAllBytes", []) => {
            let stream = machine.native_mut::<Stream>(id)?;
            let bytes: Vec<u8> = stream.bytes.get(stream.at..)?.to_vec();
            stream.at = stream.bytes.len();
            if bytes.len() > 100_000 {
                return Some(open("a long array of bytes"));
            }
            let items = bytes.into_iter().map(|byte| Value::Scalar(Scalar::Byte(byte.cast_signed()))).collect();
            Ok(array(machine, items, Type::Prim(Prim::Byte)))
        }
        ("read", []) => {
            let stream = machine.native_mut::<Stream>(id)?;
            let byte = stream.bytes.get(stream.at).copied();
            stream.at += usize::from(byte.is_some());
            Ok(Value::int(byte.map_or(-1, i32::from)))
        }
        ("close", []) => Ok(Value::NULL),
        _ => return None,
    })
}

/// The next line and the offset after it; `None` at the end.
fn line(left: &str) -> Option<(&str, usize)> {
    if left.is_empty() {
        return None;
    }
    match left.find(['\n', '\r']) {
        None => Some((left, left.len())),
        Some(at) => {
            let end = if left[at..].starts_with("\r\n") { at + 2 } else { at + 1 };
            Some((&left[..at], end))
        }
    }
}

fn on_text(machine: &mut Machine<'_>, id: ObjId, call: &LibraryCall<'_>) -> Option<Answer> {
    let state = machine.native::<Text>(id)?.clone();
    let left = state.text.get(state.at..)?;
    let scanner = call.fqn == "java.util.Scanner";
    Some(match (call.name, call.args) {
        ("readLine", []) => match line(left) {
            Some((own, end)) => {
                let own = own.to_owned();
                machine.native_mut::<Text>(id)?.at += end;
                Ok(machine.fresh_text(&own))
            }
            None => Ok(Value::NULL),
        },
        ("lines", []) if !scanner => {
            let mut all = Vec::new();
            let mut left = left;
            while let Some((own, end)) = line(left) {
                all.push(own.to_owned());
                left = left.get(end..)?;
            }
            machine.native_mut::<Text>(id)?.at = state.text.len();
            let items = all.iter().map(|line| machine.fresh_text(line)).collect();
            Ok(crate::interpret::library::functions::stream_state::of(machine, items, None))
        }
        ("read", []) if !scanner => match left.chars().next() {
            Some(c) if c.len_utf16() == 1 => {
                machine.native_mut::<Text>(id)?.at += c.len_utf8();
                Ok(Value::int(c as i32))
            }
            Some(_) => open("half a character"),
            None => Ok(Value::int(-1)),
        },
        ("ready", []) => Ok(Value::bool(!left.is_empty())),
        ("hasNextLine", []) if left.is_ascii() => Ok(Value::bool(!left.is_empty())),
        ("nextLine", []) if left.is_ascii() => match line(left) {
            Some((own, end)) => {
                let own = own.to_owned();
                machine.native_mut::<Text>(id)?.at += end;
                Ok(machine.fresh_text(&own))
            }
            None => Err(throw(machine, "java.util.NoSuchElementException")),
        },
        ("useDelimiter", [by]) => {
            let by = text(by)?.to_owned();
            machine.native_mut::<Text>(id)?.delimiter = Some(by);
            Ok(Value::Ref(id))
        }
        ("hasNext" | "next", []) => token(machine, id, &state, call.name == "next")?,
        ("close" | "setLenient", _) => Ok(Value::NULL),
        _ => return None,
    })
}

/// The next token of a scanner: the whole text if the delimiter is `\A`, otherwise the next word between white space.
fn token(machine: &mut Machine<'_>, id: ObjId, state: &Text, takes: bool) -> Option<Answer> {
    let left = state.text.get(state.at..)?;
    let (own, end) = match state.delimiter.as_deref() {
        Some("\\A") if state.at == 0 => (left, left.len()),
        Some(_) => return Some(open("the delimiter of a scanner")),
        None if !left.is_ascii() => return Some(open("white space in rare characters")),
        None => {
            let space = |c: char| matches!(c, ' ' | '\t'..='\r' | '\u{1c}'..='\u{1f}');
            let from = left.find(|c| !space(c)).unwrap_or(left.len());
            let own = &left[from..];
            let own = &own[..own.find(space).unwrap_or(own.len())];
            (own, from + own.len())
        }
    };
    if !takes {
        return Some(Ok(Value::bool(!own.is_empty())));
    }
    if own.is_empty() {
        return Some(Err(throw(machine, "java.util.NoSuchElementException")));
    }
    let own = own.to_owned();
    machine.native_mut::<Text>(id)?.at += end;
    Some(Ok(machine.fresh_text(&own)))
}
