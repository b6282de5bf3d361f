//! The plan for mending a document: the edits so far, with their descriptions.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::pipeline::document::described::Described;
use crate::pipeline::document::values::{for_version, operation_of};
use mastor_derive::oracles::drift::Disagreement;
use mastor_openapi::edit::{Act, After, Edit};
use mastor_openapi::{Document, DocumentLocation, unescape};
use mastor_types::OpId;
use mastor_types::described::DescribedOperation;

/// One edit with its description.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The file.
    pub file: String,
    /// The edit.
    pub edit: Edit,
    /// Its description for people.
    pub what: String,
}

/// The edits of a document, in the order in which they are applied.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Planned {
    /// The edits.
    pub steps: Vec<Step>,
    /// What is not mended, each with the reason.
    pub left: Vec<String>,
    /// Names of the added operations in the document, by operation.
    pub names: BTreeMap<OpId, OpId>,
}

/// The plan so far.
pub struct Plan<'a> {
    /// The service as its code describes it.
    pub described: &'a Described,
    /// The given document.
    pub document: &'a Document,
    /// All disagreements between the two.
    pub all: &'a [Disagreement],
    /// The edits so far.
    pub planned: Planned,
    /// Edits that remove something; they are applied last.
    pub removals: Vec<Step>,
    /// Inserted values, whose references must resolve.
    pub refers: Vec<Value>,
}

/// `Ok` if an edit was planned, else why something is not mended.
pub type Done = Result<(), &'static str>;

impl Plan<'_> {
    /// Plans an edit, unless it is planned already.
    pub fn push(&mut self, at: &DocumentLocation, act: Act, what: String) {
        let step = Step { file: at.file.clone(), edit: Edit { at: keys(at), act }, what };
        if !self.planned.steps.iter().any(|known| known.edit == step.edit && known.file == step.file) {
            self.planned.steps.push(step);
        }
    }

    /// Plans to set a member of an object.
    pub fn set(&mut self, at: &DocumentLocation, key: &str, value: Value, after: After, what: String) {
        self.push(at, Act::Set { key: key.to_owned(), value, after }, what);
    }

    /// The members that the edits so far add to an object.
    pub fn added(&self, at: &DocumentLocation) -> Vec<String> {
        let keys = keys(at);
        let own = self.planned.steps.iter().filter(|step| step.file == at.file && step.edit.at == keys);
        own.filter_map(|step| match &step.edit.act {
            Act::Set { key, .. } => Some(key.clone()),
            _ => None,
        })
        .collect()
    }

    /// The described operation, in the syntax of the given document's version.
    pub fn value(&self, described: &DescribedOperation) -> Option<Value> {
        let name = self.described.assembled.names.get(&described.op_id)?;
        let value = operation_of(&self.described.assembled.value, name)?;
        Some(for_version(value.clone(), self.document.version))
    }
}

/// The keys and indices of a place.
pub fn keys(at: &DocumentLocation) -> Vec<String> {
    at.pointer.split('/').skip(1).map(unescape).collect()
}

/// The place after the paths that share the most leading segments with this one, else after all.
pub fn near<'k>(path: &str, known: impl Iterator<Item = &'k String>) -> After {
    let shared = |other: &str| path.split('/').zip(other.split('/')).skip(1).take_while(|(a, b)| a == b).count();
    let known: Vec<&String> = known.collect();
    let most = known.iter().map(|other| shared(other)).max().unwrap_or_default();
    if most == 0 {
        return After::All;
    }
    After::These(known.into_iter().filter(|other| shared(other) == most).cloned().collect())
}
