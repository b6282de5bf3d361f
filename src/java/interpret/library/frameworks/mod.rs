//! Models of framework classes other than requests and responses.
//!
//! Comes in: calls of their methods. Goes out: results and effects that the documentation states. Never here: routing,
//! binding, or the answer to a request.

pub mod annotated;
pub mod aspects;
pub mod commons_texts;
pub mod constraint_context;
pub mod container;
pub mod emails;
pub mod environment;
pub mod hateoas;
pub mod inflector;
pub mod jdk_server;
pub mod mappers;
pub mod media_types;
pub mod messages;
pub mod micronaut;
pub mod mutiny;
pub mod named_headers;
pub mod pages;
pub mod persistence;
pub mod property_order;
pub mod reactive;
pub mod rest_response;
pub mod router_functions;
pub mod security;
pub mod sorts;
pub mod spring_data;
pub mod validation_errors;
