//! Models Mutiny's `Uni` and `Multi` (Mutiny documentation, "Creating Unis", "Transforming items", "Handling null",
//! "Handling failures"): chains of steps that run on subscription, provided that none of them waits for an external
//! system.

mod chains;
mod groups;
pub mod run;
mod state;

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::frameworks::reactive;
use crate::interpret::values::value::Value;

pub use state::{MULTI, UNI, class, written};

/// Whether a value is a modelled publisher, of Mutiny or of Reactor.
pub fn is_publisher(machine: &Machine<'_>, value: &Value) -> bool {
    reactive::class(machine, value).is_some() || class(machine, value).is_some()
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    match (call.fqn, call.receiver) {
        (UNI | MULTI, None) => groups::begin(machine, call),
        (UNI | MULTI, Some(_)) => chains::step(machine, call),
        (fqn, Some(_)) if fqn.starts_with(state::GROUPS) => groups::member(machine, call),
        _ => None,
    }
}
