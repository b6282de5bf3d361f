//! How a build builds and starts a module.

use crate::files::resources::folder;

/// The commands that build and start a module.
#[derive(Debug, Clone, Default)]
pub struct BuildCommands {
    /// Folder in which the commands run, from the repository's root.
    pub dir: String,
    /// Command that builds it.
    pub build: String,
    /// The start command without arguments; `{system}` marks the place of system properties.
    pub run: String,
    /// Java version for which it is built.
    pub java: Option<u32>,
    /// Unknown details.
    pub doubts: Vec<String>,
}

/// A folder and its enclosing folders; the root `""` is last.
pub(super) fn above(dir: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(dir), |dir| (!dir.is_empty()).then(|| folder(dir)))
}

pub(super) fn join(dir: &str, name: &str) -> String {
    if dir.is_empty() { name.to_owned() } else { format!("{dir}/{name}") }
}
