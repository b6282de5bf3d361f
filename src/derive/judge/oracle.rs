//! Judges oracles: compares the code's answer to an oracle's request with the oracle's expectations.

use std::cell::OnceCell;

use serde_json::Value as Json;

use super::given;
use crate::oracles::opaque::ways;
use crate::search::explore::{Settled, is_denied, settle, settle_assuming};
use mastor_java::interpret::paths::path::Site;
use mastor_runtime::bench::Bench;
use mastor_runtime::body::shape::{AnswerBody, Shape, read};
use mastor_runtime::request::case::Case;
use mastor_runtime::server::opaquely::ComparablePath;
use mastor_runtime::subject::Subject;
use mastor_types::results::change::{ChangeEffect, Place};
use mastor_types::suite::assertion::{Check, FieldOp};
use mastor_types::suite::oracle::Oracle;

/// The judgement of a revision's code on an oracle.
#[derive(Debug, Clone, PartialEq)]
pub enum Judgement {
    /// The code answers with the expected status, and nothing known contradicts the other assertions.
    Holds,
    /// Undecided.
    Unknown,
    /// The code answers differently.
    Broken {
        /// The expectation, in words.
        before: String,
        /// The answer of the code, in words.
        after: String,
        /// The effect on clients.
        effect: ChangeEffect,
        /// Where the code decides the answer.
        place: Option<Place>,
    },
}

/// Judges an oracle on the code of a revision. Only exact contradictions count as broken.
pub fn judge(subject: &Subject<'_>, oracle: &Oracle) -> Judgement {
    on(&Bench::new(subject), &OnceCell::new(), oracle)
}

/// Judges the oracles of one operation on the code of a revision, in order.
pub fn judge_all(subject: &Subject<'_>, oracles: &[Oracle]) -> Vec<Judgement> {
    let (bench, opaque) = (Bench::new(subject), OnceCell::new());
    oracles.iter().map(|oracle| on(&bench, &opaque, oracle)).collect()
}

/// Paths on opaque values, computed if an oracle needs them; empty if they are incomplete.
type Opaque = OnceCell<Vec<ComparablePath>>;

fn on(bench: &Bench<'_>, opaque: &Opaque, oracle: &Oracle) -> Judgement {
    let Some(case) = Case::of_request(&oracle.input, &bench.signature) else { return Judgement::Unknown };
    let case = case.sent_by(&oracle.as_user);
    if oracle.needs_stubs() {
        return on_given(bench, opaque, (oracle, &case));
    }
    let run = bench.try_case(&case);
    let is_assumed = !oracle.assumes.is_empty();
    let assuming = || settle_assuming(&run).filter(|_| is_assumed).map(|(settled, _)| settled);
    let Some(settled) = settle(&run).or_else(assuming) else { return Judgement::Unknown };
    // A rejected caller says nothing about the answer to an accepted one.
    if is_assumed && is_denied(&settled) {
        return on_given(bench, opaque, (oracle, &case));
    }
    for assertion in &oracle.assertions {
        if let Some((before, after)) = contradiction(&assertion.check, &settled) {
            let effect = effect(&assertion.check, settled.status);
            let place = settled.exit.map(|site| place(bench.subject, site));
            return Judgement::Broken { before, after, effect, place };
        }
    }
    Judgement::Holds
}

/// Judges an oracle that needs more than the initial state of the service, by its status only.
fn on_given(bench: &Bench<'_>, opaque: &Opaque, (oracle, case): (&Oracle, &Case)) -> Judgement {
    let ways = opaque.get_or_init(|| match bench.runs_opaquely() {
        true => Some(ways(bench)).filter(|(_, complete)| *complete).map(|(ways, _)| ways).unwrap_or_default(),
        false => Vec::new(),
    });
    let Some((status, ended)) = given::way(bench, ways, (oracle, case)) else { return Judgement::Unknown };
    let expected = oracle.statuses();
    if expected.is_empty() || expected.contains(&status) {
        return Judgement::Holds;
    }
    let effect = expected.iter().map(|code| ChangeEffect::of_statuses(*code, status)).min();
    Judgement::Broken {
        before: expected.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or "),
        after: status.to_string(),
        effect: effect.unwrap_or(ChangeEffect::Unclear),
        place: ended.path.exit.map(|site| place(bench.subject, site)),
    }
}

/// The effect on clients if an expectation is broken by an answer with this status.
pub(crate) fn effect(check: &Check, status: u16) -> ChangeEffect {
    match check {
        Check::Status { expected } => expected
            .codes()
            .into_iter()
            .map(|code| ChangeEffect::of_statuses(code, status))
            .min()
            .unwrap_or(ChangeEffect::Unclear),
        Check::Field { path, op: FieldOp::Equals, .. } => ChangeEffect::of_value(status, path),
        _ => ChangeEffect::Breaking,
    }
}

/// The expectation and the answer in words, if they contradict each other.
pub(crate) fn contradiction(check: &Check, settled: &Settled) -> Option<(String, String)> {
    match check {
        Check::Status { expected } => {
            let codes = expected.codes();
            let expected: Vec<String> = codes.iter().map(ToString::to_string).collect();
            (!codes.contains(&settled.status)).then(|| (expected.join(" or "), settled.status.to_string()))
        }
        Check::Field { path, op: FieldOp::Equals, expected: Some(expected) } => {
            let found = match &settled.body {
                AnswerBody::Text(text, label) if path.is_empty() => read(text, *label)?,
                AnswerBody::Json(shape) => at(shape, path)?.exact()?,
                _ => return None,
            };
            let name = if path.is_empty() { "the body" } else { path };
            (!same(&found, expected)).then(|| (format!("{name} is {expected}"), format!("{name} is {found}")))
        }
        Check::Field { path, op: FieldOp::SameItems, expected: Some(expected @ Json::Array(wanted)) } => {
            let AnswerBody::Json(shape) = &settled.body else { return None };
            let found = at(shape, path)?.items()?;
            let name = if path.is_empty() { "the body" } else { path };
            (!same_items(&found, wanted))
                .then(|| (format!("{name} holds {expected}"), format!("{name} holds {}", Json::Array(found))))
        }
        Check::Field { path, op: FieldOp::Keys, expected: Some(Json::Array(expected)) } => {
            let AnswerBody::Json(shape) = &settled.body else { return None };
            let Shape::Object(fields) = at(shape, path)? else { return None };
            let mut wanted: Vec<&str> = expected.iter().filter_map(Json::as_str).collect();
            let mut found: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
            wanted.sort_unstable();
            found.sort_unstable();
            (wanted != found).then(|| {
                (format!("has the fields {}", wanted.join(", ")), format!("has the fields {}", found.join(", ")))
            })
        }
        _ => None,
    }
}

/// Whether two JSON values are equal; numbers are compared by value.
pub fn same(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Number(x), Json::Number(y)) => x == y || x.as_f64() == y.as_f64() && (x.is_f64() || y.is_f64()),
        (Json::Array(x), Json::Array(y)) => x.len() == y.len() && x.iter().zip(y).all(|(a, b)| same(a, b)),
        (Json::Object(x), Json::Object(y)) => {
            x.len() == y.len() && x.iter().all(|(key, value)| y.get(key).is_some_and(|other| same(value, other)))
        }
        _ => a == b,
    }
}

/// Whether two lists are equal as multisets of JSON values.
pub fn same_items(a: &[Json], b: &[Json]) -> bool {
    let mut left: Vec<&Json> = b.iter().collect();
    a.len() == b.len()
        && a.iter().all(|item| match left.iter().position(|other| same(item, other)) {
            Some(at) => {
                left.swap_remove(at);
                true
            }
            None => false,
        })
}

/// The shape at a field path.
pub(crate) fn at<'s>(shape: &'s Shape, path: &str) -> Option<&'s Shape> {
    let mut here = shape;
    for part in path.split('.').filter(|part| !part.is_empty()) {
        let Shape::Object(fields) = here else { return None };
        here = fields.iter().find(|(name, _)| name == part).map(|(_, shape)| shape)?;
    }
    Some(here)
}

/// A location in the code, for reports.
pub fn place(subject: &Subject<'_>, site: Site) -> Place {
    let (file, line) = subject.project.shown(site.member.ty, site.span.line);
    Place {
        file,
        line,
        end_line: line + (site.span.end_line - site.span.line),
        symbol: subject.project.symbol(site.member),
    }
}
