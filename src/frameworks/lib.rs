//! Frameworks: the routes, parameter bindings, middleware and injected beans that each framework adds to plain Java.
//!
//! Comes in: a project with its files. Goes out: routes, records, exception rules, the global context, generated
//! sources and launches. Never here: running a request.
//!
//! A framework is one folder with a record of how it handles requests, declared here and registered once in
//! `registry.rs`. The smallest example is a made-up framework in `tests/it/made_up.rs`. Of the real ones, `servlet` is
//! a small one whose answers are all doubtful, and `micronaut` a small one that is modelled. Exceptions of a framework
//! that project code creates are models of library types.

pub mod advice;
pub mod code;
pub mod configured;
pub mod context;
pub mod contract_first;
pub mod endpoint;
pub mod files;
pub mod jax_rs;
pub mod jdk_http_server;
pub mod launch;
pub mod mapstruct;
pub mod micronaut;
pub mod openapi_driven;
pub mod paths;
pub mod persistence;
pub mod provided;
pub mod quarkus;
pub mod record;
pub mod registry;
pub mod routing;
pub mod seeds;
pub mod servlet;
pub mod spring;
pub mod sql;

pub use endpoint::{BoundParam, Endpoint, Location, Returns, UNKNOWN_MEDIA};
pub use files::build::Build;
pub use files::properties::Properties;
pub use files::resources::Resources;
pub use record::{Framework, Record};
pub use registry::{FRAMEWORKS, MAKERS, Registration, brought, endpoints, exceptions};
pub use routing::{EntryPattern, Inputs, Routes};
