//! Objects that code found and did not make: of those it is known only which fields were set, and all others hold what they held.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::java::interpret::condition::Cond;
use crate::java::interpret::term::{Canon, Opaque, Origin, Sort, Term};

/// The name of the part of an object that says for which opaque value it was made.
pub(super) const FOUND: &str = "*";

/// For which opaque value an object was made.
pub(super) fn found(parts: &[(Rc<str>, Canon)]) -> Option<&Canon> {
    parts.iter().find(|(name, _)| &**name == FOUND).map(|(_, found)| found)
}

/// The one part of an object that was found of which something is known: the field that code set.
pub(super) fn only_part(object: Option<&Canon>) -> Option<Rc<str>> {
    let Some(Canon::Object(_, parts)) = object else { return None };
    match parts.iter().filter(|(name, _)| &**name != FOUND).collect::<Vec<_>>().as_slice() {
        [(name, _)] => Some(name.clone()),
        _ => None,
    }
}

/// The name of what a part of an object holds that was found, and left alone.
const AS_FOUND: &str = "as found";

/// What a part of an object holds that was found, and left alone.
pub(super) fn as_found(object: &Canon) -> Canon {
    let leaf = Opaque::new(Origin::Part, AS_FOUND, vec![object.clone()], Sort::Object, "its old value");
    Canon::Term(Rc::new(Term::Opaque(Rc::new(leaf))))
}

/// Whether a value is what a part of an object was found to hold, and the other was made without it: the part may have held anything.
pub(super) fn is_other_than_found(found: &Canon, made: &Canon) -> bool {
    let Some(leaf) = found.as_opaque() else { return false };
    if &*leaf.callee != AS_FOUND || !matches!(made, Canon::Object(..)) {
        return false;
    }
    let mut rests_on = Vec::new();
    made.opaque(&mut rests_on);
    let mut of = Vec::new();
    leaf.operands.iter().for_each(|object| object.opaque(&mut of));
    let of: BTreeSet<u128> = of.iter().map(|one| one.key).collect();
    !of.is_empty() && !rests_on.iter().any(|one| one.key == leaf.key || of.contains(&one.key))
}

/// A field of an object that was found, where a condition asks for it.
pub(super) fn read_of(found: &Canon, name: &str, conditions: &[Cond]) -> Option<Canon> {
    let is_read = |one: &Rc<Opaque>| {
        one.origin == Origin::Part
            && one.callee.strip_prefix('.') == Some(name)
            && one.operands.first() == Some(found)
            && one.sort != Sort::Object
    };
    let read = conditions.iter().find_map(|cond| {
        let mut all = Vec::new();
        cond.opaque(&mut all);
        all.into_iter().find(is_read)
    })?;
    Some(Canon::Term(Rc::new(Term::Opaque(read))))
}
