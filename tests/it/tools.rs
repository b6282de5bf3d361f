//! Tools that `tests/tools.sh` installs. One that is missing is a failure, unless `MASTOR_TEST_WITHOUT` names it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::exports::without;

/// The folder of the tools.
pub fn folder() -> PathBuf {
    let project = || Path::new(env!("CARGO_MANIFEST_DIR")).join(".tools");
    std::env::var_os("MASTOR_TOOLS").map_or_else(project, PathBuf::from)
}

/// Path of a tool; `None` if `MASTOR_TEST_WITHOUT` names it.
pub fn path(name: &str) -> Option<PathBuf> {
    if without(name) {
        return None;
    }
    let places = [folder().join("bin").join(name), folder().join("venv/bin").join(name)];
    let found = places.iter().find(|path| path.is_file()).cloned();
    Some(found.unwrap_or_else(|| {
        panic!("{name} is not in {places:?}: run tests/tools.sh, or name it in MASTOR_TEST_WITHOUT")
    }))
}

/// Runs a linter in the project's folder, which must find nothing; skipped if `MASTOR_TEST_WITHOUT` names it.
#[track_caller]
pub fn finds_nothing(name: &str, arguments: &[&str], files: &[String]) {
    let Some(path) = path(name) else { return };
    assert!(!files.is_empty(), "nothing for {name} to read");
    let mut command = Command::new(path);
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(arguments).args(files);
    // Linters call one another by the PATH.
    let mut folders = vec![folder().join("bin"), folder().join("venv/bin")];
    folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
    command.env("PATH", std::env::join_paths(folders).unwrap());
    let Output { status, stdout, stderr } = command.output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{name} {arguments:?}:\n{said}");
}
