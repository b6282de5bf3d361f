//! Differences of two source contexts: what base and head declare about parameters and success answers, if no request
//! has shown the difference.

use crate::compare::edits::declarations::validates_objects;
use crate::compare::sides::side::{Side, change};
use crate::oracles::contexts::declared_params;
use mastor_types::results::change::{Change, ChangeEffect, LOST_CONSTRAINT};
use mastor_types::suite::source_context::{Constraint, ConstraintKind, Location, RequestParam};

/// Adds the differences between both contexts that no other change already reports.
pub(crate) fn by_context(old: &Side<'_>, new: &Side<'_>, found: &mut Vec<Change>) {
    by_success(old, new, found);
    // Conditions in code are left to requests, since the same condition can be written in many ways.
    let (before, after) = (declared_params(&old.bench), declared_params(&new.bench));
    let same = |a: &RequestParam, b: &RequestParam| a.location == b.location && a.name == b.name;
    // If the fields of a body are unknown, a new field of it is unknown too.
    let is_open = |all: &[RequestParam]| {
        let mut body = all.iter().filter(|param| param.location == Location::Body).peekable();
        body.peek().is_some() && body.all(|param| param.name.is_empty())
    };
    for param in &after {
        match counterpart(&before, param) {
            Some(was) => by_param((old, was), (new, param), found),
            None if param.location == Location::Body && is_open(&before) => {}
            None => appeared(new, param, found),
        }
    }
    for gone in before.iter().filter(|param| !after.iter().any(|other| same(other, param))) {
        if gone.location == Location::Body && is_open(&after)
            || is_told(found, gone)
            || gone.location == Location::Path
            || gone.name.is_empty()
        {
            continue;
        }
        let mut made = change(new, ChangeEffect::Unclear, format!("{} is no longer read", named(gone)));
        made.before = Some(gone.ty.clone());
        made.evidence_before = old.cited(&gone.evidence);
        found.push(made);
    }
}

/// The parameter of the other revision with the place and the name of this one. A handler may take two values of one name,
/// such as `sort` and that of a `Pageable`: then it is the one that is most like it.
pub(super) fn counterpart<'p>(all: &'p [RequestParam], param: &RequestParam) -> Option<&'p RequestParam> {
    let is_same = |other: &&RequestParam| other.location == param.location && other.name == param.name;
    let likeness = |other: &RequestParam| {
        (other.ty == param.ty, other.default == param.default, other.constraints == param.constraints)
    };
    // Of equally like ones the first.
    all.iter().filter(is_same).rev().max_by_key(|other| likeness(other))
}

/// Compares the success statuses, if both sides have exactly one.
fn by_success(old: &Side<'_>, new: &Side<'_>, found: &mut Vec<Change>) {
    let status = |side: &Side<'_>| side.context().response_schema.success_status;
    let (Some(was), Some(is)) = (status(old), status(new)) else { return };
    let tells = |change: &Change| {
        let begins = |text: &Option<String>, status: u16| {
            text.as_ref().is_some_and(|text| text.split(' ').next() == Some(status.to_string().as_str()))
        };
        begins(&change.before, was) || begins(&change.after, is)
    };
    if was == is || found.iter().any(tells) {
        return;
    }
    let what = format!("answers {is} where it answered {was}, on success");
    let mut made = change(new, ChangeEffect::of_statuses(was, is), what);
    (made.before, made.after) = (Some(was.to_string()), Some(is.to_string()));
    (made.evidence_before, made.evidence_after) = (Some(old.entry()), Some(new.entry()));
    found.push(made);
}

fn by_param((old, was): (&Side<'_>, &RequestParam), (new, is): (&Side<'_>, &RequestParam), found: &mut Vec<Change>) {
    if is_told(found, is) {
        return;
    }
    let mut tell = |effect: ChangeEffect, what: String, before: String, after: String| {
        let mut made = change(new, effect, what);
        (made.before, made.after) = (Some(before), Some(after));
        (made.evidence_before, made.evidence_after) = (old.cited(&was.evidence), new.cited(&is.evidence));
        found.push(made);
    };
    let name = named(is);
    if was.default != is.default {
        let words = |default: &Option<String>| default.as_ref().map_or_else(|| "none".to_owned(), |d| format!("`{d}`"));
        let (before, after) = (words(&was.default), words(&is.default));
        tell(ChangeEffect::Unclear, format!("the default of {name} is {after} where it was {before}"), before, after);
    }
    if was.required != is.required && is.constraints == was.constraints {
        let (effect, what) = match is.required {
            true => (ChangeEffect::Breaking, format!("{name} is required")),
            false => (ChangeEffect::Additive, format!("{name} may be left out")),
        };
        let words = |required: bool| if required { "required" } else { "optional" }.to_owned();
        tell(effect, what, words(was.required), words(is.required));
    }
    // Binding refuses a request that lacks a required value, so that the value is never null.
    let entry = new.bench.subject.project.member(new.bench.subject.endpoint.entry);
    let is_given = |param: &RequestParam| {
        !validates_objects(entry) && param.location != Location::Body && param.required && param.default.is_none()
    };
    let only = |of: &[Constraint], others: &RequestParam| -> Vec<String> {
        let is_idle = |one: &&Constraint| one.kind == ConstraintKind::NotNull && is_given(others);
        let new = of.iter().filter(|one| !others.constraints.iter().any(|other| other.kind == one.kind));
        new.filter(|one| !is_idle(one)).map(|one| one.kind.to_string()).collect()
    };
    let (gone, came) = (only(&was.constraints, is), only(&is.constraints, was));
    let words = |all: &[String]| if all.is_empty() { "no constraint".to_owned() } else { all.join(", ") };
    let effect = match (gone.is_empty(), came.is_empty()) {
        (true, true) => return,
        (true, false) => ChangeEffect::Breaking,
        (false, true) => ChangeEffect::Additive,
        (false, false) => ChangeEffect::Unclear,
    };
    let (before, after) = (words(&gone), words(&came));
    let what = match (gone.is_empty(), came.is_empty()) {
        (false, true) => format!("{name} {LOST_CONSTRAINT} {before}"),
        (true, false) => format!("{name} has the new constraint {after}"),
        _ => format!("the constraint on {name} is {after} where it was {before}"),
    };
    tell(effect, what, before, after);
}

fn appeared(new: &Side<'_>, param: &RequestParam, found: &mut Vec<Change>) {
    if is_told(found, param) || param.location == Location::Path || param.name.is_empty() {
        return;
    }
    let (effect, what) = match param.required {
        true => (ChangeEffect::Breaking, format!("{} is read, and required", named(param))),
        false => (ChangeEffect::Additive, format!("{} is read", named(param))),
    };
    let mut made = change(new, effect, what);
    made.after = Some(param.ty.clone());
    made.evidence_after = new.cited(&param.evidence);
    found.push(made);
}

/// Whether a change already reports this parameter.
fn is_told(found: &[Change], param: &RequestParam) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let speaks = |text: &str| {
        text.match_indices(param.name.as_str())
            .any(|(at, name)| !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part))
    };
    !param.name.is_empty() && found.iter().any(|change| speaks(&change.what))
}

fn named(param: &RequestParam) -> String {
    let place = match param.location {
        Location::Path => "the path variable",
        Location::Query => "the parameter",
        Location::Header => "the header",
        Location::Cookie => "the cookie",
        Location::Form => "the form field",
        Location::Body if param.name.is_empty() => return "the body".to_owned(),
        Location::Body => "the body's field",
    };
    format!("{place} {}", param.name)
}
