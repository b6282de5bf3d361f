//! Records hints: uses of texts and numbers in the calls and comparisons of a running path.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::hints::{Hint, Use};
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::LibraryCall;
use crate::interpret::library::base::contents::{Contents, contents};
use crate::interpret::library::base::support::{reference, text};
use crate::interpret::library::text::matching::pattern_texts::Compiled;
use crate::interpret::library::text::matching::regex_samples::samples;
use crate::interpret::values::scalar::Scalar;
use crate::interpret::values::value::Value;

/// Maximum number of hints of one run, of keys of one map, and of letters of a text.
const MOST: usize = 200;
const KEYS: usize = 4;
const LENGTH: usize = 60;

/// Records a comparison of two numbers.
#[cold]
pub(in crate::interpret) fn note_numbers(machine: &Machine<'_>, a: &Scalar, b: &Scalar) {
    let (Some(a), Some(b)) = (a.as_long(), b.as_long()) else { return };
    let mut noted = machine.codes.hinted.borrow_mut();
    let Some(noted) = noted.as_mut().filter(|noted| a != b && noted.len() < MOST) else { return };
    for (own, other) in [(a, b), (b, a)] {
        noted.insert(Hint { text: own.to_string().into(), used: Use::Near(other) });
    }
}

/// Records the uses of texts in a call.
#[cold]
pub(in crate::interpret) fn note(machine: &Machine<'_>, call: &LibraryCall<'_>) {
    let mut found: Vec<(&str, Use)> = Vec::new();
    let own = call.receiver.and_then(text);
    let first = call.args.first();
    match (own, call.name, first.and_then(text)) {
        (Some(own), "split", Some(by)) => {
            let parts = samples(by).into_iter().take(2).chain([by.to_owned()]);
            found.extend(parts.map(|part| (own, Use::Parts(part.into()))));
        }
        (Some(own), "indexOf" | "lastIndexOf" | "contains", Some(by)) => found.push((own, Use::Parts(by.into()))),
        (Some(own), "indexOf" | "lastIndexOf", None) => {
            let by = first.and_then(letter);
            found.extend(by.map(|by| (own, Use::Parts(by.into()))));
        }
        (Some(own), "trim" | "strip" | "stripLeading" | "stripTrailing" | "isBlank", None) => {
            found.push((own, Use::Blanks));
        }
        (Some(own), "toLowerCase" | "toUpperCase", _) => found.push((own, Use::Case)),
        (Some(own), "equals" | "contentEquals", Some(other)) if own != other => meet(&mut found, own, other),
        (Some(own), "equalsIgnoreCase" | "compareToIgnoreCase", Some(other)) => {
            found.extend([(own, Use::Case), (other, Use::Case)]);
            meet(&mut found, own, other);
        }
        (None, "<init>", Some(own)) if call.fqn == "java.util.StringTokenizer" => {
            let by = call.args.get(1).and_then(text).unwrap_or(" ");
            found.extend(by.chars().take(2).map(|by| (own, Use::Parts(by.to_string().into()))));
        }
        (None, "split" | "splitAsStream", Some(own)) => {
            let pattern = call.receiver.and_then(reference).and_then(|id| machine.native::<Compiled>(id));
            let parts = pattern.into_iter().flat_map(|pattern| samples(&pattern.source).into_iter().take(2));
            found.extend(parts.map(|part| (own, Use::Parts(part.into()))));
        }
        (None, "equals" | "deepEquals", Some(own)) if call.receiver.is_none() => {
            if let Some(other) = call.args.get(1).and_then(text).filter(|other| *other != own) {
                meet(&mut found, own, other);
            }
        }
        (None, "get" | "getOrDefault" | "containsKey" | "contains" | "remove" | "indexOf", Some(own)) => {
            let keys = call.receiver.map(|held| texts_in(machine, held)).unwrap_or_default();
            found.extend(keys.into_iter().filter(|key| **key != *own).map(|key| (own, Use::Meets(key))));
        }
        _ => {}
    }
    if let (Some(own), "contains" | "startsWith" | "endsWith", Some(sought)) = (own, call.name, first.and_then(text))
        && own != sought
    {
        found.push((sought, Use::Meets(own.into())));
    }
    let theirs = match call.name {
        "removeAll" | "retainAll" | "containsAll" => first.map(|first| texts_in(machine, first)).unwrap_or_default(),
        _ => Vec::new(),
    };
    let held = call.receiver.filter(|_| !theirs.is_empty()).map(|held| texts_in(machine, held)).unwrap_or_default();
    for own in &theirs {
        found.extend(held.iter().filter(|key| *key != own).map(|key| (&**own, Use::Meets(key.clone()))));
    }
    let mut noted = machine.codes.hinted.borrow_mut();
    let Some(noted) = noted.as_mut() else { return };
    for (text, used) in found {
        if noted.len() < MOST && (1..=LENGTH).contains(&text.len()) {
            noted.insert(Hint { text: text.into(), used });
        }
    }
}

fn meet<'t>(found: &mut Vec<(&'t str, Use)>, own: &'t str, other: &'t str) {
    found.extend([(own, Use::Meets(other.into())), (other, Use::Meets(own.into()))]);
}

/// The text of a letter passed as `char` or code point.
fn letter(value: &Value) -> Option<String> {
    let unit = match value {
        Value::Scalar(Scalar::Char(unit)) => u32::from(*unit),
        Value::Scalar(Scalar::Int(point)) => u32::try_from(*point).ok()?,
        _ => return None,
    };
    char::from_u32(unit).map(String::from)
}

/// The first texts in a collection, or among the keys of a map.
fn texts_in(machine: &Machine<'_>, held: &Value) -> Vec<Rc<str>> {
    reference(held).and_then(|id| contents(&machine.heap, id)).map(held_texts).unwrap_or_default()
}

fn held_texts(held: Contents) -> Vec<Rc<str>> {
    let items = match held {
        Contents::Map(pairs) | Contents::Pairs(pairs) => pairs.into_iter().map(|(key, _)| key).collect(),
        Contents::List(items) | Contents::Set(items) | Contents::Bag(items) | Contents::Collection(items) => items,
        _ => Vec::new(),
    };
    let texts: BTreeSet<Rc<str>> = items.iter().filter_map(text).map(Rc::from).collect();
    texts.into_iter().take(KEYS).collect()
}
