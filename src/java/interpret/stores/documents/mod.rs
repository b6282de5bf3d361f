//! Documents of MongoDB: what repositories, templates and collections of the driver keep and find, in the stores that repositories use.
//!
//! Nobody knows which documents are there from the start, so that what a path finds are those that it wrote; all are known once it removed all.
//! Whatever else is said to the database may change any document.

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

use crate::java::interpret::library::LibraryCall;
use crate::java::interpret::library::support::Answer;
use crate::java::interpret::machine::Machine;

/// The models.
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

/// Classes through which anything may be said to the database.
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

/// Whatever else is said to the database, or to something that reaches it.
fn other(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    call.receiver?;
    let simple = call.fqn.rsplit('.').next().unwrap_or(call.fqn);
    if REACHING.contains(&simple) || call.fqn.contains(".Executable") || call.fqn.contains("Operation") {
        machine.forget_documents("something is said to the database that is not followed");
    }
    None
}
