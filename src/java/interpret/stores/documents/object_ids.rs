//! `org.bson.types.ObjectId`: identifiers that a MongoDB client generates, as a known text or as a named key.

use std::rc::Rc;

use crate::interpret::engine::machine::Machine;
use crate::interpret::library::LibraryCall;
use crate::interpret::library::base::support::{Answer, class_of, native, open, reference, text, throw};
use crate::interpret::stores::state::StoreOperation;
use crate::interpret::values::scalar::{Prim, Scalar};
use crate::interpret::values::term::{Input, InputPlace, Term};
use crate::interpret::values::value::{Contents, Heap, Native, Type, Value};

/// The class name.
pub const FQN: &str = "org.bson.types.ObjectId";

/// Its 24 hexadecimal digits: a known text, or a generated key that equals only itself.
#[derive(Debug, Clone)]
pub struct ObjectId(pub Value);

impl Native for ObjectId {
    native_state!();

    fn children(&self) -> Vec<Value> {
        vec![self.0.clone()]
    }

    fn contents(&self, _: &Heap) -> Option<Contents> {
        Some(Contents::Unknown("how an ObjectId is written depends on the mapper".to_owned()))
    }

    fn is_frozen(&self) -> bool {
        true
    }
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    if call.fqn != FQN {
        return None;
    }
    match call.receiver {
        None => made(machine, call),
        Some(receiver) => {
            let own = digits(machine, receiver)?;
            on_id(machine, &own, call)
        }
    }
}

fn made(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    if let ("<init>" | "isValid", [Value::Scalar(Scalar::Str(given))]) = (call.name, call.args) {
        machine.store.deeds.push(StoreOperation::Identified { text: Rc::from(&*given.text) });
    }
    Some(match (call.name, call.args) {
        ("<init>" | "get", []) => Ok(new(machine)),
        ("<init>" | "isValid", [given]) if given.is_null() => Err(throw(machine, "IllegalArgumentException")),
        ("<init>", [Value::Symbol(symbol)]) if symbol.term.is_key() && is_made(machine, &symbol.term) => {
            Ok(native(machine, FQN, ObjectId(Value::Symbol(symbol.clone()))))
        }
        ("isValid", [Value::Symbol(symbol)]) if symbol.term.is_key() && is_made(machine, &symbol.term) => {
            Ok(Value::bool(true))
        }
        ("<init>", [Value::Scalar(Scalar::Str(given))]) => match is_valid(&given.text) {
            true => {
                let digits = machine.fresh_text(&given.text.to_ascii_lowercase());
                Ok(native(machine, FQN, ObjectId(digits)))
            }
            false => Err(throw(machine, "IllegalArgumentException")),
        },
        ("isValid", [Value::Scalar(Scalar::Str(given))]) => Ok(Value::bool(is_valid(&given.text))),
        ("<init>" | "isValid", [_]) => open("whether a text is an identifier"),
        _ => return None,
    })
}

/// Whether a key has 24 digits because a document store or this class generated it.
fn is_made(machine: &Machine<'_>, term: &Term) -> bool {
    let Term::Input(input) = term else { return false };
    let Some((name, _)) = input.name.rsplit_once('#') else { return false };
    let of_document = |stores: &super::super::data::Stores| {
        let mut named = stores.entities.values().filter(|entity| entity.name == name).peekable();
        named.peek().is_some() && named.all(|entity| entity.is_document)
    };
    name == "ObjectId" || machine.stores().is_some_and(of_document)
}

fn is_valid(text: &str) -> bool {
    text.len() == 24 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// A new identifier, which equals only itself.
pub fn new(machine: &mut Machine<'_>) -> Value {
    if machine.stores().is_none() {
        return Value::unknowable(
            "a new identifier",
            Type::Class(crate::interpret::values::scalar::ClassRef::library(FQN), Vec::new()),
        );
    }
    machine.store.keys += 1;
    let name = format!("ObjectId#{}", machine.store.keys);
    let digits = Value::symbol(Term::Input(Input::new(InputPlace::Store, &name)), Type::Str, false);
    native(machine, FQN, ObjectId(digits))
}

/// The value that Spring Data queries an identifier by: its digits, also for a text in upper case.
pub fn as_kept(machine: &Machine<'_>, value: &Value) -> Value {
    match (digits(machine, value), text(value)) {
        (Some(digits), _) => digits,
        (None, Some(text)) if is_valid(text) => Value::text(&text.to_ascii_lowercase()),
        _ => value.clone(),
    }
}

/// The digits of an identifier.
pub fn digits(machine: &Machine<'_>, value: &Value) -> Option<Value> {
    machine.native::<ObjectId>(reference(value)?).map(|id| id.0.clone())
}

/// Whether the digits of two identifiers are equal; `None` if unknown. A request cannot contain a new identifier.
pub fn same(a: &Value, b: &Value) -> Option<bool> {
    match (a, b) {
        (Value::Symbol(x), Value::Symbol(y)) if x.term == y.term => Some(true),
        (Value::Symbol(x), Value::Symbol(y)) if x.term.is_key() && y.term.is_key() => Some(false),
        (Value::Symbol(key), Value::Scalar(_)) | (Value::Scalar(_), Value::Symbol(key)) if key.term.is_key() => {
            Some(false)
        }
        (a, b) => Some(text(a)? == text(b)?),
    }
}

fn on_id(machine: &mut Machine<'_>, own: &Value, call: &LibraryCall<'_>) -> Option<Answer> {
    Some(match (call.name, call.args) {
        ("toHexString" | "toString", []) => match text(own).map(str::to_owned) {
            Some(text) => Ok(machine.fresh_text(&text)),
            None => Ok(own.clone()),
        },
        ("equals", [other]) => match (digits(machine, other), other) {
            (Some(other), _) => match same(own, &other) {
                Some(same) => Ok(Value::bool(same)),
                None => open("an identifier is not known"),
            },
            (None, Value::Unknown(_)) => open("an identifier is not known"),
            _ => Ok(Value::bool(false)),
        },
        ("compareTo", [other]) if class_of(machine, other) == Some(FQN) => {
            let other = digits(machine, other)?;
            Ok(Value::int(text(own)?.cmp(text(&other)?) as i32))
        }
        ("getTimestamp" | "hashCode", []) => Ok(Value::unknowable("what an identifier holds", Type::Prim(Prim::Int))),
        ("getDate", []) => {
            let date = crate::interpret::library::base::support::library_type("java.util.Date");
            Ok(Value::unknowable("what an identifier holds", date))
        }
        _ => return None,
    })
}

/// The name of the generated key in an identifier.
pub fn key_name(machine: &Machine<'_>, value: &Value) -> Option<Rc<str>> {
    match digits(machine, value)? {
        Value::Symbol(symbol) => match &*symbol.term {
            Term::Input(input) => Some(input.name.clone()),
            _ => None,
        },
        _ => None,
    }
}
