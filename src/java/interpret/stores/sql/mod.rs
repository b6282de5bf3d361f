//! SQL that code hands to a template: plain statements over the tables that scripts leave, and what `JdbcTemplate` and its like make of them. The rule `jdbc`.

pub mod calls;
mod mappers;
mod params;
mod rows;
mod run;
pub mod statement;
