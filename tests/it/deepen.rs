//! `ci --deepen` in shallow clones: fetches step by step to the merge base and no further; and the base from a CI event.

use serde_json::json;

use crate::support::Repo;

const ZONES: &str = "src/main/java/com/example/orders/shipping/ShippingController.java";

/// Adds `count` commits to the current branch at once.
fn noted(repo: Repo, count: usize) -> Repo {
    let branch = repo.git(["symbolic-ref", "HEAD"]);
    let mut stream = String::new();
    for n in 0..count {
        let (text, from) = (format!("{branch} {n}"), if n == 0 { format!("from {branch}^0\n") } else { String::new() });
        let when = 1_767_225_600 + n;
        stream +=
            &format!("commit {branch}\ncommitter Test <test@example.com> {when} +0000\ndata 11\nTake a note\n{from}");
        stream += &format!("M 100644 inline NOTES.md\ndata {}\n{text}\n", text.len());
    }
    let file = repo.path().join(".git/stream");
    std::fs::write(&file, stream).unwrap();
    let stdin = std::fs::File::open(file).unwrap();
    assert!(repo.command("git").args(["fast-import", "--quiet"]).stdin(stdin).status().unwrap().success());
    repo.git(["reset", "-q", "--hard"]);
    repo
}

/// `main` with a long history, and `feature`, which forked `behind` commits ago and changes behaviour once.
fn forked(behind: usize) -> Repo {
    let repo = noted(Repo::example(), 300)
        .branch("feature")
        .edit(ZONES, "return ResponseEntity.notFound().build();", "return ResponseEntity.noContent().build();")
        .commit("Answer otherwise")
        .branch("main");
    noted(repo, behind)
}

/// Number of commits in a clone.
fn commits(repo: &Repo) -> usize {
    repo.git(["rev-list", "--all", "--count"]).parse().unwrap()
}

#[test]
fn a_shallow_clone_is_deepened_to_the_merge_base_and_no_further() {
    let origin = forked(60);
    let clone = origin.cloned(&["--branch", "feature", "--depth", "1"]);
    clone.run(["ci", "--since", "main"]).ends(5).says(&["base revision"]);
    let report = clone.run(["ci", "--since", "main", "--deepen", "--format", "json"]).ends(0);
    assert_eq!(report.err.matches("fetched what the clone lacks: git fetch").count(), 3, "{}", report.err);
    let report = report.json();
    assert_eq!(report["plan"]["since"]["merge_base"], origin.git(["merge-base", "main", "feature"]).as_str());
    assert_eq!(report["plan"]["counts"]["affected"], 1, "{}", report["plan"]);
    assert_eq!(report["plan"]["since"]["head_sha"], clone.git(["rev-parse", "HEAD"]).as_str());
    // Deepening by 32 and then 128 commits reaches the merge base; older history is not fetched.
    assert!(commits(&clone) < commits(&origin), "{} of {}", commits(&clone), commits(&origin));
    assert_eq!(clone.git(["rev-parse", "--is-shallow-repository"]), "true");
    // Nothing is fetched again.
    let again = clone.run(["ci", "--since", "main", "--deepen"]).ends(0);
    assert!(!again.err.contains("fetched"), "{}", again.err);
}

#[test]
fn what_no_fetch_can_bring_is_missing_with_the_reason() {
    let origin = forked(1);
    let clone = origin.cloned(&["--branch", "feature", "--depth", "1"]);
    clone.run(["ci", "--since", "nowhere", "--deepen"]).ends(5).says(&["it could not be fetched", "nowhere"]);
    let whole = origin.cloned(&["--branch", "feature"]);
    whole.run(["ci", "--since", "nowhere", "--deepen"]).ends(5).says(&["nowhere"]);
    // Without a remote, nothing can be fetched.
    origin.run(["ci", "--since", "nowhere", "--deepen"]).ends(5).says(&["there is no such revision"]);
}

#[test]
fn on_a_pull_request_the_base_is_the_first_parent_of_the_merge_commit() {
    let origin = forked(3);
    let feature = origin.git(["rev-parse", "feature"]);
    let main = origin.git(["rev-parse", "main"]);
    let origin = origin.branch("merged").merge("feature");
    origin.git(["update-ref", "refs/pull/7/merge", "HEAD"]);
    // As GitHub's checkout does: only the merge commit.
    let clone = origin.cloned(&["--branch", "main", "--depth", "1"]);
    clone.git(["fetch", "-q", "--depth=1", "origin", "+refs/pull/7/merge:refs/remotes/pull/7/merge"]);
    clone.git(["checkout", "-q", "refs/remotes/pull/7/merge"]);
    // The base's commit is missing; only its branch is known.
    clone.git(["update-ref", "-d", "refs/remotes/origin/main"]);
    let event = json!({ "number": 7, "pull_request": { "number": 7,
        "head": { "sha": feature, "ref": "feature", "repo": { "full_name": "a/b" } },
        "base": { "sha": main, "repo": { "full_name": "a/b" } } } });
    let file = clone.path().join(".git/event.json");
    std::fs::write(&file, event.to_string()).unwrap();
    let output = clone
        .mastor(["ci", "--deepen", "--format", "json"])
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_EVENT_NAME", "pull_request")
        .env("GITHUB_EVENT_PATH", &file)
        .env("GITHUB_BASE_REF", "main")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("first parent of HEAD"), "{said}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {said}"));
    assert_eq!(report["plan"]["since"]["merge_base"], main.as_str());
    assert_eq!(report["plan"]["counts"]["affected"], 1);
}

#[test]
fn the_base_comes_from_the_event_and_what_was_chosen_is_told() {
    let repo = forked(2).branch("feature");
    let run = |vars: &[(&str, &str)], event: serde_json::Value| {
        let file = repo.path().join(".git/event.json");
        std::fs::write(&file, event.to_string()).unwrap();
        let mut command = repo.mastor(["plan", "--format", "json"]);
        command.env("GITHUB_EVENT_PATH", &file).envs(vars.iter().copied());
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let main = repo.git(["rev-parse", "main"]);
    let github = |event: &'static str| {
        [("GITHUB_ACTIONS", "true"), ("GITHUB_EVENT_NAME", event), ("GITHUB_REF_NAME", "feature")]
    };
    let (code, said) = run(&github("push"), json!({ "before": main }));
    assert!(code == Some(0) && said.contains("as the push event (before) says"), "{said}");
    let (code, said) = run(&github("merge_group"), json!({ "merge_group": { "base_sha": main } }));
    assert!(code == Some(0) && said.contains("the merge group's base"), "{said}");
    let (code, said) = run(&github("schedule"), json!({ "repository": { "default_branch": "main" } }));
    assert!(code == Some(0) && said.contains("comparing with main"), "{said}");
    let (code, said) = run(&github("schedule"), json!({}));
    assert!(code == Some(2) && said.contains("the event is `schedule`") && said.contains("--since"), "{said}");
    let (code, said) = run(&[("GITLAB_CI", "true"), ("CI_MERGE_REQUEST_DIFF_BASE_SHA", &main)], json!({}));
    assert!(code == Some(0) && said.contains("CI_MERGE_REQUEST_DIFF_BASE_SHA"), "{said}");
    let (code, said) = run(&[("JENKINS_URL", "x"), ("CHANGE_TARGET", "main")], json!({}));
    assert!(code == Some(0) && said.contains("as CHANGE_TARGET says"), "{said}");
}

#[test]
fn what_a_partial_clone_lacks_is_no_change_but_the_end() {
    let origin = forked(1);
    origin.git(["config", "uploadpack.allowFilter", "true"]);
    let clone = origin.cloned(&["--branch", "feature", "--filter=blob:none"]);
    clone.git(["fetch", "-q", "origin", "main:main"]);
    let whole = origin.cloned(&["--branch", "feature"]);
    whole.git(["fetch", "-q", "origin", "main:main"]);
    assert_eq!(whole.json(["plan", "--since", "main", "--format", "json"])["counts"]["affected"], 1);
    clone.git(["remote", "set-url", "origin", "/nowhere/that/is"]);
    for command in ["plan", "ci"] {
        let ran = clone.run([command, "--since", "main"]);
        ran.ends(5).says(&["ShippingController.java", "partial clone", "--refetch"]);
    }
}
