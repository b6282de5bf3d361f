//! Models JPA's `EntityManager`, Querydsl queries and those of Panache, on the stores that repositories use.

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::settle;
use crate::interpret::stores::{documents, manager, panache, querydsl, sql};
use crate::interpret::values::value::Value;

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if let Some(answer) = sql::calls::call(machine, call) {
        return Some(answer);
    }
    if let Some(answer) = documents::call(machine, call) {
        return Some(settle(machine, call, answer));
    }
    if let Some(answer) = panache::call(machine, call) {
        return Some(settle(machine, call, answer));
    }
    let answer = match manager::jpa_name(call.fqn) {
        Some(name) => manager::call(machine, name, call)?,
        None => querydsl::call(machine, call)?,
    };
    Some(settle(machine, call, answer))
}

/// A constant of a query class that the build generates.
pub fn constant(machine: &mut Machine<'_>, fqn: &str, name: &str) -> Option<Value> {
    documents::filters_made::constant(fqn, name).or_else(|| querydsl::constant(machine, fqn, name))
}

/// A field of an object of a generated query class.
pub fn field(machine: &mut Machine<'_>, object: &Value, name: &str) -> Option<Value> {
    querydsl::field(machine, object, name)
}
