//! Sequences: multi-operation oracles, made of ordered steps with captures and binds (MASTOR paper, section 4.4).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::assertion::{Assertion, Check, Source};
use super::assumption::Assumption;
use super::evidence::EvidenceId;
use super::given::Given;
use super::input::{Input, canonical};
use super::oracle::{Certainty, Confirmation, Effect, Engine, Oracle, Origin};
use crate::hash::Hash;
use crate::op_id::OpId;

/// The five patterns of semantic association (MASTOR paper, table of patterns).
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
    /// Data that it needs, beside its requests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<Given>,
    /// What it takes to be so without the code saying it; nothing where it is certain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumes: Vec<Assumption>,
    /// The steps in order.
    pub steps: Vec<Step>,
    /// Citations, by id.
    pub evidence: Vec<EvidenceId>,
    /// Who made it.
    pub origin: Origin,
    /// What running it has shown. A field that varies is named behind the number of its step: `2:items[*].id`.
    pub confirmation: Confirmation,
}

impl Sequence {
    /// The sequence id: 16 hexadecimal digits over the requests of its steps, without their assertions.
    pub fn identity(steps: &[Step]) -> String {
        let asked = |step: &Step| {
            let parts = (&step.op_id, &step.as_user, &step.input, &step.captures, &step.binds);
            canonical(&serde_json::to_value(parts).unwrap_or_default())
        };
        let steps: Vec<String> = steps.iter().map(asked).collect();
        Hash::of_parts(steps.iter().map(String::as_bytes)).short(16)
    }

    /// How certain the expectations are.
    pub fn certainty(&self) -> Certainty {
        Certainty::of(&self.confirmation, &self.given, &self.assumes)
    }

    /// The id of an oracle with the request of the first step.
    pub fn first(&self) -> Option<String> {
        self.steps.first().map(|step| Oracle::identity(&step.op_id, &step.as_user, &step.input))
    }

    /// Whether this is a follow-up: a write and the reads that show its effect, not made by a person, with only
    /// observed assertions after the first step.
    pub fn is_follow_up(&self) -> bool {
        let seen = |step: &Step| step.assertions.iter().all(|assertion| assertion.source == Source::Observed);
        self.origin.engine != Engine::Human && self.steps.len() > 1 && self.steps.iter().skip(1).all(seen)
    }
}

impl Sequence {
    /// Whether this follow-up is about the writes of another one: the same first request, and the same operation for the first further write, if any.
    pub fn follows_the_writes_of(&self, other: &Self) -> bool {
        let further = |sequence: &Self| -> Vec<OpId> {
            let writes = sequence.steps.iter().skip(1).filter(|step| !step.op_id.method().is_safe());
            writes.map(|step| step.op_id.clone()).collect()
        };
        let (own, others) = (further(self), further(other));
        // Later writes are not compared: a chain keeps the repetition of its second write only if that gets another status.
        self.first() == other.first() && own.first() == others.first()
    }
}

/// The assertions that a write's oracle shares with the first step of its follow-up: the derived ones, and the status. The oracle alone asserts the rest.
pub fn shared_with_follow_up(assertions: &[Assertion]) -> Vec<Assertion> {
    let kept = |a: &&Assertion| a.source == Source::Derived || matches!(a.check, Check::Status { .. });
    assertions.iter().filter(kept).cloned().collect()
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

impl Step {
    /// The operation and the assertions on its answer.
    pub fn asserted(&self) -> (&OpId, &[Assertion]) {
        (&self.op_id, &self.assertions)
    }
}
