//! Models the builders that Lombok generates.

use crate::java::interpret::engine::machine::{Eval, Machine};
use crate::java::interpret::library::base::invocation::LibraryCall;
use crate::java::interpret::library::base::support::reference;
use crate::java::types::lookup::BUILDER;

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if call.fqn != BUILDER {
        return None;
    }
    machine.on_builder(reference(call.receiver?)?, call.name, call.args)
}
