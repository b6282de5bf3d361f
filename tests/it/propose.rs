//! Accepting proposals from a pull request: by patch, by artifact with one command, and by `--propose commit`.

use serde_json::{Value, json};

use crate::generate::with_suite;
use crate::support::{Ran, Repo};

const ZONES: &str = "src/main/java/com/example/orders/shipping/ShippingController.java";

/// A remote with `main` and the pull request's branch `topic`, which changes one answer and adds others, and a run's clone of the merge commit.
struct Pull {
    remote: Repo,
    clone: Repo,
    head: String,
}

impl Pull {
    fn new() -> Self {
        let work = with_suite()
            .branch("topic")
            .edit(ZONES, "return ResponseEntity.notFound().build();", "return ResponseEntity.noContent().build();")
            .commit("Answer otherwise")
            .branch("main")
            .file("NOTES.md", "main goes on")
            .commit("Take a note");
        let remote = work.cloned(&["--bare"]);
        Self::of(remote)
    }

    /// Makes the clone of a run: HEAD is the merge of the two branches.
    fn of(remote: Repo) -> Self {
        let clone = remote.cloned(&[]);
        let head = clone.git(["rev-parse", "origin/topic"]);
        clone.git(["checkout", "-q", "--detach", "origin/main"]);
        clone.git(["merge", "-q", "--no-ff", "-m", "Merge", "origin/topic"]);
        Self { remote, clone, head }
    }

    fn run(&self, event: &str, from: &str, more: &[&str]) -> Ran {
        let event_file = self.clone.path().join(".git/event.json");
        let payload = json!({"number": 7, "pull_request": {"number": 7,
            "head": {"sha": self.head, "ref": "topic", "repo": {"full_name": from}}, "base": {"sha": "x", "repo": {"full_name": "acme/orders"}}}});
        std::fs::write(&event_file, payload.to_string()).unwrap();
        let mut command = self.clone.mastor(["ci"].into_iter().chain(more.iter().copied()));
        command
            .env("GITHUB_ACTIONS", "true")
            .env("GITHUB_EVENT_NAME", event)
            .env("GITHUB_EVENT_PATH", event_file)
            .env("GITHUB_REPOSITORY", "acme/orders")
            .env("GITHUB_BASE_REF", "main")
            .env("GITHUB_RUN_ID", "4711")
            .env("MASTOR_ARTIFACT", "mastor")
            .env("MASTOR_PROPOSE_TOKEN", "s3cret");
        let output = command.output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        Ran { code: output.status.code().unwrap(), out: text(&output.stdout), err: text(&output.stderr) }
    }

    fn topic(&self) -> String {
        self.remote.git(["rev-parse", "topic"])
    }
}

/// The assertions of all oracles in a suite file at a revision.
fn expectations(repo: &Repo, revision: &str, path: &str) -> Vec<Value> {
    let file: Value = serde_json::from_str(&repo.git(["show", &format!("{revision}:{path}")])).unwrap();
    file["oracles"].as_array().unwrap().iter().map(|oracle| oracle["assertions"].clone()).collect()
}

#[test]
fn the_patch_and_the_artifact_take_what_is_proposed_and_committing_it_is_clean() {
    let pull = Pull::new();
    pull.run("pull_request", "acme/orders", &[]).ends(1);
    let clone = pull.clone;
    let report = clone.read(".mastor/out/report.md");
    let command = "gh run download 4711 --name mastor --dir mastor-4711 && mastor accept --all --from mastor-4711";
    assert!(report.contains(&format!("`{command}`")), "{report}");

    // By patch, without mastor.
    let patch = clone.path().join(".mastor/out/proposed.patch");
    let by_patch = clone.cloned(&[]);
    by_patch.git(["fetch", "-q", "origin", "HEAD"]);
    by_patch.git(["checkout", "-q", "FETCH_HEAD"]);
    by_patch.git(["apply", "--index", patch.to_str().unwrap()]);
    let by_patch = by_patch.commit("Take the patch");
    let changed = by_patch.git(["diff", "--name-only", "HEAD^"]);
    assert!(
        changed.lines().all(|path| path.starts_with(".mastor/suite/") || path.starts_with(".mastor/lock/")),
        "{changed}"
    );
    assert_eq!(changed.lines().count(), 2, "{changed}");

    // By artifact and `mastor accept`: its paths are those of the repository.
    let by_accept = clone.cloned(&[]);
    by_accept.git(["fetch", "-q", "origin", "HEAD"]);
    by_accept.git(["checkout", "-q", "FETCH_HEAD"]);
    let artifact = by_accept.path().with_file_name("home").join("mastor-4711");
    std::fs::create_dir_all(artifact.join(".mastor/out")).unwrap();
    for name in ["proposed.json", "report.json"] {
        std::fs::copy(clone.path().join(".mastor/out").join(name), artifact.join(".mastor/out").join(name)).unwrap();
    }
    by_accept.run(["accept", "--all", "--from", artifact.to_str().unwrap()]).ends(0);
    let by_accept = by_accept.commit("Take the artifact");
    assert_eq!(by_patch.git(["rev-parse", "HEAD^{tree}"]), by_accept.git(["rev-parse", "HEAD^{tree}"]));
    by_patch
        .run(["ci", "--since", "origin/main", "--fail-on", "stale"])
        .ends(0)
        .says(&["accepted by the suite of this branch"]);
}

#[test]
fn the_renewed_suite_is_pushed_once_and_no_decision_is_taken() {
    let pull = Pull::new();
    // A new route comes with oracles that need no decision.
    let route = "    @GetMapping(\"/shipping/hours\")\n    public String hours() { return \"nine to five\"; }\n\n    @GetMapping";
    let clone = pull.clone;
    clone.git(["checkout", "-q", "-B", "topic", "origin/topic"]);
    let text = clone.read(ZONES).replacen("    @GetMapping", route, 1);
    let clone = clone.file(ZONES, text).commit("Serve hours");
    clone.git(["push", "-q", "origin", "topic"]);
    let pull = Pull::of(pull.remote);
    let tracked = pull.clone.git(["status", "--porcelain"]);
    let ran = pull.run("pull_request", "acme/orders", &["--propose", "commit"]).ends(1);
    assert!(!format!("{}{}", ran.out, ran.err).contains("s3cret"));
    ran.says(&["the suite was brought up to date by commit"]);
    assert_eq!(
        (pull.clone.git(["status", "--porcelain"]), pull.clone.git(["rev-parse", "HEAD^2"])),
        (tracked, pull.head.clone())
    );
    assert_eq!(pull.remote.git(["rev-parse", "topic^"]), pull.head);
    let files = pull.remote.git(["diff", "--name-only", "topic^", "topic"]);
    assert!(files.lines().any(|path| path.contains("shipping-hours")), "{files}");
    // For changes that need a decision, neither expectation nor lock is changed.
    let zones = files.lines().find(|path| path.contains("suite/get-shipping-zones")).unwrap();
    assert!(!files.contains("lock/get-shipping-zones"), "{files}");
    assert_eq!(expectations(&pull.remote, "topic", zones), expectations(&pull.remote, "main", zones));
    assert!(pull.remote.git(["log", "-1", "--format=%B", "topic"]).contains("Mastor-Proposal: "));

    // A run older than the branch does not overwrite it, and a run on a proposal's commit proposes nothing.
    let pushed = pull.topic();
    pull.run("pull_request", "acme/orders", &["--propose", "commit"]).ends(1);
    assert_eq!(pull.topic(), pushed);
    let next = Pull::of(pull.remote);
    next.run("pull_request", "acme/orders", &["--propose", "commit"])
        .says(&["nothing was proposed: the head is a proposal already"]);
    assert_eq!(next.topic(), pushed);
}

#[test]
fn nothing_is_ever_pushed_to_a_fork_or_outside_a_pull_request() {
    let pull = Pull::new();
    let before = pull.topic();
    pull.run("pull_request", "stranger/orders", &["--propose", "commit"]).ends(1).says(&["nothing is ever pushed"]);
    pull.run("pull_request_target", "acme/orders", &["--propose", "commit"])
        .says(&["only a run on the event `pull_request` proposes"]);
    pull.clone
        .run(["ci", "--since", "origin/main", "--propose", "commit"])
        .ends(1)
        .says(&["the run is of no pull request"]);
    assert_eq!(pull.topic(), before);
}
