//! Candidates: requests with certain answers become oracles, by the four strategies, with their evidence.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value as Json, json};

use super::contexts::cite;
use super::error_cases::{relevant, sentence};
use super::given::given;
use crate::search::explore::{Purpose, Settled, TriedRequest, settle, settle_assuming};
use mastor_frameworks::Location;
use mastor_java::interpret::paths::condition::{Cond, Defect};
use mastor_java::interpret::values::function::Function;
use mastor_java::interpret::values::scalar::Scalar;
use mastor_java::interpret::values::term::Term;
use mastor_java::ir::body::BinaryOp;
use mastor_java::ir::facts::MemberKind;
use mastor_java::ir::ids::MemberId;
use mastor_runtime::app::assumed::{in_words, place};
use mastor_runtime::bench::Bench;
use mastor_runtime::body::shape::{AnswerBody, Shape, read};
use mastor_runtime::server::headers;
use mastor_runtime::server::serve::Run;
use mastor_types::suite::assertion::{Assertion, BodyOp, Check, FieldOp, StatusSet};
use mastor_types::suite::assumption::Assumption;
use mastor_types::suite::evidence::Evidence;
use mastor_types::suite::oracle::{Candidate, Confirmation, Effect, Oracle, Origin, Strategy};

/// Maximum number of fields that are asserted one by one; a larger body is asserted by its outline.
const FIELDS: usize = 40;

/// Candidates for every request with a certain answer.
pub fn candidates(bench: &Bench<'_>, open: &Run, tried: &[TriedRequest]) -> Vec<Candidate> {
    let mut names: BTreeSet<String> = BTreeSet::new();
    let mut shown = BTreeSet::new();
    let mut out = Vec::new();
    for one in tried {
        let Some(settled) = settle(&one.run) else { continue };
        let mut made = candidate(bench, open, one, &settled, &mut names);
        show_headers(bench, (one, &settled), &mut made, &mut shown);
        out.push(made);
    }
    out
}

/// Maximum number of oracles with assumptions for the same status and place in the code.
const OF_KIND: usize = 2;
/// The same for one operation.
const ASSUMED: usize = 12;

/// Candidates for requests whose answers are certain under assumptions about the code that runs around the handler;
/// `known` have the names in use.
pub fn assumed(bench: &Bench<'_>, open: &Run, tried: &[TriedRequest], known: &[Candidate]) -> Vec<Candidate> {
    let mut names: BTreeSet<String> = known.iter().map(|one| one.oracle.test_id.clone()).collect();
    let mut of_kind: BTreeMap<_, usize> = BTreeMap::new();
    let mut out = Vec::new();
    for one in tried.iter().filter(|one| settle(&one.run).is_none()) {
        let Some((settled, doubts)) = settle_assuming(&one.run) else { continue };
        let count = of_kind.entry((settled.status, settled.exit)).or_default();
        if *count >= OF_KIND || out.len() >= ASSUMED {
            continue;
        }
        *count += 1;
        let mut made = candidate(bench, open, one, &settled, &mut names);
        for doubt in &doubts {
            let about = place(bench.subject.project, doubt).unwrap_or(bench.subject.endpoint.entry);
            let citation = cite(bench, about);
            made.oracle.assumes.push(Assumption::of(in_words(doubt), citation.id()));
            made.citations.push(citation);
        }
        made.oracle.assumes.sort();
        made.oracle.assumes.dedup();
        out.push(made);
    }
    out
}

/// Adds assertions about headers that no answer of the operation has shown before, with citations of the code that sets
/// them.
fn show_headers(
    bench: &Bench<'_>,
    (one, settled): (&TriedRequest, &Settled),
    made: &mut Candidate,
    shown: &mut BTreeSet<(String, String)>,
) {
    let headers = headers::assertions(settled.status, &settled.headers, shown);
    let is_asserted = |name: &String| {
        headers
            .iter()
            .any(|one| matches!(&one.check, Check::Header { name: own, .. } if own.eq_ignore_ascii_case(name)))
    };
    let setting = one.run.served.iter().flat_map(|served| &served.answer.set_by);
    let setting: BTreeSet<MemberId> =
        setting.filter(|(_, names)| names.iter().any(is_asserted)).map(|(member, _)| *member).collect();
    for citation in setting.into_iter().map(|member| cite(bench, member)) {
        made.oracle.evidence.push(citation.id());
        made.citations.push(citation);
    }
    made.oracle.assertions.extend(headers);
}

/// Requests whose answers the code leaves open, as oracles without assertions. A running service completes them with
/// its answers; otherwise they are left out. `known` have the names in use.
pub fn probes(bench: &Bench<'_>, open: &Run, tried: &[TriedRequest], known: &[Candidate]) -> Vec<Candidate> {
    let mut names: BTreeSet<String> = known.iter().map(|one| one.oracle.test_id.clone()).collect();
    let unsettled = tried.iter().filter(|one| settle(&one.run).is_none());
    unsettled.map(|one| probe(bench, open, one, &mut names)).collect()
}

fn probe(bench: &Bench<'_>, open: &Run, tried: &TriedRequest, names: &mut BTreeSet<String>) -> Candidate {
    let subject = bench.subject;
    let conditions = ways(bench, open, tried);
    let when = sentence(&conditions);
    let when = if when.is_empty() { String::new() } else { format!(" when {when}") };
    let valid = tried.run.served.iter().any(|served| served.answer.status.is_none_or(|status| status < 400));
    let strategy = if valid { Strategy::Fv } else { Strategy::Fi };
    let test_id = name(strategy, &condition_label(tried, &conditions), names);
    let (as_user, input) = (tried.case.sender(), tried.case.request(&bench.signature));
    let mut citations = citations(bench, tried);
    let evidence = citations.iter().map(Evidence::id).collect();
    let given = given(subject, &tried.run);
    citations.extend(given.iter().map(|(_, evidence)| evidence.clone()));
    let why = tried.run.served.iter().flat_map(|served| &served.path.unknowns).next();
    let why = why.map_or_else(|| "what runs around it is not followed".to_owned(), ToString::to_string);
    let oracle = Oracle {
        o_id: Oracle::identity(subject.op_id, &as_user, &input),
        op_id: subject.op_id.clone(),
        test_id,
        description: format!("Answers as was seen{when}."),
        strategy,
        as_user,
        input,
        assertions: Vec::new(),
        events: Vec::new(),
        effect: effect(subject, &tried.run),
        given: given.iter().map(|(given, _)| given.clone()).collect(),
        assumes: Vec::new(),
        evidence,
        rationale: format!(
            "{}The cited code answers this request; what it answers is not derived ({why}).",
            tried.tells.map(|told| runs(subject, told)).unwrap_or_default()
        ),
        origin: Origin::rules(),
        confirmation: Confirmation::none(),
    };
    Candidate { oracle, citations }
}

/// Verbs of methods that change stored data.
const WRITING: &[&str] = &[
    "save",
    "insert",
    "update",
    "delete",
    "remove",
    "persist",
    "merge",
    "store",
    "write",
    "execute",
    "increment",
    "create",
    "add",
    "put",
    "set",
    "register",
    "upsert",
    "replace",
    "drop",
    "clear",
    "reset",
    "send",
    "publish",
    "enqueue",
    "move",
    "rename",
];

/// Whether the request may change state. With a safe method, it does if its code calls something that writes. With
/// another method, it does unless its code is known to have no effects outside.
fn effect(subject: &mastor_runtime::subject::Subject<'_>, run: &Run) -> Effect {
    use mastor_types::Method::{Get, Head, Options};
    let mut effects = run.served.iter().flat_map(|served| &served.path.effects);
    let writes = match subject.endpoint.method {
        Get | Head | Options => effects.any(|effect| writing(effect)),
        _ => !run.complete || effects.next().is_some(),
    };
    if writes { Effect::Writes } else { Effect::Reads }
}

/// Whether an effect is the assignment of a field, or a call that writes.
fn writing(effect: &str) -> bool {
    effect.ends_with(" is set")
        || effect.split(|c: char| c.is_whitespace() || c == '(').filter_map(|word| word.rsplit_once('.')).any(
            |(_, method)| {
                let first = method.split(|c: char| !c.is_ascii_lowercase()).next().unwrap_or_default();
                WRITING.contains(&first)
            },
        )
}

fn condition_label(tried: &TriedRequest, conditions: &[Cond]) -> String {
    let label = conditions.last().map_or_else(|| "plain".to_owned(), label);
    match &tried.purpose {
        Purpose::Plain | Purpose::Path(_) => label,
        Purpose::Boundary(input) | Purpose::Sample(input) | Purpose::Mistyped(input) => {
            format!("{}_{}", plain(&input.name), value_label(tried, input))
        }
    }
}

/// A unique test name within the operation.
fn name(strategy: Strategy, label: &str, names: &mut BTreeSet<String>) -> String {
    let mut test_id = format!("{}_{}", strategy.as_str(), shorten(label));
    let mut number = 2;
    while !names.insert(test_id.clone()) {
        test_id = format!("{}_{}_{number}", strategy.as_str(), shorten(label));
        number += 1;
    }
    test_id
}

fn candidate(
    bench: &Bench<'_>,
    open: &Run,
    tried: &TriedRequest,
    settled: &Settled,
    names: &mut BTreeSet<String>,
) -> Candidate {
    let subject = bench.subject;
    let conditions = ways(bench, open, tried);
    let when = sentence(&conditions);
    let when = if when.is_empty() { String::new() } else { format!(" when {when}") };
    let strategy = strategy(tried, settled, conditions.last());
    let test_id = name(strategy, &condition_label(tried, &conditions), names);
    let (as_user, input) = (tried.case.sender(), tried.case.request(&bench.signature));
    let mut citations = citations(bench, tried);
    let evidence = citations.iter().map(Evidence::id).collect();
    let given = given(subject, &tried.run);
    citations.extend(given.iter().map(|(_, evidence)| evidence.clone()));
    let what = match &settled.exception {
        Some(exception) => format!("{exception} is thrown and answered with {}", settled.status),
        None => format!("the handler returns with {}", settled.status),
    };
    let oracle = Oracle {
        o_id: Oracle::identity(subject.op_id, &as_user, &input),
        op_id: subject.op_id.clone(),
        test_id,
        description: format!("Answers {}{when}.", settled.status),
        strategy,
        as_user,
        input,
        assertions: assertions(settled),
        events: Vec::new(),
        effect: effect(subject, &tried.run),
        given: given.iter().map(|(given, _)| given.clone()).collect(),
        assumes: Vec::new(),
        evidence,
        rationale: format!(
            "{}On this request the code takes one way only{}: {what}.",
            tried.tells.map(|told| tells(subject, told)).unwrap_or_default(),
            if when.is_empty() { String::new() } else { format!(" ({})", when.trim_start()) }
        ),
        origin: Origin::rules(),
        confirmation: Confirmation::none(),
    };
    Candidate { oracle, citations }
}

/// In words, the mutant or branch for which a request was chosen.
fn tells(subject: &mastor_runtime::subject::Subject<'_>, told: crate::search::tried::CoveredTarget) -> String {
    named(subject, told, "tells")
}

/// In words, the mutant that a request was chosen to cover.
fn runs(subject: &mastor_runtime::subject::Subject<'_>, told: crate::search::tried::CoveredTarget) -> String {
    named(subject, told, "runs")
}

fn named(
    subject: &mastor_runtime::subject::Subject<'_>,
    told: crate::search::tried::CoveredTarget,
    does: &str,
) -> String {
    let (file, line) = subject.project.shown(told.member.ty, told.line);
    match told.what {
        Some(what) => format!("It {does} a mutant that survived the suite ({file}:{line}, {what}). "),
        None => format!("It takes a branch that no test of the suite took ({file}:{line}). "),
    }
}

/// The conditions of the open path that the request takes.
fn ways(bench: &Bench<'_>, open: &Run, tried: &TriedRequest) -> Vec<Cond> {
    let known =
        |index: usize| -> Vec<Cond> { relevant(open, index).into_iter().filter(|cond| !cond.is_unknown()).collect() };
    if let Purpose::Path(index) = tried.purpose {
        return known(index);
    }
    let exit = tried.run.served.first().and_then(|served| served.path.exit);
    let met = |cond: &Cond| cond.is_unknown() || bench.holds(cond, &tried.case) == Some(true);
    let taken = open
        .served
        .iter()
        .position(|served| served.path.exit == exit && served.path.conditions.iter().all(|taken| met(&taken.cond)));
    taken.map(known).unwrap_or_default()
}

/// Valid or invalid by the status. A valid oracle is backward if its request tries one chosen value (at a boundary, of
/// a wrong type, a sample), else forward. An invalid oracle is backward if the framework rejects the request; else it
/// is forward if the request tries such a value or breaks a bound, else backward.
fn strategy(tried: &TriedRequest, settled: &Settled, last: Option<&Cond>) -> Strategy {
    let at_bound = !matches!(tried.purpose, Purpose::Plain | Purpose::Path(_));
    match (settled.status < 400, at_bound) {
        (true, false) => Strategy::Fv,
        (true, true) => Strategy::Bv,
        (false, _) if settled.exit.is_none() => Strategy::Bi,
        (false, true) => Strategy::Fi,
        (false, false) => match last {
            Some(cond) if cond.bound().is_none() => Strategy::Bi,
            _ => Strategy::Fi,
        },
    }
}

fn plain(name: &str) -> String {
    let mut out = String::new();
    let mut lower = false;
    for c in name.chars() {
        let after_lower = std::mem::replace(&mut lower, c.is_ascii_lowercase());
        if c.is_ascii_uppercase() {
            if after_lower && !out.ends_with('_') {
                out.push('_');
            }
            out.push(c.to_ascii_lowercase());
        } else if c.is_ascii_alphanumeric() {
            out.push(c);
        } else if !out.ends_with('_') && !out.is_empty() {
            out.push('_');
        }
    }
    let out = out.trim_matches('_').to_owned();
    if out.is_empty() { "body".to_owned() } else { out }
}

fn shorten(label: &str) -> String {
    label.chars().take(60).collect::<String>().trim_matches('_').to_owned()
}

fn value_label(tried: &TriedRequest, input: &mastor_java::interpret::values::term::Input) -> String {
    let value = match tried.case.params.get(input) {
        Some(text) => text.clone(),
        None => match &tried.case.body {
            mastor_runtime::request::case::CaseBody::Json(json) => {
                mastor_runtime::request::case::at_path(json, &input.name)
                    .map(|json| match json {
                        Json::Array(items) => format!("{}_items", items.len()),
                        Json::String(text) => text.clone(),
                        other => other.to_string(),
                    })
                    .unwrap_or_default()
            }
            _ => String::new(),
        },
    };
    if value.len() > 16 {
        return format!("{}_characters", value.chars().count());
    }
    match value.strip_prefix('-') {
        Some(rest) => format!("minus_{}", plain(rest)),
        None if value.is_empty() => "empty".to_owned(),
        None => plain(&value),
    }
}

/// A short name for a condition: `code_too_short`, `quantity_missing`.
fn label(cond: &Cond) -> String {
    let subject = |cond: &Cond| {
        let mut inputs = Vec::new();
        cond.inputs(&mut inputs);
        inputs.first().map_or_else(|| "request".to_owned(), |input| plain(&input.name))
    };
    let name = subject(cond);
    if let Some((term, op, limit)) = cond.bound() {
        let length = matches!(&**term, Term::Apply(Function::Length | Function::Size, _));
        let number = if limit < 0 { format!("minus_{}", limit.unsigned_abs()) } else { limit.to_string() };
        return match (op, length) {
            (BinaryOp::Lt | BinaryOp::Le, true) => format!("{name}_too_short"),
            (BinaryOp::Gt | BinaryOp::Ge, true) => format!("{name}_too_long"),
            (BinaryOp::Ne, true) => format!("{name}_length_not_{number}"),
            (_, true) => format!("{name}_length_{number}"),
            (BinaryOp::Lt, _) => format!("{name}_below_{number}"),
            (BinaryOp::Le, _) => format!("{name}_at_most_{number}"),
            (BinaryOp::Gt, _) => format!("{name}_above_{number}"),
            (BinaryOp::Ge, _) => format!("{name}_at_least_{number}"),
            (BinaryOp::Eq, _) => format!("{name}_is_{number}"),
            _ => format!("{name}_not_{number}"),
        };
    }
    match cond {
        Cond::Input(_, Defect::Missing) => format!("{name}_missing"),
        Cond::Input(_, Defect::NotA(what)) => format!("{name}_no_{}", plain(what)),
        Cond::Input(_, Defect::Unreadable) => format!("{name}_unreadable"),
        Cond::IsNull(_) => format!("{name}_null"),
        Cond::Same(_, constant) => match &**constant {
            Term::Const(Scalar::Str(text)) => format!("{name}_{}", plain(&text.text)),
            Term::Const(Scalar::Enum(_, constant)) => format!("{name}_{}", plain(constant)),
            other => format!("{name}_is_{}", plain(&other.to_string())),
        },
        Cond::Test(term) => match &**term {
            Term::Apply(function, _) => format!("{name}_{}", plain(&format!("{function:?}"))),
            _ => name,
        },
        Cond::Not(inner) => match &**inner {
            Cond::Input(..) => format!("{name}_valid"),
            Cond::IsNull(_) => format!("{name}_given"),
            inner => format!("not_{}", label(inner)),
        },
        _ => name,
    }
}

/// The assertions about an answer.
pub fn assertions(settled: &Settled) -> Vec<Assertion> {
    let mut out = vec![Assertion::derived(Check::Status { expected: StatusSet::One(settled.status) })];
    if let Some(path) = &settled.location {
        // The server decides whether the URL has a host and a session id.
        let expected = json!(format!("^[^?#;]*{}(;[^?#]*)?([?#].*)?$", regex::escape(path)));
        out.push(Assertion::derived(Check::Header {
            name: "Location".to_owned(),
            op: FieldOp::Matches,
            expected: Some(expected),
        }));
    }
    match &settled.body {
        AnswerBody::Empty => out.push(Assertion::derived(Check::Body { op: BodyOp::Empty, expected: None })),
        AnswerBody::Text(text, _) if text.is_empty() => {
            out.push(Assertion::derived(Check::Body { op: BodyOp::Empty, expected: None }));
        }
        AnswerBody::Text(text, label) => match read(text, *label) {
            Some(expected) => {
                let mut fields = Vec::new();
                outline(&Shape::Exact(expected), "", &mut fields);
                fields.truncate(FIELDS);
                out.extend(fields);
            }
            None => out.push(Assertion::derived(Check::Body { op: BodyOp::NotEmpty, expected: None })),
        },
        AnswerBody::Json(shape) => {
            let mut fields = Vec::new();
            outline(shape, "", &mut fields);
            fields.truncate(FIELDS);
            out.extend(fields);
        }
        AnswerBody::Unknown => {}
    }
    out
}

fn field(path: &str, op: FieldOp, expected: Option<Json>) -> Assertion {
    Assertion::derived(Check::Field { path: path.to_owned(), op, expected })
}

/// Maximum length of a value that is asserted as a whole, in bytes; a longer one is asserted by its outline.
const WHOLE: usize = 4_000;

/// The outline of an element of a long value.
fn parts(value: &Json) -> Shape {
    match value {
        Json::Array(items) => Shape::Array(items.iter().cloned().map(Shape::Exact).collect()),
        Json::Object(fields) => {
            let mut fields: Vec<(String, Shape)> =
                fields.iter().map(|(name, value)| (name.clone(), Shape::Exact(value.clone()))).collect();
            fields.sort_by(|a, b| a.0.cmp(&b.0));
            Shape::Object(fields)
        }
        other => Shape::Exact(other.clone()),
    }
}

fn is_long(value: &Json) -> bool {
    (value.is_array() || value.is_object()) && value.to_string().len() > WHOLE
}

fn outline(shape: &Shape, path: &str, out: &mut Vec<Assertion>) {
    match shape {
        Shape::Exact(value) if is_long(value) => outline(&parts(value), path, out),
        Shape::Exact(Json::Null) => out.push(field(path, FieldOp::IsNull, None)),
        Shape::Exact(value) => out.push(field(path, FieldOp::Equals, Some(value.clone()))),
        Shape::Typed(ty, nullable) => {
            if !nullable {
                out.push(field(path, FieldOp::Type, Some(json!(ty))));
            }
        }
        Shape::Object(fields) => {
            let keys: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
            if fields.iter().all(|(name, _)| !name.contains(['.', '['])) {
                out.push(field(path, FieldOp::Keys, Some(json!(keys))));
                for (name, inner) in fields {
                    let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                    outline(inner, &path, out);
                }
            }
        }
        Shape::Array(items) => match shape.exact().filter(|value| !is_long(value)) {
            Some(value) => out.push(field(path, FieldOp::Equals, Some(value))),
            None => {
                out.push(field(path, FieldOp::Length, Some(json!(items.len()))));
                for (index, item) in items.iter().enumerate().take(3) {
                    outline(item, &format!("{path}[{index}]"), out);
                }
            }
        },
        Shape::Bag(items) => match shape.items() {
            Some(items) if !is_long(&Json::Array(items.clone())) => {
                out.push(field(path, FieldOp::SameItems, Some(Json::Array(items))));
            }
            _ => out.push(field(path, FieldOp::Length, Some(json!(items.len())))),
        },
        Shape::Key(_, ty) => out.push(field(path, FieldOp::Type, Some(json!(ty)))),
        Shape::Unknown => {}
    }
}

/// Evidence of the expectation: the members that ran, without constructors, the entry first.
fn citations(bench: &Bench<'_>, tried: &TriedRequest) -> Vec<Evidence> {
    let project = bench.subject.project;
    let entry = bench.subject.endpoint.entry;
    let mut members = BTreeSet::new();
    for served in &tried.run.served {
        members.extend(served.path.members.iter().copied());
        members.extend(served.path.exit.map(|site| site.member));
    }
    for slot in bench.signature.slots.iter().filter(|slot| slot.location == Location::Body) {
        if let Some(fields) = slot.ty.project().and_then(|id| bench.signature.fields(id)) {
            let constrained = fields
                .iter()
                .map(|field| field.member)
                .filter(|member| slot.validated && !project.member(*member).annotations.is_empty());
            members.extend(constrained);
        }
    }
    members.remove(&entry);
    let mut citations: Vec<Evidence> = members
        .into_iter()
        .filter(|member| project.member(*member).kind != MemberKind::Constructor)
        .map(|member| cite(bench, member))
        .collect();
    citations.sort();
    citations.insert(0, cite(bench, entry));
    citations.dedup();
    citations
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_keeps_something_is_told_by_the_first_word_of_its_name() {
        for effect in [
            "Notes.save",
            "Notes.deleteById",
            "Notes.delete: what a row refers to is not known",
            "Counter.total is set",
        ] {
            assert!(writing(effect), "{effect}");
        }
        for effect in ["Notes.findAll", "Notes.settle: it is not understood", "Notes.deletedOnes"] {
            assert!(!writing(effect), "{effect}");
        }
    }
}
