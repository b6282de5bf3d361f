//! Questions to a model, its answers, and the errors that replace an answer.

use std::path::PathBuf;

use serde_json::Value;

use super::retry::Retries;
use mastor_types::Hash;
use mastor_types::model::{Role, Usage};

/// One question to a model.
#[derive(Debug, Clone)]
pub struct Ask {
    /// Name of the agent, such as `SourceExtractionAgent`.
    pub agent: &'static str,
    /// The subject, for the ledger and messages: an operation, or `all operations`.
    pub subject: String,
    /// The model to ask.
    pub role: Role,
    /// The system prompt.
    pub system: String,
    /// The user prompt.
    pub user: String,
    /// The schema of the reply.
    pub schema: Schema,
    /// Maximum tokens of the reply; `None` for the model's own limit.
    pub max_output: Option<u64>,
}

/// The required form of a reply.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    /// Name of the schema: letters, digits, `_` and `-`.
    pub name: &'static str,
    /// JSON Schema 2020-12 that is sent to the model.
    pub json: Value,
    /// A wider schema that replies are validated against, if any, so that one wrong word in a list does not reject the
    /// whole reply.
    pub takes: Option<Value>,
}

impl Schema {
    /// The schema that replies are validated against.
    pub fn taken(&self) -> &Value {
        self.takes.as_ref().unwrap_or(&self.json)
    }
}

/// An additional check of a value that fits the schema. Its error is sent to the model, so it must say how to correct
/// the value.
pub type Check<'a> = &'a (dyn Fn(&Value) -> Result<(), String> + Sync);

/// How a reply was parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Parsed {
    /// The reply was JSON that fits the schema.
    AtOnce,
    /// JSON was extracted from the reply, or repaired.
    Repaired,
    /// The first reply failed; the reply to the error message succeeded.
    ReAsked,
}

/// A value that fits the schema and passes the check.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The value.
    pub value: Value,
    /// How the reply was parsed.
    pub parsed: Parsed,
    /// The model's name in the settings.
    pub model: String,
    /// Hash of model, prompts and schema.
    pub prompt: Hash,
    /// Usage of all its replies when they were made, including those that could not be parsed.
    pub usage: Usage,
    /// Whether all replies came from the cache or a cassette.
    pub kept: bool,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AskError {
    /// The budget of money or tokens does not allow the call.
    #[error("the budget is spent: {0}")]
    Budget(String),
    /// The settings or the endpoint are at fault; no further question can be answered.
    #[error("the model is not available: {0}")]
    Unavailable(String),
    /// The endpoint gave no reply to this question; others may succeed.
    #[error("no reply: {0}")]
    Failed(String),
    /// The prompt and the longest reply do not fit into the context.
    #[error("the prompt has about {tokens} tokens, more than fit a context of {context}")]
    TooLarge {
        /// Estimated tokens of the prompt.
        tokens: u64,
        /// Size of the context in tokens.
        context: u64,
    },
    /// The model or its provider refused to answer.
    #[error("the model refused: {0}")]
    Refused(String),
    /// The reply was cut at the token limit.
    #[error("the reply was cut at its limit")]
    Cut,
    /// The model returned empty replies twice.
    #[error("the reply was empty")]
    Empty,
    /// The reply does not fit the schema or the check, even after the error was sent to the model.
    #[error("the reply is not what was asked: {0}")]
    NotAsAsked(String),
    /// The run was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The cassette has no reply to this request.
    #[error("not recorded: {0}")]
    Unrecorded(String),
}

impl AskError {
    /// Whether no further question can be answered in this run.
    pub fn is_for_good(&self) -> bool {
        matches!(self, Self::Budget(_) | Self::Unavailable(_) | Self::Cancelled)
    }
}

/// The estimated cost of a question.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Tokens of the prompt.
    pub tokens: u64,
    /// Cost of the prompt and of a reply of a quarter of the limit; `None` where the price is unknown.
    pub usd: Option<f64>,
    /// Whether the reply is already stored, so that nothing would be sent or paid.
    pub kept: bool,
}

/// The budget of one run.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Limits {
    /// Maximum cost in USD.
    pub max_usd: Option<f64>,
    /// Maximum tokens of prompts and replies.
    pub max_tokens: Option<u64>,
}

/// Options for using models in one run.
#[derive(Debug, Clone, Default)]
pub struct ModelsOptions {
    /// Folder of the cache, which stores replies under the kind `replies`. An empty path disables it.
    pub cache: PathBuf,
    /// Folder to record each exchange in, as a readable file.
    pub record: Option<PathBuf>,
    /// Folder to replay recorded replies from, instead of asking a model.
    pub replay: Option<PathBuf>,
    /// The budget.
    pub limits: Limits,
    /// Retry settings.
    pub retries: Retries,
}

/// Why the models cannot be used. The settings or the machine are at fault.
#[derive(Debug, thiserror::Error)]
pub enum ModelsError {
    /// The variable with the API key is not set.
    #[error("[model.{role}] key-env names `{name}`, which is not set")]
    NoKey {
        /// Role of the model.
        role: &'static str,
        /// Name of the variable.
        name: String,
    },
    /// A configured header is invalid.
    #[error("[model.{role}] headers: `{name}` cannot be sent: {why}")]
    Header {
        /// Role of the model.
        role: &'static str,
        /// Name of the header.
        name: String,
        /// What is invalid.
        why: String,
    },
    /// The HTTP client cannot be created.
    #[error("[model.{role}] base-url `{url}`: {why}")]
    Client {
        /// Role of the model.
        role: &'static str,
        /// URL of the endpoint.
        url: String,
        /// The reason.
        why: String,
    },
    /// The folder of `--record` or `--replay` cannot be used.
    #[error("{0}")]
    Cassette(String),
}
