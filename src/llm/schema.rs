//! Validates values against a schema, with error messages for the model.

use serde_json::Value;

use super::ask::{AskError, Schema};

/// Maximum number of errors reported.
const FAULTS: usize = 8;
/// Maximum length of one error message.
const LONGEST: usize = 240;

/// A compiled schema.
#[derive(Debug)]
pub(super) struct Judge<'s> {
    pub schema: &'s Value,
    validator: jsonschema::Validator,
}

impl<'s> Judge<'s> {
    pub(super) fn new(schema: &'s Schema) -> Result<Self, AskError> {
        let validator = jsonschema::draft202012::new(schema.taken())
            .map_err(|error| AskError::NotAsAsked(format!("`{}` is no schema: {error}", schema.name)))?;
        Ok(Self { schema: schema.taken(), validator })
    }

    pub(super) fn fits(&self, value: &Value) -> bool {
        self.validator.is_valid(value)
    }

    /// Validation errors, one a line; `None` where the value is valid.
    pub(super) fn faults(&self, value: &Value) -> Option<String> {
        let mut errors = self.validator.iter_errors(value);
        let mut lines: Vec<String> = errors
            .by_ref()
            .take(FAULTS)
            .map(|error| {
                let place = error.instance_path().to_string();
                let place = if place.is_empty() { "the whole value".to_owned() } else { place };
                let mut what: String = error.to_string().chars().take(LONGEST).collect();
                if what.chars().count() == LONGEST {
                    what.push('…');
                }
                format!("- {place}: {what}")
            })
            .collect();
        let more = errors.count();
        if more > 0 {
            lines.push(format!("- and {more} more"));
        }
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

/// Whether endpoints can enforce the schema strictly: every object requires all its members and allows no others.
pub(super) fn is_strict(schema: &Value) -> bool {
    match schema {
        Value::Object(object) => {
            let of_object = object.get("type").is_some_and(|kind| {
                kind == "object" || kind.as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "object"))
            });
            let members = object.get("properties").and_then(Value::as_object);
            if of_object || members.is_some() {
                let required: Vec<&str> = object
                    .get("required")
                    .and_then(Value::as_array)
                    .into_iter()
                    .flatten()
                    .filter_map(Value::as_str)
                    .collect();
                let all = members.is_some_and(|members| members.keys().all(|name| required.contains(&name.as_str())));
                if !all || object.get("additionalProperties") != Some(&Value::Bool(false)) {
                    return false;
                }
            }
            object.iter().all(|(key, value)| match key.as_str() {
                "properties" | "$defs" | "definitions" => {
                    value.as_object().is_some_and(|members| members.values().all(is_strict))
                }
                "items" | "anyOf" => is_strict(value),
                "oneOf" | "allOf" | "not" | "if" | "patternProperties" | "prefixItems" => false,
                _ => true,
            })
        }
        Value::Array(schemas) => schemas.iter().all(is_strict),
        Value::Bool(_) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_closed_objects_are_strict() {
        let closed = json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false});
        assert!(is_strict(&closed));
        assert!(is_strict(&json!({"type": "array", "items": closed})));
        assert!(!is_strict(&json!({"type": "object", "properties": {"a": {}}, "additionalProperties": false})));
        assert!(!is_strict(&json!({"type": "object"})));
        assert!(!is_strict(&json!({"type": "array", "items": {"oneOf": [closed]}})));
    }

    #[test]
    fn faults_name_their_place() {
        let schema = Schema {
            name: "x",
            json: json!({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a", "b"]}),
            takes: None,
        };
        let judge = Judge::new(&schema).unwrap();
        let faults = judge.faults(&json!({"a": "x"})).unwrap();
        assert!(faults.contains("- /a: ") && faults.contains("\"b\""), "{faults}");
        assert_eq!(judge.faults(&json!({"a": 1, "b": 2})), None);
    }
}
