//! Look-up tables for the page's rows and details, and the meanings of its short names.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::exported::Export;
use super::sources::Source;
use crate::wording::words;
use mastor_types::op_id::OpId;
use mastor_types::results::check::{CheckFields, CheckedOracle};
use mastor_types::results::outcome::RunVerdict;
use mastor_types::results::strength::Strength;
use mastor_types::suite::assertion::{Assertion, Source as Of};
use mastor_types::suite::evidence::EvidenceId;
use mastor_types::suite::oracle::{Confirmation, Confirmed, Engine, Strategy};

/// Data that the page shows beside the suite: about the revision, the last check and the last strength measurement.
#[derive(Debug, Default)]
pub struct PageContext {
    /// The revision: a shortened commit id, or `work tree`.
    pub revision: String,
    /// File and line of each operation's entry method.
    pub places: BTreeMap<OpId, (String, u32)>,
    /// Tags of each operation in the OpenAPI document.
    pub tags: BTreeMap<OpId, Vec<String>>,
    /// The cited code.
    pub sources: BTreeMap<EvidenceId, Source>,
    /// The last check.
    pub check: Option<CheckFields>,
    /// The last strength measurement.
    pub strength: Option<Strength>,
}

/// Look-up tables for rows and details.
pub(super) struct PageIndex<'a> {
    pub(super) beside: &'a PageContext,
    /// The cited code, sorted by citation id.
    pub(super) sources: Vec<&'a Source>,
    at: BTreeMap<&'a EvidenceId, usize>,
    pub(super) checked: BTreeMap<&'a str, &'a CheckedOracle>,
}

impl<'a> PageIndex<'a> {
    pub(super) fn new(export: &Export<'a>, beside: &'a PageContext) -> Self {
        // Keep citations that an exported operation uses.
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

    /// Indices of these citations in `sources`.
    pub(super) fn cited(&self, ids: &[EvidenceId]) -> Vec<usize> {
        ids.iter().filter_map(|id| self.at.get(id).copied()).collect()
    }

    /// Verdict of the last check on an oracle or sequence; empty if it was not checked.
    pub(super) fn verdict(&self, id: &str) -> &'static str {
        self.checked.get(id).map_or("", |one| one.verdict.as_str())
    }
}

/// Meanings of the short names used in rows.
#[derive(Debug, Serialize)]
pub(super) struct Words {
    strategies: BTreeMap<&'static str, &'static str>,
    states: BTreeMap<&'static str, &'static str>,
    verdicts: BTreeMap<&'static str, &'static str>,
    engines: BTreeMap<&'static str, &'static str>,
}

/// Filter name and description of an engine.
pub(super) fn engine(engine: Engine) -> (&'static str, &'static str) {
    match engine {
        Engine::Rules => ("rules", words::engine(engine)),
        Engine::Agents => ("agents", words::engine(engine)),
        Engine::Human => ("human", words::engine(engine)),
    }
}

/// Filter name and description of a confirmation.
pub(super) fn state(confirmation: &Confirmation) -> (&'static str, &'static str) {
    if confirmation.by_slice && confirmation.state == Confirmed::Unconfirmed {
        return IN_A_SLICE;
    }
    state_alone(confirmation.state)
}

/// The state of an oracle that held in a slice but was not run on a service.
const IN_A_SLICE: (&str, &str) = ("slice", "held in a slice, asked of no service");

fn state_alone(state: Confirmed) -> (&'static str, &'static str) {
    match state {
        Confirmed::Confirmed => ("confirmed", "confirmed on a service"),
        Confirmed::Refuted => ("refuted", "refuted on a service"),
        Confirmed::Flaky => ("flaky", "held in some runs"),
        Confirmed::Unconfirmed => ("unconfirmed", "never run"),
    }
}

/// The numbers of derived and observed assertions.
pub(super) fn by_source<'a>(assertions: impl Iterator<Item = &'a Assertion>) -> (usize, usize) {
    assertions.fold((0, 0), |(derived, observed), one| match one.source {
        Of::Derived => (derived + 1, observed),
        Of::Observed => (derived, observed + 1),
    })
}

/// The meanings of all short names.
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

/// The resource of an operation: its path up to the first parameter.
pub(super) fn resource(op_id: &OpId) -> String {
    let path = op_id.path();
    let end = path.find('{').unwrap_or(path.len());
    match path[..end].trim_end_matches('/') {
        "" => "/".to_owned(),
        resource => resource.to_owned(),
    }
}
