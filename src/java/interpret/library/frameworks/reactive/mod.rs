//! Models Reactor's `Mono` and `Flux`: chains of steps that run on subscription, provided that none of them waits for
//! an external system.
//!
//! Comes in: calls on publishers. Goes out: publishers with more steps; when subscribed, elements or an exception.
//! Never here: time, threads, or the answer to a request.

mod chains;
mod made;
pub mod run;
pub mod state;

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{reference, settle};
use state::{Step, publisher};

pub use state::{FLUX, MONO, class, failing, of, written};

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if call.fqn == run::TUPLE {
        return run::part(machine, call);
    }
    if call.fqn != MONO && call.fqn != FLUX {
        return None;
    }
    match call.receiver {
        None => made::made(machine, call),
        Some(receiver) => {
            state::state(machine, reference(receiver)?)?;
            if let ("block", []) = (call.name, call.args) {
                let answer = run::first(machine, receiver);
                return Some(settle(machine, call, answer));
            }
            let class = chains::class_after(call)?;
            let step = Step::Of(receiver.clone(), chains::known(call)?, call.args.to_vec());
            Some(Ok(publisher(machine, class, step)))
        }
    }
}
