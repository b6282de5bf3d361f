//! The families of library types, and the order in which their models are asked.

use super::invocation::LibraryCall;
use super::{
    atomics, big_decimals, big_integers, boxes, builders, collections, constants, functional, iterators, jax_rs, lists,
    loggers, maps, numbers, objects, optional, patterns, sets, spring, streams, strings, texts, throwables, utilities,
};
use crate::java::interpret::machine::{Eval, Machine};
use crate::java::interpret::value::Value;

/// A family of library types.
struct Family {
    name: &'static str,
    call: fn(&mut Machine<'_>, &LibraryCall<'_>) -> Option<Eval>,
}

/// All families, in the order in which they are asked.
const FAMILIES: &[Family] = &[
    Family { name: "strings", call: texts::call },
    Family { name: "builders", call: builders::call },
    Family { name: "numbers", call: boxes::call },
    Family { name: "big numbers", call: big_decimals::call },
    Family { name: "big numbers", call: big_integers::call },
    Family { name: "enums", call: constants::call },
    Family { name: "maps", call: maps::call },
    Family { name: "sets", call: sets::call },
    Family { name: "lists", call: lists::call },
    Family { name: "lists", call: utilities::call },
    Family { name: "iterators", call: iterators::call },
    Family { name: "streams", call: streams::call },
    Family { name: "streams", call: streams::statistics },
    Family { name: "atomics", call: atomics::call },
    Family { name: "functions", call: functional::call },
    Family { name: "regular expressions", call: patterns::call },
    Family { name: "regular expressions", call: patterns::predicate },
    Family { name: "strings", call: strings::call },
    Family { name: "numbers", call: numbers::call },
    Family { name: "objects", call: objects::call },
    Family { name: "optional", call: optional::call },
    Family { name: "collections", call: collections::call },
    Family { name: "loggers", call: loggers::call },
    Family { name: "spring", call: spring::call },
    Family { name: "jax_rs", call: jax_rs::call },
    Family { name: "throwables", call: throwables::call },
];

/// What a call gives, where a model knows.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    for family in FAMILIES {
        if let Some(result) = (family.call)(machine, call) {
            machine.models.insert(family.name);
            return Some(result);
        }
    }
    None
}

/// A constant of a library class.
pub fn constant(machine: &mut Machine<'_>, fqn: &str, name: &str) -> Option<Value> {
    numbers::constant(fqn, name)
        .or_else(|| spring::constant(fqn, name))
        .or_else(|| jax_rs::constant(fqn, name))
        .or_else(|| constants::constant(machine, fqn, name))
}

/// Whether calls on an object of this class change nothing and never fail, even where the object is not known.
pub fn is_silent(fqn: &str) -> bool {
    loggers::is_logger(fqn)
}

/// Whether a method of a library class is static, for method references.
pub fn is_static(fqn: &str, name: &str) -> bool {
    matches!(
        (fqn, name),
        ("java.lang.String", "valueOf" | "format" | "join")
            | (
                "java.lang.Integer" | "java.lang.Long" | "java.lang.Double",
                "valueOf" | "parseInt" | "parseLong" | "parseDouble" | "sum"
            )
            | ("java.math.BigDecimal" | "java.math.BigInteger", "valueOf")
            | ("java.util.Objects" | "java.lang.Math" | "java.util.Optional", _)
            | ("org.springframework.http.ResponseEntity", "ok")
    )
}
