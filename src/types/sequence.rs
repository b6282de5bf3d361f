//! Sequences: ordered steps with captures and binds, a multi-operation oracle (DESIGN §5, paper §4.4).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::evidence::EvidenceId;
use super::op_id::OpId;
use super::oracle::{Assertion, Assumption, Confirmation, Effect, Input, Origin};

/// The five patterns of semantic association (paper, table of patterns).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Pattern {
    /// Create, read, update and delete of one resource type.
    ResourceLifecycle,
    /// An identifier of a response used as a parameter later.
    IdentifierFlow,
    /// A field of a response needed as input later.
    FieldDataPassing,
    /// One resource must exist before another can be made.
    NestedResource,
    /// One operation writes state that another reads.
    StatePropagation,
}

/// A multi-operation oracle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sequence {
    /// Hash over the steps' operation, user, input, captures and binds.
    pub s_id: String,
    /// Readable name.
    pub test_id: String,
    /// One sentence for people.
    pub description: String,
    /// The association it rests on.
    pub pattern: Pattern,
    /// Whether running it may change state.
    pub effect: Effect,
    /// What must be so before it runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumes: Vec<Assumption>,
    /// The steps in order.
    pub steps: Vec<Step>,
    /// Citations, by id.
    pub evidence: Vec<EvidenceId>,
    /// Who made it.
    pub origin: Origin,
    /// What running it has shown.
    pub confirmation: Confirmation,
}

/// One step of a sequence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The operation.
    pub op_id: OpId,
    /// The user.
    #[serde(rename = "as")]
    pub as_user: String,
    /// The request, before binds are filled in.
    pub input: Input,
    /// Values taken from the answer: name → `body:path` (the JSON value), `header:Name` or `header:Name#tail` (text; the tail is the last
    /// segment of the URL, decoded).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub captures: BTreeMap<String, String>,
    /// Values put into the request: `path.id`, `query.name`, `header.Name`, `cookie.name`, `form.name` or `body.path` → `$captures.id`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub binds: BTreeMap<String, String>,
    /// What must be seen; may name `$captures.<name>`.
    pub assertions: Vec<Assertion>,
}
