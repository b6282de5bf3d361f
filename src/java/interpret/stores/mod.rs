//! Abstract stores: repositories over rows that are there when the service starts, and over those that a path writes.
//!
//! A row is an object of its entity's class, made when its table is first asked for; a path sees what it wrote itself. Keys that a store
//! makes are unknown values with a name, equal to themselves alone. What is not known (native queries, an outside database) stays unknown.

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
