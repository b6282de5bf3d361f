//! The OpenAPI document, versions 2.0 to 3.1 in JSON or YAML, read leniently: a minor defect becomes a warning, and
//! only a document that is unusable as a whole is an error.
//!
//! Comes in: the files of a document. Goes out: operations, schemas, places and warnings; edits of its text. Never
//! here: reading Java.
//!
//! Schemas stay raw values and are read through [`Document::resolve`]. Every part keeps its [`DocumentLocation`] (file
//! and JSON pointer), so that it can be cited.

pub mod discover;
pub mod document;
pub mod edit;
pub mod error;
pub mod files;
mod format;
mod lint;
mod media;
mod operations;
pub mod part;
pub mod paths;
mod payloads;
pub mod place;
mod read;
mod reader;
mod refs;
pub mod schema;
pub mod version;
mod view;
mod walk;
pub mod write;

#[cfg(test)]
mod tests;

pub use discover::{Candidate, discover};
pub use document::{
    Document, Header, In, MediaType, Operation, Parameter, RequestBody, Response, Security, SecurityFrom,
    SecurityScheme, SecuritySchemeKind, Status,
};
pub use error::OpenApiError;
pub use files::{Files, MemoryFiles};
pub use part::{operation_part, operation_part_hash, operation_promise_hash, referenced, schemas_used};
pub use paths::{join_path, template_key};
pub use place::{DocumentLocation, SchemaRef, unescape};
pub use read::read;
pub use schema::{Additional, Bound, JsonType, Schema};
pub use version::SpecVersion;
