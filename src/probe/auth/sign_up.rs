//! Finds out how users sign up at a running service: the request that creates a user, the one that logs it in, and the auth file that states both.

use serde_json::{Map, Value, json};

use super::entry::Generator;
use super::users::Users;
use crate::fits::plain;
use crate::http::{Client, Request};
use mastor_types::http::Method;
use mastor_types::results::outcome::{Answer, NoAnswer};
use mastor_types::suite::request::percent;

/// Names of the users to create.
const NAMES: [&str; 2] = ["alice", "bob"];
/// Minimum length of a text that is taken for a token.
const TOKEN: usize = 16;

/// Requests that may create users and log them in.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SignUps {
    /// Requests that may create a user, the likeliest first.
    pub makers: Vec<UserRequest>,
    /// Requests that may log a user in.
    pub logins: Vec<UserRequest>,
    /// Paths without variables that can be read; some of them may require a login.
    pub reads: Vec<String>,
}

/// A request whose fields describe a user.
#[derive(Debug, Clone, PartialEq)]
pub struct UserRequest {
    /// Path from the server's root.
    pub path: String,
    /// Its method.
    pub method: Method,
    /// The JSON body, or the form fields.
    pub body: Value,
    /// Whether it is sent as a form.
    pub is_form: bool,
}

/// What a field says about a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserField {
    /// The login name.
    Name,
    /// The mail address.
    Email,
    /// The password, or its repetition.
    Password,
}

impl UserField {
    fn placeholder(self) -> &'static str {
        match self {
            Self::Name => "{$username}",
            Self::Email => "{$email}",
            Self::Password => "{$password}",
        }
    }
}

/// What a field with this name or dotted path says about a user; `None` if it does not identify the user.
pub fn kind_of(field: &str) -> Option<UserField> {
    let name = plain(field.rsplit('.').next().unwrap_or(field));
    match name.as_str() {
        name if name.contains("password") || name.contains("passwd") || name == "pwd" || name == "pass" => {
            Some(UserField::Password)
        }
        name if name.contains("email") || name == "mail" => Some(UserField::Email),
        "username" | "login" | "user" | "userid" | "loginid" | "nickname" | "handle" | "accountname" | "identifier"
        | "principal" => Some(UserField::Name),
        _ => None,
    }
}

impl UserRequest {
    /// Whether it has a password field.
    pub fn takes_a_password(&self) -> bool {
        self.kinds().contains(&UserField::Password)
    }

    /// The request as it is, without null elements of lists, and with only the fields that identify the user: some services refuse sample values of other
    /// fields.
    fn variants(&self) -> Vec<Self> {
        let mut all = vec![self.clone()];
        for only_user in [false, true] {
            let mut body = self.body.clone();
            strip_optional(&mut body, only_user, 0);
            let variant = Self { body, ..self.clone() };
            if !all.contains(&variant) {
                all.push(variant);
            }
        }
        all
    }

    fn kinds(&self) -> Vec<UserField> {
        let mut kinds = Vec::new();
        fields(&self.body, &mut |name| kinds.extend(kind_of(name)));
        kinds
    }

    /// The body with placeholders for the fields of the user; the login name becomes the placeholder of `by`.
    fn payload(&self, by: UserField) -> String {
        let mut body = self.body.clone();
        fill(&mut body, by);
        if !self.is_form {
            return body.to_string();
        }
        let pairs = body.as_object().into_iter().flatten().map(|(name, value)| {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            // The inserted values need no encoding in a form, except `@` and `!`, which servers accept unencoded.
            format!("{}={value}", percent(name))
        });
        pairs.collect::<Vec<_>>().join("&")
    }

    fn content_type(&self) -> &'static str {
        if self.is_form { "application/x-www-form-urlencoded" } else { "application/json" }
    }
}

/// Calls `see` with the name of each field that is not an object.
fn fields(value: &Value, see: &mut impl FnMut(&str)) {
    for (name, inner) in value.as_object().into_iter().flatten() {
        match inner {
            Value::Object(_) => fields(inner, see),
            _ => see(name),
        }
    }
}

/// Removes null elements of lists; with `only_user`, also all fields that do not identify the user.
fn strip_optional(value: &mut Value, only_user: bool, depth: usize) {
    match value {
        Value::Array(items) => items.retain(|item| !item.is_null()),
        Value::Object(map) if depth < 4 => {
            map.retain(|name, inner| !only_user || inner.is_object() || kind_of(name).is_some());
            map.values_mut().for_each(|inner| strip_optional(inner, only_user, depth + 1));
        }
        _ => {}
    }
}

fn fill(value: &mut Value, by: UserField) {
    for (name, inner) in value.as_object_mut().into_iter().flatten() {
        match (inner, kind_of(name)) {
            (inner @ Value::Object(_), _) => fill(inner, by),
            (inner @ (Value::String(_) | Value::Null), Some(kind)) => {
                let kind = if kind == UserField::Name { by } else { kind };
                *inner = Value::from(kind.placeholder());
            }
            _ => {}
        }
    }
}

/// How users sign up, as an auth file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignUpAuthFile {
    /// The text of the auth file.
    pub file: String,
    /// Names of its users.
    pub users: Vec<&'static str>,
    /// The requests in words: `POST /register, then POST /login`.
    pub what: String,
    /// Whether the login was verified by a read that refuses anonymous requests.
    pub is_verified: bool,
}

/// Tries the requests on the service until a user is created and logged in; `None` if none of them succeeds.
///
/// # Errors
/// Where the service does not answer.
pub async fn find(client: &Client, base_url: &str, known: &SignUps) -> Result<Option<SignUpAuthFile>, NoAnswer> {
    let mut guarded = Vec::new();
    for path in &known.reads {
        let answer = client.send(&read(base_url, path)).await?;
        if matches!(answer.status, 401 | 403) {
            guarded.push((path.as_str(), answer.status));
        }
    }
    for maker in known.makers.iter().flat_map(UserRequest::variants) {
        let maker = &maker;
        let by = if maker.kinds().contains(&UserField::Name) { UserField::Name } else { UserField::Email };
        let made = client.send(&sent(base_url, maker, by)).await?;
        if made.status >= 400 {
            continue;
        }
        for login in &known.logins {
            let ways = if maker.kinds().contains(&UserField::Email) { vec![by, UserField::Email] } else { vec![by] };
            for way in ways {
                let answer = client.send(&sent(base_url, login, way)).await?;
                if answer.status >= 400 {
                    continue;
                }
                for token in tokens(&answer) {
                    let of = |users: &[&str]| file((maker, by), (login, way), &token, users);
                    let mut users = Vec::new();
                    for name in NAMES {
                        if can_log_in(client, base_url, (&of(&[name]), name), &guarded).await? {
                            users.push(name);
                        }
                    }
                    if !users.is_empty() {
                        let what = format!("{} {}, then {} {}", maker.method, maker.path, login.method, login.path);
                        return Ok(Some(SignUpAuthFile {
                            file: of(&users),
                            users,
                            what,
                            is_verified: !guarded.is_empty(),
                        }));
                    }
                }
            }
        }
    }
    Ok(None)
}

/// Whether a user of an auth file may read what anonymous requests may not; if no read requires a login, whether the user can log in.
async fn can_log_in(
    client: &Client,
    base_url: &str,
    (file, name): (&str, &str),
    guarded: &[(&str, u16)],
) -> Result<bool, NoAnswer> {
    let Ok(users) = Users::read("auth.yaml", file, |_| None) else { return Ok(false) };
    let paths = if guarded.is_empty() { &[("/", 0)][..] } else { guarded };
    for (path, refused) in paths {
        match users.send(client, base_url, name, &read(base_url, path), false).await {
            // A status other than the one for anonymous requests shows the login: the user may only lack a role.
            Ok(answer) if answer.status != *refused && answer.status != 401 => return Ok(true),
            Ok(_) if guarded.is_empty() => return Ok(true),
            Ok(_) => {}
            Err(NoAnswer::NoLogin { .. }) => return Ok(false),
            Err(other) => return Err(other),
        }
    }
    Ok(false)
}

fn read(base_url: &str, path: &str) -> Request {
    Request { method: Method::Get, url: format!("{base_url}{path}"), headers: Vec::new(), body: None }
}

/// The request as the first user sends it.
fn sent(base_url: &str, ask: &UserRequest, by: UserField) -> Request {
    let mut text = ask.payload(by);
    for generator in generators() {
        text = text.replace(&generator.place_holder, &generator.value(NAMES[0]));
    }
    Request {
        method: ask.method,
        url: format!("{base_url}{}", ask.path),
        headers: vec![("Content-Type".to_owned(), ask.content_type().to_owned())],
        body: Some(text.into_bytes()),
    }
}

fn generators() -> [Generator; 3] {
    let one = |kind: UserField, lengths: (usize, usize), prefix: &str, postfix: &str| Generator {
        place_holder: kind.placeholder().to_owned(),
        min_length: Some(lengths.0),
        max_length: Some(lengths.1),
        prefix: prefix.to_owned(),
        postfix: postfix.to_owned(),
    };
    [
        one(UserField::Name, (6, 12), "", ""),
        one(UserField::Email, (6, 32), "", "@example.com"),
        // Capital and small letter, digit and special character: most password rules ask for these.
        one(UserField::Password, (12, 20), "Aa1!", ""),
    ]
}

/// The parts of an answer that may authenticate a user, each in the format of the auth file.
fn tokens(answer: &Answer) -> Vec<Value> {
    let mut found = Vec::new();
    let text = answer.text();
    let looks = |text: &str| text.len() >= TOKEN && text.chars().all(|c| c.is_ascii_graphic());
    match serde_json::from_str::<Value>(&text) {
        Ok(body) => pointers(&body, "", &mut |pointer, name, text| {
            let name = plain(name);
            let named = ["token", "jwt", "bearer", "session", "apikey"].iter().any(|word| name.contains(word));
            if looks(text) && (named && !name.contains("refresh") || is_jwt(text)) {
                found.push(json!({"extractFrom": "body", "extractSelector": pointer}));
            }
        }),
        Err(_) if looks(text.trim()) => found.push(json!({"extractFrom": "body", "extractSelector": ""})),
        Err(_) => {}
    }
    for name in ["Authorization", "X-Auth-Token", "Access-Token"] {
        if answer.header(&name.to_ascii_lowercase()).is_some() {
            found.push(json!({"extractFrom": "header", "extractSelector": name}));
        }
    }
    let sent = |token: &Value, template: &str| {
        let mut token = token.clone();
        token["sendIn"] = json!("header");
        token["sendName"] = json!("Authorization");
        token["sendTemplate"] = json!(template);
        json!({"token": token})
    };
    let mut all: Vec<Value> = Vec::new();
    // A token from a response header often contains the scheme already.
    for template in ["Bearer {token}", "{token}", "Token {token}"] {
        all.extend(found.iter().map(|token| sent(token, template)));
    }
    if answer.values("set-cookie").next().is_some() {
        all.push(json!({"expectCookies": true}));
    }
    all
}

fn is_jwt(text: &str) -> bool {
    text.starts_with("eyJ") && text.matches('.').count() == 2
}

/// Calls `see` with the pointer, the field name and the text of every string in nested objects, or of a body that is itself a string.
fn pointers(value: &Value, at: &str, see: &mut impl FnMut(&str, &str, &str)) {
    match value {
        Value::Object(map) => {
            for (name, inner) in map {
                let pointer = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
                if let Value::String(text) = inner {
                    see(&pointer, name, text);
                }
                pointers(inner, &pointer, see);
            }
        }
        Value::String(text) if at.is_empty() => see("", "", text),
        _ => {}
    }
}

/// The text of the auth file. Its values are JSON, which is valid YAML.
fn file(
    (maker, by): (&UserRequest, UserField),
    (login, way): (&UserRequest, UserField),
    token: &Value,
    users: &[&str],
) -> String {
    let text = |text: &str| Value::from(text).to_string();
    let used = |generator: &&Generator| {
        let place = &generator.place_holder;
        maker.payload(by).contains(place) || login.payload(way).contains(place)
    };
    let mut out = String::from(
        "# Users who sign up by the API itself, on each fresh state. Found by `mastor init`; docs/checking.md describes the format.\nauthTemplate:\n  createUsers:\n",
    );
    for (key, value) in [
        ("endpoint", text(&maker.path)),
        ("verb", maker.method.as_str().to_owned()),
        ("contentType", maker.content_type().to_owned()),
        ("payloadRaw", text(&maker.payload(by))),
    ] {
        out.push_str(&format!("    {key}: {value}\n"));
    }
    out.push_str("    generators:\n");
    for generator in generators().iter().filter(used) {
        let mut said = Map::new();
        said.insert("placeHolder".to_owned(), json!(generator.place_holder));
        said.insert("minLength".to_owned(), json!(generator.min_length));
        said.insert("maxLength".to_owned(), json!(generator.max_length));
        if !generator.prefix.is_empty() {
            said.insert("prefix".to_owned(), json!(generator.prefix));
        }
        if !generator.postfix.is_empty() {
            said.insert("postfix".to_owned(), json!(generator.postfix));
        }
        out.push_str(&format!("      - {}\n", Value::Object(said)));
    }
    out.push_str("  loginEndpointAuth:\n");
    for (key, value) in [
        ("endpoint", text(&login.path)),
        ("verb", login.method.as_str().to_owned()),
        ("contentType", login.content_type().to_owned()),
        ("payloadRaw", text(&login.payload(way))),
    ] {
        out.push_str(&format!("    {key}: {value}\n"));
    }
    for (key, value) in token.as_object().into_iter().flatten() {
        out.push_str(&format!("    {key}: {value}\n"));
    }
    out.push_str("auth:\n");
    for user in users {
        out.push_str(&format!("  - name: {user}\n"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::Secrets;
    use crate::auth::file::read as read_file;

    fn ask(path: &str, body: Value) -> UserRequest {
        UserRequest { path: path.to_owned(), method: Method::Post, body, is_form: false }
    }

    #[test]
    fn the_file_of_what_was_found_is_one_that_is_read() {
        let maker = ask("/register", json!({"user": {"username": "", "email": "a", "password": null, "age": 3}}));
        let login = ask("/login", json!({"email": "", "password": ""}));
        let answer = Answer {
            status: 200,
            headers: vec![("content-type".to_owned(), "application/json".to_owned())],
            body: br#"{"user": {"token": "eyJhbGciOiJI.eyJzdWIi.c2ln", "refreshToken": "aaaaaaaaaaaaaaaaaaaa"}}"#
                .to_vec(),
            cut: false,
            millis: 1.0,
        };
        let tokens = tokens(&answer);
        assert_eq!(tokens.len(), 3, "{tokens:?}");
        let text = file((&maker, UserField::Name), (&login, UserField::Email), &tokens[0], &NAMES);
        let entries = read_file("auth.yaml", &text, &Secrets::default(), |_| None).unwrap();
        let users: Vec<_> = entries.into_iter().map(|(_, entry)| entry.unwrap()).collect();
        let payload = |n: usize| users[n].create_users.as_ref().unwrap().payload_raw.reveal().to_owned();
        assert_eq!(
            serde_json::from_str::<Value>(&payload(0)).unwrap(),
            json!({"user": {"username": "alice2bd806c", "email": "alice@example.com", "password": "Aa1!alice2bd806c97f0", "age": 3}})
        );
        assert_ne!(payload(0), payload(1));
        let login = users[1].login_endpoint_auth.as_ref().unwrap();
        assert_eq!(login.token.as_ref().unwrap().extract_selector, "/user/token");
        assert!(login.payload_raw.as_ref().unwrap().reveal().contains("\"bob@example.com\""));
    }

    #[test]
    fn fields_say_who_a_user_is_by_their_names() {
        assert_eq!(kind_of("user.passwordConfirm"), Some(UserField::Password));
        assert_eq!(kind_of("e_mail"), Some(UserField::Email));
        assert_eq!(kind_of("userName"), Some(UserField::Name));
        assert_eq!(kind_of("firstName"), None);
    }
}
