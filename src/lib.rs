//! `mastor` keeps semantic test oracles of a Java REST API in step with its code, and reports on every pull request
//! which operations change their answers.

pub mod agents;
pub mod cli;
pub mod commands;
pub mod config;
pub mod derive;
pub mod env;
pub mod error;
pub mod event;
pub mod extract;
pub mod frameworks;
pub mod java;
pub mod llm;
pub mod normalise;
pub mod openapi;
pub mod pipeline;
pub mod probe;
pub mod publish;
pub mod revision;
pub mod runtime;
pub mod spawn;
pub mod sql;
pub mod store;
pub mod strength;
pub mod suite;
pub mod template;
pub mod types;
