//! The environment: the only file besides `main.rs` that reads variables and the current folder.

use std::path::PathBuf;

use crate::types::ci_run::{CiRun, CiSystem};

/// The repository `owner/name` whose release workflow made this binary; none for a build from source.
pub const BUILT_FROM: Option<&str> = option_env!("MASTOR_REPOSITORY");

/// The value of a variable, where it is set, not empty and UTF-8.
pub fn var(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// The current folder.
///
/// # Errors
/// Where it has vanished or may not be read.
pub fn current_dir() -> std::io::Result<PathBuf> {
    std::env::current_dir()
}

/// What tells this binary from others of its version: its size and when it was made.
pub fn binary() -> Option<String> {
    let file = std::env::current_exe().and_then(std::fs::metadata).ok()?;
    let made = file.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some(format!("{} {} {}", env!("CARGO_PKG_VERSION"), file.len(), made.as_nanos()))
}

/// Whether the run is one of a CI system, as `CI=true` says by convention.
pub fn in_ci() -> bool {
    var("CI").is_some_and(|value| !matches!(value.as_str(), "0" | "false"))
}

/// The CI run that we are part of, as its variables and its event tell.
pub fn ci_run() -> Option<CiRun> {
    CiRun::of(&var, &|path| fs_err::read_to_string(path).ok())
}

/// Whether we are a step of GitHub Actions, which reads commands from what is printed.
pub fn on_github_actions() -> bool {
    var("GITHUB_ACTIONS").is_some_and(|value| value == "true")
}

/// The token for the host of the repository: ours, or the one that the workflow hands over. No host ever gets another's.
pub fn host_token(system: CiSystem) -> Option<String> {
    match system {
        CiSystem::GitLab => var("MASTOR_GITLAB_TOKEN").or_else(|| var("GITLAB_TOKEN")),
        CiSystem::GitHub | CiSystem::Jenkins => var("MASTOR_GITHUB_TOKEN").or_else(|| var("GITHUB_TOKEN")),
    }
}

/// The token that pushes proposals: one of its own, since a push by the workflow's own token starts no checks.
pub fn propose_token() -> Option<String> {
    var("MASTOR_PROPOSE_TOKEN")
}

/// The name under which the workflow keeps `.mastor/out`, where it says so and it is a plain one.
pub fn artifact() -> Option<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    var("MASTOR_ARTIFACT").filter(|name| name.chars().all(plain) && !name.starts_with('-'))
}

/// The file that takes the outputs of a step of GitHub Actions.
pub fn step_output() -> Option<PathBuf> {
    var("GITHUB_OUTPUT").map(PathBuf::from)
}

/// The file that GitHub shows as the job's summary.
pub fn step_summary() -> Option<PathBuf> {
    var("GITHUB_STEP_SUMMARY").map(PathBuf::from)
}

/// The variables whose names say that they hold a secret.
pub fn secrets() -> std::collections::BTreeMap<String, String> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, value)| !value.is_empty() && is_secret(name))
        .collect()
}

/// Whether the name of a variable says that it holds a secret. Names of files and folders say where one is, and hold none.
fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let place = ["_FILE", "_PATH", "_DIR", "_SOCK"].iter().any(|ending| name.ends_with(ending));
    let words =
        ["TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "PRIVATE_KEY", "API_KEY", "APIKEY", "ACCESS_KEY"];
    !place && (words.iter().any(|word| name.contains(word)) || name.ends_with("_KEY"))
}

/// Those of these variables that are set, in UTF-8.
pub fn of_names<'n>(names: impl IntoIterator<Item = &'n str>) -> std::collections::BTreeMap<String, String> {
    names.into_iter().filter_map(|name| Some((name.to_owned(), std::env::var(name).ok()?))).collect()
}

/// The folder of this user for what makes later runs faster: `MASTOR_CACHE_DIR`, or the place that the system has for it.
pub fn user_cache_dir() -> Option<PathBuf> {
    if let Some(dir) = var("MASTOR_CACHE_DIR") {
        return Some(PathBuf::from(dir));
    }
    let below = |name: &str, rest: &str| var(name).map(|dir| PathBuf::from(dir).join(rest));
    let system = if cfg!(windows) {
        below("LOCALAPPDATA", "mastor/cache")
    } else if cfg!(target_os = "macos") {
        below("HOME", "Library/Caches/mastor")
    } else {
        below("XDG_CACHE_HOME", "mastor").or_else(|| below("HOME", ".cache/mastor"))
    };
    system.filter(|dir| dir.is_absolute())
}
