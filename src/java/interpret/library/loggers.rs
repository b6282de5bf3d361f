//! Loggers and metrics: calls that decide nothing.

use super::invocation::LibraryCall;
use crate::java::interpret::machine::{Eval, Machine};
use crate::java::interpret::value::{Type, Value};

const LOGGERS: &[&str] = &[
    "org.slf4j.Logger",
    "org.apache.logging.log4j.Logger",
    "org.apache.commons.logging.Log",
    "org.apache.log4j.Logger",
    "java.util.logging.Logger",
    "ch.qos.logback.classic.Logger",
    "org.jboss.logging.Logger",
];

const FACTORIES: &[&str] =
    &["org.slf4j.LoggerFactory", "org.apache.logging.log4j.LogManager", "org.apache.commons.logging.LogFactory"];

/// Whether a class is a logger.
pub fn is_logger(fqn: &str) -> bool {
    LOGGERS.contains(&fqn)
}

/// The model.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if FACTORIES.contains(&call.fqn) || (is_logger(call.fqn) && call.receiver.is_none()) {
        return Some(Ok(machine.modelled("org.slf4j.Logger", &[])));
    }
    if is_logger(call.fqn) {
        return Some(Ok(match call.name.strip_prefix("is") {
            // Which levels are on is a matter of configuration; only what is logged depends on it.
            Some(_) => machine.unknown("the level of a logger", Type::Prim(crate::java::interpret::scalar::Prim::Bool)),
            None => Value::NULL,
        }));
    }
    let printed = matches!(call.fqn, "java.io.PrintStream") && matches!(call.name, "println" | "print");
    printed.then_some(Ok(Value::NULL))
}
