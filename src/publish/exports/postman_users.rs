//! Users in a Postman collection: the credentials of requests, and the login requests.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use super::binds::{LoginUser, Users, expects_401};
use super::postman_item::{Cannot, bytewise, headers, item, verbatim};
use crate::request::{ANONYMOUS, percent};
use mastor_template::{TemplateError, Templates};
use mastor_types::account::{AuthText, Login, LoginBody, Token};
use mastor_types::suite::assertion::Assertion;

/// The credentials of a request; empty for the anonymous user.
#[derive(Debug, Default)]
pub(crate) struct RequestCredentials {
    /// Name of the user.
    pub name: String,
    /// Environment variables that must be set.
    pub settings: Vec<String>,
    /// Headers with variables.
    pub headers: Vec<(String, String)>,
    /// An encoded query parameter with a variable.
    pub query: Option<String>,
    /// Cookies as a variable.
    pub cookies: Option<String>,
    logs_in: bool,
}

impl RequestCredentials {
    /// The credentials of this user.
    ///
    /// # Errors
    /// Where a header contains text that Postman would take for a variable.
    pub(crate) fn of(name: &str, users: &mut Users<'_>) -> Result<Self, Cannot> {
        if name == ANONYMOUS {
            return Ok(Self::default());
        }
        let mut sent = Self { name: name.to_owned(), ..Self::default() };
        let Some(known) = users.known(name) else {
            let variable = users.variable(name);
            sent.headers.push(("Authorization".to_owned(), used(&variable)));
            sent.settings.push(variable);
            return Ok(sent);
        };
        for (header, value) in &known.account.headers {
            sent.headers.push((verbatim(header)?, said(&known, value)?));
            sent.settings.extend(setting(&known, value));
        }
        let Some(login) = &known.account.login else { return Ok(sent) };
        sent.logs_in = true;
        if let Some(token) = &login.token {
            let value = kept(&known, "token");
            match token.in_query {
                true => sent.query = Some(format!("{}={value}", percent(&token.name))),
                false => sent.headers.push((verbatim(&token.name)?, value)),
            }
        }
        sent.cookies = login.cookies.then(|| kept(&known, "cookies"));
        Ok(sent)
    }

    /// The user, if it has to log in.
    pub(super) fn logs_in(&self) -> Option<&str> {
        self.logs_in.then_some(&*self.name)
    }

    /// The user, if it has to log in again after a 401, which must not be expected.
    pub(super) fn renews(&self, asserted: &[Assertion]) -> Option<&str> {
        self.logs_in().filter(|_| !expects_401(asserted))
    }

    /// Adds the credentials to a request's own headers, which take precedence.
    pub(super) fn add_to(&self, own: &mut Vec<(String, String)>) {
        for (name, value) in &self.headers {
            if !own.iter().any(|(other, _)| other.eq_ignore_ascii_case(name)) {
                own.push((name.clone(), value.clone()));
            }
        }
        let Some(cookies) = &self.cookies else { return };
        match own.iter_mut().find(|(name, _)| name.eq_ignore_ascii_case("cookie")) {
            Some((_, value)) => *value = format!("{value}; {cookies}"),
            None => own.push(("Cookie".to_owned(), cookies.clone())),
        }
    }
}

/// A user with a login, as data of the script.
#[derive(Debug, Serialize)]
struct Scripted<'a> {
    /// Name used in its variables.
    variable: &'a str,
    /// Environment variables that the login needs.
    settings: Vec<String>,
    json: bool,
    username: Option<AuthText>,
    password: Option<AuthText>,
    /// The request that creates the user.
    made_by: Option<UserCreation<'a>>,
    /// Where the user logs in, for display.
    login: &'a str,
    token: Option<&'a Token>,
    cookies: bool,
}

/// The request that creates a user, as data of the script.
#[derive(Debug, Serialize)]
struct UserCreation<'a> {
    method: &'static str,
    url: AuthText,
    media_type: &'a str,
    body: AuthText,
}

/// The parts of a collection that log users in.
pub(super) struct Logins {
    /// The folder of the login requests.
    pub(crate) folder: Value,
    /// The script that these requests share.
    pub(crate) script: String,
    /// Names of the users that a request creates.
    pub(crate) made: Vec<String>,
}

/// The folder of the login requests with their shared script; `None` if no user logs in.
pub(super) fn logins(templates: &Templates, users: &Users<'_>) -> Result<Option<Logins>, TemplateError> {
    let mut items = Vec::new();
    let mut scripted = BTreeMap::new();
    for known in users.all_known() {
        let Some(login) = &known.account.login else { continue };
        // If Postman cannot send the login, the oracles of this user are left out with the reason.
        let Ok(request) = request(&known, login) else { continue };
        let script =
            |when: &str| templates.render("postman/login.js", BTreeMap::from([("user", known.name), ("when", when)]));
        let credentials = settings(&known);
        let description = match credentials.is_empty() {
            true => "Credentials: as the auth file says them.".to_owned(),
            false => format!("Credentials: {}", credentials.join(", ")),
        };
        let name = format!("log in: {}", known.name);
        items.push(item(&name, &description, request, Some(&script("before")?), &script("after")?));
        scripted.insert(known.name, of_script(&known, login));
    }
    if items.is_empty() {
        return Ok(None);
    }
    let made = scripted.iter().filter(|(_, user)| user.made_by.is_some()).map(|(name, _)| (*name).to_owned()).collect();
    let users = serde_json::to_string(&scripted).unwrap_or_default();
    let script = templates.render("postman/users.js", BTreeMap::from([("users", users)]))?;
    Ok(Some(Logins { folder: json!({"name": "Users", "item": items}), script, made }))
}

fn of_script<'a>(known: &LoginUser<'a>, login: &'a Login) -> Scripted<'a> {
    let (username, password) = match &login.body {
        LoginBody::Fields { username, password, .. } => (Some(named(known, username)), Some(named(known, password))),
        LoginBody::None | LoginBody::Raw(_) => (None, None),
    };
    let made_by = known.account.made_by.as_ref().map(|made| UserCreation {
        method: made.method.as_str(),
        url: named(known, &made.url),
        media_type: &made.media_type,
        body: named(known, &made.body),
    });
    Scripted {
        made_by,
        variable: variable(known),
        settings: settings(known),
        json: login.is_json(),
        username,
        password,
        login: match &login.url {
            AuthText::Text(url) => url,
            AuthText::Setting(_) => "the login",
        },
        token: login.token.as_ref(),
        cookies: login.cookies,
    }
}

fn request(known: &LoginUser<'_>, login: &Login) -> Result<Value, Cannot> {
    let mut own = Vec::new();
    for (name, value) in &login.headers {
        own.push((verbatim(name)?, said(known, value)?));
    }
    let body = match &login.body {
        LoginBody::None => None,
        LoginBody::Fields { username_field, password_field, .. } => {
            Some(fields(login.is_json(), username_field, password_field))
        }
        LoginBody::Raw(text) => Some(said(known, text)?),
    };
    let form = || "application/x-www-form-urlencoded".to_owned();
    if let Some(media_type) = login.media_type.clone().or_else(|| body.as_ref().map(|_| form())) {
        own.push(("Content-Type".to_owned(), bytewise(&verbatim(&media_type)?)));
    }
    let url = match &login.url {
        AuthText::Text(path) if path.starts_with('/') => format!("{{{{mastorServer}}}}{}", verbatim(path)?),
        other => said(known, other)?,
    };
    let mut request = json!({"method": login.method.as_str(), "header": headers(own), "url": url});
    if let Some(raw) = body {
        request["body"] = json!({"mode": "raw", "raw": raw});
    }
    Ok(request)
}

/// A login body with variables for user name and password, which the script sets to encoded values.
fn fields(is_json: bool, username: &str, password: &str) -> String {
    if !is_json {
        return format!("{}={{{{mastorUsername}}}}&{}={{{{mastorPassword}}}}", percent(username), percent(password));
    }
    let name = |name: &str| Value::from(name).to_string().replace("{{", "{\\u007b");
    format!("{{{}:{{{{mastorUsername}}}},{}:{{{{mastorPassword}}}} }}", name(username), name(password))
}

/// Environment variables that the login needs.
fn settings(known: &LoginUser<'_>) -> Vec<String> {
    let fixed: Vec<String> = known.account.headers.iter().filter_map(|(_, value)| setting(known, value)).collect();
    let all = known.account.settings().into_iter().map(|says| format!("{}_{says}", known.prefix));
    all.filter(|one| !fixed.contains(one)).collect()
}

/// A text of the auth file for use in a request.
fn said(known: &LoginUser<'_>, said: &AuthText) -> Result<String, Cannot> {
    match said {
        AuthText::Text(text) => Ok(bytewise(&verbatim(text)?)),
        AuthText::Setting(says) => Ok(used(&format!("{}_{says}", known.prefix))),
    }
}

fn setting(known: &LoginUser<'_>, said: &AuthText) -> Option<String> {
    match said {
        AuthText::Text(_) => None,
        AuthText::Setting(says) => Some(format!("{}_{says}", known.prefix)),
    }
}

/// A text, or the full name of the setting that supplies it.
fn named(known: &LoginUser<'_>, said: &AuthText) -> AuthText {
    setting(known, said).map_or_else(|| said.clone(), AuthText::Setting)
}

/// A variable that the login sets.
fn kept(known: &LoginUser<'_>, what: &str) -> String {
    used(&format!("mastorUser_{}_{what}", variable(known)))
}

fn variable<'a>(known: &LoginUser<'a>) -> &'a str {
    known.prefix.trim_start_matches("MASTOR_USER_")
}

fn used(variable: &str) -> String {
    format!("{{{{{variable}}}}}")
}
