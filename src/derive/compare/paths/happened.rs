//! Compares the events of base and head in order: calls that were added or removed, or that have other arguments.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::difference::{Comparison, Difference, DifferenceKind};
use super::found_objects;
use super::parts::{self, Assignments};
use mastor_java::interpret::opaque::calls::AFTER;
use mastor_java::interpret::opaque::filled::AT_TIME;
use mastor_java::interpret::opaque::state::Event;
use mastor_java::interpret::paths::path::Taken;
use mastor_java::interpret::values::term::{Canon, Opaque, Origin};
use mastor_runtime::server::opaquely::ComparablePath;

/// Compares the events of two paths. Uninformative events, such as checks, count only if the others agree. Events of a
/// bean's factory method count only if both paths use the bean: the container makes it when the service starts, whatever
/// a request does.
pub(in crate::compare) fn events(
    (before, after): (&ComparablePath, &ComparablePath),
    on: &mut Assignments<'_>,
) -> Comparison {
    in_order(&of_both(before, after), &of_both(after, before), on)
}

/// The events of a path without those of beans that only this path uses.
fn of_both(ended: &ComparablePath, other: &ComparablePath) -> Vec<Event> {
    let counts = |event: &&Event| event.bean.as_ref().is_none_or(|bean| other.beans.contains(bean));
    ended.events.iter().filter(counts).cloned().collect()
}

/// Compares two sequences of events.
fn in_order(before: &[Event], after: &[Event], on: &mut Assignments<'_>) -> Comparison {
    let (gone, come) = without_ends(before, after);
    let telling = |all: &[Event]| -> Vec<Event> {
        all.iter().filter(|event| says_much(event) && !leads_on(event, all)).cloned().collect()
    };
    let told = match in_turn(&telling(gone), &telling(come), on) {
        Comparison::Alike => in_turn(gone, come, on),
        told => told,
    };
    match told {
        Comparison::Alike => {
            let unknown = before.iter().chain(after).flat_map(|event| &event.operands).find_map(Canon::unknown);
            unknown.map_or(Comparison::Alike, |why| Comparison::Open(why.to_string()))
        }
        Comparison::Differs(_) if !on.any() => Comparison::Open("no values were found that lead there".to_owned()),
        Comparison::Differs(difference) => Comparison::Differs(counted(difference, before, after)),
        told => told,
    }
}

/// The conditions of base and head that may decide whether a difference is met. What a path tests after a call that differs
/// does not decide about that call.
pub(in crate::compare) fn decisive<'e>(
    difference: &Difference,
    (before, after): (&'e ComparablePath, &'e ComparablePath),
) -> [&'e [Taken]; 2] {
    let (was, is) = (of_both(before, after), of_both(after, before));
    let (gone, come) = without_ends(&was, &is);
    let events: [Option<&Event>; 2] = match &difference.of {
        DifferenceKind::Argument(words) => {
            let is = come.iter().find(|event| event.words == *words);
            [is.and_then(|is| gone.iter().find(|was| was.callee == is.callee)), is]
        }
        DifferenceKind::Times(words) => [named(gone, words), named(come, words)],
        DifferenceKind::Call => [named(gone, &difference.before), named(come, &difference.after)],
        _ => [None, None],
    };
    let until = |event: Option<&Event>, ended: &'e ComparablePath| {
        let began = ended.conditions.len() - ended.own;
        let taken = event.map_or(ended.conditions.len(), |event| (began + event.taken).min(ended.conditions.len()));
        &ended.conditions[..taken]
    };
    match events {
        [None, None] => [&before.conditions, &after.conditions],
        [was, is] => [until(was, before), until(is, after)],
    }
}

/// The last event with these words.
fn named<'e>(all: &'e [Event], words: &str) -> Option<&'e Event> {
    all.iter().rev().find(|event| &*event.words == words)
}

/// Tells how often a call is made, if it is called added or removed, and both sides make it.
fn counted(difference: Difference, before: &[Event], after: &[Event]) -> Difference {
    let call = match (&difference.of, difference.before.as_str(), difference.after.as_str()) {
        (DifferenceKind::Call, call, "") | (DifferenceKind::Call, "", call) => call,
        _ => return difference,
    };
    let times = |all: &[Event]| all.iter().filter(|event| &*event.words == call).count();
    let said = |times: usize| match times {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        many => format!("{many} times"),
    };
    match (times(before), times(after)) {
        (0, _) | (_, 0) => difference,
        (was, is) if was == is => difference,
        (was, is) => {
            Difference { of: DifferenceKind::Times(Rc::from(call)), before: said(was), after: said(is), ..difference }
        }
    }
}

/// Two sequences without their common beginning and end.
fn without_ends<'e>(before: &'e [Event], after: &'e [Event]) -> (&'e [Event], &'e [Event]) {
    let (old, new) = (texts(before), texts(after));
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let end = old[start..].iter().rev().zip(new[start..].iter().rev()).take_while(|(a, b)| a == b).count();
    (&before[start..before.len() - end], &after[start..after.len() - end])
}

/// The text of each event, which identifies it.
fn texts(all: &[Event]) -> Vec<String> {
    all.iter().map(Event::text).collect()
}

/// Compares two sequences event by event, in order.
fn in_turn(before: &[Event], after: &[Event], on: &mut Assignments<'_>) -> Comparison {
    let (gone, come) = without_ends(before, after);
    let only = |event: &Event, is_new: bool| {
        let of = match event.left() {
            Some(object) => {
                let part = found_objects::only_part(event.operands.first());
                DifferenceKind::Left(Rc::from(format!("{object}{part}")))
            }
            None => DifferenceKind::Call,
        };
        let (before, after) =
            if is_new { (String::new(), event.words.to_string()) } else { (event.words.to_string(), String::new()) };
        Comparison::Differs(Difference { of, place: Vec::new(), before, after })
    };
    // If one sequence contains the whole other one, the additional events were added or removed.
    for (own, other, is_new) in [(come, gone, true), (gone, come, false)] {
        if let Some(event) = outermost(&between(own, other)) {
            return only(event, is_new);
        }
    }
    match (gone, come) {
        ([], _) | (_, []) => Comparison::Alike,
        // Each side makes the other's current call later.
        ([was, others @ ..], [is, rest @ ..]) if reads_later(is, others) && reads_later(was, rest) && says_much(is) => {
            let (before, after) = (was.words.to_string(), is.words.to_string());
            Comparison::Differs(Difference { of: DifferenceKind::Order, place: Vec::new(), before, after })
        }
        // If base makes head's current call later, and head never makes base's current call, base's call was removed.
        // If it is the other way round, head's call was added.
        ([was, others @ ..], [is, rest @ ..]) if is_later(is, others) && !is_later(was, rest) => only(was, false),
        ([was, others @ ..], [is, rest @ ..]) if is_later(was, rest) && !is_later(is, others) => only(is, true),
        ([was, others @ ..], [is, rest @ ..]) if was.callee == is.callee && was.operands.len() == is.operands.len() => {
            let mut told = Comparison::Alike;
            for (a, b) in was.operands.iter().zip(&is.operands) {
                match parts::compare(a, b, on) {
                    Comparison::Alike => {}
                    // A call of a chain that came or went is told by itself.
                    Comparison::Differs(difference) if difference.of == DifferenceKind::Call => {
                        return Comparison::Differs(difference);
                    }
                    Comparison::Differs(difference) => {
                        let of =
                            is.left().map_or_else(|| DifferenceKind::Argument(is.words.clone()), DifferenceKind::Left);
                        return Comparison::Differs(Difference { of, ..difference });
                    }
                    open => told = open,
                }
            }
            match told {
                // The operands are written differently, but are equal.
                Comparison::Alike => in_turn(others, rest, on),
                told => told,
            }
        }
        (gone, come) if let Some((event, is_new)) = only_apart(gone, come) => only(event, is_new),
        // The same by methods: if head also calls base's current method, and base never calls head's, head's call was
        // added.
        ([was, ..], [is, ..]) if is_among(was, come) && !is_among(is, gone) => only(is, true),
        ([was, ..], [is, ..]) if is_among(is, gone) && !is_among(was, come) => only(was, false),
        // Two methods of one collaborator may have the same effect; methods of two collaborators do not.
        ([was, ..], [is, ..])
            if was.callee != is.callee
                && was.left().is_none()
                && is.left().is_none()
                && (was.operands.first() != is.operands.first() || undoes(was, is)) =>
        {
            let (before, after) = (was.words.to_string(), is.words.to_string());
            Comparison::Differs(Difference { of: DifferenceKind::Call, place: Vec::new(), before, after })
        }
        ([was, ..], [is, ..]) => Comparison::Open(format!("`{}` is not held against `{}`", is.words, was.words)),
    }
}

/// Whether a sequence contains this very call.
fn is_later(event: &Event, all: &[Event]) -> bool {
    all.iter().any(|other| other.text() == event.text())
}

/// Whether a sequence contains a call that reads like this one. Later calls of a collaborator have another identity.
fn reads_later(event: &Event, all: &[Event]) -> bool {
    event.left().is_none() && all.iter().any(|other| (&other.callee, &other.words) == (&event.callee, &event.words))
}

/// Whether a sequence contains a call of the same method.
fn is_among(event: &Event, all: &[Event]) -> bool {
    all.iter().any(|other| other.callee == event.callee)
}

/// Number of informative calls that only one of two sequences contains.
pub(in crate::compare) fn apart(before: &[Event], after: &[Event]) -> usize {
    let of = |all: &[Event]| -> Vec<Rc<str>> {
        all.iter().filter(|event| says_much(event)).map(|event| event.callee.clone()).collect()
    };
    let (was, mut is) = (of(before), of(after));
    let gone = was.iter().filter(|callee| match is.iter().position(|other| other == *callee) {
        Some(at) => {
            is.swap_remove(at);
            false
        }
        None => true,
    });
    gone.count() + is.len()
}

/// The called methods, in order.
fn callees(events: &[Event]) -> Vec<&str> {
    events.iter().map(|event| &*event.callee).collect()
}

/// Whether an event is an informative call: not the creation of an object, not its final state, and not a check.
fn says_much(event: &Event) -> bool {
    // Classes whose methods only throw exceptions.
    const CHECKS: &[&str] = &[".Assert.", ".Preconditions.", ".Validate.", ".Objects."];
    // Name prefixes of methods that only throw an exception if a check fails.
    const CHECKING: &[&str] = &["assert", "check", "ensure", "require", "validate", "verify"];
    let name = event.callee.rsplit(['.', '#']).next().unwrap_or_default();
    event.left().is_none()
        && !event.callee.contains("<init>")
        // What code does with a collection shows in the answer, or where the collection is handed on.
        && !event.callee.starts_with("java.util.")
        && !CHECKS.iter().any(|class| event.callee.contains(class))
        && !CHECKING.iter().any(|begin| name.starts_with(begin))
}

/// Whether an event only returns the receiver of another one: `template.opsForValue()` before `.set(…)`.
fn leads_on(event: &Event, all: &[Event]) -> bool {
    let is_on =
        |other: &Event| other.operands.first().and_then(Canon::as_opaque).is_some_and(|on| on.callee == event.callee);
    all.iter().any(is_on)
}

/// The events of a sequence that the other one lacks, if the sequence contains all of the other in order; else empty.
fn between<'e>(own: &'e [Event], other: &[Event]) -> Vec<&'e Event> {
    let (texts_of_own, texts_of_other) = (texts(own), texts(other));
    let mut left = texts_of_other.iter().peekable();
    let mut found = Vec::new();
    for (event, text) in own.iter().zip(&texts_of_own) {
        match left.peek() {
            Some(next) if *next == text => drop(left.next()),
            _ => found.push(event),
        }
    }
    if left.next().is_none() { found } else { Vec::new() }
}

/// The first call that only one of two sequences makes, and whether it was added. `None` unless one sequence makes
/// every call of the other.
fn only_apart<'e>(gone: &'e [Event], come: &'e [Event]) -> Option<(&'e Event, bool)> {
    let rest = |all: &'e [Event], other: &[Event]| -> Vec<&'e Event> {
        let mut left = callees(other);
        let is_new = |event: &&Event| match left.iter().position(|one| **one == *event.callee) {
            Some(at) => {
                left.swap_remove(at);
                false
            }
            None => true,
        };
        all.iter().filter(is_new).collect()
    };
    match (rest(gone, come).as_slice(), rest(come, gone).as_slice()) {
        ([first, ..], []) => Some((first, false)),
        ([], [first, ..]) => Some((first, true)),
        _ => None,
    }
}

/// Of the added or removed calls, the first whose receiver is not an argument of another one. A call is more
/// informative than the construction and the preparation of its arguments.
fn outermost<'e>(all: &[&'e Event]) -> Option<&'e Event> {
    let is_handed = |event: &Event| {
        let made = format!("{AFTER}{}", event.callee);
        // An object that a library made, and not one that a repository or a client found.
        let is_made = |own: &&Rc<Opaque>| own.origin == Origin::Call && !own.callee.contains('#');
        let own = event.operands.first().and_then(Canon::as_opaque).filter(is_made);
        let mut others = all.iter().filter(|other| other.operands.first() != event.operands.first());
        others.any(|other| {
            let mut within = Vec::new();
            other.operands.iter().for_each(|operand| operand.opaque(&mut within));
            let copied = format!("{}{AT_TIME}", event.callee);
            within
                .iter()
                .any(|one| *one.callee == *made || one.callee.starts_with(&copied) || own.is_some_and(|own| one == own))
        })
    };
    all.iter().find(|event| !is_handed(event)).or(all.first()).copied()
}

/// Whether one call removes and the other adds, judged by their names.
fn undoes(was: &Event, is: &Event) -> bool {
    const TAKES: &[&str] = &["delete", "remove", "clear", "purge", "evict"];
    const PUTS: &[&str] = &["save", "insert", "add", "put", "create", "update", "persist", "store", "merge"];
    let begins = |event: &Event, verbs: &[&str]| {
        let name = event.callee.split(['/', '(']).next().unwrap_or_default();
        let name = name.rsplit(['.', '#']).next().unwrap_or_default();
        verbs.iter().any(|verb| name.starts_with(verb))
    };
    (begins(was, TAKES) && begins(is, PUTS)) || (begins(was, PUTS) && begins(is, TAKES))
}

/// A library method that is called as often as before, with other arguments: its result is unused, but it may fail.
pub(in crate::compare) fn handed_otherwise(
    before: &[(Rc<str>, String)],
    after: &[(Rc<str>, String)],
) -> Option<Rc<str>> {
    let of = |all: &[(Rc<str>, String)]| -> BTreeMap<Rc<str>, Vec<String>> {
        let mut found: BTreeMap<Rc<str>, Vec<String>> = BTreeMap::new();
        all.iter().for_each(|(callee, with)| found.entry(callee.clone()).or_default().push(with.clone()));
        found.values_mut().for_each(|with| with.sort());
        found
    };
    let (was, is) = (of(before), of(after));
    let mut both = was.iter().filter_map(|(callee, with)| Some((callee, with, is.get(callee)?)));
    both.find(|(_, was, is)| was.len() == is.len() && was != is).map(|(callee, ..)| callee.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use mastor_java::interpret::opaque::state::LEFT;
    use mastor_java::interpret::values::scalar::Scalar;
    use mastor_java::interpret::values::term::Term;

    fn event(callee: &str, with: i32) -> Event {
        let operand = Canon::Term(Rc::new(Term::Const(Scalar::Int(with))));
        Event {
            callee: Rc::from(callee),
            operands: vec![operand],
            words: Rc::from(callee),
            site: None,
            taken: 0,
            bean: None,
        }
    }

    #[test]
    fn what_says_little_is_compared_where_all_else_is_alike() {
        let told = |was: &[Event], is: &[Event]| in_order(was, is, &mut Assignments::of(&[]));
        let (save, assert) = (event("a.Rows#save/1", 1), event("org.vendor.Assert.notNull/1", 1));
        let left = |with| event(&format!("{LEFT}1"), with);
        assert!(matches!(told(&[save.clone(), left(1)], &[save.clone(), left(1)]), Comparison::Alike));
        let otherwise = told(&[save.clone(), left(1)], &[save.clone(), left(2)]);
        assert!(
            matches!(&otherwise, Comparison::Differs(difference) if matches!(difference.of, DifferenceKind::Left(_))),
            "{otherwise:?}"
        );
        // A method of the project that is named like a check is as uninformative as a library's check.
        let own = event("a.Plan#assertName/1", 1);
        let gone = told(&[own, save.clone()], &[]);
        assert!(matches!(&gone, Comparison::Differs(difference) if difference.before == "a.Rows#save/1"), "{gone:?}");
        // If both a check and a call were removed, the call is reported.
        let gone = told(&[assert.clone(), save.clone()], &[]);
        assert!(matches!(&gone, Comparison::Differs(difference) if difference.before == "a.Rows#save/1"), "{gone:?}");
        let gone = told(&[assert, save.clone()], &[save]);
        assert!(matches!(&gone, Comparison::Differs(difference) if difference.before.contains("Assert")), "{gone:?}");
    }
}
