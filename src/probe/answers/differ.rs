//! Differ: compares the answers of base and head to the same request, ignoring what varies within either.

use std::collections::BTreeSet;

use serde_json::Value;

use super::field_path::{Lies, child, element, lies};
use super::judge::Parsed;
use super::unstable::{Moment, Unstable, Variation, unstable};
use mastor_types::results::change::{ChangeEffect, is_wording};
use mastor_types::results::outcome::Answer;

/// Maximum length of a shown value, in characters.
const SHOWN: usize = 120;
/// Maximum number of places named for one request; further ones are counted.
const PLACES: usize = 8;

/// A difference between the answers of base and head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Place of the difference: `status`, `body`, `media type`, a header, or a field path.
    pub place: String,
    /// The base's value there, if any.
    pub before: Option<String>,
    /// The head's value there, if any.
    pub after: Option<String>,
    /// Its effect on clients.
    pub effect: ChangeEffect,
}

/// The differences between base and head in their answers to one request. Each needs at least one answer; several show
/// what varies.
pub fn differ(base: &[Answer], head: &[Answer], base_moment: &Moment, head_moment: &Moment) -> Vec<Difference> {
    let (Some(before), Some(after)) = (base.first(), head.first()) else { return Vec::new() };
    let statuses = |answers: &[Answer]| answers.iter().map(|a| a.status).collect::<BTreeSet<u16>>();
    if !statuses(base).is_disjoint(&statuses(head)) && before.status != after.status {
        return Vec::new();
    }
    if before.status != after.status {
        let effect = ChangeEffect::of_statuses(before.status, after.status);
        return vec![Difference {
            place: "status".to_owned(),
            before: Some(before.status.to_string()),
            after: Some(after.status.to_string()),
            effect,
        }];
    }
    let mut out = Vec::new();
    let (was, is) = (before.media_type(), after.media_type());
    if was != is {
        let said = |media: String| (!media.is_empty()).then_some(media);
        let (before, after) = (said(was), said(is));
        out.push(Difference { place: "media type".to_owned(), before, after, effect: ChangeEffect::Breaking });
    }
    if let (Some(was), Some(is)) = (location(base, base_moment), location(head, head_moment))
        && was != is
    {
        let effect = if was.is_some() { ChangeEffect::Breaking } else { ChangeEffect::Additive };
        out.push(Difference { place: "header Location".to_owned(), before: was, after: is, effect });
    }
    let bodies = |answers: &[Answer]| answers.iter().map(|answer| Parsed::of(answer).into_value()).collect::<Vec<_>>();
    let (old, new) = (bodies(base), bodies(head));
    let mut varies = unstable(&old, base_moment);
    varies.extend(unstable(&new, head_moment));
    match (&old[0], &new[0]) {
        (Some(old), Some(new)) => {
            compare("", old, new, &varies, &mut out);
            let sentence = |one: &Difference| one.before.is_some() && one.after.is_some();
            for other in out.iter_mut().filter(|one| sentence(one) && is_wording(after.status, &one.place)) {
                other.effect = ChangeEffect::Unclear;
            }
        }
        (None, None) => {}
        (Some(_), None) if !varies.iter().any(|one| one.path.is_empty()) => out.push(Difference {
            place: "body".to_owned(),
            before: old[0].as_ref().map(shown),
            after: None,
            effect: ChangeEffect::Breaking,
        }),
        (None, Some(new)) if !varies.iter().any(|one| one.path.is_empty()) => out.push(Difference {
            place: "body".to_owned(),
            before: None,
            after: Some(shown(new)),
            effect: ChangeEffect::Additive,
        }),
        _ => {}
    }
    if out.len() > PLACES {
        let more = out.len() - PLACES;
        out.truncate(PLACES);
        out.push(Difference {
            place: format!("{more} more places"),
            before: None,
            after: None,
            effect: ChangeEffect::Unclear,
        });
    }
    out
}

/// The target of a redirect, without the service's own address and with `#` for numbers. `None` where it varies.
pub(crate) fn location(answers: &[Answer], moment: &Moment) -> Option<Option<String>> {
    let of = |answer: &Answer| {
        let text = answer.header("location")?;
        let own = text.split_once("://").and_then(|(_, rest)| rest.strip_prefix(moment.authority.as_str()));
        let segments = own.unwrap_or(text).split('/').map(|segment| {
            let counted = !segment.is_empty() && segment.bytes().all(|b| b.is_ascii_digit());
            if counted { "#" } else { segment }
        });
        Some(segments.collect::<Vec<_>>().join("/"))
    };
    let mut all = answers.iter().map(of);
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}

fn compare(path: &str, old: &Value, new: &Value, varies: &[Unstable], out: &mut Vec<Difference>) {
    let here = varies.iter().find(|one| matches!(lies(path, &one.path), Lies::At | Lies::Below));
    if let Some(here) = here {
        let (Variation::Order, Value::Array(a), Value::Array(b)) = (here.why, old, new) else { return };
        if lies(path, &here.path) != Lies::At || multiset(a) == multiset(b) {
            return;
        }
    }
    if old == new {
        return;
    }
    match (old, new) {
        (Value::Object(a), Value::Object(b)) => {
            let keys: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            for key in keys {
                let path = child(path, key);
                match (a.get(key), b.get(key)) {
                    (Some(a), Some(b)) => compare(&path, a, b, varies, out),
                    _ if varies.iter().any(|one| lies(&path, &one.path) == Lies::At) => {}
                    (was, is) => out.push(Difference {
                        place: path,
                        before: was.map(shown),
                        after: is.map(shown),
                        effect: if was.is_some() { ChangeEffect::Breaking } else { ChangeEffect::Additive },
                    }),
                }
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (index, (a, b)) in a.iter().zip(b).enumerate() {
                compare(&element(path, index), a, b, varies, out);
            }
        }
        (old, new) => {
            let numbers = |a: &Value, b: &Value| a.as_f64().is_some() && a.as_f64() == b.as_f64();
            if !numbers(old, new) {
                out.push(Difference {
                    place: if path.is_empty() { "body".to_owned() } else { path.to_owned() },
                    before: Some(shown(old)),
                    after: Some(shown(new)),
                    effect: ChangeEffect::Breaking,
                });
            }
        }
    }
}

fn multiset(items: &[Value]) -> Vec<String> {
    let mut texts: Vec<String> = items.iter().map(mastor_types::suite::input::canonical).collect();
    texts.sort_unstable();
    texts
}

/// A value for display, truncated if long.
pub fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= SHOWN {
        return text;
    }
    format!("{}…", text.chars().take(SHOWN).collect::<String>())
}
