//! SQL passed to templates: simple statements on the tables that scripts fill, through `JdbcTemplate` and related
//! classes.
//!
//! Comes in: statements with their parameters. Goes out: rows as objects, counts, and changed rows. Never here: a
//! statement over several tables.

pub mod calls;
mod mappers;
mod params;
mod rows;
mod run;
pub mod statement;
