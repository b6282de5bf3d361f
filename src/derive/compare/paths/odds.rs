//! Calls at odds: base and head call one method with different arguments, and differ only where the two calls have
//! different results.

use std::rc::Rc;

use super::asked::rests_on;
use super::called::receivers;
use super::difference;
use mastor_java::interpret::paths::condition::{Cond, opposite};
use mastor_java::interpret::paths::path::Taken;
use mastor_java::interpret::values::term::{Canon, Opaque, Origin, Term};
use mastor_java::ir::body::BinaryOp;
use mastor_runtime::server::opaquely::ComparablePath;

/// Two calls of one method with different results.
pub(in crate::compare) struct DivergingCalls {
    /// The calls in base and head.
    pub calls: (Rc<Opaque>, Rc<Opaque>),
    /// The conditions on these calls.
    pub conditions: Vec<Cond>,
}

/// Whether base and head test the same condition on two calls of one method and get different results. The cause is
/// then the different arguments, not the result of either call.
pub(in crate::compare) fn diverging_calls(before: &ComparablePath, after: &ComparablePath) -> Option<DivergingCalls> {
    let (was, is) = (questions(before, after), questions(after, before));
    let is_one = |calls: &[Rc<Opaque>], other: &[Rc<Opaque>]| {
        calls.len() == other.len()
            && calls.iter().zip(other).all(|(a, b)| a.callee == b.callee)
            && !calls.iter().zip(other).any(|(a, b)| are_apart(a, b))
    };
    let mut both = was.iter().flat_map(|was| is.iter().map(move |is| (was, is)));
    let ((old, ..), (new, ..)) =
        both.find(|(was, is)| is_one(&was.0, &is.0) && was.1.0 == is.1.0 && was.1.1 != is.1.1)?;
    // Takes the outermost call, since its arguments may be results of the others.
    let depth = |call: &Rc<Opaque>| difference::calls(&Canon::Term(Rc::new(Term::Opaque(call.clone())))).len();
    let differing = old.iter().zip(new).filter(|(a, b)| a.key != b.key);
    let calls = differing.max_by_key(|(a, _)| depth(a)).map(|(a, b)| (a.clone(), b.clone()))?;
    let about = |(calls, _, cond): &Question| calls.iter().any(|one| one.callee == old[0].callee).then(|| cond.clone());
    let conditions = was.iter().chain(&is).filter_map(about).collect();
    Some(DivergingCalls { calls, conditions })
}

/// The calls in a condition, what it tests and with which result, without the calls' arguments, and the condition.
type Question = (Vec<Rc<Opaque>>, (String, String), Cond);

/// The conditions on results of calls that only one of two paths tests.
fn questions(own: &ComparablePath, other: &ComparablePath) -> Vec<Question> {
    // What the head's path shares with the base's is decided before it runs, so that it is asked and not taken.
    let known: Vec<&Cond> = other.conditions.iter().chain(&other.asked).map(|taken| &taken.cond).collect();
    let only =
        own.conditions.iter().filter(|taken| !known.contains(&&taken.cond) && !known.contains(&&taken.cond.negate()));
    let of = |taken: &Taken| {
        let calls = rests_on(&taken.cond).into_iter().filter(|one| one.origin == Origin::Call).collect();
        (calls, tested(&taken.cond), taken.cond.clone())
    };
    only.map(of).filter(|(calls, ..): &Question| !calls.is_empty()).collect()
}

/// A call that base and head make alike, and that has another result in head only because a call before it was added
/// or removed. Such a pair of paths says nothing of its own: whether the result is another one is not known.
pub(in crate::compare) fn diverging_in_time(before: &ComparablePath, after: &ComparablePath) -> Option<Rc<Opaque>> {
    let (was, is) = (questions(before, after), questions(after, before));
    let handed =
        |call: &Opaque| -> Vec<Canon> { call.operands.iter().filter(|operand| !operand.is_mark()).cloned().collect() };
    let is_one = |a: &Rc<Opaque>, b: &Rc<Opaque>| a.callee == b.callee && handed(a) == handed(b);
    let mut both = was.iter().flat_map(|was| is.iter().map(move |is| (was, is)));
    let ((calls, ..), _) = both.find(|(was, is)| {
        was.0.len() == is.0.len()
            && was.0.iter().zip(&is.0).all(|(a, b)| is_one(a, b))
            && was.0 != is.0
            && was.1.0 == is.1.0
            && was.1.1 != is.1.1
    })?;
    calls.first().cloned()
}

/// Whether two calls of one method have both other receivers and other arguments: neither stands for the other.
fn are_apart(one: &Opaque, other: &Opaque) -> bool {
    let (receivers, differ) = (receivers(one), |at: usize| one.operands.get(at) != other.operands.get(at));
    receivers == 1 && differ(0) && (1..one.operands.len()).any(differ)
}

/// The value that a condition tests, and the result of the test; both in words, without the arguments of calls.
fn tested(cond: &Cond) -> (String, String) {
    let (positive, holds) = match cond {
        Cond::Not(inner) => ((**inner).clone(), false),
        Cond::Compare(op @ (BinaryOp::Ge | BinaryOp::Gt | BinaryOp::Ne), prim, a, b) => {
            (Cond::Compare(opposite(*op), *prim, a.clone(), b.clone()), false)
        }
        cond => (cond.clone(), true),
    };
    let (of, result) = match &positive {
        Cond::Same(term, other) if matches!(**other, Term::Const(_)) => (term.to_string(), other.to_string()),
        Cond::Compare(BinaryOp::Eq, _, term, other) if matches!(**other, Term::Const(_)) => {
            (term.to_string(), other.to_string())
        }
        Cond::IsNull(term) => (term.to_string(), "null".to_owned()),
        other => (other.to_string(), String::new()),
    };
    (without_handed(&of), format!("{holds} {result}"))
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
