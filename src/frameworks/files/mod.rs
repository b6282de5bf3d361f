//! Files beside the Java sources that frameworks read: build files, properties, XML and other resources.
//!
//! Comes in: the tree of a revision. Goes out: build files, modules, properties with profiles, versions, and XML as
//! trees. Never here: running a build tool.

pub mod applications;
pub mod build;
pub mod modules;
pub mod properties;
pub mod resources;
pub mod validators;
pub mod versions;
pub mod xml;
