//! Assumptions: what must be so for an expectation to count, and what a model says of it.

use serde::{Deserialize, Serialize};

use super::evidence::EvidenceId;
use crate::hash::Hash;

/// What must be so for an expectation to count, and what the code that was followed does not say: `JwtFilter` passes
/// the request on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Assumption {
    /// Eight hexadecimal digits over what is assumed, and of which code: the same for all oracles under it.
    pub id: String,
    /// In words.
    pub what: String,
    /// The code that it is about.
    pub evidence: EvidenceId,
    /// What a model says of it, where one was asked. It stays an assumption.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opinion: Option<Opinion>,
}

/// What a model says of an assumption.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Opinion {
    /// The model's name.
    pub model: String,
    /// Whether the assumption holds.
    pub holds: bool,
    /// Which code says so, in one sentence.
    pub why: String,
}

impl Assumption {
    /// An assumption about the code that `evidence` cites.
    pub fn of(what: String, evidence: EvidenceId) -> Self {
        let id = Hash::of_parts([what.as_bytes(), evidence.as_str().as_bytes()]).short(8);
        Self { id, what, evidence, opinion: None }
    }

    /// The assumption in words, with what a model says of it.
    pub fn words(&self) -> String {
        let Self { what, opinion, .. } = self;
        let Some(Opinion { model, holds, why }) = opinion else { return what.clone() };
        let verdict = if *holds { "it is so" } else { "it is not so" };
        let why = if why.is_empty() { String::new() } else { format!(": {why}") };
        format!("{what} ({model} reads that {verdict}{why})")
    }
}
