//! MongoDB documents: repositories, templates and driver collections, on the same stores as repositories of rows.
//!
//! Comes in: calls on repositories, templates and collections. Goes out: documents, results, and changes of the stores.
//! Never here: a connection to a database.
//!
//! The initial documents are unknown, so a path finds only those that it wrote; after it removed all documents, all
//! are known. Any other call to the database may change every document.

pub mod collections;
pub mod driver;
pub mod filters;
pub mod filters_made;
pub mod kept;
pub mod object_ids;
pub mod pojos;
pub mod queries;
pub mod repositories;
pub mod results;
pub mod template;
pub mod updates;

use crate::interpret::engine::machine::Machine;
use crate::interpret::library::LibraryCall;
use crate::interpret::library::base::support::Answer;

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    if !["org.bson.", "com.mongodb.", "org.springframework.data.mongodb."].iter().any(|own| call.fqn.starts_with(own)) {
        return None;
    }
    object_ids::call(machine, call)
        .or_else(|| queries::call(machine, call))
        .or_else(|| filters_made::call(machine, call))
        .or_else(|| updates::call(machine, call))
        .or_else(|| results::call(machine, call))
        .or_else(|| template::call(machine, call))
        .or_else(|| driver::call(machine, call))
        .or_else(|| other(machine, call))
}

/// Classes through which any command can reach the database.
const REACHING: &[&str] = &[
    "MongoTemplate",
    "MongoOperations",
    "MongoClient",
    "MongoDatabase",
    "MongoCollection",
    "MongoDatabaseFactory",
    "MongoDbFactory",
    "BulkOperations",
    "ClientSession",
    "DB",
    "DBCollection",
];

/// Handles a call that is not modelled: it may change every document.
fn other(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    call.receiver?;
    let simple = call.fqn.rsplit('.').next().unwrap_or(call.fqn);
    if REACHING.contains(&simple) || call.fqn.contains(".Executable") || call.fqn.contains("Operation") {
        machine.forget_documents("something is said to the database that is not followed");
    }
    None
}
