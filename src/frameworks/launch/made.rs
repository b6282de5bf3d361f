//! What a build makes of a module.

use crate::frameworks::resources::folder;

/// What a build makes of a module.
#[derive(Debug, Clone, Default)]
pub struct Made {
    /// Where the commands run, from the repository's root.
    pub dir: String,
    /// Command that builds it.
    pub build: String,
    /// Command up to the arguments; `{system}` stands for system properties.
    pub run: String,
    /// The Java that it is built for.
    pub java: Option<u32>,
    /// What could not be told.
    pub doubts: Vec<String>,
}

/// A folder and those above it, the root's `""` last.
pub(super) fn above(dir: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(dir), |dir| (!dir.is_empty()).then(|| folder(dir)))
}

pub(super) fn join(dir: &str, name: &str) -> String {
    if dir.is_empty() { name.to_owned() } else { format!("{dir}/{name}") }
}
