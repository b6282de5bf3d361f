//! Settings of chat models, and the cost of their use.

use std::collections::BTreeMap;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The two roles that models play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Extracts and writes.
    Primary,
    /// Reviews; the primary where no other is configured.
    Challenger,
}

/// Which engine makes oracles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum EngineName {
    /// Static analysis alone.
    Rules,
    /// The agents alone.
    Agents,
    /// Rules first; the agents add what rules cannot see.
    Hybrid,
    /// One prompt an operation: the paper's baseline.
    Direct,
}

impl EngineName {
    /// The name in files and flags.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Agents => "agents",
            Self::Hybrid => "hybrid",
            Self::Direct => "direct",
        }
    }
}

/// One model at one endpoint.
#[derive(Clone, PartialEq)]
pub struct ModelSettings {
    /// Base URL of the API, such as `https://…/v1`, without a trailing slash.
    pub base_url: String,
    /// Name of the model at that endpoint.
    pub model: String,
    /// Environment variable that holds the API key; `None` where no key is needed.
    pub key_env: Option<String>,
    /// Additional headers of each request; their values are never shown.
    pub headers: BTreeMap<String, String>,
    /// Token prices, where known.
    pub price: Option<Price>,
    /// Context size: tokens of prompt and reply together.
    pub context: u64,
    /// Maximum tokens of one reply.
    pub max_output: u64,
    /// Maximum concurrent calls.
    pub concurrency: usize,
    /// Maximum calls per minute.
    pub requests_per_minute: Option<u32>,
    /// Maximum tokens per minute, prompts and replies together.
    pub tokens_per_minute: Option<u64>,
    /// Time limit of one call.
    pub within: Duration,
}

impl std::fmt::Debug for ModelSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A header value may be a key.
        write!(f, "{} at {} with headers {:?}", self.model, self.base_url, self.headers.keys())
    }
}

/// What a million tokens cost, in USD.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Price {
    /// Of prompts.
    pub input: f64,
    /// Of the parts of prompts that the provider had cached.
    pub cached: f64,
    /// Of replies.
    pub output: f64,
}

/// The models in force.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelsSettings {
    /// The primary model.
    pub primary: ModelSettings,
    /// The challenger; `None` means the primary model reviews too.
    pub challenger: Option<ModelSettings>,
}

/// What models were used for: every number adds up.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Usage {
    /// Requests that were sent, tried again or not.
    pub calls: u64,
    /// Tokens of prompts, cached ones too.
    pub input_tokens: u64,
    /// Those of them that the provider had cached.
    pub cached_tokens: u64,
    /// Tokens of replies.
    pub output_tokens: u64,
    /// Cost in USD; absent where a price is unknown.
    pub usd: Option<f64>,
    /// Seconds from sending to the last byte, added up over all calls.
    pub seconds: f64,
}

impl Usage {
    /// Tokens of prompts and replies together.
    pub fn tokens(&self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }

    /// The sum of both. The cost of the sum is known only where the cost of each part that made calls is known.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let usd = match (self.usd, other.usd) {
            (Some(a), Some(b)) => Some(a + b),
            (None, b) if self.calls == 0 && self.tokens() == 0 => b,
            (a, None) if other.calls == 0 && other.tokens() == 0 => a,
            _ => None,
        };
        Self {
            calls: self.calls + other.calls,
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            cached_tokens: self.cached_tokens.saturating_add(other.cached_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
            usd,
            seconds: self.seconds + other.seconds,
        }
    }
}

impl Price {
    /// The price of these tokens in USD.
    pub fn of(&self, input: u64, cached: u64, output: u64) -> f64 {
        let cached = cached.min(input);
        ((input - cached) as f64 * self.input + cached as f64 * self.cached + output as f64 * self.output) / 1e6
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cached_tokens_have_their_own_price_and_costs_add_up_where_they_are_known() {
        let price = Price { input: 2.0, cached: 0.5, output: 8.0 };
        assert!((price.of(1_000_000, 400_000, 100_000) - (1.2 + 0.2 + 0.8)).abs() < 1e-9);
        let known = Usage { calls: 1, input_tokens: 10, usd: Some(0.5), ..Usage::default() };
        assert_eq!(Usage::default().and(known).usd, Some(0.5));
        assert_eq!(known.and(known).usd, Some(1.0));
        assert_eq!(known.and(Usage { usd: None, ..known }).usd, None);
    }
}
