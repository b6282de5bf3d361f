//! Sampling: requests that differ from known ones in one value after another, then in several at once. Deterministic.

use serde_json::{Value as Json, json};

use crate::inputs::samples::without_point;
use crate::inputs::solve::{Candidate, Pool};
use mastor_frameworks::Location;
use mastor_java::interpret::values::scalar::Prim;
use mastor_java::interpret::values::term::{Input, InputPlace};
use mastor_java::interpret::values::value::Type;
use mastor_runtime::request::case::{Case, CaseBody};
use mastor_runtime::request::signature::BodyField;

/// Maximum number of requests from which samples start.
const STARTS: usize = 12;
/// Maximum number of strings from which others are made.
const TEXTS: usize = 12;

/// Integers: small, medium, large and negative.
const WHOLE: &[i64] = &[
    2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30, 37, 50, 64, 99, 100, 101, 128, 250, 365, 500, 999, 1_000, 1_001, 4_096,
    9_999, 12_345, 100_000, 1_000_000, 0, 1, -1, -2, -3, -5, -10, -50, -100, -1_000,
];
/// Fractions: small, medium, large and negative.
const FRACTIONS: &[f64] = &[
    0.1, 0.25, 0.5, 0.75, 0.9, 1.0, 1.25, 2.0, 2.5, 3.0, 3.7, 4.5, 5.0, 6.25, 7.75, 8.0, 8.5, 10.0, 12.5, 15.5, 20.0,
    33.3, 50.0, 75.5, 99.9, 100.0, 250.5, 500.0, 1_000.5, 10_000.0, 0.01, 0.001, -0.1, -0.5, -1.0, -1.5, -2.5, -3.7,
    -7.5, -8.5, -10.0, -20.5, -50.0, -100.5,
];

/// An input and its candidates.
struct Values {
    input: Input,
    kind: Kind,
    candidates: Vec<Candidate>,
}

/// Inputs of one kind may get the same value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Whole,
    Fraction,
    Text,
    Other,
}

/// A generator of requests.
pub struct Sampling<'p, 'b> {
    pool: &'p Pool<'b>,
    starts: Vec<Case>,
    inputs: Vec<Values>,
    /// Number of requests made that differ in one value.
    swept: usize,
    state: u64,
}

impl<'p, 'b> Sampling<'p, 'b> {
    /// A generator that starts from these requests.
    pub fn new(pool: &'p Pool<'b>, mut starts: Vec<Case>) -> Self {
        let mut seen: Vec<Case> = Vec::new();
        starts.retain(|case| {
            let is_new = case.body != CaseBody::Malformed && !seen.contains(case);
            seen.extend(is_new.then(|| case.clone()));
            is_new
        });
        starts.truncate(STARTS);
        Self { pool, starts, inputs: inputs(pool), swept: 0, state: 0x9e37_79b9_7f4a_7c15 }
    }

    /// Adds a request to start from.
    pub fn start(&mut self, case: Case) {
        let place = usize::try_from(self.state % 5).unwrap_or(0).min(self.starts.len());
        self.starts.insert(place, case);
        self.starts.truncate(STARTS);
    }

    /// The next request, with a changed input; `None` if nothing can be changed.
    pub fn draw(&mut self) -> Option<(Case, Input)> {
        if self.starts.is_empty() || self.inputs.iter().all(|values| values.candidates.is_empty()) {
            return None;
        }
        while let Some((start, input, candidate)) = self.one_by_one() {
            let mut case = start;
            if self.pool.put(&mut case, &input, &candidate) {
                return Some((case, input));
            }
        }
        for _ in 0..50 {
            if let Some(found) = self.several() {
                return Some(found);
            }
        }
        None
    }

    /// The next value of the next input, for the first two start requests.
    fn one_by_one(&mut self) -> Option<(Case, Input, Candidate)> {
        let each: usize = self.inputs.iter().map(|values| values.candidates.len()).sum();
        let (start, mut at) = (self.swept / each, self.swept % each);
        if start >= 2 {
            return None;
        }
        self.swept += 1;
        let start = self.starts.get(start)?.clone();
        for values in &self.inputs {
            if let Some(candidate) = values.candidates.get(at) {
                return Some((start, values.input.clone(), candidate.clone()));
            }
            at -= values.candidates.len();
        }
        None
    }

    /// A request that differs in several values; `None` if nothing could be changed.
    pub fn several(&mut self) -> Option<(Case, Input)> {
        let start = self.pick(self.starts.len());
        let mut case = self.starts.get(start)?.clone();
        let count = 1 + self.pick(self.inputs.len().min(4));
        let mut last: Option<(Kind, Candidate)> = None;
        let mut changed = None;
        for _ in 0..count {
            let at = self.pick(self.inputs.len());
            let values = self.inputs.get(at)?;
            let (kind, input, of) = (values.kind, values.input.clone(), values.candidates.len());
            if of == 0 {
                continue;
            }
            // Sometimes two inputs get the same value.
            let same = last.clone().filter(|(other, _)| *other == kind && kind != Kind::Other);
            let again = same.filter(|_| self.pick(3) == 0).map(|(_, candidate)| candidate);
            let place = self.pick(of);
            let candidate = again.or_else(|| self.inputs.get(at)?.candidates.get(place).cloned())?;
            if self.pool.put(&mut case, &input, &candidate) {
                last = Some((kind, candidate));
                changed = Some(input);
            }
        }
        changed.map(|input| (case, input))
    }

    /// A number below `of`; xorshift makes it the same in every run.
    fn pick(&mut self, of: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from(self.state >> 33).unwrap_or(0) % of.max(1)
    }
}

/// The inputs of an operation, with their candidates.
fn inputs(pool: &Pool<'_>) -> Vec<Values> {
    all(pool).into_iter().map(|(input, ty)| values(pool, input, &ty)).collect()
}

/// The inputs of an operation with their types: its parameters, and the fields of its body, nested ones included.
pub fn all(pool: &Pool<'_>) -> Vec<(Input, Type)> {
    let signature = &pool.bench.signature;
    let mut all: Vec<(Input, Type)> = Vec::new();
    for slot in &signature.slots {
        match slot.location {
            Location::Body => {
                body(pool, "", &slot.ty, &mut all);
                all.push((slot.input.clone(), slot.ty.clone()));
            }
            _ => all.push((slot.input.clone(), slot.ty.clone())),
        }
    }
    for input in pool.inputs() {
        if all.iter().all(|(known, _)| known != input)
            && let Some(ty) = signature.body_type(input)
        {
            all.push((input.clone(), ty));
        }
    }
    all
}

/// Adds the fields of a body, nested ones included.
fn body(pool: &Pool<'_>, around: &str, ty: &Type, all: &mut Vec<(Input, Type)>) {
    if around.matches('.').count() > 2 {
        return;
    }
    let fields: Vec<BodyField> =
        ty.project().and_then(|id| pool.bench.signature.fields(id)).map(<[_]>::to_vec).unwrap_or_default();
    for field in fields {
        let name = if around.is_empty() { field.name.clone() } else { format!("{around}.{}", field.name) };
        all.push((Input::new(InputPlace::Body, &name), field.ty.clone()));
        body(pool, &name, &field.ty, all);
    }
}

fn values(pool: &Pool<'_>, input: Input, ty: &Type) -> Values {
    let mut candidates: Vec<Candidate> =
        pool.of_input(&input).iter().filter(|candidate| **candidate != Candidate::Malformed).cloned().collect();
    let (kind, more) = match ty {
        Type::Prim(Prim::Double | Prim::Float) | Type::Boxed(Prim::Double | Prim::Float) => {
            (Kind::Fraction, FRACTIONS.iter().map(|number| crate::inputs::samples::number(*number)).collect())
        }
        Type::Prim(prim) | Type::Boxed(prim) if prim.is_integral() && *prim != Prim::Char => {
            (Kind::Whole, WHOLE.iter().map(|number| json!(number)).collect())
        }
        Type::Str => (Kind::Text, texts(&candidates)),
        _ => (Kind::Other, Vec::new()),
    };
    for value in more {
        let candidate = match (input.place == InputPlace::Body, &value) {
            (true, _) => Candidate::Json(value),
            (false, Json::String(text)) => Candidate::Text(text.clone()),
            (false, value) => {
                let text = value.to_string();
                let plain = (input.place == InputPlace::Path && !pool.keeps_suffixes()).then(|| without_point(&text));
                Candidate::Text(plain.flatten().unwrap_or(text))
            }
        };
        if !candidates.contains(&candidate) {
            candidates.push(candidate);
        }
    }
    Values { input, kind, candidates }
}

/// Strings made from known ones: lengthened, shortened, in upper case, doubled, and concatenated.
fn texts(candidates: &[Candidate]) -> Vec<Json> {
    let known: Vec<&str> = candidates
        .iter()
        .filter_map(|candidate| match candidate {
            Candidate::Text(text) | Candidate::Json(Json::String(text)) => Some(text.as_str()),
            _ => None,
        })
        .take(TEXTS)
        .collect();
    let mut made: Vec<String> =
        ["ab", "abc", "Abc", "aba", "1", "a1", "12", "abcdefghij", "the quick brown fox", "zz", "A"]
            .map(str::to_owned)
            .into();
    for text in &known {
        let reversed: String = text.chars().rev().collect();
        let shorter: String = text.chars().skip(1).collect();
        let cut: String = text.chars().take(text.chars().count().saturating_sub(1)).collect();
        made.extend([
            format!("{text}x"),
            format!("x{text}"),
            format!("{text}{text}"),
            reversed,
            shorter,
            cut,
            text.to_uppercase(),
        ]);
    }
    for (a, b) in known.iter().zip(known.iter().skip(1)) {
        made.extend([format!("{a}{b}"), format!("{a} {b}"), format!("{b}{a}")]);
    }
    made.into_iter().map(Json::String).collect()
}
