//! MapStruct: implementations of annotated mappers, which the build generates and which are not in the repository.
//!
//! Comes in: a project with its mappers. Goes out: their implementations as Java source, and warnings about those that
//! are not followed. Never here: running an annotation processor.

pub mod beans;
pub mod conversions;
pub mod made;
pub mod mapper;
pub mod mappings;
pub mod methods;
pub mod values;
pub mod writer;
pub mod writing;
