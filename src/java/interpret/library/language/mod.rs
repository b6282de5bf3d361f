//! Types close to the language: objects, classes, enums, exceptions and atomic variables.
//!
//! Comes in: calls on any object. Goes out: names, equality, constants and related data. Never here: types that the
//! project declares.

pub mod atomics;
pub mod classes;
pub mod enums;
pub mod lombok;
pub mod objects;
pub mod throwables;
