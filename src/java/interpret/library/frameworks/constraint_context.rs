//! What Bean Validation hands to a validator of the project: by it code says what is told of a violation, never whether there is one.

use crate::java::interpret::library::invocation::LibraryCall;
use crate::java::interpret::library::support::reference;
use crate::java::interpret::machine::{Eval, Machine};
use crate::java::interpret::value::{ObjId, Value};

const CONTEXT: &str = ".validation.ConstraintValidatorContext";
const BUILDER: &str = ".validation.ConstraintValidatorContext.ConstraintViolationBuilder";
/// The part of a builder that is its context.
const OF: &str = "context";
/// The part of a context by which code has told something.
const TOUCHED: &str = "touched";

/// A context of the package that `like` is in.
pub fn made(machine: &mut Machine<'_>, like: &str) -> Value {
    let package = if like.starts_with("jakarta.") { "jakarta" } else { "javax" };
    machine.modelled(&format!("{package}{CONTEXT}"), &[])
}

/// Whether code has said anything to a context.
pub fn is_touched(machine: &Machine<'_>, context: &Value) -> bool {
    reference(context).is_none_or(|id| machine.object(id).parts.contains_key(TOUCHED))
}

/// The model.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let package = call.fqn.strip_suffix(CONTEXT).or_else(|| call.fqn.strip_suffix(BUILDER))?;
    let id = reference(call.receiver?)?;
    if call.fqn.ends_with(BUILDER) {
        return on_builder(machine, id, call);
    }
    let touch = |machine: &mut Machine<'_>| machine.object_mut(id).parts.insert(TOUCHED, Value::NULL);
    match (call.name, call.args) {
        ("disableDefaultConstraintViolation", []) => {
            touch(machine);
            Some(Ok(Value::NULL))
        }
        ("buildConstraintViolationWithTemplate", [_]) => {
            touch(machine);
            let context = Value::Ref(id);
            Some(Ok(machine.modelled(&format!("{package}{BUILDER}"), &[(OF, context)])))
        }
        ("getDefaultConstraintMessageTemplate", []) => {
            let text = crate::java::interpret::value::Type::Str;
            Some(Ok(machine.unknown("the message of a constraint", text)))
        }
        _ => None,
    }
}

/// Nodes and parameters of what is told: all of them lead back to the context in the end.
fn on_builder(machine: &mut Machine<'_>, id: ObjId, call: &LibraryCall<'_>) -> Option<Eval> {
    let context = machine.object(id).parts.get(OF)?.clone();
    match call.name {
        "addConstraintViolation" => Some(Ok(context)),
        name if ["add", "in", "at"].iter().any(|verb| name.starts_with(verb)) => Some(Ok(Value::Ref(id))),
        _ => None,
    }
}
