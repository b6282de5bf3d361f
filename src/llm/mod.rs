//! Chat models: one question in, one value out that fits its schema, whatever the endpoint makes of it.
//!
//! [`Models::ask`] takes secrets out of the question, looks whether its reply is there already, waits for its turn, holds the cost against the
//! ceilings, sends it, keeps the reply on disk, and only then reads it:
//!
//! - `redact` takes out what is secret, before anything else;
//! - `kept` keeps replies, in the cache and as a cassette;
//! - `endpoint` sends one request in the form that the endpoint has, tries again where that helps, at its `pace`; `http` is the gateway;
//! - `ledger` holds ceilings and counts;
//! - `reading` finds the JSON in a reply (`lenient` reads what is nearly JSON, `coerce` fits scalars to the schema), `schema` says what is wrong.

mod ask;
mod coerce;
mod cut;
mod endpoint;
mod http;
mod kept;
mod ledger;
mod lenient;
mod models;
mod pace;
mod reading;
pub mod redact;
mod retry;
mod schema;
mod wire;

pub use ask::{Answer, Ask, AskError, Check, Estimate, Limits, ModelsError, ModelsOptions, Parsed, Schema};
pub use ledger::Spent;
pub use models::Models;
pub use redact::Redactor;
pub use retry::Retries;
