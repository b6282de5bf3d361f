//! The `OutputStore`: the blackboard that the agents read and write, keyed by operation, on disk as it grows.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;

use crate::types::op_id::slug;
use crate::types::oracle::Candidate;
use crate::types::sequence::Sequence;
use crate::types::source_context::SourceContext;
use crate::types::{Hash, OpId};

/// What stands on the blackboard for one operation, or for one group of them.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Record {
    /// The operation, or the operations of a group joined by arrows.
    pub subject: String,
    /// Why it failed; absent where it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
    /// Its source context.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<SourceContext>,
    /// Its oracles, with their citations.
    #[serde(serialize_with = "oracles", skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Candidate>,
    /// Sequences of a group.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sequences: Vec<Sequence>,
    /// What was dropped, with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<(String, String)>,
    /// What the challenger said, in every round.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
    /// The calls that made it, in order.
    pub calls: Vec<Call>,
}

/// One call to a model, as the blackboard remembers it.
#[derive(Debug, Clone, Serialize)]
pub struct Call {
    /// The agent.
    pub agent: &'static str,
    /// The model that answered.
    pub model: String,
    /// Hash of all that was sent.
    pub prompt_sha256: Hash,
}

fn oracles<S: serde::Serializer>(candidates: &[Candidate], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(candidates.iter().map(|candidate| &candidate.oracle))
}

/// The blackboard.
pub struct OutputStore {
    dir: Option<PathBuf>,
    records: Mutex<BTreeMap<String, Record>>,
}

impl OutputStore {
    /// A blackboard that keeps a file for each record in `dir`; without one, in memory alone.
    pub fn new(dir: Option<&Path>) -> Self {
        Self { dir: dir.map(Path::to_owned), records: Mutex::default() }
    }

    /// What stands there for an operation.
    pub fn of(&self, op_id: &OpId) -> Option<Record> {
        self.lock().get(op_id.as_str()).cloned()
    }

    /// What stands there for a subject.
    pub fn read(&self, subject: &str) -> Record {
        let found = self.lock().get(subject).cloned();
        found.unwrap_or_else(|| Record { subject: subject.to_owned(), ..Record::default() })
    }

    /// Changes the record of a subject, and writes it. A folder that cannot be written costs the file, not the run.
    pub fn write(&self, subject: &str, change: impl FnOnce(&mut Record)) {
        let mut records = self.lock();
        let record = records
            .entry(subject.to_owned())
            .or_insert_with(|| Record { subject: subject.to_owned(), ..Record::default() });
        change(record);
        let Some(dir) = &self.dir else { return };
        if let Ok(mut text) = serde_json::to_vec_pretty(record) {
            text.push(b'\n');
            let _ = crate::store::write(&dir.join(format!("{}.json", slug(subject))), &text);
        }
    }

    /// All records, by subject.
    pub fn all(&self) -> Vec<Record> {
        self.lock().values().cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Record>> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
