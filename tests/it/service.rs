//! The service under test: built, started, reset and stopped by `mastor doctor --service`, with small scripts as services. Whatever happens,
//! no process is left running.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Ran, Repo};

const DOCUMENT: &str =
    "openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths:\n  /: {get: {responses: {'200': {description: ok}}}}\n";

/// A repository whose service is the script in this mode; `more` are additional lines of `[service]`.
fn repo(mode: &str, more: &str) -> Repo {
    let start = format!("start = \"exec python3 server.py {{port}} {mode}\"");
    Repo::new()
        .file("server.py", include_str!("service/server.py"))
        .file("openapi.yaml", DOCUMENT)
        .file(".gitignore", "pids\n.mastor/\n")
        .file("mastor.toml", format!("[service]\n{start}\nstop-within = \"2s\"\n{more}\n"))
        .commit("A service")
}

fn tried(repo: &Repo) -> Ran {
    let ran = repo.run(["doctor", "--service"]);
    nothing_runs(repo);
    ran
}

/// The process ids that the service wrote to its file.
fn pids(repo: &Repo) -> Vec<u32> {
    let text = std::fs::read_to_string(repo.path().join("pids")).unwrap_or_default();
    text.lines().map(|line| line.parse().unwrap()).collect()
}

fn runs(pid: u32) -> bool {
    match std::fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => !stat.rsplit_once(')').unwrap().1.trim_start().starts_with(['Z', 'X']),
        Err(_) if Path::new("/proc/self").exists() => false,
        Err(_) => Command::new("kill").args(["-0", &pid.to_string()]).stderr(Stdio::null()).status().unwrap().success(),
    }
}

#[track_caller]
fn nothing_runs(repo: &Repo) {
    let pids = pids(repo);
    let left: Vec<&u32> = pids.iter().filter(|pid| runs(**pid)).collect();
    assert!(left.is_empty(), "still running: {left:?} of {pids:?}");
    let records = repo.path().join(".mastor/cache/service");
    let left: Vec<_> = std::fs::read_dir(records).into_iter().flatten().collect();
    assert!(left.is_empty(), "{left:?}");
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[test]
fn a_service_is_started_on_a_free_port_restarted_and_stopped() {
    let repo = repo("good", "");
    tried(&repo).ends(0).says(&[
        "ready after",
        "at http://127.0.0.1:",
        "reset in",
        "stopped in",
        "`start` runs python3",
    ]);
    assert_eq!(pids(&repo).len(), 2, "started, and restarted as its reset");
    let log = repo.read(".mastor/out/service-head.log");
    assert!(log.contains("hello from good"), "{log}");
    assert_eq!(repo.git(["status", "--porcelain"]), "");
}

/// If another process takes the chosen port before the service starts, another port is tried.
#[test]
fn a_port_that_somebody_else_takes_meanwhile_is_given_up() {
    let start = "test -e bound || { echo {port} > port; while [ ! -e bound ]; do sleep 0.1; done; exit 1; }; exec python3 server.py {port} good";
    let repo = repo("good", "").file("mastor.toml", format!("[service]\nstart = \"{start}\"\n"));
    let folder = repo.path().to_owned();
    let somebody = std::thread::spawn(move || {
        let wanted = (0..100).find_map(|_| {
            std::thread::sleep(Duration::from_millis(100));
            std::fs::read_to_string(folder.join("port")).ok()?.trim().parse::<u16>().ok()
        });
        let listener = TcpListener::bind(("127.0.0.1", wanted.unwrap())).unwrap();
        std::fs::write(folder.join("bound"), "").unwrap();
        (listener, wanted.unwrap())
    });
    let ran = tried(&repo).ends(0).says(&["ready after"]);
    let (_listener, taken) = somebody.join().unwrap();
    assert!(!ran.out.contains(&format!(":{taken}\n")) && !ran.out.contains(&format!(":{taken} ")), "{}", ran.out);
}

#[test]
fn every_way_to_be_ready_and_to_reset_works() {
    for (ready, reset) in [
        ("{ url = \"/health\", status = 200 }", "{ post = \"/reset\" }"),
        (
            "{ log = \"started on port\", within = \"20s\" }",
            "{ command = \"test -n $PORT && echo {port} {instance}\" }",
        ),
        ("{ port = true }", "\"none\""),
    ] {
        let repo = repo("good", &format!("ready = {ready}\nreset = {reset}\nport = {}", free_port()));
        tried(&repo).ends(0).says(&["ready after"]);
        assert_eq!(pids(&repo).len(), 1);
    }
}

#[test]
fn a_service_that_dies_is_told_at_once_with_its_last_lines() {
    let since = Instant::now();
    tried(&repo("dies", "")).ends(4).says(&[
        "exit 4: service-not-ready",
        "ended with exit code 3",
        "before it was ready",
        "      | there is no database",
        "service-head.log",
    ]);
    assert!(since.elapsed() < Duration::from_secs(30), "not only when the time is up");
}

#[test]
fn a_service_that_never_gets_ready_is_told_with_what_was_seen() {
    tried(&repo("never", "ready = { url = \"/\", within = \"1s\" }")).ends(4).says(&[
        "was not ready within 1s: nothing listens at http://127.0.0.1:",
        "| hello from never",
        "`[service] ready` says what is waited for",
    ]);
    tried(&repo("unhealthy", "ready = { url = \"/health\", status = 200, within = \"1s\" }"))
        .ends(4)
        .says(&["answers 503, not 200"]);
    tried(&repo("good", "ready = { log = \"Ready to serve\", within = \"1s\" }"))
        .ends(4)
        .says(&["no line of its log holds `Ready to serve`"]);
}

#[test]
fn a_service_that_is_ready_too_early_is_waited_for_until_it_stays() {
    tried(&repo("early", "reset = \"none\"")).ends(0).says(&["ready after"]);
    tried(&repo("too-early", "ready = { url = \"/\", within = \"2s\" }"))
        .ends(4)
        .says(&["too early", "was not ready within 2s"]);
}

#[test]
fn a_service_on_another_port_is_told_which() {
    let other = free_port();
    let sign = format!("port {other}, not");
    tried(&repo(&format!("elsewhere {other}"), "ready = { port = true, within = \"2s\" }"))
        .ends(4)
        .says(&[&sign, "does `start` hand on {port}?"]);
}

#[test]
fn a_port_that_is_taken_is_told_before_anything_is_started() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let repo = repo("good", &format!("port = {port}"));
    let ran = tried(&repo).ends(4).says(&[&format!("port {port} is taken already")]);
    if Path::new("/proc/self").exists() {
        ran.says(&[&format!("(process {})", std::process::id())]);
    }
    assert!(pids(&repo).is_empty());
}

#[test]
fn a_service_that_floods_its_log_fills_no_disk() {
    let repo = repo("flood 1", "reset = \"none\"");
    tried(&repo).ends(0);
    let files = ["service-head.log", "service-head.log.old"].map(|name| repo.path().join(".mastor/out").join(name));
    let bytes: u64 = files.iter().filter_map(|file| std::fs::metadata(file).ok()).map(|file| file.len()).sum();
    assert!(bytes < 9 << 20, "{bytes}");
}

#[test]
fn a_reset_that_fails_is_told() {
    tried(&repo("reset-fails", "reset = { post = \"/reset\" }"))
        .ends(4)
        .says(&["the reset failed: POST", "answers 500"]);
    tried(&repo("good", "reset = { command = \"echo no; exit 2\" }")).ends(4).says(&[
        "the reset failed",
        "exit code 2",
        "| no",
    ]);
    tried(&repo("good", "reset = { command = \"sleep 50\" }\nreset-within = \"500ms\""))
        .ends(4)
        .says(&["was not done within"]);
}

#[test]
fn all_that_a_service_started_ends_with_it() {
    let repo = repo("children", "reset = \"none\"");
    tried(&repo).ends(0);
    assert_eq!(pids(&repo).len(), 3);
    let since = Instant::now();
    tried(&self::repo("stubborn", "reset = \"none\"")).ends(0);
    assert!(since.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_build_that_fails_or_hangs_is_told() {
    tried(&repo("good", "build = \"echo cannot find symbol; exit 1\"")).ends(4).says(&[
        "the build of head",
        "exit code 1",
        "| cannot find symbol",
        "build-head.log",
    ]);
    tried(&repo("good", "build = \"sleep 100 & echo $! >> pids; wait\"\nbuild-within = \"500ms\""))
        .ends(4)
        .says(&["was not done within 500ms"]);
}

#[test]
fn commands_see_an_allow_list_of_the_environment() {
    let repo = repo(
        "good",
        "build = \"env | cut -d= -f1 | sort > names\"\nenv = { MINE = \"1\" }\ninherit = [\"TOKEN\"]\nreset = \"none\"",
    );
    let mut command = repo.mastor(["doctor", "--service"]);
    command.env("TOKEN", "a-secret-token").env("MASTOR_API_KEY", "another").env("AWS_SECRET_ACCESS_KEY", "third");
    command.assert().success();
    let names = repo.read("names");
    let names: Vec<&str> = names.lines().collect();
    for name in ["HOME", "MINE", "PATH", "TOKEN"] {
        assert!(names.contains(&name), "{names:?}");
    }
    for name in ["MASTOR_API_KEY", "AWS_SECRET_ACCESS_KEY", "GIT_AUTHOR_NAME"] {
        assert!(!names.contains(&name), "{names:?}");
    }
}

#[test]
fn a_service_that_runs_already_is_reached_and_left_running() {
    let port = free_port();
    let repo = repo("good", "");
    let mut server =
        repo.command("python3").args(["server.py", &port.to_string(), "good"]).stdout(Stdio::null()).spawn().unwrap();
    let url = format!("http://127.0.0.1:{port}");
    repo.run(["doctor", "--service", "--base-url", &url]).ends(0).says(&["ready after", &url]);
    assert!(server.try_wait().unwrap().is_none());
    server.kill().unwrap();
    server.wait().unwrap();
    let repo = repo
        .file("mastor.toml", format!("[service]\nbase-url = \"{url}\"\nready = {{ url = \"/\", within = \"1s\" }}\n"));
    repo.run(["doctor", "--service"]).ends(4).says(&["nothing usable answers at http://127.0.0.1:"]);
}

/// Starts `mastor doctor --service` and waits until the service has written `count` process ids.
fn started(repo: &Repo, count: usize) -> Child {
    let mut command = repo.command(env!("CARGO_BIN_EXE_mastor"));
    let child = command.args(["doctor", "--service"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let since = Instant::now();
    while pids(repo).len() < count {
        assert!(since.elapsed() < Duration::from_secs(60), "the service was not started");
        std::thread::sleep(Duration::from_millis(20));
    }
    child
}

fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

#[cfg(unix)]
#[test]
fn nothing_runs_on_when_a_person_or_the_ci_stops_us() {
    for name in ["-INT", "-TERM", "-HUP"] {
        let repo = repo("never", "");
        let mut child = started(&repo, 1);
        signal(&child, name);
        assert_eq!(child.wait().unwrap().code(), Some(130), "{name}");
        nothing_runs(&repo);
    }
    let repo = repo("good", "build = \"sleep 100 & echo $! >> pids; wait\"");
    let mut child = started(&repo, 1);
    signal(&child, "-INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    nothing_runs(&repo);
}

#[cfg(target_os = "linux")]
#[test]
fn what_runs_on_when_we_are_killed_is_found_and_ended_by_the_next_run() {
    let repo = repo("never", "ready = { port = true, within = \"60s\" }");
    let mut child = started(&repo, 1);
    signal(&child, "-KILL");
    child.wait().unwrap();
    let left = pids(&repo);
    assert!(left.iter().all(|pid| runs(*pid)), "nobody was there to end it");
    // Processes of others are not touched.
    let mut foreign = Command::new("sleep").arg("1000").spawn().unwrap();
    let repo = repo.edit("mastor.toml", "{port} never", "{port} good").edit("mastor.toml", "ready = ", "# ");
    repo.run(["doctor", "--service"]).ends(0).says(&["ended what an earlier run left behind: the head service"]);
    nothing_runs(&repo);
    assert!(foreign.try_wait().unwrap().is_none());
    foreign.kill().unwrap();
    foreign.wait().unwrap();
}

#[test]
fn base_and_head_are_built_and_started_one_after_the_other_and_a_build_is_kept() {
    let more = "build = \"cat version >> $HOME/built\"\nreset = \"none\"\nport = 0\n"
        .replace("port = 0", &format!("port = {}", free_port()));
    let repo = repo("good", &more)
        .edit("mastor.toml", "exec python3", "cat version >> $HOME/ran; exec python3")
        .file("version", "one\n")
        .commit("one")
        .branch("feature")
        .file("version", "two\n")
        .commit("two");
    let home = |name: &str| std::fs::read_to_string(repo.path().with_file_name("home").join(name)).unwrap();
    repo.run(["doctor", "--service", "--since", "main"]).ends(0).says(&["head ", "base ", "built base"]);
    assert_eq!((home("built").as_str(), home("ran").as_str()), ("two\none\n", "two\none\n"));
    assert_eq!(repo.git(["status", "--porcelain"]), "");
    nothing_runs(&repo);
    repo.run(["doctor", "--service", "--since", "main", "-v"]).ends(0).says(&["built before"]);
    assert_eq!((home("built").as_str(), home("ran").as_str()), ("two\none\ntwo\n", "two\none\ntwo\none\n"));
    let trees = repo.git(["worktree", "list"]);
    assert!(trees.lines().nth(1).unwrap().contains("/home/.cache/mastor/builds/"), "{trees}");
}

#[test]
fn checkouts_that_were_not_used_for_long_are_removed() {
    let mut repo = repo("good", "build = \"true\"\nreset = \"none\"");
    for n in 0..6 {
        repo = repo.file("version", n.to_string()).commit("more");
    }
    for n in 1..=6 {
        repo.run(["doctor", "--service", "--since", &format!("HEAD~{n}")]).ends(0);
    }
    assert_eq!(repo.git(["worktree", "list"]).lines().count(), 1 + 4);
}

#[test]
fn the_bundled_example_starts_at_base_and_head() {
    if crate::exports::without("maven") {
        return;
    }
    let repo = Repo::example_with_service()
        .branch("feature")
        .edit("src/main/java/com/example/orders/quote/PriceCalculator.java", "MAX_QUANTITY = 10", "MAX_QUANTITY = 12")
        .commit("Take more");
    let mut command = repo.mastor(["doctor", "--service", "--since", "main"]);
    // Uses this machine's Maven repository.
    command.env("HOME", std::env::var("HOME").unwrap()).env("MASTOR_CACHE_DIR", repo.path().with_file_name("home"));
    let output = command.output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}\n{err}");
    for part in ["head ", "base "] {
        let lines: Vec<&str> = out.lines().filter(|line| line.starts_with(&format!("ok    {part}"))).collect();
        let says = |what: &str| lines.iter().any(|line| line.contains(what));
        assert!(says(": ready after") && says(": reset in") && says(": stopped in"), "{out}");
    }
}
