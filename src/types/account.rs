//! How users of a service are authenticated, as far as exports say it: names of settings in the place of credentials, never a value of them.

use std::collections::BTreeMap;

use serde::Serialize;

use super::http::Method;

/// Users by their name in the auth file: what oracles say in `as`.
pub type Accounts = BTreeMap<String, Account>;

/// What the auth file says of a user.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Account {
    /// Headers that each request carries.
    pub headers: Vec<(String, Said)>,
    /// The request that makes the user, before its login.
    pub made_by: Option<Creation>,
    /// A login that gives a token or cookies.
    pub login: Option<Login>,
}

/// The request that makes a user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Creation {
    /// Its method.
    pub method: Method,
    /// Path from the root of the service's server, or a whole URL.
    pub url: Said,
    /// Media type of the body.
    pub media_type: String,
    /// The body.
    pub body: Said,
}

/// A text of the auth file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Said {
    /// It holds no secret.
    Text(String),
    /// It may hold one, or comes from the environment: the end of the name of the setting that says it (`PASSWORD`).
    Setting(String),
}

/// The request that a user logs in by, and what its answer gives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Login {
    /// Its method.
    pub method: Method,
    /// Path from the root of the service's server, or a whole URL.
    pub url: Said,
    /// Its headers, but for the media type.
    pub headers: Vec<(String, Said)>,
    /// Media type of the body; that of forms where there is a body and none is said.
    pub media_type: Option<String>,
    /// The body.
    pub body: LoginBody,
    /// The token in the answer.
    pub token: Option<Token>,
    /// Whether the cookies of the answer authenticate.
    pub cookies: bool,
}

/// The body of a login.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LoginBody {
    /// There is none.
    None,
    /// Name and password by the names of their fields, as the media type has it.
    Fields {
        /// Field of the name.
        username_field: String,
        /// The name.
        username: Said,
        /// Field of the password.
        password_field: String,
        /// The password.
        password: Said,
    },
    /// Text as it stands.
    Raw(Said),
}

/// A token, and where it goes in requests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Token {
    /// Whether it is in a header of the answer, or in its body.
    pub from_header: bool,
    /// Name of that header, or JSON pointer into the body.
    pub selector: String,
    /// Whether it goes into the query, or into a header.
    pub in_query: bool,
    /// Name of that parameter or header.
    pub name: String,
    /// What is sent, with `{token}` in it.
    pub template: String,
}

impl Account {
    /// Whether there is nothing but an `Authorization` header whose value a setting says.
    pub fn is_authorization(&self) -> bool {
        let said = |(name, value): &(String, Said)| {
            name.eq_ignore_ascii_case("authorization") && matches!(value, Said::Setting(_))
        };
        self.login.is_none() && self.headers.len() == 1 && self.headers.iter().all(said)
    }

    /// Ends of the names of all settings, in order.
    pub fn settings(&self) -> Vec<&str> {
        let mut all: Vec<&Said> = self.headers.iter().map(|(_, value)| value).collect();
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
        let setting = |said: &&'_ Said| matches!(said, Said::Setting(_));
        all.into_iter().filter(setting).map(Said::as_str).collect()
    }
}

impl Said {
    /// The text, or the end of the name of the setting.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Text(text) | Self::Setting(text) => text,
        }
    }
}

impl Login {
    /// `POST /login`, for people.
    pub fn in_words(&self) -> String {
        match &self.url {
            Said::Text(url) => format!("{} {url}", self.method),
            Said::Setting(_) => format!("{} on another server", self.method),
        }
    }

    /// Whether its body is JSON.
    pub fn is_json(&self) -> bool {
        self.media_type.as_deref().is_some_and(|media_type| media_type.contains("json"))
    }
}
