//! Scripts of a Postman request: checks, captures, and the preparation before it.

use serde::Serialize;

use super::postman_users::RequestCredentials;
use crate::wording::words;
use mastor_template::{TemplateError, Templates};
use mastor_types::suite::assertion::{Assertion, Check};
use mastor_types::suite::oracle::Effect;
use mastor_types::suite::sequence::{Sequence, Step};

/// An argument of a call in a script.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Argument {
    /// A text.
    Text { text: String },
    /// Status codes.
    Codes { codes: Vec<u16> },
}

/// A call to a function of the library.
#[derive(Debug, Serialize)]
struct Call {
    name: &'static str,
    arguments: Vec<Argument>,
}

#[derive(Debug, Serialize)]
struct After<'a> {
    id: &'a str,
    writes: bool,
    /// The user to log in again after a 401.
    renews: Option<&'a str>,
    checks: Vec<Call>,
}

#[derive(Debug, Serialize)]
struct Before<'a> {
    id: &'a str,
    /// Whether the service is reset before, if something may have changed it.
    resets: bool,
    writes: bool,
    /// Whether the test needs the service's initial state.
    fresh_state: bool,
    /// Variables of an earlier run to remove.
    variables: Vec<String>,
    /// The user to log in.
    user: Option<&'a str>,
}

impl Call {
    fn new(name: &'static str, texts: impl IntoIterator<Item = String>) -> Self {
        Self { name, arguments: texts.into_iter().map(|text| Argument::Text { text }).collect() }
    }
}

/// The test script of an oracle.
pub(crate) fn of_oracle(
    templates: &Templates,
    (id, writes): (&str, bool),
    user: &RequestCredentials,
    (asserted, judged): (&[Assertion], &[&Assertion]),
) -> Result<String, TemplateError> {
    let checks = credentials(user).chain(judged.iter().map(|one| check(one))).collect();
    templates.render("postman/after.js", After { id, writes, renews: user.renews(asserted), checks })
}

/// The test script of a sequence's step.
pub(crate) fn of_step(
    templates: &Templates,
    (id, writes): (&str, bool),
    user: &RequestCredentials,
    (step, judged): (&Step, &[&Assertion]),
) -> Result<String, TemplateError> {
    let takes = step.captures.iter().map(|(name, from)| Call::new("take", [plain(name), from.clone()]));
    let checks = credentials(user).chain(judged.iter().map(|one| check(one))).chain(takes).collect();
    templates.render("postman/after.js", After { id, writes, renews: user.renews(&step.assertions), checks })
}

/// The pre-request script of an oracle, which resets the service and logs the user in; `None` if neither is needed.
pub(crate) fn before(
    templates: &Templates,
    (id, resets, writes, fresh_state): (&str, bool, bool, bool),
    user: &RequestCredentials,
) -> Result<Option<String>, TemplateError> {
    let before = Before { id, resets, writes, fresh_state, variables: Vec::new(), user: user.logs_in() };
    (resets || before.user.is_some()).then(|| templates.render("postman/before.js", before)).transpose()
}

/// The pre-request script of a sequence's first step, which also removes values captured in an earlier run.
pub(super) fn before_sequence(
    templates: &Templates,
    sequence: &Sequence,
    user: &RequestCredentials,
) -> Result<String, TemplateError> {
    let writes = sequence.effect == Effect::Writes;
    let variables = sequence
        .steps
        .iter()
        .flat_map(|step| step.captures.keys())
        .flat_map(|name| ["", "_json", "_encoded"].map(|form| format!("{}{form}", variable(&sequence.s_id, name))))
        .collect();
    let fresh_state = sequence.confirmation.fresh_state;
    let before = Before { id: &sequence.s_id, resets: true, writes, fresh_state, variables, user: user.logs_in() };
    templates.render("postman/before.js", before)
}

/// The collection variable for a captured value.
pub(super) fn variable(s_id: &str, name: &str) -> String {
    format!("mastor_{s_id}_{}", plain(name))
}

/// A name without characters that Postman's templates would interpret; the library uses the same rule.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

fn credentials(user: &RequestCredentials) -> impl Iterator<Item = Call> {
    user.settings.iter().map(|variable| Call::new("user", [user.name.clone(), variable.clone()]))
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
