//! Models the builders that Lombok generates.

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::reference;
use crate::types::lookup::BUILDER;

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if call.fqn != BUILDER {
        return None;
    }
    machine.on_builder(reference(call.receiver?)?, call.name, call.args)
}
