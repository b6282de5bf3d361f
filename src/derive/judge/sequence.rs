//! Judges sequences: compares the code's answers to the steps of a committed sequence with the expectations of the
//! steps.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::Value as Json;

use super::oracle::{at, contradiction, effect, place};
use crate::search::explore::Settled;
use crate::sequences::tour::{Visit, tour};
use mastor_runtime::bench::Bench;
use mastor_runtime::body::shape::{AnswerBody, Shape};
use mastor_runtime::request::case::Case;
use mastor_runtime::subject::Subject;
use mastor_types::results::change::{ChangeEffect, Place};
use mastor_types::suite::assertion::Check;
use mastor_types::suite::binds::{bound_body, captured};
use mastor_types::suite::input::{Body, Input};
use mastor_types::suite::sequence::{Sequence, Step};

/// The judgement of a revision's code on a sequence.
#[derive(Debug, Clone, PartialEq)]
pub enum StepsJudgement {
    /// Every step has a certain answer, and nothing known contradicts its expectations.
    Hold,
    /// Undecided.
    Unknown,
    /// A step is answered differently; the steps before it hold.
    Broken {
        /// Index of the step.
        step: usize,
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

/// The value of a capture.
enum CapturedValue {
    /// A key that a store generated.
    Key(Rc<str>),
    /// A value.
    Value(Json),
}

/// Judges a sequence on the code of a revision, with one subject for each step.
pub fn judge_steps(subjects: &[Subject<'_>], sequence: &Sequence) -> StepsJudgement {
    judge_on(&subjects.iter().map(Bench::new).collect::<Vec<_>>(), sequence)
}

/// Judges a sequence on benches, one for each step; the code of the first bench runs.
pub(crate) fn judge_on(benches: &[Bench<'_>], sequence: &Sequence) -> StepsJudgement {
    let mut held: BTreeMap<String, CapturedValue> = BTreeMap::new();
    let mut cases: Vec<Case> = Vec::new();
    for (index, (step, bench)) in sequence.steps.iter().zip(benches).enumerate() {
        let Some(case) = case(step, bench, &held) else { return StepsJudgement::Unknown };
        cases.push(case);
        let visits: Vec<Visit<'_>> =
            cases.iter().zip(benches).map(|(case, bench)| Visit { bench, case: case.clone() }).collect();
        let settled = tour(&visits).and_then(|mut toured| toured.came.pop()).and_then(|came| came.settled);
        let Some(settled) = settled else { return StepsJudgement::Unknown };
        let names = |check: &Check| matches!(check, Check::Field { expected: Some(Json::String(text)), .. } if captured(text).is_some());
        for check in step.assertions.iter().map(|assertion| &assertion.check).filter(|check| !names(check)) {
            if let Some((before, after)) = contradiction(check, &settled) {
                return StepsJudgement::Broken {
                    step: index,
                    before,
                    after,
                    effect: effect(check, settled.status),
                    place: settled.exit.map(|site| place(bench.subject, site)),
                };
            }
        }
        for (name, source) in &step.captures {
            if let Some(value) = capture(source, &settled) {
                held.insert(name.clone(), value);
            }
        }
    }
    StepsJudgement::Hold
}

fn capture(source: &str, settled: &Settled) -> Option<CapturedValue> {
    if let Some(path) = source.strip_prefix("body:") {
        let AnswerBody::Json(shape) = &settled.body else { return None };
        return match at(shape, path)? {
            Shape::Key(key, _) => Some(CapturedValue::Key(key.clone())),
            other => other.exact().map(CapturedValue::Value),
        };
    }
    (source == "header:Location#tail").then(|| settled.made.clone().map(CapturedValue::Key)).flatten()
}

/// The request of a step, with captured values filled in.
fn case(step: &Step, bench: &Bench<'_>, held: &BTreeMap<String, CapturedValue>) -> Option<Case> {
    let mut input = step.input.clone();
    let mut keys: BTreeMap<String, Rc<str>> = BTreeMap::new();
    for (place, bind) in &step.binds {
        let name = captured(bind)?;
        let value = match held.get(name)? {
            CapturedValue::Key(key) => {
                keys.insert(name.to_owned(), key.clone());
                Json::String(bind.clone())
            }
            CapturedValue::Value(value) => value.clone(),
        };
        put(&mut input, place, bind, value)?;
    }
    let case = Case::of_request(&input, &bench.signature)?.sent_by(&step.as_user);
    Some(Case { captured: keys, ..case })
}

/// Puts a value into a request.
fn put(input: &mut Input, place: &str, bind: &str, value: Json) -> Option<()> {
    let text = match &value {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    };
    let (kind, name) = place.split_once('.')?;
    let set = |list: &mut Vec<(String, String)>| {
        list.retain(|(known, _)| known != name);
        list.push((name.to_owned(), text.clone()));
    };
    match kind {
        "path" => {
            input.path.insert(name.to_owned(), text.clone());
        }
        "query" => set(&mut input.query),
        "header" => set(&mut input.headers),
        "cookie" => set(&mut input.cookies),
        "body" => {
            let Some(Body::Json { json }) = &mut input.body else { return None };
            let binds = BTreeMap::from([(place.to_owned(), bind.to_owned())]);
            *json = bound_body(json, &binds)?;
            fill(json, bind, &value);
        }
        _ => return None,
    }
    Some(())
}

/// Replaces a marker by a value.
fn fill(json: &mut Json, mark: &str, value: &Json) {
    match json {
        Json::String(text) if text == mark => *json = value.clone(),
        Json::Array(items) => items.iter_mut().for_each(|item| fill(item, mark, value)),
        Json::Object(fields) => fields.values_mut().for_each(|item| fill(item, mark, value)),
        _ => {}
    }
}
