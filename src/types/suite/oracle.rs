//! Oracles: a request, assertions on its answer, and the code they are derived from (MASTOR paper, section 4.4).

use serde::{Deserialize, Serialize};

use super::assertion::{Assertion, statuses};
use super::assumption::Assumption;
use super::events::Event;
use super::evidence::{Evidence, EvidenceId};
use super::given::Given;
use super::input::{Input, identity};
use crate::hash::Hash;
use crate::op_id::OpId;

/// Forward or backward reasoning, valid or invalid input (MASTOR paper, table of strategies).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Strategy {
    /// Forward, valid: input → response.
    Fv,
    /// Forward, invalid: input → error status.
    Fi,
    /// Backward, valid: constraints → inputs.
    Bv,
    /// Backward, invalid: error case → input.
    Bi,
}

impl Strategy {
    /// All four, in listing order.
    pub const ALL: [Self; 4] = [Self::Fv, Self::Fi, Self::Bv, Self::Bi];

    /// `fv`, `fi`, `bv` or `bi`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Fv => "fv",
            Self::Fi => "fi",
            Self::Bv => "bv",
            Self::Bi => "bi",
        }
    }
}

/// A single-operation oracle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Oracle {
    /// Hash of what is asked ([`Oracle::identity`]), not of what is expected: a new expectation is a change of the same oracle.
    pub o_id: String,
    /// The operation.
    pub op_id: OpId,
    /// Readable name, unique within the operation, such as `fi_code_too_short`.
    pub test_id: String,
    /// One sentence for people.
    pub description: String,
    /// How it was reasoned.
    pub strategy: Strategy,
    /// `anonymous`, or the name of a user of the auth file.
    #[serde(rename = "as")]
    pub as_user: String,
    /// The request.
    pub input: Input,
    /// What must be seen.
    pub assertions: Vec<Assertion>,
    /// Calls that must be made of what is outside, each at least once; only slices see them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Event>,
    /// Whether running it may change state.
    pub effect: Effect,
    /// Data that it needs, beside its request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<Given>,
    /// What it takes to be so without the code saying it; nothing where it is certain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumes: Vec<Assumption>,
    /// Citations, by id in the operation's source context.
    pub evidence: Vec<EvidenceId>,
    /// Why the expectation follows from the evidence.
    pub rationale: String,
    /// Who made it.
    pub origin: Origin,
    /// What running it has shown.
    pub confirmation: Confirmation,
}

impl Oracle {
    /// An oracle without assertions, used to send a request and record its answer.
    pub fn question(op_id: &OpId, as_user: &str, input: Input, effect: Effect) -> Self {
        Self {
            o_id: Self::identity(op_id, as_user, &input),
            op_id: op_id.clone(),
            test_id: "question".to_owned(),
            description: String::new(),
            strategy: Strategy::Fv,
            as_user: as_user.to_owned(),
            input,
            assertions: Vec::new(),
            events: Vec::new(),
            effect,
            given: Vec::new(),
            assumes: Vec::new(),
            evidence: Vec::new(),
            rationale: String::new(),
            origin: Origin::rules(),
            confirmation: Confirmation::none(),
        }
    }

    /// The oracle id ([`identity`]).
    pub fn identity(op_id: &OpId, as_user: &str, input: &Input) -> String {
        identity(op_id, as_user, input)
    }

    /// The oracle id with stubs: also hashes the ids of the stubs in `given`, so that other stubs give another id.
    pub fn identity_given(op_id: &OpId, as_user: &str, input: &Input, given: &[Given]) -> String {
        let stubs: Vec<&str> =
            given.iter().filter_map(|given| given.stub.as_ref()).map(|stub| stub.id.as_str()).collect();
        let asked = Self::identity(op_id, as_user, input);
        if stubs.is_empty() {
            return asked;
        }
        Hash::of_parts(std::iter::once(asked.as_str()).chain(stubs).map(str::as_bytes)).short(16)
    }

    /// The id of a second reading: what an agent says of the request of the oracle with this id, where the rules have an
    /// oracle already.
    pub fn second_reading(o_id: &str) -> String {
        Hash::of_parts([o_id.as_bytes(), b"second reading"]).short(16)
    }

    /// Whether the oracle needs stubs, so that it cannot run on a service.
    pub fn needs_stubs(&self) -> bool {
        !self.given.iter().all(Given::is_from_start)
    }

    /// How certain the expectation is.
    pub fn certainty(&self) -> Certainty {
        Certainty::of(&self.confirmation, &self.given, &self.assumes)
    }

    /// The operation and the assertions on its answer.
    pub fn asserted(&self) -> (&OpId, &[Assertion]) {
        (&self.op_id, &self.assertions)
    }

    /// The status codes that the status assertion allows; empty without one.
    pub fn statuses(&self) -> Vec<u16> {
        statuses(&self.assertions)
    }
}

/// The numbers of oracles that count and of those that are only assumed.
pub fn counted(oracles: &[Oracle]) -> (usize, usize) {
    let counted = oracles.iter().filter(|oracle| oracle.certainty().counts()).count();
    (counted, oracles.len() - counted)
}

/// Whether running it may change state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// Leaves state as it is.
    Reads,
    /// May change state.
    Writes,
}

/// How certain an expectation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// The oracle held on the service.
    Confirmed,
    /// The expectation follows from the code without assumptions.
    Certain,
    /// The expectation follows from the code under named assumptions, or needs data that the service does not start
    /// with.
    Assumed,
    /// The oracle did not hold, or not every time.
    Refuted,
}

impl Certainty {
    /// The certainty that follows from confirmation, needed data and assumptions.
    pub fn of(confirmation: &Confirmation, given: &[Given], assumes: &[Assumption]) -> Self {
        match confirmation.state {
            Confirmed::Confirmed => Self::Confirmed,
            Confirmed::Refuted | Confirmed::Flaky => Self::Refuted,
            Confirmed::Unconfirmed if assumes.is_empty() && given.iter().all(Given::is_from_start) => Self::Certain,
            Confirmed::Unconfirmed => Self::Assumed,
        }
    }

    /// Whether the oracle is counted, and is run by JUnit and Postman: all but assumed ones.
    pub fn counts(self) -> bool {
        self != Self::Assumed
    }

    /// `certain`, `assumed`, `confirmed` or `refuted`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Certain => "certain",
            Self::Assumed => "assumed",
            Self::Refuted => "refuted",
        }
    }
}

/// Who made an oracle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// The maker.
    pub engine: Engine,
    /// The model's name, where one made it.
    #[serde(default)]
    pub model: Option<String>,
    /// What the challenger said.
    pub challenger: Challenger,
}

impl Origin {
    /// The origin of an oracle made by the rules engine.
    pub fn rules() -> Self {
        Self { engine: Engine::Rules, model: None, challenger: Challenger::Skipped }
    }
}

/// The maker of an oracle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// The rules engine.
    Rules,
    /// The agents.
    Agents,
    /// A person.
    Human,
}

/// The challenger's verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Challenger {
    /// Reviewed without a hint.
    Passed,
    /// Regenerated on a hint.
    Hinted,
    /// Not reviewed.
    Skipped,
}

/// What running an oracle has shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Confirmation {
    /// The state.
    pub state: Confirmed,
    /// Number of runs it rests on.
    pub runs: u32,
    /// Fields whose values vary.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quarantined: Vec<Quarantined>,
    /// While it is unconfirmed: the fingerprint of the operation that it was made from. Where it does not hold on other code, that may be a
    /// regression, and no proof that it was wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made_from: Option<Hash>,
    /// Whether it holds only on the state that the service starts with: behind other requests of the suite, in one order or in the opposite one,
    /// it did not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fresh_state: bool,
    /// Whether it held in a slice, which says nothing of what it assumes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_slice: bool,
}

impl Confirmation {
    /// The state before any run.
    pub fn none() -> Self {
        Self {
            state: Confirmed::Unconfirmed,
            runs: 0,
            quarantined: Vec::new(),
            made_from: None,
            fresh_state: false,
            by_slice: false,
        }
    }

    /// Confirmed by this many runs; `quarantined` lists the fields that varied.
    pub fn confirmed(runs: u32, quarantined: Vec<Quarantined>) -> Self {
        Self { state: Confirmed::Confirmed, runs, quarantined, ..Self::none() }
    }
}

/// States of confirmation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Confirmed {
    /// Held each time.
    Confirmed,
    /// Did not hold.
    Refuted,
    /// Held sometimes.
    Flaky,
    /// Never run.
    Unconfirmed,
}

/// A field that varies from run to run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Quarantined {
    /// Path of the field.
    pub path: String,
    /// Class of variation, such as `time`.
    pub why: String,
}

/// An oracle with the citations it rests on, before normalisation. Engines return candidates.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The oracle.
    pub oracle: Oracle,
    /// Its citations.
    pub citations: Vec<Evidence>,
}
