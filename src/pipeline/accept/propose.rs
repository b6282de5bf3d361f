//! Proposing: pushes the renewed suite as one commit to the branch of the pull request, so that both are merged
//! together.

use crate::pipeline::repository::workspace::{Head, Workspace, failure};
use mastor_revision::push::push;
use mastor_revision::{Credentials, Files};
use mastor_types::Hash;
use mastor_types::ci_run::CiRun;
use mastor_types::error::Failure;

/// Trailer of the commits that mastor pushes: a head that carries it gets no further commit.
const TRAILER: &str = "Mastor-Proposal:";

/// The result of proposing.
#[derive(Debug, PartialEq, Eq)]
pub enum Pushed {
    /// The id of the commit that was pushed.
    Commit(String),
    /// Nothing was pushed, and why.
    Not(String),
}

/// Pushes these suite files to the branch of the run's pull request. The work tree is not changed.
///
/// # Errors
/// Where the repository cannot be read or written.
pub fn propose(
    workspace: &Workspace,
    head: &Head,
    files: &Files,
    run: Option<&CiRun>,
    token: Option<&str>,
) -> Result<Pushed, Failure> {
    let not = |why: &str| Ok(Pushed::Not(why.to_owned()));
    let Some(CiRun { event, pull: Some(pull), repository: Some(repository), .. }) = run else {
        return not("the run is of no pull request");
    };
    if event != "pull_request" {
        return not("only a run on the event `pull_request` proposes");
    }
    if pull.from_fork {
        return not("the pull request is of a fork, to which nothing is ever pushed");
    }
    let Some(token) = token else {
        return not(
            "there is no token for it in MASTOR_PROPOSE_TOKEN: a push by the workflow's own token would start no checks",
        );
    };
    if files.is_empty() {
        return not("the suite of this branch is as new as its code");
    }
    let Ok(own) = workspace.repo.resolve(&pull.head_sha) else {
        return not("the pull request's own head is not in this clone");
    };
    let is_branch = |name: &str| {
        !name.is_empty() && !name.starts_with('-') && !name.contains([':', '+', ' ', '^', '~', '*', '?', '[', '\\'])
    };
    if !is_branch(&pull.head_ref) {
        return not("the name of its branch cannot be pushed to");
    }
    if workspace.repo.message(own.id).is_some_and(|message| message.lines().any(|line| line.starts_with(TRAILER))) {
        return not("the head is a proposal already");
    }
    let branch_tree = workspace.repo.tree_at(own.id).map_err(failure)?;
    let same = |path: &String| match (head.tree.get(path), branch_tree.get(path)) {
        (None, None) => true,
        (Some(_), Some(_)) => matches!((head.tree.read(path), branch_tree.read(path)), (Ok(a), Ok(b)) if a == b),
        _ => false,
    };
    if let Some(path) = files.keys().find(|path| !same(path)) {
        return Ok(Pushed::Not(format!("{path} is newer on the branch that it goes to: merge that first")));
    }
    let mut files = files.clone();
    files.retain(|path, new| match (branch_tree.read(path), new) {
        (Ok(old), Some(new)) => *old != **new,
        (Ok(_), None) | (Err(_), Some(_)) => true,
        (Err(_), None) => false,
    });
    if files.is_empty() {
        return not("the suite of this branch is as new as its code");
    }
    let Some((remote, dir)) = workspace.repo.remote().zip(workspace.repo.workdir()) else {
        return not("this clone has no remote");
    };
    let parts = files.iter().flat_map(|(path, bytes)| [path.as_bytes(), bytes.as_deref().unwrap_or_default()]);
    let message = format!("Bring the suite of mastor up to date\n\n{TRAILER} {}\n", Hash::of_parts(parts).short(16));
    let commit = workspace.repo.commit_on(own.id, &files, &message).map_err(failure)?;
    let credentials = Credentials { repository, token };
    match push((&remote, dir), commit, &pull.head_ref, credentials).map_err(failure)? {
        Ok(()) => Ok(Pushed::Commit(commit.to_string())),
        Err(why) => Ok(Pushed::Not(format!("it could not be pushed: {why}"))),
    }
}
