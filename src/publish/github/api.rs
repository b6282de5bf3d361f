//! The gateway to GitHub's REST API, the only file that uses octocrab.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use octocrab::Octocrab;
use serde::Deserialize;
use serde_json::{Value, json};

use super::sticky::{Comment, Comments, Trouble};
use mastor_types::ci_run::{HostedRepository, PullRequest, RunHead};
use mastor_types::suite::request::percent;

/// Comments per page, GitHub's maximum.
const PAGE: usize = 100;
/// Maximum number of pages read.
const PAGES: usize = 100;
/// Maximum total wait of one request for rate limits and server errors.
const PATIENCE: Duration = Duration::from_secs(90);
/// Waits after server errors.
const BACK_OFF: [Duration; 4] =
    [Duration::from_secs(1), Duration::from_secs(2), Duration::from_secs(4), Duration::from_secs(8)];
/// Wait after a secondary rate limit without a given time, as GitHub's documentation asks.
const SECONDARY: Duration = Duration::from_secs(60);
/// Author of comments made with a workflow's own token, which may not query its identity.
const WORKFLOW_TOKEN: &str = "github-actions[bot]";

/// The comments of a pull request on GitHub or GitHub Enterprise Server.
pub struct GitHub {
    crab: Octocrab,
    runtime: tokio::runtime::Runtime,
    repository: HostedRepository,
    /// Path prefix of the REST API: empty, or `/api/v3`.
    root: String,
    number: u64,
}

/// An answer: status, wait asked for by its headers, and body.
struct Answer {
    status: u16,
    retry_after: Option<Duration>,
    body: String,
}

#[derive(Deserialize)]
struct User {
    login: String,
}

#[derive(Deserialize)]
struct WireComment {
    id: u64,
    user: Option<User>,
    body: Option<String>,
}

impl From<WireComment> for Comment {
    fn from(wire: WireComment) -> Self {
        let author = wire.user.map(|user| user.login).unwrap_or_default();
        Self { id: wire.id, author, body: wire.body.unwrap_or_default() }
    }
}

impl GitHub {
    /// Accesses a pull request by its number, with this token.
    ///
    /// # Errors
    /// Where the repository's URL is invalid, or no HTTP client can be created.
    pub fn new(repository: &HostedRepository, number: u64, token: &str) -> Result<Self, Trouble> {
        let failed = |error: &dyn std::fmt::Display| Trouble::Failed(format!("no client for the host: {error}"));
        let (origin, root) = origin(&repository.api_url)
            .ok_or_else(|| Trouble::Failed(format!("`{}` is no URL of a host", repository.api_url)))?;
        let mut client = reqwest::Client::builder()
            .user_agent(concat!("mastor/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(Duration::from_secs(10))
            .timeout(Duration::from_secs(30));
        if origin.starts_with("http:") {
            client = client.tls_certs_only([]);
        }
        let client = client.build().map_err(|error| failed(&error))?;
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| failed(&error))?;
        let crab = {
            // The client spawns tasks when it is built, which needs the runtime.
            let _inside = runtime.enter();
            let builder = Octocrab::builder().personal_token(token.to_owned());
            let builder = builder.base_uri(origin.as_str()).map_err(|error| failed(&error))?;
            builder.build_with_reqwest(client).map_err(|error| failed(&error))?
        };
        Ok(Self { crab, runtime, repository: repository.clone(), root, number })
    }

    /// The open pull request with this head commit, repository and branch; `None` unless exactly one exists.
    ///
    /// # Errors
    /// Where the host refuses or does not answer.
    pub fn pull_of(&self, head: &RunHead) -> Result<Option<PullRequest>, Trouble> {
        let (owner, _) = head.repository.split_once('/').unwrap_or((&head.repository, ""));
        let path =
            self.path(&format!("pulls?state=open&per_page=100&head={}:{}", percent(owner), percent(&head.branch)));
        let text = self.send_checked("GET", &path, None)?.body;
        let pulls: Vec<Value> = serde_json::from_str(&text).map_err(|error| unreadable(&error))?;
        let mut found = pulls.iter().filter_map(|pull| {
            let text = |pointer: &str| pull.pointer(pointer).and_then(Value::as_str);
            let same = text("/head/sha") == Some(&head.sha) && text("/head/repo/full_name") == Some(&head.repository);
            let number = pull.get("number").and_then(Value::as_u64).filter(|_| same)?;
            Some(PullRequest {
                number,
                head_sha: head.sha.clone(),
                head_ref: head.branch.clone(),
                from_fork: text("/base/repo/full_name") != Some(&head.repository),
            })
        });
        Ok(found.next().filter(|_| found.next().is_none()))
    }

    /// The same repository, for another pull request.
    #[must_use]
    pub fn with_number(self, number: u64) -> Self {
        Self { number, ..self }
    }

    fn path(&self, rest: &str) -> String {
        format!("{}/repos/{}/{}/{rest}", self.root, percent(&self.repository.owner), percent(&self.repository.name))
    }

    /// Sends a request and turns an error status into a [`Trouble`].
    fn send_checked(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Answer, Trouble> {
        let answer = self.send_with_retries(method, path, body)?;
        let message = || {
            let value: Value = serde_json::from_str(&answer.body).unwrap_or_default();
            value.get("message").and_then(Value::as_str).unwrap_or("no reason given").to_owned()
        };
        match answer.status {
            200..=299 => Ok(answer),
            401 | 403 => Err(Trouble::NoRight { status: answer.status, message: message() }),
            404 | 410 => Err(Trouble::NotThere { message: message() }),
            status => Err(Trouble::Failed(format!("the host answered {status}: {}", message()))),
        }
    }

    /// Retries on rate limits and server errors, up to the maximum wait.
    fn send_with_retries(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Answer, Trouble> {
        let mut waited = Duration::ZERO;
        let mut back_off = BACK_OFF.iter().copied();
        loop {
            let answer = self.runtime.block_on(self.once(method, path, body));
            let wait = match &answer {
                Ok(answer) => match (answer.status, answer.retry_after) {
                    (403 | 429, Some(wait)) => Some(wait),
                    (429 | 500..=599, _) => back_off.next(),
                    _ => None,
                },
                // A request that creates something may have succeeded, so the caller decides about a retry.
                Err(_) if method == "POST" => None,
                Err(_) => back_off.next(),
            };
            let Some(wait) = wait else { return answer };
            if waited + wait > PATIENCE {
                return match answer {
                    Ok(Answer { status: 403 | 429, .. }) => Err(Trouble::RateLimit { seconds: wait.as_secs() }),
                    other => other,
                };
            }
            std::thread::sleep(wait);
            waited += wait;
        }
    }

    async fn once(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Answer, Trouble> {
        let sent = match method {
            "POST" => self.crab._post(path, body).await,
            "PATCH" => self.crab._patch(path, body).await,
            "DELETE" => self.crab._delete(path, body).await,
            _ => self.crab._get(path).await,
        };
        let answer =
            sent.map_err(|error| Trouble::Failed(format!("no answer from the host: {}", innermost(&error))))?;
        let status = answer.status().as_u16();
        let header = |name: &str| answer.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let seconds = |name: &str| header(name).and_then(|text| text.trim().parse::<u64>().ok());
        let mut retry_after = seconds("retry-after").map(Duration::from_secs);
        if retry_after.is_none() && header("x-ratelimit-remaining").as_deref() == Some("0") {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            retry_after = seconds("x-ratelimit-reset").map(|at| Duration::from_secs(at).saturating_sub(now));
        }
        let text = self.crab.body_to_string(answer).await;
        let body = text.map_err(|error| Trouble::Failed(format!("an answer broke off: {}", innermost(&error))))?;
        if status == 403 && retry_after.is_none() && body.contains("secondary rate limit") {
            retry_after = Some(SECONDARY);
        }
        Ok(Answer { status, retry_after, body })
    }
}

impl Comments for GitHub {
    fn author(&self) -> Result<String, Trouble> {
        // Only GraphQL tells every kind of token its identity. Where it is not available, the REST API works for users'
        // tokens.
        if let Some((_, path)) = self.repository.graphql_url.as_deref().and_then(origin) {
            let answer = self.send_with_retries("POST", &path, Some(&json!({ "query": "query { viewer { login } }" })));
            let login = answer.ok().and_then(|answer| {
                let value: Value = serde_json::from_str(&answer.body).ok()?;
                value.pointer("/data/viewer/login")?.as_str().map(str::to_owned)
            });
            if let Some(login) = login {
                return Ok(login);
            }
        }
        let answer = self.send_with_retries("GET", &format!("{}/user", self.root), None)?;
        match serde_json::from_str::<User>(&answer.body) {
            Ok(user) if answer.status == 200 => Ok(user.login),
            _ => Ok(WORKFLOW_TOKEN.to_owned()),
        }
    }

    fn all(&self) -> Result<Vec<Comment>, Trouble> {
        let mut all = Vec::new();
        for page in 1..=PAGES {
            let path = self.path(&format!("issues/{}/comments?per_page={PAGE}&page={page}", self.number));
            let text = self.send_checked("GET", &path, None)?.body;
            let found: Vec<WireComment> = serde_json::from_str(&text).map_err(|error| unreadable(&error))?;
            let last = found.len() < PAGE;
            all.extend(found.into_iter().map(Comment::from));
            if last {
                break;
            }
        }
        Ok(all)
    }

    fn one(&self, id: u64) -> Result<Option<Comment>, Trouble> {
        match self.send_checked("GET", &self.path(&format!("issues/comments/{id}")), None) {
            Ok(answer) => comment(&answer.body).map(Some),
            Err(Trouble::NotThere { .. }) => Ok(None),
            Err(other) => Err(other),
        }
    }

    fn create(&self, body: &str) -> Result<Comment, Trouble> {
        let path = self.path(&format!("issues/{}/comments", self.number));
        comment(&self.send_checked("POST", &path, Some(&json!({ "body": body })))?.body)
    }

    fn update(&self, id: u64, body: &str) -> Result<(), Trouble> {
        let path = self.path(&format!("issues/comments/{id}"));
        self.send_checked("PATCH", &path, Some(&json!({ "body": body }))).map(|_| ())
    }

    fn delete(&self, id: u64) -> Result<(), Trouble> {
        match self.send_checked("DELETE", &self.path(&format!("issues/comments/{id}")), None) {
            Ok(_) | Err(Trouble::NotThere { .. }) => Ok(()),
            Err(other) => Err(other),
        }
    }
}

fn comment(text: &str) -> Result<Comment, Trouble> {
    serde_json::from_str::<WireComment>(text).map(Comment::from).map_err(|error| unreadable(&error))
}

fn unreadable(error: &serde_json::Error) -> Trouble {
    Trouble::Failed(format!("the host's answer cannot be read: {error}"))
}

/// Scheme and authority of a URL, and its path without a trailing slash.
fn origin(url: &str) -> Option<(String, String)> {
    let url = reqwest::Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    Some((url.origin().ascii_serialization(), url.path().trim_end_matches('/').to_owned()))
}

/// The innermost cause of an error, which is the most specific one; none contains the token.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_split_into_its_origin_and_the_path_of_its_interface() {
        let of = |url| origin(url).unwrap();
        assert_eq!(of("https://api.github.com"), ("https://api.github.com".to_owned(), String::new()));
        assert_eq!(of("http://ghe:81/api/v3/"), ("http://ghe:81".to_owned(), "/api/v3".to_owned()));
        assert_eq!(origin("file:///x"), None);
    }
}
