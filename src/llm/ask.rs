//! What is asked of a model and what comes back: the questions, answers and errors of this room.

use std::path::PathBuf;

use serde_json::Value;

use super::retry::Retries;
use crate::types::Hash;
use crate::types::model::{Role, Usage};

/// One question to a model.
#[derive(Debug, Clone)]
pub struct Ask {
    /// Name of the agent, such as `SourceExtractionAgent`.
    pub agent: &'static str,
    /// What it is about, for the ledger and messages: an operation, or `all operations`.
    pub subject: String,
    /// Who is asked.
    pub role: Role,
    /// What the model is.
    pub system: String,
    /// The question.
    pub user: String,
    /// What the reply has to be.
    pub schema: Schema,
    /// Most tokens of the reply; the model's own limit for none.
    pub max_output: Option<u64>,
}

/// What a reply has to be.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    /// Its name: letters, digits, `_` and `-`.
    pub name: &'static str,
    /// JSON Schema 2020-12: what is asked for.
    pub json: Value,
    /// What is taken, where that is more: one wrong word in a list must not cost the whole reply.
    pub takes: Option<Value>,
}

impl Schema {
    /// What a reply is held against.
    pub fn taken(&self) -> &Value {
        self.takes.as_ref().unwrap_or(&self.json)
    }
}

/// Looks at a value that fits the schema; the error is shown to the model, so it says what to do better.
pub type Check<'a> = &'a (dyn Fn(&Value) -> Result<(), String> + Sync);

/// How a reply could be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Parsed {
    /// It was JSON that fits.
    AtOnce,
    /// JSON had to be found in it, or put right.
    Repaired,
    /// Only the reply to the error did.
    ReAsked,
}

/// An answer that fits the schema and the check.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The value.
    pub value: Value,
    /// How it could be read.
    pub parsed: Parsed,
    /// The model's name in the settings.
    pub model: String,
    /// Hash of what was asked: model, system, user and schema.
    pub prompt: Hash,
    /// What its replies cost when they were made, those that could not be read too.
    pub usage: Usage,
    /// Whether all of its replies were there already: from the cache or a cassette.
    pub kept: bool,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AskError {
    /// A ceiling of money or tokens has no room for it.
    #[error("the budget is spent: {0}")]
    Budget(String),
    /// The settings or the endpoint: nothing can be asked any more.
    #[error("the model is not available: {0}")]
    Unavailable(String),
    /// The endpoint: this one got no reply; others may.
    #[error("no reply: {0}")]
    Failed(String),
    /// It does not fit beside the reply.
    #[error("the prompt has about {tokens} tokens, more than fit a context of {context}")]
    TooLarge {
        /// Its tokens, estimated.
        tokens: u64,
        /// Those of the context.
        context: u64,
    },
    /// The model: it will not answer this.
    #[error("the model refused: {0}")]
    Refused(String),
    /// The reply does not fit its limit.
    #[error("the reply was cut at its limit")]
    Cut,
    /// The model: it said nothing, twice.
    #[error("the reply was empty")]
    Empty,
    /// The model: what it said is not what was asked, not even when that was shown to it.
    #[error("the reply is not what was asked: {0}")]
    NotAsAsked(String),
    /// The run is being ended.
    #[error("cancelled")]
    Cancelled,
    /// The cassette does not hold this exchange.
    #[error("not recorded: {0}")]
    Unrecorded(String),
}

impl AskError {
    /// Whether it ends the work of models in this run, and not this question alone.
    pub fn is_for_good(&self) -> bool {
        matches!(self, Self::Budget(_) | Self::Unavailable(_) | Self::Cancelled)
    }
}

/// What a question would cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Tokens of its prompt.
    pub tokens: u64,
    /// Cost of the prompt, and of a reply of a quarter of its limit; none where the price is unknown.
    pub usd: Option<f64>,
    /// Whether its reply is there already: it would be neither sent nor paid.
    pub kept: bool,
}

/// Ceilings of one run.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Limits {
    /// Money, in USD.
    pub max_usd: Option<f64>,
    /// Tokens of prompts and replies.
    pub max_tokens: Option<u64>,
}

/// How models are used in one run.
#[derive(Debug, Clone, Default)]
pub struct ModelsOptions {
    /// The folder of the cache; replies are its kind `replies`. An empty path: none.
    pub cache: PathBuf,
    /// Where each exchange is kept as a readable file.
    pub record: Option<PathBuf>,
    /// Where replies come from, instead of a model.
    pub replay: Option<PathBuf>,
    /// Ceilings.
    pub limits: Limits,
    /// How often and how soon a request is tried again.
    pub retries: Retries,
}

/// Why no model can be asked. All of these are the settings' or the machine's fault.
#[derive(Debug, thiserror::Error)]
pub enum ModelsError {
    /// The key is not there.
    #[error("[model.{role}] key-env names `{name}`, which is not set")]
    NoKey {
        /// Whose.
        role: &'static str,
        /// The variable.
        name: String,
    },
    /// A header cannot be sent.
    #[error("[model.{role}] headers: `{name}` cannot be sent: {why}")]
    Header {
        /// Whose.
        role: &'static str,
        /// The header.
        name: String,
        /// What is wrong with it.
        why: String,
    },
    /// There can be no client.
    #[error("[model.{role}] base-url `{url}`: {why}")]
    Client {
        /// Whose.
        role: &'static str,
        /// Where it should go.
        url: String,
        /// What is wrong.
        why: String,
    },
    /// The folder of `--record` or `--replay`.
    #[error("{0}")]
    Cassette(String),
}
