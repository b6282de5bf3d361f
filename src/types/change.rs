//! Changes: differences in behaviour between base and head, and drift between code and document.

use serde::{Deserialize, Serialize};

use super::hash::Hash;
use super::op_id::OpId;
use super::oracle::Input;

/// A difference in behaviour between base and head.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Change {
    /// 16 hexadecimal digits over operation, kind and what changed, the same on every run.
    pub id: String,
    /// The oracle it contradicts, where there is one.
    pub o_id: Option<String>,
    /// The sequence it contradicts, where there is one.
    pub s_id: Option<String>,
    /// The operation.
    pub op_id: OpId,
    /// Derived from code or seen on the service.
    pub kind: ChangeKind,
    /// What it does to clients.
    pub effect: ChangeEffect,
    /// One sentence: `answers 404 where it answered 200 (length of code outside 2..3)`.
    pub what: String,
    /// A request that base and head answer differently, where one was found.
    pub witness: Option<Witness>,
    /// The behaviour of the base, in words.
    pub before: Option<String>,
    /// The behaviour of the head, in words.
    pub after: Option<String>,
    /// Where the base's code says so.
    pub evidence_before: Option<Place>,
    /// Where the head's code says so.
    pub evidence_after: Option<Place>,
    /// Whether the head's own suite says the new expectation.
    pub accepted: bool,
}

impl Change {
    /// The id of a change: over what it is, not over where it stands.
    pub fn identity(op_id: &OpId, kind: ChangeKind, what: &str) -> String {
        let kind = match kind {
            ChangeKind::Derived => "derived",
            ChangeKind::Seen => "seen",
        };
        Hash::of_parts([op_id.as_str().as_bytes(), kind.as_bytes(), what.as_bytes()]).short(16)
    }
}

/// How a change is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    /// From the code of both revisions.
    Derived,
    /// From the answers of both revisions.
    Seen,
}

/// What a change does to clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChangeEffect {
    /// Clients that worked may fail.
    Breaking,
    /// Clients that worked go on working.
    Additive,
    /// Could not be told.
    Unclear,
}

/// A request with the answers of both revisions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Witness {
    /// The request.
    pub input: Input,
    /// What the base answers, in words: `400`, `200 {"ok":true}`.
    pub before: String,
    /// What the head answers, in words.
    pub after: String,
}

/// A place in a file of one revision; stands in reports only, never in committed files.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Place {
    /// Path from the repository's root.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Last line, from 1.
    pub end_line: u32,
    /// The symbol that stands there.
    pub symbol: String,
}

/// Kinds of disagreement between code and document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DriftKind {
    /// A route of the code that the document lacks.
    UndocumentedRoute,
    /// An operation of the document without a handler.
    UnmatchedOperation,
    /// A status that the code answers and the document lacks.
    UndocumentedStatus,
    /// A status of the document that no path of the code ends in, all paths being known.
    UnreachableStatus,
    /// A parameter of the code that the document lacks.
    UndocumentedParameter,
    /// A parameter of the document that the code does not read.
    UnreadParameter,
    /// A bound, type or requiredness that differs.
    ConstraintMismatch,
    /// A response field of the code that the document lacks.
    UndocumentedField,
    /// A response field of the document that the code does not give.
    MissingField,
}

/// One disagreement between code and document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Drift {
    /// The operation.
    pub op_id: OpId,
    /// What sort of disagreement.
    pub kind: DriftKind,
    /// One sentence for people.
    pub what: String,
    /// Where the code says so.
    pub code: Option<Place>,
    /// `file#/pointer` of the document.
    pub document: Option<String>,
}
