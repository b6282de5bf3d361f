//! The derived change: what base and head of an operation answer differently, with a request that shows it where one is found.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::Value as Json;

use super::case::Case;
use super::inputs::Pool;
use super::judge::{place, same, same_items};
use super::moved_bounds::by_bounds;
use super::sampling::Sampling;
use super::search::{Settled, search, settle};
use super::serve::Run;
use super::shape::{AnswerBody, Shape};
use super::side::{Side, change};
use super::subject::Subject;
use super::variations::variations;
use crate::java::interpret::library::frameworks::named_headers::{Named, may_be_same};
use crate::java::interpret::path::Outcome;
use crate::types::change::{Change, ChangeEffect, Place, Witness};

/// What the comparison of two revisions of an operation came to.
#[derive(Debug, Clone, Default)]
pub struct Compared {
    /// What it answers differently. Empty where all that is known is equal: a refactoring, or a change that is not decided here.
    pub changes: Vec<Change>,
    /// Why requests have no certain answer in base.
    pub open: BTreeSet<String>,
}

/// What an operation answers differently in `head`.
pub fn changes(base: &Subject<'_>, head: &Subject<'_>) -> Vec<Change> {
    compared(base, head).changes
}

/// Compares two revisions of an operation.
pub fn compared(base: &Subject<'_>, head: &Subject<'_>) -> Compared {
    let (old, new) = (Side::of(base), Side::of(head));
    let mut found: Vec<Change> = Vec::new();
    let open = by_witness(&old, &new, &mut found);
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
    Compared { changes: found, open }
}

fn statuses_of(change: &Change) -> (Option<u16>, Option<u16>) {
    let code =
        |text: &Option<String>| text.as_ref().and_then(|t| t.split(' ').next().and_then(|word| word.parse().ok()));
    (code(&change.before), code(&change.after))
}

/// What differs between two settled answers, as a kind that several requests share, and in words.
fn difference((old, before): (&Settled, &Run), (new, after): (&Settled, &Run)) -> Option<(String, ChangeEffect)> {
    if old.status != new.status {
        let effect = ChangeEffect::of_statuses(old.status, new.status);
        return Some((format!("answers {} where it answered {}", new.status, old.status), effect));
    }
    let headers = by_headers(before, after);
    match (body_difference(old, new), headers) {
        (body, None) => body,
        (None, headers) => headers,
        (Some((body, one)), Some((headers, other))) => {
            Some((format!("{body}, {headers}"), if (one as u8) < other as u8 { one } else { other }))
        }
    }
}

/// What differs between headers that code sets.
fn by_headers(before: &Run, after: &Run) -> Option<(String, ChangeEffect)> {
    let (old, new) = (headers(before)?, headers(after)?);
    let mut parts = Vec::new();
    let mut effect = ChangeEffect::Additive;
    for (name, value) in &old {
        match (value, new.get(name)) {
            (_, None) => {
                effect = ChangeEffect::Breaking;
                parts.push(format!("the header {} is gone", titled(name)));
            }
            (Some(was), Some(Some(is))) if !may_be_same(was, is) => {
                effect = ChangeEffect::Breaking;
                parts.push(format!("the header {} is {is} where it was {was}", titled(name)));
            }
            _ => {}
        }
    }
    let came = new.keys().filter(|name| !old.contains_key(*name));
    parts.extend(came.map(|name| format!("the header {} is new", titled(name))));
    (!parts.is_empty()).then(|| (parts.join(", "), effect))
}

/// The headers that all ways of a request set.
fn headers(run: &Run) -> Option<Named> {
    let mut each = run.served.iter().map(|served| served.answer.headers.clone());
    let first = each.next()??;
    each.all(|other| other.as_ref() == Some(&first)).then_some(first)
}

/// `Last-Modified` of `last-modified`.
fn titled(name: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    };
    name.split('-').map(word).collect::<Vec<String>>().join("-")
}

fn body_difference(old: &Settled, new: &Settled) -> Option<(String, ChangeEffect)> {
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

/// The name of a field below a path.
fn below(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// The parts of a value that is an object or array, as far as they are told apart.
fn opened(shape: &Shape) -> Cow<'_, Shape> {
    match shape {
        Shape::Exact(Json::Object(fields)) => Cow::Owned(Shape::Object(
            fields.iter().map(|(name, value)| (name.clone(), Shape::Exact(value.clone()))).collect(),
        )),
        Shape::Exact(Json::Array(items)) => Cow::Owned(Shape::Array(items.iter().cloned().map(Shape::Exact).collect())),
        other => Cow::Borrowed(other),
    }
}

/// Fields that every element has.
fn common(items: &[Shape]) -> Option<BTreeSet<String>> {
    let names = |shape: &Shape| match &*opened(shape) {
        Shape::Object(fields) => Some(fields.iter().map(|(name, _)| name.clone()).collect::<BTreeSet<String>>()),
        _ => None,
    };
    let mut each = items.iter().map(names);
    let first = each.next()??;
    each.try_fold(first, |all, other| other.map(|other| all.intersection(&other).cloned().collect()))
}

fn compare(path: &str, a: &Shape, b: &Shape, parts: &mut Vec<String>, effect: &mut ChangeEffect) {
    let before = parts.len();
    match (&*opened(a), &*opened(b)) {
        (Shape::Object(x), Shape::Object(y)) => {
            for (name, shape) in x {
                let inner = below(path, name);
                match y.iter().find(|(other, _)| other == name) {
                    Some((_, other)) => compare(&inner, shape, other, parts, effect),
                    None => {
                        *effect = ChangeEffect::Breaking;
                        say(parts, format!("the field {inner} is gone"));
                    }
                }
            }
            for (name, _) in y.iter().filter(|(name, _)| !x.iter().any(|(other, _)| other == name)) {
                say(parts, format!("the field {} is new", below(path, name)));
            }
            return;
        }
        (Shape::Array(x), Shape::Array(y)) if x.len() == y.len() => {
            for (one, other) in x.iter().zip(y) {
                compare(&format!("{path}[*]"), one, other, parts, effect);
            }
            return;
        }
        // Where the order is not fixed, it is not known which element became which.
        (Shape::Array(x) | Shape::Bag(x), Shape::Array(y) | Shape::Bag(y)) => {
            if let (Some(had), Some(has)) = (common(x), common(y)) {
                let absent = |items: &[Shape], name: &String| {
                    items.iter().all(|item| match &*opened(item) {
                        Shape::Object(fields) => fields.iter().all(|(other, _)| other != name),
                        _ => false,
                    })
                };
                for name in had.difference(&has).filter(|name| absent(y, name)) {
                    *effect = ChangeEffect::Breaking;
                    say(parts, format!("the field {} is gone", below(&format!("{path}[*]"), name)));
                }
                for name in has.difference(&had).filter(|name| absent(x, name)) {
                    say(parts, format!("the field {} is new", below(&format!("{path}[*]"), name)));
                }
            }
        }
        _ => {}
    }
    if parts.len() > before {
        return;
    }
    let ordered = a.exact().zip(b.exact()).map(|(x, y)| same(&x, &y));
    let differ = match ordered {
        Some(same) => !same,
        // Where one of them has no fixed order only the elements count.
        None => a.items().zip(b.items()).is_some_and(|(x, y)| !same_items(&x, &y)),
    };
    if differ {
        *effect = ChangeEffect::Breaking;
        let name = if path.is_empty() { "the body" } else { path };
        say(parts, format!("{name} has another value"));
    }
}

fn say(parts: &mut Vec<String>, what: String) {
    if !parts.contains(&what) {
        parts.push(what);
    }
}

/// Requests of both sides, run on both: those that part are witnesses. One change for each way in which they part.
/// Where none of them parts, the search goes on with the values that both sides name.
fn by_witness(old: &Side<'_>, new: &Side<'_>, found: &mut Vec<Change>) -> BTreeSet<String> {
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
        return told.open;
    }
    for case in variations(new, &[&old.open, &new.open], &requests) {
        if told.any() || steps >= STEPS {
            break;
        }
        steps += told.try_on(old, new, &case, found);
    }
    // Those that are answered well are what samples start from.
    let mut starts: Vec<(u16, Case)> = told.statuses.iter().copied().zip(requests).collect();
    starts.sort_by_key(|(status, _)| *status);
    let pool = Pool::of(&new.bench, &[&old.open, &new.open]);
    let mut sampling = Sampling::new(&pool, starts.into_iter().map(|(_, case)| case).collect());
    let most = steps.saturating_add(SAMPLED).min(STEPS);
    for at in 0..SAMPLES {
        if told.any() || steps >= most {
            break;
        }
        let drawn = if at % 2 == 0 { sampling.draw() } else { sampling.several() };
        if let Some((case, _)) = drawn.filter(|(case, _)| pool.is_sendable(case)) {
            steps += told.try_on(old, new, &case, found);
        }
    }
    told.open
}

/// Requests that are sampled where all others are answered alike, at most, and the steps that they may take.
const SAMPLES: usize = 120;
const SAMPLED: u64 = 600_000;

/// Steps of the interpreter for the requests of one comparison at most, but for those that each side would try anyway.
const STEPS: u64 = 4_000_000;

/// In which ways the sides were seen to part.
#[derive(Default)]
struct Told {
    ways: BTreeSet<(String, Option<Place>, Option<Place>)>,
    /// Why requests have no certain answer in base.
    open: BTreeSet<String>,
    /// What base answers to each; the highest number where that is not certain.
    statuses: Vec<u16>,
}

impl Told {
    fn any(&self) -> bool {
        !self.ways.is_empty()
    }

    /// Asks both sides; the steps that it took.
    fn try_on(&mut self, old: &Side<'_>, new: &Side<'_>, case: &Case, found: &mut Vec<Change>) -> u64 {
        let request = case.request(&new.bench.signature);
        if request != case.request(&old.bench.signature) {
            self.statuses.push(u16::MAX);
            return 0;
        }
        let (was, is) = (old.bench.try_case(case), new.bench.try_case(case));
        let steps = was.served.iter().chain(&is.served).map(|served| served.path.steps).sum();
        let (before, after) = (settle(&was), settle(&is));
        self.statuses.push(before.as_ref().map_or(u16::MAX, |before| before.status));
        if before.is_none() {
            self.open.extend(why_open(&was));
        }
        let (Some(before), Some(after)) = (before, after) else { return steps };
        let Some((what, effect)) = difference((&before, &was), (&after, &is)) else { return steps };
        let (place_before, place_after) = (old.place_of(&before), new.place_of(&after));
        if !self.ways.insert((what.clone(), place_before.clone(), place_after.clone())) {
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

/// Why a request has no certain answer.
fn why_open(run: &Run) -> BTreeSet<String> {
    let mut why: BTreeSet<String> = BTreeSet::new();
    for served in &run.served {
        let unknowns = served.path.unknowns.iter().chain(&served.path.doubts);
        why.extend(unknowns.filter(|why| !why.contains("; it may ")).map(ToString::to_string));
        if let Outcome::Cut(bound) = served.path.outcome {
            why.insert(bound.describe().to_owned());
        }
    }
    if why.is_empty() {
        why.insert("a request has more than one answer".to_owned());
    }
    why
}

/// Errors of one condition that both revisions know, and answer by other statuses.
fn by_conditions(old: &Side<'_>, new: &Side<'_>, found: &mut Vec<Change>) -> BTreeSet<u16> {
    let mut said = BTreeSet::new();
    if !old.open.complete || !new.open.complete {
        return said;
    }
    let only = |side: &'_ Side<'_>, condition: &str| {
        let mut cases = side.cases.iter().filter(|case| case.condition == condition);
        let (first, None) = (cases.next()?, cases.next()) else { return None };
        Some((first.status, first.site))
    };
    for case in &old.cases {
        let (Some((was, site)), Some((is, now))) = (only(old, &case.condition), only(new, &case.condition)) else {
            continue;
        };
        let told = (Some(was), Some(is));
        if was == is || found.iter().any(|change| statuses_of(change) == told) {
            continue;
        }
        let what = format!("answers {is} where it answered {was} ({})", case.condition);
        let mut made = change(new, ChangeEffect::of_statuses(was, is), what);
        (made.before, made.after) = (Some(was.to_string()), Some(is.to_string()));
        made.evidence_before = site.map(|site| place(old.bench.subject, site)).or_else(|| Some(old.entry()));
        made.evidence_after = now.map(|site| place(new.bench.subject, site)).or_else(|| Some(new.entry()));
        found.push(made);
        said.extend([was, is]);
    }
    said
}

/// Statuses that appeared or vanished, where no request showed it.
fn by_statuses(old: &Side<'_>, new: &Side<'_>, seen: &BTreeSet<(Option<u16>, Option<u16>)>, found: &mut Vec<Change>) {
    let statuses = |side: &Side<'_>| -> BTreeSet<u16> {
        side.open.served.iter().filter_map(|served| served.answer.status).collect()
    };
    let (before, after) = (statuses(old), statuses(new));
    let complete =
        |side: &Side<'_>| side.open.complete && side.open.served.iter().all(|served| served.answer.status.is_some());
    let said = by_conditions(old, new, found);
    for status in after.difference(&before).filter(|status| !said.contains(status)) {
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
    for status in before.difference(&after).filter(|status| !said.contains(status)) {
        if seen.iter().any(|(before, _)| *before == Some(*status)) || !complete(new) {
            continue;
        }
        let case = old.cases.iter().find(|case| case.status == *status);
        let condition = case.map(|case| format!(" ({})", case.condition)).unwrap_or_default();
        // What is answered in its place is not known.
        let effect = if *status >= 400 { ChangeEffect::Unclear } else { ChangeEffect::Breaking };
        let mut made = change(new, effect, format!("never answers {status} any more{condition}"));
        made.before = Some(status.to_string());
        made.evidence_before =
            case.and_then(|case| case.site).map(|site| place(old.bench.subject, site)).or_else(|| Some(old.entry()));
        found.push(made);
    }
}

/// Whether an answer of success is known that has a body.
fn has_body(side: &Side<'_>) -> bool {
    let mut success = side.open.served.iter().filter(|served| served.answer.status.is_some_and(|status| status < 300));
    success.any(|served| served.answer.body != AnswerBody::Empty)
}

/// Fields of the response that are gone, new, or of another type.
fn by_fields(old: &Side<'_>, new: &Side<'_>, found: &mut Vec<Change>) {
    let (before, after) = (&old.context.response_schema.fields, &new.context.response_schema.fields);
    if before.is_empty() || after.is_empty() || !has_body(old) || !has_body(new) {
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
