//! Linked work trees: a commit's files in a folder outside the repository, made and removed by the `git` program.

use std::path::Path;

use super::commit::Commit;
use super::git::Repo;
use crate::spawn;

/// Checks a commit out into a folder that is not there yet.
///
/// # Errors
/// What git says.
pub fn add(repo: &Repo, commit: &Commit, dir: &Path) -> Result<(), String> {
    let place = dir.to_str().ok_or_else(|| format!("`{}` is not UTF-8", dir.display()))?;
    let id = commit.id.to_string();
    git(repo.git_dir(), &["worktree", "add", "--force", "--force", "--detach", "--quiet", place, &id])
}

/// Brings the tracked files of a linked work tree back to its commit, and removes what is neither tracked nor ignored; what was built stays.
///
/// # Errors
/// What git says.
pub fn restore(dir: &Path) -> Result<(), String> {
    git(dir, &["reset", "--hard", "--quiet"])?;
    git(dir, &["clean", "-d", "--force", "--quiet"])
}

/// Removes a linked work tree with all that is in it; where there is none, nothing happens.
pub fn remove(repo: &Repo, dir: &Path) {
    if !dir.exists() {
        return;
    }
    if let Some(place) = dir.to_str() {
        let _ = git(repo.git_dir(), &["worktree", "remove", "--force", "--force", place]);
    }
    let _ = std::fs::remove_dir_all(dir);
    let _ = git(repo.git_dir(), &["worktree", "prune"]);
}

/// Runs git with no hook of the repository, and no owner check, since it is the repository that we were called in.
fn git(dir: &Path, arguments: &[&str]) -> Result<(), String> {
    let settings = ["-c", "core.hooksPath=/dev/null", "-c", "safe.directory=*", "-c", "advice.detachedHead=false"];
    let output = spawn::git(settings.iter().chain(arguments), dir).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => "the `git` program is not installed".to_owned(),
        _ => error.to_string(),
    })?;
    if output.ended.well() {
        return Ok(());
    }
    let said = output.err.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
    Err(format!("git {}: {}", arguments.first().unwrap_or(&""), said.trim_start_matches("fatal: ")))
}
