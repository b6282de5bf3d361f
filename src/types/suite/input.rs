//! The request that an oracle sends, and the id that it gives an oracle.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::hash::Hash;
use crate::op_id::OpId;

/// The request that an oracle sends.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Values of the path template's parameters, not yet encoded.
    #[serde(default)]
    pub path: std::collections::BTreeMap<String, String>,
    /// Query parameters in order; a name may stand twice.
    #[serde(default)]
    pub query: Vec<(String, String)>,
    /// Headers in order.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
    /// Cookies in order.
    #[serde(default)]
    pub cookies: Vec<(String, String)>,
    /// Body; absent for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Body>,
}

/// A request body, so that malformed, empty and non-JSON ones can be said too.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(untagged)]
pub enum Body {
    /// A JSON value, sent as `application/json`.
    Json {
        /// The value.
        json: Value,
    },
    /// Text of some media type, sent as it stands.
    Text {
        /// The text.
        text: String,
        /// Media type.
        media_type: String,
    },
    /// Bytes of some media type.
    Base64 {
        /// The bytes.
        base64: String,
        /// Media type.
        media_type: String,
    },
    /// `application/x-www-form-urlencoded`.
    Form {
        /// Names and values in order.
        form: Vec<(String, String)>,
    },
    /// `multipart/form-data`.
    Multipart {
        /// The parts in order.
        multipart: Vec<Part>,
    },
}

/// One part of a multipart body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Name of the form field.
    pub name: String,
    /// File name, for a file part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filename: Option<String>,
    /// Media type of the part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// Content as text.
    pub text: String,
}

/// The id of an oracle that sends this request: 16 hexadecimal digits over operation, user and input.
pub fn identity(op_id: &OpId, as_user: &str, input: &Input) -> String {
    let input = canonical(&serde_json::to_value(input).unwrap_or_default());
    Hash::of_parts([op_id.as_str().as_bytes(), as_user.as_bytes(), input.as_bytes()]).short(16)
}

/// JSON with sorted keys and without white space, so that equal values give equal text.
pub fn canonical(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let mut keys: Vec<_> = map.iter().collect();
            keys.sort_by(|a, b| a.0.cmp(b.0));
            let inner: Vec<String> =
                keys.iter().map(|(k, v)| format!("{}:{}", Value::from(k.as_str()), canonical(v))).collect();
            format!("{{{}}}", inner.join(","))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(",")),
        other => other.to_string(),
    }
}

/// The value with sorted object keys, the order in which a body is sent (see [`canonical`]).
pub fn in_order(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<(&String, &Value)> = map.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            Value::Object(entries.into_iter().map(|(key, value)| (key.clone(), in_order(value))).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(in_order).collect()),
        other => other.clone(),
    }
}
