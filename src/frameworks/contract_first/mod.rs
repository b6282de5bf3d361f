//! Contract first: interfaces that the build generates from a document and that are not in the repository.
//!
//! Comes in: a project, its documents, and the settings of its generators. Goes out: routes, and the generated
//! interfaces, models and enums as Java source. Never here: running a generator.

pub mod apis;
pub mod enums;
pub mod made;
mod members;
pub mod models;
pub mod names;
pub mod routes;
pub mod style;
pub mod values;
