//! Events: calls that change something outside the service.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Class and method: `com.acme.Mailer#send`.
    pub call: String,
    /// What is handed over, as it was then; null where it is not looked at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<Value>,
}

impl Event {
    /// The call with the simple name of its class: `Mailer.send`.
    pub fn name(&self) -> String {
        let simple = self.call.split('#').next().and_then(|class| class.rfind('.')).map_or(0, |dot| dot + 1);
        self.call[simple..].replace('#', ".")
    }

    /// The arguments as text; one that is not compared is shown as `…`.
    pub fn handed(&self) -> String {
        let one = |value: &Value| if value.is_null() { "…".to_owned() } else { value.to_string() };
        self.arguments.iter().map(one).collect::<Vec<String>>().join(", ")
    }

    /// The call with the values that are equal in both events, the others set to null; `None` for calls of other
    /// methods or with another number of arguments.
    pub fn in_common(&self, other: &Self) -> Option<Self> {
        if self.call != other.call || self.arguments.len() != other.arguments.len() {
            return None;
        }
        let both = self.arguments.iter().zip(&other.arguments);
        Some(Self { call: self.call.clone(), arguments: both.map(|(one, other)| common(one, other)).collect() })
    }

    /// The first value that differs between two calls of one method: its place in the arguments and both values. `None`
    /// where all compared values are equal. Where the number of arguments differs, the place is `None` and both lists
    /// are returned.
    pub fn first_difference(&self, other: &Self) -> Option<(Option<String>, String, String)> {
        if self.arguments.len() != other.arguments.len() {
            return Some((None, format!("({})", self.handed()), format!("({})", other.handed())));
        }
        let all = self.arguments.iter().zip(&other.arguments).enumerate();
        all.into_iter().find_map(|(at, (one, other))| {
            let (place, was, is) = differing(&format!("argument {}", at + 1), one, other)?;
            Some((Some(place), was, is))
        })
    }

    /// The call, then one line of place and value for each value that is compared.
    pub fn lines(&self) -> Vec<String> {
        let mut out = vec![self.call.clone()];
        for (at, argument) in self.arguments.iter().enumerate() {
            lines(&format!("/{at}"), argument, &mut out);
        }
        out
    }
}

fn common(one: &Value, other: &Value) -> Value {
    match (one, other) {
        (Value::Object(fields), Value::Object(more)) => {
            let both = fields.iter().filter_map(|(key, value)| Some((key.clone(), common(value, more.get(key)?))));
            Value::Object(both.collect())
        }
        (Value::Array(items), Value::Array(more)) if items.len() == more.len() => {
            Value::Array(items.iter().zip(more).map(|(one, other)| common(one, other)).collect())
        }
        _ if one == other => one.clone(),
        _ => Value::Null,
    }
}

/// Place and values of the first difference; null in either value means that it is not compared.
fn differing(at: &str, one: &Value, other: &Value) -> Option<(String, String, String)> {
    match (one, other) {
        (Value::Null, _) | (_, Value::Null) => None,
        (Value::Object(fields), Value::Object(more)) => {
            fields.iter().find_map(|(key, value)| differing(&format!("{at}.{key}"), value, more.get(key)?))
        }
        (Value::Array(items), Value::Array(more)) if items.len() == more.len() => {
            let mut all = items.iter().zip(more).enumerate();
            all.find_map(|(place, (one, other))| differing(&format!("{at}[{place}]"), one, other))
        }
        _ => (one != other).then(|| (at.to_owned(), one.to_string(), other.to_string())),
    }
}

fn lines(at: &str, value: &Value, out: &mut Vec<String>) {
    match value {
        Value::Null => {}
        Value::Object(fields) => fields.iter().for_each(|(key, one)| lines(&format!("{at}/{key}"), one, out)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(place, one)| lines(&format!("{at}/{place}"), one, out));
        }
        leaf => out.push(format!("{}\t{leaf}", at.replace(['\t', '\r', '\n'], " "))),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_two_calls_have_in_common_is_what_is_looked_at() {
        let event = |at: &str| Event {
            call: "com.acme.Mailer#send".to_owned(),
            arguments: vec![json!("ada"), json!({"text": "x", "at": at}), json!(at)],
        };
        let both = event("1").in_common(&event("2")).unwrap();
        assert_eq!(both.arguments, [json!("ada"), json!({"text": "x", "at": null}), Value::Null]);
        assert_eq!(both.lines(), ["com.acme.Mailer#send", "/0\t\"ada\"", "/1/text\t\"x\""]);
        assert_eq!(both.handed(), r#""ada", {"text":"x","at":null}, …"#);
        assert_eq!(both.name(), "Mailer.send");
        assert_eq!(event("1").in_common(&Event { arguments: Vec::new(), ..event("1") }), None);
        let (place, was, is) = event("1").first_difference(&event("2")).unwrap();
        assert_eq!((place.as_deref(), was.as_str(), is.as_str()), (Some("argument 2.at"), r#""1""#, r#""2""#));
        assert_eq!((event("1").first_difference(&event("1")), both.first_difference(&event("2"))), (None, None));
    }
}
