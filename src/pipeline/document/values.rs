//! Parts of the described document that are inserted into the given one: in the syntax of its version, with the schemas
//! that they reference.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use mastor_openapi::SpecVersion;
use mastor_types::OpId;
use mastor_types::described::references;

/// The operation of this name.
pub fn operation_of<'v>(document: &'v Value, name: &OpId) -> Option<&'v Value> {
    document.get("paths")?.get(name.path())?.get(name.method().as_str().to_lowercase())
}

/// The schemas that values reference, directly or through other schemas, without those in `given`.
pub fn components(document: &Value, values: &[Value], given: &BTreeSet<String>) -> BTreeMap<String, Value> {
    let mut found = BTreeMap::new();
    let mut waiting = Vec::new();
    values.iter().for_each(|value| references(value, &mut waiting));
    while let Some(name) = waiting.pop() {
        if given.contains(&name) || found.contains_key(&name) {
            continue;
        }
        let Some(schema) = document.pointer(&format!("/components/schemas/{name}")) else { continue };
        references(schema, &mut waiting);
        found.insert(name, schema.clone());
    }
    found
}

/// Converts a part to a version of OpenAPI: 3.1 writes null as a type, and exclusive bounds as numbers.
pub fn for_version(mut value: Value, version: SpecVersion) -> Value {
    if version == SpecVersion::V31 {
        as_31(&mut value);
    }
    value
}

fn as_31(value: &mut Value) {
    match value {
        Value::Object(map) => {
            // Examples contain no schemas.
            map.iter_mut().filter(|(key, _)| *key != "example" && *key != "value").for_each(|(_, inner)| as_31(inner));
            for (open, end) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
                if map.get(open) == Some(&Value::Bool(true)) {
                    let bound = map.shift_remove(end).unwrap_or_default();
                    map.insert(open.to_owned(), bound);
                }
            }
            if map.get("nullable") == Some(&Value::Bool(true)) {
                map.shift_remove("nullable");
                match map.get("type").cloned() {
                    Some(own @ Value::String(_)) => drop(map.insert("type".to_owned(), json!([own, "null"]))),
                    _ => {
                        let own = Value::Object(std::mem::take(map));
                        map.insert("anyOf".to_owned(), json!([own, {"type": "null"}]));
                    }
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(as_31),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_3_1_says_otherwise_is_said_so() {
        let value = json!({"type": "number", "minimum": 0, "exclusiveMinimum": true, "nullable": true});
        let expected = json!({"type": ["number", "null"], "exclusiveMinimum": 0});
        assert_eq!(for_version(value.clone(), SpecVersion::V31), expected);
        assert_eq!(for_version(value.clone(), SpecVersion::V30), value);
    }
}
