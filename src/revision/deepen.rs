//! Deepens a shallow clone by growing fetches until it contains the merge base.

use super::commit::Commit;
use super::error::RevisionError;
use super::git::Repo;
use mastor_spawn as spawn;
use mastor_types::ci_run::HostedRepository;

/// Commits that the first fetch adds; each next one adds four times as many, since a fetch costs more than a few
/// hundred commits.
const FIRST: u32 = 32;
/// Maximum number of such fetches (700,000 commits in all); after that the whole history is fetched.
const STEPS: u32 = 8;

/// The repository on its host and a token for fetching. Git receives the token by environment variables, never on a
/// command line.
#[derive(Debug, Clone, Copy)]
pub struct Credentials<'a> {
    /// The repository on its host.
    pub repository: &'a HostedRepository,
    /// The token.
    pub token: &'a str,
}

impl Credentials<'_> {
    /// Git's configuration key and value for the authorization header.
    pub(super) fn header(&self) -> (String, String) {
        use base64::Engine as _;
        let key = format!("http.{}/.extraheader", self.repository.server_url);
        let value = base64::engine::general_purpose::STANDARD.encode(format!("x-access-token:{}", self.token));
        (key, format!("AUTHORIZATION: basic {value}"))
    }
}

/// A sequence of fetches towards a merge base.
#[derive(Debug)]
pub struct Deepening<'a> {
    since: &'a str,
    head: Commit,
    credentials: Option<Credentials<'a>>,
    step: u32,
    head_refused: bool,
}

impl<'a> Deepening<'a> {
    /// Deepens towards the merge base of `since` and `head`.
    pub fn to(since: &'a str, head: Commit, credentials: Option<Credentials<'a>>) -> Self {
        Self { since, head, credentials, step: 0, head_refused: false }
    }

    /// Runs the next fetch. Returns the command, or `None` where nothing more can be fetched: the clone is complete or
    /// has no remote.
    ///
    /// # Errors
    /// Where git is missing, or where the fetch failed (with git's message).
    pub fn next(&mut self, repo: &Repo) -> Result<Option<String>, RevisionError> {
        let (Some(remote), Some(dir)) = (repo.remote(), repo.workdir()) else { return Ok(None) };
        let known = repo.base_tip(self.since).is_some();
        if self.step > STEPS || (known && !repo.is_shallow()) {
            return Ok(None);
        }
        let base = refspec(self.since, &remote);
        let depth = match (known, repo.is_shallow(), self.step) {
            (_, false, _) => None,
            // Fetch the base's tip first: if it is the parent of a merge commit, no history is needed.
            (false, true, _) => Some("--depth=1".to_owned()),
            (true, true, STEPS) => Some("--unshallow".to_owned()),
            (true, true, step) => Some(format!("--deepen={}", FIRST << (2 * step.min(STEPS)))),
        };
        if known {
            self.step += 1;
        } else if self.step > 0 {
            return Ok(None);
        } else {
            self.step = if repo.is_shallow() { 0 } else { STEPS + 1 };
        }
        let head = (known && !self.head_refused).then(|| self.head.id.to_string());
        let mut command = command_line(depth.as_deref(), &remote, [Some(base.clone()), head.clone()]);
        let mut fetched = self.fetch(&command, dir)?;
        if fetched.is_err() && head.is_some() {
            // Some servers do not serve a commit by its id; then only the base is fetched.
            self.head_refused = true;
            command = command_line(depth.as_deref(), &remote, [Some(base), None]);
            fetched = self.fetch(&command, dir)?;
        }
        let shown = format!("git {}", command.join(" "));
        match fetched {
            Ok(()) => Ok(Some(shown)),
            Err(why) => Err(RevisionError::BaseMissing {
                since: self.since.to_owned(),
                reason: format!("it could not be fetched: {why}"),
                command: Some(shown),
            }),
        }
    }

    /// Runs git; the inner error is the last line that it printed.
    fn fetch(&self, command: &[String], dir: &std::path::Path) -> Result<Result<(), String>, RevisionError> {
        let header = self.credentials.and_then(|credentials| header(&credentials, dir));
        // Keep the configuration that the environment already passes to git.
        let there = mastor_env::var("GIT_CONFIG_COUNT").and_then(|count| count.parse().ok()).unwrap_or(0_usize);
        let variables = header.map(|(key, value)| {
            let count = ("GIT_CONFIG_COUNT".to_owned(), (there + 1).to_string());
            vec![count, (format!("GIT_CONFIG_KEY_{there}"), key), (format!("GIT_CONFIG_VALUE_{there}"), value)]
        });
        let variables = variables.unwrap_or_default();
        let env: Vec<(&str, &str)> = variables.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let ran = spawn::git_with(command, dir, &env)
            .map_err(|source| RevisionError::Io { path: "git".to_owned(), source })?;
        if ran.ended.well() {
            return Ok(Ok(()));
        }
        Ok(Err(ran
            .err
            .lines()
            .rev()
            .find(|line| !line.trim().is_empty())
            .unwrap_or("no reason given")
            .trim()
            .to_owned()))
    }
}

/// The authorization header; `None` where the clone already has one for this host, since git would send both and be
/// refused.
fn header(credentials: &Credentials<'_>, dir: &std::path::Path) -> Option<(String, String)> {
    let (key, value) = credentials.header();
    let there = spawn::git(["config", "--get-all", &key], dir).ok()?;
    (!there.ended.well()).then_some((key, value))
}

fn command_line(depth: Option<&str>, remote: &str, wanted: [Option<String>; 2]) -> Vec<String> {
    let mut line = vec!["fetch".to_owned(), "--no-tags".to_owned(), "--no-recurse-submodules".to_owned()];
    line.extend(depth.map(str::to_owned));
    // Prevents a reference name from being read as an option.
    line.extend(["--end-of-options".to_owned(), remote.to_owned()]);
    line.extend(wanted.into_iter().flatten());
    line
}

/// The refspec to fetch: a commit by its id, or a branch into its remote-tracking branch.
fn refspec(since: &str, remote: &str) -> String {
    if since.len() == 40 && since.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return since.to_owned();
    }
    if let Some(tag) = since.strip_prefix("refs/tags/") {
        return format!("+refs/tags/{tag}:refs/tags/{tag}");
    }
    let branch = since.strip_prefix("refs/heads/").or_else(|| since.strip_prefix(&format!("refs/remotes/{remote}/")));
    let branch = branch.or_else(|| since.strip_prefix(&format!("{remote}/"))).unwrap_or(since);
    format!("+refs/heads/{branch}:refs/remotes/{remote}/{branch}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_branch_is_fetched_into_its_remote_branch_and_a_commit_by_its_id() {
        let sha = "0123456789012345678901234567890123456789";
        assert_eq!(refspec("main", "origin"), "+refs/heads/main:refs/remotes/origin/main");
        assert_eq!(refspec("origin/a/b", "origin"), "+refs/heads/a/b:refs/remotes/origin/a/b");
        assert_eq!(refspec(sha, "origin"), sha);
        assert_eq!(refspec("refs/tags/v1", "origin"), "+refs/tags/v1:refs/tags/v1");
    }
}
