//! Abstract stores: repositories over the initial rows and the rows that a path writes.
//!
//! Comes in: initial rows, and calls on repositories, entity managers and templates. Goes out: results, and the rows
//! after a path. Never here: a connection to a database.
//!
//! A row is an object of its entity's class, created when its table is first accessed; a path sees its own writes.
//! Generated keys are named unknown values that equal only themselves. Everything else (native queries, outside
//! databases) is unknown.

pub mod answers;

pub mod criteria;
pub mod data;
pub mod derived;
pub mod documents;
pub mod dsl;
pub mod jpql;
pub mod keys;
pub mod manager;
pub mod merging;
pub mod panache;
pub mod queries;
pub mod query_form;
pub mod querydsl;
pub mod refusals;
pub mod removals;
pub mod repository;
pub mod rows;
pub mod seeded;
pub mod sessions;
pub mod sql;
pub mod state;
pub mod words;
pub mod writes;
pub mod written;
