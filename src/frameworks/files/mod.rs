//! Files beside the Java sources that frameworks read: build files, properties, XML and other resources.
//!
//! Input: the tree of a revision. Output: build files, modules, properties with profiles, versions, and XML as trees.
//! No build tool is run here.

pub mod applications;
pub mod build;
pub mod modules;
pub mod properties;
pub mod resources;
pub mod versions;
pub mod xml;
