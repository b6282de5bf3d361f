//! Candidates from conditions: values at bounds, strings in comparisons, and pairs of inputs that are compared.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::samples::{SamplePosition, filler, number, plain};
use super::solve::{Candidate, Pool};
use mastor_java::interpret::library::text::matching::regex_samples::samples;
use mastor_java::interpret::paths::condition::{Cond, Defect};
use mastor_java::interpret::values::function::Function;
use mastor_java::interpret::values::scalar::{Prim, Scalar};
use mastor_java::interpret::values::term::{Input, InputPlace, Term};
use mastor_java::interpret::values::value::Type;
use mastor_runtime::request::case::{Case, CaseBody, Reading};

impl Pool<'_> {
    /// Adds the candidates for a condition.
    pub(crate) fn learn(&mut self, cond: &Cond) {
        let mut inputs = Vec::new();
        cond.inputs(&mut inputs);
        for input in &inputs {
            if input.place == InputPlace::Body && !input.name.is_empty() && !self.values.contains_key(input) {
                self.seed_body(input);
            }
        }
        match cond {
            Cond::Not(inner) => self.learn(inner),
            Cond::All(parts) | Cond::Any(parts) => parts.iter().for_each(|part| self.learn(part)),
            Cond::IsNull(term) => {
                if let Term::Input(input) = &**term {
                    self.add(input, Some(Candidate::Absent));
                }
            }
            Cond::Input(input, Defect::Missing) => self.add(input, Some(Candidate::Absent)),
            Cond::Input(input, Defect::Unreadable) => self.add(input, Some(Candidate::Malformed)),
            Cond::Input(input, Defect::NotA(what)) => {
                self.add(input, Some(Candidate::Text("abc".to_owned())));
                // The handler itself parses the string as a number.
                let is_text = self.bench.signature.slot(input).is_some_and(|slot| slot.ty == Type::Str);
                if let Some(prim) = Prim::of_keyword(what).filter(|_| is_text) {
                    plain(&Type::Prim(prim), None, &input.name, SamplePosition::default())
                        .iter()
                        .for_each(|value| self.add_value(input, value));
                }
            }
            Cond::Same(a, b) => self.learn_same(&inputs, a, b),
            Cond::Test(term) => self.learn_test(&inputs, term),
            Cond::Compare(_, prim, a, b) => self.learn_comparison(cond, *prim, a, b),
            _ => {}
        }
    }

    /// Adds the candidates for an equality with a constant.
    fn learn_same(&mut self, inputs: &[Input], a: &Term, b: &Term) {
        let constant = match (a, b) {
            (Term::Const(constant), _) | (_, Term::Const(constant)) => constant,
            _ => return,
        };
        let value = match constant {
            Scalar::Str(text) => json!(&*text.text),
            Scalar::Enum(_, name) => json!(&**name),
            other => match other.as_long() {
                Some(number) => json!(number),
                None => return,
            },
        };
        for input in inputs {
            self.add_value(input, &value);
        }
        // If the comparison ignores case, strings of either case are useful.
        let folded = |term: &Term| matches!(term, Term::Apply(Function::ToLowerCase | Function::ToUpperCase, _));
        if let Json::String(text) = &value
            && (folded(a) || folded(b))
        {
            for input in inputs {
                self.add_value(input, &json!(other_case(text)));
            }
        }
    }

    /// Adds the candidates for a test of strings.
    fn learn_test(&mut self, inputs: &[Input], term: &Term) {
        if let Term::Apply(function, args) = term {
            for arg in args {
                if let Term::Const(Scalar::Str(text)) = &**arg {
                    if *function == Function::Matches {
                        let texts = samples(&text.text);
                        inputs.iter().for_each(|input| texts.iter().for_each(|t| self.add_value(input, &json!(t))));
                        continue;
                    }
                    for input in inputs {
                        if *function == Function::EqualsIgnoreCase {
                            self.add_value(input, &json!(other_case(&text.text)));
                        }
                        self.add_value(input, &json!(&*text.text));
                        self.add_value(input, &json!(format!("{}x", text.text)));
                        self.add_value(input, &json!(format!("x{}", text.text)));
                    }
                }
            }
        }
        if let Term::Input(input) = term {
            for value in [true, false] {
                self.add_value(input, &json!(value));
            }
        }
    }

    fn learn_comparison(&mut self, cond: &Cond, prim: Prim, a: &Term, b: &Term) {
        if let Some((term, _, limit)) = cond.bound() {
            let around: Vec<i64> = [-1, 0, 1].iter().filter_map(|d| limit.checked_add(*d)).collect();
            let mut inputs = Vec::new();
            term.inputs(&mut inputs);
            match &**term {
                Term::Apply(Function::Length, _) => {
                    for length in around {
                        if let Ok(length) = usize::try_from(length)
                            && length <= 300
                        {
                            for input in &inputs {
                                self.add_value(input, &json!(filler(length)));
                            }
                        }
                    }
                }
                Term::Apply(Function::Size, _) => {
                    for size in around {
                        if let Ok(size) = usize::try_from(size)
                            && size <= 50
                        {
                            for input in &inputs {
                                self.add(input, Some(Candidate::Size(size)));
                            }
                        }
                    }
                }
                _ => {
                    for input in &inputs {
                        let root = if inputs.len() == 1 { self.root(term, input, limit) } else { None };
                        let more = root.into_iter().flat_map(|root| [-1, 0, 1].map(|d| root.saturating_add(d)));
                        around.iter().copied().chain(more).for_each(|value| self.add_value(input, &json!(value)));
                    }
                }
            }
            return;
        }
        // A comparison with a floating-point constant.
        for (constant, term) in [(a, b), (b, a)] {
            if let Term::Const(constant) = constant
                && let Some(limit) = constant.as_double()
                && matches!(prim, Prim::Double | Prim::Float)
            {
                let mut inputs = Vec::new();
                term.inputs(&mut inputs);
                for input in inputs {
                    for value in [limit - 1.0, limit, limit + 1.0, limit - 0.5, limit + 0.5] {
                        self.add_value(&input, &number(value));
                    }
                }
            }
        }
    }

    /// The number at which a linear term of one input reaches a limit: 28 for `i + i` and 56.
    fn root(&self, term: &Term, input: &Input, limit: i64) -> Option<i64> {
        if matches!(term, Term::Input(_)) {
            return None;
        }
        let at = |value: i64| -> Option<i64> {
            let body = CaseBody::Json(json!({}));
            let mut case = Case { as_user: None, params: BTreeMap::new(), body, captured: BTreeMap::new() };
            let candidate = match input.place {
                InputPlace::Body => Candidate::Json(json!(value)),
                _ => Candidate::Text(value.to_string()),
            };
            let reading = |case: &Case| term.evaluate(&Reading { case, signature: &self.bench.signature })?.as_long();
            if self.put(&mut case, input, &candidate) { reading(&case) } else { None }
        };
        let (zero, one, two) = (at(0)?, at(1)?, at(2)?);
        let slope = one.checked_sub(zero)?;
        let is_even = two.checked_sub(one) == Some(slope) && slope != 0;
        if is_even { limit.checked_sub(zero)?.checked_div(slope) } else { None }
    }

    /// Adds candidates for two strings that a condition compares.
    pub(crate) fn pair(&mut self, cond: &Cond) {
        const EACH: usize = 3;
        let (a, b) = match cond {
            Cond::Not(inner) => return self.pair(inner),
            Cond::All(parts) | Cond::Any(parts) => return parts.iter().for_each(|part| self.pair(part)),
            Cond::Same(a, b) => (a, b),
            Cond::Test(term) | Cond::Compare(_, _, term, _) => match &**term {
                Term::Apply(
                    Function::Equals
                    | Function::EqualsIgnoreCase
                    | Function::StartsWith
                    | Function::EndsWith
                    | Function::Contains
                    | Function::IndexOf
                    | Function::CompareTo,
                    args,
                ) => match args.as_slice() {
                    [a, b, ..] => (a, b),
                    _ => return,
                },
                _ => return,
            },
            _ => return,
        };
        let only = |term: &Term| {
            let mut inputs = Vec::new();
            term.inputs(&mut inputs);
            inputs.into_iter().next().filter(|_| !matches!(term, Term::Const(_)))
        };
        let (Some(a), Some(b)) = (only(a), only(b)) else { return };
        if a == b {
            return;
        }
        let texts = |input: &Input| -> Vec<String> {
            let text = |value: &Candidate| match value {
                Candidate::Text(text) | Candidate::Json(Json::String(text)) => Some(text.clone()),
                _ => None,
            };
            self.of_input(input).iter().filter_map(text).take(EACH).collect()
        };
        let (of_a, of_b) = (texts(&a), texts(&b));
        of_a.iter().for_each(|text| self.add_value(&b, &json!(text)));
        for text in of_b {
            for value in [text.clone(), format!("{text}x"), format!("x{text}")] {
                self.add_value(&a, &json!(value));
            }
        }
    }
}

/// A string with the opposite case.
pub(crate) fn other_case(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }).collect()
}
