//! Tests for the project made from slices: one class for each operation with JUnit, Mockito and `MockMvc`, to be moved
//! into `src/test/java`.
//!
//! Comes in: the harness's recording of each oracle that held in a slice (stub values as Java expressions, the beans
//! behind the handler), and the answers seen. Goes out: the source of test classes in the layout of google-java-format.
//! Never here: building or running anything.

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
