//! Names in a document: of schemas (a class may be written and read in different forms) and of operations.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::paths::Routed;
use mastor_types::described::{Component, SCHEMAS};

/// Component names by key; equal components of one class share a name.
pub(super) fn component_names(
    components: &BTreeMap<String, Component>,
    reached: &BTreeSet<String>,
) -> BTreeMap<String, String> {
    let parts = parts(components, reached);
    let mut by_part: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for (key, part) in &parts {
        by_part.entry(*part).or_default().push(key);
    }
    // Schemas of answers come first, so that they get the plain name.
    let mut groups: Vec<Vec<&str>> = by_part.into_values().collect();
    groups.sort_by_key(|keys| keys.iter().map(|key| (way(key), *key)).min());
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut owners: BTreeMap<String, &str> = BTreeMap::new();
    let mut names = BTreeMap::new();
    for keys in groups {
        let Some(first) = keys.iter().min_by_key(|key| (way(key), **key)) else { continue };
        let plain = components.get(*first).map_or_else(String::new, |component| plain(&component.name));
        let class = class(first);
        let name = if !taken.contains(&plain) {
            plain.clone()
        } else if owners.get(&plain).is_some_and(|owner| *owner == class) {
            format!("{plain}Request")
        } else {
            format!("{}{plain}", package(class))
        };
        let name = free(&name, &taken);
        taken.insert(name.clone());
        owners.entry(plain).or_insert(class);
        names.extend(keys.into_iter().map(|key| (key.to_owned(), name.clone())));
    }
    names
}

/// Partitions the components of each class into equal ones, numbered: they must be equal in all they refer to as well.
fn parts(components: &BTreeMap<String, Component>, reached: &BTreeSet<String>) -> BTreeMap<String, usize> {
    let known: Vec<(&String, Value)> = components
        .iter()
        .filter(|(key, _)| reached.contains(*key))
        .map(|(key, component)| (key, serde_json::to_value(&component.schema).unwrap_or_default()))
        .collect();
    let mut parts: BTreeMap<String, usize> = BTreeMap::new();
    let mut count = 0;
    loop {
        let mut numbers: BTreeMap<(&str, String), usize> = BTreeMap::new();
        let mut next = BTreeMap::new();
        for (key, value) in &known {
            let said = (class(key), with_parts(value, &parts).to_string());
            let fresh = numbers.len();
            next.insert((*key).clone(), *numbers.entry(said).or_insert(fresh));
        }
        parts = next;
        if numbers.len() == count {
            return parts;
        }
        count = numbers.len();
    }
}

/// A schema with the references replaced by their partition numbers.
fn with_parts(value: &Value, parts: &BTreeMap<String, usize>) -> Value {
    match value {
        Value::Object(map) => {
            let inner = map.iter().map(|(key, inner)| {
                let referred = inner.as_str().and_then(|text| text.strip_prefix(SCHEMAS)).filter(|_| key == "$ref");
                match referred {
                    Some(referred) => {
                        // In the first round, all schemas of a class count as equal.
                        let part = parts.get(referred).map_or_else(|| class(referred).into(), |part| (*part).into());
                        (key.clone(), part)
                    }
                    None => (key.clone(), with_parts(inner, parts)),
                }
            });
            Value::Object(inner.collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(|inner| with_parts(inner, parts)).collect()),
        other => other.clone(),
    }
}

/// The class in a key, with type arguments.
fn class(key: &str) -> &str {
    key.rsplit_once(':').map_or(key, |(class, _)| class)
}

/// Rank among the schemas of one class, by how the class is used.
fn way(key: &str) -> usize {
    let way = key.rsplit_once(':').map_or("", |(_, way)| way);
    ["written", "enum", "validated", "read"].iter().position(|known| *known == way).unwrap_or(4)
}

/// A name without the characters that schema names must not have.
fn plain(name: &str) -> String {
    let name: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    if name.is_empty() { "Schema".to_owned() } else { name }
}

/// The last part of the class's package, or its enclosing class, as a name prefix.
fn package(class: &str) -> String {
    let bare = class.split('<').next().unwrap_or(class);
    let last = bare.rsplit('.').nth(1).unwrap_or_default();
    let mut letters = last.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    plain(&first.into_iter().chain(letters).collect::<String>())
}

fn free(name: &str, taken: &BTreeSet<String>) -> String {
    if !taken.contains(name) {
        return name.to_owned();
    }
    (2..).map(|number| format!("{name}{number}")).find(|name| !taken.contains(name)).unwrap_or_default()
}

/// Unique operation ids: the name of the handler method, with its class where that is ambiguous.
pub(super) fn operation_ids(routes: &[Routed<'_>]) -> Vec<String> {
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    for route in routes {
        *uses.entry(plain(&route.described.handler)).or_default() += 1;
    }
    let mut taken = BTreeSet::new();
    let id = |route: &Routed<'_>| {
        let own = plain(&route.described.handler);
        let with_class = format!("{}_{own}", plain(&route.described.class));
        let id = free(if uses.get(&own) == Some(&1) { &own } else { &with_class }, &taken);
        taken.insert(id.clone());
        id
    };
    routes.iter().map(id).collect()
}
