//! The one integration-test binary: `mod` lines only, one for each file.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod action;
mod agents;
mod audit;
mod backtest;
mod bad_input;
mod cache;
mod cached;
mod callers;
mod changes;
mod check;
mod ci;
mod command;
mod comment;
mod corpus;
mod deepen;
mod derive;
mod dispatched;
mod entity_managers;
mod exports;
mod follow;
mod framework_rules;
mod generate;
mod generated;
mod gson_beans;
mod guards;
mod hostile;
mod init;
mod inputs;
mod layers;
mod live;
mod llm;
mod loaded;
mod plan;
mod propose;
mod revision;
mod routes;
mod seen;
mod service;
mod shards;
mod since;
mod stores;
mod support;
mod tools;
mod workflows;
