//! The base of a comparison: resolves `--since REF` to the merge base of REF and HEAD, or suggests the fetch command
//! that would provide it.

use std::collections::{BTreeSet, VecDeque};

use super::commit::Commit;
use super::error::RevisionError;
use super::git::Repo;
use super::id::CommitId;

/// The two ends of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Base {
    /// The reference that was used: as requested, or its remote-tracking branch.
    pub ref_name: String,
    /// The merge base.
    pub merge_base: Commit,
    /// HEAD.
    pub head: Commit,
}

impl Repo {
    /// The merge base of `since` and HEAD. Where only a remote-tracking branch of that name exists, it is used.
    pub fn base(&self, since: &str) -> Result<Base, RevisionError> {
        let head = self.head()?;
        self.base_of(since, head)
    }

    /// The error for a base that is not in this clone, with the fetch command that would bring it.
    pub fn missing_base(&self, since: &str) -> RevisionError {
        let command = self.remote().map(|remote| fetch_command(since, &remote, false));
        RevisionError::BaseMissing { since: since.to_owned(), reason: "it is not in this clone".to_owned(), command }
    }

    /// The commit that `since` names in this clone, directly or as a remote-tracking branch.
    pub fn base_tip(&self, since: &str) -> Option<Commit> {
        self.find_base(since, self.remote().as_deref()).ok().map(|(_, commit)| commit)
    }

    /// The merge base of `since` and `head`.
    pub fn base_of(&self, since: &str, head: Commit) -> Result<Base, RevisionError> {
        let remote = self.remote();
        let (ref_name, tip) = self.find_base(since, remote.as_deref())?;
        let merge_base = match self.merge_base(tip.id, head.id)? {
            Some(id) => Some(id),
            None if self.is_shallow() => self.merge_base_by_walk(tip.id, head.id),
            None => None,
        };
        let merge_base = merge_base.and_then(|id| self.commit(id)).ok_or_else(|| {
            let cut = self.is_shallow();
            let reason = if cut {
                "this clone is shallow, and ends before the merge base"
            } else {
                "it shares no history with HEAD"
            };
            let command = remote.filter(|_| cut).map(|remote| format!("git fetch --unshallow {remote}"));
            RevisionError::BaseMissing { since: since.to_owned(), reason: reason.to_owned(), command }
        })?;
        Ok(Base { ref_name, merge_base, head })
    }

    fn find_base(&self, since: &str, remote: Option<&str>) -> Result<(String, Commit), RevisionError> {
        if let Ok(commit) = self.resolve(since) {
            return Ok((since.to_owned(), commit));
        }
        let on_remote = remote.map(|remote| format!("{remote}/{}", short_name(since)));
        if let Some((name, commit)) = on_remote.and_then(|name| Some((name.clone(), self.resolve(&name).ok()?))) {
            return Ok((name, commit));
        }
        let shallow = self.is_shallow();
        let mut reason = if remote.is_some() {
            "it is not in this clone".to_owned()
        } else {
            "there is no such revision".to_owned()
        };
        if let Some(near) = self.nearest_name(since) {
            reason += &format!(" (did you mean `{near}`?)");
        }
        let command = remote.map(|remote| fetch_command(since, remote, shallow));
        Err(RevisionError::BaseMissing { since: since.to_owned(), reason, command })
    }

    /// The main branch: the remote's default branch, else an existing branch with a usual name, else the current one.
    pub fn main_branch(&self) -> String {
        let of_remote = self.remote().and_then(|remote| self.branch_of_remote(&remote));
        let names = self.reference_names();
        let there = |branch: &&str| names.iter().any(|name| name == branch || name.ends_with(&format!("/{branch}")));
        let usual = || ["main", "master", "develop", "trunk"].into_iter().find(there).map(str::to_owned);
        of_remote.or_else(usual).or_else(|| self.branch()).unwrap_or_else(|| "main".to_owned())
    }

    /// The most similar existing name for a "did you mean": a small edit distance, or the other usual name of a main
    /// branch.
    fn nearest_name(&self, since: &str) -> Option<String> {
        let names = self.reference_names();
        let other = match since {
            "main" => "master",
            "master" => "main",
            _ => since,
        };
        let usual = names.iter().find(|name| name.as_str() == other || name.ends_with(&format!("/{other}")));
        let near = || {
            let scored = names.iter().map(|name| (strsim::osa_distance(since, name), name));
            scored.filter(|(distance, _)| *distance * 3 <= since.chars().count()).min().map(|(_, name)| name)
        };
        usual.or_else(near).cloned()
    }

    /// The best common ancestor, found by a walk over parents that treats a missing parent as the end of history.
    ///
    /// libgit2 finds the boundary of a shallow clone only if it opened the repository with its owner check.
    fn merge_base_by_walk(&self, one: CommitId, two: CommitId) -> Option<CommitId> {
        let parents = |id| self.commit(id).map(|commit| commit.parents).unwrap_or_default();
        let first = ancestors(one, parents);
        let second = ancestors(two, parents);
        let common: Vec<Commit> = first.intersection(&second).filter_map(|id| self.commit(*id)).collect();
        // All ancestors of a common ancestor are common, so the best ones are those that are not a parent of another
        // common ancestor.
        let reached: BTreeSet<CommitId> = common.iter().flat_map(|commit| commit.parents.iter().copied()).collect();
        let best = common.iter().filter(|commit| !reached.contains(&commit.id));
        best.max_by_key(|commit| (commit.committer_time, commit.id)).map(|commit| commit.id)
    }
}

/// A commit and all its ancestors.
fn ancestors(from: CommitId, parents: impl Fn(CommitId) -> Vec<CommitId>) -> BTreeSet<CommitId> {
    let mut seen = BTreeSet::from([from]);
    let mut waiting = VecDeque::from([from]);
    while let Some(id) = waiting.pop_front() {
        waiting.extend(parents(id).into_iter().filter(|parent| seen.insert(*parent)));
    }
    seen
}

/// The branch name within a reference such as `refs/heads/main`.
fn short_name(since: &str) -> &str {
    since.strip_prefix("refs/heads/").unwrap_or(since)
}

/// The fetch command for `since`; in a shallow clone, with the history up to the merge base.
fn fetch_command(since: &str, remote: &str, shallow: bool) -> String {
    let deepen = if shallow { "--unshallow " } else { "" };
    let branch =
        since.strip_prefix(&format!("refs/remotes/{remote}/")).or_else(|| since.strip_prefix(&format!("{remote}/")));
    let branch = branch.unwrap_or_else(|| short_name(since));
    let hex = since.len() >= 7 && since.bytes().all(|byte| byte.is_ascii_hexdigit());
    if hex && since.len() == 40 {
        format!("git fetch {deepen}{remote} {since}")
    } else if let Some(tag) = since.strip_prefix("refs/tags/") {
        format!("git fetch {deepen}{remote} refs/tags/{tag}:refs/tags/{tag}")
    } else if hex || since.contains(['~', '^', '@', ':', ' ', '*', '?', '[', '\\']) || since.starts_with("HEAD") {
        format!("git fetch {deepen}{remote}")
    } else {
        format!("git fetch {deepen}{remote} {branch}:refs/remotes/{remote}/{branch}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fetch_command_fits_what_is_missing() {
        let sha = "0123456789012345678901234567890123456789";
        assert_eq!(fetch_command("main", "origin", false), "git fetch origin main:refs/remotes/origin/main");
        assert_eq!(fetch_command("main", "origin", true), "git fetch --unshallow origin main:refs/remotes/origin/main");
        assert_eq!(fetch_command("origin/a/b", "origin", false), "git fetch origin a/b:refs/remotes/origin/a/b");
        assert_eq!(fetch_command("HEAD~3", "up", true), "git fetch --unshallow up");
        assert_eq!(fetch_command(sha, "origin", true), format!("git fetch --unshallow origin {sha}"));
        assert_eq!(fetch_command("refs/tags/v1", "origin", false), "git fetch origin refs/tags/v1:refs/tags/v1");
    }
}
