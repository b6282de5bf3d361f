//! Slices as tests of the project's own: one class an operation, with JUnit, Mockito and `MockMvc`, to be moved into `src/test/java`.
//!
//! In comes what the harness recorded of each oracle that held in a slice (what stubs gave, as Java that makes it; the beans behind the handler) with
//! the answer that was seen; out go the texts of classes, laid out by the rules of google-java-format. Nothing is built or run here.

mod checks;
mod class;
mod kit;
mod layout;
mod names;
mod recorded;
mod request;
mod titles;
mod wiring;

pub use class::{SliceTest, TestClass, classes};
pub use kit::Kit;
pub use recorded::Recorded;
