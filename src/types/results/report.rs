//! The report of `mastor ci`: the content of `report.json`, from which every form of the report is rendered.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::agents::{AgentsRan, PlannedCalls};
use super::change::{Change, Drift};
use super::check::CheckFields;
use super::compared::{ComparedOperation, Difference};
pub use super::dropped::Dropped;
pub use super::ignored::Ignored;
use super::plan::{Chain, Plan};
use super::slices::SliceSummary;
use super::strength::Measured;
pub use crate::model::Usage;
use crate::op_id::OpId;
use crate::suite::oracle::{Oracle, Strategy};
use crate::suite::source_context::Entry;
use crate::warning::Warning;

/// Version of every published JSON object.
pub const SCHEMA_VERSION: u32 = 1;

/// How an operation of the list was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MatchStatus {
    /// In the document, with an entry in the code.
    Matched,
    /// In the document, without an entry.
    Unmatched,
    /// In the code, not in the document.
    Undocumented,
    /// Answered by the framework itself.
    Framework,
}

/// An entry with its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct EntryPlace {
    /// Fully qualified class.
    pub class: String,
    /// Method with erased parameter types.
    pub method: String,
    /// File from the repository's root.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
}

impl EntryPlace {
    /// Class and method alone.
    pub fn entry(&self) -> Entry {
        Entry { class: self.class.clone(), method: self.method.clone() }
    }
}

/// One row of `mastor operations`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct OperationRow {
    /// The operation.
    pub op_id: OpId,
    /// How it was found.
    pub status: MatchStatus,
    /// What implements it.
    pub entry: Option<EntryPlace>,
    /// The framework that routes to it.
    pub framework: Option<String>,
    /// How document and code were matched.
    pub matched_by: Option<String>,
    /// Why it is unmatched, undocumented or the framework's own.
    pub reason: Option<String>,
}

/// What generation made for one operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct GeneratedOperation {
    /// The operation.
    pub op_id: OpId,
    /// Oracles that stand after generation, but for those that are only assumed.
    pub oracles: usize,
    /// Those that rest on assumptions, or on data that the service does not start with, and that nothing has confirmed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub assumed: usize,
    /// Of these, new ones.
    pub added: usize,
    /// Changed expectations and retirements that wait for `accept`.
    pub proposed: usize,
    /// Oracles by strategy; every strategy is there.
    pub by_strategy: BTreeMap<String, usize>,
    /// Candidates that were dropped, by reason.
    pub dropped: Vec<Dropped>,
    /// Why there is no oracle, or what could not be decided.
    pub notes: Vec<String>,
}

/// Sums over all operations generated.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Totals {
    /// Oracles.
    pub oracles: usize,
    /// Oracles that are only assumed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub assumed: usize,
    /// Sequences.
    pub sequences: usize,
    /// Verified facts of source contexts.
    pub verified: usize,
    /// Pending ones.
    pub pending: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over so")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// What generation made.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Generated {
    /// By operation, sorted.
    pub operations: Vec<GeneratedOperation>,
    /// Number of sequences.
    pub sequences: usize,
    /// Sums.
    pub totals: Totals,
    /// What it cost; the rules engine costs no calls.
    pub usage: Usage,
    /// What the agents did, where they worked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agents: Option<AgentsRan>,
    /// What the agents would ask, in a dry run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planned: Option<PlannedCalls>,
    /// What the candidates showed on the service, where `generate` ran them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<Confirming>,
    /// What slices showed, where they were run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slices: Option<SliceSummary>,
}

/// Number of oracles that count, by strategy; every strategy has an entry.
pub fn strategies(oracles: &[Oracle]) -> BTreeMap<String, usize> {
    by_strategy(oracles.iter().filter(|oracle| oracle.certainty().counts()).map(|oracle| oracle.strategy))
}

/// Counts strategies; every strategy has an entry.
pub fn by_strategy(strategies: impl IntoIterator<Item = Strategy>) -> BTreeMap<String, usize> {
    let mut counts: BTreeMap<String, usize> = Strategy::ALL.into_iter().map(|s| (s.as_str().to_owned(), 0)).collect();
    for strategy in strategies {
        *counts.entry(strategy.as_str().to_owned()).or_default() += 1;
    }
    counts
}

/// How many candidates of one kind held on the service.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Precision {
    /// Who made them: `rules`, `agents`, `human`.
    pub engine: String,
    /// The strategy.
    pub strategy: String,
    /// What they rest on: what ends the path, as `MethodArgumentNotValidException is thrown and answered with 400`.
    pub rule: String,
    /// How many ran.
    pub candidates: usize,
    /// How many of them held.
    pub held: usize,
}

/// A field whose value varies.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
pub struct QuarantinedField {
    /// The operation.
    pub op_id: OpId,
    /// Path of the field; `""` is the whole body.
    pub path: String,
    /// Class: `time`, `identifier`, `order`, `random`, `counter` or `host`.
    pub why: String,
}

/// What running candidates on the service has shown.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Confirming {
    /// Oracles that had never been confirmed and were run.
    pub candidates: usize,
    /// Those that held each time.
    pub held: usize,
    /// Those that did not hold: kept aside in `refuted.json`, never shipped.
    pub refuted: usize,
    /// Those that held sometimes.
    pub flaky: usize,
    /// Those that got no answer.
    pub unanswered: usize,
    /// Requests whose answer the code leaves open that became oracles of what was seen.
    pub seen: usize,
    /// Assertions that were added from what was seen.
    pub observed: usize,
    /// Reads behind a write that show it, kept as steps of sequences.
    #[serde(default)]
    pub followed: usize,
    /// Writes whose follow-up reads were not tried: there were too many.
    #[serde(default)]
    pub unfollowed: usize,
    /// Requests that were sent.
    pub requests: usize,
    /// Fields that vary, by operation and path.
    pub quarantined: Vec<QuarantinedField>,
    /// Why candidates were refuted, most frequent first.
    pub refuted_by: Vec<Dropped>,
    /// Share that held, by engine, rule and strategy.
    pub precision: Vec<Precision>,
}

/// At which level a run could work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// From code alone.
    Derived,
    /// In slices: handlers of base and head run with stubs.
    Slices,
    /// On the running service.
    Seen,
}

/// The overall verdict of `ci`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// No operation is affected.
    NothingAffected,
    /// Operations are affected, and every one of them is the same.
    Same,
    /// No operation is known to answer differently, and of at least one it could not be told.
    Undecided,
    /// Behaviour changed, and nobody has to decide on it.
    Changed,
    /// Behaviour changed against the committed suite and nobody has accepted it.
    NeedsDecision,
    /// Every change that contradicts the base's suite is accepted.
    Accepted,
}

impl Verdict {
    /// Severity order; among several services the highest value decides.
    pub fn weight(self) -> u8 {
        match self {
            Self::NothingAffected => 0,
            Self::Same => 1,
            Self::Undecided => 2,
            Self::Changed => 3,
            Self::Accepted => 4,
            Self::NeedsDecision => 5,
        }
    }
}

/// Code and name of the exit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Exit {
    /// Exit code of the process.
    pub code: u8,
    /// Its name.
    pub name: String,
}

/// Why one operation is affected, for the report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Why {
    /// The operation.
    pub op_id: OpId,
    /// Chains from its entry to what changed, one for each; at most [`Why::CHAINS`].
    pub chains: Vec<Chain>,
    /// How many more inputs there are, whose chains are left out.
    #[serde(default, skip_serializing_if = "is_none_left")]
    pub left_out: usize,
}

impl Why {
    /// Maximum number of chains reported for one operation.
    pub const CHAINS: usize = 200;
}

fn is_none_left(left_out: &usize) -> bool {
    *left_out == 0
}

/// The report of one service.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ServiceReport {
    /// Name of the service.
    pub name: String,
    /// What the change does to each operation.
    pub plan: Plan,
    /// Why the affected ones are.
    pub why: Vec<Why>,
    /// What was generated.
    pub generate: Generated,
    /// At which level it ran.
    pub level: Level,
    /// Differences in behaviour, breaking ones first.
    pub changes: Vec<Change>,
    /// What comparing base and head came to, for each affected operation, sorted.
    #[serde(default)]
    pub compared: Vec<ComparedOperation>,
    /// How the code reads that decides the undecided ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<Difference>,
    /// Where code and document disagree, for the affected and new operations.
    pub drift: Vec<Drift>,
    /// Entries of `[[ignore]]` in force.
    pub ignored: Vec<Ignored>,
    /// What was read in part or not at all.
    pub warnings: Vec<Warning>,
    /// Sentences on what was left out and what would add it.
    pub notes: Vec<String>,
    /// What the committed suite showed on the service, where it was run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<CheckFields>,
    /// What the candidates showed on the service, where they were run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<Confirming>,
    /// How strong the suite is where the change is, where `mastor strength --since` has measured this very change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strength: Option<Measured>,
    /// Whether a suite is committed.
    pub has_suite: bool,
    /// Number of operations with a committed suite.
    pub suite_operations: usize,
    /// The verdict.
    pub verdict: Verdict,
    /// Files written, from the repository's root, sorted.
    pub artifacts: Vec<String>,
}

/// What `report.json` holds and `ci --format json` prints.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Report {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// `ci`.
    pub command: String,
    /// One report a service; a repository with one service has one.
    pub services: Vec<ServiceReport>,
    /// The first exit that applies, by the order of the exit codes.
    pub exit: Exit,
    /// Seconds the run took.
    pub seconds: f64,
}
