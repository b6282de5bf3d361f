//! What each framework adds to the language: routes and their binding, what surrounds a handler, which bean is injected where.
//!
//! A framework is one folder that gives a record of what it decides, declared here, with one registration in `registry.rs`. The smallest one is made
//! up, in `tests/it/made_up.rs`; of the real ones `jdk_http_server`. Its exceptions, where code makes them, are models of library types like any other.

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
