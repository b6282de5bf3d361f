//! Calls at odds: base and head call one method with different arguments, and differ only where the two calls have
//! different results.

use std::rc::Rc;

use super::asked::rests_on;
use super::difference;
use super::innermost::receivers;
use crate::java::interpret::paths::condition::Cond;
use crate::java::interpret::paths::path::Taken;
use crate::java::interpret::values::term::{Canon, Opaque, Origin, Term};
use crate::runtime::server::opaquely::ComparablePath;

/// Two calls of one method with different results.
pub(in crate::derive::compare) struct DivergingCalls {
    /// The calls in base and head.
    pub calls: (Rc<Opaque>, Rc<Opaque>),
    /// The conditions on these calls.
    pub conditions: Vec<Cond>,
}

/// Whether base and head test the same condition on two calls of one method and get different results. The cause is
/// then the different arguments, not the result of either call.
pub(in crate::derive::compare) fn diverging_calls(
    before: &ComparablePath,
    after: &ComparablePath,
) -> Option<DivergingCalls> {
    // The calls in a condition, the condition's text without the calls' arguments, and the condition.
    type Question = (Vec<Rc<Opaque>>, String, Cond);
    let asked = |own: &ComparablePath, other: &ComparablePath| -> Vec<Question> {
        let known: Vec<&Cond> = other.conditions.iter().map(|taken| &taken.cond).collect();
        let only = own
            .conditions
            .iter()
            .filter(|taken| !known.contains(&&taken.cond) && !known.contains(&&taken.cond.negate()));
        let of = |taken: &Taken| {
            let calls = rests_on(&taken.cond).into_iter().filter(|one| one.origin == Origin::Call).collect();
            (calls, without_handed(&taken.cond.to_string()), taken.cond.clone())
        };
        only.map(of).filter(|(calls, ..): &Question| !calls.is_empty()).collect()
    };
    let (was, is) = (asked(before, after), asked(after, before));
    let is_one = |calls: &[Rc<Opaque>], other: &[Rc<Opaque>]| {
        calls.len() == other.len()
            && calls.iter().zip(other).all(|(a, b)| a.callee == b.callee)
            && !calls.iter().zip(other).any(|(a, b)| are_apart(a, b))
    };
    let mut both = was.iter().flat_map(|was| is.iter().map(move |is| (was, is)));
    let ((old, ..), (new, ..)) = both.find(|(was, is)| is_one(&was.0, &is.0) && was.1 != is.1)?;
    // Takes the outermost call, since its arguments may be results of the others.
    let depth = |call: &Rc<Opaque>| difference::calls(&Canon::Term(Rc::new(Term::Opaque(call.clone())))).len();
    let differing = old.iter().zip(new).filter(|(a, b)| a.key != b.key);
    let calls = differing.max_by_key(|(a, _)| depth(a)).map(|(a, b)| (a.clone(), b.clone()))?;
    let about = |(calls, _, cond): &Question| calls.iter().any(|one| one.callee == old[0].callee).then(|| cond.clone());
    let conditions = was.iter().chain(&is).filter_map(about).collect();
    Some(DivergingCalls { calls, conditions })
}

/// Whether two calls of one method have both other receivers and other arguments: neither stands for the other.
fn are_apart(one: &Opaque, other: &Opaque) -> bool {
    let (receivers, differ) = (receivers(one), |at: usize| one.operands.get(at) != other.operands.get(at));
    receivers == 1 && differ(0) && (1..one.operands.len()).any(differ)
}

/// Words without the parts in parentheses.
fn without_handed(words: &str) -> String {
    let mut deep = 0_usize;
    let kept = words.chars().filter(|one| {
        match one {
            '(' => deep += 1,
            ')' => deep = deep.saturating_sub(1),
            _ => return deep == 0,
        }
        false
    });
    kept.collect()
}
