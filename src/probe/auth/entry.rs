//! One user of an auth file, in the file's format.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::secret::Secret;
use mastor_types::Hash;
use mastor_types::http::Method;

/// A user.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Entry {
    /// Unique name, which an oracle's `as` refers to.
    pub name: String,
    /// Accepted and ignored: mastor has no mocks.
    #[serde(default, rename = "requireMockHandling")]
    _require_mock_handling: Option<bool>,
    /// Headers sent with every request.
    #[serde(default)]
    pub fixed_headers: Vec<Header>,
    /// A login request that gives a token or cookies.
    #[serde(default)]
    pub login_endpoint_auth: Option<Login>,
    /// The request that creates the user, sent before the first login on each fresh state.
    #[serde(default)]
    pub create_users: Option<CreateUsers>,
}

/// A request that creates a user, with its placeholders already filled in.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CreateUsers {
    /// Path on the service, from its server's root.
    #[serde(default)]
    pub endpoint: Option<String>,
    /// Whole URL, on another server.
    #[serde(default, rename = "externalEndpointURL")]
    pub external_endpoint_url: Option<String>,
    /// The body.
    #[serde(deserialize_with = "scalar")]
    pub payload_raw: Secret,
    /// Its method; `POST` where the file does not say.
    #[serde(default = "post")]
    pub verb: Method,
    /// Media type of the body.
    pub content_type: String,
    /// How the value of each placeholder is generated.
    #[serde(default)]
    pub generators: Vec<Generator>,
}

/// A placeholder in the texts of a user, and the rules for the value that replaces it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Generator {
    /// The text that is replaced, such as `{$username}`.
    pub place_holder: String,
    /// Minimum length of the value.
    #[serde(default)]
    pub min_length: Option<usize>,
    /// Maximum length of the value.
    #[serde(default)]
    pub max_length: Option<usize>,
    /// Prefix of each value.
    #[serde(default)]
    pub prefix: String,
    /// Suffix of each value.
    #[serde(default)]
    pub postfix: String,
}

impl Generator {
    /// The value for this user. It is the same in every run, so that answers that contain it stay the same, and it differs from user to user.
    pub fn value(&self, user: &str) -> String {
        let ends = self.prefix.chars().count() + self.postfix.chars().count();
        let least = self.min_length.unwrap_or(0).saturating_sub(ends);
        let most = self.max_length.unwrap_or(usize::MAX).saturating_sub(ends);
        let mut letters: String = user.chars().filter(char::is_ascii_alphanumeric).collect();
        let hash = Hash::of(user.as_bytes()).short(16);
        // If characters would be lost or cut off, a hash keeps users with similar names apart.
        if letters.is_empty() || letters.len() > most || letters.len() < user.chars().count() {
            letters = format!("u{hash}");
        }
        while letters.len() < least {
            letters.push_str(&hash);
        }
        let most = most.min(least.max(letters.len().min(24)));
        letters.truncate(most);
        format!("{}{letters}{}", self.prefix, self.postfix)
    }
}

/// A header.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Name.
    pub name: String,
    /// Value.
    #[serde(deserialize_with = "scalar")]
    pub value: Secret,
}

/// A login request.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Login {
    /// Path on the service, from the server's root.
    #[serde(default)]
    pub endpoint: Option<String>,
    /// Absolute URL on another server.
    #[serde(default, rename = "externalEndpointURL")]
    pub external_endpoint_url: Option<String>,
    /// The body as text.
    #[serde(default, deserialize_with = "optional_scalar")]
    pub payload_raw: Option<Secret>,
    /// The body as user name and password.
    #[serde(default)]
    pub payload_user_pwd: Option<UserPassword>,
    /// Headers of the login request.
    #[serde(default)]
    pub headers: Vec<Header>,
    /// HTTP method; `POST` by default.
    #[serde(default = "post")]
    pub verb: Method,
    /// Media type of the body.
    #[serde(default)]
    pub content_type: Option<String>,
    /// The token in the answer.
    #[serde(default)]
    pub token: Option<Token>,
    /// Whether the answer sets cookies that authenticate later requests.
    #[serde(default)]
    pub expect_cookies: Option<bool>,
}

/// User name and password, encoded by the media type.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct UserPassword {
    /// User name.
    #[serde(deserialize_with = "scalar")]
    pub username: Secret,
    /// Password.
    #[serde(deserialize_with = "scalar")]
    pub password: Secret,
    /// Name of the user name field.
    pub username_field: String,
    /// Name of the password field.
    pub password_field: String,
}

/// Where the answer holds the token and where requests carry it. Accepts the keys of the format's first version too.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Token {
    /// Where the answer holds the token; the body by default.
    #[serde(default)]
    pub extract_from: ExtractFrom,
    /// JSON pointer into the body, or the name of the header.
    #[serde(alias = "extractFromField")]
    pub extract_selector: String,
    /// Where requests carry the token; a header by default.
    #[serde(default)]
    pub send_in: SendIn,
    /// Name of the header or query parameter.
    #[serde(default = "authorization", alias = "httpHeaderName")]
    pub send_name: String,
    /// Template of the value sent; `{token}` is replaced.
    #[serde(default)]
    pub send_template: Option<String>,
    /// Prefix of the token, in the first version of the format.
    #[serde(default)]
    pub header_prefix: Option<String>,
}

/// Part of an answer that holds a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExtractFrom {
    /// The body.
    #[default]
    Body,
    /// A header.
    Header,
}

/// Part of a request that carries a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SendIn {
    /// A header.
    #[default]
    Header,
    /// A query parameter.
    Query,
}

impl Token {
    /// The value sent for this token.
    pub fn sent(&self, token: &str) -> String {
        match &self.send_template {
            Some(template) => template.replace("{token}", token),
            None => format!("{}{token}", self.header_prefix.as_deref().unwrap_or_default()),
        }
    }
}

fn post() -> Method {
    Method::Post
}

fn authorization() -> String {
    "Authorization".to_owned()
}

/// Deserialises a text; also a number or boolean, so that a numeric password needs no quotes.
fn scalar<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Secret, D::Error> {
    optional_scalar(deserializer)?.ok_or_else(|| serde::de::Error::custom("a text is missing"))
}

fn optional_scalar<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Secret>, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(Secret::new(text))),
        number @ (Value::Number(_) | Value::Bool(_)) => Ok(Some(Secret::new(number.to_string()))),
        _ => Err(serde::de::Error::custom("a text is expected")),
    }
}
