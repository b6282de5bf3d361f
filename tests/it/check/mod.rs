//! The suite on a service: every oracle comes to the verdict that it must come to, whatever the service does.

mod command;
mod logins;
pub mod project;
pub mod unruly;
mod verdicts;
