//! The scripts of one Postman request: its checks, what it takes from the answer, what a sequence forgets before it starts.

use serde::Serialize;

use super::words;
use crate::template::{TemplateError, Templates};
use crate::types::oracle::{Assertion, Check};
use crate::types::sequence::{Sequence, Step};

/// One argument of a call in a script.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Argument {
    /// A text.
    Text { text: String },
    /// Status codes.
    Codes { codes: Vec<u16> },
}

/// A call of the library.
#[derive(Debug, Serialize)]
struct Call {
    name: &'static str,
    arguments: Vec<Argument>,
}

#[derive(Debug, Serialize)]
struct After<'a> {
    id: &'a str,
    checks: Vec<Call>,
}

#[derive(Debug, Serialize)]
struct Before {
    variables: Vec<String>,
}

impl Call {
    fn new(name: &'static str, texts: impl IntoIterator<Item = String>) -> Self {
        Self { name, arguments: texts.into_iter().map(|text| Argument::Text { text }).collect() }
    }
}

/// The test script of a single-operation oracle: `user` is the user with the variable that holds the credentials.
pub(super) fn of_oracle(
    templates: &Templates,
    id: &str,
    user: Option<(&str, &str)>,
    assertions: &[Assertion],
) -> Result<String, TemplateError> {
    let checks = credentials(user).into_iter().chain(assertions.iter().map(check)).collect();
    templates.render("postman/after.js", After { id, checks })
}

/// The test script of a step of a sequence.
pub(super) fn of_step(
    templates: &Templates,
    id: &str,
    user: Option<(&str, &str)>,
    step: &Step,
) -> Result<String, TemplateError> {
    let takes = step.captures.iter().map(|(name, from)| Call::new("take", [plain(name), from.clone()]));
    let checks = credentials(user).into_iter().chain(step.assertions.iter().map(check)).chain(takes).collect();
    templates.render("postman/after.js", After { id, checks })
}

/// What goes before the first step of a sequence: nothing taken in an earlier run is left.
pub(super) fn forget(templates: &Templates, sequence: &Sequence) -> Result<String, TemplateError> {
    let variables = sequence
        .steps
        .iter()
        .flat_map(|step| step.captures.keys())
        .flat_map(|name| ["", "_json", "_encoded"].map(|form| format!("{}{form}", variable(&sequence.s_id, name))))
        .collect();
    templates.render("postman/before.js", Before { variables })
}

/// The collection variable that holds what a sequence took under this name.
pub(super) fn variable(s_id: &str, name: &str) -> String {
    format!("mastor_{s_id}_{}", plain(name))
}

/// A name that means nothing to Postman's templates; the library does the same.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

fn credentials(user: Option<(&str, &str)>) -> Option<Call> {
    user.map(|(name, variable)| Call::new("user", [name.to_owned(), variable.to_owned()]))
}

fn check(assertion: &Assertion) -> Call {
    let title = words::assertion(assertion);
    match &assertion.check {
        Check::Status { expected } => Call {
            name: "status",
            arguments: vec![Argument::Text { text: title }, Argument::Codes { codes: expected.codes() }],
        },
        Check::Field { path, op, expected } => {
            let operator = words::field_op(*op).to_owned();
            Call::new(
                "field",
                [title, path.clone(), operator].into_iter().chain(words::operand(*op, expected.as_ref())),
            )
        }
        Check::Header { name, op, expected } => {
            let operator = words::field_op(*op).to_owned();
            Call::new(
                "header",
                [title, name.clone(), operator].into_iter().chain(words::operand(*op, expected.as_ref())),
            )
        }
        Check::Body { op, expected } => {
            Call::new("body", [title, words::body_op(*op).to_owned()].into_iter().chain(expected.clone()))
        }
    }
}
