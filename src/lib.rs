//! `mastor` keeps semantic test oracles of a Java REST API in step with its code, and reports on every pull request
//! which operations change their answers.
//!
//! Each room below is a package of its own, in the folder of its name; the commands and the pipeline are this one.

pub mod cli;
pub mod commands;
pub mod pipeline;

pub use mastor_agents as agents;
pub use mastor_config as config;
pub use mastor_derive as derive;
pub use mastor_env as env;
pub use mastor_extract as extract;
pub use mastor_frameworks as frameworks;
pub use mastor_java as java;
pub use mastor_llm as llm;
pub use mastor_normalise as normalise;
pub use mastor_openapi as openapi;
pub use mastor_probe as probe;
pub use mastor_publish as publish;
pub use mastor_revision as revision;
pub use mastor_runtime as runtime;
pub use mastor_spawn as spawn;
pub use mastor_sql as sql;
pub use mastor_store as store;
pub use mastor_strength as strength;
pub use mastor_suite as suite;
pub use mastor_template as template;
pub use mastor_types as types;
