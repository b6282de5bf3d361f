//! Parses the auth file: the Web Fuzzing Commons format in YAML or TOML. Merges its template into each user and
//! replaces `${NAME}` by environment variables.

use serde_json::{Map, Value};

use super::entry::{Entry, Generator};
use super::secret::Secrets;

/// An error in an auth file, the user's fault. No message contains a value from the file.
#[derive(Debug, thiserror::Error)]
pub enum AuthError {
    /// The file is not valid YAML or TOML.
    #[error("{path}: cannot be read as {format}: {why}")]
    Syntax {
        /// The file.
        path: String,
        /// The format, by the file's extension.
        format: &'static str,
        /// Line and column, and the parser's message.
        why: String,
    },
    /// The content does not have the required format.
    #[error("{path}: {what}")]
    Shape {
        /// The file.
        path: String,
        /// What is wrong.
        what: String,
    },
}

/// Users by name, each with the reason if it cannot be used.
pub type Entries = Vec<(String, Result<Entry, String>)>;

/// Parses an auth file: TOML by its extension, otherwise YAML. `environment` returns the value of a variable.
///
/// # Errors
/// Where the file does not have the required format. An unset variable only makes its user unusable.
pub fn read(
    path: &str,
    text: &str,
    secrets: &Secrets,
    environment: impl Fn(&str) -> Option<String>,
) -> Result<Entries, AuthError> {
    let mut root = parsed(path, text)?;
    let shape = |what: String| AuthError::Shape { path: path.to_owned(), what };
    let known = ["schemaVersion", "auth", "authTemplate", "configs"];
    if let Some(other) = root.keys().find(|key| !known.contains(&key.as_str())) {
        return Err(shape(format!("unknown key `{other}`: known are {}", known.join(", "))));
    }
    let template = root.remove("authTemplate").filter(Value::is_object);
    let Some(Value::Array(users)) = root.remove("auth") else {
        return Err(shape("it has no list `auth` of users".to_owned()));
    };
    let mut entries = Entries::new();
    for (n, mut user) in users.into_iter().enumerate() {
        if let Some(template) = &template {
            merge(&mut user, template);
        }
        let Some(name) = user.get("name").and_then(Value::as_str).map(str::to_owned) else {
            return Err(shape(format!("user {} of `auth` has no name", n + 1)));
        };
        if entries.iter().any(|(other, _)| *other == name) {
            return Err(shape(format!("two users are named `{name}`")));
        }
        generate(&mut user, &name).map_err(|what| shape(format!("user `{name}`: {what}")))?;
        let entry = match fill(&mut user, secrets, &environment) {
            Ok(()) => Ok(typed(user).map_err(|what| shape(format!("user `{name}`: {what}")))?),
            Err(variable) => Err(format!("the environment variable {variable} is not set")),
        };
        if let Ok(entry) = &entry {
            check(entry).map_err(|what| shape(format!("user `{name}`: {what}")))?;
            hide(entry, secrets);
        }
        entries.push((name, entry));
    }
    Ok(entries)
}

fn parsed(path: &str, text: &str) -> Result<Map<String, Value>, AuthError> {
    let toml = path.to_ascii_lowercase().ends_with(".toml");
    let syntax = |format, why| AuthError::Syntax { path: path.to_owned(), format, why };
    let value = if toml {
        // Only the message: the error's full text quotes the line, which may hold a password.
        toml::from_str::<Value>(text).map_err(|error| {
            let line =
                error.span().map_or(0, |span| text.get(..span.start).unwrap_or_default().matches('\n').count() + 1);
            syntax("TOML", format!("line {line}: {}", error.message()))
        })?
    } else {
        yaml_serde::from_str::<Value>(text).map_err(|error| {
            let line = error.location().map_or(0, |place| place.line());
            syntax("YAML", format!("see line {line}"))
        })?
    };
    match value {
        Value::Object(map) => Ok(map),
        _ => Err(AuthError::Shape { path: path.to_owned(), what: "it has no list `auth` of users".to_owned() }),
    }
}

/// Adds the template's values that the user's entry lacks.
fn merge(into: &mut Value, template: &Value) {
    match (into, template) {
        (Value::Object(into), Value::Object(template)) => {
            for (key, value) in template {
                match into.get_mut(key) {
                    Some(own) => merge(own, value),
                    None => {
                        into.insert(key.clone(), value.clone());
                    }
                }
            }
        }
        (into @ Value::Null, template) => *into = template.clone(),
        _ => {}
    }
}

/// Fills in the placeholders of a user who is created: in the creation request, the login and the fixed headers.
fn generate(user: &mut Value, name: &str) -> Result<(), String> {
    let Some(generators) = user.get("createUsers").and_then(|made| made.get("generators")).cloned() else {
        return Ok(());
    };
    let generators: Vec<Generator> = serde_json::from_value(generators).map_err(|error| error.to_string())?;
    if generators.iter().any(|one| one.place_holder.is_empty()) {
        return Err("a placeHolder of createUsers is empty".to_owned());
    }
    let values: Vec<(&str, String)> =
        generators.iter().map(|one| (one.place_holder.as_str(), one.value(name))).collect();
    for (key, part) in user.as_object_mut().into_iter().flatten() {
        if matches!(key.as_str(), "loginEndpointAuth" | "fixedHeaders") {
            replace(part, &values);
        }
    }
    if let Some(payload) = user.get_mut("createUsers").and_then(|made| made.get_mut("payloadRaw")) {
        replace(payload, &values);
    }
    Ok(())
}

fn replace(value: &mut Value, values: &[(&str, String)]) {
    match value {
        Value::String(text) => values.iter().for_each(|(placeholder, value)| *text = text.replace(placeholder, value)),
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, values)),
        Value::Object(map) => map.values_mut().for_each(|item| replace(item, values)),
        _ => {}
    }
}

/// Replaces `${NAME}` in every text; gives the name of a variable that is not set.
fn fill(value: &mut Value, secrets: &Secrets, environment: &impl Fn(&str) -> Option<String>) -> Result<(), String> {
    match value {
        Value::String(text) => {
            let mut out = String::new();
            let mut rest = text.as_str();
            while let Some((before, after)) = rest.split_once("${") {
                let Some((name, after)) = after.split_once('}') else { break };
                let found = environment(name).ok_or_else(|| name.to_owned())?;
                secrets.add(&found);
                out.push_str(before);
                out.push_str(&found);
                rest = after;
            }
            out.push_str(rest);
            *text = out;
            Ok(())
        }
        Value::Array(items) => items.iter_mut().try_for_each(|item| fill(item, secrets, environment)),
        Value::Object(map) => map.values_mut().try_for_each(|item| fill(item, secrets, environment)),
        _ => Ok(()),
    }
}

fn typed(user: Value) -> Result<Entry, String> {
    serde_json::from_value(user).map_err(|error| {
        let message = error.to_string();
        // serde's message contains the value of a wrong type, which may be a secret.
        if message.starts_with("invalid type") { "a value has the wrong type".to_owned() } else { message }
    })
}

fn check(entry: &Entry) -> Result<(), String> {
    if let Some(made) = &entry.create_users {
        match (&made.endpoint, &made.external_endpoint_url) {
            (None, None) => return Err("createUsers has neither endpoint nor externalEndpointURL".to_owned()),
            (Some(_), Some(_)) => return Err("createUsers has both endpoint and externalEndpointURL".to_owned()),
            _ if entry.login_endpoint_auth.is_none() => {
                return Err("createUsers needs loginEndpointAuth: nothing else says who was made".to_owned());
            }
            _ => {}
        }
    }
    let Some(login) = &entry.login_endpoint_auth else {
        return if entry.fixed_headers.is_empty() {
            Err("it has neither fixedHeaders nor loginEndpointAuth".to_owned())
        } else {
            Ok(())
        };
    };
    match (&login.endpoint, &login.external_endpoint_url) {
        (None, None) => return Err("loginEndpointAuth has neither endpoint nor externalEndpointURL".to_owned()),
        (Some(_), Some(_)) => return Err("loginEndpointAuth has both endpoint and externalEndpointURL".to_owned()),
        _ => {}
    }
    if login.token.is_none() && login.expect_cookies != Some(true) {
        return Err("loginEndpointAuth has neither token nor expectCookies".to_owned());
    }
    Ok(())
}

/// Registers an entry's secrets to be masked. User names are not secret.
fn hide(entry: &Entry, secrets: &Secrets) {
    let headers = entry.login_endpoint_auth.iter().flat_map(|login| &login.headers);
    for header in entry.fixed_headers.iter().chain(headers) {
        let value = header.value.reveal();
        secrets.add(value);
        let basic =
            value.strip_prefix("Basic ").and_then(|text| mastor_types::suite::request::base64_bytes(text.trim()));
        if let Some((_, password)) =
            basic.and_then(|bytes| String::from_utf8(bytes).ok()).as_deref().and_then(|pair| pair.split_once(':'))
        {
            secrets.add(password);
        }
    }
    if let Some(made) = &entry.create_users {
        hide_body(made.payload_raw.reveal(), secrets);
    }
    let Some(login) = &entry.login_endpoint_auth else { return };
    if let Some(pair) = &login.payload_user_pwd {
        secrets.add(pair.password.reveal());
    }
    if let Some(raw) = &login.payload_raw {
        hide_body(raw.reveal(), secrets);
    }
}

/// Registers the values of fields whose names suggest secrets.
fn hide_body(raw: &str, secrets: &Secrets) {
    let telling = |name: &str| {
        let name = name.to_ascii_lowercase();
        ["pass", "pwd", "secret", "token", "key", "credential", "code", "pin"].iter().any(|part| name.contains(part))
    };
    match serde_json::from_str::<Value>(raw) {
        Ok(Value::Object(fields)) => {
            let texts = fields.iter().filter(|(name, _)| telling(name)).filter_map(|(_, value)| value.as_str());
            texts.for_each(|text| secrets.add(text));
        }
        _ => {
            let pairs = raw.split('&').filter_map(|pair| pair.split_once('='));
            pairs.filter(|(name, _)| telling(name)).for_each(|(_, value)| secrets.add(value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::{ExtractFrom, SendIn};
    use super::*;
    use mastor_types::http::Method;

    fn entries(path: &str, text: &str) -> Result<Entries, AuthError> {
        read(path, text, &Secrets::default(), |name| (name == "PW").then(|| "from-env".to_owned()))
    }

    #[test]
    fn the_template_fills_what_a_user_does_not_say() {
        let text = "
auth:
  - name: a
    loginEndpointAuth: {payloadRaw: '{\"p\": \"${PW}\"}'}
  - name: b
    loginEndpointAuth: {payloadUserPwd: {username: b, password: 123, usernameField: u, passwordField: p}, verb: PUT}
  - name: c
    fixedHeaders: [{name: X-Key, value: '${MISSING}'}]
authTemplate:
  loginEndpointAuth:
    endpoint: /login
    verb: POST
    contentType: application/json
    token: {extractFromField: /t, httpHeaderName: Authorization, headerPrefix: 'Bearer '}
";
        let found = entries("auth.yaml", text).unwrap();
        let login = |n: usize| found[n].1.as_ref().unwrap().login_endpoint_auth.clone().unwrap();
        assert_eq!(login(0).payload_raw.unwrap().reveal(), "{\"p\": \"from-env\"}");
        assert_eq!(login(0).token.unwrap().sent("x"), "Bearer x");
        assert_eq!(login(1).payload_user_pwd.unwrap().password.reveal(), "123");
        assert_eq!((login(0).verb, login(1).verb), (Method::Post, Method::Put));
        assert_eq!(found[2].1.as_ref().unwrap_err(), "the environment variable MISSING is not set");
    }

    #[test]
    fn toml_says_the_same() {
        let text = "
[[auth]]
name = \"a\"
[auth.loginEndpointAuth]
endpoint = \"/login\"
verb = \"POST\"
[auth.loginEndpointAuth.token]
extractFrom = \"header\"
extractSelector = \"X-Token\"
sendIn = \"query\"
sendName = \"key\"
sendTemplate = \"t-{token}\"
";
        let found = entries("auth.toml", text).unwrap();
        let token = found[0].1.as_ref().unwrap().login_endpoint_auth.as_ref().unwrap().token.clone().unwrap();
        assert_eq!((token.extract_from, token.send_in), (ExtractFrom::Header, SendIn::Query));
        assert_eq!(token.sent("x"), "t-x");
    }

    #[test]
    fn what_is_wrong_is_said_without_a_value() {
        let cases = [
            ("auth: [{name: a}]", "auth.yaml: user `a`: it has neither fixedHeaders nor loginEndpointAuth"),
            ("auth: [{fixedHeaders: []}]", "auth.yaml: user 1 of `auth` has no name"),
            ("users: []", "auth.yaml: unknown key `users`: known are schemaVersion, auth, authTemplate, configs"),
            ("auth: [{name: a, fixedHeaders: s3cret}]", "auth.yaml: user `a`: a value has the wrong type"),
            ("auth: [s3cret: : x", "auth.yaml: cannot be read as YAML: see line 1"),
        ];
        for (text, message) in cases {
            assert_eq!(entries("auth.yaml", text).unwrap_err().to_string(), message);
        }
    }
}
