//! The build: modules of a repository and the folders of their sources, read without running a build tool.
//!
//! Comes in: build files and paths. Goes out: modules with their dependencies, and whether a file is a main source, a
//! test or build output. Never here: the text of a source file.

mod build_files;
pub mod build_kind;
pub mod layout;
pub mod origin;
