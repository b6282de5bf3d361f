//! Logs in: sends the login request of the auth file and extracts credentials from the answer.

use serde_json::{Value, json};

use super::credentials::Credentials;
use super::entry::{CreateUsers, ExtractFrom, Login, SendIn};
use super::secret::{Secret, Secrets};
use crate::http::{Client, Request};
use mastor_types::http::Method;
use mastor_types::results::outcome::{Answer, NoAnswer};
use mastor_types::suite::request::{form_with, percent};

/// Logs in; returns the credentials for later requests.
///
/// # Errors
/// The inner error says why there are no credentials, without any secret. The outer one is that of the HTTP client.
pub async fn login(
    client: &Client,
    base_url: &str,
    login: &Login,
    secrets: &Secrets,
) -> Result<Result<Credentials, String>, NoAnswer> {
    let mut session = Session::default();
    let mut answer = client.send(&session.request(base_url, login)).await?;
    session.keep(&answer);
    // A form with CSRF protection answers 403 unless the request has the token of the form's page.
    if answer.status == 403 {
        let page = Request { method: Method::Get, url: url(base_url, login), headers: session.headers(), body: None };
        let page = client.send(&page).await?;
        session.keep(&page);
        session.form_token = form_token(&page.text());
        if session.form_token.is_some() || session.forgery_cookie().is_some() {
            answer = client.send(&session.request(base_url, login)).await?;
            session.keep(&answer);
        }
    }
    Ok(credentials(login, &answer, &session, secrets))
}

fn credentials(login: &Login, answer: &Answer, session: &Session, secrets: &Secrets) -> Result<Credentials, String> {
    let endpoint = login.endpoint.as_deref().unwrap_or("the external login");
    if answer.status >= 400 {
        return Err(format!("{endpoint} answered {}", answer.status));
    }
    if let Some(location) = answer.header("location").filter(|_| (300..400).contains(&answer.status)) {
        let to = location.split(['?', '#']).next_back().unwrap_or_default();
        if to.contains("error") || to.contains("fail") {
            return Err(format!("{endpoint} leads on to an error page"));
        }
    }
    let mut found = Credentials::default();
    if let Some(token) = &login.token {
        let text = match token.extract_from {
            ExtractFrom::Header => answer.header(&token.extract_selector.to_ascii_lowercase()).map(str::to_owned),
            ExtractFrom::Body => body_token(answer, &token.extract_selector),
        };
        let Some(text) = text.filter(|text| !text.is_empty()) else {
            let place = match token.extract_from {
                ExtractFrom::Header => "header",
                ExtractFrom::Body => "body at",
            };
            return Err(format!(
                "{endpoint} answered {} without a token in the {place} {}",
                answer.status, token.extract_selector
            ));
        };
        secrets.add(&text);
        let sent = (token.send_name.clone(), Secret::new(token.sent(&text)));
        match token.send_in {
            SendIn::Header => found.headers.push(sent),
            SendIn::Query => found.query.push(sent),
        }
    }
    if login.expect_cookies == Some(true) {
        if session.cookies.is_empty() {
            return Err(format!("{endpoint} answered {} without a cookie", answer.status));
        }
        for (_, value) in &session.cookies {
            secrets.add(value);
        }
        found.cookies = session.cookies.iter().map(|(name, value)| (name.clone(), Secret::new(value))).collect();
        found.forgery = session.forgery_cookie().map(|value| ("X-XSRF-TOKEN".to_owned(), Secret::new(value)));
    }
    Ok(found)
}

/// The token at a JSON pointer; for an empty pointer, the whole text of a body that is not JSON.
fn body_token(answer: &Answer, pointer: &str) -> Option<String> {
    let text = answer.text();
    match serde_json::from_str::<Value>(&text) {
        Ok(value) => match value.pointer(pointer)? {
            Value::String(token) => Some(token.clone()),
            Value::Number(token) => Some(token.to_string()),
            _ => None,
        },
        Err(_) => pointer.is_empty().then(|| text.trim().to_owned()),
    }
}

/// Creates a user and returns the status of the answer. A refusal is no error, since the user may exist already: the login shows that.
///
/// # Errors
/// Where no answer arrived.
pub async fn create(client: &Client, base_url: &str, user: &CreateUsers) -> Result<u16, NoAnswer> {
    let url = endpoint_url(base_url, user.endpoint.as_deref(), user.external_endpoint_url.as_deref());
    let headers = vec![("Content-Type".to_owned(), user.content_type.clone())];
    let body = Some(user.payload_raw.reveal().as_bytes().to_vec());
    Ok(client.send(&Request { method: user.verb, url, headers, body }).await?.status)
}

/// The URL of the login.
pub fn url(base_url: &str, login: &Login) -> String {
    endpoint_url(base_url, login.endpoint.as_deref(), login.external_endpoint_url.as_deref())
}

/// The URL of an endpoint: a path from the root of the service's server, or a URL on another server.
fn endpoint_url(base_url: &str, endpoint: Option<&str>, external: Option<&str>) -> String {
    if let Some(external) = external {
        return external.to_owned();
    }
    let endpoint = endpoint.unwrap_or_default();
    let host = base_url.find("://").map_or(0, |at| at + 3);
    let end = base_url[host..].find('/').map_or(base_url.len(), |at| host + at);
    let slash = if endpoint.starts_with('/') { "" } else { "/" };
    format!("{}{slash}{endpoint}", &base_url[..end])
}

/// Cookies and form token received so far.
#[derive(Default)]
struct Session {
    cookies: Vec<(String, String)>,
    form_token: Option<(String, String)>,
}

impl Session {
    fn keep(&mut self, answer: &Answer) {
        for line in answer.values("set-cookie") {
            let mut parts = line.split(';').map(str::trim);
            let Some((name, value)) = parts.next().and_then(|pair| pair.split_once('=')) else { continue };
            self.cookies.retain(|(other, _)| other != name);
            let gone = value.is_empty() || parts.any(|part| part.eq_ignore_ascii_case("max-age=0"));
            if !gone {
                self.cookies.push((name.to_owned(), value.to_owned()));
            }
        }
    }

    /// The value of the CSRF cookie, which clients must send back as a header.
    fn forgery_cookie(&self) -> Option<&str> {
        self.cookies.iter().find(|(name, _)| name == "XSRF-TOKEN").map(|(_, value)| value.as_str())
    }

    fn headers(&self) -> Vec<(String, String)> {
        let mut headers = Vec::new();
        if !self.cookies.is_empty() {
            let pairs: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
            headers.push(("Cookie".to_owned(), pairs.join("; ")));
        }
        if let Some(value) = self.forgery_cookie() {
            headers.push(("X-XSRF-TOKEN".to_owned(), value.to_owned()));
        }
        headers
    }

    fn request(&self, base_url: &str, login: &Login) -> Request {
        let json = login.content_type.as_deref().is_some_and(|media_type| media_type.contains("json"));
        let mut body = match (&login.payload_raw, &login.payload_user_pwd) {
            (Some(raw), _) => Some(raw.reveal().to_owned()),
            (None, Some(pair)) => {
                let (user, password) = (pair.username.reveal(), pair.password.reveal());
                Some(if json {
                    json!({pair.username_field.as_str(): user, pair.password_field.as_str(): password}).to_string()
                } else {
                    let form = [
                        (pair.username_field.clone(), user.to_owned()),
                        (pair.password_field.clone(), password.to_owned()),
                    ];
                    form_with(&form, |_, value| percent(value))
                })
            }
            (None, None) => None,
        };
        let mut headers = self.headers();
        if let Some((name, value)) = &self.form_token {
            if json {
                headers.push(("X-CSRF-TOKEN".to_owned(), value.clone()));
            } else {
                let text = body.take().unwrap_or_default();
                body = Some(format!("{text}&{}={}", percent(name), percent(value)));
            }
        }
        headers.extend(login.headers.iter().map(|header| (header.name.clone(), header.value.reveal().to_owned())));
        if let Some(media_type) =
            login.content_type.clone().or_else(|| body.as_ref().map(|_| "application/x-www-form-urlencoded".to_owned()))
        {
            headers.push(("Content-Type".to_owned(), media_type));
        }
        Request { method: login.verb, url: url(base_url, login), headers, body: body.map(String::into_bytes) }
    }
}

/// Name and value of the CSRF field on a login page.
fn form_token(page: &str) -> Option<(String, String)> {
    let attribute = |tag: &str, name: &str| {
        let at = tag.find(&format!("{name}="))? + name.len() + 1;
        let quote = tag[at..].chars().next().filter(|c| matches!(c, '"' | '\''))?;
        tag[at + 1..].split(quote).next().map(str::to_owned)
    };
    page.split('<').filter(|tag| tag.starts_with("input") || tag.starts_with("meta")).find_map(|tag| {
        let tag = tag.split('>').next().unwrap_or_default();
        let name = attribute(tag, "name")?;
        let lower = name.to_ascii_lowercase();
        let guards =
            ["csrf", "xsrf", "authenticity_token", "requestverificationtoken"].iter().any(|part| lower.contains(part));
        let value = attribute(tag, "value").or_else(|| attribute(tag, "content"))?;
        (guards && !lower.ends_with("header") && !lower.contains("parameter")).then_some((name, value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_of_a_form_is_found() {
        let page = "<form><input type='text' name='u'><input type=\"hidden\" name=\"_csrf\" value=\"a&b\"/></form>";
        assert_eq!(form_token(page), Some(("_csrf".to_owned(), "a&b".to_owned())));
        assert_eq!(form_token("<p>no form</p>"), None);
    }

    #[test]
    fn a_login_is_found_from_the_root_of_the_server() {
        let login: Login = serde_json::from_value(json!({"endpoint": "/app/login"})).unwrap();
        assert_eq!(url("http://h:8080/api/v1", &login), "http://h:8080/app/login");
        let login: Login = serde_json::from_value(json!({"externalEndpointURL": "http://x/t"})).unwrap();
        assert_eq!(url("http://h:8080/api/v1", &login), "http://x/t");
    }
}
