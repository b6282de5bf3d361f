//! References in a document: finds reachable components, and replaces keys by names.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use mastor_types::described::{Component, SCHEMAS, references};

/// Keys of the components that operations refer to, directly or indirectly.
pub(super) fn reached(
    operations: &[openapiv3::Operation],
    components: &BTreeMap<String, Component>,
) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut waiting: Vec<String> = Vec::new();
    for operation in operations {
        references(&serde_json::to_value(operation).unwrap_or_default(), &mut waiting);
    }
    while let Some(key) = waiting.pop() {
        if let Some(component) = components.get(&key)
            && found.insert(key)
        {
            references(&serde_json::to_value(&component.schema).unwrap_or_default(), &mut waiting);
        }
    }
    found
}

/// Replaces component keys by names.
pub(super) fn rename(value: &mut Value, names: &BTreeMap<String, String>) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map.iter_mut() {
                let name = inner.as_str().and_then(|text| text.strip_prefix(SCHEMAS)).and_then(|text| names.get(text));
                match name.filter(|_| key == "$ref") {
                    Some(name) => *inner = Value::String(format!("{SCHEMAS}{name}")),
                    None => rename(inner, names),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|inner| rename(inner, names)),
        _ => {}
    }
}
