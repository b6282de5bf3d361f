//! What `mastor init` leaves for CI and git: the workflow of GitHub Actions, and with `--hook` a pre-push hook.

use std::path::{Path, PathBuf};

use super::context::Context;
use crate::error::{Exit, Failure};
use crate::pipeline::{self, Workspace};
use crate::store;

/// The workflow for pull requests as the docs have it, where the linters of the tests read it too.
const WORKFLOW: &str = include_str!("../../docs/ci/pull-request.yml");
/// Where GitHub looks for it.
const WORKFLOW_PATH: &str = ".github/workflows/mastor.yml";
/// What stands in the docs for a commit of a release, behind the repository that a release sets there.
const PIN: &str = "@0000000000000000000000000000000000000000 # v";
/// What stands for that repository before the first release.
const UNKNOWN: &str = "OWNER/mastor";
/// Files of other systems that build repositories; where one is and nothing of GitHub's, no workflow is written.
const OTHERS: [(&str, &str); 3] =
    [(".gitlab-ci.yml", "GitLab"), ("Jenkinsfile", "Jenkins"), ("azure-pipelines.yml", "Azure Pipelines")];

/// The hook.
const HOOK: &str = include_str!("../../templates/init/pre-push");
/// What tells our hook from others.
const HOOK_MARK: &str = "# mastor: pre-push hook";

/// Whether a workflow is still to be written.
pub(super) fn lacks_workflow(workspace: &Workspace) -> bool {
    !workspace.root.join(WORKFLOW_PATH).exists() && other_system(&workspace.root).is_none()
}

/// Writes the workflow, where there is none and the repository is not built elsewhere. Gives its path.
///
/// # Errors
/// Exit 70 where it cannot be written.
pub(super) fn workflow(context: &Context, workspace: &Workspace) -> Result<Option<PathBuf>, Failure> {
    let path = workspace.root.join(WORKFLOW_PATH);
    if path.exists() {
        context.console.say(&format!("workflow: {WORKFLOW_PATH} is there already, and stays as it is"));
        return Ok(None);
    }
    if let Some((file, system)) = other_system(&workspace.root) {
        context.console.say(&format!(
            "workflow: none written, since {file} says that {system} builds this repository; docs/ci.md of mastor has one for it"
        ));
        return Ok(None);
    }
    let branch = main_branch(workspace);
    let text = workflow_text(crate::env::BUILT_FROM, branch);
    store::write(&path, text.as_bytes()).map_err(|error| Failure::new(Exit::Internal, error.to_string()))?;
    context.console.say(&format!("workflow: {WORKFLOW_PATH}, for pull requests and pushes to {branch}"));
    if text.contains(UNKNOWN) {
        context.console.say("  put the owner of mastor's repository for OWNER there");
    }
    Ok(Some(path))
}

/// The workflow with a released version of the action, and the branch whose runs leave the cache that others start from.
fn workflow_text(repository: Option<&str>, branch: &str) -> String {
    let mut text = String::new();
    for line in WORKFLOW.lines() {
        match line.split_once(PIN) {
            Some((uses, _)) => {
                let indent: String = uses.chars().take_while(|c| *c == ' ').collect();
                let (key, named) = uses.rsplit_once(' ').unwrap_or(("", uses));
                let version = env!("CARGO_PKG_VERSION");
                text +=
                    &format!("{indent}# Safer by commit than by tag: the page of the release has the line to paste.\n");
                text += &format!("{key} {}@v{version}", repository.unwrap_or(named));
            }
            None => text += &line.replace("branches: [main]", &format!("branches: [{branch}]")),
        }
        text.push('\n');
    }
    text
}

/// The first system other than GitHub whose file is there, unless GitHub's folder is too.
fn other_system(root: &Path) -> Option<(&'static str, &'static str)> {
    if root.join(".github").is_dir() {
        return None;
    }
    OTHERS.into_iter().find(|(file, _)| root.join(file).is_file())
}

/// The branch that pull requests go to, of the two usual ones.
fn main_branch(workspace: &Workspace) -> &'static str {
    let names = workspace.repo.reference_names();
    let there = |branch: &str| names.iter().any(|name| name == branch || name.ends_with(&format!("/{branch}")));
    if !there("main") && there("master") { "master" } else { "main" }
}

/// Where the hook goes.
///
/// # Errors
/// Exit 2 where there is a hook that is not ours.
pub(super) fn hook_place(workspace: &Workspace) -> Result<PathBuf, Failure> {
    let path = workspace.repo.hooks_dir().map_err(pipeline::failure)?.join("pre-push");
    if path.symlink_metadata().is_err() {
        return Ok(path);
    }
    match fs_err::read_to_string(&path) {
        Ok(text) if text.contains(HOOK_MARK) => Ok(path),
        _ => Err(Failure::new(Exit::Usage, format!("{} is there already, and is not mastor's", path.display()))
            .hint("add to it what should stop a push: `mastor -q ci --since origin/main`")),
    }
}

/// Writes the hook, or brings ours up to date.
///
/// # Errors
/// Exit 70 where it cannot be written.
pub(super) fn hook(context: &Context, path: &Path) -> Result<(), Failure> {
    store::write(path, HOOK.as_bytes()).map_err(|error| Failure::new(Exit::Internal, error.to_string()))?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs_err::set_permissions(path, std::fs::Permissions::from_mode(0o755))
            .map_err(|error| Failure::new(Exit::Internal, error.to_string()))?;
    }
    context.console.say("hook: a push is stopped where its commits speak against the committed suite; `git push --no-verify` goes past it");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workflow_names_a_release_and_the_branch() {
        let text = workflow_text(Some("acme/mastor"), "master");
        let uses = format!("        uses: acme/mastor@v{}\n", env!("CARGO_PKG_VERSION"));
        assert!(text.contains(&uses) && text.contains("branches: [master]"), "{text}");
        assert!(!text.contains("OWNER") && !text.contains("[main]"), "{text}");
        assert_eq!(text.lines().count(), WORKFLOW.lines().count() + 1);
        let known = env!("CARGO_PKG_REPOSITORY").splitn(4, '/').nth(3).unwrap_or(UNKNOWN);
        assert!(workflow_text(None, "main").contains(&format!("uses: {known}@v")));
    }
}
