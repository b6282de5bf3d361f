//! The search: which requests are tried on an operation, and what each of them shows.

use super::bench::Bench;
use super::case::Case;
use super::guards::DENIED;
use super::inputs::{Candidate, Pool};
use super::serve::Run;
use super::shape::{AnswerBody, Shape};
pub use super::tried::{Add, Purpose, Tried};
use crate::java::interpret::condition::Cond;
use crate::java::interpret::path::{Outcome, Site};
use crate::java::interpret::scalar::Scalar;
use crate::java::interpret::term::{Input, Inputs as _, Place};

/// Requests tried for one operation at most.
const MOST: usize = 80;
/// Steps of the interpreter for one operation at most.
const STEPS: u64 = 2_000_000;
/// Further requests where open paths could not show all of an operation.
const SAMPLES: usize = 24;

/// Whether a request is answered well for certain.
fn is_well(run: &Run) -> bool {
    settle(run).is_some_and(|settled| settled.status < 400)
}

/// What all paths of a request agree on.
#[derive(Debug, Clone, PartialEq)]
pub struct Settled {
    /// Status.
    pub status: u16,
    /// Body.
    pub body: AnswerBody,
    /// Where it was decided; `None` for the framework.
    pub exit: Option<Site>,
    /// The exception, by its simple name.
    pub exception: Option<String>,
    /// The key that a store made, in which the address of what was made ends.
    pub made: Option<std::rc::Rc<str>>,
    /// The path that the client is sent to.
    pub location: Option<String>,
}

/// What a request is answered for certain; `None` where a doubt, a bound or two statuses stand in the way.
pub fn settle(run: &Run) -> Option<Settled> {
    let first = run.served.first()?;
    if !run.complete || !run.served.iter().all(super::serve::Served::is_certain) {
        return None;
    }
    let status = first.answer.status?;
    let mut settled = Settled {
        status,
        body: first.answer.body.clone(),
        exit: first.path.exit,
        exception: first.answer.exception.clone(),
        made: first.answer.made.clone(),
        location: first.answer.location.clone(),
    };
    for served in &run.served {
        if served.answer.status != Some(status) {
            return None;
        }
        settled.body = meet(&settled.body, &served.answer.body);
        if served.answer.made != settled.made {
            settled.made = None;
        }
        if served.answer.location != settled.location {
            settled.location = None;
        }
        if served.path.exit != settled.exit {
            settled.exit = None;
        }
    }
    Some(settled)
}

/// Whether an answer is that of a guard which denies access.
pub fn is_denied(settled: &Settled) -> bool {
    settled.exit.is_none() && settled.exception.as_deref() == DENIED.rsplit('.').next()
}

fn meet(a: &AnswerBody, b: &AnswerBody) -> AnswerBody {
    match (a, b) {
        (a, b) if a == b => a.clone(),
        (AnswerBody::Json(a), AnswerBody::Json(b)) => match a.meet(b) {
            Shape::Unknown => AnswerBody::Unknown,
            shape => AnswerBody::Json(shape),
        },
        _ => AnswerBody::Unknown,
    }
}

/// Tries requests: one for each path, those at boundaries, and samples where paths were cut.
pub fn search(bench: &Bench<'_>, open: &Run) -> Vec<Tried> {
    let pool = Pool::of(bench, &[open]);
    let mut tried: Vec<Tried> = Vec::new();
    let start = pool.valid();
    let add: &Add<'_> = &|case: Case, purpose: Purpose, tried: &mut Vec<Tried>| -> Option<usize> {
        if let Some(at) = tried.iter().position(|known| known.case == case) {
            return Some(at);
        }
        let spent: u64 = tried.iter().flat_map(|one| &one.run.served).map(|served| served.path.steps).sum();
        if tried.len() >= MOST || spent >= STEPS || !pool.is_sendable(&case) {
            return None;
        }
        let run = bench.try_case(&case);
        tried.push(Tried { case, purpose, run, tells: None });
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
    super::stored::cases(bench, &pool, &mut tried, add);
    let success =
        |tried: &[Tried]| tried.iter().find(|t| settle(&t.run).is_some_and(|s| s.status < 400)).map(|t| t.case.clone());
    let valid = success(&tried);
    let refused = if valid.is_none() { settle(&bench.try_case(&start)) } else { None };
    let base = valid.unwrap_or(start);
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
                // Only what stands at this boundary: the term within one of its limit.
                let reading = super::case::Reading { case: &case, signature: &bench.signature };
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
    // What is no value of its type is refused before the handler.
    for (input, case) in pool.mistyped(&base) {
        add(case, Purpose::Mistyped(input), &mut tried);
    }
    // A record that is there from the start is worth asking for.
    let seeded = super::assumes::seeded(bench.subject);
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
                let mut case = base.clone();
                if !matches!(candidate, Candidate::Absent) && pool.put(&mut case, input, candidate) {
                    add(case, Purpose::Sample(input.clone()), &mut tried);
                }
            }
        }
    }
    super::by_hand::cases(bench, &pool, (&base, is_well), &mut tried, add);
    thin(bench, tried, refused.as_ref())
}

/// Where a condition is open, each time of the request long past and far ahead: it may be compared with the clock.
fn times((open, pool, base): (&Run, &Pool<'_>, &Case), tried: &mut Vec<Tried>, add: &Add<'_>) {
    let mut conditions = open.served.iter().flat_map(|served| &served.path.conditions);
    if !conditions.any(|taken| taken.cond.is_unknown()) {
        return;
    }
    let all = super::sampling::all(pool).into_iter();
    for (input, ty) in all.filter(|(_, ty)| ty.library().is_some_and(|fqn| fqn.starts_with("java.time."))) {
        for value in super::samples::plain(&ty, None, &input.name, Default::default()) {
            let mut case = base.clone();
            let candidate = match (input.place, value.as_str()) {
                (Place::Body, _) | (_, None) => Candidate::Json(value),
                (_, Some(text)) => Candidate::Text(text.to_owned()),
            };
            if pool.put(&mut case, &input, &candidate) {
                add(case, Purpose::Boundary(input.clone()), tried);
            }
        }
    }
}

/// Where a user is let in: the same request from nobody in particular, and from the first user who is not.
fn guarded(bench: &Bench<'_>, start: &Case, tried: &mut Vec<Tried>, add: &Add<'_>) {
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

/// How long the ways of a request are.
fn steps(run: &Run) -> u64 {
    run.served.iter().map(|served| served.path.steps).sum()
}

/// Whether two requests are refused at the same place for the same reason, and by ways of the same length: the text may name what was asked for,
/// and another state of what was found goes another way.
fn is_same_refusal(one: &(Tried, Option<Settled>), run: &Run, settled: &Option<Settled>) -> bool {
    let ((Tried { run: known, .. }, Some(one)), Some(other)) = (one, settled) else { return false };
    one.status >= 400
        && one.exit.is_some()
        && (one.status, one.exit, &one.exception) == (other.status, other.exit, &other.exception)
        && steps(known) == steps(run)
}

/// Whether two answers are alike in all but their bodies, which may name what was sent.
fn is_alike(one: &Settled, other: &Settled) -> bool {
    (one.status, one.exit, &one.exception) == (other.status, other.exit, &other.exception)
}

/// Whether two requests stand at the same boundary on the same side: with texts of one length that are answered alike.
fn is_same_side(bench: &Bench<'_>, one: (&Tried, &Settled), other: (&Tried, &Settled)) -> bool {
    let (Purpose::Boundary(input), Purpose::Boundary(same)) = (&one.0.purpose, &other.0.purpose) else { return false };
    let length = |case: &Case| match (super::case::Reading { case, signature: &bench.signature }).scalar(input) {
        Some(Scalar::Str(text)) => Some(text.text.chars().count()).filter(|_| text.text.parse::<f64>().is_err()),
        _ => None,
    };
    let lengths = (length(&one.0.case), length(&other.0.case));
    let is_same = is_alike(one.1, other.1)
        && steps(&one.0.run) == steps(&other.0.run)
        && (one.1.status >= 400 || one.1.body == other.1.body);
    input == same && lengths.0.is_some() && lengths.0 == lengths.1 && is_same
}

/// Drops requests that show nothing new: the same answer by the same way as an earlier one, unless they stand at a path or boundary.
/// `refused` is what the plainest request is answered where none is known that is answered well: at a boundary it shows nothing.
fn thin(bench: &Bench<'_>, tried: Vec<Tried>, refused: Option<&Settled>) -> Vec<Tried> {
    let mut kept: Vec<(Tried, Option<Settled>)> = Vec::new();
    for one in tried {
        let settled = settle(&one.run);
        // What a guard answers before the handler, it answers whatever else is asked.
        let denied = settled.as_ref().is_some_and(is_denied);
        let again = match one.purpose {
            // Of values that the code reads by hand, one for each way is enough.
            Purpose::Sample(ref input) if bench.signature.slot(input).is_some_and(super::by_hand::is_by_hand) => {
                let is_same_way = |known: &(Tried, Option<Settled>)| match (&known.1, &settled) {
                    (Some(known_as), Some(settled)) => {
                        is_alike(known_as, settled) && steps(&known.0.run) == steps(&one.run)
                    }
                    (None, None) => true,
                    _ => false,
                };
                kept.iter().any(is_same_way)
            }
            Purpose::Sample(_) => {
                kept.iter().any(|known| known.1 == settled || is_same_refusal(known, &one.run, &settled))
            }
            Purpose::Boundary(_) => settled.as_ref().is_some_and(|settled| {
                refused.is_some_and(|refused| is_alike(refused, settled))
                    || kept.iter().any(|(known, other)| {
                        other.as_ref().is_some_and(|other| is_same_side(bench, (known, other), (&one, settled)))
                    })
            }),
            // One value of each type is enough.
            Purpose::Mistyped(_) => {
                kept.iter().any(|(known, other)| matches!(known.purpose, Purpose::Mistyped(_)) && *other == settled)
            }
            _ => false,
        };
        let seen = again || denied && kept.iter().any(|(_, other)| *other == settled);
        if !seen {
            kept.push((one, settled));
        }
    }
    kept.into_iter().map(|(one, _)| one).collect()
}
