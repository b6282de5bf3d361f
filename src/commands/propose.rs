//! `mastor propose`, and the file that `mastor ci` leaves for it. The job that runs code of the head has no token, and
//! the job with the token runs none of that code.

use std::collections::BTreeMap;
use std::path::Path;

use super::context::Context;
use crate::pipeline::{self, Head, Pushed, Workspace};
use mastor_config::Overrides;
use mastor_revision::Files;
use mastor_suite::{LOCK_DIR, OUT_DIR, SUITE_DIR};
use mastor_types::error::{Exit, Failure};

/// The file that `ci --propose later` writes to `.mastor/out`.
const FILE: &str = "renewed.json";

/// Maximum size of that file, in bytes; code of the head may have written it.
const LARGEST: u64 = 64 << 20;

/// Writes the renewed suite files for a later [`run`].
///
/// # Errors
/// Exit 70 where writing fails.
pub fn leave(workspace: &Workspace, renewed: &Files) -> Result<(), Failure> {
    let text = |bytes: &Option<Vec<u8>>| bytes.as_ref().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let files: BTreeMap<&String, Option<String>> = renewed.iter().map(|(path, bytes)| (path, text(bytes))).collect();
    let bytes = serde_json::to_vec(&files).map_err(|error| Failure::new(Exit::Internal, error.to_string()))?;
    mastor_store::write(&workspace.root.join(OUT_DIR).join(FILE), &bytes)
        .map_err(|error| Failure::new(Exit::Internal, error.to_string()))
}

/// Pushes the suite files that a run has left.
///
/// # Errors
/// Exit 2 for a file that contains anything but suite files.
pub fn run(context: &Context, from: Option<&Path>) -> Result<Exit, Failure> {
    let workspace = context.workspace(Overrides::default())?;
    let head = workspace.head(None)?;
    let left = workspace.root.join(OUT_DIR).join(FILE);
    push(context, &workspace, &head, &read(from.unwrap_or(&left))?);
    Ok(Exit::Clean)
}

fn read(from: &Path) -> Result<Files, Failure> {
    let wrong = |why: String| {
        Failure::new(Exit::Usage, format!("{}: {why}", from.display())).hint("`mastor ci --propose later` leaves it")
    };
    let size = fs_err::symlink_metadata(from).map_err(|error| wrong(error.to_string()))?;
    if !size.is_file() || size.len() > LARGEST {
        return Err(wrong("it is no file of this size".to_owned()));
    }
    let text = fs_err::read_to_string(from).map_err(|error| wrong(error.to_string()))?;
    let files: BTreeMap<String, Option<String>> =
        serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    match files.keys().find(|path| !is_of_suite(path)) {
        Some(path) => Err(wrong(format!("`{path}` is no file of a suite"))),
        None => Ok(files.into_iter().map(|(path, text)| (path, text.map(String::into_bytes))).collect()),
    }
}

/// Whether a path is that of a suite file of any service.
fn is_of_suite(path: &str) -> bool {
    let plain = !path.split('/').any(|part| matches!(part, "" | "." | "..")) && !path.contains('\\');
    let below = |folder: &str| format!("/{path}").contains(&format!("/{folder}/"));
    plain && ((below(SUITE_DIR) && path.ends_with(".json")) || (below(LOCK_DIR) && path.ends_with(".lock")))
}

/// Pushes the renewed suite to the pull request's branch. An error is shown as a notice and changes no exit code.
pub fn push(context: &Context, workspace: &Workspace, head: &Head, renewed: &Files) {
    let (run, token) = (mastor_env::ci_run(), mastor_env::propose_token());
    match pipeline::propose(workspace, head, renewed, run.as_ref(), token.as_deref()) {
        Ok(Pushed::Commit(id)) => {
            context
                .console
                .notice(&format!("the suite was brought up to date by commit {id} on the pull request's branch"));
        }
        Ok(Pushed::Not(why)) => context.console.notice(&format!("nothing was proposed: {why}")),
        Err(failure) => context.console.notice(&format!("nothing was proposed: {failure}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_a_suite_are_proposed() {
        for path in [".mastor/suite/a.json", "b/.mastor/suite/sequences/a.json", ".mastor/lock/a.lock"] {
            assert!(is_of_suite(path), "{path}");
        }
        for path in [
            ".github/workflows/a.yml",
            ".mastor/suite/../../a.json",
            "/.mastor/suite/a.json",
            ".mastor/suite/a.yml",
            "x",
        ] {
            assert!(!is_of_suite(path), "{path}");
        }
    }
}
