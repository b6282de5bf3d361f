//! Linked work trees: a commit checked out into a folder outside the repository, by the `git` program.

use std::path::Path;

use super::commit::Commit;
use super::git::Repo;
use mastor_spawn as spawn;

/// Checks a commit out into a folder that does not exist yet.
///
/// # Errors
/// Where git fails, with its message.
pub fn add(repo: &Repo, commit: &Commit, dir: &Path) -> Result<(), String> {
    let place = dir.to_str().ok_or_else(|| format!("`{}` is not UTF-8", dir.display()))?;
    let id = commit.id.to_string();
    git(repo.git_dir(), &["worktree", "add", "--force", "--force", "--detach", "--quiet", place, &id])
}

/// Resets the tracked files of a linked work tree to its commit and removes untracked files that are not ignored;
/// ignored build output stays.
///
/// # Errors
/// Where git fails, with its message.
pub fn restore(dir: &Path) -> Result<(), String> {
    git(dir, &["reset", "--hard", "--quiet"])?;
    git(dir, &["clean", "-d", "--force", "--quiet"])
}

/// Removes a linked work tree and its folder, if it exists.
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

/// Runs git without the repository's hooks and without the owner check, since mastor was started in this repository.
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
