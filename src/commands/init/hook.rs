//! The pre-push hook that `mastor init --hook` adds.

use std::path::{Path, PathBuf};

use crate::commands::context::Context;
use crate::pipeline::{self, Workspace};
use mastor_store as store;
use mastor_types::error::{Exit, Failure};

/// The script of the hook.
const HOOK: &str = include_str!("../../../templates/init/pre-push");
/// The line that identifies mastor's hook.
const HOOK_MARK: &str = "# mastor: pre-push hook";

/// The path for the hook.
///
/// # Errors
/// Exit 2 where another hook exists.
pub(super) fn place(workspace: &Workspace) -> Result<PathBuf, Failure> {
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

/// Writes the hook, or updates mastor's existing one.
///
/// # Errors
/// Exit 70 where it cannot be written.
pub(super) fn write(context: &Context, path: &Path) -> Result<(), Failure> {
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
