//! A fake GitHub REST API over HTTP with issue comments and pull requests; it validates every request against GitHub's published OpenAPI document.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use crate::exports::without;

/// GitHub's OpenAPI document (npm `@octokit/openapi`), which `tests/tools.sh` installs; `None` if `MASTOR_TEST_WITHOUT` names it.
static DESCRIPTION: LazyLock<Option<Value>> = LazyLock::new(|| {
    let tools = std::env::var("MASTOR_TOOLS")
        .unwrap_or_else(|_| Path::new(env!("CARGO_MANIFEST_DIR")).join(".tools").to_string_lossy().into_owned());
    let path = Path::new(&tools).join("node_modules/@octokit/openapi/generated/api.github.com.json");
    match std::fs::read(&path) {
        Ok(bytes) => Some(serde_json::from_slice(&bytes).unwrap()),
        Err(_) if without("github-api") => None,
        Err(error) => panic!(
            "cannot read {} ({error}): run tests/tools.sh, or name github-api in MASTOR_TEST_WITHOUT",
            path.display()
        ),
    }
});

/// The author of comments written with the tests' token.
pub const US: &str = "github-actions[bot]";

/// An injected fault for the next request of a method.
#[derive(Debug, Clone)]
pub struct Fault {
    /// The method.
    pub method: &'static str,
    /// Status.
    pub status: u16,
    /// Additional headers.
    pub headers: Vec<(&'static str, String)>,
    /// Message of the body.
    pub message: &'static str,
    /// Whether the request takes effect all the same.
    pub done: bool,
}

/// The host's data, and the requests that it received.
#[derive(Debug, Default)]
pub struct State {
    /// Comments: id, login, body.
    pub comments: Vec<(u64, String, String)>,
    /// Open pull requests.
    pub pulls: Vec<Value>,
    /// Requests: `METHOD path?query`.
    pub asked: Vec<String>,
    /// Faults to inject, in order.
    pub faults: VecDeque<Fault>,
    /// Delay of each answer.
    pub delay: Duration,
    /// Violations of GitHub's OpenAPI document.
    pub wrong: Vec<String>,
    next: u64,
}

/// A running host; it stops when the value is dropped.
pub struct Host {
    /// Its data.
    pub state: Arc<Mutex<State>>,
    /// Its URL.
    pub url: String,
}

impl Host {
    /// Starts it on a free port of loopback.
    pub fn start() -> Self {
        LazyLock::force(&DESCRIPTION);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(Mutex::new(State { next: 1000, ..State::default() }));
        let shared = state.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = shared.clone();
                std::thread::spawn(move || serve(stream, &state));
            }
        });
        Self { state, url }
    }

    /// Adds a comment.
    pub fn says(&self, login: &str, body: &str) {
        let mut state = self.state.lock().unwrap();
        state.next += 1;
        let id = state.next;
        state.comments.push((id, login.to_owned(), body.to_owned()));
    }

    /// Makes a request of this method fail.
    pub fn fails(&self, method: &'static str, status: u16, message: &'static str) {
        self.fault(Fault { method, status, headers: Vec::new(), message, done: false });
    }

    /// Injects a fault.
    pub fn fault(&self, fault: Fault) {
        self.state.lock().unwrap().faults.push_back(fault);
    }

    /// Bodies of the comments of one author.
    pub fn comments_of(&self, login: &str) -> Vec<String> {
        let state = self.state.lock().unwrap();
        assert_eq!(state.wrong, Vec::<String>::new(), "requests that GitHub does not know");
        state.comments.iter().filter(|(_, author, _)| author == login).map(|(_, _, body)| body.clone()).collect()
    }

    /// Number of requests with this method.
    pub fn asked(&self, method: &str) -> usize {
        self.state.lock().unwrap().asked.iter().filter(|line| line.starts_with(&format!("{method} "))).count()
    }
}

struct Request {
    method: String,
    path: String,
    query: Vec<(String, String)>,
    authorization: Option<String>,
    body: Value,
}

fn serve(stream: TcpStream, state: &Mutex<State>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut stream = stream;
    while let Some(request) = read(&mut reader) {
        let delay = state.lock().unwrap().delay;
        std::thread::sleep(delay);
        let (status, headers, body) = answer(&request, &mut state.lock().unwrap());
        let text = if status == 204 { String::new() } else { body.to_string() };
        let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let head = format!(
            "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\n{headers}content-length: {}\r\n\r\n",
            text.len()
        );
        if stream.write_all(format!("{head}{text}").as_bytes()).is_err() {
            return;
        }
    }
}

fn read(reader: &mut BufReader<TcpStream>) -> Option<Request> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|bytes| *bytes > 0)?;
    let mut words = line.split_whitespace();
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let (mut length, mut authorization) = (0, None);
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        let Some((name, value)) = header.trim().split_once(':') else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().ok()?,
            "authorization" => authorization = Some(value.trim().to_owned()),
            _ => {}
        }
    }
    let mut bytes = vec![0; length];
    reader.read_exact(&mut bytes).ok()?;
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    Some(Request {
        method,
        path: path.to_owned(),
        query: pairs.map(|(name, value)| (name.to_owned(), value.replace("%2F", "/"))).collect(),
        authorization,
        body: serde_json::from_slice(&bytes).unwrap_or(Value::Null),
    })
}

type Answer = (u16, Vec<(&'static str, String)>, Value);

fn answer(request: &Request, state: &mut State) -> Answer {
    state.asked.push(format!("{} {}", request.method, request.path));
    if request.path == "/graphql" {
        return (200, Vec::new(), json!({ "data": { "viewer": { "login": US } } }));
    }
    state.wrong.extend(breaches(request));
    if request.authorization.as_deref() != Some("Bearer t0ken") {
        return (401, Vec::new(), json!({ "message": "Bad credentials" }));
    }
    if let Some(at) = state.faults.iter().position(|fault| fault.method == request.method) {
        let fault = state.faults.remove(at).unwrap();
        if fault.done {
            act(request, state);
        }
        return (fault.status, fault.headers, json!({ "message": fault.message }));
    }
    let (status, body) = act(request, state);
    (status, Vec::new(), body)
}

fn act(request: &Request, state: &mut State) -> (u16, Value) {
    let parts: Vec<&str> = request.path.trim_start_matches('/').split('/').collect();
    let text = || request.body["body"].as_str().unwrap_or_default().to_owned();
    let missing = (404, json!({ "message": "Not Found" }));
    match (request.method.as_str(), parts.as_slice()) {
        // As GitHub answers the token of a workflow.
        ("GET", ["user"]) => (403, json!({ "message": "Resource not accessible by integration" })),
        ("GET", ["repos", "acme", "orders", "pulls"]) => (200, Value::Array(state.pulls.clone())),
        ("GET", ["repos", "acme", "orders", "issues", "7", "comments"]) => {
            let of = |name: &str, usual: usize| {
                request.query.iter().find(|(key, _)| key == name).map_or(usual, |(_, value)| value.parse().unwrap())
            };
            let (page, size) = (of("page", 1), of("per_page", 30).min(100));
            let all = state.comments.iter().skip((page - 1) * size).take(size).map(comment).collect();
            (200, Value::Array(all))
        }
        ("POST", ["repos", "acme", "orders", "issues", "7", "comments"]) => {
            state.next += 1;
            let made = (state.next, US.to_owned(), text());
            state.comments.push(made.clone());
            (201, comment(&made))
        }
        (method, ["repos", "acme", "orders", "issues", "comments", id]) => {
            let Some(at) = state.comments.iter().position(|(there, ..)| there.to_string() == *id) else {
                return missing;
            };
            match method {
                "PATCH" => {
                    state.comments[at].2 = text();
                    (200, comment(&state.comments[at]))
                }
                "DELETE" => {
                    state.comments.remove(at);
                    (204, Value::Null)
                }
                _ => (200, comment(&state.comments[at])),
            }
        }
        _ => missing,
    }
}

fn comment((id, login, body): &(u64, String, String)) -> Value {
    json!({ "id": id, "node_id": "x", "url": "https://api.example/c", "html_url": "https://example/c", "body": body,
        "user": { "login": login }, "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z" })
}

/// The parts of a request that violate the OpenAPI document.
fn breaches(request: &Request) -> Vec<String> {
    let Some(description) = DESCRIPTION.as_ref() else { return Vec::new() };
    let paths = description["paths"].as_object().unwrap();
    let asked: Vec<&str> = request.path.split('/').collect();
    let fits = |template: &str| {
        let parts: Vec<&str> = template.split('/').collect();
        parts.len() == asked.len() && parts.iter().zip(&asked).all(|(part, own)| part.starts_with('{') || part == own)
    };
    // Of several matching templates, the one with the fewest parameters applies.
    let template = paths.keys().filter(|template| fits(template)).min_by_key(|template| template.matches('{').count());
    let Some(template) = template else { return vec![format!("no path {}", request.path)] };
    let Some(operation) = paths[template].get(request.method.to_lowercase()) else {
        return vec![format!("no method {} of {template}", request.method)];
    };
    let resolved = |value: &Value| match value["$ref"].as_str() {
        Some(pointer) => description.pointer(pointer.trim_start_matches('#')).unwrap().clone(),
        None => value.clone(),
    };
    let parameters: Vec<Value> = operation["parameters"].as_array().into_iter().flatten().map(resolved).collect();
    let mut found = Vec::new();
    for (name, value) in &request.query {
        let Some(parameter) = parameters.iter().find(|p| p["in"] == "query" && p["name"] == **name) else {
            found.push(format!("no query parameter {name} of {template}"));
            continue;
        };
        let number = parameter["schema"]["type"] == "integer";
        if number && value.parse::<u64>().is_err() {
            found.push(format!("{name}={value} is no integer"));
        }
    }
    let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
    if !schema.is_null() {
        let validator = jsonschema::validator_for(schema).unwrap();
        found.extend(validator.iter_errors(&request.body).map(|error| format!("body of {template}: {error}")));
    }
    found
}
