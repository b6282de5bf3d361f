//! Models AspectJ's join points as an aspect sees them, and the stop watches that aspects use. A marker object
//! represents the result of the advised call.

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::reference;
use crate::interpret::values::scalar::{ClassRef, Prim};
use crate::interpret::values::value::{Type, Value};

/// A join point.
pub const JOIN_POINT: &str = "org.aspectj.lang.ProceedingJoinPoint";
/// The class of the marker object for the result of the advised call.
pub const GIVEN: &str = "what the advised call gives";

const CLOCKS: &[&str] = &["org.springframework.util.StopWatch", "org.apache.commons.lang3.time.StopWatch"];

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if CLOCKS.contains(&call.fqn) {
        return Some(Ok(match (call.receiver, call.name) {
            (None, "<init>") => machine.modelled(call.fqn, &[]),
            (Some(_), "start" | "stop" | "reset" | "suspend" | "resume") => Value::NULL,
            (Some(_), name) if name.contains("Time") => machine.unknown("the time of day", Type::Prim(Prim::Long)),
            (Some(_), "prettyPrint" | "shortSummary" | "toString") => Value::unknowable("the time of day", Type::Str),
            _ => return None,
        }));
    }
    let id = reference(call.receiver?)?;
    if machine.object(id).class != ClassRef::library(JOIN_POINT) {
        return None;
    }
    let why = "which call is advised";
    Some(Ok(match call.name {
        "proceed" => machine.modelled(GIVEN, &[]),
        "toShortString" | "toLongString" | "toString" | "getKind" => Value::unknowable(why, Type::Str),
        "getSignature" => {
            Value::unknowable(why, Type::Class(ClassRef::library("org.aspectj.lang.Signature"), Vec::new()))
        }
        "getTarget" | "getThis" | "getArgs" | "getStaticPart" | "getSourceLocation" => {
            Value::unknowable(why, Type::Unknown)
        }
        _ => return None,
    }))
}
