//! Posting the comment: created, edited, left to a newer run, flipped, refused.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::github::{Fault, Host, US};
use crate::support::{Ran, Repo};

const ZONES: &str = "src/main/java/com/example/orders/shipping/ShippingController.java";
const HEAD: &str = "1111111111111111111111111111111111111111";

/// A repository whose last run reported one change.
fn changed() -> Repo {
    let repo = Repo::example()
        .branch("feature")
        .edit(ZONES, "return ResponseEntity.notFound().build();", "return ResponseEntity.noContent().build();")
        .commit("Answer otherwise");
    repo.run(["ci", "--since", "main"]).ends(0);
    repo
}

/// The event of a pull request from the repository `head`.
fn event(head: &str) -> Value {
    json!({ "number": 7, "pull_request": { "number": 7, "head": { "sha": HEAD, "ref": "feature", "repo": { "full_name": head } },
        "base": { "sha": "2".repeat(40), "repo": { "full_name": "acme/orders" } } } })
}

/// The command `mastor` as a step of a workflow run.
fn step(repo: &Repo, host: &Host, run: u64, arguments: &[&str]) -> assert_cmd::Command {
    let path = repo.path().join(".mastor/out/event.json");
    if !path.exists() {
        std::fs::write(&path, event("acme/orders").to_string()).unwrap();
    }
    let mut command = repo.mastor(arguments.iter().copied());
    command.env("GITHUB_ACTIONS", "true").env("GITHUB_EVENT_NAME", "pull_request").env("GITHUB_EVENT_PATH", path);
    command.env("GITHUB_API_URL", &host.url).env("GITHUB_GRAPHQL_URL", format!("{}/graphql", host.url));
    command.env("GITHUB_SERVER_URL", "https://github.com").env("GITHUB_REPOSITORY", "acme/orders");
    command.env("GITHUB_RUN_ID", run.to_string()).env("GITHUB_RUN_ATTEMPT", "1").env("GITHUB_TOKEN", "t0ken");
    command
}

fn ran(mut command: assert_cmd::Command) -> Ran {
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let ran = Ran { code: output.status.code().unwrap(), out: text(&output.stdout), err: text(&output.stderr) };
    assert!(!ran.out.contains("t0ken") && !ran.err.contains("t0ken"), "the token is told: {ran:?}");
    ran
}

fn post(repo: &Repo, host: &Host, run: u64) -> Ran {
    ran(step(repo, host, run, &["comment"]))
}

#[test]
fn one_comment_is_made_edited_and_never_set_back() {
    let (repo, host) = (changed(), Host::start());
    host.says("someone", "Looks fine");
    post(&repo, &host, 20).ends(0).says(&["was written"]);
    let first = host.comments_of(US);
    assert_eq!(first.len(), 1);
    assert!(
        first[0].starts_with(&format!("<!-- mastor key=mastor head={HEAD} run=20 attempt=1 -->\n### mastor: ")),
        "{}",
        first[0]
    );
    assert!(first[0].contains("GET /shipping/zones/{country}"));
    assert!(first[0].contains(&format!("https://github.com/acme/orders/blob/{HEAD}/{ZONES}#L")), "{}", first[0]);
    post(&repo, &host, 20).ends(0).says(&["says it already"]);
    post(&repo, &host, 21).ends(0).says(&["brought up to date"]);
    post(&repo, &host, 19).ends(0).says(&["of a newer run, and stays"]);
    let comments = host.comments_of(US);
    assert_eq!(comments.len(), 1);
    assert!(comments[0].contains("run=21"));
    // The comment has the summary's headline.
    let summary = repo.read(".mastor/out/report.md");
    let headline = summary.lines().next().unwrap();
    assert!(comments[0].contains(headline), "{headline}");
}

#[test]
fn without_news_a_comment_is_only_flipped_never_made() {
    let (repo, host) = (changed(), Host::start());
    post(&repo, &host, 1).ends(0);
    let repo =
        repo.edit(ZONES, "return ResponseEntity.noContent().build();", "return ResponseEntity.notFound().build();");
    let repo = repo.commit("Take it back");
    repo.run(["ci", "--since", "main"]).ends(0);
    post(&repo, &host, 2).ends(0).says(&["brought up to date"]);
    assert!(host.comments_of(US)[0].contains("### mastor: ✅ no operation is affected"), "{:?}", host.comments_of(US));
    let other = Host::start();
    post(&repo, &other, 3).ends(0).says(&["nothing relevant changed"]);
    assert_eq!(other.comments_of(US), Vec::<String>::new());
}

#[test]
fn two_runs_at_once_leave_one_comment_of_the_newer() {
    let (repo, host) = (changed(), Host::start());
    host.state.lock().unwrap().delay = Duration::from_millis(120);
    std::thread::scope(|scope| {
        for run in [31, 32, 33] {
            let (repo, host) = (&repo, &host);
            scope.spawn(move || post(repo, host, run).ends(0));
        }
    });
    let comments = host.comments_of(US);
    assert_eq!(comments.len(), 1, "{comments:#?}");
    assert!(comments[0].contains("run=33"), "{}", comments[0]);
}

#[test]
fn ours_is_found_among_hundreds_and_a_forged_one_is_left_alone() {
    let (repo, host) = (changed(), Host::start());
    for n in 0..150 {
        host.says("someone", &format!("comment {n}"));
    }
    host.says("other[bot]", &format!("<!-- mastor key=mastor head={HEAD} run=999 attempt=1 -->\nforged"));
    for n in 0..98 {
        host.says("someone", &format!("more {n}"));
    }
    host.says(US, &format!("<!-- mastor key=mastor head={HEAD} run=1 attempt=1 -->\nold"));
    host.says(US, &format!("<!-- mastor key=nightly head={HEAD} run=1 attempt=1 -->\nanother key"));
    for n in 0..50 {
        host.says("someone", &format!("last {n}"));
    }
    post(&repo, &host, 5).ends(0).says(&["brought up to date"]);
    let ours = host.comments_of(US);
    assert_eq!(ours.len(), 2);
    assert!(ours[0].contains("run=5") && ours[1].ends_with("another key"), "{ours:#?}");
    assert!(host.comments_of("other[bot]")[0].ends_with("forged"));
    assert_eq!(host.asked("POST"), 1, "only the question who we are");
}

#[test]
fn a_token_without_rights_is_a_notice_and_changes_no_verdict() {
    let (repo, host) = (changed(), Host::start());
    host.fails("POST", 403, "Resource not accessible by integration");
    post(&repo, &host, 1).ends(0).says(&["::notice title=mastor::no comment was written", "pull-requests: write"]);
    host.fails("GET", 404, "Not Found");
    post(&repo, &host, 1).ends(0).says(&["::notice title=mastor::no comment was written"]);
    // A fork's run has a read-only token; `ci` ends as it would without the comment.
    std::fs::write(repo.path().join(".mastor/out/event.json"), event("someone/orders").to_string()).unwrap();
    host.fails("POST", 403, "Resource not accessible by integration");
    let ran = ran(step(&repo, &host, 2, &["ci", "--since", "main", "--comment"])).ends(0);
    ran.says(&["::notice title=mastor::no comment was written"]);
    assert_eq!(host.comments_of(US), Vec::<String>::new());
}

#[test]
fn limits_and_troubled_servers_are_waited_for() {
    let (repo, host) = (changed(), Host::start());
    let limited =
        |headers| Fault { method: "GET", status: 403, headers, message: "API rate limit exceeded", done: false };
    host.fault(limited(vec![("retry-after", "1".to_owned())]));
    let soon = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() + 2;
    host.fault(limited(vec![("x-ratelimit-remaining", "0".to_owned()), ("x-ratelimit-reset", soon.to_string())]));
    host.fails("POST", 502, "Bad Gateway");
    post(&repo, &host, 1).ends(0).says(&["was written"]);
    assert_eq!(host.comments_of(US).len(), 1);
    // A rate limit that lasts too long is reported, and nothing else happens.
    host.fault(limited(vec![("retry-after", "3000".to_owned())]));
    post(&repo, &host, 2).ends(0).says(&["the rate limit is reached for 3000 s more"]);
}

#[test]
fn a_comment_that_arrived_in_spite_of_an_error_is_not_written_twice() {
    let (repo, host) = (changed(), Host::start());
    host.fault(Fault { method: "POST", status: 502, headers: Vec::new(), message: "Bad Gateway", done: true });
    post(&repo, &host, 1).ends(0);
    assert_eq!(host.comments_of(US).len(), 1);
}

#[test]
fn a_run_that_follows_a_forks_run_finds_the_pull_request_or_posts_nothing() {
    let (repo, host) = (changed(), Host::start());
    let followed = json!({ "workflow_run": { "id": 77, "run_attempt": 2, "head_sha": HEAD, "head_branch": "feature",
        "head_repository": { "full_name": "someone/orders" } } });
    std::fs::write(repo.path().join(".mastor/out/event.json"), followed.to_string()).unwrap();
    let follow = || {
        let mut command = step(&repo, &host, 100, &["comment"]);
        command.env("GITHUB_EVENT_NAME", "workflow_run");
        ran(command).ends(0)
    };
    follow().says(&["not exactly one open pull request"]);
    let pull = |number: u64, sha: &str, from: &str| {
        json!({ "number": number, "head": { "sha": sha, "ref": "feature", "repo": { "full_name": from } },
        "base": { "repo": { "full_name": "acme/orders" } } })
    };
    host.state.lock().unwrap().pulls =
        vec![pull(6, &"3".repeat(40), "someone/orders"), pull(7, HEAD, "someone/orders")];
    follow().says(&["was written"]);
    let comments = host.comments_of(US);
    assert!(comments[0].contains("run=77 attempt=2"), "{}", comments[0]);
    host.state.lock().unwrap().pulls.push(pull(8, HEAD, "someone/orders"));
    follow().says(&["not exactly one open pull request"]);
}

#[test]
fn without_a_pull_request_the_comment_is_printed_and_a_file_that_is_no_report_is_refused() {
    let repo = changed();
    let printed = repo.run(["comment"]).ends(0);
    assert!(printed.out.starts_with("### mastor: "), "{}", printed.out);
    let repo = repo.file("other.json", "{\"schema_version\": 99}").file("text.json", "no json");
    repo.run(["comment", "--from", "other.json"]).ends(2).says(&["its version is 99"]);
    repo.run(["comment", "--from", "text.json"]).ends(2).says(&["is no report"]);
    repo.run(["comment", "--from", "nowhere.json"]).ends(2).says(&["is no report", "mastor ci"]);
    repo.run(["comment", "--key", "a--b", "--repo", "a/b", "--pr", "1"]).ends(2).says(&["cannot be the key"]);
}
