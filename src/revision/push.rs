//! Pushes a commit to a branch on the host, by the `git` program; the token never stands on a command line.

use super::deepen::Credentials;
use super::error::RevisionError;
use super::id::CommitId;
use mastor_spawn as spawn;

/// Pushes a commit to a branch of the clone's remote, as a fast-forward only. The inner error is the last line that git
/// printed.
///
/// # Errors
/// Where git cannot be started.
pub fn push(
    (remote, dir): (&str, &std::path::Path),
    commit: CommitId,
    branch: &str,
    credentials: Credentials<'_>,
) -> Result<Result<(), String>, RevisionError> {
    let refspec = format!("{commit}:refs/heads/{branch}");
    let line = ["push", "--porcelain", "--no-verify", "--end-of-options", remote, &refspec].map(str::to_owned);
    let there = mastor_env::var("GIT_CONFIG_COUNT").and_then(|count| count.parse().ok()).unwrap_or(0_usize);
    let (key, value) = credentials.header();
    // An empty value removes the header that the clone has for its own token, since git would otherwise send two.
    let variables = [
        ("GIT_CONFIG_COUNT".to_owned(), (there + 2).to_string()),
        (format!("GIT_CONFIG_KEY_{there}"), key.clone()),
        (format!("GIT_CONFIG_VALUE_{there}"), String::new()),
        (format!("GIT_CONFIG_KEY_{}", there + 1), key),
        (format!("GIT_CONFIG_VALUE_{}", there + 1), value),
    ];
    let env: Vec<(&str, &str)> = variables.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let ran =
        spawn::git_with(&line, dir, &env).map_err(|source| RevisionError::Io { path: "git".to_owned(), source })?;
    if ran.ended.well() {
        return Ok(Ok(()));
    }
    let mut said =
        ran.out.lines().chain(ran.err.lines()).filter(|line| line.starts_with('!') || line.contains("fatal:"));
    Ok(Err(said.next_back().unwrap_or("no reason given").trim().to_owned()))
}
