//! The innermost part in which two values differ: an argument of a call, a field of an object.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::called::{method_name, receivers};
use super::chains::link_of_one_side;
use super::difference::{Comparison, Difference, DifferenceKind, NO_KEY, SWAPPED, Step, calls, collection, words};
use super::found_objects::{ORIGIN, as_found, origin_of};
use super::settled::settled;
use mastor_java::interpret::opaque::calls::GIVES;
use mastor_java::interpret::paths::known::PathConstraints;
use mastor_java::interpret::values::scalar::Scalar;
use mastor_java::interpret::values::term::{Canon, OPERATOR, Opaque, Origin, Term};
use mastor_java::ir::body::BinaryOp;

/// The step to a part of an object of this class.
pub(in crate::compare) fn step(class: &str, part: &Rc<str>) -> Step {
    match &**part {
        "status" if class.ends_with(".ResponseEntity") => Step::Status,
        "" if class == GIVES => Step::Gives,
        _ => Step::Part(part.clone()),
    }
}

/// Values whose words are longer are told by the part that differs.
const LONG: usize = 60;

/// Reports two differing values. If they read alike, or their words are long, reports the innermost part that differs,
/// such as an argument of the call that both result from.
pub(super) fn differs(before: &Canon, after: &Canon, place: &[Step]) -> Comparison {
    let mut place = place.to_vec();
    let (mut before, mut after) = (before.clone(), after.clone());
    let is_long = |value: &Canon| words(value).contains('…') || words(value).chars().count() > LONG;
    let (roots, mut is_swapped) = ([before.clone(), after.clone()], false);
    if place.iter().all(|step| matches!(step, Step::Argument(_)))
        && (is_long(&before) || is_long(&after))
        && let Some(difference) = link_of_one_side(&before, &after)
    {
        return Comparison::Differs(difference);
    }
    while let Some((name, was, is)) = changed_part(&before, &after).or_else(|| {
        let reads_badly = words(&before) == words(&after) || is_long(&before) || is_long(&after);
        inner(&before, &after).filter(|_| reads_badly)
    }) {
        place.extend(name);
        // Swapped arguments are reported for the call that receives them.
        is_swapped = takes(&before, &is) && takes(&after, &was);
        (before, after) = (was, is);
        if let Some(difference) = link_of_one_side(&before, &after) {
            return Comparison::Differs(difference);
        }
        if is_swapped || are_there_already(&roots, &before, &after) {
            break;
        }
    }
    if let Some(difference) = missing_key(&before, &after, &place) {
        return Comparison::Differs(difference);
    }
    let (before, after, place) = (&before, &after, place.as_slice());
    // How many elements a collection has does not matter where the other value is none.
    let of_either = |own: &Canon, other: &Canon| match (collection(own), collection(other)) {
        (Some(own), None) => own,
        _ => words(own),
    };
    let (before, mut after) = (of_either(before, after), of_either(after, before));
    if is_swapped && before == after {
        after = SWAPPED.to_owned();
    }
    Comparison::Differs(Difference { of: DifferenceKind::Given, place: place.to_vec(), before, after })
}

/// The first key that only one of two maps has.
pub(super) fn missing_key(before: &Canon, after: &Canon, place: &[Step]) -> Option<Difference> {
    let (Canon::Object(class, old), Canon::Object(other, new)) = (before, after) else { return None };
    if !(is_map(class) && is_map(other)) {
        return None;
    }
    let value = |parts: &[(Rc<str>, Canon)], key: &Rc<str>| {
        parts.iter().find(|(own, _)| own == key).map_or_else(|| NO_KEY.to_owned(), |(_, part)| words(part))
    };
    let lacks = |parts: &[(Rc<str>, Canon)], key: &Rc<str>| parts.iter().all(|(own, _)| own != key);
    let of_old = old.iter().map(|(key, _)| key).find(|key| lacks(new, key));
    let key = of_old.or_else(|| new.iter().map(|(key, _)| key).find(|key| lacks(old, key)))?;
    let place = place.iter().cloned().chain([step(class, key)]).collect();
    Some(Difference { of: DifferenceKind::Given, place, before: value(old, key), after: value(new, key) })
}

/// Whether the parts of an object are map entries; `pairs` is a map whose keys are not all constant.
pub(super) fn is_map(class: &str) -> bool {
    matches!(class, "map" | "pairs")
}

/// Whether a value is the result of a call with the other value as an operand.
fn takes(value: &Canon, other: &Canon) -> bool {
    value.as_opaque().is_some_and(|call| call.operands.contains(other))
}

/// Whether the other side's original value already contains one of the two calls. Then another existing result is used,
/// and neither call changed.
fn are_there_already([was, is]: &[Canon; 2], before: &Canon, after: &Canon) -> bool {
    let is_in = |value: &Canon, other: &Canon| {
        let call = other.as_opaque().filter(|one| one.origin == Origin::Call);
        call.is_some_and(|call| calls(value).iter().any(|one| one.key == call.key))
    };
    (is_in(was, after) || is_in(is, before)) && words(before) != words(after)
}

/// How the arguments of two calls of the same method differ.
pub(in crate::compare) fn handed_differently(
    (was, is): (&Rc<Opaque>, &Rc<Opaque>),
    known: &PathConstraints,
) -> Option<Difference> {
    let of = |opaque: &Rc<Opaque>| settled(&Canon::Term(Rc::new(Term::Opaque(opaque.clone()))), known);
    let (mut before, mut after, mut place) = (of(was), of(is), Vec::new());
    let is_call = |one: &Canon| one.as_opaque().is_some_and(|own| own.origin == Origin::Call);
    if let Some(difference) = link_of_one_side(&before, &after) {
        return Some(difference);
    }
    let (roots, mut at_call) = ([before.clone(), after.clone()], Some((before.clone(), after.clone())));
    // The innermost call with different arguments is the origin of the difference.
    while let Some((old, new)) = at_call.take() {
        // Swapped arguments are reported for the call that receives them.
        let handed = old.as_opaque()?.operands.clone();
        let (name, old, new) = inner(&old, &new)?;
        place.extend(name);
        if let Some(difference) = link_of_one_side(&old, &new) {
            return Some(difference);
        }
        let goes_on = is_call(&old) && is_call(&new) && !handed.contains(&new) && inner(&old, &new).is_some();
        at_call = goes_on.then(|| (old.clone(), new.clone()));
        (before, after) = (old, new);
        if are_there_already(&roots, &before, &after) {
            let (before, after) = (words(&before), words(&after));
            let is_handed = place.iter().any(|step| matches!(step, Step::Argument(_)));
            return is_handed.then_some(Difference { of: DifferenceKind::Given, place, before, after });
        }
    }
    place.iter().any(|step| matches!(step, Step::Argument(_))).then_some(())?;
    match differs(&before, &after, &place) {
        Comparison::Differs(difference) => Some(difference),
        _ => None,
    }
}

/// The part of a received object that only one side changed.
fn changed_part(before: &Canon, after: &Canon) -> Option<(Option<Step>, Canon, Canon)> {
    let changed = |object: &Canon, other: &Canon| match object {
        Canon::Object(_, parts) if origin_of(parts) == Some(other) => {
            parts.iter().find(|(name, _)| &**name != ORIGIN).cloned()
        }
        _ => None,
    };
    if let Some((name, part)) = changed(before, after) {
        return Some((Some(Step::Part(name)), part, as_found(after)));
    }
    changed(after, before).map(|(name, part)| (Some(Step::Part(name)), as_found(before), part))
}

/// The first part in which two values of the same form differ.
fn inner(before: &Canon, after: &Canon) -> Option<(Option<Step>, Canon, Canon)> {
    match (before, after) {
        (Canon::Term(was), Canon::Term(is)) => match (&**was, &**is) {
            // The operands of a comparison are less informative than the comparison itself.
            (Term::Opaque(was), Term::Opaque(is)) if was.callee == is.callee && !was.callee.starts_with(OPERATOR) => {
                let mut both = was.operands.iter().zip(is.operands.iter()).enumerate();
                // Epoch marks, the numbers of readings of a clock, and lambdas of different forms, tell a reader nothing.
                let is_sealed = |one: &Canon| matches!(one, Canon::Sealed(_)) || one.is_mark();
                let (at, (a, b)) =
                    both.find(|(_, (a, b))| a != b && !is_turned_round(a, b) && !(is_sealed(a) && is_sealed(b)))?;
                let is_argument = was.origin == Origin::Call && at >= receivers(was);
                Some((is_argument.then(|| Step::Argument(method_name(was))), a.clone(), b.clone()))
            }
            (Term::Opaque(was), Term::Opaque(is)) if lists_other_texts(was, is) => {
                let texts = |call: &Opaque| call.operands.get(receivers(call)..).unwrap_or_default().to_vec();
                let (old, new) = (texts(was), texts(is));
                let nothing = || Canon::Named(Rc::from("nothing"));
                let at = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
                let of = |all: &[Canon]| all.get(at).cloned().unwrap_or_else(nothing);
                Some((Some(Step::Argument(method_name(was))), of(&old), of(&new)))
            }
            _ => None,
        },
        (Canon::Object(class, was), Canon::Object(_, is)) => {
            let unset = origin_of(was).or_else(|| origin_of(is)).map_or_else(Canon::null, as_found);
            let part = |parts: &[(Rc<str>, Canon)], name: &Rc<str>| {
                parts.iter().find(|(own, _)| own == name).map_or_else(|| unset.clone(), |(_, part)| part.clone())
            };
            let names: BTreeSet<&Rc<str>> = was.iter().chain(is.iter()).map(|(name, _)| name).collect();
            let name = names.into_iter().find(|name| part(was, name) != part(is, name))?;
            Some((Some(step(class, name)), part(was, name), part(is, name)))
        }
        _ => None,
    }
}

/// Whether two values are one sum or product of integers with its operands the other way round.
fn is_turned_round(one: &Canon, other: &Canon) -> bool {
    let (Canon::Term(one), Canon::Term(other)) = (one, other) else { return false };
    match (&**one, &**other) {
        (Term::Binary(op, prim, a, b), Term::Binary(other_op, other_prim, c, d)) => {
            let commutes = matches!(op, BinaryOp::Add | BinaryOp::Mul) && prim.is_integral();
            commutes && (op, prim) == (other_op, other_prim) && (a, b) == (d, c)
        }
        _ => false,
    }
}

/// Whether both are calls of one library method with a variable list of constant strings: `origins("a", "b")`.
pub(super) fn lists_other_texts(one: &Opaque, other: &Opaque) -> bool {
    let named = |call: &Opaque| call.callee.rsplit_once('/').map(|(name, _)| name.to_owned());
    let lists_texts = |call: &Opaque| {
        let is_text = |arg: &Canon| matches!(arg, Canon::Term(term) if matches!(&**term, Term::Const(Scalar::Str(_))));
        call.origin == Origin::Call
            && call.operands.iter().skip(receivers(call)).filter(|arg| !arg.is_mark()).all(is_text)
    };
    let receiver = |call: &Opaque| call.operands.get(..receivers(call)).unwrap_or_default().to_vec();
    one.callee != other.callee
        && named(one).is_some_and(|name| Some(name) == named(other))
        && receiver(one) == receiver(other)
        && lists_texts(one)
        && lists_texts(other)
}
