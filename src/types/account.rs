//! How the users of a service authenticate, in the form that exports print: a credential is replaced by the name of the
//! setting that supplies it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::http::Method;

/// Accounts by user name in the auth file; an oracle's `as` names one of them.
pub type Accounts = BTreeMap<String, Account>;

/// The entry of one user in the auth file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Account {
    /// Headers sent with every request.
    pub headers: Vec<(String, AuthText)>,
    /// The request that creates the user, sent before the login.
    pub made_by: Option<Creation>,
    /// A login that gives a token or cookies.
    pub login: Option<Login>,
}

/// The request that creates a user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Creation {
    /// Its method.
    pub method: Method,
    /// Path from the root of the service's server, or a whole URL.
    pub url: AuthText,
    /// Media type of the body.
    pub media_type: String,
    /// The body.
    pub body: AuthText,
}

/// A text of the auth file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AuthText {
    /// A value without a secret, as written.
    Text(String),
    /// A value that may be secret or comes from the environment: the suffix of the setting's name that supplies it
    /// (`PASSWORD`).
    Setting(String),
}

/// The login request of a user, and what its answer supplies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Login {
    /// HTTP method.
    pub method: Method,
    /// Path from the root of the service's server, or an absolute URL.
    pub url: AuthText,
    /// Request headers without `Content-Type`.
    pub headers: Vec<(String, AuthText)>,
    /// Media type of the body; the form media type where there is a body and the auth file names none.
    pub media_type: Option<String>,
    /// Request body.
    pub body: LoginBody,
    /// The token that the answer holds.
    pub token: Option<Token>,
    /// Whether the cookies of the answer authenticate later requests.
    pub cookies: bool,
}

/// The body of a login request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LoginBody {
    /// No body.
    None,
    /// Field names with user name and password, encoded by the media type.
    Fields {
        /// Name of the field that holds the user name.
        username_field: String,
        /// The user name.
        username: AuthText,
        /// Name of the field that holds the password.
        password_field: String,
        /// The password.
        password: AuthText,
    },
    /// The body's text, sent unchanged.
    Raw(AuthText),
}

/// A token: where the login answer holds it, and where later requests carry it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Token {
    /// Whether the token stands in a header of the answer (otherwise in its body).
    pub from_header: bool,
    /// Name of that header, or a JSON pointer into the body.
    pub selector: String,
    /// Whether requests carry the token as a query parameter (otherwise as a header).
    pub in_query: bool,
    /// Name of that parameter or header.
    pub name: String,
    /// Template of the value sent; `{token}` is replaced.
    pub template: String,
}

impl Account {
    /// Whether the account is a single `Authorization` header whose value comes from a setting, without a login.
    pub fn is_authorization(&self) -> bool {
        let said = |(name, value): &(String, AuthText)| {
            name.eq_ignore_ascii_case("authorization") && matches!(value, AuthText::Setting(_))
        };
        self.login.is_none() && self.headers.len() == 1 && self.headers.iter().all(said)
    }

    /// Name suffixes of all settings that the account uses, in order.
    pub fn settings(&self) -> Vec<&str> {
        let mut all: Vec<&AuthText> = self.headers.iter().map(|(_, value)| value).collect();
        if let Some(made) = &self.made_by {
            all.extend([&made.url, &made.body]);
        }
        if let Some(login) = &self.login {
            all.push(&login.url);
            all.extend(login.headers.iter().map(|(_, value)| value));
            match &login.body {
                LoginBody::None => {}
                LoginBody::Fields { username, password, .. } => all.extend([username, password]),
                LoginBody::Raw(text) => all.push(text),
            }
        }
        let setting = |said: &&'_ AuthText| matches!(said, AuthText::Setting(_));
        all.into_iter().filter(setting).map(AuthText::as_str).collect()
    }
}

impl AuthText {
    /// The text, or the name suffix of the setting.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Text(text) | Self::Setting(text) => text,
        }
    }
}

impl Login {
    /// Method and URL for display, such as `POST /login`.
    pub fn in_words(&self) -> String {
        match &self.url {
            AuthText::Text(url) => format!("{} {url}", self.method),
            AuthText::Setting(_) => format!("{} on another server", self.method),
        }
    }

    /// Whether the login's body is JSON.
    pub fn is_json(&self) -> bool {
        self.media_type.as_deref().is_some_and(|media_type| media_type.contains("json"))
    }
}
