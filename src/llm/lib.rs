//! Chat models: asks a question and returns a value that fits its schema, from any OpenAI-compatible endpoint.
//!
//! Comes in: a question with a schema. Goes out: one value that fits it, or why there is none. Never here: the prompts
//! of agents, or sending a text that was not redacted.
//!
//! [`Models::ask`] redacts the question, looks for a stored reply, waits for a free slot, checks the budget, sends the
//! request, stores the reply, and then parses it:
//!
//! - `redact` removes secrets first of all;
//! - `kept` stores replies, in the cache and in a cassette;
//! - `endpoint` sends requests in the form that the endpoint accepts, with retries, within the limits of `pace`; `http`
//!   is the gateway;
//! - `ledger` counts usage and enforces the budget;
//! - `reading` extracts the JSON from a reply (`lenient` parses near-JSON, `coerce` converts scalars to the schema's
//!   types), `schema` validates it.

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
