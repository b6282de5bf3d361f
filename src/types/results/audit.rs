//! The result of `mastor audit`: runs what `ci` would have left out, and keeps a history of such runs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::change::Change;
use super::plan::Since;
use super::report::Level;

/// The audit of one service.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Audited {
    /// The ends of the comparison; absent where nothing was compared.
    pub since: Option<Since>,
    /// Operations of base and head.
    pub operations: usize,
    /// Of these, how many `ci` leaves out: no input differs.
    pub left_out: usize,
    /// At which level they were looked at.
    pub level: Level,
    /// Committed oracles of these that were run.
    pub oracles: usize,
    /// Requests that were sent to compare what base and head answer.
    pub requests: usize,
    /// Differences in operations that were left out: what skipping them would have missed.
    pub missed: Vec<Change>,
    /// Sentences on what could not be run.
    pub notes: Vec<String>,
    /// Commands that show the same again, where something was missed.
    pub reproduce: Vec<String>,
    /// Earlier audits of this service and this one, oldest first.
    pub history: Vec<AuditRun>,
}

/// One audit in the history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AuditRun {
    /// When it ended (ISO 8601, UTC, whole seconds).
    pub at: String,
    /// Version of the binary.
    pub mastor: String,
    /// The commit compared with.
    pub base: String,
    /// The commit that was audited.
    pub head: String,
    /// Operations of base and head.
    pub operations: usize,
    /// Of these, how many `ci` leaves out.
    pub left_out: usize,
    /// At which level they were looked at.
    pub level: Level,
    /// Committed oracles that were run.
    pub oracles: usize,
    /// Requests that were sent to compare.
    pub requests: usize,
    /// What was missed: operation and difference, in words.
    pub missed: Vec<String>,
    /// Whether all that was left out was looked at.
    pub whole: bool,
}

/// Sums over a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct AuditTotals {
    /// Audits.
    pub runs: usize,
    /// Operations that were left out, summed.
    pub left_out: usize,
    /// Oracles that were run, summed.
    pub oracles: usize,
    /// Requests that were compared, summed.
    pub requests: usize,
    /// Differences that were missed, summed.
    pub missed: usize,
    /// Audits that missed something.
    pub with_missed: usize,
}

impl AuditTotals {
    /// Sums over an audit history.
    pub fn of(history: &[AuditRun]) -> Self {
        let mut totals = Self { runs: history.len(), ..Self::default() };
        for run in history {
            totals.left_out += run.left_out;
            totals.oracles += run.oracles;
            totals.requests += run.requests;
            totals.missed += run.missed.len();
            totals.with_missed += usize::from(!run.missed.is_empty());
        }
        totals
    }
}
