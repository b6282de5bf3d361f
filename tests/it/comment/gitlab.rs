//! The note on a GitLab merge request, written by the binary to a fake GitLab, and the code-quality report.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::support::{Ran, Repo};

const ZONES: &str = "src/main/java/com/example/orders/shipping/ShippingController.java";
const US: &str = "project_3_bot_1";
const HEAD: &str = "1111111111111111111111111111111111111111";
const NOTES: &str = "/api/v4/projects/3/merge_requests/5/notes";

/// The host's data: notes (id, author, text), and the requests that it received.
#[derive(Default)]
struct State {
    notes: Vec<(u64, String, String)>,
    asked: Vec<String>,
}

struct Host {
    state: Arc<Mutex<State>>,
    url: String,
}

impl Host {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(Mutex::new(State::default()));
        let shared = state.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = shared.clone();
                std::thread::spawn(move || serve(stream, &state));
            }
        });
        Self { state, url }
    }

    fn says(&self, author: &str, text: &str) {
        let mut state = self.state.lock().unwrap();
        let id = 100 + state.notes.len() as u64;
        state.notes.push((id, author.to_owned(), text.to_owned()));
    }

    fn notes_of(&self, author: &str) -> Vec<String> {
        let state = self.state.lock().unwrap();
        state.notes.iter().filter(|note| note.1 == author).map(|note| note.2.clone()).collect()
    }
}

fn serve(stream: TcpStream, state: &Mutex<State>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut stream = stream;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 {
            return;
        }
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let (mut length, mut token) = (0, String::new());
        loop {
            let mut header = String::new();
            reader.read_line(&mut header).unwrap();
            let Some((name, value)) = header.trim().split_once(':') else { break };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.trim().parse().unwrap(),
                "private-token" => value.trim().clone_into(&mut token),
                _ => {}
            }
        }
        let mut bytes = vec![0; length];
        reader.read_exact(&mut bytes).unwrap();
        let body: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        let (status, answer) = match token.as_str() {
            "t0ken" => answer(&words[0], &words[1], &body, &mut state.lock().unwrap()),
            _ => (401, json!({ "message": "401 Unauthorized" })),
        };
        let text = if status == 204 { String::new() } else { answer.to_string() };
        let head =
            format!("HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n", text.len());
        if stream.write_all(format!("{head}{text}").as_bytes()).is_err() {
            return;
        }
    }
}

/// The answer, as in GitLab's documentation of notes (`GET`, `POST`, `PUT` and `DELETE` below `/projects/:id/merge_requests/:iid/notes`).
fn answer(method: &str, target: &str, body: &Value, state: &mut State) -> (u16, Value) {
    state.asked.push(format!("{method} {target}"));
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let shown = |note: &(u64, String, String)| json!({ "id": note.0, "body": note.2, "author": { "username": note.1 }, "system": false });
    let text = body["body"].as_str().unwrap_or_default().to_owned();
    if path == "/api/v4/user" {
        return (200, json!({ "id": 1, "username": US }));
    }
    let Some(rest) = path.strip_prefix(NOTES) else { return (404, json!({ "message": "404 Not found" })) };
    let number = |name: &str| {
        let pair = query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
        pair.map_or(1, |value| value.parse::<usize>().unwrap())
    };
    match (method, rest.trim_start_matches('/').parse::<u64>()) {
        ("GET", Err(_)) => {
            let (page, size) = (number("page"), number("per_page"));
            (200, state.notes.iter().skip((page - 1) * size).take(size).map(shown).collect())
        }
        ("POST", Err(_)) => {
            let note = (1000 + state.notes.len() as u64, US.to_owned(), text);
            state.notes.push(note.clone());
            (201, shown(&note))
        }
        (method, Ok(id)) => {
            let Some(at) = state.notes.iter().position(|note| note.0 == id) else {
                return (404, json!({ "message": "404 Note Not Found" }));
            };
            match method {
                "PUT" => state.notes[at].2 = text,
                "DELETE" => {
                    state.notes.remove(at);
                    return (204, Value::Null);
                }
                _ => {}
            }
            (200, shown(&state.notes[at]))
        }
        _ => (405, Value::Null),
    }
}

/// Runs `mastor` as a job of a merge request's pipeline.
fn job(repo: &Repo, host: &Host, (pipeline, job): (u64, u64), arguments: &[&str]) -> Ran {
    let mut command = repo.mastor(arguments.iter().copied());
    command.env("GITLAB_CI", "true").env("CI", "true").env("CI_PIPELINE_SOURCE", "merge_request_event");
    command.env("CI_SERVER_URL", "https://gitlab.example").env("CI_API_V4_URL", format!("{}/api/v4", host.url));
    command.env("CI_PROJECT_ID", "3").env("CI_PROJECT_PATH", "acme/orders").env("CI_MERGE_REQUEST_IID", "5");
    command.env("CI_COMMIT_SHA", HEAD).env("CI_PIPELINE_ID", pipeline.to_string()).env("CI_JOB_ID", job.to_string());
    command.env("MASTOR_GITLAB_TOKEN", "t0ken").env("GITHUB_TOKEN", "another");
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let ran = Ran { code: output.status.code().unwrap(), out: text(&output.stdout), err: text(&output.stderr) };
    assert!(!ran.out.contains("t0ken") && !ran.err.contains("t0ken"), "the token is told: {ran:?}");
    ran
}

fn changed() -> Repo {
    let repo = Repo::example()
        .branch("feature")
        .edit(ZONES, "return ResponseEntity.notFound().build();", "return ResponseEntity.noContent().build();")
        .commit("Answer otherwise");
    repo.run(["ci", "--since", "main"]).ends(0);
    repo
}

#[test]
fn one_note_is_made_edited_and_never_set_back() {
    let (repo, host) = (changed(), Host::start());
    for n in 0..120 {
        host.says("someone", &format!("note {n}"));
    }
    host.says("someone", &format!("<!-- mastor key=mastor head={HEAD} run=99 attempt=1 -->\nforged"));
    job(&repo, &host, (20, 200), &["comment"]).ends(0).says(&["was written"]);
    let first = host.notes_of(US);
    assert_eq!(first.len(), 1);
    assert!(
        first[0].starts_with(&format!("<!-- mastor key=mastor head={HEAD} run=20 attempt=200 -->\n### mastor: ")),
        "{}",
        first[0]
    );
    assert!(first[0].contains(&format!("https://gitlab.example/acme/orders/-/blob/{HEAD}/{ZONES}#L")), "{}", first[0]);
    job(&repo, &host, (20, 200), &["comment"]).ends(0).says(&["says it already"]);
    // A retried job of the same pipeline is newer, a job of an older pipeline is not.
    job(&repo, &host, (20, 201), &["comment"]).ends(0).says(&["brought up to date"]);
    job(&repo, &host, (19, 900), &["comment"]).ends(0).says(&["of a newer run, and stays"]);
    let ours = host.notes_of(US);
    assert!(ours.len() == 1 && ours[0].contains("run=20 attempt=201"), "{ours:#?}");
    assert!(host.notes_of("someone").iter().any(|note| note.ends_with("forged")));
    let asked = host.state.lock().unwrap().asked.clone();
    assert_eq!(asked.iter().filter(|line| line.starts_with("POST ")).count(), 1, "{asked:?}");
}

#[test]
fn a_run_writes_note_and_code_quality_and_a_refused_token_changes_no_verdict() {
    let (repo, host) = (changed(), Host::start());
    job(&repo, &host, (1, 1), &["ci", "--since", "main", "--comment"]).ends(0).says(&["was written"]);
    let found: Value = serde_json::from_str(&repo.read(".mastor/out/code-quality.json")).unwrap();
    let entry = &found.as_array().unwrap()[0];
    assert_eq!(entry["location"]["path"], ZONES);
    let line = entry["location"]["lines"]["begin"].as_u64().unwrap() as usize;
    let text = repo.read(ZONES);
    let shown = text.lines().nth(line - 1).unwrap();
    assert!(shown.contains("ResponseEntity.noContent()"), "line {line} is not the changed one: {shown}");
    // The SARIF result has the same line.
    let log: Value = serde_json::from_str(&repo.read(".mastor/out/report.sarif")).unwrap();
    let region = log.pointer("/runs/0/results/0/locations/0/physicalLocation/region/startLine").unwrap();
    assert_eq!(region.as_u64(), Some(line as u64));
    let mut command = repo.mastor(["comment"]);
    command
        .env("GITLAB_CI", "true")
        .env("CI_API_V4_URL", format!("{}/api/v4", host.url))
        .env("CI_SERVER_URL", "https://gitlab.example");
    command.env("CI_PROJECT_ID", "3").env("CI_PROJECT_PATH", "acme/orders").env("CI_MERGE_REQUEST_IID", "5");
    command.env("CI_COMMIT_SHA", HEAD).env("MASTOR_GITLAB_TOKEN", "wrong");
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("may not do it (401") && said.contains("MASTOR_GITLAB_TOKEN"), "{said}");
}
