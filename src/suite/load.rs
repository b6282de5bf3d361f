//! Loads a suite from a source tree: of the base, of the head, or of the work tree.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::error::SuiteError;
use super::format::{Decision, RefutedAssumption, RefutedCandidate, SequenceFile, SuiteFile, from_bytes, has_conflict};
use super::lock::Lock;
use super::{LOCK_DIR, SEQUENCES_DIR, SUITE_DIR};
use mastor_revision::SourceTree;
use mastor_types::op_id::OpId;
use mastor_types::suite::evidence::Evidence;
use mastor_types::suite::oracle::{Confirmation, Oracle};
use mastor_types::suite::sequence::Sequence;
use mastor_types::suite::source_context::SourceContext;

/// Source context and oracles of one operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OperationSuite {
    /// Facts from the source code.
    pub context: SourceContext,
    /// The oracles, sorted by `test_id`.
    pub oracles: Vec<Oracle>,
    /// Accepted changes that contradicted no committed oracle when they were accepted.
    #[serde(default)]
    pub accepted: Vec<Decision>,
    /// Candidates that the service refuted.
    #[serde(default)]
    pub refuted: Vec<RefutedCandidate>,
    /// Assumptions that the service refuted.
    #[serde(default)]
    pub assumptions: Vec<RefutedAssumption>,
}

impl OperationSuite {
    /// A suite of this context and these oracles, with all other lists empty.
    pub fn new(context: SourceContext, oracles: Vec<Oracle>) -> Self {
        Self { context, oracles, accepted: Vec::new(), refuted: Vec::new(), assumptions: Vec::new() }
    }

    /// Whether the decision was accepted more often than in an older suite of the operation.
    pub fn has_taken_since(&self, id: &str, older: Option<&Self>) -> bool {
        self.times_accepted(id) > older.map_or(0, |older| older.times_accepted(id))
    }

    /// How often a change was accepted.
    pub fn times_accepted(&self, decision: &str) -> u32 {
        self.accepted.iter().find(|one| one.id == decision).map_or(0, |one| one.times)
    }
}

/// The committed suite of one service, with the bytes of each file.
#[derive(Debug, Default)]
pub struct Suite {
    /// Suites by operation.
    pub operations: BTreeMap<OpId, OperationSuite>,
    /// Sequences by the operation of their first step.
    pub sequences: BTreeMap<OpId, Vec<Sequence>>,
    /// Locks that could be read, by operation.
    pub locks: BTreeMap<OpId, Lock>,
    /// Bytes of the suite file of each operation.
    pub suite_bytes: BTreeMap<OpId, Vec<u8>>,
    /// Bytes of the sequence file of each operation.
    pub sequence_bytes: BTreeMap<OpId, Vec<u8>>,
    /// Errors of files that could not be read. Commands that would write such a file fail instead of overwriting it.
    pub problems: Vec<SuiteError>,
}

impl Suite {
    /// The confirmation of each oracle and sequence, by its id.
    pub fn confirmations(&self) -> BTreeMap<&str, &Confirmation> {
        let oracles = self.operations.values().flat_map(|operation| &operation.oracles);
        let sequences = self.sequences.values().flatten();
        let of_oracles = oracles.map(|oracle| (oracle.o_id.as_str(), &oracle.confirmation));
        of_oracles.chain(sequences.map(|sequence| (sequence.s_id.as_str(), &sequence.confirmation))).collect()
    }

    /// Loads the suite of the service in `service_dir` (`""` for the root). Unreadable files are recorded in
    /// [`Suite::problems`].
    pub fn load(tree: &SourceTree, service_dir: &str) -> Self {
        let mut suite = Self::default();
        let mut paths: BTreeMap<OpId, String> = BTreeMap::new();
        for (path, bytes) in files(tree, service_dir, SUITE_DIR, ".json") {
            match from_bytes::<SuiteFile>(&path, &bytes) {
                Ok(file) => {
                    let op_id = file.context.op_id.clone();
                    if let Some(other) = paths.insert(op_id.clone(), path.clone()) {
                        suite.problems.push(SuiteError::Twice { path, other, op_id: op_id.to_string() });
                        continue;
                    }
                    let operation = OperationSuite {
                        accepted: file.accepted,
                        refuted: file.refuted,
                        assumptions: file.assumptions,
                        ..OperationSuite::new(file.context, file.oracles)
                    };
                    suite.suite_bytes.insert(op_id.clone(), bytes);
                    suite.operations.insert(op_id, operation);
                }
                Err(error) => suite.problems.push(error),
            }
        }
        for (path, bytes) in files(tree, service_dir, SEQUENCES_DIR, ".json") {
            match from_bytes::<SequenceFile>(&path, &bytes) {
                Ok(file) => {
                    let Some(op_id) = file.sequences.first().and_then(|s| s.steps.first()).map(|s| s.op_id.clone())
                    else {
                        continue;
                    };
                    suite.sequence_bytes.insert(op_id.clone(), bytes);
                    suite.sequences.insert(op_id, file.sequences);
                }
                Err(error) => suite.problems.push(error),
            }
        }
        for (path, bytes) in files(tree, service_dir, LOCK_DIR, ".lock") {
            match Lock::from_bytes(&path, &bytes) {
                Ok(lock) => {
                    suite.locks.insert(lock.op_id.clone(), lock);
                }
                // A lock with merge conflicts is not an error: without a lock the operation is stale, and the lock is
                // made again.
                Err(_) if has_conflict(&bytes) => {}
                Err(error) => suite.problems.push(error),
            }
        }
        suite
    }

    /// Whether nothing is committed, not even a damaged file.
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty() && self.sequences.is_empty() && self.problems.is_empty()
    }

    /// Number of oracles.
    pub fn oracle_count(&self) -> usize {
        self.operations.values().map(|o| o.oracles.len()).sum()
    }

    /// Whether this operation's suite or sequence file exists but cannot be read.
    pub fn is_damaged(&self, op_id: &OpId) -> bool {
        let slug = op_id.slug();
        self.problems
            .iter()
            .any(|problem| problem.path().rsplit('/').next().is_some_and(|name| name == format!("{slug}.json")))
    }

    /// Oracles with this id; where none has it, those whose id starts with it (at least four digits).
    pub fn find(&self, id: &str) -> Vec<&Oracle> {
        let all = || self.operations.values().flat_map(|o| &o.oracles);
        let exact: Vec<&Oracle> = all().filter(|o| o.o_id == id).collect();
        if exact.is_empty() && id.len() >= 4 { all().filter(|o| o.o_id.starts_with(id)).collect() } else { exact }
    }

    /// Sequences with this id, or whose id starts with it (at least four digits).
    pub fn find_sequence(&self, id: &str) -> Vec<&Sequence> {
        let fits = |sequence: &&Sequence| sequence.s_id == id || (id.len() >= 4 && sequence.s_id.starts_with(id));
        self.sequences.values().flatten().filter(fits).collect()
    }

    /// The citations of a sequence, looked up in the suites of its steps' operations.
    pub fn evidence_of<'s>(&'s self, sequence: &'s Sequence) -> impl Iterator<Item = &'s Evidence> {
        let tables = || sequence.steps.iter().filter_map(|step| self.operations.get(&step.op_id));
        sequence.evidence.iter().filter_map(move |id| tables().find_map(|suite| suite.context.evidence.get(id)))
    }
}

fn files(tree: &SourceTree, service_dir: &str, dir: &str, ending: &str) -> Vec<(String, Vec<u8>)> {
    let prefix = if service_dir.is_empty() { format!("{dir}/") } else { format!("{service_dir}/{dir}/") };
    tree.files()
        .filter(|entry| {
            entry.path.strip_prefix(&prefix).is_some_and(|name| !name.contains('/') && name.ends_with(ending))
        })
        .filter_map(|entry| Some((entry.path.clone(), tree.read(&entry.path).ok()?.to_vec())))
        .collect()
}
