//! The tables `[model.…]` and `[redact]` of `mastor.toml`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::within::Within;
use mastor_types::model::Price;

/// `[model]`
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Model {
    /// The model that extracts and writes; without it the rules engine works alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub primary: Option<ModelTable>,
    /// The model that reviews; the primary one when left out. What it leaves out is as the primary has it, where both have one endpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub challenger: Option<ModelTable>,
}

/// `[model.primary]` and `[model.challenger]`
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct ModelTable {
    /// Where an interface like OpenAI's begins, such as `http://127.0.0.1:11434/v1`: `/chat/completions` is added.
    pub base_url: Option<String>,
    /// Name of the model there.
    pub model: Option<String>,
    /// Name of the environment variable that holds the key; left out where none is needed.
    pub key_env: Option<String>,
    /// Price in USD per million tokens; without it a limit of money cannot be kept.
    pub price: Option<Price>,
    /// Further headers of each request.
    pub headers: Option<BTreeMap<String, String>>,
    /// Tokens that prompt and reply may have together.
    pub context: Option<u64>,
    /// Most tokens of one reply.
    pub max_output: Option<u64>,
    /// Most calls at the same time.
    pub concurrency: Option<usize>,
    /// Most calls within any minute.
    pub requests_per_minute: Option<u32>,
    /// Most tokens within any minute.
    pub tokens_per_minute: Option<u64>,
    /// Time limit of one call.
    pub within: Option<Within>,
}

/// `[redact]`
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Redact {
    /// Files that never leave, as globs from the repository's root.
    pub never_send: Vec<String>,
    /// Regular expressions of further secrets; where one has groups, what the first of them takes in is the secret.
    pub patterns: Vec<String>,
}
