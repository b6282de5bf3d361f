//! `Normalizer`, for text that every form leaves as it is.

use super::invocation::LibraryCall;
use super::support::{open, settle, text};
use crate::java::interpret::machine::{Eval, Machine};
use crate::java::interpret::scalar::{Identity, JStr, Scalar};
use crate::java::interpret::value::Value;

/// The model.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let ("java.text.Normalizer", None, [given, _]) = (call.fqn, call.receiver, call.args) else { return None };
    let own = text(given)?;
    let answer = match call.name {
        _ if !own.is_ascii() => open("text beyond ASCII"),
        // Whether it is the same object is left open.
        "normalize" => Ok(Value::Scalar(Scalar::Str(JStr { text: own.into(), identity: Identity::Open }))),
        "isNormalized" => Ok(Value::bool(true)),
        _ => return None,
    };
    Some(settle(machine, call, answer))
}
