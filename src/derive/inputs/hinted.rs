//! Requests derived from what code does with the strings of other requests: it splits, trims, compares or looks them
//! up, or ignores their case.

use std::collections::{BTreeSet, VecDeque};

use serde_json::{Value as Json, json};

use super::learned::other_case;
use super::solve::{Candidate, Pool};
use super::stored::inputs_of;
use mastor_java::interpret::paths::hints::{Hint, Use};
use mastor_java::interpret::values::term::{Input, InputPlace};
use mastor_java::interpret::values::value::Type;
use mastor_runtime::request::case::{Case, CaseBody, at_path};

/// Maximum number of requests.
const MOST: usize = 48;
/// Maximum length of a string.
const LENGTH: usize = 80;

/// Requests to try, in order.
pub struct Hinted<'p, 'b> {
    pool: &'p Pool<'b>,
    waiting: VecDeque<Case>,
    /// Strings that have been used for an input.
    done: BTreeSet<(Input, String)>,
    /// Earlier strings of inputs, to combine with others.
    others: Vec<(Input, String)>,
    /// Maximum number of strings for one hint.
    each: usize,
    made: usize,
}

impl<'p, 'b> Hinted<'p, 'b> {
    /// Starts without requests.
    pub fn new(pool: &'p Pool<'b>) -> Self {
        Self { pool, waiting: VecDeque::new(), done: BTreeSet::new(), others: Vec::new(), each: usize::MAX, made: 0 }
    }

    /// Limits the number of strings for one hint.
    #[must_use]
    pub fn sparing(self, each: usize) -> Self {
        Self { each, ..self }
    }

    /// Adds the strings of a request, to be combined with others where code splits strings.
    pub fn beside(&mut self, case: &Case) {
        self.others.extend(case.params.clone());
    }

    /// The next request.
    pub fn take(&mut self) -> Option<Case> {
        self.waiting.pop_front()
    }

    /// Adds a request to try.
    pub fn push(&mut self, case: Case) {
        if self.made < MOST && self.pool.is_sendable(&case) {
            self.made += 1;
            self.waiting.push_back(case);
        }
    }

    /// Adds requests for what the code did with the strings of a request.
    pub fn follow(&mut self, case: &Case, hints: &BTreeSet<Hint>) {
        for hint in hints {
            match hint.used {
                Use::Near(other) => self.near(case, &hint.text, other),
                _ => self.texts(case, hint),
            }
        }
    }

    fn texts(&mut self, case: &Case, hint: &Hint) {
        let whole = inputs_of(case, &hint.text);
        let is_part = whole.is_empty();
        let inputs = if is_part { around(case, &hint.text) } else { whole };
        for input in inputs.into_iter().filter(|input| is_text(self.pool, case, input)).collect::<Vec<Input>>() {
            for text in self.joined(&input, hint).into_iter().chain(texts(hint)).take(self.each) {
                let text = match (is_part, value(case, &input)) {
                    (true, Some(all)) => all.replacen(&*hint.text, &text, 1),
                    _ => text,
                };
                let mut made = case.clone();
                if self.is_new(&input, &text) && self.pool.put_any(&mut made, &input, &text) {
                    self.push(made);
                }
            }
        }
    }

    /// The hint's string joined with the most recent earlier string of the input.
    fn joined(&self, input: &Input, hint: &Hint) -> Option<String> {
        let Use::Parts(by) = &hint.used else { return None };
        let is_other = |other: &str| *other != *hint.text && !other.contains(&**by);
        let (_, other) = self.others.iter().rev().find(|(of, other)| of == input && is_other(other))?;
        Some(format!("{}{by}{other}", hint.text))
    }

    /// Adds requests with the number that was compared, and its neighbours.
    fn near(&mut self, case: &Case, text: &str, other: i64) {
        for input in inputs_of(case, text).iter().filter(|input| is_number(self.pool, case, input)) {
            for number in [other, other.saturating_sub(1), other.saturating_add(1)] {
                let candidate = match input.place {
                    InputPlace::Body => Candidate::Json(json!(number)),
                    _ => Candidate::Text(number.to_string()),
                };
                let mut made = case.clone();
                if self.is_new(input, &number.to_string()) && self.pool.put(&mut made, input, &candidate) {
                    self.push(made);
                }
            }
        }
    }

    fn is_new(&mut self, input: &Input, text: &str) -> bool {
        text.len() <= LENGTH && self.done.insert((input.clone(), text.to_owned()))
    }
}

/// Replacements for a string, by what is done with it.
fn texts(hint: &Hint) -> Vec<String> {
    let text = &hint.text;
    match &hint.used {
        Use::Meets(other) => vec![other.to_string()],
        Use::Parts(by) => {
            vec![
                format!("{text}{by}b"),
                format!("{text}{by}b{by}c"),
                format!("{text}{by}b{by}c{by}d"),
                format!("{text}{by}b{by}"),
            ]
        }
        Use::Blanks => vec![format!(" {text}"), format!("{text} "), " ".to_owned()],
        Use::Case => vec![other_case(text)],
        Use::Near(_) => Vec::new(),
    }
}

/// Whether an input is a string for the handler.
fn is_text(pool: &Pool<'_>, case: &Case, input: &Input) -> bool {
    match input.place {
        InputPlace::Body => value(case, input).is_some(),
        _ => pool.bench.signature.slot(input).is_some_and(|slot| slot.ty == Type::Str),
    }
}

/// Whether an input is an integer for the handler.
fn is_number(pool: &Pool<'_>, case: &Case, input: &Input) -> bool {
    let is_whole = |ty: &Type| matches!(ty, Type::Prim(prim) | Type::Boxed(prim) if prim.is_integral());
    match (input.place, &case.body) {
        (InputPlace::Body, CaseBody::Json(json)) => at_path(json, &input.name).is_some_and(Json::is_i64),
        (InputPlace::Body, _) => false,
        _ => pool.bench.signature.slot(input).is_some_and(|slot| is_whole(&slot.ty)),
    }
}

/// Inputs whose string contains this one.
fn around(case: &Case, text: &str) -> Vec<Input> {
    let holds = |(_, value): &(&Input, &String)| value.contains(text);
    case.params.iter().filter(holds).map(|(input, _)| input.clone()).collect()
}

/// The string value of an input of a request.
fn value(case: &Case, input: &Input) -> Option<String> {
    match (case.params.get(input), &case.body) {
        (Some(text), _) => Some(text.clone()),
        (None, CaseBody::Json(json)) => match at_path(json, &input.name) {
            Some(Json::String(text)) => Some(text.clone()),
            _ => None,
        },
        _ => None,
    }
}
