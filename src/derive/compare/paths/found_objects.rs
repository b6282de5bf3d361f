//! Received objects: objects that code did not create. Only the fields that code set are known; all others keep their
//! old values.

use std::collections::BTreeSet;
use std::rc::Rc;

use mastor_java::interpret::paths::condition::Cond;
use mastor_java::interpret::values::term::{Canon, Opaque, Origin, Sort, Term};

/// The name of the part that holds the opaque value which the object was expanded from.
pub(super) const ORIGIN: &str = "*";

/// The opaque value which an object was expanded from.
pub(in crate::compare) fn origin_of(parts: &[(Rc<str>, Canon)]) -> Option<&Canon> {
    parts.iter().find(|(name, _)| &**name == ORIGIN).map(|(_, found)| found)
}

/// The only known part of such an object, which is the field that code set, as it is written behind the object's name:
/// `.owner.name`, `[0].price`. Empty if several are known.
pub(super) fn only_part(object: Option<&Canon>) -> String {
    let Some(Canon::Object(_, parts)) = object else { return String::new() };
    match parts.iter().filter(|(name, _)| &**name != ORIGIN).collect::<Vec<_>>().as_slice() {
        [(name, inner)] => behind(name) + &only_part(Some(inner).filter(|inner| origin_of_object(inner).is_some())),
        _ => String::new(),
    }
}

fn origin_of_object(object: &Canon) -> Option<&Canon> {
    let Canon::Object(_, parts) = object else { return None };
    origin_of(parts)
}

/// A part as it is written behind the name of its object: `.price`, `[0]`.
pub(super) fn behind(part: &str) -> String {
    match part.bytes().all(|byte| byte.is_ascii_digit()) {
        true => format!("[{part}]"),
        false if part.starts_with('[') => part.to_owned(),
        false => format!(".{part}"),
    }
}

/// The text for the value of a field that code has not set.
pub(super) const OLD: &str = "its old value";

/// The callee of the opaque value for an unchanged part of such an object.
const AS_FOUND: &str = "as found";

/// The value of an unchanged part of such an object.
pub(super) fn as_found(object: &Canon) -> Canon {
    let leaf = Opaque::new(Origin::Part, AS_FOUND, vec![object.clone()], Sort::Object, OLD);
    Canon::Term(Rc::new(Term::Opaque(Rc::new(leaf))))
}

/// Whether one value is an unchanged part of a received object, and the other value was created independently of it:
/// the part may have held any value.
pub(super) fn is_other_than_found(found: &Canon, made: &Canon) -> bool {
    let Some(leaf) = found.as_opaque() else { return false };
    let is_new =
        matches!(made, Canon::Object(..)) || made.as_opaque().is_some_and(|one| one.callee.contains(".<init>/"));
    if &*leaf.callee != AS_FOUND || !is_new {
        return false;
    }
    let mut rests_on = Vec::new();
    made.opaque(&mut rests_on);
    let mut of = Vec::new();
    leaf.operands.iter().for_each(|object| object.opaque(&mut of));
    let of: BTreeSet<u128> = of.iter().map(|one| one.key).collect();
    !of.is_empty() && !rests_on.iter().any(|one| one.key == leaf.key || of.contains(&one.key))
}

/// The value of a field of a received object, if a condition reads it.
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
