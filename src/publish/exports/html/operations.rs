//! Operations and oracles as data of the page: rows are loaded when it opens, details when an operation is opened.

use serde::Serialize;

use super::known::{PageIndex, by_source, engine, resource, state};
use crate::wording::asked::{Expects, RequestView, VALUE, expected_of, of_oracle};
use crate::wording::words;
use mastor_suite::OperationSuite;
use mastor_template::escape::{shorten, shorten_counted};
use mastor_types::op_id::OpId;
use mastor_types::results::check::Failing;
use mastor_types::suite::assumption::Assumption;
use mastor_types::suite::evidence::EvidenceId;
use mastor_types::suite::given::Given;
use mastor_types::suite::oracle::Oracle;
use mastor_types::suite::sequence::Sequence;

/// Maximum length of a description in a row, in characters.
const ABOUT: usize = 300;

/// An operation in the list.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    method: &'static str,
    path: String,
    /// Anchor of links to it.
    anchor: String,
    entry: Option<String>,
    /// File and line of the entry.
    place: Option<String>,
    /// How many of its mutants are killed, if measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    strength: Option<String>,
    tags: Vec<String>,
    oracles: Vec<OracleRow>,
    /// Indices of the sequences that use the operation.
    sequences: Vec<usize>,
}

/// An oracle in the list; a tuple, to keep the data small.
///
/// Id, name, description, strategy, confirmation, verdict, origin, statuses, derived and observed assertions.
type OracleRow = (String, String, String, &'static str, &'static str, &'static str, &'static str, String, usize, usize);

/// The details of an opened operation.
#[derive(Debug, Serialize)]
pub(super) struct Detail {
    /// Name, place, type, whether required, constraints, evidence.
    params: Vec<(String, String, String, bool, String, Vec<usize>)>,
    statuses: Vec<u16>,
    /// Path, type, whether it can be null, evidence.
    fields: Vec<(String, String, Option<bool>, Vec<usize>)>,
    /// Status, condition, evidence.
    errors: Vec<(u16, String, Vec<usize>)>,
    pending: Vec<String>,
    oracles: Vec<OracleDetail>,
}

#[derive(Debug, Serialize)]
struct OracleDetail {
    about: String,
    ask: RequestView,
    expects: Vec<Expects>,
    given: Vec<(String, Vec<usize>)>,
    assumes: Vec<(String, Vec<usize>)>,
    because: String,
    evidence: Vec<usize>,
    made: String,
    confirmed: String,
    /// Path and class of varying fields.
    varies: Vec<(String, String)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    came: Option<Came>,
}

/// The result of the last check.
#[derive(Debug, Serialize)]
pub(super) struct Came {
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missed: Option<Missed>,
}

#[derive(Debug, Serialize)]
struct Missed {
    step: usize,
    /// Expected and seen values.
    unmet: Vec<(String, String)>,
    answer: Option<(u16, String)>,
    requests: Vec<String>,
}

/// The row of an operation; `sequences` are all sequences on the page.
pub(super) fn row(op_id: &OpId, suite: &OperationSuite, sequences: &[&Sequence], known: &PageIndex<'_>) -> Row {
    let asks = |sequence: &&Sequence| sequence.steps.iter().any(|step| step.op_id == *op_id);
    Row {
        method: op_id.method().as_str(),
        path: op_id.path().to_owned(),
        anchor: format!("op-{}", op_id.slug()),
        entry: suite.context.entry.as_ref().map(|entry| format!("{}#{}", entry.class, entry.method)),
        place: known.beside.places.get(op_id).map(|(file, line)| format!("{file}:{line}")),
        strength: strength(op_id, known),
        tags: tags(op_id, known),
        oracles: suite.oracles.iter().map(|oracle| oracle_row(oracle, known)).collect(),
        sequences: sequences.iter().enumerate().filter(|(_, one)| asks(one)).map(|(at, _)| at).collect(),
    }
}

/// `12 of 13 mutants noticed`, without mutants that only start-up code reaches.
fn strength(op_id: &OpId, known: &PageIndex<'_>) -> Option<String> {
    let rows = &known.beside.strength.as_ref()?.operations;
    let score = &rows.iter().find(|row| row.name == op_id.as_str())?.score;
    let undecided = if score.undecided > 0 { format!(", {} undecided", score.undecided) } else { String::new() };
    let met = score.mutants - score.start_up;
    (met > 0).then(|| format!("{} of {} noticed{undecided}", score.killed, words::count(met, "mutant")))
}

/// The operation's tags in the document, otherwise its resource.
fn tags(op_id: &OpId, known: &PageIndex<'_>) -> Vec<String> {
    match known.beside.tags.get(op_id) {
        Some(tags) if !tags.is_empty() => tags.clone(),
        _ => vec![resource(op_id)],
    }
}

fn oracle_row(oracle: &Oracle, known: &PageIndex<'_>) -> OracleRow {
    let (derived, observed) = by_source(oracle.assertions.iter());
    let statuses: Vec<String> = oracle.statuses().iter().map(u16::to_string).collect();
    (
        oracle.o_id.clone(),
        shorten(&oracle.test_id, ABOUT),
        shorten(&oracle.description, ABOUT),
        oracle.strategy.as_str(),
        state(&oracle.confirmation).0,
        known.verdict(&oracle.o_id),
        engine(oracle.origin.engine).0,
        statuses.join(" "),
        derived,
        observed,
    )
}

/// The details of an operation.
pub(super) fn detail(suite: &OperationSuite, known: &PageIndex<'_>) -> Detail {
    let context = &suite.context;
    let one = |id: &EvidenceId| known.cited(std::slice::from_ref(id));
    let schema = &context.response_schema;
    let mut statuses = schema.success_statuses.clone();
    statuses.extend(schema.success_status.filter(|status| !statuses.contains(status)));
    let constraints = |list: &[mastor_types::suite::source_context::Constraint]| {
        list.iter().map(|constraint| constraint.kind.to_string()).collect::<Vec<_>>().join("; ")
    };
    Detail {
        params: context
            .request_params
            .iter()
            .map(|p| {
                let place = format!("{:?}", p.location).to_lowercase();
                (p.name.clone(), place, p.ty.clone(), p.required, constraints(&p.constraints), one(&p.evidence))
            })
            .collect(),
        statuses,
        fields: schema.fields.iter().map(|f| (f.path.clone(), f.ty.clone(), f.nullable, one(&f.evidence))).collect(),
        errors: schema.error_cases.iter().map(|e| (e.status, e.condition.clone(), one(&e.evidence))).collect(),
        pending: words::pending(context),
        oracles: suite.oracles.iter().map(|oracle| oracle_detail(oracle, known)).collect(),
    }
}

fn oracle_detail(oracle: &Oracle, known: &PageIndex<'_>) -> OracleDetail {
    let (confirmed, varies) = words::confirmed(&oracle.confirmation);
    OracleDetail {
        about: if oracle.description.chars().count() > ABOUT {
            shorten_counted(&oracle.description, VALUE)
        } else {
            String::new()
        },
        ask: of_oracle(&oracle.op_id, &oracle.as_user, &oracle.input),
        expects: expected_of(oracle),
        given: given(&oracle.given, known),
        assumes: assumed(&oracle.assumes, known),
        because: shorten_counted(&oracle.rationale, VALUE),
        evidence: known.cited(&oracle.evidence),
        made: words::origin(&oracle.origin),
        confirmed,
        varies,
        came: came(&oracle.o_id, known),
    }
}

/// Needed data, each with the code that it follows from.
pub(super) fn given(given: &[Given], known: &PageIndex<'_>) -> Vec<(String, Vec<usize>)> {
    given.iter().map(|g| (shorten_counted(&g.what(), VALUE), known.cited(std::slice::from_ref(&g.evidence)))).collect()
}

pub(super) fn assumed(assumes: &[Assumption], known: &PageIndex<'_>) -> Vec<(String, Vec<usize>)> {
    assumes
        .iter()
        .map(|a| (shorten_counted(&a.words(), VALUE), known.cited(std::slice::from_ref(&a.evidence))))
        .collect()
}

/// The result of the last check, if it says more than the verdict.
pub(super) fn came(id: &str, known: &PageIndex<'_>) -> Option<Came> {
    let checked = known.checked.get(id)?;
    let missed = checked.failure.as_ref().map(missed);
    let reason = checked.reason.as_deref().map(|reason| shorten_counted(reason, VALUE));
    (reason.is_some() || missed.is_some()).then_some(Came { reason, missed })
}

fn missed(failing: &Failing) -> Missed {
    let first = (failing.expected.as_str(), failing.seen.as_str());
    let more = failing.more.iter().map(|unmet| (unmet.expected.as_str(), unmet.seen.as_str()));
    let cut = |text: &str| shorten_counted(text, VALUE);
    Missed {
        step: failing.step,
        unmet: [first].into_iter().chain(more).map(|(expected, seen)| (cut(expected), cut(seen))).collect(),
        answer: failing.answer.as_ref().map(|answer| (answer.status, cut(&answer.body))),
        requests: failing.requests.iter().map(|request| cut(request)).collect(),
    }
}
