//! Constants of library classes: enums by their names, and objects that are made once.

use std::rc::Rc;

use super::invocation::LibraryCall;
use super::support::{Answer, array, int, library_type, open, settle, text, throw, throw_with};
use super::{big_decimals, big_integers};
use crate::java::interpret::machine::{Eval, Machine};
use crate::java::interpret::scalar::{ClassRef, Prim, Scalar};
use crate::java::interpret::value::{Kind, Native, Object, Type, Value};

/// Enums of the library, with their constants in order.
const ENUMS: &[(&str, &[&str])] = &[
    ("java.math.RoundingMode", &["UP", "DOWN", "CEILING", "FLOOR", "HALF_UP", "HALF_DOWN", "HALF_EVEN", "UNNECESSARY"]),
    (
        "java.util.concurrent.TimeUnit",
        &["NANOSECONDS", "MICROSECONDS", "MILLISECONDS", "SECONDS", "MINUTES", "HOURS", "DAYS"],
    ),
];

/// The constants of an enum of the library.
pub fn names(fqn: &str) -> Option<&'static [&'static str]> {
    ENUMS.iter().find(|(class, _)| *class == fqn).map(|(_, names)| *names)
}

/// The place of a constant of an enum of the library.
pub fn ordinal(fqn: &str, name: &str) -> Option<usize> {
    names(fqn)?.iter().position(|known| *known == name)
}

/// A constant of an enum.
pub fn of(fqn: &str, name: &str) -> Value {
    Value::Scalar(Scalar::Enum(ClassRef::library(fqn), Rc::from(name)))
}

/// The state of a constant that is an object.
fn object(fqn: &str, name: &str) -> Option<Box<dyn Native>> {
    Some(match fqn {
        big_integers::FQN => Box::new(big_integers::constant(name)?),
        big_decimals::FQN => Box::new(big_decimals::constant(name)?),
        "java.math.MathContext" => Box::new(big_decimals::context(name)?),
        _ => return None,
    })
}

/// A constant of a library class.
pub fn constant(machine: &mut Machine<'_>, fqn: &str, name: &str) -> Option<Value> {
    if ordinal(fqn, name).is_some() {
        return Some(of(fqn, name));
    }
    if fqn == big_decimals::FQN
        && let Some(mode) = big_decimals::old_mode(name)
    {
        return Some(Value::int(mode));
    }
    let key = format!("{fqn}.{name}");
    if let Some(id) = machine.constants.get(key.as_str()) {
        return Some(Value::Ref(*id));
    }
    let state = object(fqn, name)?;
    let id = machine.allocate(Object::new(ClassRef::library(fqn), Kind::Native(state)));
    machine.constants.insert(Rc::from(key), id);
    Some(Value::Ref(id))
}

/// The model of what all enums have.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let known = names(call.fqn)?;
    let answer = match call.receiver {
        None => statics(machine, known, call)?,
        Some(Value::Scalar(Scalar::Enum(_, name))) => on_constant(machine, known, &name.clone(), call)?,
        _ => return None,
    };
    Some(settle(machine, call, answer))
}

fn statics(machine: &mut Machine<'_>, known: &[&str], call: &LibraryCall<'_>) -> Option<Answer> {
    Some(match (call.name, call.args) {
        ("values", []) => {
            let items = known.iter().map(|name| of(call.fqn, name)).collect();
            Ok(array(machine, items, library_type(call.fqn)))
        }
        ("valueOf", [Value::Scalar(Scalar::Null)]) => Err(throw(machine, "NullPointerException")),
        ("valueOf", [name]) => match text(name) {
            Some(name) if known.contains(&name) => Ok(of(call.fqn, name)),
            Some(name) => {
                let message = format!("No enum constant {}.{name}", call.fqn);
                Err(throw_with(machine, "IllegalArgumentException", Value::text(&message)))
            }
            None if call.fqn == big_decimals::ROUNDING && int(name).is_some() => {
                match usize::try_from(int(name)?).ok().and_then(|at| known.get(at)) {
                    Some(name) => Ok(of(call.fqn, name)),
                    None => Err(throw(machine, "IllegalArgumentException")),
                }
            }
            None => open("an enum constant by an unknown name"),
        },
        _ => return None,
    })
}

fn on_constant(machine: &mut Machine<'_>, known: &[&str], name: &Rc<str>, call: &LibraryCall<'_>) -> Option<Answer> {
    let place = |name: &str| known.iter().position(|known| *known == name).and_then(|at| i32::try_from(at).ok());
    Some(match (call.name, call.args) {
        ("name" | "toString", []) => Ok(Value::Scalar(Scalar::pooled(name))),
        ("ordinal", []) => Ok(Value::int(place(name)?)),
        ("compareTo", [Value::Scalar(Scalar::Enum(ClassRef::Library(of), other))]) if **of == *call.fqn => {
            Ok(Value::int(place(name)? - place(other)?))
        }
        ("compareTo", [Value::Scalar(Scalar::Null)]) => Err(throw(machine, "NullPointerException")),
        ("equals", [other]) => match other {
            Value::Scalar(Scalar::Enum(of, other)) => {
                Ok(Value::bool(*of == ClassRef::library(call.fqn) && **other == **name))
            }
            Value::Scalar(_) | Value::Ref(_) => Ok(Value::bool(false)),
            _ => return None,
        },
        ("hashCode", []) => Ok(machine.unknown("the identity hash of an enum constant", Type::Prim(Prim::Int))),
        ("getDeclaringClass" | "getClass", []) => Ok(Value::Class(library_type(call.fqn))),
        _ => return None,
    })
}
