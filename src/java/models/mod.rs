//! Library types modelled in Java, one source file per type. Each model implements the type's documentation in our
//! own words, and the interpreter runs it. Lookups by the full name of a library type give its facts and bodies;
//! models are never part of the project's own code.

pub mod registry;
pub mod sources;
