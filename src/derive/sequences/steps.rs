//! Steps of a sequence: requests with bound values, and captures from their answers.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::{Value as Json, json};

use super::tour::Visit;
use crate::oracles::candidates::assertions;
use crate::search::explore::Settled;
use mastor_runtime::body::shape::{AnswerBody, Shape};
use mastor_runtime::request::case::{Case, CaseBody};
use mastor_types::suite::assertion::{Assertion, Check, FieldOp};
use mastor_types::suite::binds::captured;
use mastor_types::suite::sequence::Step;

/// Generated keys, as a sequence captures them.
#[derive(Debug, Clone, Default)]
pub struct Captures {
    found: Vec<Capture>,
}

#[derive(Debug, Clone)]
struct Capture {
    name: String,
    key: Rc<str>,
    /// The step whose answer contains it, and the location there.
    step: usize,
    source: String,
}

impl Captures {
    /// Whether nothing is captured.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The names of the captures.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.found.iter().map(|capture| capture.name.as_str())
    }

    /// The keys by the names of their captures.
    pub fn keys(&self) -> BTreeMap<String, Rc<str>> {
        self.found.iter().map(|capture| (capture.name.clone(), capture.key.clone())).collect()
    }

    /// Captures the keys that an answer contains for the first time.
    pub fn take(&mut self, step: usize, settled: &Settled) {
        for (path, key) in keys(settled) {
            if self.found.iter().any(|known| known.key == key) {
                continue;
            }
            let last = path.rsplit(['.', '[']).next().unwrap_or_default();
            let plain: String = last.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
            let plain = if plain.is_empty() || plain.starts_with(|c: char| c.is_ascii_digit()) {
                "key".to_owned()
            } else {
                plain
            };
            let mut name = plain.clone();
            let mut number = 2;
            while self.found.iter().any(|known| known.name == name) {
                name = format!("{plain}_{number}");
                number += 1;
            }
            self.found.push(Capture { name, key, step, source: format!("body:{path}") });
        }
        if let Some(key) = settled.made.clone().filter(|key| self.of(key).is_none()) {
            let mut name = "id".to_owned();
            let mut number = 2;
            while self.found.iter().any(|known| known.name == name) {
                name = format!("id_{number}");
                number += 1;
            }
            self.found.push(Capture { name, key, step, source: "header:Location#tail".to_owned() });
        }
    }

    fn of(&self, key: &str) -> Option<&Capture> {
        self.found.iter().find(|capture| *capture.key == *key)
    }

    /// Adds to the steps the captures that later steps use.
    pub fn close(&self, steps: &mut [Step]) {
        for capture in &self.found {
            let named = format!("$captures.{}", capture.name);
            let later = steps.iter().skip(capture.step + 1).any(|step| {
                step.binds.values().any(|bind| *bind == named)
                    || step.assertions.iter().any(|assertion| {
                        matches!(&assertion.check, Check::Field { expected: Some(value), .. } if value.as_str() == Some(&named))
                    })
            });
            if let Some(step) = steps.get_mut(capture.step).filter(|_| later) {
                step.captures.insert(capture.name.clone(), capture.source.clone());
            }
        }
    }
}

/// The keys in an answer, each with its path, outside of arrays, whose order may vary.
fn keys(settled: &Settled) -> Vec<(String, Rc<str>)> {
    fn within(shape: &Shape, path: &str, out: &mut Vec<(String, Rc<str>)>) {
        match shape {
            Shape::Key(name, _) => out.push((path.to_owned(), name.clone())),
            Shape::Object(fields) => {
                for (name, inner) in fields.iter().filter(|(name, _)| !name.contains(['.', '[', ']'])) {
                    let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                    within(inner, &path, out);
                }
            }
            _ => {}
        }
    }
    let mut out = Vec::new();
    if let AnswerBody::Json(shape) = &settled.body {
        within(shape, "", &mut out);
    }
    // The key nearest to the top comes first.
    out.sort_by_key(|(path, _)| path.matches('.').count());
    out
}

/// One step of a sequence; `None` if its request cannot be expressed.
pub fn step(visit: &Visit<'_>, settled: &Settled, at: usize, captures: &mut Captures) -> Option<Step> {
    let subject = visit.bench.subject;
    let mut binds = BTreeMap::new();
    let mut case = visit.case.clone();
    for (input, text) in &mut case.params {
        if captured(text).is_some() {
            binds.insert(format!("{}.{}", input.place.as_str(), input.name), text.clone());
            "1".clone_into(text);
        }
    }
    if let CaseBody::Json(json) = &mut case.body {
        bound(json, "", &mut binds);
    }
    let as_user = case.sender();
    let input = Case { captured: BTreeMap::new(), ..case }.request(&visit.bench.signature);
    let missing = subject.op_id.path().split('{').skip(1).filter_map(|rest| rest.split(['}', ':']).next());
    if missing.into_iter().any(|name| !input.path.contains_key(name)) {
        return None;
    }
    let mut assertions = assertions(settled);
    for (path, key) in keys(settled) {
        if let Some(capture) = captures.of(&key).filter(|capture| capture.step < at) {
            let expected = Some(json!(format!("$captures.{}", capture.name)));
            let same = |assertion: &Assertion| matches!(&assertion.check, Check::Field { path: own, op: FieldOp::Type, .. } if *own == path);
            assertions.retain(|assertion| !same(assertion));
            assertions.push(Assertion::derived(Check::Field { path, op: FieldOp::Equals, expected }));
        }
    }
    captures.take(at, settled);
    Some(Step { op_id: subject.op_id.clone(), as_user, input, captures: BTreeMap::new(), binds, assertions })
}

/// Removes the markers of captured values from a body, and records their locations.
fn bound(json: &mut Json, path: &str, binds: &mut BTreeMap<String, String>) {
    match json {
        Json::Object(map) => {
            for (name, inner) in map {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                bound(inner, &path, binds);
            }
        }
        Json::Array(items) => {
            for (index, inner) in items.iter_mut().enumerate() {
                bound(inner, &format!("{path}[{index}]"), binds);
            }
        }
        Json::String(text) if captured(text).is_some() => {
            binds.insert(format!("body.{path}"), text.clone());
            *json = json!(1);
        }
        _ => {}
    }
}
