//! What rows and details of the page look things up in, and what their short names mean.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::exported::Export;
use super::super::words;
use super::sources::Source;
use crate::types::check::{CheckFields, CheckedOracle};
use crate::types::evidence::EvidenceId;
use crate::types::op_id::OpId;
use crate::types::oracle::{Assertion, Confirmation, Confirmed, Engine, Source as Of, Strategy};
use crate::types::outcome::RunVerdict;
use crate::types::strength::Strength;

/// What the page shows beside the suite: what the revision that it is made from says, and what the last check has shown.
#[derive(Debug, Default)]
pub struct Beside {
    /// The revision: a shortened commit id, or `work tree`.
    pub revision: String,
    /// Where the entry of each operation stands: file and line.
    pub places: BTreeMap<OpId, (String, u32)>,
    /// What the document files each operation under.
    pub tags: BTreeMap<OpId, Vec<String>>,
    /// The cited code.
    pub sources: BTreeMap<EvidenceId, Source>,
    /// The last check.
    pub check: Option<CheckFields>,
    /// What was measured last of its strength.
    pub strength: Option<Strength>,
}

/// What rows and details look things up in.
pub(super) struct Known<'a> {
    pub(super) beside: &'a Beside,
    /// The cited code, in the order of its ids.
    pub(super) sources: Vec<&'a Source>,
    at: BTreeMap<&'a EvidenceId, usize>,
    pub(super) checked: BTreeMap<&'a str, &'a CheckedOracle>,
}

impl<'a> Known<'a> {
    pub(super) fn new(export: &Export<'a>, beside: &'a Beside) -> Self {
        // Of what is cited, what an exported operation names.
        let named = |id: &EvidenceId| export.operations.values().any(|suite| suite.context.evidence.contains_key(id));
        let sources: Vec<(&EvidenceId, &Source)> = beside.sources.iter().filter(|(id, _)| named(id)).collect();
        let checked = beside.check.iter().flat_map(|check| &check.oracles);
        Self {
            beside,
            at: sources.iter().enumerate().map(|(at, (id, _))| (*id, at)).collect(),
            sources: sources.into_iter().map(|(_, source)| source).collect(),
            checked: checked.map(|one| (one.id.as_str(), one)).collect(),
        }
    }

    /// Places of these citations in the list of cited code.
    pub(super) fn cited(&self, ids: &[EvidenceId]) -> Vec<usize> {
        ids.iter().filter_map(|id| self.at.get(id).copied()).collect()
    }

    /// What the last check has shown of this oracle or sequence; empty where it was not in it.
    pub(super) fn verdict(&self, id: &str) -> &'static str {
        self.checked.get(id).map_or("", |one| one.verdict.as_str())
    }
}

/// What the short names in rows mean.
#[derive(Debug, Serialize)]
pub(super) struct Words {
    strategies: BTreeMap<&'static str, &'static str>,
    states: BTreeMap<&'static str, &'static str>,
    verdicts: BTreeMap<&'static str, &'static str>,
    engines: BTreeMap<&'static str, &'static str>,
}

/// Who made something, as it is filtered by and in words.
pub(super) fn engine(engine: Engine) -> (&'static str, &'static str) {
    match engine {
        Engine::Rules => ("rules", words::engine(engine)),
        Engine::Agents => ("agents", words::engine(engine)),
        Engine::Human => ("human", words::engine(engine)),
    }
}

/// What running it has shown, as it is filtered by and in words.
pub(super) fn state(confirmation: &Confirmation) -> (&'static str, &'static str) {
    if confirmation.by_slice && confirmation.state == Confirmed::Unconfirmed {
        return IN_A_SLICE;
    }
    state_alone(confirmation.state)
}

/// The state of what held in a slice, and was asked of no service.
const IN_A_SLICE: (&str, &str) = ("slice", "held in a slice, asked of no service");

fn state_alone(state: Confirmed) -> (&'static str, &'static str) {
    match state {
        Confirmed::Confirmed => ("confirmed", "confirmed on a service"),
        Confirmed::Refuted => ("refuted", "refuted on a service"),
        Confirmed::Flaky => ("flaky", "held in some runs"),
        Confirmed::Unconfirmed => ("unconfirmed", "never run"),
    }
}

/// How many assertions are derived, and how many observed.
pub(super) fn by_source<'a>(assertions: impl Iterator<Item = &'a Assertion>) -> (usize, usize) {
    assertions.fold((0, 0), |(derived, observed), one| match one.source {
        Of::Derived => (derived + 1, observed),
        Of::Observed => (derived, observed + 1),
    })
}

/// The short names of rows with what they mean.
pub(super) fn meanings() -> Words {
    let verdict = |verdict: RunVerdict| match verdict {
        RunVerdict::Held => ("held", "every expectation was seen"),
        RunVerdict::Broken => ("broken", "an expectation was not seen"),
        RunVerdict::Refuted => ("refuted", "it never held: the candidate was wrong"),
        RunVerdict::Inconclusive => ("inconclusive", "whether it holds could not be told"),
        RunVerdict::Skipped => ("skipped", "it was not run"),
    };
    let states = [Confirmed::Confirmed, Confirmed::Flaky, Confirmed::Refuted, Confirmed::Unconfirmed];
    Words {
        strategies: Strategy::ALL.into_iter().map(|one| (one.as_str(), words::strategy(one))).collect(),
        states: states.into_iter().map(state_alone).chain([IN_A_SLICE]).collect(),
        verdicts: RunVerdict::ALL.into_iter().map(verdict).collect(),
        engines: [Engine::Rules, Engine::Agents, Engine::Human].into_iter().map(engine).collect(),
    }
}

/// What an operation is about: its path up to the first parameter.
pub(super) fn resource(op_id: &OpId) -> String {
    let path = op_id.path();
    let end = path.find('{').unwrap_or(path.len());
    match path[..end].trim_end_matches('/') {
        "" => "/".to_owned(),
        resource => resource.to_owned(),
    }
}
