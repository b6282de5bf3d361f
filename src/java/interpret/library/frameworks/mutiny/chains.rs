//! The methods of a `Uni` or `Multi` that give another one, or a group of methods.

use super::state::{MULTI, Step, Stream, UNI, group, stream};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::reference;
use crate::interpret::values::value::Value;

/// Methods of a `Uni` that are shortcuts, with their number of arguments and the step that they stand for.
const OF_UNI: &[(&str, usize, &str)] = &[
    ("map", 1, "map"),
    ("flatMap", 1, "chain"),
    ("chain", 1, "chain"),
    ("invoke", 1, "invoke"),
    ("call", 1, "call"),
    ("replaceWith", 1, "replace"),
    ("replaceWithNull", 0, "nothing"),
    ("replaceWithVoid", 0, "nothing"),
    ("replaceIfNullWith", 1, "null continue"),
    ("toMulti", 0, "multi"),
];

/// The same of a `Multi`.
const OF_MULTI: &[(&str, usize, &str)] =
    &[("map", 1, "map"), ("invoke", 1, "invoke"), ("filter", 1, "where"), ("toUni", 0, "first")];

/// Methods that change only where a step runs, or what is logged.
const SAME: &[&str] = &["emitOn", "log", "runSubscriptionOn"];

/// Models a method of a `Uni` or `Multi`.
pub fn step(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let source = call.receiver?;
    machine.native::<Stream>(reference(source)?)?;
    let is_uni = call.fqn == UNI;
    if SAME.contains(&call.name) {
        return Some(Ok(source.clone()));
    }
    let table = if is_uni { OF_UNI } else { OF_MULTI };
    if let Some((.., step)) = table.iter().find(|(name, count, _)| *name == call.name && *count == call.args.len()) {
        return Some(Ok(then(machine, if is_uni { "Uni" } else { "Multi" }, source.clone(), step, call.args.to_vec())));
    }
    let of = |uni: &'static str, multi: &'static str| if is_uni { uni } else { multi };
    let (class, only) = match (call.name, call.args) {
        ("onItem", []) => (of("UniOnItem", "MultiOnItem"), None),
        ("onFailure", []) if is_uni => ("UniOnFailure", None),
        ("onFailure", [only]) if is_uni => ("UniOnFailure", Some(only.clone())),
        ("await", []) if is_uni => ("UniAwait", None),
        ("collect", []) if !is_uni => ("MultiCollect", None),
        ("select", []) if !is_uni => ("MultiSelect", None),
        _ => return None,
    };
    Some(Ok(group(machine, class, Some(source.clone()), only)))
}

/// A step behind a source; `class` names the source or a group of its methods.
pub fn then(machine: &mut Machine<'_>, class: &str, source: Value, step: &'static str, args: Vec<Value>) -> Value {
    let is_uni = match step {
        "list" | "first" => true,
        "multi" => false,
        _ => class.starts_with("Uni"),
    };
    stream(machine, if is_uni { UNI } else { MULTI }, Step::Of(source, step, args))
}
