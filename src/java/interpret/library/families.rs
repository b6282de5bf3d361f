//! The families of library types, and the order in which their models are tried.

use super::base::invocation::LibraryCall;
use super::collections::keyed::{maps, properties, sets};
use super::collections::ordered::{collections, lists};
use super::collections::{iterators, utilities};
use super::environment::{clock, identifiers, loggers, nature, outside, places, surroundings};
use super::frameworks::{
    annotated, aspects, commons_texts, constraint_context, container, environment, hateoas, inflector, jdk_server,
    mappers, media_types, messages, micronaut, mutiny, pages, persistence, property_order, reactive, rest_response,
    router_functions, security, sorts, spring_data, validation_errors,
};
use super::functions::{functional, optional, streams};
use super::language::{atomics, classes, enums, lombok, objects, throwables};
use super::numeric::{big_decimals, big_integers, boxes, math_contexts, number_constants, numbers, randoms};
use super::text::formatting::{formats, locales};
use super::text::matching::patterns;
use super::text::{builders, codings, digests, input_text, normalizer, strings, text_tools, texts, writers};
use super::time::formats::{formatters, old_formats};
use super::time::{dates, old_dates, time_units};
use super::web::{jax_rs, problems, servlet, spring, spring_web};
use super::{constants, in_java, json};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::paths::hinting;
use crate::interpret::values::value::Value;

/// A family of library types and its model.
struct Family {
    name: &'static str,
    call: fn(&mut Machine<'_>, &LibraryCall<'_>) -> Option<Eval>,
}

/// All families, in the order in which they are tried.
const FAMILIES: &[Family] = &[
    Family { name: "JSON", call: json::call },
    Family { name: "strings", call: texts::call },
    Family { name: "builders", call: builders::call },
    Family { name: "numbers", call: boxes::call },
    Family { name: "big numbers", call: big_decimals::call },
    Family { name: "big numbers", call: big_integers::call },
    Family { name: "big numbers", call: math_contexts::call },
    Family { name: "dates", call: dates::call },
    Family { name: "dates", call: formatters::call },
    Family { name: "dates", call: old_dates::call },
    Family { name: "dates", call: old_formats::call },
    Family { name: "identifiers", call: identifiers::call },
    Family { name: "random numbers", call: randoms::call },
    Family { name: "strings", call: formats::message },
    Family { name: "locales", call: locales::call },
    Family { name: "dates", call: time_units::call },
    Family { name: "codings", call: codings::call },
    Family { name: "digests", call: digests::call },
    Family { name: "enums", call: enums::call },
    // Before the models of collections, which have methods of the same names.
    Family { name: "spring", call: pages::call },
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
    Family { name: "strings", call: text_tools::call },
    Family { name: "strings", call: commons_texts::call },
    Family { name: "optional", call: optional::call },
    Family { name: "collections", call: collections::call },
    Family { name: "loggers", call: loggers::call },
    Family { name: "spring", call: spring::call },
    Family { name: "jax_rs", call: jax_rs::call },
    Family { name: "jax_rs", call: media_types::call },
    Family { name: "jax_rs", call: container::call },
    Family { name: "inflector", call: inflector::call },
    Family { name: "micronaut", call: micronaut::call },
    Family { name: "quarkus", call: rest_response::call },
    Family { name: "mutiny", call: mutiny::call },
    Family { name: "throwables", call: throwables::call },
    Family { name: "Lombok", call: lombok::call },
    Family { name: "MapStruct", call: mappers::call },
    Family { name: "properties", call: properties::call },
    Family { name: "streams of bytes", call: input_text::call },
    Family { name: "streams of bytes", call: writers::call },
    Family { name: "classes", call: classes::call },
    Family { name: "classes", call: annotated::call },
    Family { name: "spring", call: problems::call },
    Family { name: "spring", call: validation_errors::call },
    Family { name: "validation", call: constraint_context::call },
    Family { name: "spring", call: spring_web::call },
    Family { name: "spring", call: spring_data::call },
    Family { name: "spring", call: sorts::call },
    Family { name: "spring", call: hateoas::call },
    Family { name: "spring", call: environment::call },
    Family { name: "spring", call: messages::call },
    Family { name: "spring", call: property_order::call },
    Family { name: "spring", call: security::call },
    Family { name: "reactor", call: reactive::call },
    Family { name: "router-functions", call: router_functions::call },
    Family { name: "entity-manager", call: persistence::call },
    Family { name: "strings", call: normalizer::call },
    Family { name: "places", call: places::call },
    Family { name: "servlets", call: servlet::call },
    Family { name: "jdk-http-server", call: jdk_server::call },
    Family { name: "aspects", call: aspects::call },
    Family { name: "the world outside", call: outside::call },
];

/// The result of a library call, if a model knows it.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if let Some(value) = surroundings::unset(machine, call) {
        return Some(Ok(value));
    }
    if let Some(value) = nature::source(call) {
        machine.models.insert("unknown by nature");
        return Some(Ok(noted(machine, value)));
    }
    // A text that contains a generated key is unknown.
    if call.fqn == "java.lang.String"
        && matches!(call.name, "format" | "formatted" | "join")
        && let Some(answer) = on_keys(machine, call)
    {
        return Some(answer);
    }
    call_open(machine, call).or_else(|| ask(machine, call)).or_else(|| on_keys(machine, call))
}

/// The result of a call on or with keys that a store generated: they exist, but their values are unknown.
fn on_keys(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let (receiver, args) = nature::without_keys(call)?;
    call_open(machine, &LibraryCall { receiver: receiver.as_ref(), args: &args, ..*call })
}

/// The result of a call on or with an inherently unknown value, if the call cannot fail because of that value.
pub fn call_open(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if let Some(value) = nature::without_sample(call) {
        return Some(Ok(value));
    }
    let sampled = nature::sampled(machine, call)?;
    let like = LibraryCall { receiver: sampled.receiver.as_ref(), args: &sampled.args, ..*call };
    let answer = ask(machine, &like);
    let concluded = nature::concluded(machine, sampled, answer)?;
    let ends = clock::at_ends(machine, call).map(|ends| {
        ends.map(|(receiver, args)| ask(machine, &LibraryCall { receiver: receiver.as_ref(), args: &args, ..*call }))
    });
    Some(concluded.map(|value| clock::bounded(machine, call, value, ends)))
}

/// Records why a value is unknown.
fn noted(machine: &mut Machine<'_>, value: Value) -> Value {
    if let Value::Unknown(unknown) = &value {
        machine.unknowns.extend(unknown.reasons.iter().cloned());
    }
    value
}

/// Tries the models written in Java, then the families.
fn ask(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if machine.is_hinting {
        hinting::note(machine, call);
    }
    if let Some(result) = in_java::call(machine, call) {
        machine.models.insert("models in Java");
        return Some(result);
    }
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
    number_constants::constant(fqn, name)
        .or_else(|| spring::constant(fqn, name))
        .or_else(|| jax_rs::constant(fqn, name))
        .or_else(|| servlet::constant(fqn, name))
        .or_else(|| media_types::constant(machine, fqn, name))
        .or_else(|| json::constant(fqn, name))
        .or_else(|| loggers::constant(machine, fqn, name))
        .or_else(|| persistence::constant(machine, fqn, name))
        .or_else(|| input_text::constant(fqn, name))
        .or_else(|| constants::constant(machine, fqn, name))
        .or_else(|| in_java::constant(machine, fqn, name))
}

/// A field of an object of a library class.
pub fn field(machine: &mut Machine<'_>, object: &Value, name: &str) -> Option<Value> {
    persistence::field(machine, object, name)
}

/// Whether calls on objects of this class change nothing and never fail, even if the object is unknown.
pub fn is_silent(fqn: &str) -> bool {
    loggers::is_logger(fqn) || loggers::is_metric(fqn)
}

/// Whether the models know results of this class even for an unknown object that the framework passes in.
pub fn is_given(fqn: &str) -> bool {
    outside::is_given(fqn)
}
