//! The suite on a service: every oracle comes to the verdict that it must come to, whatever the service does.

mod command;
mod logins;
mod project;
mod unruly;
mod verdicts;
