//! Models `JsonReader`: reads a known document step by step.

use super::document::{Doc, parse};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, native, open, reference, settle, throw};
use crate::interpret::library::text::input_text;
use crate::interpret::values::scalar::{Prim, Scalar};
use crate::interpret::values::value::{Native, ObjId, Type, Value};

/// The state of a reader: the remaining values at each level, the innermost last; for objects, whether the name was
/// already read.
#[derive(Debug, Clone)]
pub struct Cursor {
    levels: Vec<Level>,
}

#[derive(Debug, Clone)]
enum Level {
    Top(Option<Doc>),
    Array(std::vec::IntoIter<Doc>),
    Object(std::vec::IntoIter<(String, Doc)>, Option<Doc>),
}

impl Native for Cursor {
    native_state!(leaf);
}

const READER: &str = "com.google.gson.stream.JsonReader";

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if call.fqn != READER {
        return None;
    }
    let answer = match call.receiver {
        None => {
            let [from] = call.args else { return None };
            let text = input_text::rest(machine, from)?;
            match parse(&text) {
                Some(doc) => Ok(native(machine, READER, Cursor { levels: vec![Level::Top(Some(doc))] })),
                None => open("JSON that only a lenient reader takes"),
            }
        }
        Some(receiver) => {
            let id = reference(receiver)?;
            machine.native::<Cursor>(id)?;
            step(machine, id, call)?
        }
    };
    Some(settle(machine, call, answer))
}

fn step(machine: &mut Machine<'_>, id: ObjId, call: &LibraryCall<'_>) -> Option<Answer> {
    Some(match (call.name, call.args) {
        ("beginArray", []) => match take(machine, id) {
            Ok(Doc::Array(items)) => enter(machine, id, Level::Array(items.into_iter())),
            Ok(_) => Err(throw(machine, "IllegalStateException")),
            Err(fail) => Err(fail),
        },
        ("beginObject", []) => match take(machine, id) {
            Ok(Doc::Object(members)) => enter(machine, id, Level::Object(members.into_iter(), None)),
            Ok(_) => Err(throw(machine, "IllegalStateException")),
            Err(fail) => Err(fail),
        },
        ("endArray" | "endObject", []) => {
            let cursor = machine.native_mut::<Cursor>(id)?;
            let done = match (call.name, cursor.levels.last()) {
                ("endArray", Some(Level::Array(rest))) => rest.len() == 0,
                ("endObject", Some(Level::Object(rest, None))) => rest.len() == 0,
                _ => false,
            };
            if done {
                cursor.levels.pop();
                Ok(Value::NULL)
            } else {
                Err(throw(machine, "IllegalStateException"))
            }
        }
        ("hasNext", []) => match machine.native::<Cursor>(id)?.levels.last()? {
            Level::Array(rest) => Ok(Value::bool(rest.len() > 0)),
            Level::Object(rest, value) => Ok(Value::bool(value.is_some() || rest.len() > 0)),
            Level::Top(_) => open("more at the top of a document"),
        },
        ("nextName", []) => match machine.native_mut::<Cursor>(id)?.levels.last_mut()? {
            Level::Object(rest, value @ None) => match rest.next() {
                Some((name, doc)) => {
                    *value = Some(doc);
                    Ok(machine.fresh_text(&name))
                }
                None => Err(throw(machine, "IllegalStateException")),
            },
            _ => Err(throw(machine, "IllegalStateException")),
        },
        ("skipValue", []) => take(machine, id).map(|_| Value::NULL),
        ("nextNull", []) => match take(machine, id) {
            Ok(Doc::Null) => Ok(Value::NULL),
            Ok(_) => Err(throw(machine, "IllegalStateException")),
            Err(fail) => Err(fail),
        },
        ("nextString" | "nextBoolean" | "nextInt" | "nextLong" | "nextDouble", []) => {
            take(machine, id).and_then(|doc| scalar(machine, call.name, &doc))
        }
        ("close" | "setLenient", _) => Ok(Value::NULL),
        _ => return None,
    })
}

fn enter(machine: &mut Machine<'_>, id: ObjId, level: Level) -> Answer {
    if let Some(cursor) = machine.native_mut::<Cursor>(id) {
        cursor.levels.push(level);
    }
    Ok(Value::NULL)
}

fn scalar(machine: &mut Machine<'_>, name: &str, doc: &Doc) -> Answer {
    let ty = match name {
        "nextString" => Type::Str,
        "nextBoolean" => Type::Prim(Prim::Bool),
        "nextInt" => Type::Prim(Prim::Int),
        "nextLong" => Type::Prim(Prim::Long),
        _ => Type::Prim(Prim::Double),
    };
    match (&ty, doc) {
        (Type::Str, Doc::Text(text) | Doc::Number(text)) => Ok(machine.fresh_text(text)),
        (Type::Prim(Prim::Bool), Doc::Bool(value)) => Ok(Value::bool(*value)),
        (Type::Prim(Prim::Int), Doc::Number(text)) if text.parse::<i32>().is_ok() => {
            Ok(Value::int(text.parse().unwrap_or_default()))
        }
        (Type::Prim(Prim::Long), Doc::Number(text)) if text.parse::<i64>().is_ok() => {
            Ok(Value::Scalar(Scalar::Long(text.parse().unwrap_or_default())))
        }
        (Type::Prim(Prim::Double), Doc::Number(text)) => {
            Ok(Value::Scalar(Scalar::Double(text.parse().unwrap_or_default())))
        }
        (_, Doc::Object(_) | Doc::Array(_)) => Err(throw(machine, "IllegalStateException")),
        _ => open("a value of another kind"),
    }
}

/// Consumes the next value.
pub fn take(machine: &mut Machine<'_>, id: ObjId) -> Answer<Doc> {
    machine.step()?;
    let next = machine.native_mut::<Cursor>(id).and_then(|cursor| match cursor.levels.last_mut()? {
        Level::Top(doc) => doc.take(),
        Level::Array(rest) => rest.next(),
        Level::Object(_, value) => value.take(),
    });
    match next {
        Some(doc) => Ok(doc),
        None => Err(throw(machine, "IllegalStateException")),
    }
}
