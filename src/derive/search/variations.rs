//! More requests for comparing two revisions: every value that either of them names, and values for which two terms are
//! equal.

use std::rc::Rc;

use super::explore::{Settled, settle};
use crate::compare::sides::side::Side;
use crate::inputs::solve::Pool;
use mastor_java::interpret::paths::condition::Cond;
use mastor_java::interpret::values::scalar::{Prim, Scalar};
use mastor_java::interpret::values::term::{InputPlace, Term};
use mastor_java::ir::body::BinaryOp;
use mastor_runtime::request::case::Case;
use mastor_runtime::server::serve::Run;

/// Maximum number of requests.
const MOST: usize = 96;
/// Maximum number of requests that are varied.
const STARTS: usize = 3;
/// Maximum number of comparisons of two terms.
const MEETINGS: usize = 24;

/// Requests that differ from tried ones in one value, or in which two compared terms are equal or one apart.
pub fn variations(side: &Side<'_>, runs: &[&Run], tried: &[Case]) -> Vec<Case> {
    let bench = &side.bench;
    let pool = Pool::of(bench, runs);
    let mut starts: Vec<(Case, Option<Settled>)> = Vec::new();
    for case in std::iter::once(pool.valid()).chain(tried.iter().take(24).cloned()) {
        let settled = settle(&bench.try_case(&case));
        if !starts.iter().any(|(_, other)| *other == settled) {
            starts.push((case, settled));
        }
    }
    // Successful requests show most.
    starts.sort_by_key(|(_, settled)| settled.as_ref().map_or(600, |settled| settled.status));
    let mut made: Vec<Case> = Vec::new();
    let mut add = |case: Case| {
        if made.len() < MOST && pool.is_sendable(&case) && !tried.contains(&case) && !made.contains(&case) {
            made.push(case);
        }
    };
    if let Some((start, _)) = starts.first() {
        for case in meetings(&pool, runs, start) {
            add(case);
        }
    }
    for (start, _) in starts.iter().take(STARTS) {
        for input in pool.inputs() {
            if input.place != InputPlace::Body && bench.signature.slot(input).is_none() {
                continue;
            }
            for candidate in pool.of_input(input) {
                let mut case = start.clone();
                if pool.put(&mut case, input, candidate) {
                    add(case);
                }
            }
        }
    }
    made
}

/// The terms that a condition compares, if neither is a constant.
fn compared(cond: &Cond) -> Option<(Prim, &Rc<Term>, &Rc<Term>)> {
    match cond {
        Cond::Compare(_, prim, a, b) if ![a, b].iter().any(|term| matches!(***term, Term::Const(_))) => {
            Some((*prim, a, b))
        }
        Cond::Not(inner) => compared(inner),
        _ => None,
    }
}

/// Requests that take a path up to a comparison of two non-constant terms, with equal or neighbouring values.
fn meetings(pool: &Pool<'_>, runs: &[&Run], start: &Case) -> Vec<Case> {
    let mut asked: Vec<(Vec<&Cond>, Cond)> = Vec::new();
    let mut found = Vec::new();
    for served in runs.iter().flat_map(|run| &run.served) {
        for (at, taken) in served.path.conditions.iter().enumerate() {
            let Some((prim, a, b)) = compared(&taken.cond) else { continue };
            let one = match prim {
                Prim::Int => Scalar::Int(1),
                Prim::Long => Scalar::Long(1),
                Prim::Float => Scalar::Float(1.0),
                Prim::Double => Scalar::Double(1.0),
                _ => continue,
            };
            let one = Rc::new(Term::Const(one));
            let shifted = |op| Rc::new(Term::Binary(op, prim, b.clone(), one.clone()));
            let before: Vec<&Cond> = served.path.conditions[..at].iter().map(|taken| &taken.cond).collect();
            for other in [b.clone(), shifted(BinaryOp::Add), shifted(BinaryOp::Sub)] {
                let meets = Cond::Compare(BinaryOp::Eq, prim, a.clone(), other);
                if asked.len() >= MEETINGS || asked.iter().any(|(known, cond)| *cond == meets && *known == before) {
                    continue;
                }
                let conditions: Vec<&Cond> = before.iter().copied().chain([&meets]).collect();
                found.extend(pool.solve(&conditions, start));
                asked.push((before.clone(), meets));
            }
        }
    }
    found
}
