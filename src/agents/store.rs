//! The `OutputStore`: the blackboard that the agents read and write, keyed by operation and saved to disk after each
//! change.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;

use mastor_types::op_id::slug;
use mastor_types::suite::assumption::Opinion;
use mastor_types::suite::oracle::Candidate;
use mastor_types::suite::sequence::Sequence;
use mastor_types::suite::source_context::SourceContext;
use mastor_types::{Hash, OpId};

/// The blackboard's record for one operation or group of operations.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Record {
    /// The operation, or the operations of a group joined by arrows.
    pub subject: String,
    /// Why it failed, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
    /// Its source context.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<SourceContext>,
    /// Its oracles with their citations.
    #[serde(serialize_with = "oracles", skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Candidate>,
    /// Ids of the candidates that contradict a derived result.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub contested: BTreeSet<String>,
    /// The lines that the model cited for each oracle, by its id.
    #[serde(skip)]
    pub cited: BTreeMap<String, Vec<String>>,
    /// What the model said of assumptions, by id.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub opinions: BTreeMap<String, Opinion>,
    /// The sequences of a group.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sequences: Vec<Sequence>,
    /// Names of dropped candidates with the reasons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<(String, String)>,
    /// The challenger's hints of all rounds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
    /// The calls to models for this record, in order.
    pub calls: Vec<Call>,
}

/// A call to a model.
#[derive(Debug, Clone, Serialize)]
pub struct Call {
    /// The agent.
    pub agent: &'static str,
    /// The model that answered.
    pub model: String,
    /// Hash of the question.
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
    /// A blackboard that saves each record to a file in `dir`; without a folder, it stays in memory.
    pub fn new(dir: Option<&Path>) -> Self {
        Self { dir: dir.map(Path::to_owned), records: Mutex::default() }
    }

    /// The record of an operation, if there is one.
    pub fn of(&self, op_id: &OpId) -> Option<Record> {
        self.lock().get(op_id.as_str()).cloned()
    }

    /// The record of a subject; an empty one where there is none.
    pub fn read(&self, subject: &str) -> Record {
        let found = self.lock().get(subject).cloned();
        found.unwrap_or_else(|| Record { subject: subject.to_owned(), ..Record::default() })
    }

    /// Changes the record of a subject and saves it. A file that cannot be written is ignored.
    pub fn write(&self, subject: &str, change: impl FnOnce(&mut Record)) {
        let mut records = self.lock();
        let record = records
            .entry(subject.to_owned())
            .or_insert_with(|| Record { subject: subject.to_owned(), ..Record::default() });
        change(record);
        let Some(dir) = &self.dir else { return };
        if let Ok(mut text) = serde_json::to_vec_pretty(record) {
            text.push(b'\n');
            let _ = mastor_store::write(&dir.join(format!("{}.json", slug(subject))), &text);
        }
    }

    /// All records, sorted by subject.
    pub fn all(&self) -> Vec<Record> {
        self.lock().values().cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Record>> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
