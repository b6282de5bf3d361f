//! `--since REF`: the merge base, or the exact command that would fetch it.

use mastor::revision::{Base, RevisionError};

use crate::support::Repo;

fn base(repo: &Repo, since: &str) -> Result<Base, RevisionError> {
    mastor::revision::Repo::discover(repo.path()).unwrap().base(since)
}

/// The reason why a base is missing, and the suggested command.
fn missing(repo: &Repo, since: &str) -> (String, Option<String>) {
    match base(repo, since) {
        Err(RevisionError::BaseMissing { reason, command, .. }) => (reason, command),
        other => panic!("not missing: {other:?}"),
    }
}

/// Runs the suggested command in the repository, as a user would.
fn run(repo: &Repo, command: Option<String>) {
    let command = command.expect("a command");
    repo.git(command.split(' ').skip(1));
}

/// Commits *one* and *two* on `main`, and *three* on `feature`, which forks from *one*; HEAD is on `feature`.
fn forked() -> Repo {
    Repo::new().commit("one").branch("feature").commit("three").branch("main").commit("two").branch("feature")
}

#[test]
fn since_is_the_merge_base_of_the_reference_and_head() {
    let repo = forked();
    let found = base(&repo, "main").unwrap();
    assert_eq!(
        (found.ref_name.as_str(), found.merge_base.subject.as_str(), found.head.subject.as_str()),
        ("main", "one", "three")
    );
    assert_eq!(base(&repo, "HEAD").unwrap().merge_base.subject, "three");
    assert_eq!(base(&repo, &repo.git(["rev-parse", "main"])).unwrap().merge_base.subject, "one");
}

#[test]
fn a_branch_that_only_the_remote_has_is_used_from_there() {
    let clone = forked().cloned(&["--branch", "feature"]);
    assert_eq!(base(&clone, "main").unwrap().ref_name, "origin/main");
    assert_eq!(base(&clone, "refs/heads/main").unwrap().merge_base.subject, "one");
}

#[test]
fn a_branch_that_was_not_fetched_names_the_fetch_that_brings_it() {
    let origin = forked();
    let clone = origin.cloned(&["--branch", "feature", "--single-branch"]);
    let (_, command) = missing(&clone, "main");
    assert_eq!(command.as_deref(), Some("git fetch origin main:refs/remotes/origin/main"));
    run(&clone, command);
    assert_eq!(base(&clone, "main").unwrap().merge_base.subject, "one");
}

#[test]
fn a_shallow_clone_without_the_branch_names_one_fetch_that_is_enough() {
    let origin = forked();
    for since in ["main", "origin/main"] {
        let clone = origin.cloned(&["--branch", "feature", "--depth", "1"]);
        let (_, command) = missing(&clone, since);
        assert_eq!(command.as_deref(), Some("git fetch --unshallow origin main:refs/remotes/origin/main"));
        run(&clone, command);
        assert_eq!(base(&clone, since).unwrap().merge_base.subject, "one");
    }
}

#[test]
fn a_shallow_clone_that_ends_before_the_merge_base_is_told_to_fetch_all() {
    let origin = forked();
    let clone = origin.cloned(&["--branch", "feature", "--depth", "1", "--no-single-branch"]);
    let (reason, command) = missing(&clone, "main");
    assert!(reason.contains("shallow"), "{reason}");
    assert_eq!(command.as_deref(), Some("git fetch --unshallow origin"));
    run(&clone, command);
    assert_eq!(base(&clone, "main").unwrap().merge_base.subject, "one");
}

#[test]
fn a_parent_or_a_commit_beyond_a_shallow_boundary_is_fetched_too() {
    let origin = forked();
    let id = origin.git(["rev-parse", "HEAD~1"]);
    for since in ["HEAD~1", &id] {
        let clone = origin.cloned(&["--branch", "feature", "--depth", "1"]);
        run(&clone, missing(&clone, since).1);
        assert_eq!(base(&clone, since).unwrap().merge_base.subject, "one");
    }
}

#[test]
fn depth_two_is_enough_for_the_first_parent_of_a_merge_commit() {
    let origin = forked().branch("main").merge("feature");
    let clone = origin.cloned(&["--depth", "2"]);
    assert_eq!(base(&clone, "HEAD^1").unwrap().merge_base.subject, "two");
}

#[cfg(target_os = "linux")]
#[test]
fn depth_two_is_enough_in_a_repository_of_another_owner() {
    let clone =
        Repo::new().commit("zero").commit("one").branch("f").commit("three").branch("main").commit("two").merge("f");
    let clone = clone.cloned(&["--depth", "2"]);
    if !clone.command("chown").args(["-R", "12345", "."]).status().unwrap().success() {
        eprintln!("not run: only root can give a folder away");
        return;
    }
    assert_eq!(base(&clone, "HEAD^1").unwrap().merge_base.subject, "two");
    assert_eq!(base(&clone, "HEAD^2").unwrap().merge_base.subject, "three");
}

#[test]
fn without_a_remote_there_is_no_command_but_what_was_meant() {
    let (reason, command) = missing(&forked(), "featrue");
    assert_eq!(command, None);
    assert!(reason.contains("did you mean `feature`?"), "{reason}");
    assert!(missing(&forked(), "master").0.contains("did you mean `main`?"));
}

#[test]
fn histories_that_share_nothing_have_no_base_and_no_command() {
    let repo = forked();
    repo.git(["checkout", "-q", "--orphan", "alone"]);
    let repo = repo.commit("alone");
    let (reason, command) = missing(&repo, "main");
    assert_eq!((reason.as_str(), command), ("it shares no history with HEAD", None));
}
