//! Listings: requests, derived oracles, assumptions and facts in the short form in which prompts show them.

use std::fmt::Write;

use serde_json::Value;

use super::brief::{Bundle, Derived};
use mastor_types::suite::assertion::{Assertion, BodyOp, Check, FieldOp, statuses};
use mastor_types::suite::assumption::Assumption;
use mastor_types::suite::given::Given;
use mastor_types::suite::input::{Body, Input};
use mastor_types::suite::oracle::Oracle;
use mastor_types::suite::request::ANONYMOUS;
use mastor_types::suite::sequence::{Sequence, Step};
use mastor_types::suite::source_context::SourceContext;

/// Maximum number of derived oracles listed in a prompt.
const KNOWN: usize = 120;
/// Maximum length of a text in a listed value, in characters.
const TEXT: usize = 60;

/// The verified facts of an operation, with the ids of their citations: parameters, the members of a good answer by the
/// code that fixes them, and errors. Pending facts are left out (MASTOR paper, section 4.2).
pub fn verified(context: &SourceContext) -> String {
    let mut out = format!("{}\n", context.op_id);
    for param in &context.request_params {
        let location = param.location.as_str();
        let name = if param.name.is_empty() { "(whole)" } else { &param.name };
        let _ = write!(out, "takes {location} {name} {}", param.ty);
        out.push_str(if param.required { "!" } else { "" });
        let default = param.default.iter().map(|value| format!("default {value}"));
        let all: Vec<String> = default.chain(param.constraints.iter().map(|one| one.kind.to_string())).collect();
        let all = if all.is_empty() { String::new() } else { format!(", {}", all.join(", ")) };
        let _ = writeln!(out, "{all} ({})", param.evidence.as_str());
    }
    let schema = &context.response_schema;
    let statuses: Vec<String> = schema.success_statuses.iter().map(ToString::to_string).collect();
    if !statuses.is_empty() {
        let _ = writeln!(out, "answers {}", statuses.join(" or "));
    }
    let mut given: Vec<String> = Vec::new();
    for (n, field) in schema.fields.iter().enumerate() {
        let path = if field.path.is_empty() { "(whole)" } else { &field.path };
        let mark = if field.nullable == Some(false) { "!" } else { "" };
        // Neighbours with the same citation share it.
        let is_last = schema.fields.get(n + 1).is_none_or(|next| next.evidence != field.evidence);
        let cited = if is_last { format!(" ({})", field.evidence.as_str()) } else { String::new() };
        given.push(format!("{path} {}{mark}{cited}", field.ty));
    }
    if !given.is_empty() {
        let _ = writeln!(out, "gives {}", given.join(", "));
    }
    for case in &schema.error_cases {
        let _ = writeln!(out, "{} if {} ({})", case.status, case.condition, case.evidence.as_str());
    }
    out
}

/// An oracle in the format in which models write it. `cited` are the lines that its maker named, and `fills` the derived
/// oracle whose open values it states.
pub fn shown(oracle: &Oracle, cited: Option<&Vec<String>>, fills: Option<&str>) -> String {
    let mut shown = serde_json::json!({
        "test_id": oracle.test_id, "description": oracle.description, "strategy": oracle.strategy,
        "input": oracle.input, "assertions": oracle.assertions, "evidence": oracle.evidence, "rationale": oracle.rationale,
    });
    if oracle.as_user != ANONYMOUS {
        shown["as"] = Value::from(oracle.as_user.as_str());
    }
    if let Some(cited) = cited {
        shown["evidence"] = Value::from(cited.clone());
    }
    if let Some(fills) = fills {
        shown["fills"] = Value::from(fills);
    }
    if !oracle.assumes.is_empty() {
        shown["assumes"] = oracle.assumes.iter().map(|one| one.what.as_str()).collect();
    }
    if !oracle.given.is_empty() {
        shown["given"] = oracle.given.iter().map(Given::what).collect();
    }
    without_empty(&mut shown["input"]);
    shown.to_string()
}

/// Removes members that are empty, and `anonymous`.
pub fn without_empty(value: &mut Value) {
    let says = |part: &Value| {
        let is_empty = part.as_array().is_some_and(Vec::is_empty)
            || part.as_object().is_some_and(serde_json::Map::is_empty)
            || part.as_str().is_some_and(|text| text.is_empty() || text == ANONYMOUS);
        !is_empty
    };
    let members = value.as_object_mut();
    members.into_iter().for_each(|members| members.retain(|_, part| says(part)));
}

/// The derived oracles of an operation by their expectations: name and request of each, and the members of a good
/// answer that it leaves open.
pub fn known(derived: &Derived) -> String {
    let Derived { context, oracles, open } = derived;
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for oracle in oracles.iter().chain(open).take(KNOWN) {
        let expected = expected(context, oracle);
        let line = format!("  {}: {}", oracle.test_id, request(oracle));
        match groups.iter_mut().find(|(known, _)| *known == expected) {
            Some((_, lines)) => lines.push(line),
            None => groups.push((expected, vec![line])),
        }
    }
    let mut out = String::new();
    for (expected, lines) in groups {
        let _ = writeln!(out, "{expected}\n{}", lines.join("\n"));
    }
    let all = oracles.len() + open.len();
    if all > KNOWN {
        let _ = writeln!(out, "and {} more of these kinds", all - KNOWN);
    }
    out.trim_end().to_owned()
}

/// What an oracle expects, in one line.
fn expected(context: &SourceContext, oracle: &Oracle) -> String {
    let statuses: Vec<String> = oracle.statuses().iter().map(ToString::to_string).collect();
    let mut out = statuses.join(" or ");
    let parts = oracle.assertions.iter().filter_map(assertion);
    parts.for_each(|part| {
        let _ = write!(out, ", {part}");
    });
    let open = open(context, oracle);
    if !open.is_empty() {
        let _ = write!(out, "; open: {}", open.join(", "));
    } else if oracle.assertions.len() < 2 && oracle.statuses().iter().all(|status| *status < 300) {
        out.push_str("; open: all but the status");
    }
    for given in oracle.given.iter().filter(|given| !given.is_from_start()) {
        let _ = write!(out, "; given {}", given.what());
    }
    out
}

/// Members of a good answer whose values an oracle leaves open.
fn open<'c>(context: &'c SourceContext, oracle: &Oracle) -> Vec<&'c str> {
    if !oracle.statuses().iter().all(|status| (200..300).contains(status)) {
        return Vec::new();
    }
    let is_whole = |check: &Check| match check {
        Check::Field { path, op, .. } => path.is_empty() && fixes(*op),
        Check::Body { op, .. } => *op == BodyOp::Empty,
        _ => false,
    };
    if oracle.assertions.iter().any(|one| is_whole(&one.check)) {
        return Vec::new();
    }
    let is_fixed = |path: &str| {
        let is = |one: &Assertion| matches!(&one.check, Check::Field { path: known, op, .. } if fixes(*op) && (known == path || begins(path, known)));
        oracle.assertions.iter().any(is)
    };
    let paths = context.response_schema.fields.iter().map(|field| field.path.as_str());
    paths.filter(|path| !is_fixed(path)).collect()
}

/// Whether `path` leads into what stands at `known`.
fn begins(path: &str, known: &str) -> bool {
    let plain = known.replace("[0]", "[*]");
    path.strip_prefix(plain.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// Whether an operator leaves one value.
fn fixes(op: FieldOp) -> bool {
    matches!(op, FieldOp::Equals | FieldOp::IsNull | FieldOp::Absent | FieldOp::SameItems)
}

/// An assertion on the body or a header in words; `None` for the status and for what says nothing of a value.
fn assertion(assertion: &Assertion) -> Option<String> {
    let told = |place: &str, op: FieldOp, expected: &Option<Value>| {
        let place = if place.is_empty() { "body" } else { place };
        // The members are among the facts.
        if place == "body" && op == FieldOp::Keys {
            return None;
        }
        let expected = expected.as_ref().map(|value| short(value).to_string()).unwrap_or_default();
        match op {
            FieldOp::NotNull | FieldOp::Type => None,
            FieldOp::Equals => Some(format!("{place} = {expected}")),
            FieldOp::IsNull => Some(format!("{place} is null")),
            _ => {
                let op = serde_json::to_value(op).unwrap_or_default();
                Some(format!("{place} {} {expected}", op.as_str().unwrap_or_default()).trim_end().to_owned())
            }
        }
    };
    match &assertion.check {
        Check::Status { .. } | Check::Body { op: BodyOp::MediaType, .. } => None,
        Check::Field { path, op, expected } => told(path, *op, expected),
        Check::Header { name, op, expected } => told(&format!("header {name}"), *op, expected),
        Check::Body { op, .. } => Some(if *op == BodyOp::Empty { "no body" } else { "a body" }.to_owned()),
    }
}

/// The value with long texts cut: their beginning, their end and their length.
fn short(value: &Value) -> Value {
    match value {
        Value::String(text) if text.chars().count() > TEXT => {
            let (all, part) = (text.chars().count(), TEXT / 3);
            let begin: String = text.chars().take(part).collect();
            let end: String = text.chars().skip(all - part).collect();
            Value::from(format!("{begin}…{end} ({all} characters)"))
        }
        Value::Array(items) => items.iter().map(short).collect(),
        Value::Object(members) => members.iter().map(|(name, one)| (name.clone(), short(one))).collect(),
        other => other.clone(),
    }
}

/// The request of an oracle in one line, as far as it differs from the bare operation.
pub fn request(oracle: &Oracle) -> String {
    let Input { path, query, headers, cookies, body } = &oracle.input;
    let pairs = |pairs: &[(String, String)], with: &str| {
        pairs.iter().map(|(name, value)| format!("{name}{with}{value}")).collect::<Vec<_>>()
    };
    let mut parts: Vec<String> = path.iter().map(|(name, value)| format!("{{{name}}}={value}")).collect();
    if !query.is_empty() {
        parts.push(format!("?{}", pairs(query, "=").join("&")));
    }
    parts.extend(pairs(headers, ": "));
    parts.extend(pairs(cookies, "=").into_iter().map(|pair| format!("cookie {pair}")));
    match body {
        None => {}
        Some(Body::Json { json }) => parts.push(short(json).to_string()),
        Some(other) => parts.push(serde_json::to_string(other).unwrap_or_default()),
    }
    if oracle.as_user != ANONYMOUS {
        parts.push(format!("as {}", oracle.as_user));
    }
    if parts.is_empty() { "plain".to_owned() } else { parts.join(" ") }
}

/// Assumptions that a model is asked about, one a line: id, words, and the line that they are about where it is shown.
pub fn assumptions(all: &[Assumption], bundle: &Bundle) -> String {
    let one = |assumed: &Assumption| {
        let place = bundle.with_lines(assumed.evidence.as_str());
        let place = if place == assumed.evidence.as_str() { String::new() } else { format!(" ({place})") };
        format!("{}: {}{place}", assumed.id, assumed.what)
    };
    all.iter().map(one).collect::<Vec<_>>().join("\n")
}

/// Sequences in short: name, and each step with its status.
pub fn sequences(all: &[&Sequence]) -> String {
    let step = |step: &Step| {
        let codes: Vec<String> = statuses(&step.assertions).iter().map(ToString::to_string).collect();
        format!("{} {}", step.op_id, codes.join(" or "))
    };
    let one = |sequence: &&Sequence| {
        let steps: Vec<String> = sequence.steps.iter().map(step).collect();
        format!("{}: {}", sequence.test_id, steps.join(" → "))
    };
    all.iter().map(one).collect::<Vec<_>>().join("\n")
}
