//! Compares two values of a joint path part by part, and decides whether an assignment makes them differ.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::difference::{Comparison, Difference, DifferenceKind, Step, are_queries, calls, words};
use super::found_objects::{ORIGIN, as_found, is_other_than_found, origin_of, read_of};
use super::innermost::{differs, is_map, lists_other_texts, missing_key, step};
use super::settled::settled;
use crate::inputs::assignment::{Assignment, Search};
use mastor_java::interpret::paths::condition::Cond;
use mastor_java::interpret::paths::known::PathConstraints;
use mastor_java::interpret::values::function::Function;
use mastor_java::interpret::values::scalar::{Prim, Scalar};
use mastor_java::interpret::values::term::{Canon, Opaque, Origin, Sort, Term};

/// Maximum number of assignments that are tried.
const SEEDS: u64 = 8;

/// Maximum number of failed searches for an assignment.
const VAIN: usize = 2;

/// Assignments that satisfy the conditions of a joint path, found on demand.
pub struct Assignments<'c> {
    conditions: &'c [Cond],
    known: Option<PathConstraints>,
    search: Option<Search<'c>>,
    found: Vec<Assignment>,
    /// Number of seeds tried.
    tried: u64,
    /// Number of seeds without an assignment.
    vain: usize,
    /// The work of searches under further conditions.
    aside: u64,
}

impl<'c> Assignments<'c> {
    /// The assignments of a joint path.
    pub fn of(conditions: &'c [Cond]) -> Self {
        Self { conditions, known: None, search: None, found: Vec::new(), tried: 0, vain: 0, aside: 0 }
    }

    /// The conditions of the path.
    fn known(&mut self) -> &PathConstraints {
        let conditions = self.conditions;
        self.known.get_or_insert_with(|| {
            let mut known = PathConstraints::default();
            conditions.iter().for_each(|cond| known.add(cond.clone()));
            known
        })
    }

    /// The assignment at an index, searched on first use.
    fn nth(&mut self, at: usize) -> Option<&Assignment> {
        while self.found.len() <= at && self.tried < SEEDS && self.vain <= VAIN {
            match self.search.get_or_insert_with(|| Search::of(self.conditions)).meeting(self.tried) {
                Some(assignment) => self.found.push(assignment),
                None => self.vain += 1,
            }
            self.tried += 1;
        }
        self.found.get(at)
    }

    /// A measure of the work that the search for assignments has taken; see [`Search::work`].
    pub fn work(&self) -> u64 {
        self.aside + self.search.as_ref().map_or(0, Search::work)
    }

    /// Whether there is any assignment, so that the path is feasible.
    pub fn any(&mut self) -> bool {
        self.nth(0).is_some()
    }

    /// Whether two values differ under one of the assignments; `None` if one of the values cannot be evaluated.
    fn part(&mut self, before: &Canon, after: &Canon) -> Option<bool> {
        let (mut any, mut at) = (None, 0);
        while let Some(assignment) = self.nth(at) {
            let assignment = assignment.calculating([before, after]);
            if before.evaluate(&*assignment)? != after.evaluate(&*assignment)? {
                return Some(true);
            }
            (any, at) = (Some(false), at + 1);
        }
        any
    }
}

/// Compares two values.
pub fn compare(before: &Canon, after: &Canon, on: &mut Assignments<'_>) -> Comparison {
    let mut place = Vec::new();
    within(before, after, on, &mut place)
}

fn within(before: &Canon, after: &Canon, on: &mut Assignments<'_>, place: &mut Vec<Step>) -> Comparison {
    if before == after {
        return match before.unknown() {
            Some(why) => Comparison::Open(why.to_string()),
            None => Comparison::Alike,
        };
    }
    match (before, after) {
        // A received object that only one side changed.
        (Canon::Object(class, parts), Canon::Term(_)) if origin_of(parts) == Some(after) => {
            let other = Canon::Object(class.clone(), Rc::new([(Rc::from(ORIGIN), after.clone())]));
            within(before, &other, on, place)
        }
        (Canon::Term(_), Canon::Object(class, parts)) if origin_of(parts) == Some(before) => {
            let other = Canon::Object(class.clone(), Rc::new([(Rc::from(ORIGIN), before.clone())]));
            within(&other, after, on, place)
        }
        (Canon::Object(class, old), Canon::Object(other, new)) if &**class == "bag" && class == other => {
            bags((before, after), (old, new), on, place)
        }
        (Canon::Object(class, old), Canon::Object(other, new)) if is_one_kind(class, other) => {
            if matches!(&**class, "list" | "set") && old.len() != new.len() && on.any() {
                place.push(Step::Part(Rc::from("number of elements")));
                let (before, after) = (old.len().to_string(), new.len().to_string());
                return Comparison::Differs(Difference {
                    of: DifferenceKind::Given,
                    place: place.clone(),
                    before,
                    after,
                });
            }
            let names: BTreeSet<&Rc<str>> = old.iter().chain(new.iter()).map(|(name, _)| name).collect();
            // If a condition reads a field that code has not set, its value is the one in the condition.
            let base = origin_of(old).or_else(|| origin_of(new)).cloned();
            let conditions = on.conditions;
            let unset = |name: &Rc<str>| match &base {
                Some(found) => read_of(found, name, conditions).unwrap_or_else(|| as_found(found)),
                None => Canon::null(),
            };
            let part = |parts: &[(Rc<str>, Canon)], name: &Rc<str>| {
                parts.iter().find(|(own, _)| own == name).map(|(_, part)| part.clone())
            };
            let of = |parts: &[(Rc<str>, Canon)], name: &Rc<str>| part(parts, name).unwrap_or_else(|| unset(name));
            // The status of an answer comes first. Parts that a library model leaves open come last, since they differ
            // whenever an argument of the call does.
            let mut names: Vec<&Rc<str>> = names.into_iter().collect();
            names.sort_by_key(|name| {
                let is_open = [old, new].iter().any(|parts| part(parts, name).is_some_and(|one| is_filled(&one)));
                (is_open, step(class, name) != Step::Status)
            });
            if let Some(difference) = missing_key(before, after, place).filter(|_| on.any()) {
                return Comparison::Differs(difference);
            }
            let mut open = None;
            for name in names {
                place.push(step(class, name));
                let told = within(&of(old, name), &of(new, name), on, place);
                match told {
                    Comparison::Alike => {}
                    Comparison::Differs(_) => return told,
                    Comparison::Open(why) => open = open.or(Some(why)),
                }
                place.pop();
            }
            // Objects of two classes may be serialised differently, whatever they contain.
            if class != other && !is_library_class(class) {
                open = open.or_else(|| Some(format!("whether a {other} is written as a {class} is not known")));
            }
            open.map_or(Comparison::Alike, Comparison::Open)
        }
        _ => scalars(before, after, on, place),
    }
}

/// Whether a value stands for a part of an object that its model leaves open.
fn is_filled(value: &Canon) -> bool {
    value.as_opaque().is_some_and(|own| own.origin == Origin::Call && own.callee.contains(' '))
}

/// Whether a class belongs to the JDK, or is a built-in form without a package, such as `list` or `map`.
fn is_library_class(class: &str) -> bool {
    class.starts_with("java.") || !class.contains('.')
}

fn is_one_kind(class: &str, other: &str) -> bool {
    class == other || (is_map(class) && is_map(other)) || !(is_library_class(class) || is_library_class(other))
}

fn scalars(before: &Canon, after: &Canon, on: &mut Assignments<'_>, place: &[Step]) -> Comparison {
    for one in [before, after] {
        if let Some(why) = one.unknown() {
            return Comparison::Open(why.to_string());
        }
    }
    if let Some(call) = read_at_other_times(before, after) {
        return Comparison::Open(format!("what `{call}` gives may have changed in between"));
    }
    let is_object = |one: &Canon| matches!(one, Canon::Object(..) | Canon::Named(_) | Canon::Again(_));
    if matches!(before, Canon::Sealed(_)) || matches!(after, Canon::Sealed(_)) {
        return Comparison::Open(format!("whether {} is {} is not known", words(after), words(before)));
    }
    let is_null = |one: &Canon| matches!(one, Canon::Term(term) if matches!(&**term, Term::Const(Scalar::Null)));
    if (is_object(before) || is_object(after)) && !is_null(before) && !is_null(after) {
        let is_other = is_other_than_found(before, after) || is_other_than_found(after, before);
        if ((is_object(before) && is_object(after)) || is_other) && on.any() {
            return differs(before, after, place);
        }
        return Comparison::Open(format!("whether {} is {} is not known", words(after), words(before)));
    }
    if let (Some(was), Some(is)) = (condition(before), condition(after)) {
        return truths(&was, &is, on, place);
    }
    if (is_other_than_found(before, after) || is_other_than_found(after, before)) && on.any() {
        return differs(before, after, place);
    }
    if let Some(why) = strangers(before, after) {
        return Comparison::Open(why);
    }
    if is_name_of_either(before, after) || is_name_of_either(after, before) {
        return Comparison::Open(format!("whether {} is {} is not known", words(after), words(before)));
    }
    let parted = on.part(before, after);
    let known = on.known();
    let (before, after) = (&settled(before, known), &settled(after, known));
    match parted {
        Some(true) => differs(before, after, place),
        Some(false) if before == after => Comparison::Alike,
        Some(false) => Comparison::Open(format!("whether {} is always {} is not known", words(after), words(before))),
        None => Comparison::Open(format!(
            "no values were found on which {} and {} could be worked out",
            words(before),
            words(after)
        )),
    }
}

/// Whether one value is the name of an enum constant, and the other the result of a method `name` on an object of
/// unknown class.
fn is_name_of_either(known: &Canon, open: &Canon) -> bool {
    let is_known = matches!(known, Canon::Term(term) if matches!(&**term, Term::Apply(Function::Name, _)));
    is_known && open.as_opaque().is_some_and(|call| call.callee.starts_with('?') && call.callee.ends_with(".name/0"))
}

/// The named parts of an object.
type Parts = [(Rc<str>, Canon)];

/// Compares elements without an order: removes those that both sides contain, and compares the rest.
fn bags(
    (before, after): (&Canon, &Canon),
    (old, new): (&Parts, &Parts),
    on: &mut Assignments<'_>,
    place: &mut Vec<Step>,
) -> Comparison {
    let mut is: Vec<&Canon> = new.iter().map(|(_, part)| part).collect();
    let mut was: Vec<&Canon> = Vec::new();
    for (_, part) in old {
        match is.iter().position(|other| *other == part && part.unknown().is_none()) {
            Some(at) => drop(is.swap_remove(at)),
            None => was.push(part),
        }
    }
    let is_constant = |one: &&Canon| matches!(one, Canon::Term(term) if matches!(**term, Term::Const(_)));
    match (was.as_slice(), is.as_slice()) {
        ([], []) => Comparison::Alike,
        ([was], [is]) => within(was, is, on, place),
        _ if was.iter().chain(&is).all(is_constant) && on.any() => differs(before, after, place),
        _ => Comparison::Open("whether a set holds the same is not known".to_owned()),
    }
}

/// The condition of a boolean value.
fn condition(value: &Canon) -> Option<Cond> {
    match value {
        Canon::Truth(truth) => truth.as_any().downcast_ref::<Cond>().cloned(),
        Canon::Term(term) => match &**term {
            Term::Const(Scalar::Bool(value)) => Some(Cond::Const(*value)),
            Term::Opaque(opaque) if opaque.sort == Sort::Prim(Prim::Bool) => Some(Cond::Test(term.clone())),
            _ => None,
        },
        _ => None,
    }
}

/// Compares two booleans: whether one can be true where the other is false.
fn truths(was: &Cond, is: &Cond, on: &mut Assignments<'_>, place: &[Step]) -> Comparison {
    let mut known = PathConstraints::default();
    on.conditions.iter().for_each(|cond| known.add(cond.clone()));
    let decided = |cond: &Cond| match cond {
        Cond::Const(value) => Some(*value),
        cond => known.decides(cond),
    };
    if let (Some(was), Some(is)) = (decided(was), decided(is))
        && was == is
    {
        return Comparison::Alike;
    }
    let value = |cond: &Cond| match cond {
        Cond::Const(value) => Canon::Term(Rc::new(Term::Const(Scalar::Bool(*value)))),
        cond => Canon::Truth(Rc::new(cond.clone())),
    };
    for (holds, fails) in [(was, is), (is, was)] {
        let mut all = on.conditions.to_vec();
        all.extend([holds.clone(), fails.negate()].map(Cond::simplify));
        let search = Search::of(&all);
        let is_met = !all.contains(&Cond::Const(false)) && (0..=VAIN as u64).any(|seed| search.meeting(seed).is_some());
        on.aside += search.work();
        if is_met {
            return match strangers(&value(was), &value(is)) {
                Some(why) => Comparison::Open(why),
                None => differs(&value(was), &value(is), place),
            };
        }
    }
    // Each follows from the other.
    let leads_to = |premise: &Cond, conclusion: &Cond| {
        let under = |cond: &Cond, asked: &Cond, wanted: bool| {
            let mut known = known.clone();
            known.add(cond.clone().simplify());
            known.decides(asked) == Some(wanted)
        };
        under(premise, conclusion, true) || under(&conclusion.negate(), premise, false)
    };
    if leads_to(was, is) && leads_to(is, was) {
        return Comparison::Alike;
    }
    Comparison::Open(format!("whether `{is}` is always `{was}` is not known"))
}

/// The call that both values result from, if they differ only in the epoch of its collaborator.
fn read_at_other_times(before: &Canon, after: &Canon) -> Option<Rc<str>> {
    let (was, is) = before.as_opaque().zip(after.as_opaque())?;
    let of = |opaque: &Opaque| -> Vec<Canon> {
        opaque.operands.iter().filter(|operand| !matches!(operand, Canon::Sealed(_))).cloned().collect()
    };
    if was.callee != is.callee {
        return None;
    }
    let (old, new) = (of(was), of(is));
    match (old.as_slice(), new.as_slice()) {
        (old, new) if old == new => Some(is.words.clone()),
        ([old], [new]) => read_at_other_times(old, new),
        _ => None,
    }
}

/// Whether two repository methods find the same rows in another order, by their names (Spring Data Commons, "Defining Query
/// Methods").
fn are_ordered_otherwise(one: &str, two: &str) -> bool {
    let parted = |callee: &str| callee.split_once("OrderBy").map(|(finds, by)| (finds.to_owned(), by.to_owned()));
    match (parted(one), parted(two)) {
        (Some((finds, by)), Some((other, other_by))) => finds.contains('#') && finds == other && by != other_by,
        _ => false,
    }
}

/// Why two values cannot be compared: each depends on a call that the other does not make.
fn strangers(before: &Canon, after: &Canon) -> Option<String> {
    let (old, new) = (calls(before), calls(after));
    let only = |own: &[Rc<Opaque>], other: &[Rc<Opaque>]| {
        own.iter()
            .find(|one| {
                let is_known = |two: &Rc<Opaque>| {
                    two.callee == one.callee
                        || are_queries(&one.callee, &two.callee)
                        || are_ordered_otherwise(&one.callee, &two.callee)
                        || lists_other_texts(one, two)
                };
                !other.iter().any(is_known)
            })
            .cloned()
    };
    let (gone, come) = (only(&old, &new)?, only(&new, &old)?);
    Some(format!("what {} gives is not held against what {} gives", come.words, gone.words))
}
