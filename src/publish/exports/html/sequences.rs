//! Sequences as data of the page: rows, and steps with the values that flow between them, for the diagram.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::binds::captured;
use super::super::exported::Export;
use super::known::{PageIndex, by_source, engine, resource, state};
use super::operations::{Came, assumed, came, given};
use crate::wording::asked::{Expects, RequestView, VALUE, expected, of_step, taken_from};
use crate::wording::words;
use mastor_template::escape::{shorten, shorten_counted};
use mastor_types::op_id::OpId;
use mastor_types::suite::assertion::Check;
use mastor_types::suite::evidence::EvidenceId;
use mastor_types::suite::sequence::{Sequence, Step};

/// Maximum length of a description in a row, in characters.
const ABOUT: usize = 300;

/// A sequence in the list.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    id: String,
    name: String,
    about: String,
    pattern: &'static str,
    steps: usize,
    /// Indices of its operations on the page.
    operations: Vec<usize>,
    /// Names of its operations, for searching.
    asks: Vec<String>,
    state: &'static str,
    verdict: &'static str,
    origin: &'static str,
    derived: usize,
    observed: usize,
}

/// The details of an opened sequence.
#[derive(Debug, Serialize)]
pub(super) struct Detail {
    about: String,
    steps: Vec<StepDetail>,
    given: Vec<(String, Vec<usize>)>,
    assumes: Vec<(String, Vec<usize>)>,
    evidence: Vec<usize>,
    made: String,
    confirmed: String,
    varies: Vec<(String, String)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    came: Option<Came>,
}

#[derive(Debug, Serialize)]
struct StepDetail {
    op: String,
    /// The participant in the diagram.
    resource: String,
    ask: RequestView,
    /// Expected status, for the diagram.
    status: String,
    expects: Vec<Expects>,
    /// Name of a captured value, and the place of the request that receives it.
    puts: Vec<(String, String)>,
    /// Name of a captured value, and the place of the answer that it is taken from.
    takes: Vec<(String, String)>,
}

/// The row of a sequence; `place` gives each operation's index on the page.
pub(super) fn row(sequence: &Sequence, place: &BTreeMap<&OpId, usize>, known: &PageIndex<'_>) -> Row {
    let (derived, observed) = by_source(sequence.steps.iter().flat_map(|step| &step.assertions));
    let mut operations: Vec<usize> = sequence.steps.iter().filter_map(|step| place.get(&step.op_id).copied()).collect();
    operations.sort_unstable();
    operations.dedup();
    Row {
        id: sequence.s_id.clone(),
        name: shorten(&sequence.test_id, ABOUT),
        about: shorten(&sequence.description, ABOUT),
        pattern: words::pattern(sequence.pattern),
        steps: sequence.steps.len(),
        operations,
        asks: sequence.steps.iter().map(|step| step.op_id.to_string()).collect(),
        state: state(&sequence.confirmation).0,
        verdict: known.verdict(&sequence.s_id),
        origin: engine(sequence.origin.engine).0,
        derived,
        observed,
    }
}

/// The details of a sequence.
pub(super) fn detail(sequence: &Sequence, export: &Export<'_>, known: &PageIndex<'_>) -> Detail {
    let (confirmed, varies) = words::confirmed(&sequence.confirmation);
    // Only citations of the steps' operations are available.
    let named = |id: &&EvidenceId| {
        let contexts = sequence.steps.iter().filter_map(|step| export.operations.get(&step.op_id));
        contexts.into_iter().any(|suite| suite.context.evidence.contains_key(*id))
    };
    let evidence: Vec<EvidenceId> = sequence.evidence.iter().filter(named).cloned().collect();
    Detail {
        about: if sequence.description.chars().count() > ABOUT {
            shorten_counted(&sequence.description, VALUE)
        } else {
            String::new()
        },
        steps: sequence.steps.iter().map(step).collect(),
        given: given(&sequence.given, known),
        assumes: assumed(&sequence.assumes, known),
        evidence: known.cited(&evidence),
        made: words::origin(&sequence.origin),
        confirmed,
        varies,
        came: came(&sequence.s_id, known),
    }
}

fn step(step: &Step) -> StepDetail {
    let status = step.assertions.iter().find_map(|assertion| match &assertion.check {
        Check::Status { expected } => Some(expected.codes().iter().map(u16::to_string).collect::<Vec<_>>().join(", ")),
        _ => None,
    });
    let name = |bind: &str| captured(bind).unwrap_or(bind).to_owned();
    StepDetail {
        op: step.op_id.to_string(),
        resource: resource(&step.op_id),
        ask: of_step(step),
        status: status.unwrap_or_default(),
        expects: expected(&step.assertions),
        puts: step.binds.iter().map(|(place, from)| (name(from), place.clone())).collect(),
        takes: step.captures.iter().map(|(name, from)| (name.clone(), taken_from(from))).collect(),
    }
}

/// A sequence as shown without scripts.
#[derive(Debug, Serialize)]
pub(super) struct Listed {
    description: String,
    steps: Vec<String>,
}

/// The form of a sequence that is shown without scripts.
pub(super) fn listed(sequence: &Sequence) -> Listed {
    Listed {
        description: shorten(&sequence.description, ABOUT),
        steps: sequence.steps.iter().map(|step| shorten(&of_step(step).line, ABOUT)).collect(),
    }
}
