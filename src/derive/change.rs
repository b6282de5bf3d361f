//! The derived change: what base and head of an operation answer differently, with a request that shows it where one is found.

use std::collections::{BTreeMap, BTreeSet};

use super::bench::Bench;
use super::case::Case;
use super::contexts;
use super::error_cases::sentence;
use super::judge::{place, same, same_items};
use super::search::{Settled, search, settle};
use super::serve::Run;
use super::shape::{AnswerBody, Shape};
use super::subject::Subject;
use crate::java::interpret::condition::Cond;
use crate::types::change::{Change, ChangeEffect, ChangeKind, Place, Witness};
use crate::types::source_context::{Constraint, SourceContext};

/// One revision's side of the comparison.
struct Side<'a> {
    bench: Bench<'a>,
    open: Run,
    context: SourceContext,
    cases: Vec<super::error_cases::Case>,
}

impl<'a> Side<'a> {
    fn of(subject: &'a Subject<'a>) -> Self {
        let bench = Bench::new(subject);
        let open = bench.open();
        let context = contexts::context(&bench, &open);
        let cases = super::error_cases::error_cases(&bench, &open);
        Self { bench, open, context, cases }
    }

    fn place_of(&self, settled: &Settled) -> Option<Place> {
        settled.exit.map(|site| place(self.bench.subject, site)).or_else(|| Some(self.entry()))
    }

    fn entry(&self) -> Place {
        let subject = self.bench.subject;
        let member = subject.endpoint.entry;
        place(subject, crate::java::interpret::path::Site { member, span: subject.project.member(member).name_span })
    }

    /// Where evidence of the context stands.
    fn cited(&self, id: &crate::types::evidence::EvidenceId) -> Option<Place> {
        let symbol = &self.context.evidence.get(id)?.symbol;
        let member = self.bench.subject.project.by_symbol(symbol)?;
        let span = self.bench.subject.project.member(member).name_span;
        Some(place(self.bench.subject, crate::java::interpret::path::Site { member, span }))
    }

    /// The condition that a request meets here, in words.
    fn condition(&self, case: &Case) -> String {
        let taken = self.open.served.iter().position(|served| {
            served.path.conditions.iter().all(|taken| self.bench.holds(&taken.cond, case) == Some(true))
        });
        let conditions: Vec<Cond> =
            taken.map(|index| super::error_cases::relevant(&self.open, index)).unwrap_or_default();
        sentence(&conditions)
    }
}

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

fn change(new: &Side<'_>, effect: ChangeEffect, what: String) -> Change {
    let op_id = new.bench.subject.op_id;
    Change {
        id: Change::identity(op_id, ChangeKind::Derived, &what),
        o_id: None,
        s_id: None,
        op_id: op_id.clone(),
        kind: ChangeKind::Derived,
        effect,
        what,
        witness: None,
        before: None,
        after: None,
        evidence_before: None,
        evidence_after: None,
        accepted: false,
        also: Vec::new(),
    }
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
fn by_witness(old: &Side<'_>, new: &Side<'_>, found: &mut Vec<Change>) {
    let mut requests: Vec<Case> = Vec::new();
    for side in [old, new] {
        for tried in search(&side.bench, &side.open) {
            if !requests.contains(&tried.case) {
                requests.push(tried.case);
            }
        }
    }
    let mut known: BTreeMap<(String, Option<Place>, Option<Place>), usize> = BTreeMap::new();
    for case in requests {
        let request = case.request(&new.bench.signature);
        if request != case.request(&old.bench.signature) {
            continue;
        }
        let (Some(before), Some(after)) = (settle(&old.bench.try_case(&case)), settle(&new.bench.try_case(&case)))
        else {
            continue;
        };
        let Some((what, effect)) = difference(&before, &after) else { continue };
        let (place_before, place_after) = (old.place_of(&before), new.place_of(&after));
        let key = (what.clone(), place_before.clone(), place_after.clone());
        if known.contains_key(&key) {
            continue;
        }
        known.insert(key, found.len());
        let condition =
            if before.status >= 400 && after.status < 400 { old.condition(&case) } else { new.condition(&case) };
        let what = if condition.is_empty() { what } else { format!("{what} ({condition})") };
        let words = |settled: &Settled| {
            super::shape::Answer { status: Some(settled.status), body: settled.body.clone(), exception: None }
                .describe()
        };
        let mut made = change(new, effect, what);
        made.before = Some(words(&before));
        made.after = Some(words(&after));
        made.witness = Some(Witness { input: request, before: words(&before), after: words(&after) });
        made.evidence_before = place_before;
        made.evidence_after = place_after;
        found.push(made);
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

/// Bounds of parameters that moved. Where requests have shown a change already, only those that no request could show.
fn by_bounds(old: &Side<'_>, new: &Side<'_>, told: bool, found: &mut Vec<Change>) {
    for param in &new.context.request_params {
        let Some(was) =
            old.context.request_params.iter().find(|p| p.location == param.location && p.name == param.name)
        else {
            if param.required {
                let mut made = change(new, ChangeEffect::Breaking, format!("needs {}, which it did not", param.name));
                made.evidence_after = new.cited(&param.evidence);
                found.push(made);
            }
            continue;
        };
        if was.required != param.required && !told {
            let (effect, what) = if param.required {
                (ChangeEffect::Breaking, format!("{} is required now", param.name))
            } else {
                (ChangeEffect::Additive, format!("{} may be left out now", param.name))
            };
            let mut made = change(new, effect, what);
            (made.evidence_before, made.evidence_after) = (old.cited(&was.evidence), new.cited(&param.evidence));
            found.push(made);
        }
        if was.ty != param.ty {
            let mut made =
                change(new, ChangeEffect::Unclear, format!("{} is {} where it was {}", param.name, param.ty, was.ty));
            (made.evidence_before, made.evidence_after) = (old.cited(&was.evidence), new.cited(&param.evidence));
            found.push(made);
        }
        if told {
            continue;
        }
        let only = |of: &[Constraint], others: &[Constraint]| -> Vec<Constraint> {
            of.iter().filter(|one| !others.iter().any(|other| other.kind == one.kind)).cloned().collect()
        };
        let (gone, came) = (only(&was.constraints, &param.constraints), only(&param.constraints, &was.constraints));
        for index in 0..gone.len().max(came.len()) {
            let (before, after) = (gone.get(index), came.get(index));
            let words = |c: Option<&Constraint>| c.map_or_else(|| "free".to_owned(), |c| c.kind.to_string());
            let effect = match (before, after) {
                (None, Some(_)) => ChangeEffect::Breaking,
                (Some(_), None) => ChangeEffect::Additive,
                _ => ChangeEffect::Unclear,
            };
            let mut made = change(new, effect, format!("{}: {} → {}", param.name, words(before), words(after)));
            made.before = Some(words(before));
            made.after = Some(words(after));
            made.evidence_before = before.and_then(|c| old.cited(&c.evidence));
            made.evidence_after = after.and_then(|c| new.cited(&c.evidence));
            found.push(made);
        }
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
            Some(other) if other.ty != field.ty => {
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
