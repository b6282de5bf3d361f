//! Models Spring Data's `Limit`: the maximum number of rows requested.

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::LibraryCall;
use crate::interpret::values::value::Value;

const LIMIT: &str = "org.springframework.data.domain.Limit";

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    match (call.fqn, call.receiver, call.name, call.args) {
        (LIMIT, None, "of", [most @ Value::Scalar(_)]) => Some(Ok(machine.modelled(LIMIT, &[("max", most.clone())]))),
        (LIMIT, None, "unlimited", []) => Some(Ok(machine.modelled(LIMIT, &[("max", Value::int(i32::MAX))]))),
        _ => None,
    }
}
