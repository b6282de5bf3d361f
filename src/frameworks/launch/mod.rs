//! Launch: how to build and start the service of a repository, derived from its build files and main classes.
//!
//! Comes in: build files, settings and main classes. Goes out: commands, ports and needed systems of each program, the
//! most likely first. Never here: executing anything.
//!
//! [`mains`] finds the main classes and how their ports are set, [`maven`] and [`gradle`] derive the commands for their
//! modules, and [`needs`] finds the external systems that they need. [`launches()`] joins these, the most likely launch
//! first.

pub mod actuator;
pub mod application;
mod datasource;
pub mod gradle;
pub mod launches;
pub mod made;
pub mod mains;
pub mod maven;
pub mod needs;
pub mod profiles;
pub mod store;

pub use application::Needs;
pub use launches::{Launch, Read, launches};
pub use store::Store;
