//! Replaced conditions: if base decides by one opaque call and head by another, the two may give the same result, so no
//! difference is reported.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::difference;
use mastor_java::interpret::opaque::calls::{HANDED, QUERY};
use mastor_java::interpret::paths::condition::Cond;
use mastor_java::interpret::values::term::{Opaque, Origin};
use mastor_runtime::server::opaquely::ComparablePath;

/// The conditions of a path, each with the opaque calls on which it depends. A condition and its negation have the same
/// key.
pub(in crate::compare) type Questions = BTreeMap<String, BTreeSet<Rc<str>>>;

/// The conditions of one path.
pub(in crate::compare) fn calls_asked(ended: &ComparablePath) -> Questions {
    let of = |cond: &Cond| {
        let mut opaque = Vec::new();
        cond.opaque(&mut opaque);
        // Counts opaque calls, and parameters of lambdas that opaque code runs, but not the elements of a loop.
        let is_asked = |one: &&Rc<Opaque>| one.origin == Origin::Call || one.callee.contains(HANDED);
        let calls = opaque.iter().filter(is_asked).map(|one| one.callee.clone()).collect();
        (format!("{cond:?}").min(format!("{:?}", cond.negate())), calls)
    };
    ended.asked.iter().map(|taken| of(&taken.cond)).collect()
}

/// Why a difference is uncertain: one side tests a call that the other side tests on none of its paths, in place of a
/// condition that only the other side tests.
pub(in crate::compare) fn replaced_condition(
    (before, after): (&ComparablePath, &ComparablePath),
    calls: &[BTreeSet<Rc<str>>; 2],
) -> Option<String> {
    let (was, is) = (calls_asked(before), calls_asked(after));
    let strange = |own: &Questions, other: &Questions, known: &BTreeSet<Rc<str>>| {
        let replacing = || other.iter().filter(|(cond, _)| !own.contains_key(*cond));
        let (replaces, replaces_by_call) =
            (replacing().next().is_some(), replacing().any(|(_, calls)| !calls.is_empty()));
        let only = own.iter().filter(|(cond, _)| !other.contains_key(*cond));
        let known = || known.iter().chain(other.values().flatten());
        let is_known = |call: &Rc<str>| known().any(|other| other == call || difference::are_queries(call, other));
        let mut calls = only.flat_map(|(_, calls)| calls).filter(|call| !is_known(call));
        // The result of a store call cannot be replaced by a condition on the request.
        calls.find(|call| if is_of_store(call) { replaces_by_call } else { replaces }).cloned()
    };
    let call = strange(&is, &was, &calls[0]).or_else(|| strange(&was, &is, &calls[1]))?;
    Some(format!("what `{call}` says is not held against what was asked in its place"))
}

/// Whether a callee is a method of a repository, which a library implements.
fn is_of_store(callee: &str) -> bool {
    let has_count = callee.rsplit_once('/').is_some_and(|(_, count)| count.parse::<u8>().is_ok());
    callee.contains(QUERY) || (callee.contains('#') && has_count)
}
