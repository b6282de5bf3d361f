//! Differences in words, and how informative each is.

use super::brief::brief_pair;
use super::difference::{Difference, DifferenceKind, NO_KEY, SEALED, SWAPPED, Step};
use super::found_objects::{OLD, behind};
use mastor_java::interpret::engine::region::GOES_ON;
use mastor_java::interpret::library::frameworks::named_headers::SAID;
use mastor_java::interpret::library::frameworks::reactive::state::{FAILURE, SOURCE};
use mastor_java::interpret::opaque::state::RESPONSE;
use mastor_java::interpret::values::term::ASIDE;

/// How informative a difference is, most informative first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// Another status.
    Status,
    /// An added or removed call, or an exception in place of a value or the other way round.
    Call,
    /// An argument of a call.
    Argument,
    /// Another value.
    Value,
    /// A value that only one side sets; its consequences are more informative.
    #[default]
    Unset,
}

/// The weight of a difference.
pub(in crate::compare) fn weight(difference: &Difference) -> Weight {
    let throws = |value: &str| value.starts_with("throws ");
    match (&difference.of, difference.before.as_str(), difference.after.as_str()) {
        (DifferenceKind::Status, ..) => Weight::Status,
        (DifferenceKind::Given, ..) if difference.place.last() == Some(&Step::Status) => Weight::Status,
        (DifferenceKind::Call | DifferenceKind::Order | DifferenceKind::Times(_), ..) => Weight::Call,
        (DifferenceKind::Given, was, is) if throws(was) != throws(is) => Weight::Call,
        (DifferenceKind::Argument(_), ..) => Weight::Argument,
        _ if difference.place.iter().any(|step| matches!(step, Step::Argument(_))) => Weight::Argument,
        (_, "null", _) | (_, _, "null") => Weight::Unset,
        _ => Weight::Value,
    }
}

/// A difference in words.
pub(in crate::compare) fn said(difference: &Difference) -> String {
    let (was, is) = &brief_pair(&difference.before, &difference.after);
    let name = |step: &Step| match step {
        Step::Part(name) if matches!(&**name, SOURCE | FAILURE) => None,
        Step::Part(name) => name.split(ASIDE).next().map(str::to_owned),
        Step::Status => Some("status".to_owned()),
        Step::Argument(_) | Step::Gives => None,
    };
    // Values that are set on or written to an answer are not reported by their index.
    let is_set = |step: &Step| matches!(step, Step::Part(name) if **name == *SAID);
    let sets = difference.place.iter().any(is_set);
    // The innermost call that receives the differing argument.
    let called = difference.place.iter().enumerate().rev().find_map(|(at, step)| match step {
        Step::Argument(method) => Some((at, method)),
        _ => None,
    });
    let first = called.map_or(0, |(at, _)| at + 1);
    let called = called.map(|(_, method)| method);
    let named = |steps: &[Step]| {
        let names = steps.iter().take_while(|step| !is_set(step)).filter_map(name);
        let mut names: Vec<String> =
            names.filter(|name| !matches!(name.as_str(), "body" | "*" | "" | "value")).collect();
        // The index of an element depends on the sample.
        let is_index = |name: &String| name.bytes().all(|byte| byte.is_ascii_digit());
        if names.iter().any(|name| !is_index(name)) {
            names.retain(|name| !is_index(name));
        } else {
            names.iter_mut().for_each(|name| *name = format!("[{name}]"));
        }
        names.join(".")
    };
    let place = named(&difference.place[first..]);
    // The part of the answer that is made from the result of the call.
    let outside = difference.place.iter().position(|step| matches!(step, Step::Argument(_))).unwrap_or_default();
    let part = match (&difference.of, named(&difference.place[..outside]).as_str()) {
        (DifferenceKind::Given, name) if !name.is_empty() => format!(", which `{name}` is made of"),
        // The call that receives the differing argument.
        (DifferenceKind::Argument(call), name) if called.is_some() && !name.is_empty() && **call != *RESPONSE => {
            format!(", which `{call}` is handed as `{name}`")
        }
        _ => String::new(),
    };
    let handed_to = called.or(match &difference.of {
        DifferenceKind::Argument(call) if **call != *RESPONSE => Some(call),
        _ => None,
    });
    // The return value of a function object that is passed to the call.
    let gives = difference.place[first..].contains(&Step::Gives);
    // The exception of a publisher.
    let fails = matches!(difference.place.last(), Some(Step::Part(name)) if &**name == FAILURE);
    // A value that cannot be described is only reported as different.
    if [was, is].into_iter().any(|value| value == SEALED) {
        return match &difference.of {
            DifferenceKind::Given if sets => "sets something else on the answer".to_owned(),
            _ if let Some(method) = called => format!("calls `{method}` with something else{part}"),
            DifferenceKind::Argument(call) => format!("calls `{call}` with something else"),
            DifferenceKind::Thrown(class) => format!("throws `{class}` with something else"),
            DifferenceKind::Computed => "computes something else".to_owned(),
            DifferenceKind::Left(object) => format!("leaves `{object}` otherwise than it did"),
            // An index alone names nothing.
            _ if !place.contains(char::is_alphabetic) => "gives something else".to_owned(),
            _ => format!("`{place}` is something else"),
        };
    }
    // The cut-off text may contain the whole difference.
    if was == is {
        return match &difference.of {
            DifferenceKind::Given if sets => "sets something else on the answer".to_owned(),
            _ if let Some(method) = called => format!("calls `{method}` with something else than `{was}`{part}"),
            DifferenceKind::Call | DifferenceKind::Order | DifferenceKind::Times(_) | DifferenceKind::Status => {
                format!("calls `{is}` otherwise")
            }
            DifferenceKind::Thrown(class) => format!("throws `{class}` with something else than `{was}`"),
            DifferenceKind::Computed => format!("computes something else than `{was}`"),
            DifferenceKind::Argument(call) => format!("calls `{call}` with something else than `{was}`"),
            DifferenceKind::Left(object) => format!("leaves `{object}` otherwise than it did"),
            DifferenceKind::Given if place.is_empty() => format!("gives something else than `{was}`"),
            DifferenceKind::Given => format!("`{place}` is something else than `{was}`"),
        };
    }
    if let Some(by) = more_elements(difference) {
        let holder = place.trim_end_matches(NUMBER).trim_end_matches('.');
        let named = if holder.is_empty() { String::new() } else { format!(" in `{holder}`") };
        match (handed_to, &difference.of) {
            (Some(method), _) => return format!("calls `{method}` with {by}{named}{part}"),
            (None, DifferenceKind::Given) if holder.is_empty() => return format!("gives {by}"),
            (None, DifferenceKind::Given) => return format!("`{holder}` holds {by}"),
            _ => {}
        }
    }
    match &difference.of {
        DifferenceKind::Status => format!("answers {is} where it answered {was}"),
        DifferenceKind::Given if difference.place.last() == Some(&Step::Status) => {
            format!("answers {is} where it answered {was}")
        }
        DifferenceKind::Given if sets => format!("sets `{is}` on the answer where it set `{was}`"),
        _ if let (Some(method), true) = (handed_to, is == NO_KEY && !gives) => {
            format!("calls `{method}` without `{place}`, which was `{was}`{part}")
        }
        _ if let (Some(method), true) = (handed_to, was == NO_KEY && !gives) => {
            format!("calls `{method}` with `{is}` for `{place}`, which it did not{part}")
        }
        _ if is == NO_KEY => format!("no longer gives `{place}`, which was `{was}`"),
        _ if was == NO_KEY => format!("gives `{is}` for `{place}`, which it did not"),
        _ if let (Some(method), true) = (called, is == SWAPPED) => format!("calls `{method}` with {is}{part}"),
        // A field that is no longer set keeps the value that the object came with.
        _ if is == OLD && !place.is_empty() && !gives => match (called, &difference.of) {
            (Some(method), _) => format!("calls `{method}` with the old `{place}` where it was `{was}`{part}"),
            (None, DifferenceKind::Argument(call)) if **call != *RESPONSE => {
                format!("calls `{call}` with the old `{place}` where it was `{was}`")
            }
            _ => format!("`{place}` keeps its old value where it was `{was}`"),
        },
        _ if let (Some(method), true) = (called, gives) => match place.as_str() {
            "" => format!("hands `{method}` a function that gives `{is}` where it gave `{was}`{part}"),
            place => format!("hands `{method}` a function that gives `{is}` for `{place}` where it gave `{was}`{part}"),
        },
        _ if let Some(method) = called => match place.as_str() {
            "" => format!("calls `{method}` with `{is}` where it was `{was}`{part}"),
            place => format!("calls `{method}` with `{is}` for `{place}` where it was `{was}`{part}"),
        },
        DifferenceKind::Given if fails => match (was.as_str(), is.as_str()) {
            (was, "null") => format!("no longer fails with `{was}`"),
            ("null", is) => format!("fails with `{is}`, which it did not"),
            (was, is) => format!("fails with `{is}` where it failed with `{was}`"),
        },
        DifferenceKind::Given if place.is_empty() => {
            let (now, _) = ends(is);
            let (_, before) = ends(was);
            format!("{now} where it {before}")
        }
        DifferenceKind::Given => format!("`{place}` is `{is}` where it was `{was}`"),
        DifferenceKind::Thrown(class) if place.is_empty() => {
            format!("throws `{class}` with `{is}` where it was `{was}`")
        }
        DifferenceKind::Thrown(class) => format!("throws `{class}` with the {place} `{is}` where it was `{was}`"),
        DifferenceKind::Computed => format!("computes `{is}` where it computed `{was}`"),
        // What is written to the response is no call of the code.
        DifferenceKind::Call if was == RESPONSE && is.is_empty() => "no longer writes to the response".to_owned(),
        DifferenceKind::Call if is == RESPONSE && was.is_empty() => {
            "writes to the response, which it did not".to_owned()
        }
        DifferenceKind::Call if was == RESPONSE => format!("calls `{is}`, which it did not"),
        DifferenceKind::Call if is == RESPONSE => format!("no longer calls `{was}`"),
        DifferenceKind::Call if was.is_empty() => format!("calls `{is}`, which it did not"),
        DifferenceKind::Call if is.is_empty() => format!("no longer calls `{was}`"),
        DifferenceKind::Call => format!("calls `{is}` where it called `{was}`"),
        DifferenceKind::Order => format!("calls `{is}` before `{was}` where it called it after"),
        DifferenceKind::Times(call) => format!("calls `{call}` {is} where it called it {was}"),
        DifferenceKind::Argument(call) if **call == *RESPONSE => match place.as_str() {
            "" => format!("writes `{is}` to the response where it was `{was}`"),
            place => format!("sets `{place}` of the response to `{is}` where it was `{was}`"),
        },
        DifferenceKind::Argument(call) if place.is_empty() => {
            format!("calls `{call}` with `{is}` where it was `{was}`")
        }
        DifferenceKind::Argument(call) => format!("calls `{call}` with `{is}` for `{place}` where it was `{was}`"),
        DifferenceKind::Left(object) if place.is_empty() && was.is_empty() => {
            format!("changes `{object}`, which it left alone")
        }
        DifferenceKind::Left(object) if place.is_empty() && is.is_empty() => format!("no longer changes `{object}`"),
        DifferenceKind::Left(object) if place.is_empty() => {
            format!("leaves `{object}` as `{is}` where it left `{was}`")
        }
        DifferenceKind::Left(object) => {
            format!("leaves `{object}{}` as `{is}` where it left `{was}`", behind(&place))
        }
    }
}

/// The part of a collection that is its size, in words.
const NUMBER: &str = "number of elements";

/// How many elements a collection of at least two gains or loses, in words: how many it has depends on the sample.
fn more_elements(difference: &Difference) -> Option<String> {
    let of_size = matches!(difference.place.last(), Some(Step::Part(name)) if &**name == NUMBER);
    let size = |value: &str| -> Option<(String, i64)> {
        match value.rsplit_once(" of ") {
            Some((kind @ ("a list" | "a set" | "a map"), size)) => Some((kind.to_owned(), size.parse().ok()?)),
            _ if of_size => Some((String::new(), value.parse().ok()?)),
            _ => None,
        }
    };
    let ((was, before), (is, after)) = (size(&difference.before)?, size(&difference.after)?);
    let by = after.checked_sub(before)?;
    let many = match by.unsigned_abs() {
        1 => "one element".to_owned(),
        by => format!("{by} elements"),
    };
    let way = if by > 0 { "more" } else { "fewer" };
    (was == is && by != 0 && before.min(after) >= 2).then(|| format!("{many} {way}"))
}

/// The end of a path in words, in present and past tense.
fn ends(value: &str) -> (String, String) {
    match value.strip_prefix("throws ") {
        _ if value == GOES_ON => ("goes on".to_owned(), "went on".to_owned()),
        Some(class) => (format!("throws `{class}`"), format!("threw `{class}`")),
        None => (format!("gives `{value}`"), format!("gave `{value}`")),
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;

    #[test]
    fn of_larger_collections_only_the_difference_in_size_is_told() {
        let of = |of: DifferenceKind, place: &[&str], before: &str, after: &str| {
            let place = place.iter().map(|name| Step::Part(Rc::from(*name))).collect();
            said(&Difference { of, place, before: before.to_owned(), after: after.to_owned() })
        };
        let call = || DifferenceKind::Argument(Rc::from("builder.and"));
        assert_eq!(of(call(), &[], "a list of 3", "a list of 2"), "calls `builder.and` with one element fewer");
        assert_eq!(of(call(), &[NUMBER], "11", "13"), "calls `builder.and` with 2 elements more");
        assert_eq!(of(DifferenceKind::Given, &["day", NUMBER], "4", "5"), "`day` holds one element more");
        // None, one and two are what they are.
        assert_eq!(
            of(DifferenceKind::Given, &["day"], "a list of 1", "a list of 2"),
            "`day` is `a list of 2` where it was `a list of 1`"
        );
    }

    #[test]
    fn a_publisher_is_told_to_fail() {
        let of = |before: &str, after: &str| {
            let place = [SOURCE, "then", FAILURE].map(|name| Step::Part(Rc::from(name))).to_vec();
            let (before, after) = (before.to_owned(), after.to_owned());
            said(&Difference { of: DifferenceKind::Given, place, before, after })
        };
        assert_eq!(of("Late", "null"), "no longer fails with `Late`");
        assert_eq!(of("null", "Late"), "fails with `Late`, which it did not");
        assert_eq!(of("Early", "Late"), "fails with `Late` where it failed with `Early`");
    }

    #[test]
    fn two_sides_that_read_alike_are_not_shown_side_by_side() {
        let of = |of: DifferenceKind, place: Vec<Step>| {
            let both = "rows.find(…)".to_owned();
            said(&Difference { of, place, before: both.clone(), after: both })
        };
        assert_eq!(
            of(DifferenceKind::Given, vec![Step::Part(Rc::from("owner"))]),
            "`owner` is something else than `rows.find(…)`"
        );
        assert_eq!(
            of(DifferenceKind::Argument(Rc::from("mails.send")), Vec::new()),
            "calls `mails.send` with something else than `rows.find(…)`"
        );
        assert_eq!(of(DifferenceKind::Call, Vec::new()), "calls `rows.find(…)` otherwise");
    }
}
