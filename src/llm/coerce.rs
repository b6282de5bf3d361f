//! Coercion of reply values to a schema: scalars are converted where nothing is lost; lists and texts that are too long
//! are truncated.

use serde_json::{Map, Value};

/// Maximum nesting depth that is coerced.
const DEEPEST: usize = 64;

/// The value with scalars converted to the types of its schema; values that cannot be converted without loss are kept.
pub(super) fn coerced(value: &Value, schema: &Value) -> Value {
    fit(value, schema, schema, 0)
}

fn fit(value: &Value, schema: &Value, root: &Value, depth: usize) -> Value {
    if depth > DEEPEST {
        return value.clone();
    }
    let schema = resolved(schema, root);
    if let Some(choices) = ["anyOf", "oneOf"].into_iter().find_map(|key| schema.get(key).and_then(Value::as_array)) {
        let choices: Vec<&Value> = choices.iter().collect();
        return of_choices(value, &choices, root, depth);
    }
    match value {
        Value::Object(members) => {
            let known = schema.get("properties").and_then(Value::as_object);
            let required = schema.get("required").and_then(Value::as_array);
            let mut out = Map::new();
            for (name, member) in members {
                let own = known.and_then(|known| known.get(name));
                let member = match own.or_else(|| schema.get("additionalProperties").filter(|more| more.is_object())) {
                    Some(own) => fit(member, own, root, depth + 1),
                    None => member.clone(),
                };
                let needed = required.is_some_and(|required| required.iter().any(|other| other == name));
                // A null member is dropped if the schema makes it optional but not nullable.
                if member.is_null() && !needed && own.is_some_and(|own| !allows_null(resolved(own, root), root)) {
                    continue;
                }
                out.insert(name.clone(), member);
            }
            Value::Object(out)
        }
        Value::Array(items) => {
            let Some(own) = schema.get("items") else { return value.clone() };
            let most = schema.get("maxItems").and_then(Value::as_u64).and_then(|most| usize::try_from(most).ok());
            let items = items.iter().take(most.unwrap_or(usize::MAX));
            Value::Array(items.map(|item| fit(item, own, root, depth + 1)).collect())
        }
        Value::String(text) if schema.get("maxLength").and_then(Value::as_u64).is_some() => {
            let most = schema.get("maxLength").and_then(Value::as_u64).unwrap_or(u64::MAX);
            Value::String(text.chars().take(usize::try_from(most).unwrap_or(usize::MAX)).collect())
        }
        scalar => of_types(scalar, &types(schema)),
    }
}

/// The value coerced to the first choice that it then fits; the unchanged value where it fits none.
fn of_choices(value: &Value, choices: &[&Value], root: &Value, depth: usize) -> Value {
    let fits = |value: &Value, choice: &Value| {
        let mut whole = resolved(choice, root).clone();
        if let (Some(whole), Some(defs)) = (whole.as_object_mut(), root.get("$defs")) {
            whole.entry("$defs").or_insert_with(|| defs.clone());
        }
        jsonschema::draft202012::new(&whole).is_ok_and(|validator| validator.is_valid(value))
    };
    if choices.iter().any(|choice| fits(value, choice)) {
        return value.clone();
    }
    let mut tried = choices.iter().map(|choice| (fit(value, choice, root, depth + 1), choice));
    tried.find(|(value, choice)| fits(value, choice)).map_or_else(|| value.clone(), |(value, _)| value)
}

fn resolved<'v>(schema: &'v Value, root: &'v Value) -> &'v Value {
    let mut schema = schema;
    for _ in 0..8 {
        let Some(pointer) = schema.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix('#')) else {
            break;
        };
        let Some(target) = root.pointer(pointer) else { break };
        schema = target;
    }
    schema
}

fn types(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn allows_null(schema: &Value, root: &Value) -> bool {
    let choices = ["anyOf", "oneOf"].into_iter().find_map(|key| schema.get(key).and_then(Value::as_array));
    if let Some(choices) = choices {
        return choices.iter().any(|choice| allows_null(resolved(choice, root), root));
    }
    let types = types(schema);
    let listed = schema.get("enum").and_then(Value::as_array).is_none_or(|values| values.contains(&Value::Null));
    (types.is_empty() || types.contains(&"null")) && listed && schema.get("const").is_none_or(Value::is_null)
}

fn of_types(value: &Value, types: &[&str]) -> Value {
    let is = |kind: &str| match value {
        Value::Null => kind == "null",
        Value::Bool(_) => kind == "boolean",
        Value::Number(number) => {
            kind == "number" || (kind == "integer" && number.as_f64().is_some_and(|n| n.fract() == 0.0))
        }
        Value::String(_) => kind == "string",
        _ => true,
    };
    if types.is_empty() || types.iter().any(|kind| is(kind)) {
        return value.clone();
    }
    types.iter().find_map(|kind| of_type(value, kind)).unwrap_or_else(|| value.clone())
}

fn of_type(value: &Value, kind: &str) -> Option<Value> {
    match (value, kind) {
        (Value::String(text), "integer" | "number") => {
            let number: Value = serde_json::from_str(text.trim()).ok().filter(Value::is_number)?;
            // Texts such as `007` and `1e400` are kept, since a number would print differently.
            let printed = number.to_string();
            let same = printed == text.trim();
            (same && (kind == "number" || number.is_i64() || number.is_u64())).then_some(number)
        }
        (Value::String(text), "boolean") => match text.trim() {
            "true" | "True" | "TRUE" => Some(Value::Bool(true)),
            "false" | "False" | "FALSE" => Some(Value::Bool(false)),
            _ => None,
        },
        (Value::String(text), "null") => matches!(text.trim(), "null" | "None").then_some(Value::Null),
        (Value::Number(_) | Value::Bool(_), "string") => Some(Value::String(value.to_string())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn scalars_change_their_type_only_without_loss() {
        for (value, kind, expected) in [
            (json!("12"), json!("integer"), json!(12)),
            (json!("1.5"), json!("number"), json!(1.5)),
            (json!("1.5"), json!("integer"), json!("1.5")),
            (json!("007"), json!("integer"), json!("007")),
            (json!("12 apples"), json!("integer"), json!("12 apples")),
            (json!("true"), json!("boolean"), json!(true)),
            (json!("yes"), json!("boolean"), json!("yes")),
            (json!(404), json!("string"), json!("404")),
            (json!(true), json!("string"), json!("true")),
            (json!(1), json!("boolean"), json!(1)),
            (json!("null"), json!(["null", "integer"]), json!(null)),
            (json!("null"), json!(["null", "string"]), json!("null")),
            (json!(12), json!(["string", "null"]), json!("12")),
        ] {
            assert_eq!(coerced(&value, &json!({"type": kind})), expected, "{value} as {kind}");
        }
    }

    #[test]
    fn members_items_references_and_choices_are_looked_into() {
        let schema = json!({
            "type": "object",
            "properties": {
                "list": {"type": "array", "items": {"$ref": "#/$defs/item"}},
                "note": {"type": "string"},
                "either": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            },
            "$defs": {"item": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}},
        });
        let value = json!({"list": [{"n": "1"}, {"n": 2}], "note": null, "either": "3", "other": "4"});
        assert_eq!(coerced(&value, &schema), json!({"list": [{"n": 1}, {"n": 2}], "either": 3, "other": "4"}));
    }
}
