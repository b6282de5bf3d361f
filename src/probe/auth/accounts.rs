//! The users of an auth file for exports: the parts of their requests, and the settings that replace values which may
//! be secret.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::entry::{CreateUsers, Entry, ExtractFrom, Header, Login, SendIn};
use super::file::{self, AuthError};
use super::logins::ELSEWHERE;
use super::secret::Secrets;
use mastor_types::account::{self, Account, Accounts, AuthText, LoginBody};

/// Headers without credentials, in lower case; headers starting with `accept` count too.
const PLAIN: [&str; 5] = ["content-type", "origin", "referer", "user-agent", "x-requested-with"];

/// The users of an auth file, read without the environment, so that the result is the same on every machine. A user
/// whose login takes more than credentials and server from the environment is left out.
///
/// # Errors
/// Where the file does not have the required format.
pub fn accounts(path: &str, text: &str) -> Result<Accounts, AuthError> {
    let entries = file::read(path, text, &Secrets::default(), |_| Some(ELSEWHERE.to_owned()))?;
    let known = |(name, entry): (String, Result<Entry, String>)| Some((name, described(&entry.ok()?)?.0));
    Ok(entries.into_iter().filter_map(known).collect())
}

/// A user's account, and the values of the settings that it uses, keyed by the suffix of the setting's name.
pub(super) fn described(entry: &Entry) -> Option<(Account, BTreeMap<String, String>)> {
    let mut settings = Settings::default();
    let headers = settings.headers("", &entry.fixed_headers)?;
    let made_by = match &entry.create_users {
        None => None,
        Some(made) => Some(settings.creation(made)?),
    };
    // If the creation request is plain text in the file, its user name and password need no hiding either.
    settings.is_open = made_by.as_ref().is_some_and(|made| matches!(made.body, AuthText::Text(_)));
    let login = match &entry.login_endpoint_auth {
        None => None,
        Some(login) => Some(settings.login(login)?),
    };
    Some((Account { headers, made_by, login }, settings.values))
}

#[derive(Default)]
struct Settings {
    taken: BTreeSet<String>,
    values: BTreeMap<String, String>,
    /// Whether user names and passwords may be written as plain text.
    is_open: bool,
}

impl Settings {
    /// A value: a setting of this name if it may be secret or comes from the environment, otherwise plain text.
    fn said(&mut self, name: &str, text: &str, may_be_secret: bool) -> AuthText {
        let mut setting = identifier(name);
        let mut n = 2;
        while !self.taken.insert(setting.clone()) {
            setting = format!("{}_{n}", identifier(name));
            n += 1;
        }
        self.values.insert(setting.clone(), text.to_owned());
        match may_be_secret || text.contains(ELSEWHERE) {
            true => AuthText::Setting(setting),
            false => AuthText::Text(text.to_owned()),
        }
    }

    fn headers(&mut self, prefix: &str, headers: &[Header]) -> Option<Vec<(String, AuthText)>> {
        let mut said = Vec::new();
        for header in headers {
            let name = header.name.to_ascii_lowercase();
            let is_plain = name.starts_with("accept") || PLAIN.contains(&name.as_str());
            let value = self.said(&format!("{prefix}{name}"), header.value.reveal(), !is_plain);
            said.push((fixed(&header.name)?, value));
        }
        Some(said)
    }

    fn url(&mut self, name: &str, external: Option<&String>, endpoint: Option<&String>) -> Option<AuthText> {
        Some(match (external, endpoint) {
            (Some(url), _) => self.said(name, url, false),
            (None, Some(path)) if path.starts_with('/') => AuthText::Text(fixed(path)?),
            (None, path) => AuthText::Text(format!("/{}", fixed(path.map_or("", String::as_str))?)),
        })
    }

    fn creation(&mut self, made: &CreateUsers) -> Option<account::Creation> {
        Some(account::Creation {
            method: made.verb,
            url: self.url("creation_url", made.external_endpoint_url.as_ref(), made.endpoint.as_ref())?,
            media_type: fixed(&made.content_type)?,
            body: self.said("creation", made.payload_raw.reveal(), false),
        })
    }

    fn login(&mut self, login: &Login) -> Option<account::Login> {
        let url = self.url("login_url", login.external_endpoint_url.as_ref(), login.endpoint.as_ref())?;
        let token = match &login.token {
            None => None,
            Some(token) => Some(account::Token {
                from_header: token.extract_from == ExtractFrom::Header,
                selector: fixed(&token.extract_selector)?,
                in_query: token.send_in == SendIn::Query,
                name: fixed(&token.send_name)?,
                template: fixed(&token.sent("{token}"))?,
            }),
        };
        Some(account::Login {
            method: login.verb,
            url,
            headers: self.headers("login_", &login.headers)?,
            media_type: login.content_type.as_deref().map(fixed).map_or(Some(None), |found| found.map(Some))?,
            body: self.body(login)?,
            token,
            cookies: login.expect_cookies == Some(true),
        })
    }

    fn body(&mut self, login: &Login) -> Option<LoginBody> {
        let pair = match (&login.payload_raw, &login.payload_user_pwd) {
            (None, None) => return Some(LoginBody::None),
            (None, Some(pair)) => [
                (fixed(&pair.username_field)?, pair.username.reveal().to_owned()),
                (fixed(&pair.password_field)?, pair.password.reveal().to_owned()),
            ],
            (Some(raw), _) => match fields(raw.reveal(), login.content_type.as_deref()) {
                Some(pair) => pair,
                None => return Some(LoginBody::Raw(self.said("payload", raw.reveal(), !self.is_open))),
            },
        };
        let [(username_field, username), (password_field, password)] = pair;
        Some(LoginBody::Fields {
            username_field,
            username: self.said("username", &username, !self.is_open),
            password_field,
            password: self.said("password", &password, !self.is_open),
        })
    }
}

/// User name and password fields of a body that holds only these two.
fn fields(raw: &str, media_type: Option<&str>) -> Option<[(String, String); 2]> {
    let all: Vec<(String, String)> = if media_type.is_some_and(|media_type| media_type.contains("json")) {
        let Ok(Value::Object(fields)) = serde_json::from_str(raw) else { return None };
        fields.into_iter().map(|(name, value)| Some((name, value.as_str()?.to_owned()))).collect::<Option<_>>()?
    } else {
        if raw.contains(['%', '+', '{']) {
            return None;
        }
        let pairs = raw.split('&').map(|pair| pair.split_once('='));
        pairs.map(|pair| pair.map(|(name, value)| (name.to_owned(), value.to_owned()))).collect::<Option<_>>()?
    };
    let is_password = |name: &str| ["pass", "pwd", "pw"].iter().any(|part| name.to_ascii_lowercase().contains(part));
    match <[(String, String); 2]>::try_from(all).ok()? {
        [name, password] if is_password(&password.0) && !is_password(&name.0) => Some([name, password]),
        [password, name] if is_password(&password.0) && !is_password(&name.0) => Some([name, password]),
        _ => None,
    }
    .filter(|[(name, _), (password, _)]| !name.contains(ELSEWHERE) && !password.contains(ELSEWHERE))
}

/// The text, unless it contains a value from the environment.
fn fixed(text: &str) -> Option<String> {
    (!text.contains(ELSEWHERE)).then(|| text.to_owned())
}

/// Converts a name such as `x-api-key` to `X_API_KEY`.
fn identifier(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const AUTH: &str = r#"
auth:
  - name: token
    loginEndpointAuth:
      endpoint: login
      payloadUserPwd: {username: ada, password: "${PW}", usernameField: user, passwordField: pw}
      contentType: application/json
      headers: [{name: Authorization, value: Basic YTpi}, {name: Accept, value: text/plain}]
      token: {extractFrom: body, extractSelector: /t, sendIn: header, sendName: Authorization, sendTemplate: "Bearer {token}"}
  - name: form
    loginEndpointAuth: {endpoint: /login, payloadRaw: 'pwd=s3cret&username=ada', expectCookies: true}
  - name: raw
    loginEndpointAuth:
      externalEndpointURL: "${KEYCLOAK}/token"
      payloadRaw: 'grant_type=password&username=ada&password=s3cret'
      token: {extractSelector: /access_token, headerPrefix: 'Bearer '}
  - name: fixed
    fixedHeaders: [{name: X-Api-Key, value: s3cret}, {name: X-Tenant, value: acme}]
  - name: basic
    fixedHeaders: [{name: authorization, value: Basic YTpi}]
  - name: elsewhere
    loginEndpointAuth: {endpoint: "/${TENANT}/login", payloadRaw: 'a=b', expectCookies: true}
"#;

    #[test]
    fn what_may_be_secret_is_a_setting() {
        let found = accounts("auth.yaml", AUTH).unwrap();
        let names: Vec<&str> = found.keys().map(String::as_str).collect();
        assert_eq!(names, ["basic", "fixed", "form", "raw", "token"]);
        assert_eq!(found["token"].settings(), ["LOGIN_AUTHORIZATION", "USERNAME", "PASSWORD"]);
        assert_eq!(found["form"].settings(), ["USERNAME", "PASSWORD"]);
        assert_eq!(found["raw"].settings(), ["LOGIN_URL", "PAYLOAD"]);
        assert_eq!(found["fixed"].settings(), ["X_API_KEY", "X_TENANT"]);
        assert!(found["basic"].is_authorization() && !found["fixed"].is_authorization());
        let login = |name: &str| found[name].login.clone().unwrap();
        assert_eq!(login("token").in_words(), "POST /login");
        assert_eq!(login("raw").token.unwrap().template, "Bearer {token}");
        let text = format!("{found:?}");
        assert!(!text.contains("s3cret") && !text.contains("YTpi") && !text.contains("ada"), "{text}");
    }

    #[test]
    fn values_stand_by_the_names_of_their_settings() {
        let entries = file::read("auth.yaml", AUTH, &Secrets::default(), |name| Some(format!("<{name}>"))).unwrap();
        let values = |name: &str| {
            let entry = entries.iter().find(|(other, _)| other == name).unwrap();
            described(entry.1.as_ref().unwrap()).unwrap().1
        };
        assert_eq!(values("token")["PASSWORD"], "<PW>");
        assert_eq!(values("form")["PASSWORD"], "s3cret");
        assert_eq!(values("raw")["LOGIN_URL"], "<KEYCLOAK>/token");
        assert_eq!(values("fixed")["X_API_KEY"], "s3cret");
    }
}
