//! Launch: how the build files and main classes of a repository say that its service is built and started; nothing is executed.
//!
//! [`mains`] finds the classes that start something and how they take a port, [`maven`] and [`gradle`] what the build makes of their module.
//! [`launches()`] joins both, the likeliest first.

pub mod gradle;
pub mod launches;
pub mod made;
pub mod mains;
pub mod maven;
pub mod profiles;

pub use launches::{Launch, launches};
