//! Orders of commands: no sequence of `ci`, `check`, `generate` and `audit`, with or without a service, learns a regression.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;

use crate::support::Repo;

pub const CODE: &str = "src/main/java/a/Codes.java";

pub const JAVA: &str =
    "package a; import org.springframework.http.ResponseEntity; import org.springframework.web.bind.annotation.*;
@RestController public class Codes {
  private static final int MISSING = 404;
  @GetMapping(\"/codes/{code}\") public ResponseEntity<String> one(@PathVariable(\"code\") String code) {
    if (!code.startsWith(\"DE\")) { return ResponseEntity.status(MISSING).build(); }
    return ResponseEntity.ok(code);
  }
}
";

/// A service that answers as the Java code in the repository says.
pub const SERVER: &str = r#"import http.server, re, sys
MISSING = int(re.search(r"MISSING = (\d+)", open("src/main/java/a/Codes.java").read())[1])
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        code = self.path.rpartition("/")[2]
        found = code.startswith("DE")
        text = code.encode() if found else b""
        self.send_response(200 if found else MISSING)
        if found: self.send_header("Content-Type", "text/plain;charset=UTF-8")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)
    def log_message(self, *_): pass
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"#;

/// A branch that breaks the suite of `main`, which was generated with or without the service.
fn broken(with_service: bool) -> Repo {
    let settings = "[api]\nname = \"codes\"\nopenapi = false\n[service]\nstart = \"exec python3 server.py {port}\"\nready = { port = true }\n\
                    reset = \"none\"\nstop-within = \"1s\"\n";
    let repo = Repo::new().file("server.py", SERVER).file(CODE, JAVA).file("mastor.toml", settings).commit("Codes");
    let mut made = vec!["generate", "--all"];
    made.extend((!with_service).then_some("--no-service"));
    repo.run(made).ends(0);
    repo.commit("The suite").branch("feature").edit(CODE, "MISSING = 404", "MISSING = 410").commit("Break it")
}

/// Collects the files of a folder, without git's and mastor's own.
fn files(root: &Path, dir: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(dir).unwrap().flatten() {
        let path = entry.path();
        let name = entry.file_name().into_string().unwrap();
        match path.is_dir() {
            true if matches!(name.as_str(), ".git" | "out" | "cache") => {}
            true => files(root, &path, found),
            false => {
                found.insert(path.strip_prefix(root).unwrap().display().to_string(), std::fs::read(&path).unwrap());
            }
        }
    }
}

pub fn suite(repo: &Repo) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    files(repo.path(), repo.path(), &mut found);
    found.retain(|path, _| path.starts_with(".mastor/"));
    found
}

/// Restores the suite of a known state.
fn restore(repo: &Repo, state: &BTreeMap<String, Vec<u8>>) {
    for path in suite(repo).into_keys() {
        std::fs::remove_file(repo.path().join(path)).unwrap();
    }
    for (path, bytes) in state {
        let file = repo.path().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, bytes).unwrap();
    }
}

const COMMANDS: [&[&str]; 6] = [
    &["ci", "--since", "main", "--no-service"],
    &["ci", "--since", "main"],
    &["check"],
    &["generate", "--no-service"],
    &["generate"],
    &["audit", "--since", "main"],
];

/// Runs every order of up to four commands. A command leads from one state of the suite to another, so each state is visited once. After every
/// command, the suite is committed.
fn walk(with_service: bool) {
    let mut repo = broken(with_service);
    let begin = suite(&repo);
    let mut known: BTreeSet<Vec<(String, Vec<u8>)>> = BTreeSet::from([begin.clone().into_iter().collect()]);
    let mut next: VecDeque<(usize, BTreeMap<String, Vec<u8>>)> = VecDeque::from([(0, begin)]);
    let mut runs = 0;
    while let Some((depth, state)) = next.pop_front() {
        for command in COMMANDS {
            restore(&repo, &state);
            repo = repo.commit("A state of the suite");
            let ran = repo.run(command.iter().copied());
            runs += 1;
            if command[0] == "ci" {
                assert_eq!(ran.code, 1, "{command:?} after {depth} commands\n{}\n{}", ran.out, ran.err);
            }
            let after = suite(&repo);
            let all: String = after.values().map(|bytes| String::from_utf8_lossy(bytes)).collect();
            assert!(all.contains("404"), "{command:?} lost what was committed\n{}\n{}", ran.out, ran.err);
            if depth < 3 && known.insert(after.clone().into_iter().collect()) {
                next.push_back((depth + 1, after));
            }
        }
    }
    assert!(known.len() > 1 && runs > COMMANDS.len(), "{} states, {runs} runs", known.len());
}

#[test]
fn no_order_of_commands_learns_a_regression_of_a_suite_that_was_never_confirmed() {
    walk(false);
}

#[test]
fn no_order_of_commands_learns_a_regression_of_a_confirmed_suite() {
    walk(true);
}

#[test]
fn an_oracle_that_the_base_itself_refutes_is_refuted_and_one_that_it_holds_to_is_broken() {
    let repo = broken(false);
    let report = repo.run(["ci", "--since", "main", "--format", "json"]).ends(1).json();
    let oracles = report["check"]["oracles"].as_array().unwrap();
    let verdicts: BTreeSet<&str> = oracles.iter().map(|one| one["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, BTreeSet::from(["broken", "held"]), "{oracles:#?}");
    assert_eq!(report["confirm"]["refuted"], 0, "{}", report["confirm"]);
}

#[test]
fn a_deleted_suite_states_no_expectation() {
    let repo = broken(true).remove(".mastor/suite").remove(".mastor/lock").commit("Delete the suite");
    let report = repo.run(["ci", "--since", "main", "--no-service", "--format", "json"]).ends(1).json();
    assert_eq!(report["verdict"], "needs_decision", "{}", report["changes"]);
    let notes = report["notes"].to_string();
    assert!(notes.contains("is deleted on this branch, though the operation is still served"), "{notes}");
    let kept = broken(true).run(["ci", "--since", "main", "--no-service", "--format", "json"]).ends(1).json();
    assert!(!kept["notes"].to_string().contains("is deleted on this branch"), "{}", kept["notes"]);
}

#[test]
fn what_was_refuted_on_the_same_code_is_not_offered_again() {
    let settings = "[api]\nname = \"codes\"\nopenapi = false\n[service]\nstart = \"exec python3 server.py {port}\"\nready = { port = true }\n\
                    reset = \"none\"\nstop-within = \"1s\"\n";
    // The service answers with another status than its code says.
    let server = SERVER.replace("def do_GET(self):", "def do_GET(self):\n        MISSING = 418");
    let repo = Repo::new().file("server.py", server).file(CODE, JAVA).file("mastor.toml", settings).commit("Codes");
    let expected = |repo: &Repo| -> Vec<u64> {
        let text: Vec<String> = suite(repo)
            .into_iter()
            .filter(|(path, _)| path.starts_with(".mastor/suite/get-"))
            .map(|(_, bytes)| String::from_utf8(bytes).unwrap())
            .collect();
        let file: serde_json::Value = serde_json::from_str(&text[0]).unwrap();
        let oracles = file["oracles"].as_array().unwrap().clone();
        oracles.iter().filter_map(|oracle| oracle["assertions"][0]["expected"].as_u64()).collect()
    };
    repo.run(["generate", "--all"]).ends(0).says(&["refuted"]);
    assert!(expected(&repo).contains(&200) && !expected(&repo).contains(&404), "{:?}", expected(&repo));
    let repo = repo.commit("The suite");
    repo.run(["generate", "--all", "--no-service"]).ends(0);
    assert!(!expected(&repo).contains(&404), "{:?}", expected(&repo));
    // Changed code gives a new candidate, which is offered.
    let repo = repo.edit(CODE, "startsWith(\"DE\")", "startsWith(\"DEU\")");
    repo.run(["generate", "--no-service"]).ends(0);
    assert!(expected(&repo).contains(&404), "{:?}", expected(&repo));
}

/// The report of a code change that the service does not show; `answers` is inserted at the start of the service's handler.
fn not_shown(answers: &str) -> serde_json::Value {
    let server = SERVER.replace("def do_GET(self):", &format!("def do_GET(self):\n        {answers}"));
    let repo = broken(false)
        .branch("main")
        .file("server.py", &server)
        .commit("Another server")
        .branch("feature")
        .merge("main");
    repo.run(["ci", "--since", "main", "--format", "json"]).json()
}

#[test]
fn what_was_derived_and_is_not_so_on_the_service_could_not_be_told() {
    let report = not_shown("MISSING = 404");
    assert_eq!(report["verdict"], "undecided", "{}", report["changes"]);
    let compared = &report["compared"][0];
    assert_eq!(compared["state"], "undecided");
    assert!(compared["stopped"].to_string().contains("derived, and not so on the service"), "{compared}");
}

#[test]
fn a_service_that_does_nothing_of_what_the_code_says_speaks_against_no_change() {
    // This is not the service: it answers every request with the same page.
    let report = not_shown("self.send_error(404); return");
    assert_eq!(report["verdict"], "needs_decision", "{}", report["changes"]);
    assert_eq!(report["exit"]["code"], 1);
}
