//! Login names of the auth file's users, read without the environment, so that the result is the same on every machine.

use serde_json::Value;

use super::entry::{Entry, Login};
use super::file::{self, AuthError};
use super::secret::Secrets;
use mastor_types::http::Method;
use mastor_types::suite::request::base64_bytes;
use mastor_types::user::{LogsIn, User};

/// Placeholder for a value from the environment.
pub(super) const ELSEWHERE: &str = "\u{fffc}";

/// The users whose login names are written in the auth file, in the file's order.
///
/// # Errors
/// Where the file does not have the required format.
pub fn logins(path: &str, text: &str) -> Result<Vec<User>, AuthError> {
    let entries = file::read(path, text, &Secrets::default(), |_| Some(ELSEWHERE.to_owned()))?;
    let entries = entries.into_iter().filter_map(|(_, entry)| entry.ok());
    Ok(entries.filter_map(|entry| user(&entry)).filter(|user| !user.login.contains(ELSEWHERE)).collect())
}

fn user(entry: &Entry) -> Option<User> {
    let name = entry.name.clone();
    match (&entry.login_endpoint_auth, entry.fixed_headers.as_slice()) {
        (None, [header]) if header.name.eq_ignore_ascii_case("Authorization") => {
            let credentials = header.value.reveal().strip_prefix("Basic ")?;
            let pair = String::from_utf8(base64_bytes(credentials.trim())?).ok()?;
            let (login, _) = pair.split_once(':')?;
            Some(User { name, login: login.to_owned(), by: LogsIn::Basic })
        }
        (Some(login), []) => by_form(name, login),
        _ => None,
    }
}

/// A user of a Spring Security form login (fields `username` and `password`) that sets cookies.
fn by_form(name: String, login: &Login) -> Option<User> {
    let cookies = login.expect_cookies == Some(true) && login.token.is_none();
    let form = login.content_type.as_deref().is_none_or(|media| media.starts_with("application/x-www-form-urlencoded"));
    if !cookies || !form || login.verb != Method::Post {
        return None;
    }
    let user = match (&login.payload_user_pwd, &login.payload_raw) {
        (Some(pair), None) if pair.username_field == "username" => pair.username.reveal().to_owned(),
        (None, Some(raw)) => {
            let raw = raw.reveal();
            serde_json::from_str::<Value>(raw).err()?;
            let text = raw.split('&').filter_map(|pair| pair.split_once('=')).find(|(name, _)| *name == "username")?.1;
            (!text.contains(['%', '+'])).then(|| text.to_owned())?
        }
        _ => return None,
    };
    Some(User { name, login: user, by: LogsIn::Form(login.endpoint.clone()?) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_at_the_service_are_read_where_they_stand_in_the_file() {
        let text = "
auth:
  - name: staff
    fixedHeaders: [{name: authorization, value: Basic YWRhOnMzY3JldA==}]
  - name: form
    loginEndpointAuth: {payloadRaw: 'username=ada&password=${PW}', endpoint: /app/login, expectCookies: true}
  - name: hidden
    loginEndpointAuth: {payloadRaw: 'username=${WHO}&password=x', endpoint: /app/login, expectCookies: true}
  - name: token
    fixedHeaders: [{name: Authorization, value: Bearer abc}]
";
        let found = logins("auth.yaml", text).unwrap();
        let user = |name: &str, login: &str, by| User { name: name.to_owned(), login: login.to_owned(), by };
        let form = LogsIn::Form("/app/login".to_owned());
        assert_eq!(found, [user("staff", "ada", LogsIn::Basic), user("form", "ada", form)]);
    }
}
