//! The search: chooses the requests to try on an operation.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

pub use super::settled::{Settled, is_denied, settle, settle_assuming};
use super::thinning::thin;
pub use super::tried::{Add, Purpose, TriedRequest};
use crate::inputs::hinted::Hinted;
use crate::inputs::solve::{Candidate, Pool};
use mastor_java::interpret::paths::condition::Cond;
use mastor_java::interpret::paths::hints::{Hint, Use};
use mastor_java::interpret::paths::path::Outcome;
use mastor_java::interpret::stores::state::StoreOperation;
use mastor_java::interpret::values::term::{Input, InputPlace};
use mastor_java::ir::ids::MemberId;
use mastor_runtime::bench::Bench;
use mastor_runtime::request::case::Case;
use mastor_runtime::request::paged;
use mastor_runtime::request::slot::Part;
use mastor_runtime::server::guards::DENIED;
use mastor_runtime::server::serve::Run;

/// Maximum number of requests that are tried for one operation.
const MOST: usize = 80;
/// Maximum number of interpreter steps for one operation.
const STEPS: u64 = 2_000_000;
/// If no answer is certain after this many requests and `VAIN` steps, no more requests are tried: a search without
/// results must not cost more than one with results.
const FEW: usize = 8;
/// The number of steps after which a search without results ends; see `FEW`.
const VAIN: u64 = 150_000;
/// Maximum number of additional requests for paths on open inputs that were cut off.
const SAMPLES: usize = 24;

/// Maximum number of follow-up requests, which are derived from what the code does with strings of earlier requests.
const HINTED: usize = 16;
/// Maximum number of earlier requests from which the first follow-up requests are derived.
const FOLLOWED: usize = 3;
/// Maximum number of comparisons of one string that are followed.
const MEETS: usize = 3;
/// If no request succeeded before: maximum number of successful follow-up requests that the same code answers.
const ALIKE: usize = 2;

/// Whether a request certainly has a success answer.
fn is_well(run: &Run) -> bool {
    settle(run).is_some_and(|settled| settled.status < 400)
}

/// Tries requests: one for each path, requests at boundaries, and samples if paths were cut off.
pub fn search(bench: &Bench<'_>, open: &Run) -> Vec<TriedRequest> {
    let pool = Pool::of(bench, &[open]);
    let mut tried: Vec<TriedRequest> = Vec::new();
    let before = bench.spent.get();
    let start = pool.valid();
    let add: &Add<'_> = &|case: Case, purpose: Purpose, tried: &mut Vec<TriedRequest>| -> Option<usize> {
        if let Some(at) = tried.iter().position(|known| known.case == case) {
            return Some(at);
        }
        let spent = bench.spent.get() - before;
        let is_vain = || spent >= VAIN && tried.len() >= FEW && tried.iter().all(|one| settle(&one.run).is_none());
        if tried.len() >= MOST || spent >= STEPS || is_vain() || !pool.is_sendable(&case) {
            return None;
        }
        let run = bench.try_case(&case);
        tried.push(TriedRequest { case, purpose, run, tells: None });
        Some(tried.len() - 1)
    };
    for (index, served) in open.served.iter().enumerate() {
        let denied = start.as_user.is_some() && served.answer.exception.as_deref() == DENIED.rsplit('.').next();
        if denied || matches!(served.path.outcome, Outcome::Cut(_)) {
            continue;
        }
        let conditions: Vec<&Cond> = served.path.conditions.iter().map(|taken| &taken.cond).collect();
        if let Some(case) = pool.solve(&conditions, &start) {
            add(case, Purpose::Path(index), &mut tried);
        }
    }
    add(start.clone(), Purpose::Plain, &mut tried);
    guarded(bench, &start, &mut tried, add);
    crate::inputs::stored::cases(bench, &pool, &mut tried, add);
    let success = |tried: &[TriedRequest]| {
        tried.iter().find(|t| settle(&t.run).is_some_and(|s| s.status < 400)).map(|t| t.case.clone())
    };
    let valid = success(&tried);
    let is_vain = valid.is_none();
    let refused = if valid.is_none() { settle(&bench.try_case(&start)) } else { None };
    // The context for single tried values: the successful request with the fewest optional parts.
    let plainest = tried.iter().find(|one| one.case == start && is_well(&one.run)).map(|one| one.case.clone());
    let base = valid.unwrap_or(start);
    let is_less = |plain: &Case| {
        plain.body == base.body && plain.params.iter().all(|(input, text)| base.params.get(input) == Some(text))
    };
    let plainest = plainest.filter(is_less).unwrap_or_else(|| base.clone());
    for served in &open.served {
        for taken in &served.path.conditions {
            let Some((term, _, limit)) = taken.cond.bound() else { continue };
            let mut inputs = Vec::new();
            term.inputs(&mut inputs);
            let [input] = inputs.as_slice() else { continue };
            for candidate in pool.of_input(input) {
                let mut case = base.clone();
                if !pool.put(&mut case, input, candidate) {
                    continue;
                }
                // Only requests at this boundary: the term is within one of its limit.
                let reading = mastor_runtime::request::case::Reading { case: &case, signature: &bench.signature };
                let near = term
                    .evaluate(&reading)
                    .and_then(|value| value.as_long())
                    .is_some_and(|value| value.abs_diff(limit) <= 1);
                if near {
                    add(case, Purpose::Boundary(input.clone()), &mut tried);
                }
            }
        }
    }
    for (input, case) in other_pages(bench, &plainest) {
        add(case, Purpose::Boundary(input), &mut tried);
    }
    // A value of the wrong type is rejected before the handler.
    for (input, case) in pool.mistyped(&base) {
        add(case, Purpose::Mistyped(input), &mut tried);
    }
    // A request for a seeded record finds data.
    let seeded = crate::oracles::given::seeded(bench.subject);
    if let Some(case) = seeded.and_then(|request| Case::of_request(&request, &bench.signature)) {
        let input = case.params.keys().next().cloned();
        input.map(|input| add(case, Purpose::Boundary(input), &mut tried));
    }
    times((open, &pool, &base), &mut tried, add);
    let cut = !open.complete || open.served.iter().any(|served| matches!(served.path.outcome, Outcome::Cut(_)));
    if cut {
        let before = tried.len();
        let inputs: Vec<Input> = pool.inputs().cloned().collect();
        for input in &inputs {
            for candidate in pool.of_input(input) {
                if tried.len() >= before + SAMPLES {
                    break;
                }
                let mut case = plainest.clone();
                if !matches!(candidate, Candidate::Absent) && pool.put(&mut case, input, candidate) {
                    add(case, Purpose::Sample(input.clone()), &mut tried);
                }
            }
        }
    }
    if cut || is_vain {
        led_on(bench, (&pool, &base), &mut tried, add);
    }
    crate::inputs::by_hand::cases(bench, &pool, (&base, is_well), &mut tried, add);
    thin((bench, open), tried, refused.as_ref())
}

/// Requests for other pages: a small one, the one after it, the one after the first, and another sort order.
fn other_pages(bench: &Bench<'_>, base: &Case) -> Vec<(Input, Case)> {
    let all = &bench.signature.slots;
    let first = |wanted: Part| {
        let slot = all.iter().find(|slot| slot.part == Some(wanted))?;
        let text = paged::samples(bench.subject, slot).into_iter().find_map(|one| one.as_str().map(str::to_owned))?;
        Some((slot.input.clone(), text))
    };
    let (page, size, sort) = (first(Part::Page), first(Part::Size), first(Part::Sort));
    let small = page.clone().zip(size.clone()).map(|(page, size)| vec![page, size]);
    let ways = [size.map(|one| vec![one]), small, page.map(|one| vec![one]), sort.map(|one| vec![one])];
    let made = ways.into_iter().flatten().filter_map(|texts| {
        let (input, _) = texts.first()?.clone();
        let mut case = base.clone();
        case.params.extend(texts);
        Some((input, case))
    });
    made.collect()
}

/// Tries follow-up requests, which are derived from what the code does with the strings of earlier requests: successful
/// ones, or else the one whose lookups found rows most often.
fn led_on(bench: &Bench<'_>, (pool, base): (&Pool<'_>, &Case), tried: &mut Vec<TriedRequest>, add: &Add<'_>) {
    let mut hinted = Hinted::new(pool).sparing(1);
    let mut well: Vec<Case> = tried.iter().filter(|one| is_well(&one.run)).map(|one| one.case.clone()).collect();
    well.iter().for_each(|case| hinted.beside(case));
    let is_vain = well.is_empty();
    if is_vain {
        well.extend(furthest(tried));
    }
    let mut shown: Vec<Way> = Vec::new();
    if !well.contains(base) {
        well.push(base.clone());
    }
    for case in well.iter().take(FOLLOWED) {
        let (_, hints) = bench.codes.hinting(|| bench.try_case(case));
        hinted.follow(case, &few(hints));
    }
    for _ in 0..HINTED {
        let Some(case) = hinted.take() else { break };
        let is_new = |input: &Input, text: &String| !well.iter().any(|known| known.params.get(input) == Some(text));
        let Some((input, _)) = case.params.iter().find(|(input, text)| is_new(input, text)) else { continue };
        let purpose = Purpose::Sample(input.clone());
        let (at, hints) = bench.codes.hinting(|| add(case.clone(), purpose, tried));
        let way = at.and_then(|at| tried.get(at)).and_then(|one| well_by(&one.run));
        if let Some(way) = way {
            hinted.beside(&case);
            // If the same code answers, a further row shows nothing new.
            if is_vain && shown.iter().filter(|known| **known == way).count() >= ALIKE && at == Some(tried.len() - 1) {
                tried.pop();
            }
            shown.push(way);
        }
        hinted.follow(&case, &few(hints));
    }
}

/// The status of a successful request, and the members that ran.
type Way = (u16, BTreeSet<MemberId>);

fn well_by(run: &Run) -> Option<Way> {
    let status = settle(run).map(|settled| settled.status).filter(|status| *status < 400)?;
    Some((status, run.served.iter().flat_map(|served| served.path.members.iter().copied()).collect()))
}

/// The request whose lookups found rows most often.
fn furthest(tried: &[TriedRequest]) -> Option<Case> {
    let found = |one: &TriedRequest| {
        let deeds = one.run.served.iter().flat_map(|served| &served.path.store.deeds);
        deeds.filter(|deed| matches!(deed, StoreOperation::Asked { found: 1.., .. })).count()
    };
    tried.iter().rev().max_by_key(|one| found(one)).filter(|one| found(one) > 0).map(|one| one.case.clone())
}

/// Limits the comparisons with one string to the first ones.
fn few(hints: BTreeSet<Hint>) -> BTreeSet<Hint> {
    let mut met: BTreeMap<Rc<str>, usize> = BTreeMap::new();
    let mut is_early = |hint: &Hint| match hint.used {
        Use::Meets(_) => {
            let count = met.entry(hint.text.clone()).or_default();
            *count += 1;
            *count <= MEETS
        }
        _ => true,
    };
    hints.into_iter().filter(|hint| is_early(hint)).collect()
}

/// If a condition is open, tries each time value of the request long past and far ahead, since it may be compared with
/// the clock.
fn times((open, pool, base): (&Run, &Pool<'_>, &Case), tried: &mut Vec<TriedRequest>, add: &Add<'_>) {
    let mut conditions = open.served.iter().flat_map(|served| &served.path.conditions);
    if !conditions.any(|taken| taken.cond.is_unknown()) {
        return;
    }
    let all = crate::search::sampling::all(pool).into_iter();
    for (input, ty) in all.filter(|(_, ty)| ty.library().is_some_and(|fqn| fqn.starts_with("java.time."))) {
        for value in crate::inputs::samples::plain(&ty, None, &input.name, Default::default()) {
            let mut case = base.clone();
            let candidate = match (input.place, value.as_str()) {
                (InputPlace::Body, _) | (_, None) => Candidate::Json(value),
                (_, Some(text)) => Candidate::Text(text.to_owned()),
            };
            if pool.put(&mut case, &input, &candidate) {
                add(case, Purpose::Boundary(input.clone()), tried);
            }
        }
    }
}

/// If a user is let in, tries the same request without credentials, and from the first user who is not let in.
fn guarded(bench: &Bench<'_>, start: &Case, tried: &mut Vec<TriedRequest>, add: &Add<'_>) {
    let Some(sender) = &start.as_user else { return };
    add(Case { as_user: None, ..start.clone() }, Purpose::Plain, tried);
    for user in bench.subject.shared.users.iter().filter(|user| *user.name != **sender) {
        let case = Case { as_user: Some(user.name.as_str().into()), ..start.clone() };
        if settle(&bench.try_case(&case)).is_some_and(|settled| is_denied(&settled)) {
            add(case, Purpose::Plain, tried);
            return;
        }
    }
}
