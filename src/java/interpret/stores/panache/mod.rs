//! Panache over Hibernate ORM: entities and repositories whose methods ask and change the rows of one entity (Quarkus
//! guides, "Simplified Hibernate ORM with Panache").
//!
//! Not followed: updates by a query, named queries, projections, filters and locks.

mod asked;
mod common;
mod query;

use crate::interpret::engine::machine::Machine;
use crate::interpret::library::LibraryCall;
use crate::interpret::library::base::support::Answer;
use crate::interpret::values::value::Value;

/// The base class of entities, whose constructor does nothing.
pub const BASE: &str = "io.quarkus.hibernate.orm.panache.PanacheEntityBase";

/// Models a library call: on a query, or on what describes an order, parameters or a page.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    match call.fqn {
        query::FQN => machine.panache_query(call),
        BASE if (call.name, call.args.len()) == ("<init>", 0) => Some(Ok(Value::NULL)),
        _ => common::call(machine, call),
    }
}
