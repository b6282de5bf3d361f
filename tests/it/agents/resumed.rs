//! Runs that are killed at any moment and restarted: no call whose reply was stored is repeated, and the suite is the same.

use std::collections::BTreeSet;
use std::process::Stdio;
use std::time::Duration;

use super::example;
use super::faithful::{self, OPERATIONS};
use super::runs::files;
use crate::llm::server::Server;
use crate::support::Repo;

/// Number of runs to kill: `MASTOR_KILLED_RUNS` (the benchmark sets 100), otherwise a few.
fn runs() -> u64 {
    std::env::var("MASTOR_KILLED_RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(6)
}

fn arguments() -> Vec<&'static str> {
    let mut all = vec!["generate", "--engine", "agents", "--quiet"];
    all.extend(OPERATIONS);
    all
}

fn suite(repo: &Repo) -> Vec<(String, String)> {
    let committed =
        files(repo).into_iter().filter(|path| path.starts_with(".mastor/suite") || path.starts_with(".mastor/lock"));
    committed
        .map(|path| {
            let text = repo.read(&path);
            (path, text)
        })
        .collect()
}

#[test]
fn a_killed_run_goes_on_where_it_was() {
    let whole = {
        let server = Server::start(faithful::reply);
        let repo = example(&server, "");
        repo.run(arguments()).ends(0);
        (suite(&repo), server.count())
    };
    let mut killed = 0;
    for n in 0..runs() {
        let server = Server::start(|received| faithful::reply(received).after(Duration::from_millis(40)));
        let repo = example(&server, "");
        // Each run is killed at another moment.
        let moment = Duration::from_millis(150 + (n * 977) % 900);
        let mut child = repo
            .command(env!("CARGO_BIN_EXE_mastor"))
            .args(arguments())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(moment);
        killed += u32::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        // Calls in flight at the kill may be repeated; calls whose reply was stored may not.
        let before = loop {
            let before = server.count();
            // On a busy machine a request may reach the server late.
            std::thread::sleep(Duration::from_millis(300));
            if server.count() == before {
                break before;
            }
        };
        let kept: BTreeSet<Vec<u8>> = replies(&repo);
        repo.run(arguments()).ends(0);
        let now = suite(&repo);
        let differ = |one: &&(String, String)| !whole.0.contains(one);
        let differ: Vec<&String> = now.iter().filter(differ).map(|(path, _)| path).collect();
        assert!(now == whole.0, "killed after {moment:?}: {differ:?}");
        let (asked, left) = (server.count() - before, whole.1.saturating_sub(kept.len()));
        assert!(asked <= left, "{asked} calls where {left} were left, killed after {moment:?}");
    }
    assert!(killed > 0, "no run was killed before its end");
}

/// The replies in the cache.
fn replies(repo: &Repo) -> BTreeSet<Vec<u8>> {
    let folder = repo.path().join(".mastor/cache");
    let mut out = BTreeSet::new();
    let mut open = vec![folder.join("replies")];
    while let Some(dir) = open.pop() {
        let Ok(entries) = std::fs::read_dir(dir) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            // A file that was being written when the run was killed is no reply yet.
            let is_whole = !path.file_name().unwrap().to_string_lossy().starts_with(".new-");
            if path.is_dir() {
                open.push(path);
            } else if let (true, Ok(bytes)) = (is_whole, std::fs::read(&path)) {
                out.insert(bytes);
            }
        }
    }
    out
}
