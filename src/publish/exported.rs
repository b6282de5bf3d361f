//! What an export is made from and what it gives: the suite of one service, and files with what had to be left out of them.

use std::collections::BTreeMap;

use super::in_jvm::InJvm;
use super::words;
use crate::suite::{OperationSuite, Suite};
use crate::template::Templates;
use crate::types::account::Accounts;
use crate::types::evidence::{EvidenceId, EvidenceTable};
use crate::types::op_id::OpId;
use crate::types::sequence::Sequence;
use crate::types::strength::Near;

/// The oracles and sequences of one service, on their way into another form.
#[derive(Debug, Clone, Copy)]
pub struct Export<'a> {
    /// Name of the service.
    pub service: &'a str,
    /// What stands between host and operation paths (`/api/v1`, or empty); part of the default base URL.
    pub base_path: &'a str,
    /// Source contexts and oracles.
    pub operations: &'a BTreeMap<OpId, OperationSuite>,
    /// Sequences by the operation of their first step.
    pub sequences: &'a BTreeMap<OpId, Vec<Sequence>>,
    /// What it is rendered by.
    pub templates: &'a Templates,
    /// How its application is started in the JVM of the tests, where that is known.
    pub in_jvm: Option<&'a InJvm>,
    /// How its users are authenticated; of one that is not in it, a setting says the `Authorization` header.
    pub accounts: &'a Accounts,
}

static NOBODY: Accounts = Accounts::new();

impl<'a> Export<'a> {
    /// All of `suite`, by the templates that are built in.
    pub fn of(service: &'a str, base_path: &'a str, suite: &'a Suite) -> Self {
        let Suite { operations, sequences, .. } = suite;
        let templates = Templates::built_in();
        Self { service, base_path, operations, sequences, templates, in_jvm: None, accounts: &NOBODY }
    }

    /// The same, by these templates.
    #[must_use]
    pub fn with(self, templates: &'a Templates) -> Self {
        Self { templates, ..self }
    }

    /// What may be run as a test: all but what is only assumed, of which each is named.
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

    /// `15 operations, 186 oracles, 17 sequences`.
    pub fn counts(&self) -> String {
        let oracles = self.operations.values().map(|operation| operation.oracles.len()).sum();
        let counted =
            [(self.operations.len(), "operation"), (oracles, "oracle"), (self.all_sequences().count(), "sequence")];
        counted.map(|(n, one)| words::count(n, one)).join(", ")
    }

    /// The base URL where nobody says another.
    pub fn default_base_url(&self) -> String {
        format!("http://127.0.0.1:8080{}", self.base_path.trim_end_matches('/'))
    }

    /// All sequences in order.
    pub fn all_sequences(&self) -> impl Iterator<Item = &'a Sequence> {
        self.sequences.values().flatten()
    }

    /// What a sequence of the operation `op_id` cites: its evidence stands in the source contexts of its steps' operations.
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

/// Why an oracle is no test yet.
const ASSUMED: &str = "it rests on assumptions, and nothing has confirmed it yet";

/// What of a suite may be run as tests.
#[derive(Debug, Clone, Default)]
pub struct ToRun {
    /// Source contexts and oracles.
    pub operations: BTreeMap<OpId, OperationSuite>,
    /// Sequences by the operation of their first step.
    pub sequences: BTreeMap<OpId, Vec<Sequence>>,
    /// What is only assumed.
    pub left_out: Vec<LeftOut>,
}

/// The symbols behind these ids, each once, in order; an id that the table lacks stands for itself.
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

/// An export: files by path below its folder, and what this form cannot say.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Exported {
    /// Contents by path, with `/`.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Oracles that are not in it, each with the reason.
    pub left_out: Vec<LeftOut>,
    /// Of tests: oracle or sequence by `Class#method`.
    pub tests: BTreeMap<String, Near>,
    /// Of tests: the settings with the credentials of each user, by what they say (`AUTHORIZATION`, `PASSWORD`).
    pub users: BTreeMap<String, BTreeMap<String, String>>,
}

impl LeftOut {
    /// The oracle or sequence with this id.
    pub fn new(id: &str, op_id: &OpId, reason: impl Into<String>) -> Self {
        Self { id: id.to_owned(), op_id: op_id.clone(), reason: reason.into() }
    }
}

/// One oracle or sequence that a form cannot say.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct LeftOut {
    /// `o_id` or `s_id`.
    pub id: String,
    /// The operation.
    pub op_id: OpId,
    /// Why.
    pub reason: String,
}
