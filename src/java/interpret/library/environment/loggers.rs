//! Models loggers and metrics: calls without influence on the answer.

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Fail, text_of};
use crate::interpret::values::value::{Type, Value};

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

/// Packages of metrics libraries.
const METRICS: &[&str] = &["io.prometheus.client.", "io.micrometer.core.instrument."];

/// Whether a class is a metric: nothing depends on it, and its methods do not fail.
pub fn is_metric(fqn: &str) -> bool {
    METRICS.iter().any(|package| fqn.starts_with(package))
}

/// Models a call on a metric. A call that receives a lambda, which it may run, or that reads a metric is left
/// unknown.
fn counted(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let runs = call.args.iter().any(|arg| matches!(arg, Value::Lambda(_)));
    if runs
        || ["get", "collect", "count", "total", "mean", "max", "value", "record"]
            .iter()
            .any(|name| call.name.starts_with(name))
    {
        return None;
    }
    Some(Ok(machine.modelled(call.fqn, &[])))
}

/// Whether a class is a logger.
pub fn is_logger(fqn: &str) -> bool {
    LOGGERS.contains(&fqn)
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if FACTORIES.contains(&call.fqn) || (is_logger(call.fqn) && call.receiver.is_none()) {
        return Some(Ok(machine.modelled("org.slf4j.Logger", &[])));
    }
    if is_logger(call.fqn) {
        return Some(Ok(match call.name.strip_prefix("is") {
            // The configuration decides the log level, which only affects what is logged.
            Some(_) => {
                machine.unknown("the level of a logger", Type::Prim(crate::interpret::values::scalar::Prim::Bool))
            }
            None => Value::NULL,
        }));
    }
    if is_metric(call.fqn) {
        return counted(machine, call);
    }
    if (call.fqn, call.name) == ("java.lang.System", "exit") {
        return Some(Err(machine.throw("java.lang.ThreadDeath", Value::NULL)));
    }
    printed(machine, call)
}

/// The class of standard output and error.
const CONSOLE: &str = "java.io.PrintStream";

/// Standard output and error.
pub fn constant(machine: &mut Machine<'_>, fqn: &str, name: &str) -> Option<Value> {
    (fqn == "java.lang.System" && matches!(name, "out" | "err")).then(|| machine.modelled(CONSOLE, &[]))
}

/// Models printing: it calls `toString` of the printed objects, which may fail.
fn printed(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if call.fqn != CONSOLE || call.receiver.is_none() {
        return None;
    }
    match (call.name, call.args) {
        ("println" | "print", args) => {
            for arg in args {
                if matches!(arg, Value::Ref(_))
                    && let Err(Fail::Stop(stop)) = text_of(machine, arg)
                {
                    return Some(Err(stop));
                }
            }
            Some(Ok(Value::NULL))
        }
        ("flush", []) => Some(Ok(Value::NULL)),
        ("printf" | "format", [Value::Scalar(_), ..]) => call.receiver.cloned().map(Ok),
        _ => None,
    }
}
