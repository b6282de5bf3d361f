//! Differences between two answers in words: statuses, headers set by code, and bodies down to array elements.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::Value as Json;

use crate::judge::oracle::{same, same_items};
use crate::search::explore::Settled;
use mastor_java::interpret::library::frameworks::named_headers::{Named, may_be_same, titled};
use mastor_runtime::body::shape::{AnswerBody, Shape};
use mastor_runtime::server::serve::Run;
use mastor_types::results::change::ChangeEffect;

/// A difference between two settled answers.
pub(crate) struct Difference {
    /// The kind, which requests with the same difference share.
    pub kind: String,
    /// In words.
    pub what: String,
    /// Whether it breaks clients.
    pub effect: ChangeEffect,
}

/// The difference between two settled answers.
pub(crate) fn difference((old, before): (&Settled, &Run), (new, after): (&Settled, &Run)) -> Option<Difference> {
    let headers = if old.status == new.status { by_headers(before, after) } else { None };
    let answers = answer_difference(old, new);
    let answers = answers.map(|(what, effect)| Difference { kind: what.clone(), what, effect });
    match (answers, headers) {
        (answers, None) => answers,
        (None, headers) => headers,
        (Some(body), Some(headers)) => Some(Difference {
            kind: format!("{}, {}", body.kind, headers.kind),
            what: format!("{}, {}", body.what, headers.what),
            effect: if (body.effect as u8) < headers.effect as u8 { body.effect } else { headers.effect },
        }),
    }
}

/// The difference between the statuses of two settled answers, else between their bodies.
pub(crate) fn answer_difference(old: &Settled, new: &Settled) -> Option<(String, ChangeEffect)> {
    if old.status != new.status {
        let effect = ChangeEffect::of_statuses(old.status, new.status);
        return Some((format!("answers {} where it answered {}", new.status, old.status), effect));
    }
    body_difference(old, new)
}

/// The difference between headers set by code. The value of a header belongs to the request and is not part of the
/// kind.
fn by_headers(before: &Run, after: &Run) -> Option<Difference> {
    let (old, new) = (headers(before)?, headers(after)?);
    let (mut kinds, mut parts) = (Vec::new(), Vec::new());
    let mut effect = ChangeEffect::Additive;
    for (name, value) in &old {
        match (value, new.get(name)) {
            (_, None) => {
                effect = ChangeEffect::Breaking;
                kinds.push(format!("{name} is gone"));
                parts.push(format!("the header {} is gone", titled(name)));
            }
            (Some(was), Some(Some(is))) if !may_be_same(was, is) => {
                effect = ChangeEffect::Breaking;
                kinds.push(format!("{name} is another"));
                parts.push(format!("the header {} is {is} where it was {was}", titled(name)));
            }
            _ => {}
        }
    }
    for name in new.keys().filter(|name| !old.contains_key(*name)) {
        kinds.push(format!("{name} is new"));
        parts.push(format!("the header {} is new", titled(name)));
    }
    (!parts.is_empty()).then(|| Difference { kind: kinds.join(", "), what: parts.join(", "), effect })
}

/// The headers that all paths of a request set.
fn headers(run: &Run) -> Option<Named> {
    let mut each = run.served.iter().map(|served| served.answer.headers.clone());
    let first = each.next()??;
    each.all(|other| other.as_ref() == Some(&first)).then_some(first)
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
            Some((format!("the answer has a body where it had none on {}", old.status), ChangeEffect::Additive))
        }
        (AnswerBody::Json(_) | AnswerBody::Text(..), AnswerBody::Empty) => {
            Some((format!("the answer has no body where it had one on {}", old.status), ChangeEffect::Breaking))
        }
        _ => None,
    }
}

/// The path of a field below a path.
fn below(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// Splits a known object or array into its parts; returns any other shape unchanged.
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

/// The elements of two arrays, paired by a field that identifies the elements in each array and has the same values in
/// both.
fn paired<'s>(x: &'s [Shape], y: &'s [Shape]) -> Option<Vec<(&'s Shape, &'s Shape)>> {
    if x.len() != y.len() {
        return None;
    }
    let values = |items: &[Shape], name: &str| -> Option<Vec<String>> {
        let of = |item: &Shape| match &*opened(item) {
            Shape::Object(fields) => fields.iter().find(|(own, _)| own == name)?.1.exact(),
            _ => None,
        };
        let known = |item: &Shape| of(item).filter(|value| value.is_string() || value.is_number());
        let all: Vec<String> = items.iter().map(|item| Some(known(item)?.to_string())).collect::<Option<_>>()?;
        (all.iter().collect::<BTreeSet<&String>>().len() == all.len()).then_some(all)
    };
    let mut names: Vec<String> = common(x)?.intersection(&common(y)?).cloned().collect();
    names.sort_by_key(|name| !name.to_ascii_lowercase().ends_with("id"));
    names.iter().find_map(|name| {
        let (own, others) = (values(x, name)?, values(y, name)?);
        let at = |value: &String| others.iter().position(|other| other == value);
        x.iter().zip(&own).map(|(item, value)| Some((item, &y[at(value)?]))).collect()
    })
}

/// Whether two arrays contain the same elements in another order.
fn is_reordered(a: &Shape, b: &Shape) -> bool {
    let differ = a.exact().zip(b.exact()).is_some_and(|(x, y)| !same(&x, &y));
    differ && a.items().zip(b.items()).is_some_and(|(x, y)| same_items(&x, &y))
}

/// The elements of two arrays, for comparison in any order. If some are not fully known, only the fields that are known
/// in every element of both arrays.
fn known_parts(a: &Shape, b: &Shape) -> Option<(Vec<Json>, Vec<Json>)> {
    if let Some(both) = a.items().zip(b.items()) {
        return Some(both);
    }
    let of = |shape: &Shape| match &*opened(shape) {
        Shape::Array(items) | Shape::Bag(items) => Some(items.clone()),
        _ => None,
    };
    let (x, y) = (of(a)?, of(b)?);
    let known = |shape: &Shape| -> Option<BTreeSet<String>> {
        let opened = opened(shape);
        let Shape::Object(fields) = &*opened else { return None };
        Some(fields.iter().filter(|(_, field)| field.exact().is_some()).map(|(name, _)| name.clone()).collect())
    };
    let mut each = x.iter().chain(&y).map(known);
    let first = each.next()??;
    let names =
        each.try_fold(first, |all, other| Some(all.intersection(&other?).cloned().collect::<BTreeSet<String>>()))?;
    let cut = |shape: &Shape| -> Json {
        let opened = opened(shape);
        let Shape::Object(fields) = &*opened else { return Json::Null };
        let kept = fields.iter().filter(|(name, _)| names.contains(name));
        kept.filter_map(|(name, field)| Some((name.clone(), field.exact()?))).collect::<serde_json::Map<_, _>>().into()
    };
    Some((x.iter().map(cut).collect(), y.iter().map(cut).collect()))
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
        (Shape::Array(_), Shape::Array(_)) if is_reordered(a, b) => {
            *effect = ChangeEffect::Breaking;
            let name = if path.is_empty() { "the body" } else { path };
            say(parts, format!("{name} comes in another order"));
            return;
        }
        (Shape::Array(x), Shape::Array(y)) if x.len() == y.len() => {
            for (one, other) in x.iter().zip(y) {
                compare(&format!("{path}[*]"), one, other, parts, effect);
            }
            return;
        }
        // Without a fixed order, elements can be paired only by an identifying field.
        (Shape::Array(x) | Shape::Bag(x), Shape::Array(y) | Shape::Bag(y)) => {
            if let Some(pairs) = paired(x, y) {
                for (one, other) in pairs {
                    compare(&format!("{path}[*]"), one, other, parts, effect);
                }
                return;
            }
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
        // If one of the arrays has no fixed order, only the elements count.
        None => known_parts(a, b).is_some_and(|(x, y)| !same_items(&x, &y)),
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
