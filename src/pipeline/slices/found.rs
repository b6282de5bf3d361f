//! Oracles made from what a search in slices found: the request, what stubs returned, and the status and form of the
//! answer.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::jobs::{VIEW, answers, header, left_out};
use super::observed::{Observed, observed};
use super::search::{SearchAttempt, SearchTarget};
use super::session::Session;
use mastor_probe::answers::judge::Parsed;
use mastor_probe::answers::select::kind;
use mastor_probe::answers::shapes::shape_of;
use mastor_suite::load::OperationSuite;
use mastor_suite::tidy::tidy;
use mastor_types::results::outcome::Answer;
use mastor_types::suite::assertion::{Assertion, BodyOp, Check, FieldOp, Source, StatusSet};
use mastor_types::suite::assumption::Assumption;
use mastor_types::suite::evidence::Evidence;
use mastor_types::suite::oracle::{Confirmation, Oracle, Strategy};

/// Oracles of one operation, at most.
const MOST: usize = 4;
/// Fields whose types are asserted, at most.
const FIELDS: usize = 24;

/// An oracle that a search found, with its citation.
pub type Found = (Oracle, Evidence);

/// The oracles of a search: the first answer of each new status, asked again to see that the answer is stable.
pub(super) async fn oracles(
    session: &mut Session<'_>,
    sought: &SearchTarget,
    tried: &[SearchAttempt],
    known: &BTreeSet<u16>,
) -> Vec<Found> {
    let mut statuses = known.clone();
    let mut found = Vec::new();
    let (good, other): (Vec<&SearchAttempt>, Vec<&SearchAttempt>) = tried.iter().partition(|one| one.is_good());
    for one in good.into_iter().chain(other) {
        // A server error is not asserted.
        if one.answer.status >= 500 || found.len() >= MOST || statuses.contains(&one.answer.status) {
            continue;
        }
        let mut oracle = oracle(sought, one);
        if left_out(&oracle).is_some() {
            continue;
        }
        let again = [session.ask_once(&oracle, None).await, session.ask_once(&oracle, None).await];
        if answers(&again).iter().all(|answer| shape_of(answer) == shape_of(&one.answer)) {
            let bare = Oracle { assertions: oracle.assertions[..1].to_vec(), ..oracle.clone() };
            let Observed { assertions, events } = observed(&bare, &again, session.base_url());
            // Assertions on observed values replace those on the form.
            if !assertions.is_empty() {
                oracle.assertions.truncate(1);
                oracle.assertions.extend(assertions);
            }
            oracle.events = events;
            statuses.insert(one.answer.status);
            found.push((oracle, sought.evidence.clone()));
        }
    }
    found
}

fn oracle(sought: &SearchTarget, tried: &SearchAttempt) -> Oracle {
    let status = tried.answer.status;
    let strategy = if status < 400 { Strategy::Fv } else { Strategy::Fi };
    let given: Vec<String> = tried.oracle.given.iter().map(|given| given.what()).collect();
    let given = if given.is_empty() { String::new() } else { format!(" given {}", given.join(" and ")) };
    let let_in = "what runs before the handler lets the request pass".to_owned();
    let view = header(&tried.answer, VIEW).map(|view| format!("the view `{view}` is rendered"));
    let assumed = [Some(let_in), view].into_iter().flatten();
    Oracle {
        test_id: format!("{}_{status}_seen", strategy.as_str()),
        description: format!("Answers {status}{given}."),
        strategy,
        assertions: assertions(&tried.answer),
        assumes: assumed.map(|what| Assumption::of(what, sought.evidence.id())).collect(),
        rationale: "The handler answered so in a slice; the request and what stubs give were found by a search."
            .to_owned(),
        confirmation: Confirmation { by_slice: true, made_from: sought.made_from, ..Confirmation::none() },
        ..tried.oracle.clone()
    }
}

/// Assertions on the status and the form of an answer: its values may come from stubs, and would differ on a service.
fn assertions(answer: &Answer) -> Vec<Assertion> {
    let mut all = vec![Check::Status { expected: StatusSet::One(answer.status) }];
    if header(answer, VIEW).is_some() {
        return vec![Assertion { check: all.remove(0), source: Source::Observed }];
    }
    if answer.body.is_empty() {
        all.push(Check::Body { op: BodyOp::Empty, expected: None });
    } else if !answer.media_type().is_empty() {
        all.push(Check::Body { op: BodyOp::MediaType, expected: Some(answer.media_type()) });
    }
    let mut field = |path: &str, op: FieldOp, expected: Value| {
        all.push(Check::Field { path: path.to_owned(), op, expected: Some(expected) });
    };
    match Parsed::of(answer).into_value() {
        Some(Value::Object(fields)) if fields.len() <= FIELDS => {
            let keys: BTreeSet<&String> = fields.keys().collect();
            field("", FieldOp::Keys, json!(keys));
            let plain =
                |key: &str| !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            for (key, value) in fields.iter().filter(|(key, _)| plain(key)) {
                field(key, FieldOp::Type, json!(kind(value)));
            }
        }
        Some(Value::Array(items)) => {
            field("", FieldOp::Type, json!("array"));
            if let Some(Value::Object(fields)) = items.first().filter(|_| items.len() == 1) {
                let keys: BTreeSet<&String> = fields.keys().collect();
                field("[0]", FieldOp::Keys, json!(keys));
            }
        }
        Some(other) => field("", FieldOp::Type, json!(kind(&other))),
        None => {}
    }
    all.into_iter().map(|check| Assertion { check, source: Source::Observed }).collect()
}

/// Adds what a search found of an operation to its suite; gives how many oracles were added.
pub fn add(suite: &mut OperationSuite, found: &[Found]) -> usize {
    let before = suite.oracles.len();
    for (oracle, evidence) in found {
        if oracle.op_id != suite.context.op_id || suite.oracles.iter().any(|known| known.o_id == oracle.o_id) {
            continue;
        }
        let mut oracle = oracle.clone();
        if suite.oracles.iter().any(|known| known.test_id == oracle.test_id) {
            oracle.test_id = format!("{}_{}", oracle.test_id, oracle.o_id.get(..4).unwrap_or_default());
        }
        suite.context.evidence.insert(evidence.id(), evidence.clone());
        suite.oracles.push(oracle);
    }
    let added = suite.oracles.len() - before;
    if added > 0 {
        *suite = tidy(suite.clone());
    }
    added
}
