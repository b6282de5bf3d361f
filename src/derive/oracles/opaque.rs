//! Oracles on opaque values: for each path of the operation on opaque values, the request, the given data, the
//! assumptions, and the answer. They are candidates in the suite until a service or a slice has confirmed them.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value as Json, json};

use super::contexts::cite;
use super::error_cases::sentence;
use super::gives::gives;
use crate::inputs::assignment::Assignment;
use crate::inputs::solve::Pool;
use mastor_java::interpret::Bounds;
use mastor_java::interpret::opaque::calls::QUERY;
use mastor_java::interpret::opaque::follows::{Effects, FollowedMembers};
use mastor_java::interpret::paths::condition::Cond;
use mastor_java::interpret::paths::path::{Outcome, Site, Taken};
use mastor_java::interpret::stores::derived;
use mastor_java::interpret::values::scalar::Scalar;
use mastor_java::interpret::values::term::{Canon, InputPlace, Inputs as _, Origin, Term};
use mastor_java::ir::ids::MemberId;
use mastor_java::project::index::Project;
use mastor_runtime::app::assumed::{in_words, place};
use mastor_runtime::bench::Bench;
use mastor_runtime::body::shape::{Answer, AnswerBody};
use mastor_runtime::request::case::{Case, CaseBody, Reading, set_path};
use mastor_runtime::server::opaquely::{ComparablePath, NO_BODY, Start};
use mastor_runtime::server::serve::{Run, Served};
use mastor_types::hash::Hash;
use mastor_types::suite::assertion::{Assertion, BodyOp, Check, FieldOp, StatusSet};
use mastor_types::suite::assumption::Assumption;
use mastor_types::suite::evidence::Evidence;
use mastor_types::suite::given::{Given, Stub};
use mastor_types::suite::input;
use mastor_types::suite::oracle::{self, Candidate, Confirmation, Effect, Oracle, Strategy};
use mastor_types::suite::source_context::SourceContext;

/// Bounds of the run.
const BOUNDS: Bounds =
    Bounds { depth: 80, forks: 30, paths: 120, steps: 60_000, total_steps: 600_000, turns: 3, cells: 200_000 };

/// Maximum number of oracles with one success status.
const OF_SUCCESS: usize = 2;
/// Maximum number of oracles with one error status.
const OF_REFUSAL: usize = 3;
/// Maximum number of oracles for one operation.
const OF_OPERATION: usize = 8;

/// Maximum number of calls that are named for one answer.
const ANSWERING: usize = 4;

/// A policy that follows all of the project's code.
struct FollowAll;

impl FollowedMembers for FollowAll {
    fn opens(&self, _member: MemberId) -> bool {
        true
    }

    fn changes(&self, _member: MemberId) -> bool {
        false
    }

    fn effects(&self, _member: MemberId) -> Effects {
        Effects::default()
    }
}

/// Candidates for the paths of an operation that end in a status outside `known`.
pub fn opaque_candidates(bench: &Bench<'_>, context: &SourceContext, known: &BTreeSet<u16>) -> Vec<Candidate> {
    if !bench.runs_opaquely() || !bench.surroundings.is_served {
        return Vec::new();
    }
    let (ended, complete) = ways(bench);
    let served = |ended: &ComparablePath| Served {
        path: ended.path.clone(),
        answer: Answer::of(ended.status, AnswerBody::Unknown),
    };
    let run = Run { served: ended.iter().map(served).collect(), complete };
    let pool = OnceCell::new();
    let mut ways: Vec<(u16, &ComparablePath)> = ended.iter().filter_map(|ended| Some((told(ended)?, ended))).collect();
    // Successful answers come first, and for one status the paths with the fewest conditions.
    ways.sort_by_key(|(status, ended)| (*status >= 400, *status, ended.path.conditions.len()));
    let (mut of_status, mut exits, mut names) = (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
    let mut made = Vec::new();
    for (status, ended) in ways {
        let count: &mut usize = of_status.entry(status).or_default();
        let most = if status < 400 { OF_SUCCESS } else { OF_REFUSAL };
        // A status of 500 or above is a failure of the code, which no client relies on.
        if status >= 500 || known.contains(&status) || *count >= most || made.len() >= OF_OPERATION {
            continue;
        }
        if !exits.insert((status, ended.path.exit)) {
            continue;
        }
        let pool = pool.get_or_init(|| Pool::of(bench, &[&run]));
        if let Some(candidate) = candidate(bench, (pool, context), (status, ended), &mut names) {
            *count += 1;
            made.push(candidate);
        }
    }
    made
}

/// All paths of an operation on opaque values, with all of the project's code followed; the flag says whether they are
/// complete.
pub fn ways(bench: &Bench<'_>) -> (Vec<ComparablePath>, bool) {
    bench.opaquely(Start::Operation, &FollowAll, &[], BOUNDS)
}

/// The status of a path, if it depends on nothing but assumptions.
pub fn told(ended: &ComparablePath) -> Option<u16> {
    let is_open = |taken: &Taken| taken.cond.is_unknown();
    let ends = !matches!(ended.path.outcome, Outcome::Cut(_));
    let is_told =
        ends && !ended.path.conditions.iter().any(is_open) && ended.path.doubts.is_subset(&ended.path.assumed);
    ended.status.filter(|_| is_told)
}

/// The id of a condition on opaque values. Classes are written by name, so that two revisions agree on it.
pub fn stub_id(cond: &Cond) -> String {
    Hash::of(format!("{cond:?}").as_bytes()).short(8)
}

/// Whether a condition depends on opaque values.
pub fn is_opaque(cond: &Cond) -> bool {
    let mut found = Vec::new();
    cond.opaque(&mut found);
    !found.is_empty()
}

fn candidate(
    bench: &Bench<'_>,
    (pool, context): (&Pool<'_>, &SourceContext),
    (status, ended): (u16, &ComparablePath),
    names: &mut BTreeSet<String>,
) -> Option<Candidate> {
    let subject = bench.subject;
    let stubbed: Vec<&Taken> = ended.conditions.iter().filter(|taken| is_opaque(&taken.cond)).collect();
    let asked: Vec<&Taken> = ended.path.conditions.iter().filter(|taken| !is_opaque(&taken.cond)).collect();
    let conditions: Vec<&Cond> = asked.iter().map(|taken| &taken.cond).collect();
    let solved = pool.solve(&conditions, &pool.valid()).or_else(|| assigned(bench, &conditions, pool.valid()));
    let case = solved.filter(|case| pool.is_sendable(case))?;
    let (as_user, input) = (case.sender(), case.request(&bench.signature));
    // A `null` body means that the content which the handler reads is unknown, so no oracle is made.
    if matches!(&input.body, Some(input::Body::Json { json: Json::Null, .. })) {
        return None;
    }
    // A path whose conditions no values satisfy is infeasible. Classes are written by name, in the conditions and in
    // the values, so that enum constants can be compared.
    let all: Vec<Cond> = ended.conditions.iter().map(|taken| taken.cond.clone()).collect();
    let values = Assignment::meeting(&all, 1)?;
    let mut citations = cited(bench, ended);
    let entry = cite(bench, subject.endpoint.entry);
    let mut given = Vec::new();
    // A stub cannot give the content of an exception.
    let is_of_exception = |call: &String| call.contains("Exception.");
    if stubbed.iter().any(|taken| calls(&taken.cond).iter().any(is_of_exception)) {
        return None;
    }
    for taken in &stubbed {
        let evidence = taken.site.map_or_else(|| entry.clone(), |site| cite(bench, site.member));
        let stub = Stub {
            id: stub_id(&taken.cond),
            calls: methods(subject.project, &taken.cond),
            when: taken.cond.to_string(),
            gives: gives(&taken.cond, &values, &|callee| method(subject.project, callee)),
        };
        if !given.iter().any(|known: &Given| known.stub.as_ref() == Some(&stub)) {
            given.push(Given::stub(stub, evidence.id()));
        }
        citations.push(evidence);
    }
    let mut assumes = Vec::new();
    for doubt in bench.left_out().iter().map(String::as_str).chain(ended.path.doubts.iter().map(AsRef::as_ref)) {
        let evidence = place(subject.project, doubt).map_or_else(|| entry.clone(), |member| cite(bench, member));
        let assumption = Assumption::of(in_words(doubt), evidence.id());
        if !assumes.contains(&assumption) {
            assumes.push(assumption);
            citations.push(evidence);
        }
    }
    citations.sort();
    citations.dedup();
    if given.is_empty() && assumes.is_empty() {
        given = answering(subject.project, ended, &entry);
    }
    // Certain oracles are made from requests alone.
    if given.is_empty() && assumes.is_empty() {
        return None;
    }
    let of_stubs: Vec<Cond> = stubbed.iter().map(|taken| taken.cond.clone()).collect();
    let when = sentence(&of_stubs);
    let when = if when.is_empty() { String::new() } else { format!(" given {when}") };
    let valid = status < 400;
    let strategy = if valid { Strategy::Fv } else { Strategy::Bi };
    let writes = !ended.events.is_empty() || !subject.endpoint.method.is_safe();
    let exit = ended.path.exit.map(|site| shown(bench, site)).unwrap_or_default();
    let oracle = Oracle {
        o_id: Oracle::identity_given(subject.op_id, &as_user, &input, &given),
        op_id: subject.op_id.clone(),
        test_id: name(strategy, status, names),
        description: format!("Answers {status}{when}."),
        strategy,
        as_user,
        input,
        assertions: assertions(bench, (status, ended), (context, &case)),
        events: Vec::new(),
        effect: if writes { Effect::Writes } else { Effect::Reads },
        given,
        assumes,
        evidence: citations.iter().map(Evidence::id).collect(),
        rationale: format!("Where this is given the code takes one way: it answers {status}{exit}."),
        origin: oracle::Origin::rules(),
        confirmation: Confirmation::none(),
    };
    Some(Candidate { oracle, citations })
}

/// For a path without conditions on opaque calls: stubs for the calls that the answer is made from.
fn answering(project: &Project, ended: &ComparablePath, entry: &Evidence) -> Vec<Given> {
    let mut all = Vec::new();
    ended.given.iter().for_each(|given| given.opaque(&mut all));
    let of_answer = all.iter().filter(|one| one.origin == Origin::Call).map(|one| (&one.callee, &one.words));
    let of_events =
        ended.events.iter().filter(|event| event.left().is_none()).map(|event| (&event.callee, &event.words));
    let mut found: Vec<Given> = Vec::new();
    for (callee, words) in of_answer.chain(of_events) {
        let Some(call) = method(project, callee) else { continue };
        let id = Hash::of(format!("{call} answers").as_bytes()).short(8);
        let stub = Stub { id, calls: vec![call], when: format!("{words} answers"), gives: Vec::new() };
        if found.len() < ANSWERING && !found.iter().any(|known| known.stub.as_ref() == Some(&stub)) {
            found.push(Given::stub(stub, entry.id()));
        }
    }
    found
}

/// A request with values that satisfy the conditions, for inputs whose types are not known well enough for a search.
fn assigned(bench: &Bench<'_>, conditions: &[&Cond], mut case: Case) -> Option<Case> {
    if conditions.iter().any(|cond| matches!(cond, Cond::Input(..))) {
        return None;
    }
    let all: Vec<Cond> = conditions.iter().map(|cond| (*cond).clone()).collect();
    let values = Assignment::meeting(&all, 1)?;
    let mut inputs = Vec::new();
    let is_defect = |cond: &Cond| matches!(cond, Cond::Not(inner) if matches!(**inner, Cond::Input(..)));
    conditions.iter().filter(|cond| !is_defect(cond)).for_each(|cond| cond.inputs(&mut inputs));
    inputs.sort();
    inputs.dedup();
    for input in inputs {
        let value = values.scalar(&input)?;
        match (input.place, &mut case.body) {
            (InputPlace::Body, CaseBody::Json(body)) if !input.name.is_empty() => {
                if !body.is_object() {
                    *body = json!({});
                }
                set_path(body, &input.name, plain(&value));
            }
            (InputPlace::Body, _) => return None,
            _ => match plain(&value) {
                Some(Json::String(text)) => drop(case.params.insert(input, text)),
                Some(value) => drop(case.params.insert(input, value.to_string())),
                None => drop(case.params.remove(&input)),
            },
        }
    }
    conditions.iter().all(|cond| bench.holds(cond, &case) != Some(false)).then_some(case)
}

/// Whether a handler receives an object into which it can write an answer.
fn writes_itself(bench: &Bench<'_>) -> bool {
    const WRITTEN: [&str; 4] = ["HttpServletResponse", "ServletResponse", "OutputStream", "Writer"];
    let params = &bench.subject.project.member(bench.subject.endpoint.entry).params;
    params.iter().any(|param| WRITTEN.contains(&param.ty.simple()))
}

/// The body of a handler's return value; for a `ResponseEntity`, its content.
fn body_of(given: &Canon) -> Canon {
    match given {
        Canon::Object(class, parts) if &**class == "org.springframework.http.ResponseEntity" => {
            let body = parts.iter().find(|(name, _)| &**name == "body").map(|(_, body)| body.clone());
            body.unwrap_or_else(Canon::null)
        }
        other => other.clone(),
    }
}

/// Known assertions about the answer: its status, its form, and the fields with constants or values from the request.
fn assertions(
    bench: &Bench<'_>,
    (status, ended): (u16, &ComparablePath),
    (context, case): (&SourceContext, &Case),
) -> Vec<Assertion> {
    let mut all = vec![Assertion::derived(Check::Status { expected: StatusSet::One(status) })];
    if status >= 400 {
        return all;
    }
    // These answers have no content (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5).
    if matches!(status, 204 | 205 | 304) {
        all.push(Assertion::derived(Check::Body { op: BodyOp::Empty, expected: None }));
        return all;
    }
    let is_null = |given: &Canon| matches!(given, Canon::Term(term) if **term == Term::Const(Scalar::Null));
    let given = ended.given.as_ref().map(body_of);
    if given.as_ref().is_some_and(|given| is_null(given) || matches!(given, Canon::Named(name) if &**name == NO_BODY)) {
        // Writes to the response object are not followed.
        if !writes_itself(bench) {
            all.push(Assertion::derived(Check::Body { op: BodyOp::Empty, expected: None }));
        }
        return all;
    }
    if !bench.surroundings.serialisation.is_empty() {
        all.push(Assertion::derived(Check::Body { op: BodyOp::NotEmpty, expected: None }));
        return all;
    }
    let fields = &context.response_schema.fields;
    let field = |path: &str, op: FieldOp, expected: Json| {
        Assertion::derived(Check::Field { path: path.to_owned(), op, expected: Some(expected) })
    };
    match (&given, fields.first()) {
        (Some(Canon::Object(class, parts)), _) if &**class == "map" => {
            // Entries with unknown keys have numbers as names.
            let keys: BTreeSet<&str> = parts.iter().map(|(name, _)| &**name).collect();
            let are_known = keys.iter().all(|key| key.parse::<usize>().is_err() && *key != "*");
            all.push(match are_known {
                true => field("", FieldOp::Keys, json!(keys)),
                false => field("", FieldOp::Type, json!("object")),
            });
        }
        (Some(Canon::Object(class, _)), _) if matches!(&**class, "list" | "set" | "bag") => {
            all.push(field("", FieldOp::Type, json!("array")));
        }
        (_, Some(first)) => {
            let form = if first.path.starts_with('[') { "array" } else { "object" };
            all.push(field("", FieldOp::Type, json!(form)));
        }
        // The result of an opaque call counts as not null, since no condition says otherwise.
        _ => all.push(Assertion::derived(Check::Body { op: BodyOp::NotEmpty, expected: None })),
    }
    let reading = Reading { case, signature: &bench.signature };
    if let Some(Canon::Object(_, parts)) = &ended.given {
        for (name, part) in parts.iter() {
            let Canon::Term(term) = part else { continue };
            let value = term.evaluate(&reading).and_then(|value| plain(&value));
            if let Some(value) = value.filter(|_| fields.iter().any(|known| known.path == **name)) {
                all.push(field(name, FieldOp::Equals, value));
            }
        }
    }
    all
}

/// A value as JSON, if Jackson writes it the same way in every configuration.
fn plain(value: &Scalar) -> Option<Json> {
    match value {
        Scalar::Bool(value) => Some(json!(value)),
        Scalar::Int(value) => Some(json!(value)),
        Scalar::Long(value) => Some(json!(value)),
        other => other.as_text().map(|text| json!(text)),
    }
}

fn name(strategy: Strategy, status: u16, names: &mut BTreeSet<String>) -> String {
    let plain = format!("{}_given_{status}", strategy.as_str());
    let mut number = 1;
    loop {
        let name = if number == 1 { plain.clone() } else { format!("{plain}_{number}") };
        if names.insert(name.clone()) {
            return name;
        }
        number += 1;
    }
}

fn shown(bench: &Bench<'_>, site: Site) -> String {
    let project = bench.subject.project;
    format!(" from `{}#{}`", project.ty(site.member.ty).name, project.member(site.member).name)
}

/// The evidence of a path: the members that ran, including the entry.
fn cited(bench: &Bench<'_>, ended: &ComparablePath) -> Vec<Evidence> {
    let mut members: BTreeSet<MemberId> = ended.path.members.clone();
    members.insert(bench.subject.endpoint.entry);
    members.extend(ended.path.exit.map(|site| site.member));
    members.into_iter().map(|member| cite(bench, member)).collect()
}

/// The opaque calls in a condition; parts of their results are not calls.
fn calls(cond: &Cond) -> Vec<String> {
    let mut found = Vec::new();
    cond.opaque(&mut found);
    let calls = found.iter().filter(|one| one.origin == Origin::Call);
    let all: BTreeSet<String> = calls.map(|one| one.callee.to_string()).collect();
    all.into_iter().collect()
}

/// The opaque calls in a condition, by the methods that a stub replaces.
fn methods(project: &Project, cond: &Cond) -> Vec<String> {
    calls(cond).iter().filter_map(|callee| method(project, callee)).collect()
}

/// The method of a callee; a query belongs to the repository method that is named after it.
fn method(project: &Project, callee: &str) -> Option<String> {
    match callee.split_once(QUERY) {
        Some((repository, asked)) => {
            let ty = project.by_fqn(repository)?;
            let asks = |member: &MemberId| {
                let form = derived::normal_form(&project.member(*member).name);
                form.is_some_and(|form| asked.strip_prefix(&form).is_some_and(|rest| rest.starts_with(" (")))
            };
            let mut all = std::iter::once(ty).chain(project.all_supers(ty)).flat_map(|ty| project.members(ty));
            all.find(asks).map(|member| project.symbol(member))
        }
        // A callee with spaces is not a method, for example whether a constraint holds.
        None => (!callee.contains(' ')).then(|| callee.to_owned()),
    }
}
