//! Chat models as the settings name them, and what their use costs: plain data.

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
    /// Where its interface begins, such as `https://…/v1`; without a slash at the end.
    pub base_url: String,
    /// Its name there.
    pub model: String,
    /// Name of the variable that holds the key; none where none is needed.
    pub key_env: Option<String>,
    /// Further headers of each request; their values are never shown.
    pub headers: BTreeMap<String, String>,
    /// What tokens cost; unknown for none.
    pub price: Option<Price>,
    /// Tokens of prompt and reply together.
    pub context: u64,
    /// Most tokens of one reply.
    pub max_output: u64,
    /// Most calls at the same time.
    pub concurrency: usize,
    /// Most calls within any minute.
    pub requests_per_minute: Option<u32>,
    /// Most tokens within any minute, of prompts and replies.
    pub tokens_per_minute: Option<u64>,
    /// Time limit of one call.
    pub within: Duration,
}

impl std::fmt::Debug for ModelSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Values of headers may be keys.
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
    /// The challenger's; the primary for none.
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
    /// Prompt and reply together.
    pub fn tokens(&self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }

    /// Both together. A cost that one side does not know is not known of both, but where that side did nothing.
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
    /// What these tokens cost in USD.
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
