//! Models the context that Bean Validation passes to a project's validator: through it, code chooses the message of a
//! violation, never whether there is one.

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{int, reference, text};
use crate::interpret::values::value::{ObjId, Value};

const CONTEXT: &str = ".validation.ConstraintValidatorContext";
const BUILDER: &str = ".validation.ConstraintValidatorContext.ConstraintViolationBuilder";
/// The part of a builder that holds its context.
const OF: &str = "context";
/// The parts of a context: that the default message is disabled, the number of custom messages, the last of them, and
/// that one is reported for another place than the validated value.
const DISABLED: &str = "disabled";
const COUNT: &str = "count";
const MESSAGE: &str = "message";
const ELSEWHERE: &str = "elsewhere";

/// The message reported for a violation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ViolationMessage {
    /// The default message of the constraint.
    Default,
    /// One custom message; its text if it needs no interpolation.
    One(Option<String>),
    /// Several messages, one for another place, or none.
    Open,
}

/// A context, in the package that `like` is in.
pub fn made(machine: &mut Machine<'_>, like: &str) -> Value {
    let package = if like.starts_with("jakarta.") { "jakarta" } else { "javax" };
    machine.modelled(&format!("{package}{CONTEXT}"), &[])
}

/// The message that code has chosen through a context.
pub fn told(machine: &Machine<'_>, context: &Value) -> ViolationMessage {
    let Some(id) = reference(context) else { return ViolationMessage::Open };
    let parts = &machine.object(id).parts;
    match (parts.contains_key(DISABLED), parts.get(COUNT).and_then(int)) {
        _ if parts.contains_key(ELSEWHERE) => ViolationMessage::Open,
        (false, None) => ViolationMessage::Default,
        (true, Some(1)) => {
            let message = parts.get(MESSAGE).and_then(text);
            ViolationMessage::One(message.filter(|text| !text.contains(['{', '}', '$', '\\'])).map(str::to_owned))
        }
        _ => ViolationMessage::Open,
    }
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let package = call.fqn.strip_suffix(CONTEXT).or_else(|| call.fqn.strip_suffix(BUILDER))?;
    let id = reference(call.receiver?)?;
    if call.fqn.ends_with(BUILDER) {
        return on_builder(machine, id, call);
    }
    match (call.name, call.args) {
        ("disableDefaultConstraintViolation", []) => {
            machine.object_mut(id).parts.insert(DISABLED, Value::NULL);
            Some(Ok(Value::NULL))
        }
        ("buildConstraintViolationWithTemplate", [message]) => {
            let parts = [(OF, Value::Ref(id)), (MESSAGE, message.clone())];
            Some(Ok(machine.modelled(&format!("{package}{BUILDER}"), &parts)))
        }
        ("getDefaultConstraintMessageTemplate", []) => {
            let text = crate::interpret::values::value::Type::Str;
            Some(Ok(machine.unknown("the message of a constraint", text)))
        }
        _ => None,
    }
}

/// Models the builders of nodes and parameters: every chain ends with adding the violation to the context.
fn on_builder(machine: &mut Machine<'_>, id: ObjId, call: &LibraryCall<'_>) -> Option<Eval> {
    let context = reference(machine.object(id).parts.get(OF)?)?;
    match call.name {
        "addConstraintViolation" => {
            let message = machine.object(id).parts.get(MESSAGE)?.clone();
            let parts = &mut machine.object_mut(context).parts;
            let count = parts.get(COUNT).and_then(int).unwrap_or(0);
            parts.insert(COUNT, Value::int(count + 1));
            parts.insert(MESSAGE, message);
            Some(Ok(Value::Ref(context)))
        }
        name if ["add", "in", "at"].iter().any(|verb| name.starts_with(verb)) => {
            machine.object_mut(context).parts.insert(ELSEWHERE, Value::NULL);
            Some(Ok(Value::Ref(id)))
        }
        _ => None,
    }
}
