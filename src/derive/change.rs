//! The derived change: what base and head of an operation answer differently, with a request that shows it where one is found.

use std::collections::BTreeSet;

use super::case::Case;
use super::judge::{place, same, same_items};
use super::moved_bounds::by_bounds;
use super::search::{Settled, search, settle};
use super::shape::{AnswerBody, Shape};
use super::side::{Side, change};
use super::subject::Subject;
use super::variations::variations;
use crate::types::change::{Change, ChangeEffect, Place, Witness};

/// What an operation answers differently in `head`. Empty where all that is known is equal: a refactoring, or a change that is not decided here.
pub fn changes(base: &Subject<'_>, head: &Subject<'_>) -> Vec<Change> {
    let (old, new) = (Side::of(base), Side::of(head));
    let mut found: Vec<Change> = Vec::new();
    by_witness(&old, &new, &mut found);
    // Where a status changed, other words of the same refusal are no news.
    let told: Vec<Option<Place>> =
        found.iter().filter(|c| c.what.starts_with("answers ")).map(|c| c.evidence_before.clone()).collect();
    found.retain(|c| {
        c.what.starts_with("answers ") || c.effect != ChangeEffect::Unclear || !told.contains(&c.evidence_before)
    });
    let seen: BTreeSet<(Option<u16>, Option<u16>)> = found.iter().map(statuses_of).collect();
    let told = !found.is_empty();
    by_statuses(&old, &new, &seen, &mut found);
    by_bounds(&old, &new, told, &mut found);
    by_fields(&old, &new, &mut found);
    found.sort_by(|a, b| (a.effect as u8, &a.what).cmp(&(b.effect as u8, &b.what)));
    found.dedup_by(|a, b| a.id == b.id);
    found
}

fn statuses_of(change: &Change) -> (Option<u16>, Option<u16>) {
    let code =
        |text: &Option<String>| text.as_ref().and_then(|t| t.split(' ').next().and_then(|word| word.parse().ok()));
    (code(&change.before), code(&change.after))
}

/// What differs between two settled answers, as a kind that several requests share, and in words.
fn difference(old: &Settled, new: &Settled) -> Option<(String, ChangeEffect)> {
    if old.status != new.status {
        let effect = ChangeEffect::of_statuses(old.status, new.status);
        return Some((format!("answers {} where it answered {}", new.status, old.status), effect));
    }
    match (&old.body, &new.body) {
        (AnswerBody::Json(a), AnswerBody::Json(b)) => {
            let mut parts = Vec::new();
            let mut effect = ChangeEffect::Additive;
            compare("", a, b, &mut parts, &mut effect);
            if old.status >= 400 {
                effect = ChangeEffect::Unclear;
            }
            if parts.is_empty() { None } else { Some((format!("{} on {}", parts.join(", "), old.status), effect)) }
        }
        (AnswerBody::Text(a, _), AnswerBody::Text(b, _)) if a != b => {
            Some(("the text of the body changes".to_owned(), ChangeEffect::Breaking))
        }
        (AnswerBody::Empty, AnswerBody::Json(_) | AnswerBody::Text(..)) => {
            Some(("the answer has a body where it had none".to_owned(), ChangeEffect::Additive))
        }
        (AnswerBody::Json(_) | AnswerBody::Text(..), AnswerBody::Empty) => {
            Some(("the answer has no body where it had one".to_owned(), ChangeEffect::Breaking))
        }
        _ => None,
    }
}

fn compare(path: &str, a: &Shape, b: &Shape, parts: &mut Vec<String>, effect: &mut ChangeEffect) {
    match (a, b) {
        (Shape::Object(x), Shape::Object(y)) => {
            for (name, shape) in x {
                let inner = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                match y.iter().find(|(other, _)| other == name) {
                    Some((_, other)) => compare(&inner, shape, other, parts, effect),
                    None => {
                        *effect = ChangeEffect::Breaking;
                        parts.push(format!("the field {inner} is gone"));
                    }
                }
            }
            for (name, _) in y.iter().filter(|(name, _)| !x.iter().any(|(other, _)| other == name)) {
                parts.push(format!(
                    "the field {} is new",
                    if path.is_empty() { name.clone() } else { format!("{path}.{name}") }
                ));
            }
        }
        _ => {
            let ordered = a.exact().zip(b.exact()).map(|(x, y)| same(&x, &y));
            let differ = match ordered {
                Some(same) => !same,
                // Where one of them has no fixed order only the elements count.
                None => a.items().zip(b.items()).is_some_and(|(x, y)| !same_items(&x, &y)),
            };
            if differ {
                *effect = ChangeEffect::Breaking;
                let name = if path.is_empty() { "the body" } else { path };
                parts.push(format!("{name} has another value"));
            }
        }
    }
}

/// Requests of both sides, run on both: those that part are witnesses. One change for each way in which they part.
/// Where none of them parts, the search goes on with the values that both sides name.
fn by_witness(old: &Side<'_>, new: &Side<'_>, found: &mut Vec<Change>) {
    let mut requests: Vec<Case> = Vec::new();
    for side in [old, new] {
        for tried in search(&side.bench, &side.open) {
            if !requests.contains(&tried.case) {
                requests.push(tried.case);
            }
        }
    }
    let mut told = Told::default();
    let mut steps = 0;
    for case in &requests {
        steps += told.try_on(old, new, case, found);
    }
    if told.any() {
        return;
    }
    for case in variations(new, &[&old.open, &new.open], &requests) {
        if told.any() || steps >= STEPS {
            break;
        }
        steps += told.try_on(old, new, &case, found);
    }
}

/// Steps of the interpreter for the requests of one comparison at most, but for those that each side would try anyway.
const STEPS: u64 = 4_000_000;

/// In which ways the sides were seen to part.
#[derive(Default)]
struct Told(BTreeSet<(String, Option<Place>, Option<Place>)>);

impl Told {
    fn any(&self) -> bool {
        !self.0.is_empty()
    }

    /// Asks both sides; the steps that it took.
    fn try_on(&mut self, old: &Side<'_>, new: &Side<'_>, case: &Case, found: &mut Vec<Change>) -> u64 {
        let request = case.request(&new.bench.signature);
        if request != case.request(&old.bench.signature) {
            return 0;
        }
        let (was, is) = (old.bench.try_case(case), new.bench.try_case(case));
        let steps = was.served.iter().chain(&is.served).map(|served| served.path.steps).sum();
        let (Some(before), Some(after)) = (settle(&was), settle(&is)) else { return steps };
        let Some((what, effect)) = difference(&before, &after) else { return steps };
        let (place_before, place_after) = (old.place_of(&before), new.place_of(&after));
        if !self.0.insert((what.clone(), place_before.clone(), place_after.clone())) {
            return steps;
        }
        let refused = before.status >= 400 && after.status < 400;
        let condition = if refused { old.condition(case) } else { new.condition(case) };
        let what = if condition.is_empty() { what } else { format!("{what} ({condition})") };
        let words = |settled: &Settled| super::shape::Answer::of(Some(settled.status), settled.body.clone()).describe();
        let mut made = change(new, effect, what);
        made.before = Some(words(&before));
        made.after = Some(words(&after));
        made.witness =
            Some(Witness { as_user: case.sender(), input: request, before: words(&before), after: words(&after) });
        made.evidence_before = place_before;
        made.evidence_after = place_after;
        found.push(made);
        steps
    }
}

/// Statuses that appeared or vanished, where no request showed it.
fn by_statuses(old: &Side<'_>, new: &Side<'_>, seen: &BTreeSet<(Option<u16>, Option<u16>)>, found: &mut Vec<Change>) {
    let statuses = |side: &Side<'_>| -> BTreeSet<u16> {
        side.open.served.iter().filter_map(|served| served.answer.status).collect()
    };
    let (before, after) = (statuses(old), statuses(new));
    let complete =
        |side: &Side<'_>| side.open.complete && side.open.served.iter().all(|served| served.answer.status.is_some());
    for status in after.difference(&before) {
        if seen.iter().any(|(_, after)| *after == Some(*status)) || !complete(old) {
            continue;
        }
        let case = new.cases.iter().find(|case| case.status == *status);
        let condition = case.map(|case| format!(" ({})", case.condition)).unwrap_or_default();
        let effect = if *status >= 400 { ChangeEffect::Breaking } else { ChangeEffect::Unclear };
        let mut made = change(new, effect, format!("can answer {status}, which it never did{condition}"));
        made.after = Some(status.to_string());
        made.evidence_after =
            case.and_then(|case| case.site).map(|site| place(new.bench.subject, site)).or_else(|| Some(new.entry()));
        found.push(made);
    }
    for status in before.difference(&after) {
        if seen.iter().any(|(before, _)| *before == Some(*status)) || !complete(new) {
            continue;
        }
        let case = old.cases.iter().find(|case| case.status == *status);
        let condition = case.map(|case| format!(" ({})", case.condition)).unwrap_or_default();
        let effect = if *status >= 400 { ChangeEffect::Additive } else { ChangeEffect::Breaking };
        let mut made = change(new, effect, format!("never answers {status} any more{condition}"));
        made.before = Some(status.to_string());
        made.evidence_before =
            case.and_then(|case| case.site).map(|site| place(old.bench.subject, site)).or_else(|| Some(old.entry()));
        found.push(made);
    }
}

/// Fields of the response that are gone, new, or of another type.
fn by_fields(old: &Side<'_>, new: &Side<'_>, found: &mut Vec<Change>) {
    let (before, after) = (&old.context.response_schema.fields, &new.context.response_schema.fields);
    if before.is_empty() || after.is_empty() {
        return;
    }
    let said = |found: &[Change], path: &str| found.iter().any(|c| c.what.contains(&format!("the field {path} ")));
    for field in before {
        match after.iter().find(|other| other.path == field.path) {
            None if !said(found, &field.path) => {
                let mut made = change(new, ChangeEffect::Breaking, format!("the field {} is gone", field.path));
                made.before = Some(field.ty.clone());
                made.evidence_before = old.cited(&field.evidence);
                found.push(made);
            }
            Some(other) if other.ty != field.ty && old.on_the_wire(&field.ty) != new.on_the_wire(&other.ty) => {
                let what = format!("the field {} is {} where it was {}", field.path, other.ty, field.ty);
                let mut made = change(new, ChangeEffect::Unclear, what);
                made.before = Some(field.ty.clone());
                made.after = Some(other.ty.clone());
                (made.evidence_before, made.evidence_after) = (old.cited(&field.evidence), new.cited(&other.evidence));
                found.push(made);
            }
            _ => {}
        }
    }
    for field in after.iter().filter(|field| !before.iter().any(|other| other.path == field.path)) {
        if said(found, &field.path) {
            continue;
        }
        let mut made = change(new, ChangeEffect::Additive, format!("the field {} is new", field.path));
        made.after = Some(field.ty.clone());
        made.evidence_after = new.cited(&field.evidence);
        found.push(made);
    }
}
