//! Input and output of exports: the suite of a service, and files with a list of what was left out.

use std::collections::BTreeMap;

use super::in_jvm::InJvm;
use crate::wording::words;
use mastor_suite::{OperationSuite, Suite};
use mastor_template::Templates;
use mastor_types::account::Accounts;
use mastor_types::op_id::OpId;
use mastor_types::results::strength::Near;
use mastor_types::suite::evidence::{EvidenceId, EvidenceTable};
use mastor_types::suite::sequence::Sequence;

/// The input of an export: oracles and sequences of one service.
#[derive(Debug, Clone, Copy)]
pub struct Export<'a> {
    /// Name of the service.
    pub service: &'a str,
    /// Path between host and operation paths (`/api/v1`, or empty); part of the default base URL.
    pub base_path: &'a str,
    /// Source contexts and oracles.
    pub operations: &'a BTreeMap<OpId, OperationSuite>,
    /// Sequences by the operation of their first step.
    pub sequences: &'a BTreeMap<OpId, Vec<Sequence>>,
    /// Templates to render with.
    pub templates: &'a Templates,
    /// How to start the application inside the tests' JVM, if known.
    pub in_jvm: Option<&'a InJvm>,
    /// Accounts of users. For a user that is missing here, a setting supplies the `Authorization` header.
    pub accounts: &'a Accounts,
}

static NOBODY: Accounts = Accounts::new();

impl<'a> Export<'a> {
    /// Exports the whole suite with the built-in templates.
    pub fn of(service: &'a str, base_path: &'a str, suite: &'a Suite) -> Self {
        let Suite { operations, sequences, .. } = suite;
        let templates = Templates::built_in();
        Self { service, base_path, operations, sequences, templates, in_jvm: None, accounts: &NOBODY }
    }

    /// Replaces the templates.
    #[must_use]
    pub fn with(self, templates: &'a Templates) -> Self {
        Self { templates, ..self }
    }

    /// Splits the suite into what may be run as tests and what is only assumed.
    pub fn to_run(&self) -> ToRun {
        let mut found = ToRun { sequences: self.sequences.clone(), ..ToRun::default() };
        for (op_id, operation) in self.operations {
            let mut kept = operation.clone();
            for assumed in kept.oracles.extract_if(.., |oracle| !oracle.certainty().counts()) {
                found.left_out.push(LeftOut::new(&assumed.o_id, op_id, ASSUMED));
            }
            if !kept.oracles.is_empty() || operation.oracles.is_empty() {
                found.operations.insert(op_id.clone(), kept);
            }
        }
        for (op_id, sequences) in &mut found.sequences {
            for assumed in sequences.extract_if(.., |sequence| !sequence.certainty().counts()) {
                found.left_out.push(LeftOut::new(&assumed.s_id, op_id, ASSUMED));
            }
        }
        found.sequences.retain(|_, sequences| !sequences.is_empty());
        found
    }

    /// Counts in words: `15 operations, 186 oracles, 17 sequences`.
    pub fn counts(&self) -> String {
        let oracles = self.operations.values().map(|operation| operation.oracles.len()).sum();
        let counted =
            [(self.operations.len(), "operation"), (oracles, "oracle"), (self.all_sequences().count(), "sequence")];
        counted.map(|(n, one)| words::count(n, one)).join(", ")
    }

    /// The default base URL.
    pub fn default_base_url(&self) -> String {
        format!("http://127.0.0.1:8080{}", self.base_path.trim_end_matches('/'))
    }

    /// All sequences, in order.
    pub fn all_sequences(&self) -> impl Iterator<Item = &'a Sequence> {
        self.sequences.values().flatten()
    }

    /// The symbols cited by a sequence, looked up in the source contexts of its steps' operations.
    pub fn symbols_of(&self, sequence: &Sequence) -> Vec<String> {
        let tables: Vec<&EvidenceTable> = sequence
            .steps
            .iter()
            .filter_map(|step| self.operations.get(&step.op_id))
            .map(|operation| &operation.context.evidence)
            .collect();
        let mut symbols: Vec<String> = Vec::new();
        for id in &sequence.evidence {
            let symbol = tables.iter().find_map(|table| table.get(id)).map_or(id.as_str(), |e| e.symbol.as_str());
            if !symbols.iter().any(|known| known == symbol) {
                symbols.push(symbol.to_owned());
            }
        }
        symbols
    }
}

/// Reason for leaving out an assumed oracle.
const ASSUMED: &str = "it rests on assumptions, and nothing has confirmed it yet";

/// The part of a suite that may be run as tests.
#[derive(Debug, Clone, Default)]
pub struct ToRun {
    /// Source contexts and oracles.
    pub operations: BTreeMap<OpId, OperationSuite>,
    /// Sequences by the operation of their first step.
    pub sequences: BTreeMap<OpId, Vec<Sequence>>,
    /// Oracles and sequences that are only assumed.
    pub left_out: Vec<LeftOut>,
}

/// The symbols of these citations, in order and without repetition; an id that the table lacks is shown itself.
pub fn symbols(table: &EvidenceTable, ids: &[EvidenceId]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for id in ids {
        let symbol = table.get(id).map_or(id.as_str(), |evidence| evidence.symbol.as_str());
        if !out.iter().any(|known| known == symbol) {
            out.push(symbol.to_owned());
        }
    }
    out
}

/// The output of an export: files by path below its folder, and what this form cannot express.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Exported {
    /// File contents by path.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Oracles and sequences left out, with reasons.
    pub left_out: Vec<LeftOut>,
    /// For tests: the oracle or sequence of each `Class#method`.
    pub tests: BTreeMap<String, Near>,
    /// For tests: the settings with each user's credentials, keyed by name suffix (`AUTHORIZATION`, `PASSWORD`).
    pub users: BTreeMap<String, BTreeMap<String, String>>,
}

impl LeftOut {
    /// The oracle or sequence with this id.
    pub fn new(id: &str, op_id: &OpId, reason: impl Into<String>) -> Self {
        Self { id: id.to_owned(), op_id: op_id.clone(), reason: reason.into() }
    }
}

/// An oracle or sequence that an export leaves out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct LeftOut {
    /// `o_id` or `s_id`.
    pub id: String,
    /// The operation.
    pub op_id: OpId,
    /// Why.
    pub reason: String,
}
