//! Exports: the suite in forms that run or read without `mastor`.
//!
//! Comes in: the suite of a service, with how its application starts and its users log in. Goes out: files, and a list
//! of what a form cannot carry. Never here: a request that another form would send differently.

pub(super) mod binds;
pub mod exported;
pub mod html;
pub mod in_jvm;
pub mod junit;
mod junit_size;
mod names;
pub mod openapi;
pub mod postman;
mod postman_item;
mod postman_script;
mod postman_users;
pub mod readable;
pub mod slice_tests;
