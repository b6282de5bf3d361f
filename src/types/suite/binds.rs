//! Binds of a sequence: the places of a request that receive captured values.

use std::collections::BTreeMap;

use serde_json::Value;

/// The capture that a bind names: `$captures.id` → `id`.
pub fn captured(bind: &str) -> Option<&str> {
    bind.strip_prefix("$captures.")
}

/// The JSON body with every bind below `body.` written into it as `"$captures.name"`; `None` without such a bind.
pub fn bound_body(json: &Value, binds: &BTreeMap<String, String>) -> Option<Value> {
    let mut bound = json.clone();
    let mut any = false;
    for (place, value) in binds {
        let Some(path) = place.strip_prefix("body.") else { continue };
        any |= set(&mut bound, path, Value::String(value.clone()));
    }
    any.then_some(bound)
}

/// A JSON object with the value at a dotted path, whose objects are made where they are missing.
pub fn written(mut object: Value, path: &str, value: Value) -> Value {
    let mut at = &mut object;
    let mut keys = path.split('.').peekable();
    while let Some(key) = keys.next() {
        let Value::Object(map) = at else { return object };
        if keys.peek().is_none() {
            map.insert(key.to_owned(), value);
            break;
        }
        at = map.entry(key).or_insert_with(|| Value::Object(serde_json::Map::new()));
    }
    object
}

/// Sets the value at a dotted path with `[0]`; the last key may be new.
fn set(root: &mut Value, path: &str, value: Value) -> bool {
    let pointer: String = path
        .replace('[', ".")
        .replace(']', "")
        .split('.')
        .map(|key| format!("/{}", key.replace('~', "~0").replace('/', "~1")))
        .collect();
    if let Some(place) = root.pointer_mut(&pointer) {
        *place = value;
        return true;
    }
    let (parent, key) = pointer.rsplit_once('/').unwrap_or(("", &pointer));
    match root.pointer_mut(parent) {
        Some(Value::Object(map)) => map.insert(key.replace("~1", "/").replace("~0", "~"), value).is_none(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn binds_are_written_where_their_path_leads() {
        let binds =
            [("body.a[1].b".to_owned(), "$captures.x".to_owned()), ("path.id".to_owned(), "$captures.y".to_owned())]
                .into();
        let body = json!({"a": [{}, {"b": 1}]});
        assert_eq!(bound_body(&body, &binds), Some(json!({"a": [{}, {"b": "$captures.x"}]})));
        assert_eq!(bound_body(&body, &BTreeMap::new()), None);
    }
}
