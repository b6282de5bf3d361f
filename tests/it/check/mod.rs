//! Running the suite on a service: every oracle gets the right verdict, whatever the service does.

mod command;
mod logins;
pub mod project;
pub mod unruly;
mod verdicts;
