//! Models JSON: the trees of Gson and Jackson, and the documents that both write and parse with default settings.
//!
//! Comes in: calls of code on Gson and Jackson. Goes out: trees, documents and objects. Never here: how a framework
//! reads and writes bodies.
//!
//! The effect of unsupported settings, and text that only a lenient parser accepts, are left unknown.

use super::base::invocation::LibraryCall;
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::values::scalar::{ClassRef, Scalar};
use crate::interpret::values::value::Value;

pub mod binding;
pub mod choice;
pub mod document;
pub mod fields;
pub mod gson;
pub mod gson_tree;
pub mod jackson;
pub mod jackson_tree;
pub mod objects;
pub mod reader;
pub mod tree;

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if call.fqn.starts_with("com.google.gson.") {
        return gson_tree::call(machine, call)
            .or_else(|| gson::call(machine, call))
            .or_else(|| reader::call(machine, call))
            .or_else(|| choice::call(machine, call));
    }
    if call.fqn.starts_with("com.fasterxml.jackson.databind.") {
        return jackson_tree::call(machine, call).or_else(|| jackson::call(machine, call));
    }
    None
}

/// The singleton objects of these libraries, such as `JsonNull.INSTANCE`.
pub fn constant(fqn: &str, name: &str) -> Option<Value> {
    let text = match (fqn, name) {
        (tree::GSON_NULL, "INSTANCE") | (tree::JACKSON_NULL, "instance") => "null",
        ("com.fasterxml.jackson.databind.node.JsonNodeFactory", "instance") => "instance",
        (tree::JACKSON_BOOLEAN, "TRUE") => "true",
        (tree::JACKSON_BOOLEAN, "FALSE") => "false",
        ("com.google.gson.FieldNamingPolicy", name) => name,
        _ => return None,
    };
    Some(Value::Scalar(Scalar::Enum(ClassRef::library(fqn), text.into())))
}
