//! Models the builders that Lombok generates.

use super::invocation::LibraryCall;
use super::support::reference;
use crate::java::interpret::machine::{Eval, Machine};
use crate::java::lookup::BUILDER;

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if call.fqn != BUILDER {
        return None;
    }
    machine.on_builder(reference(call.receiver?)?, call.name, call.args)
}
