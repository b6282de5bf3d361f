//! Changes that only a later request shows: reads after a write, on both sides.

use std::cell::Cell;

use serde_json::Value as Json;

use crate::compare::paths::differences::answer_difference;
use crate::compare::sides::side::{Side, change};
use crate::search::explore::{Settled, TriedRequest, settle};
use crate::sequences::candidates::{Write, bound_cases, related, shared_case, writes};
use crate::sequences::steps::Captures;
use crate::sequences::tour::{Visit, tour};
use mastor_frameworks::Endpoint;
use mastor_runtime::bench::Bench;
use mastor_runtime::body::shape::Answer;
use mastor_runtime::request::case::{Case, CaseBody};
use mastor_runtime::server::serve::Run;
use mastor_runtime::subject::Subject;
use mastor_types::Method;
use mastor_types::results::change::{Change, ChangeEffect};

/// Maximum number of writes that are followed.
const WRITES: usize = 2;
/// Maximum number of operations that read after the writes.
const READERS: usize = 6;
/// Approximate number of interpreter steps for all writes and reads.
const STEPS: u64 = 1_000_000;

/// The first difference that shows only when one operation reads after another wrote. `tried` are the base's requests,
/// `least` are requests without optional parts.
pub fn by_later_reads(
    old: &Side<'_>,
    new: &Side<'_>,
    (tried, least): (&[TriedRequest], &[TriedRequest]),
) -> Option<Change> {
    let all = writes(&old.bench, tried);
    if all.is_empty() {
        return None;
    }
    let shortest = writes(&old.bench, least);
    let followed: Vec<&Write<'_>> = all.iter().take(WRITES).chain(shortest.first()).collect();
    let (before, after) = (old.bench.subject, new.bench.subject);
    let near = related(before, &all).into_iter().filter(|one| one.method == Method::Get).take(READERS);
    let spent = Cell::new(0);
    near.into_iter().take_while(|_| spent.get() < STEPS).find_map(|endpoint| {
        let op_id = before.shared.name_of(endpoint);
        let same = |other: &&Endpoint| other.method == Method::Get && after.shared.name_of(other) == op_id;
        let was = Subject { op_id: &op_id, endpoint, ..*before };
        let is = Subject { op_id: &op_id, endpoint: after.endpoints.iter().find(same)?, ..*after };
        let (was, is) = (Bench::new(&was), Bench::new(&is));
        followed.iter().find_map(|write| shown((old, &was), (new, &is), (write.case, &spent)))
    })
}

/// The answers to a read on one side, after a write and without it.
struct ReadAnswers {
    case: Case,
    alone: Option<Settled>,
    behind: Option<Settled>,
}

fn shown(
    (old, was): (&Side<'_>, &Bench<'_>),
    (new, is): (&Side<'_>, &Bench<'_>),
    write: (&Case, &Cell<u64>),
) -> Option<Change> {
    let (before, after) = (reads(&old.bench, was, write), reads(&new.bench, is, write));
    let requests = |one: &ReadAnswers, bench: &Bench<'_>| one.case.request(&bench.signature);
    for (one, other) in before.iter().zip(&after) {
        let parts = |one: &Option<Settled>, other: &Option<Settled>| -> Option<(String, ChangeEffect)> {
            answer_difference(one.as_ref()?, other.as_ref()?)
        };
        // A difference that the read also shows without the write is reported for the reading operation.
        let is_own = parts(&one.alone, &other.alone).is_some();
        let found = parts(&one.behind, &other.behind).filter(|_| !is_own && requests(one, was) == requests(other, is));
        let Some((what, effect)) = found else { continue };
        let words = |settled: &Option<Settled>| {
            settled.as_ref().map(|settled| Answer::of(Some(settled.status), settled.body.clone()).describe())
        };
        let what = format!("{} after {}: {what}", was.subject.op_id, old.bench.subject.op_id);
        let mut made = change(new, effect, what);
        (made.before, made.after) = (words(&one.behind), words(&other.behind));
        (made.evidence_before, made.evidence_after) = (Some(old.entry()), Some(new.entry()));
        return Some(made);
    }
    None
}

/// The answers to reads of one operation after a write: of the object that the write names, and of the object that it
/// creates.
fn reads(writer: &Bench<'_>, reader: &Bench<'_>, (write, spent): (&Case, &Cell<u64>)) -> Vec<ReadAnswers> {
    if spent.get() >= STEPS {
        return Vec::new();
    }
    let last = |visits: &[Visit<'_>]| {
        let mut toured = tour(visits)?;
        spent.set(spent.get() + toured.run.served.iter().map(|served| served.path.steps).sum::<u64>());
        toured.came.pop()?.settled
    };
    let visit = Visit { bench: writer, case: write.clone() };
    let Some(written) = last(&[visit]) else { return Vec::new() };
    let mut captures = Captures::default();
    captures.take(0, &written);
    let shared = shared_case(writer, write, reader);
    let cases = shared.into_iter().chain(bound_cases(writer, write, reader, &captures).into_iter().take(1));
    let shown = cases.map(|case| {
        let alone = if case.captured.is_empty() { last(&[Visit { bench: reader, case: case.clone() }]) } else { None };
        let behind = last(&[Visit { bench: writer, case: write.clone() }, Visit { bench: reader, case: case.clone() }]);
        ReadAnswers { case, alone, behind }
    });
    shown.collect()
}

/// A successful write, with all body fields removed that it does not need.
pub fn least(old: &Side<'_>, tried: &[TriedRequest]) -> Option<TriedRequest> {
    const FIELDS: usize = 12;
    let is_well = |run: &Run| settle(run).is_some_and(|settled| settled.status < 400);
    let start = tried.iter().find(|one| is_well(&one.run))?;
    let CaseBody::Json(Json::Object(fields)) = &start.case.body else { return None };
    let mut least = start.clone();
    for name in fields.keys().take(FIELDS) {
        let mut case = least.case.clone();
        let CaseBody::Json(Json::Object(body)) = &mut case.body else { return None };
        body.remove(name);
        let run = old.bench.try_case(&case);
        if is_well(&run) {
            least = TriedRequest { case, run, ..least };
        }
    }
    (least.case != start.case).then_some(least)
}
