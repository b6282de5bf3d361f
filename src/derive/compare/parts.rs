//! Parts: where two values of one joint path are not the same, and whether an assignment parts them (DESIGN §9).

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::derive::inputs::assignment::{Assignment, Search};
use crate::java::interpret::condition::Cond;
use crate::java::interpret::known::Known;
use crate::java::interpret::opaque::calls::QUERY;
use crate::java::interpret::scalar::{Prim, Scalar};
use crate::java::interpret::term::{Canon, Opaque, Origin, Sort, Term};

/// Assignments that are tried, at most.
const SEEDS: u64 = 8;

/// Searches for one that may fail.
const VAIN: usize = 2;

/// One step on the way to what differs, from the outermost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A field, an element, a key.
    Part(Rc<str>),
    /// The status of an answer that code makes.
    Status,
    /// What a method is called with: its simple name.
    Argument(Rc<str>),
}

/// What comparing two values, answers or sequences of events came to.
#[derive(Debug, Clone)]
pub enum Told {
    /// They are the same.
    Alike,
    /// An assignment parts them.
    Differs(Difference),
    /// Neither is told, and why.
    Open(String),
}

/// What of two joint paths differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Of {
    /// The status.
    Status,
    /// What is given: the answer, or what a member returns or throws.
    Given,
    /// Whether something is called.
    Call,
    /// What something is called with, in words.
    Argument(Rc<str>),
    /// How an object is left, in words.
    Left(Rc<str>),
    /// The value of an expression within a member.
    Computed,
    /// What an exception carries, by its class.
    Thrown(Rc<str>),
}

/// How two values differ.
#[derive(Debug, Clone)]
pub struct Difference {
    /// Of what they are.
    pub of: Of,
    /// Where, from the outermost step.
    pub place: Vec<Step>,
    /// What stands there in base.
    pub before: String,
    /// What stands there in head.
    pub after: String,
}

/// Assignments that meet the conditions of a joint path, found when first asked for.
pub struct Assignments<'c> {
    conditions: &'c [Cond],
    search: Option<Search<'c>>,
    found: Vec<Assignment>,
    /// Seeds that were tried, and those of them that came to none.
    tried: u64,
    vain: usize,
}

impl<'c> Assignments<'c> {
    /// Those of a joint path.
    pub fn of(conditions: &'c [Cond]) -> Self {
        Self { conditions, search: None, found: Vec::new(), tried: 0, vain: 0 }
    }

    /// The assignment at an index, searched for when it is first asked for.
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

    /// Whether there is one: the path can be taken.
    pub fn any(&mut self) -> bool {
        self.nth(0).is_some()
    }

    /// Whether one of them gives two values that differ; `None` where one of the values cannot be worked out.
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
pub fn compare(before: &Canon, after: &Canon, on: &mut Assignments<'_>) -> Told {
    let mut place = Vec::new();
    within(before, after, on, &mut place)
}

fn within(before: &Canon, after: &Canon, on: &mut Assignments<'_>, place: &mut Vec<Step>) -> Told {
    if before == after {
        return match before.unknown() {
            Some(why) => Told::Open(why.to_string()),
            None => Told::Alike,
        };
    }
    match (before, after) {
        // An object that was found, and is changed on one side alone.
        (Canon::Object(class, parts), Canon::Term(_)) if found(parts) == Some(after) => {
            let other = Canon::Object(class.clone(), Rc::new([(Rc::from(FOUND), after.clone())]));
            within(before, &other, on, place)
        }
        (Canon::Term(_), Canon::Object(class, parts)) if found(parts) == Some(before) => {
            let other = Canon::Object(class.clone(), Rc::new([(Rc::from(FOUND), before.clone())]));
            within(&other, after, on, place)
        }
        (Canon::Object(class, old), Canon::Object(other, new)) if &**class == "bag" && class == other => {
            bags((before, after), (old, new), on, place)
        }
        (Canon::Object(class, old), Canon::Object(other, new)) if is_one_kind(class, other) => {
            if matches!(&**class, "list" | "set") && old.len() != new.len() && on.any() {
                place.push(Step::Part(Rc::from("number of elements")));
                let (before, after) = (old.len().to_string(), new.len().to_string());
                return Told::Differs(Difference { of: Of::Given, place: place.clone(), before, after });
            }
            let names: BTreeSet<&Rc<str>> = old.iter().chain(new.iter()).map(|(name, _)| name).collect();
            // What of it was read on the way is known by that.
            let base = found(old).or_else(|| found(new)).cloned();
            let conditions = on.conditions;
            let unset = |name: &Rc<str>| match &base {
                Some(found) => read_of(found, name, conditions).unwrap_or_else(|| as_found(found)),
                None => Canon::null(),
            };
            let part = |parts: &[(Rc<str>, Canon)], name: &Rc<str>| {
                parts.iter().find(|(own, _)| own == name).map(|(_, part)| part.clone())
            };
            // What is not set has the value that its type starts with (JLS §4.12.5).
            let of = |parts: &[(Rc<str>, Canon)], others: &[(Rc<str>, Canon)], name: &Rc<str>| {
                let first = || {
                    part(others, name)
                        .and_then(|other| initial(&other))
                        .filter(|_| found(old).or_else(|| found(new)).is_none())
                };
                part(parts, name).or_else(first).unwrap_or_else(|| unset(name))
            };
            // Parts of which a model says nothing come last: they differ wherever any argument of the call does.
            let mut names: Vec<&Rc<str>> = names.into_iter().collect();
            names.sort_by_key(|name| {
                [old, new].iter().any(|parts| part(parts, name).is_some_and(|one| is_filled(&one)))
            });
            let mut open = None;
            for name in names {
                place.push(step(class, name));
                let told = within(&of(old, new, name), &of(new, old, name), on, place);
                match told {
                    Told::Alike => {}
                    Told::Differs(_) => return told,
                    Told::Open(why) => open = open.or(Some(why)),
                }
                place.pop();
            }
            // Objects of two classes may be written otherwise, whatever they hold.
            if class != other {
                open = open.or_else(|| Some(format!("whether a {other} is written as a {class} is not known")));
            }
            open.map_or(Told::Alike, Told::Open)
        }
        _ => scalars(before, after, on, place),
    }
}

/// Whether a value stands for a part of an object of which its model says nothing.
fn is_filled(value: &Canon) -> bool {
    value.as_opaque().is_some_and(|own| own.origin == Origin::Call && own.callee.contains(' '))
}

/// The value with which a variable starts that can hold this constant of a primitive type.
fn initial(value: &Canon) -> Option<Canon> {
    let Canon::Term(term) = value else { return None };
    let Term::Const(scalar) = &**term else { return None };
    Some(Canon::Term(Rc::new(Term::Const(scalar.prim()?.zero()))))
}

/// The name of the part of an object that says for which opaque value it was made.
const FOUND: &str = "*";

/// For which opaque value an object was made.
fn found(parts: &[(Rc<str>, Canon)]) -> Option<&Canon> {
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
fn as_found(object: &Canon) -> Canon {
    let leaf = Opaque::new(Origin::Part, AS_FOUND, vec![object.clone()], Sort::Object, "its old value");
    Canon::Term(Rc::new(Term::Opaque(Rc::new(leaf))))
}

/// Whether a value is what a part of an object was found to hold, and the other was made without it: the part may have held anything.
fn is_other_than_found(found: &Canon, made: &Canon) -> bool {
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
fn read_of(found: &Canon, name: &str, conditions: &[Cond]) -> Option<Canon> {
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

/// Whether two objects are compared part by part.
fn is_one_kind(class: &str, other: &str) -> bool {
    let is_library = |class: &str| class.starts_with("java.") || !class.contains('.');
    class == other || !(is_library(class) || is_library(other))
}

fn scalars(before: &Canon, after: &Canon, on: &mut Assignments<'_>, place: &[Step]) -> Told {
    for one in [before, after] {
        if let Some(why) = one.unknown() {
            return Told::Open(why.to_string());
        }
    }
    if let Some(call) = read_at_other_times(before, after) {
        return Told::Open(format!("what `{call}` gives may have changed in between"));
    }
    let is_object = |one: &Canon| matches!(one, Canon::Object(..) | Canon::Named(_) | Canon::Again(_));
    if matches!(before, Canon::Sealed(_)) || matches!(after, Canon::Sealed(_)) {
        return Told::Open(format!("whether {} is {} is not known", words(after), words(before)));
    }
    let is_null = |one: &Canon| matches!(one, Canon::Term(term) if matches!(&**term, Term::Const(Scalar::Null)));
    if (is_object(before) || is_object(after)) && !is_null(before) && !is_null(after) {
        let is_other = is_other_than_found(before, after) || is_other_than_found(after, before);
        if ((is_object(before) && is_object(after)) || is_other) && on.any() {
            return differs(before, after, place);
        }
        return Told::Open(format!("whether {} is {} is not known", words(after), words(before)));
    }
    if let (Some(was), Some(is)) = (condition(before), condition(after)) {
        return truths(&was, &is, on, place);
    }
    if let Some(why) = strangers(before, after) {
        return Told::Open(why);
    }
    match on.part(before, after) {
        Some(true) => differs(before, after, place),
        Some(false) => Told::Open(format!("whether {} is always {} is not known", words(after), words(before))),
        None => Told::Open(format!(
            "no values were found on which {} and {} could be worked out",
            words(before),
            words(after)
        )),
    }
}

/// What an object holds, by names.
type Parts = [(Rc<str>, Canon)];

/// Elements in no order: what both sides hold is taken off, the rest is compared.
fn bags(
    (before, after): (&Canon, &Canon),
    (old, new): (&Parts, &Parts),
    on: &mut Assignments<'_>,
    place: &mut Vec<Step>,
) -> Told {
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
        ([], []) => Told::Alike,
        ([was], [is]) => within(was, is, on, place),
        _ if was.iter().chain(&is).all(is_constant) && on.any() => differs(before, after, place),
        _ => Told::Open("whether a set holds the same is not known".to_owned()),
    }
}

/// A boolean as a condition.
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

/// Compares two booleans: whether one can hold where the other does not.
fn truths(was: &Cond, is: &Cond, on: &mut Assignments<'_>, place: &[Step]) -> Told {
    let mut known = Known::default();
    on.conditions.iter().for_each(|cond| known.add(cond.clone()));
    let decided = |cond: &Cond| match cond {
        Cond::Const(value) => Some(*value),
        cond => known.decides(cond),
    };
    if let (Some(was), Some(is)) = (decided(was), decided(is))
        && was == is
    {
        return Told::Alike;
    }
    let value = |cond: &Cond| match cond {
        Cond::Const(value) => Canon::Term(Rc::new(Term::Const(Scalar::Bool(*value)))),
        cond => Canon::Truth(Rc::new(cond.clone())),
    };
    for (holds, fails) in [(was, is), (is, was)] {
        let mut all = on.conditions.to_vec();
        all.extend([holds.clone(), fails.negate()].map(Cond::simplify));
        let search = Search::of(&all);
        if !all.contains(&Cond::Const(false)) && (0..=VAIN as u64).any(|seed| search.meeting(seed).is_some()) {
            return match strangers(&value(was), &value(is)) {
                Some(why) => Told::Open(why),
                None => differs(&value(was), &value(is), place),
            };
        }
    }
    Told::Open(format!("whether `{is}` is always `{was}` is not known"))
}

/// The step to a part of an object of this class.
fn step(class: &str, part: &Rc<str>) -> Step {
    match &**part {
        "status" if class.ends_with(".ResponseEntity") => Step::Status,
        _ => Step::Part(part.clone()),
    }
}

/// Two values that differ; where both are what one call gives, how what it was given differs.
fn differs(before: &Canon, after: &Canon, place: &[Step]) -> Told {
    let mut place = place.to_vec();
    let (mut before, mut after) = (before.clone(), after.clone());
    let is_cut = |value: &Canon| words(value).contains('…');
    while let Some((name, was, is)) = changed_part(&before, &after).or_else(|| {
        let reads_badly = words(&before) == words(&after) || is_cut(&before) || is_cut(&after);
        inner(&before, &after).filter(|_| reads_badly)
    }) {
        place.extend(name);
        (before, after) = (was, is);
    }
    let (before, after, place) = (&before, &after, place.as_slice());
    Told::Differs(Difference { of: Of::Given, place: place.to_vec(), before: words(before), after: words(after) })
}

/// How what one call is handed differs from what another one of the same method is.
pub fn handed_differently(was: &Rc<Opaque>, is: &Rc<Opaque>) -> Option<Difference> {
    let of = |opaque: &Rc<Opaque>| Canon::Term(Rc::new(Term::Opaque(opaque.clone())));
    let (mut before, mut after, mut place) = (of(was), of(is), Vec::new());
    let is_call = |one: &Canon| one.as_opaque().is_some_and(|own| own.origin == Origin::Call);
    let mut at_call = Some((before.clone(), after.clone()));
    // The call within all others that is handed something else is where it starts.
    while let Some((old, new)) = at_call.take() {
        // What both are handed, in another order, is told of the call that takes it so.
        let handed = old.as_opaque()?.operands.clone();
        let (name, old, new) = inner(&old, &new)?;
        place.extend(name);
        let goes_on = is_call(&old) && is_call(&new) && !handed.contains(&new) && inner(&old, &new).is_some();
        at_call = goes_on.then(|| (old.clone(), new.clone()));
        (before, after) = (old, new);
    }
    place.iter().any(|step| matches!(step, Step::Argument(_))).then_some(())?;
    match differs(&before, &after, &place) {
        Told::Differs(difference) => Some(difference),
        _ => None,
    }
}

/// The part of an object that was found in which it is changed, where one side leaves it alone.
fn changed_part(before: &Canon, after: &Canon) -> Option<(Option<Step>, Canon, Canon)> {
    let changed = |object: &Canon, other: &Canon| match object {
        Canon::Object(_, parts) if found(parts) == Some(other) => {
            parts.iter().find(|(name, _)| &**name != FOUND).cloned()
        }
        _ => None,
    };
    if let Some((name, part)) = changed(before, after) {
        return Some((Some(Step::Part(name)), part, as_found(after)));
    }
    changed(after, before).map(|(name, part)| (Some(Step::Part(name)), as_found(before), part))
}

/// The call that two values come from, where only how often its collaborator may have changed before tells them apart.
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

/// The method of a callee such as `org.vendor.Mapper.map/1` or `a.Rows#all(long)`, by the simple names of its class and of itself.
fn simple_name(callee: &str) -> Rc<str> {
    let name = callee.split(['/', '(']).next().unwrap_or(callee);
    let mut words = name.rsplit(['.', '#']);
    match (words.next(), words.next()) {
        (Some("<init>"), Some(class)) => Rc::from(format!("new {class}")),
        (Some(name), Some(class)) if class.starts_with(|first: char| first.is_uppercase()) => {
            Rc::from(format!("{class}.{name}"))
        }
        (Some(name), _) => Rc::from(name),
        (None, _) => Rc::from(name),
    }
}

/// How many of the operands of a call stand before its arguments: what it is called on, or nothing.
fn receivers(call: &Opaque) -> usize {
    let arguments = match (call.callee.rsplit_once('/'), call.callee.split_once('(')) {
        (Some((_, count)), _) if let Ok(count) = count.parse::<usize>() => count,
        (_, Some((_, types))) if types.starts_with(')') => 0,
        (_, Some((_, types))) => types.split(',').count(),
        _ => return 1,
    };
    // What tells one reading from another follows the arguments.
    let marks = call.operands.iter().rev().take_while(|operand| operand.is_mark()).count();
    call.operands.len().saturating_sub(arguments + marks).min(1)
}

/// The part in which two values differ that read alike.
fn inner(before: &Canon, after: &Canon) -> Option<(Option<Step>, Canon, Canon)> {
    match (before, after) {
        (Canon::Term(was), Canon::Term(is)) => match (&**was, &**is) {
            (Term::Opaque(was), Term::Opaque(is)) if was.callee == is.callee => {
                let mut both = was.operands.iter().zip(is.operands.iter()).enumerate();
                // What says only when it was called, and lambdas of other forms, say nothing to a reader.
                let is_sealed = |one: &Canon| matches!(one, Canon::Sealed(_));
                let (at, (a, b)) = both.find(|(_, (a, b))| a != b && !(is_sealed(a) && is_sealed(b)))?;
                let is_argument = was.origin == Origin::Call && at >= receivers(was);
                Some((is_argument.then(|| Step::Argument(simple_name(&was.callee))), a.clone(), b.clone()))
            }
            _ => None,
        },
        (Canon::Object(class, was), Canon::Object(_, is)) => {
            let unset = found(was).or_else(|| found(is)).map_or_else(Canon::null, as_found);
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

/// Why two values cannot be told apart: each rests on a call that the other does not make.
fn strangers(before: &Canon, after: &Canon) -> Option<String> {
    let (old, new) = (calls(before), calls(after));
    let only = |own: &[Rc<Opaque>], other: &[Rc<Opaque>]| {
        own.iter()
            .find(|one| other.iter().all(|two| two.callee != one.callee && !are_queries(&one.callee, &two.callee)))
            .cloned()
    };
    let (gone, come) = (only(&old, &new)?, only(&new, &old)?);
    Some(format!("what {} gives is not held against what {} gives", come.words, gone.words))
}

/// Whether both callees are query methods of one repository: what they ask for differs, so some rows are given by one alone.
pub fn are_queries(one: &str, other: &str) -> bool {
    match (one.split_once(QUERY), other.split_once(QUERY)) {
        (Some((own, _)), Some((other, _))) => own == other,
        _ => false,
    }
}

/// The calls that are not followed and that a value rests on.
pub fn calls(value: &Canon) -> Vec<Rc<Opaque>> {
    let mut all = Vec::new();
    value.opaque(&mut all);
    all.retain(|one| one.origin == Origin::Call);
    all
}

/// A value for people.
pub fn words(value: &Canon) -> String {
    match value {
        Canon::Term(term) => term.to_string(),
        Canon::Truth(truth) => truth.words(),
        Canon::Named(name) | Canon::Unknown(name) => name.to_string(),
        Canon::Object(class, parts) if matches!(&**class, "list" | "set" | "map") => {
            format!("a {class} of {}", parts.len())
        }
        Canon::Object(class, parts) if &**class == "bag" => format!("a set of {}", parts.len()),
        Canon::Object(class, _) if &**class == "pairs" => "a map".to_owned(),
        Canon::Object(class, _) => class.rsplit('.').next().unwrap_or(class).to_owned(),
        Canon::Again(_) => "the same object".to_owned(),
        Canon::Sealed(_) => "what a library keeps".to_owned(),
    }
}
