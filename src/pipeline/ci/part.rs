//! A part of a run: everything that the run, or one shard of it, found before anything is judged. Joined parts equal
//! what a single run would have found.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::pipeline::ci::causes::ExplainedChange;
use crate::pipeline::confirm::claims::{Refuted, RefutedSequence};
use crate::pipeline::files::templates::Own;
use mastor_config::FailOn;
use mastor_suite::load::OperationSuite;
use mastor_suite::proposal::Proposal;
use mastor_types::error::Exit;
use mastor_types::results::agents::AgentsRan;
use mastor_types::results::change::Drift;
use mastor_types::results::check::CheckFields;
use mastor_types::results::compared::{ComparedOperation, Difference};
use mastor_types::results::outcome::RunVerdict;
use mastor_types::results::plan::Plan;
use mastor_types::results::report::{Confirming, Dropped, Generated, Ignored, Precision, Why};
use mastor_types::shard::Shard;
use mastor_types::suite::sequence::Sequence;
use mastor_types::{Hash, OpId, Warning};

/// Name of the file below `.mastor/out`.
pub const FILE: &str = "shard.json";
/// Version of the file.
pub const SCHEMA_VERSION: u32 = 1;

/// `.mastor/out/shard.json`: what one shard found. Only the same version of `mastor` reads it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartFile {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Version of the binary.
    pub mastor: String,
    /// Which shard it is.
    pub shard: Shard,
    /// One part for each service.
    pub services: Vec<Part>,
}

/// What was found for one service.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// What all shards of a run have in common.
    pub frame: RunContext,
    /// What this shard found.
    pub found: ShardFindings,
}

/// What all shards of one run have in common.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunContext {
    /// Name of the service.
    pub name: String,
    /// Its folder.
    pub dir: String,
    /// Which findings make the run exit with 1.
    pub fail_on: FailOn,
    /// The plan of the whole run.
    pub plan: Plan,
    /// Why each affected operation is affected.
    pub why: Vec<Why>,
    /// Warnings about what was read only in part, or not at all.
    pub warnings: Vec<Warning>,
    /// First base path of the document.
    pub base_path: String,
    /// Hash that identifies the head.
    pub head: Hash,
    /// Operations of the base's suite.
    pub suite: BTreeSet<OpId>,
    /// Whether the base has a committed suite.
    pub has_suite: bool,
    /// Number of affected operations whose suite in the head is older than their code.
    pub stale: usize,
    /// The user's own templates.
    #[serde(default, skip_serializing_if = "Own::is_empty")]
    pub templates: Own,
}

/// What one run, or one shard, found for a service.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardFindings {
    /// Changes, each with its causes.
    pub changes: Vec<ExplainedChange>,
    /// The comparison result of each affected operation.
    pub compared: Vec<ComparedOperation>,
    /// Text differences of the code that undecided operations rest on.
    pub differences: Vec<Difference>,
    /// Counts of what was generated.
    pub generated: Generated,
    /// The regenerated suites, joined with what the head has committed.
    pub suites: Vec<(OpId, OperationSuite)>,
    /// The manifests for the renewed locks of these suites, line by line.
    pub manifests: Vec<(OpId, String)>,
    /// Changed expectations and retirements.
    pub proposals: Vec<Proposal>,
    /// Where code and document disagree.
    pub drift: Vec<Drift>,
    /// Sentences for the report.
    pub notes: Vec<String>,
    /// Results of the committed suite on the service.
    pub check: Option<CheckFields>,
    /// Results of the candidates on the service.
    pub confirm: Option<Confirming>,
    /// Candidates that did not hold.
    pub refuted: Vec<Refuted>,
    /// Sequences that did not hold.
    #[serde(default)]
    pub refuted_sequences: Vec<RefutedSequence>,
    /// New sequences.
    #[serde(default)]
    pub sequences: Vec<Sequence>,
    /// Entries of `[[ignore]]`, each with the number of changes that it left out.
    pub ignored: Vec<(Ignored, usize)>,
    /// The exit that running the service or asking models calls for, if any.
    pub exit: Option<Exit>,
    /// Whether requests were sent to the service.
    pub asked: bool,
    /// Milliseconds that each operation took.
    pub costs: BTreeMap<OpId, u64>,
}

impl ShardFindings {
    /// Joins what another shard of the same run found.
    pub fn join(&mut self, other: Self) {
        let Self { changes, compared, differences, generated, suites, manifests, proposals, drift, notes, .. } = other;
        self.changes.extend(changes);
        self.compared.extend(compared);
        self.differences.extend(differences);
        self.generated.operations.extend(generated.operations);
        self.generated.sequences += generated.sequences;
        let (totals, more) = (&mut self.generated.totals, generated.totals);
        totals.oracles += more.oracles;
        totals.assumed += more.assumed;
        totals.sequences += more.sequences;
        totals.verified += more.verified;
        totals.pending += more.pending;
        self.generated.slices = joined(self.generated.slices.take(), generated.slices, |mut one, other| {
            one.join(other);
            one
        });
        self.suites.extend(suites);
        self.manifests.extend(manifests);
        self.proposals.extend(proposals);
        self.drift.extend(drift);
        self.notes.extend(notes);
        self.check = joined(self.check.take(), other.check, join_check);
        self.confirm = joined(self.confirm.take(), other.confirm, join_confirm);
        self.refuted.extend(other.refuted);
        self.refuted_sequences.extend(other.refuted_sequences);
        self.sequences.extend(other.sequences);
        self.generated.usage = self.generated.usage.and(generated.usage);
        self.generated.agents = joined(self.generated.agents.take(), generated.agents, AgentsRan::and);
        // Every shard has the same entries, in the same order.
        for ((_, left), (_, more)) in self.ignored.iter_mut().zip(other.ignored) {
            *left += more;
        }
        self.exit = joined(self.exit, other.exit, |one, other| Exit::worst([one, other]));
        self.asked |= other.asked;
        self.costs.extend(other.costs);
    }

    /// Sorts by operation, so that the order does not depend on the shards; within one operation the order of discovery
    /// is kept. A sequence over operations of several shards was run in each of them, and counts once.
    #[must_use]
    pub fn in_order(mut self) -> Self {
        let mut seen = BTreeSet::new();
        self.changes.retain(|told| seen.insert(told.change.id.clone()) || told.change.s_id.is_none());
        self.changes.sort_by(|a, b| a.change.op_id.cmp(&b.change.op_id));
        self.generated.operations.sort_by(|a, b| a.op_id.cmp(&b.op_id));
        self.suites.sort_by(|a, b| a.0.cmp(&b.0));
        self.manifests.sort_by(|a, b| a.0.cmp(&b.0));
        self.proposals.sort_by(|a, b| (&a.op_id, &a.o_id).cmp(&(&b.op_id, &b.o_id)));
        self.sequences.sort_by(|a, b| a.s_id.cmp(&b.s_id));
        self.sequences.dedup_by(|a, b| a.s_id == b.s_id);
        self.refuted_sequences.sort_by(|a, b| a.sequence.s_id.cmp(&b.sequence.s_id));
        self.refuted_sequences.dedup_by(|a, b| a.sequence.s_id == b.sequence.s_id);
        self.proposals.dedup_by(|a, b| a.sequence.is_some() && a.o_id == b.o_id);
        self.compared.sort_by(|a, b| a.op_id.cmp(&b.op_id));
        self.differences.sort_by(|a, b| a.input.cmp(&b.input));
        self.differences.dedup();
        self.drift.sort();
        self.drift.dedup();
        self.notes.sort();
        self.notes.dedup();
        if let Some(check) = &mut self.check {
            let mut seen = BTreeSet::new();
            check.oracles.retain(|oracle| seen.insert(oracle.id.clone()));
            check.oracles.sort_by_key(|oracle| (oracle.op_ids.len() > 1, oracle.op_ids.first().cloned()));
            let count = |verdict| check.oracles.iter().filter(|oracle| oracle.verdict == verdict).count();
            check.counts = RunVerdict::ALL.into_iter().map(|v| (v.as_str().to_owned(), count(v))).collect();
        }
        self
    }
}

fn joined<T>(one: Option<T>, other: Option<T>, join: impl FnOnce(T, T) -> T) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(join(one, other)),
        (one, other) => one.or(other),
    }
}

fn join_check(mut one: CheckFields, other: CheckFields) -> CheckFields {
    one.oracles.extend(other.oracles);
    one.unsteady += other.unsteady;
    one.trouble = joined(one.trouble, other.trouble, |a, b| if a == b { a } else { format!("{a}; {b}") });
    one
}

fn join_confirm(mut one: Confirming, other: Confirming) -> Confirming {
    one.candidates += other.candidates;
    one.held += other.held;
    one.refuted += other.refuted;
    one.flaky += other.flaky;
    one.unanswered += other.unanswered;
    one.seen += other.seen;
    one.observed += other.observed;
    one.followed += other.followed;
    one.unfollowed += other.unfollowed;
    one.requests += other.requests;
    one.quarantined.extend(other.quarantined);
    one.quarantined.sort();
    one.quarantined.dedup();
    one.refuted_by = join_counted(one.refuted_by, other.refuted_by);
    let mut precision: BTreeMap<(String, String, String), (usize, usize)> = BTreeMap::new();
    for part in one.precision.into_iter().chain(other.precision) {
        let counts = precision.entry((part.engine, part.strategy, part.rule)).or_default();
        counts.0 += part.candidates;
        counts.1 += part.held;
    }
    let row = |((engine, strategy, rule), (candidates, held))| Precision { engine, strategy, rule, candidates, held };
    one.precision = precision.into_iter().map(row).collect();
    one
}

/// Adds the counts by reason, the most frequent reason first.
fn join_counted(one: Vec<Dropped>, other: Vec<Dropped>) -> Vec<Dropped> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for dropped in one.into_iter().chain(other) {
        *counts.entry(dropped.reason).or_default() += dropped.count;
    }
    let mut all: Vec<Dropped> = counts.into_iter().map(|(reason, count)| Dropped { reason, count }).collect();
    all.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.reason.cmp(&b.reason)));
    all
}
