//! The gateway to GitLab's REST API (version 4): the notes of a merge request.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::github::sticky::{Comment, Comments, Trouble};
use mastor_types::ci_run::HostedRepository;
use mastor_types::suite::request::percent;

/// Notes per page, GitLab's maximum.
const PAGE: usize = 100;
/// Maximum number of pages read.
const PAGES: usize = 100;
/// Maximum total wait of one request for rate limits and server errors.
const PATIENCE: Duration = Duration::from_secs(90);
/// Waits after server errors.
const BACK_OFF: [Duration; 4] =
    [Duration::from_secs(1), Duration::from_secs(2), Duration::from_secs(4), Duration::from_secs(8)];

/// The notes of a merge request.
pub struct GitLab {
    client: reqwest::Client,
    runtime: tokio::runtime::Runtime,
    /// API URL of the merge request.
    request: String,
    /// Base URL of the API.
    root: String,
    token: String,
}

#[derive(Deserialize)]
struct User {
    username: String,
}

#[derive(Deserialize)]
struct Note {
    id: u64,
    body: Option<String>,
    author: Option<User>,
}

impl From<Note> for Comment {
    fn from(note: Note) -> Self {
        let author = note.author.map(|author| author.username).unwrap_or_default();
        Self { id: note.id, author, body: note.body.unwrap_or_default() }
    }
}

impl GitLab {
    /// Accesses a merge request by its number in the project, with this token.
    ///
    /// # Errors
    /// Where the API's URL is invalid, or no HTTP client can be created.
    pub fn new(repository: &HostedRepository, number: u64, token: &str) -> Result<Self, Trouble> {
        let failed = |error: &dyn std::fmt::Display| Trouble::Failed(format!("no client for the host: {error}"));
        let root = repository.api_url.trim_end_matches('/').to_owned();
        let is_url = reqwest::Url::parse(&root).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
        if !is_url {
            return Err(Trouble::Failed(format!("`{root}` is no URL of a host")));
        }
        let mut client = reqwest::Client::builder()
            .user_agent(concat!("mastor/", env!("CARGO_PKG_VERSION")))
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(Duration::from_secs(10))
            .timeout(Duration::from_secs(30));
        if root.starts_with("http:") {
            client = client.tls_certs_only([]);
        }
        let client = client.build().map_err(|error| failed(&error))?;
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| failed(&error))?;
        let project = repository.id.clone().unwrap_or_else(|| format!("{}/{}", repository.owner, repository.name));
        let request = format!("{root}/projects/{}/merge_requests/{number}", percent(&project));
        Ok(Self { client, runtime, request, root, token: token.to_owned() })
    }

    /// Sends a request and turns an error status into a [`Trouble`].
    fn send_checked(&self, method: &Method, url: &str, body: Option<&Value>) -> Result<String, Trouble> {
        let (status, text) = self.send_with_retries(method, url, body)?;
        let message = || {
            let value: Value = serde_json::from_str(&text).unwrap_or_default();
            let said = value.get("message").or_else(|| value.get("error"));
            said.map_or_else(
                || "no reason given".to_owned(),
                |said| said.as_str().map_or(said.to_string(), str::to_owned),
            )
        };
        match status.as_u16() {
            200..=299 => Ok(text),
            401 | 403 => Err(Trouble::NoRight { status: status.as_u16(), message: message() }),
            404 | 410 => Err(Trouble::NotThere { message: message() }),
            status => Err(Trouble::Failed(format!("the host answered {status}: {}", message()))),
        }
    }

    /// Retries on rate limits and server errors, up to the maximum wait.
    fn send_with_retries(
        &self,
        method: &Method,
        url: &str,
        body: Option<&Value>,
    ) -> Result<(StatusCode, String), Trouble> {
        let mut waited = Duration::ZERO;
        let mut back_off = BACK_OFF.iter().copied();
        loop {
            let answer = self.runtime.block_on(self.once(method, url, body));
            let wait = match &answer {
                Ok((status, _, wait)) if status.as_u16() == 429 => wait.or_else(|| back_off.next()),
                Ok((status, ..)) if status.is_server_error() => back_off.next(),
                Ok(_) => None,
                // A request that creates something may have succeeded, so the caller decides about a retry.
                Err(_) if *method == Method::POST => None,
                Err(_) => back_off.next(),
            };
            let Some(wait) = wait else { return answer.map(|(status, text, _)| (status, text)) };
            if waited + wait > PATIENCE {
                return match answer {
                    Ok((status, ..)) if status.as_u16() == 429 => Err(Trouble::RateLimit { seconds: wait.as_secs() }),
                    other => other.map(|(status, text, _)| (status, text)),
                };
            }
            std::thread::sleep(wait);
            waited += wait;
        }
    }

    async fn once(
        &self,
        method: &Method,
        url: &str,
        body: Option<&Value>,
    ) -> Result<(StatusCode, String, Option<Duration>), Trouble> {
        // The token is sent in a header only, and the client's errors do not contain headers.
        let mut request = self.client.request(method.clone(), url).header("PRIVATE-TOKEN", &self.token);
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body.to_string());
        }
        let broken =
            |error: reqwest::Error| Trouble::Failed(format!("no answer from the host: {}", error.without_url()));
        let answer = request.send().await.map_err(broken)?;
        let after = answer.headers().get("retry-after").and_then(|value| value.to_str().ok()?.trim().parse().ok());
        let (status, after) = (answer.status(), after.map(Duration::from_secs));
        Ok((status, answer.text().await.map_err(broken)?, after))
    }
}

impl Comments for GitLab {
    fn author(&self) -> Result<String, Trouble> {
        let text = self.send_checked(&Method::GET, &format!("{}/user", self.root), None)?;
        read::<User>(&text).map(|user| user.username)
    }

    fn all(&self) -> Result<Vec<Comment>, Trouble> {
        let mut all = Vec::new();
        for page in 1..=PAGES {
            let query = format!("sort=asc&order_by=created_at&per_page={PAGE}&page={page}");
            let text = self.send_checked(&Method::GET, &format!("{}/notes?{query}", self.request), None)?;
            let found: Vec<Note> = read(&text)?;
            let is_last = found.len() < PAGE;
            all.extend(found.into_iter().map(Comment::from));
            if is_last {
                break;
            }
        }
        Ok(all)
    }

    fn one(&self, id: u64) -> Result<Option<Comment>, Trouble> {
        match self.send_checked(&Method::GET, &format!("{}/notes/{id}", self.request), None) {
            Ok(text) => read::<Note>(&text).map(|note| Some(note.into())),
            Err(Trouble::NotThere { .. }) => Ok(None),
            Err(other) => Err(other),
        }
    }

    fn create(&self, body: &str) -> Result<Comment, Trouble> {
        let body = json!({ "body": without_actions(body) });
        read::<Note>(&self.send_checked(&Method::POST, &format!("{}/notes", self.request), Some(&body))?)
            .map(Comment::from)
    }

    fn update(&self, id: u64, body: &str) -> Result<(), Trouble> {
        let body = json!({ "body": without_actions(body) });
        self.send_checked(&Method::PUT, &format!("{}/notes/{id}", self.request), Some(&body)).map(drop)
    }

    fn delete(&self, id: u64) -> Result<(), Trouble> {
        match self.send_checked(&Method::DELETE, &format!("{}/notes/{id}", self.request), None) {
            Ok(_) | Err(Trouble::NotThere { .. }) => Ok(()),
            Err(other) => Err(other),
        }
    }
}

fn read<T: for<'de> Deserialize<'de>>(text: &str) -> Result<T, Trouble> {
    serde_json::from_str(text).map_err(|error| Trouble::Failed(format!("the host's answer cannot be read: {error}")))
}

/// Disables GitLab's quick actions (lines such as `/merge`): outside of code blocks, no line begins with a slash.
fn without_actions(text: &str) -> String {
    let mut is_code = false;
    let lines = text.split('\n').map(|line| {
        let start = line.trim_start();
        if start.starts_with("```") || start.starts_with("~~~") {
            is_code = !is_code;
        }
        match start.strip_prefix('/').filter(|_| !is_code) {
            Some(rest) => format!("{}\\/{rest}", &line[..line.len() - start.len()]),
            None => line.to_owned(),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_a_quick_action() {
        assert_eq!(
            without_actions("a\n  /merge\n/close now\n```\n/x\n```\n/y"),
            "a\n  \\/merge\n\\/close now\n```\n/x\n```\n\\/y"
        );
    }
}
