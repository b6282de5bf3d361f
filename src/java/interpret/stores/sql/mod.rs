//! SQL passed to templates: simple statements on the tables that scripts fill, through `JdbcTemplate` and related
//! classes.

pub mod calls;
mod mappers;
mod params;
mod rows;
mod run;
pub mod statement;
