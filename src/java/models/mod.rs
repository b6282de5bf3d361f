//! Library types that are modelled by Java sources, one a type: each says in our own words what the documentation of the type says, and the
//! interpreter runs it. In comes the full name of a library type, out go its facts and bodies; the project's own code never sees them as its own.

pub mod registry;
pub mod sources;
