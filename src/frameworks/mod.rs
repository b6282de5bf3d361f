//! What each framework adds to the language: routes and parameter bindings, middleware around handlers, injected beans.
//!
//! A framework is one folder with a record of how it handles requests, declared here and registered once in
//! `registry.rs`. The smallest example is a made-up framework in `tests/it/made_up.rs`; the smallest real one is
//! `jdk_http_server`. Exceptions of a framework that project code creates are models of library types.

pub mod advice;
pub mod annotations;
pub mod applications;
pub mod build;
pub mod configured;
pub mod constraints;
pub mod context;
pub mod contract_first;
pub mod endpoint;
pub mod expressions;
pub mod inheritance;
pub mod jax_rs;
pub mod jdk_http_server;
pub mod launch;
pub mod mapstruct;
pub mod micronaut;
pub mod modules;
pub mod openapi_driven;
pub mod paths;
pub mod persistence;
pub mod properties;
pub mod provided;
pub mod record;
pub mod registry;
pub mod remarks;
pub mod resources;
pub mod routing;
pub mod seeds;
pub mod servlet;
pub mod spring;
pub mod sql;
pub mod stereotypes;
pub mod versions;
pub mod xml;

pub use build::Build;
pub use endpoint::{BoundParam, Endpoint, Location, Returns, UNKNOWN_MEDIA};
pub use properties::Properties;
pub use record::{Framework, Record};
pub use registry::{FRAMEWORKS, MAKERS, Registration, brought, endpoints, exceptions};
pub use resources::Resources;
pub use routing::{EntryPattern, Inputs, Routes};
