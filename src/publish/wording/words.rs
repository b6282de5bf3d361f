//! Assertions in words, for reviewers, display names and test names.

use serde_json::Value;

use mastor_types::results::change::ChangeEffect;
use mastor_types::suite::assertion::{Assertion, BodyOp, Check, FieldOp, Source, StatusSet};
use mastor_types::suite::oracle::{Challenger, Confirmation, Confirmed, Engine, Origin, Strategy};
use mastor_types::suite::sequence::Pattern;
use mastor_types::suite::source_context::SourceContext;

/// The JSON name of a field or header operator.
pub fn field_op(op: FieldOp) -> &'static str {
    match op {
        FieldOp::Equals => "equals",
        FieldOp::NotNull => "not_null",
        FieldOp::IsNull => "is_null",
        FieldOp::Gte => "gte",
        FieldOp::Lte => "lte",
        FieldOp::Matches => "matches",
        FieldOp::Type => "type",
        FieldOp::Absent => "absent",
        FieldOp::Lt => "lt",
        FieldOp::Gt => "gt",
        FieldOp::Near => "near",
        FieldOp::Sorted => "sorted",
        FieldOp::ContainsNot => "contains_not",
        FieldOp::Contains => "contains",
        FieldOp::OneOf => "one_of",
        FieldOp::Length => "length",
        FieldOp::Keys => "keys",
        FieldOp::SameItems => "same_items",
    }
}

/// The operand as JSON. `equals` without one compares with null; in files both look the same.
pub fn operand(op: FieldOp, expected: Option<&Value>) -> Option<String> {
    match (op, expected) {
        (_, Some(value)) => Some(value.to_string()),
        (FieldOp::Equals | FieldOp::Contains | FieldOp::ContainsNot, None) => Some("null".to_owned()),
        (_, None) => None,
    }
}

/// The JSON name of a body operator.
pub fn body_op(op: BodyOp) -> &'static str {
    match op {
        BodyOp::Empty => "empty",
        BodyOp::NotEmpty => "not_empty",
        BodyOp::MediaType => "media_type",
    }
}

/// A strategy in words.
pub fn strategy(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Fv => "forward, valid",
        Strategy::Fi => "forward, invalid",
        Strategy::Bv => "backward, valid",
        Strategy::Bi => "backward, invalid",
    }
}

/// The effect of a change on clients, as a sentence.
pub fn effect(effect: ChangeEffect) -> &'static str {
    match effect {
        ChangeEffect::Breaking => "Breaks clients.",
        ChangeEffect::Additive => "Only adds.",
        ChangeEffect::Unclear => "Whether clients break could not be told.",
    }
}

/// The effect of a change on clients, as part of a sentence.
pub fn effect_on_clients(effect: ChangeEffect) -> &'static str {
    match effect {
        ChangeEffect::Breaking => "breaks clients",
        ChangeEffect::Additive => "only adds",
        ChangeEffect::Unclear => "may break clients",
    }
}

/// An assertion as a clause: `status is 404`, `message equals "Bad Request"`.
pub fn assertion(assertion: &Assertion) -> String {
    let clause = check(&assertion.check);
    match assertion.source {
        Source::Derived => clause,
        Source::Observed => format!("{clause} (observed)"),
    }
}

/// A check as a clause.
pub fn check(check: &Check) -> String {
    let Clause { subject, is, value } = clause(check);
    match value {
        Some(value) => format!("{subject} {is} {value}"),
        None => format!("{subject} {is}"),
    }
}

/// The parts of a clause: `message`, `equals`, `"Bad Request"`.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Clause {
    /// What is examined.
    pub subject: String,
    /// The operator.
    pub is: &'static str,
    /// The operand, if any.
    pub value: Option<String>,
}

/// The parts of a check's clause.
pub fn clause(check: &Check) -> Clause {
    let (subject, (is, value)) = match check {
        Check::Status { expected } => ("status".to_owned(), status(expected)),
        Check::Field { path, op, expected } => {
            let subject = if path.is_empty() { "body" } else { path };
            (subject.to_owned(), field_clause(*op, expected.as_ref()))
        }
        Check::Header { name, op, expected } => (format!("header {name}"), field_clause(*op, expected.as_ref())),
        Check::Body { op: BodyOp::Empty, .. } => ("body".to_owned(), ("is empty", None)),
        Check::Body { op: BodyOp::NotEmpty, .. } => ("body".to_owned(), ("is not empty", None)),
        Check::Body { op: BodyOp::MediaType, expected } => {
            ("media type".to_owned(), ("is", Some(expected.clone().unwrap_or_else(|| "(none)".to_owned()))))
        }
    };
    Clause { subject, is, value }
}

/// The place of a check: `status`, `field total: equals`, `header Location`, `body`.
pub fn place(check: &Check) -> String {
    match check {
        Check::Status { .. } => "status".to_owned(),
        Check::Field { path, op, .. } => {
            let path = if path.is_empty() { "of the whole body" } else { path };
            format!("field {path}: {}", field_op(*op))
        }
        Check::Header { name, .. } => format!("header {name}"),
        Check::Body { .. } => "body".to_owned(),
    }
}

/// A text as part of a test name: letters, digits and underscores.
pub fn identifier(text: &str) -> String {
    let plain: String =
        text.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    plain.trim_matches('_').to_owned()
}

fn status(expected: &StatusSet) -> (&'static str, Option<String>) {
    let codes: Vec<String> = expected.codes().iter().map(u16::to_string).collect();
    (if codes.len() == 1 { "is" } else { "is one of" }, Some(codes.join(", ")))
}

fn field_clause(op: FieldOp, expected: Option<&Value>) -> (&'static str, Option<String>) {
    let value = || Some(operand(op, expected).unwrap_or_else(|| "(nothing)".to_owned()));
    let listed = || match expected {
        Some(Value::Array(items)) => Some(items.iter().map(Value::to_string).collect::<Vec<_>>().join(", ")),
        _ => value(),
    };
    let near = || {
        let part = |name: &str| Some(expected?.get(name)?.to_string());
        Some(format!("{} ± {}", part("value")?, part("within")?)).or_else(value)
    };
    match op {
        FieldOp::Equals => ("equals", value()),
        FieldOp::NotNull => ("is there and not null", None),
        FieldOp::IsNull => ("is null", None),
        FieldOp::Gte => ("is at least", value()),
        FieldOp::Lte => ("is at most", value()),
        FieldOp::Matches => ("matches", value()),
        FieldOp::Type => ("is of type", expected.and_then(Value::as_str).map(str::to_owned).or_else(value)),
        FieldOp::Absent => ("is absent", None),
        FieldOp::Lt => ("is below", value()),
        FieldOp::Gt => ("is above", value()),
        FieldOp::Near => ("is near", near()),
        FieldOp::Sorted => ("is sorted", expected.and_then(Value::as_str).map(str::to_owned).or_else(value)),
        FieldOp::ContainsNot => ("does not contain", value()),
        FieldOp::Contains => ("contains", value()),
        FieldOp::OneOf => ("is one of", listed()),
        FieldOp::Length => ("has length", value()),
        FieldOp::Keys => ("has exactly the keys", listed()),
        FieldOp::SameItems => ("has, in any order, the items", listed()),
    }
}

/// The association pattern of a sequence, in words.
pub fn pattern(pattern: Pattern) -> &'static str {
    match pattern {
        Pattern::ResourceLifecycle => "life of a resource",
        Pattern::IdentifierFlow => "an identifier flows",
        Pattern::FieldDataPassing => "a field is passed on",
        Pattern::NestedResource => "one resource in another",
        Pattern::StatePropagation => "what is written is read",
    }
}

/// A confirmation in words, and the varying fields.
pub fn confirmed(confirmation: &Confirmation) -> (String, Vec<(String, String)>) {
    let runs = count(confirmation.runs as usize, "run");
    let text = match confirmation.state {
        Confirmed::Confirmed if confirmation.fresh_state => {
            format!("held in {runs} on a service, on the state that it starts with alone")
        }
        Confirmed::Confirmed => format!("held in {runs} on a service"),
        Confirmed::Refuted => format!("refuted in {runs} on a service"),
        Confirmed::Flaky => format!("held in some of {runs} on a service"),
        Confirmed::Unconfirmed if confirmation.by_slice => "held in a slice; no service was asked".to_owned(),
        Confirmed::Unconfirmed => "never run: derived from code".to_owned(),
    };
    (text, confirmation.quarantined.iter().map(|one| (one.path.clone(), one.why.clone())).collect())
}

/// Suffix such as `, 5 assumed`; empty for none.
pub fn and_assumed(assumed: usize) -> String {
    if assumed == 0 { String::new() } else { format!(", {assumed} assumed") }
}

/// An engine in words.
pub fn engine(engine: Engine) -> &'static str {
    match engine {
        Engine::Rules => "the rules engine",
        Engine::Agents => "the agents",
        Engine::Human => "a person",
    }
}

/// The origin of an oracle, in words.
pub fn origin(origin: &Origin) -> String {
    let model = origin.model.as_deref().map(|model| format!(" with {model}")).unwrap_or_default();
    let challenger = match origin.challenger {
        Challenger::Passed => ", passed the challenger",
        Challenger::Hinted => ", regenerated on the challenger's hint",
        Challenger::Skipped => "",
    };
    format!("{}{model}{challenger}", engine(origin.engine))
}

/// Pending facts: claims of the document, and what the code leaves open.
pub fn pending(context: &SourceContext) -> Vec<String> {
    let params = context.request_params_pending.iter().map(|p| format!("parameter {}: {}", p.name, p.reason));
    let responses = context.response_schema_pending.iter().map(|p| match p.status {
        Some(status) => format!("status {status}: {}", p.reason),
        None => format!("body: {}", p.reason),
    });
    params.chain(responses).collect()
}

/// A count with its noun: `1 change`, `2 changes`.
pub fn count(n: usize, one: &str) -> String {
    let plural = if one.ends_with('s') { "es" } else { "s" };
    if n == 1 { format!("1 {one}") } else { format!("{n} {one}{plural}") }
}
