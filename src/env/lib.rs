//! The environment: the only file that reads variables and the current folder.
//!
//! Comes in: variables of the process. Goes out: their values, and the CI run that they describe. Never here: setting a
//! variable.

use std::path::PathBuf;

use mastor_types::ci_run::{CiRun, CiSystem};

/// The repository `owner/name` whose release workflow built this binary; `None` for a build from source.
pub const BUILT_FROM: Option<&str> = option_env!("MASTOR_REPOSITORY");

/// The value of a variable, if it is set, not empty and valid UTF-8.
pub fn var(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// The current folder.
///
/// # Errors
/// Where the folder was deleted or may not be read.
pub fn current_dir() -> std::io::Result<PathBuf> {
    std::env::current_dir()
}

/// Identifies this binary among builds of one version: version, size and modification time.
pub fn binary() -> Option<String> {
    let file = std::env::current_exe().and_then(std::fs::metadata).ok()?;
    let made = file.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some(format!("{} {} {}", env!("CARGO_PKG_VERSION"), file.len(), made.as_nanos()))
}

/// Whether the run is part of a CI system, by the convention `CI=true`.
pub fn in_ci() -> bool {
    var("CI").is_some_and(|value| !matches!(value.as_str(), "0" | "false"))
}

/// The CI run that mastor runs in, from its variables and event file.
pub fn ci_run() -> Option<CiRun> {
    CiRun::of(&var, &|path| fs_err::read_to_string(path).ok())
}

/// Whether this is a step of GitHub Actions, which interprets commands in the output.
pub fn on_github_actions() -> bool {
    var("GITHUB_ACTIONS").is_some_and(|value| value == "true")
}

/// The token for the repository's host: mastor's own variable, else the workflow's. Each host has variables of its own,
/// so that none gets another's token.
pub fn host_token(system: CiSystem) -> Option<String> {
    match system {
        CiSystem::GitLab => var("MASTOR_GITLAB_TOKEN").or_else(|| var("GITLAB_TOKEN")),
        CiSystem::GitHub | CiSystem::Jenkins => var("MASTOR_GITHUB_TOKEN").or_else(|| var("GITHUB_TOKEN")),
    }
}

/// The token for pushing proposals. It is separate, since a push with the workflow's own token triggers no checks.
pub fn propose_token() -> Option<String> {
    var("MASTOR_PROPOSE_TOKEN")
}

/// The name of the artifact in which the workflow stores `.mastor/out`, if it is given and consists of plain
/// characters.
pub fn artifact() -> Option<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    var("MASTOR_ARTIFACT").filter(|name| name.chars().all(plain) && !name.starts_with('-'))
}

/// The file that receives the step's outputs on GitHub Actions.
pub fn step_output() -> Option<PathBuf> {
    var("GITHUB_OUTPUT").map(PathBuf::from)
}

/// The file that GitHub shows as the job summary.
pub fn step_summary() -> Option<PathBuf> {
    var("GITHUB_STEP_SUMMARY").map(PathBuf::from)
}

/// All variables whose names suggest a secret, with their values.
pub fn secrets() -> std::collections::BTreeMap<String, String> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, value)| !value.is_empty() && is_secret(name))
        .collect()
}

/// Whether the name of a variable suggests a secret. Names of paths (`…_FILE`) do not.
fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let place = ["_FILE", "_PATH", "_DIR", "_SOCK"].iter().any(|ending| name.ends_with(ending));
    let words =
        ["TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "PRIVATE_KEY", "API_KEY", "APIKEY", "ACCESS_KEY"];
    !place && (words.iter().any(|word| name.contains(word)) || name.ends_with("_KEY"))
}

/// The values of these variables, where set and valid UTF-8.
pub fn of_names<'n>(names: impl IntoIterator<Item = &'n str>) -> std::collections::BTreeMap<String, String> {
    names.into_iter().filter_map(|name| Some((name.to_owned(), std::env::var(name).ok()?))).collect()
}

/// The user's cache folder: `MASTOR_CACHE_DIR`, else the operating system's convention.
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
