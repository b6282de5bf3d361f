//! Models of what frameworks bring beside requests and responses.

pub mod aspects;
pub mod mappers;
pub mod security;
