//! Launch: how the build files and main classes of a repository say that its service is built and started; nothing is executed.
//!
//! [`mains`] finds the classes that start something and how they take a port, [`maven`] and [`gradle`] what the build makes of their module,
//! [`needs`] what it asks for that its repository does not hold. [`launches()`] joins them, the likeliest first.

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
