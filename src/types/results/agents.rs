//! What the agents did in a run: calls, replies, oracles that the rules did not make, and dropped candidates. Part of
//! the report.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::dropped::Dropped;
use crate::model::Usage;
use crate::op_id::OpId;
use crate::suite::source_context::Entry;

/// How the replies of a run could be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Replies {
    /// Replies that could be read as they were.
    pub at_once: u64,
    /// Replies that could be read after repair.
    pub repaired: u64,
    /// Replies that were asked for again, with the error shown.
    pub re_asked: u64,
    /// Questions that got no reply that could be read.
    pub failed: u64,
}

/// An operation that the agents made nothing for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct FailedOperation {
    /// The operation.
    pub op_id: OpId,
    /// Why.
    pub why: String,
    /// Whether the rules engine did the work instead.
    pub by_rules: bool,
}

/// One call that a run would make.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PlannedCall {
    /// The agent.
    pub agent: String,
    /// The operation, or what else it is about.
    pub subject: String,
    /// The model.
    pub model: String,
    /// Tokens of its prompt, estimated.
    pub input_tokens: u64,
    /// What it would cost with a reply of common length; absent where the price is unknown.
    pub usd: Option<f64>,
    /// Whether its reply is kept from an earlier run: it would not be sent.
    pub kept: bool,
    /// Whether this is the very prompt; else earlier replies add to it.
    pub exact: bool,
}

/// The calls that a run would make, as far as they are known before it: regenerations on hints and sequences depend on replies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PlannedCalls {
    /// The engine.
    pub engine: String,
    /// The calls in order.
    pub calls: Vec<PlannedCall>,
    /// Every file of which something would be sent, sorted.
    pub files: Vec<String>,
    /// Files that would be left out because their patterns are never sent.
    pub withheld: Vec<String>,
    /// Tokens of all prompts that would be sent, estimated.
    pub input_tokens: u64,
    /// What they would cost; absent where a price is unknown.
    pub usd: Option<f64>,
    /// Bytes of all prompts.
    pub prompt_bytes: usize,
    /// Of these, bytes that an earlier prompt begins with too: what a provider's prefix cache can serve.
    pub prefix_bytes: usize,
    /// Bytes of the files of every operation's closure as they stand: what one prompt an operation of whole files would take.
    pub whole_file_bytes: usize,
}

/// An operation that a model found an entry for, where no rule did.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
pub struct NamedEntry {
    /// The operation.
    pub op_id: OpId,
    /// Its entry.
    pub entry: Entry,
}

/// What the agents of one service did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AgentsRan {
    /// The engine: `agents`, `hybrid` or `direct`.
    pub engine: String,
    /// Operations that were matched by a model, sorted.
    pub matched: Vec<NamedEntry>,
    /// Oracles that agents made and normalisation kept; in a hybrid run, those beyond the rules.
    pub oracles: usize,
    /// Of these, confirmed on the service.
    pub confirmed: usize,
    /// Sequences that agents made.
    pub sequences: usize,
    /// Associations that were found.
    pub associations: usize,
    /// Candidates and facts that contradict what is derived, and that no request showed to be right.
    pub contradicted: usize,
    /// Candidates that contradicted what was derived, and that the service or a slice showed to be right.
    #[serde(default)]
    pub overruled: usize,
    /// Derived oracles whose open values agents stated, as a request or a slice showed.
    #[serde(default)]
    pub filled: usize,
    /// What else was dropped, by reason.
    pub dropped: Vec<Dropped>,
    /// Hints of the challengers.
    pub hints: usize,
    /// Operations without oracles of the agents.
    pub failed: Vec<FailedOperation>,
    /// What failed beyond single operations.
    pub troubles: Vec<String>,
    /// Why no further call was made; absent where all were.
    pub ended: Option<String>,
    /// How replies could be read.
    pub replies: Replies,
    /// Bytes of all source contexts as JSON, and as they were compressed for the associations.
    pub compressed: (usize, usize),
    /// What each agent cost.
    pub by_agent: BTreeMap<String, Usage>,
    /// What each operation, or group of them, cost.
    pub by_subject: BTreeMap<String, Usage>,
    /// Files that were left out because their patterns are never sent.
    pub withheld: Vec<String>,
}

impl AgentsRan {
    /// Merges the results of two parts of one run.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.matched.extend(other.matched);
        self.matched.sort();
        self.matched.dedup();
        self.oracles += other.oracles;
        self.confirmed += other.confirmed;
        self.sequences += other.sequences;
        self.associations += other.associations;
        self.contradicted += other.contradicted;
        self.overruled += other.overruled;
        self.filled += other.filled;
        self.hints += other.hints;
        let mut dropped: BTreeMap<String, usize> = BTreeMap::new();
        for one in self.dropped.into_iter().chain(other.dropped) {
            *dropped.entry(one.reason).or_default() += one.count;
        }
        self.dropped = dropped.into_iter().map(|(reason, count)| Dropped { reason, count }).collect();
        self.dropped.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.reason.cmp(&b.reason)));
        self.failed.extend(other.failed);
        self.failed.sort_by(|a, b| a.op_id.cmp(&b.op_id));
        self.troubles.extend(other.troubles);
        self.troubles.sort();
        self.ended = self.ended.or(other.ended);
        self.replies.at_once += other.replies.at_once;
        self.replies.repaired += other.replies.repaired;
        self.replies.re_asked += other.replies.re_asked;
        self.replies.failed += other.replies.failed;
        self.compressed.0 = self.compressed.0.max(other.compressed.0);
        self.compressed.1 = self.compressed.1.max(other.compressed.1);
        for (map, more) in [(&mut self.by_agent, other.by_agent), (&mut self.by_subject, other.by_subject)] {
            for (key, usage) in more {
                let entry = map.entry(key).or_default();
                *entry = entry.and(usage);
            }
        }
        self.withheld.extend(other.withheld);
        self.withheld.sort();
        self.withheld.dedup();
        self
    }

    /// The sum of the agents' usage.
    pub fn usage(&self) -> Usage {
        self.by_agent.values().fold(Usage { usd: Some(0.0), ..Usage::default() }, |sum, one| sum.and(*one))
    }
}
