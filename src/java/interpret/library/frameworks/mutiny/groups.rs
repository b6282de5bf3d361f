//! The methods of groups: how a `Uni` is created, and what follows on its item, on null and on a failure.

use super::chains::then;
use super::run;
use super::state::{GROUPS, Group, MULTI, Step, UNI, group, stream};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{reference, settle, spread};
use crate::interpret::values::value::{Kind, Value};

/// Methods of a group, each with its class, its number of arguments and the step that it stands for.
const STEPS: &[(&str, &str, usize, &str)] = &[
    ("UniOnItem", "transform", 1, "map"),
    ("UniOnItem", "transformToUni", 1, "chain"),
    ("UniOnItem", "invoke", 1, "invoke"),
    ("UniOnItem", "call", 1, "call"),
    ("UniOnItem", "failWith", 1, "fail"),
    ("UniOnItemIfNull", "failWith", 1, "null fail"),
    ("UniOnItemIfNull", "continueWith", 1, "null continue"),
    ("UniOnItemIfNull", "switchTo", 1, "null switch"),
    ("UniOnItemIfNotNull", "transform", 1, "present map"),
    ("UniOnItemIfNotNull", "transformToUni", 1, "present chain"),
    ("UniOnItemIfNotNull", "invoke", 1, "present invoke"),
    ("UniOnItemIfNotNull", "call", 1, "present call"),
    ("UniOnFailure", "recoverWithItem", 1, "failure item"),
    ("UniOnFailure", "recoverWithNull", 0, "failure null"),
    ("UniOnFailure", "recoverWithUni", 1, "failure uni"),
    ("UniOnFailure", "transform", 1, "failure map"),
    ("UniOnFailure", "invoke", 1, "failure invoke"),
    ("MultiOnItem", "transform", 1, "map"),
    ("MultiOnItem", "invoke", 1, "invoke"),
    ("MultiSelect", "where", 1, "where"),
    ("MultiCollect", "asList", 0, "list"),
    ("MultiCollect", "first", 0, "first"),
];

/// Models the static methods of `Uni` and `Multi`.
pub fn begin(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    match (call.fqn, call.name, call.args) {
        (UNI, "createFrom", []) => Some(Ok(group(machine, "UniCreate", None, None))),
        (MULTI, "createFrom", []) => Some(Ok(group(machine, "MultiCreate", None, None))),
        _ => None,
    }
}

/// Models a method of a group.
pub fn member(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let class = call.fqn.strip_prefix(GROUPS)?;
    let held = machine.native::<Group>(reference(call.receiver?)?)?.clone();
    let Some(source) = held.source else { return created(machine, class, call) };
    if let Some((.., step)) =
        STEPS.iter().find(|(of, name, count, _)| *of == class && *name == call.name && *count == call.args.len())
    {
        let mut args = call.args.to_vec();
        args.extend(held.only);
        return Some(Ok(then(machine, class, source, step, args)));
    }
    match (class, call.name, call.args) {
        ("UniOnItem", "ifNull", []) => Some(Ok(group(machine, "UniOnItemIfNull", Some(source), None))),
        ("UniOnItem", "ifNotNull", []) => Some(Ok(group(machine, "UniOnItemIfNotNull", Some(source), None))),
        ("UniAwait", "indefinitely", []) | ("UniAwait", "atMost", [_]) => {
            let answer = run::item(machine, &source);
            Some(settle(machine, call, answer))
        }
        _ => None,
    }
}

/// Models the methods of `createFrom()`.
fn created(machine: &mut Machine<'_>, class: &str, call: &LibraryCall<'_>) -> Option<Eval> {
    let step = match (class, call.name, call.args) {
        ("UniCreate", "item", [value @ Value::Lambda(_)]) => Step::Supplied(value.clone()),
        ("UniCreate" | "MultiCreate", "item", [value]) => Step::Items(vec![value.clone()]),
        ("UniCreate", "nullItem" | "voidItem", []) => Step::Items(vec![Value::NULL]),
        ("UniCreate" | "MultiCreate", "failure", [value]) => Step::Failed(value.clone()),
        ("UniCreate", "deferred", [value]) => Step::Deferred(value.clone()),
        ("UniCreate", "optional", [Value::Ref(id)]) if matches!(machine.object(*id).kind, Kind::Modelled) => {
            Step::Items(vec![machine.object(*id).parts.get("value")?.clone()])
        }
        ("MultiCreate", "empty", []) => Step::Items(Vec::new()),
        ("MultiCreate", "items", args) if !matches!(args, [Value::Lambda(_)]) => Step::Items(spread(machine, args)),
        ("MultiCreate", "iterable", [value]) => Step::Later(value.clone()),
        _ => return None,
    };
    Some(Ok(stream(machine, if class == "UniCreate" { UNI } else { MULTI }, step)))
}
