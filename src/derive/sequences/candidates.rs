//! Sequences: one operation stores data, and others show, change and remove it. They run on the same stores, so that
//! the answer of each step is derived.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use super::steps::{Captures, step};
use super::tour::{TourResult, Visit, tour};
use crate::inputs::solve::Pool;
use crate::oracles::candidates::assertions;
use crate::oracles::contexts::cite;
use crate::oracles::given::given;
use crate::search::explore::{Settled, TriedRequest, search, settle};
use mastor_frameworks::{Endpoint, Location};
use mastor_java::interpret::stores::data::plain;
use mastor_java::interpret::stores::state::{LookupValue, StoreOperation};
use mastor_java::interpret::values::term::Input;
use mastor_java::ir::facts::MemberKind;
use mastor_java::ir::ids::TypeId;
use mastor_runtime::bench::Bench;
use mastor_runtime::request::case::{Case, CaseBody};
use mastor_runtime::subject::Subject;
use mastor_types::suite::evidence::Evidence;
use mastor_types::suite::oracle::{Confirmation, Effect, Origin};
use mastor_types::suite::sequence::{Pattern, Sequence, Step};
use mastor_types::{Method, OpId};

/// Maximum number of other operations that are tried after a write.
const OTHERS: usize = 24;
/// Maximum number of writes of one operation that are followed.
const WRITES: usize = 3;
/// Maximum number of sequences of one operation.
const MOST: usize = 6;

/// Maximum number of bodies with another value in one field.
const ALTERED: usize = 4;

/// A sequence with its citations.
type Made = (Sequence, Vec<Evidence>);

/// The sequences that begin with an operation.
pub fn sequences(bench: &Bench<'_>, tried: &[TriedRequest]) -> Vec<Made> {
    let writes = writes(bench, tried);
    if writes.is_empty() {
        return Vec::new();
    }
    let subject = bench.subject;
    let related: Vec<&Endpoint> = related(subject, &writes).into_iter().take(OTHERS).collect();
    let subjects: Vec<(OpId, &Endpoint)> =
        related.iter().map(|endpoint| (subject.shared.name_of(endpoint), *endpoint)).collect();
    let subjects: Vec<Subject<'_>> =
        subjects.iter().map(|(op_id, endpoint)| Subject { op_id, endpoint, ..*subject }).collect();
    let others: Vec<Bench<'_>> = subjects.iter().map(Bench::new).collect();
    let mut maker = Maker { bench, others: &others, made: Vec::new(), names: BTreeSet::new(), is_created: false };
    for write in &writes {
        maker.follow(write);
    }
    maker.made
}

/// A request that changes stores and has a certain answer.
pub(crate) struct Write<'t> {
    pub(crate) case: &'t Case,
    entity: TypeId,
    inserts: bool,
}

/// The first requests that change stores.
pub(crate) fn writes<'t>(bench: &Bench<'_>, tried: &'t [TriedRequest]) -> Vec<Write<'t>> {
    let mut found: Vec<Write<'t>> = Vec::new();
    if matches!(bench.subject.endpoint.method, Method::Get | Method::Head | Method::Options) {
        return found;
    }
    for one in tried {
        if settle(&one.run).is_none_or(|settled| settled.status >= 400) {
            continue;
        }
        let deeds = one.run.served.iter().flat_map(|served| &served.path.store.deeds);
        let of = deeds.filter_map(|deed| match deed {
            StoreOperation::Inserted { entity, .. } => Some((*entity, true)),
            StoreOperation::Kept { owner } => Some((*owner, false)),
            StoreOperation::Changed { entity, .. }
            | StoreOperation::Removed { entity, .. }
            | StoreOperation::Emptied { entity } => Some((*entity, false)),
            // A loaded row may be changed without a call that saves it.
            StoreOperation::Asked { entity, found, .. } if *found > 0 => Some((*entity, false)),
            _ => None,
        });
        let of: Vec<(TypeId, bool)> = of.collect();
        let Some((entity, inserts)) = of.iter().find(|(_, inserts)| *inserts).or(of.first()).copied() else { continue };
        if found.iter().filter(|write| write.inserts == inserts).count() < WRITES {
            found.push(Write { case: &one.case, entity, inserts });
        }
    }
    found
}

/// Operations on the same resource: their paths are below or above the path of the write, or end in the name of the
/// entity.
pub(crate) fn related<'s>(subject: &Subject<'s>, writes: &[Write<'_>]) -> Vec<&'s Endpoint> {
    let own = &subject.endpoint.path;
    let stores = &subject.shared.stores;
    let entities: Vec<String> = writes
        .iter()
        .flat_map(|write| std::iter::once(write.entity).chain(stores.above(write.entity)))
        .flat_map(|entity| {
            let name = plain(&subject.project.ty(entity).name);
            [name.clone(), format!("{name}s"), format!("{}ies", name.trim_end_matches('y'))]
        })
        .collect();
    let stem = |path: &str| {
        path.split('/').take_while(|segment| !segment.contains('{')).map(str::to_owned).collect::<Vec<String>>()
    };
    let named = |path: &str| {
        let literal = path.split('/').rfind(|segment| !segment.is_empty() && !segment.contains('{'));
        literal.is_some_and(|segment| entities.contains(&plain(segment)))
    };
    let mut found: Vec<&Endpoint> = subject
        .endpoints
        .iter()
        .filter(|other| other.method != Method::Head && other.method != Method::Options && !other.any_method)
        .filter(|other| {
            (stem(&other.path) == stem(own) && stem(own).len() > 1)
                || named(&other.path)
                || takes(subject, other, &entities)
        })
        .collect();
    // The nearest paths come first.
    found.sort_by_key(|other| {
        (other.path.split('/').count().abs_diff(own.split('/').count()), other.path.clone(), other.method)
    });
    found
}

/// Whether an operation creates an object with a field that is named after an entity: `customerId`.
fn takes(subject: &Subject<'_>, other: &Endpoint, entities: &[String]) -> bool {
    if other.method != Method::Post {
        return false;
    }
    let params = &subject.project.member(other.entry).params;
    let types = params.iter().filter_map(|param| subject.project.resolve(other.entry.ty, &param.ty.name).project());
    types.into_iter().any(|ty| {
        subject.project.members(ty).any(|member| {
            let name = plain(&subject.project.member(member).name);
            entities.iter().any(|entity| name == *entity || name.strip_suffix("id") == Some(entity))
        })
    })
}

struct Maker<'m, 'b> {
    bench: &'m Bench<'b>,
    others: &'m [Bench<'m>],
    made: Vec<Made>,
    names: BTreeSet<String>,
    /// Whether a sequence for the lifecycle of a created object has been tried.
    is_created: bool,
}

/// A request that follows a write in a sequence.
#[derive(Clone)]
struct FollowUpRequest {
    /// Index in `others`.
    at: usize,
    case: Case,
    deeds: Vec<StoreOperation>,
}

impl<'m, 'b> Maker<'m, 'b> {
    fn follow(&mut self, write: &Write<'_>) {
        let Some(alone) = tour(&[Visit { bench: self.bench, case: write.case.clone() }]) else { return };
        let Some(settled) =
            alone.came.first().and_then(|came| came.settled.clone()).filter(|_| alone.run.served.len() == 1)
        else {
            return;
        };
        if write.inserts && !std::mem::replace(&mut self.is_created, true) {
            self.lifecycle(write, &settled);
            self.again(write);
        }
        self.shown(write);
    }

    /// Adds the lifecycle, as far as there are operations for it: create, read, update, read, delete, read again.
    fn lifecycle(&mut self, write: &Write<'_>, settled: &Settled) {
        let mut captures = Captures::default();
        captures.take(0, settled);
        if captures.is_empty() {
            return;
        }
        let behind = self.behind(write, &captures);
        let reads_key = |one: &&FollowUpRequest| {
            one.deeds.iter().any(
                |deed| matches!(deed, StoreOperation::Asked { value: LookupValue::Key(_), found, .. } if *found > 0),
            )
        };
        let others = self.others;
        let of = |method: Method| move |one: &&FollowUpRequest| others[one.at].subject.endpoint.method == method;
        let reader = behind.iter().filter(of(Method::Get)).find(reads_key).cloned();
        let updater = behind
            .iter()
            .filter(|one| matches!(others[one.at].subject.endpoint.method, Method::Put | Method::Patch))
            .find(|one| reads_key(one) || one.deeds.iter().any(|deed| matches!(deed, StoreOperation::Changed { .. })))
            .cloned();
        let remover = behind
            .iter()
            .filter(of(Method::Delete))
            .find(|one| one.deeds.iter().any(|deed| matches!(deed, StoreOperation::Removed { .. })))
            .cloned();
        let mut chain: Vec<FollowUpRequest> = Vec::new();
        chain.extend(reader.clone());
        if let Some(updater) = updater {
            chain.push(updater);
            chain.extend(reader.clone());
        }
        if let Some(remover) = remover.clone() {
            chain.push(remover);
            chain.extend(reader.clone());
        }
        let pattern = match remover {
            Some(_) => Pattern::ResourceLifecycle,
            None => Pattern::IdentifierFlow,
        };
        if chain.len() > 1 || reader.is_some() {
            self.add(write, &chain, pattern, "What is created is shown, changed and removed by its identifier.");
        }
        // Other operations can use the identifier too.
        let known: BTreeSet<usize> = chain.iter().map(|one| one.at).collect();
        for one in behind.iter().filter(|one| !known.contains(&one.at)).filter(|one| reads_key(one)) {
            let pattern = match self.others[one.at].subject.endpoint.method {
                Method::Post => Pattern::NestedResource,
                _ => Pattern::IdentifierFlow,
            };
            self.add(write, std::slice::from_ref(one), pattern, "What is created is found by its identifier.");
        }
    }

    /// Adds the same request sent twice, if the second status differs from the first.
    fn again(&mut self, write: &Write<'_>) {
        let twice = [0, 1].map(|_| Visit { bench: self.bench, case: write.case.clone() });
        let Some(toured) = tour(&twice) else { return };
        let statuses: Vec<u16> = toured.came.iter().filter_map(|came| Some(came.settled.as_ref()?.status)).collect();
        if let [first, second] = statuses.as_slice()
            && first != second
        {
            let why = "What is there already is not created again.";
            self.keep(&twice, &toured, (Pattern::StatePropagation, "again", why));
        }
    }

    /// Adds reads whose answers after the write differ from those without it.
    fn shown(&mut self, write: &Write<'_>) {
        let readers = self.others.iter().enumerate().filter(|(_, other)| other.subject.endpoint.method == Method::Get);
        let readers: Vec<usize> = readers.map(|(at, _)| at).collect();
        for at in readers {
            let other = &self.others[at];
            let Some(case) = shared_case(self.bench, write.case, other) else { continue };
            let before = tour(&[Visit { bench: other, case: case.clone() }]);
            let visits =
                [Visit { bench: self.bench, case: write.case.clone() }, Visit { bench: other, case: case.clone() }];
            let (Some(before), Some(after)) = (before, tour(&visits)) else { continue };
            let was = before.came.first().and_then(|came| came.settled.as_ref());
            let is = after.came.last().and_then(|came| came.settled.as_ref());
            if let (Some(was), Some(is)) = (was, is)
                && assertions(was) != assertions(is)
                && after.is_settled()
            {
                let why = "What was written is shown.";
                self.keep(&visits, &after, (Pattern::StatePropagation, "shown", why));
            }
        }
    }

    /// Successful requests of other operations that name the created object.
    fn behind(&self, write: &Write<'_>, captures: &Captures) -> Vec<FollowUpRequest> {
        let mut found = Vec::new();
        let entity = &self.bench.subject.project.ty(write.entity).name;
        for (at, other) in self.others.iter().enumerate() {
            let mut cases = bound_cases(self.bench, write.case, other, captures);
            if cases.is_empty() && other.subject.endpoint.method == Method::Post {
                cases = named_cases(other, entity, captures);
            }
            for case in cases {
                let visits =
                    [Visit { bench: self.bench, case: write.case.clone() }, Visit { bench: other, case: case.clone() }];
                let Some(toured) = tour(&visits).filter(TourResult::is_settled) else { continue };
                let Some(last) = toured.came.last() else { continue };
                if last.settled.as_ref().is_some_and(|settled| settled.status < 400) {
                    found.push(FollowUpRequest { at, case, deeds: last.deeds.clone() });
                    break;
                }
            }
        }
        found
    }

    fn add(&mut self, write: &Write<'_>, chain: &[FollowUpRequest], pattern: Pattern, why: &str) {
        let mut visits = vec![Visit { bench: self.bench, case: write.case.clone() }];
        visits.extend(chain.iter().map(|one| Visit { bench: &self.others[one.at], case: one.case.clone() }));
        let Some(toured) = tour(&visits).filter(TourResult::is_settled) else { return };
        let label = match pattern {
            Pattern::ResourceLifecycle => "lifecycle",
            Pattern::NestedResource => "nested",
            _ => "by_identifier",
        };
        self.keep(&visits, &toured, (pattern, label, why));
    }

    fn keep(&mut self, visits: &[Visit<'_>], toured: &TourResult, (pattern, label, why): (Pattern, &str, &str)) {
        if self.made.len() >= MOST {
            return;
        }
        let mut captures = Captures::default();
        let mut steps: Vec<Step> = Vec::new();
        for (at, (visit, came)) in visits.iter().zip(&toured.came).enumerate() {
            let Some(settled) = &came.settled else { return };
            let Some(step) = step(visit, settled, at, &mut captures) else { return };
            steps.push(step);
        }
        captures.close(&mut steps);
        let s_id = Sequence::identity(&steps);
        if self.made.iter().any(|(known, _)| known.s_id == s_id) {
            return;
        }
        let subject = self.bench.subject;
        let mut test_id = format!("seq_{label}");
        let mut number = 2;
        while !self.names.insert(test_id.clone()) {
            test_id = format!("seq_{label}_{number}");
            number += 1;
        }
        let project = subject.project;
        let members = toured.run.served.iter().flat_map(|served| &served.path.members);
        let cited: BTreeSet<_> =
            members.filter(|member| project.member(**member).kind != MemberKind::Constructor).copied().collect();
        let mut citations: Vec<Evidence> = cited.into_iter().map(|member| cite(self.bench, member)).collect();
        citations.sort();
        let evidence = citations.iter().map(Evidence::id).collect::<BTreeSet<_>>().into_iter().collect();
        let given = given(subject, &toured.run);
        citations.extend(given.iter().map(|(_, evidence)| evidence.clone()));
        let names: Vec<&str> = steps.iter().map(|step| step.op_id.as_str()).collect();
        let sequence = Sequence {
            s_id,
            test_id,
            description: format!("{why} ({})", names.join(", ")),
            pattern,
            effect: Effect::Writes,
            given: given.into_iter().map(|(given, _)| given).collect(),
            assumes: Vec::new(),
            steps,
            evidence,
            origin: Origin::rules(),
            confirmation: Confirmation::none(),
        };
        self.made.push((sequence, citations));
    }
}

/// A request of another operation with the path parameters of this one; `None` if the other one has a parameter that
/// this one lacks.
pub(crate) fn shared_case(bench: &Bench<'_>, case: &Case, other: &Bench<'_>) -> Option<Case> {
    let mut made = Pool::of(other, &[]).valid();
    let own: Vec<(&Input, &String)> = path_params(bench, case);
    for slot in other.signature.slots.iter().filter(|slot| slot.location == Location::Path) {
        let value = own.iter().find(|(input, _)| input.name == slot.input.name).map(|(_, value)| (*value).clone());
        made.params.insert(slot.input.clone(), value.or_else(|| named_in(&case.body, &slot.input.name))?);
    }
    (made.body == CaseBody::None).then_some(made)
}

/// The value in a body for a parameter with this name: the field with the name, or `id` if the name ends in it.
fn named_in(body: &CaseBody, name: &str) -> Option<String> {
    let CaseBody::Json(Json::Object(fields)) = body else { return None };
    let own = fields.iter().find(|(field, _)| plain(field) == plain(name));
    let id = || fields.get_key_value("id").filter(|_| plain(name).ends_with("id"));
    match own.or_else(id)?.1 {
        Json::String(text) if text.bytes().all(|byte| byte.is_ascii_alphanumeric()) && !text.is_empty() => {
            Some(text.clone())
        }
        Json::Number(number) => number.as_u64().map(|number| number.to_string()),
        _ => None,
    }
}

fn path_params<'c>(bench: &Bench<'_>, case: &'c Case) -> Vec<(&'c Input, &'c String)> {
    let is_path = |input: &Input| {
        bench.signature.slots.iter().any(|slot| slot.location == Location::Path && slot.input == *input)
    };
    case.params.iter().filter(|(input, _)| is_path(input)).collect()
}

/// Whether a body is an object with an identifier.
fn names_itself(body: &CaseBody) -> bool {
    matches!(body, CaseBody::Json(Json::Object(fields)) if fields.contains_key("id"))
}

/// Requests of another operation with a captured value for its last path parameter, or for the identifier in its body.
pub(crate) fn bound_cases(bench: &Bench<'_>, case: &Case, other: &Bench<'_>, captures: &Captures) -> Vec<Case> {
    let mut out = Vec::new();
    let own = path_params(bench, case);
    let mut open: Vec<&Input> = Vec::new();
    let mut made = Pool::of(other, &[]).valid();
    for slot in other.signature.slots.iter().filter(|slot| slot.location == Location::Path) {
        match own.iter().find(|(input, _)| input.name == slot.input.name) {
            Some((_, value)) => {
                made.params.insert(slot.input.clone(), (*value).clone());
            }
            None => open.push(&slot.input),
        }
    }
    for capture in captures.names() {
        let mut bound = made.clone();
        bound.captured = captures.keys();
        let marker = format!("$captures.{capture}");
        match open.as_slice() {
            [only] => {
                bound.params.insert((*only).clone(), marker.clone());
            }
            // The request names the object in its body only.
            [] if matches!(other.subject.endpoint.method, Method::Put | Method::Patch) && names_itself(&bound.body) => {
            }
            _ => continue,
        }
        // The body that created the object may also update it, possibly with its identifier.
        let mut bodies = if open.is_empty() { Vec::new() } else { vec![bound.body.clone()] };
        if let (CaseBody::Json(own), CaseBody::Json(theirs)) = (&case.body, &bound.body)
            && let (Some(own), Some(theirs)) = (own.as_object(), theirs.as_object())
        {
            let mut joined = theirs.clone();
            for (name, value) in own {
                if let Some(place) = joined.get_mut(name) {
                    *place = value.clone();
                }
            }
            if !open.is_empty() {
                bodies.insert(0, CaseBody::Json(joined.clone().into()));
            }
            if let Some(place) = joined.get_mut("id") {
                *place = json!(marker);
                bodies.insert(0, CaseBody::Json(joined.clone().into()));
            }
            // Bodies that change a value come first.
            let changed = altered(&joined);
            bodies.splice(0..0, changed.into_iter().map(|map| CaseBody::Json(map.into())));
        }
        for body in bodies {
            out.push(Case { body, ..bound.clone() });
        }
    }
    out
}

/// Requests that create another object, with a captured value in the field that is named after the created entity:
/// `customerId`.
fn named_cases(other: &Bench<'_>, entity: &str, captures: &Captures) -> Vec<Case> {
    let Some(capture) = captures.names().next() else { return Vec::new() };
    let open = other.open();
    let tried = search(other, &open);
    let created = tried.iter().find(|one| {
        settle(&one.run).is_some_and(|settled| settled.status < 400)
            && one
                .run
                .served
                .iter()
                .flat_map(|served| &served.path.store.deeds)
                .any(|deed| matches!(deed, StoreOperation::Inserted { .. }))
    });
    let Some(CaseBody::Json(Json::Object(body))) = created.map(|one| &one.case.body) else { return Vec::new() };
    let wanted = [plain(&format!("{entity}Id")), plain(entity)];
    let mut out = Vec::new();
    for (name, value) in body {
        if !wanted.contains(&plain(name)) || value.is_array() {
            continue;
        }
        let marker = json!(format!("$captures.{capture}"));
        let mut bound = body.clone();
        match value {
            Json::Object(inner) if inner.contains_key("id") => {
                let mut inner = inner.clone();
                inner.insert("id".to_owned(), marker);
                bound.insert(name.clone(), inner.into());
            }
            Json::Object(_) => continue,
            _ => {
                bound.insert(name.clone(), marker);
            }
        }
        out.extend(created.map(|one| Case {
            body: CaseBody::Json(bound.into()),
            captured: captures.keys(),
            ..one.case.clone()
        }));
    }
    out
}

/// Bodies with another string or number in one of their fields.
fn altered(body: &serde_json::Map<String, Json>) -> Vec<serde_json::Map<String, Json>> {
    let mut out = Vec::new();
    for (name, value) in body {
        let other = match value {
            Json::String(text) if !text.starts_with("$captures.") && !text.contains('@') => json!(format!("{text}s")),
            Json::Number(number) if name != "id" => match number.as_i64() {
                Some(number) => json!(number + 1),
                None => continue,
            },
            _ => continue,
        };
        let mut changed = body.clone();
        changed.insert(name.clone(), other);
        out.push(changed);
    }
    out.truncate(ALTERED);
    out
}
