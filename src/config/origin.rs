//! The origin of a setting, and the resolution of its paths.

/// The source of a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// The built-in default.
    Default,
    /// This `mastor.toml`.
    File(String),
    /// This environment variable.
    Environment(String),
    /// This flag.
    Flag(&'static str),
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(path) => f.write_str(path),
            Self::Environment(name) => write!(f, "environment {name}"),
            Self::Flag(name) => write!(f, "flag {name}"),
        }
    }
}

/// Resolves a path in a service's settings to a path from the repository's root.
pub fn join(dir: &str, path: &str) -> String {
    let mut parts: Vec<&str> = dir.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Resolves such a path like [`join`]; `None` where it leads out of the repository.
pub(super) fn inside(dir: &str, path: &str) -> Option<String> {
    if path.starts_with('/') || path.contains(['\\', ':']) {
        return None;
    }
    let mut depth = dir.split('/').filter(|part| !part.is_empty()).count();
    for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
        depth = if part == ".." { depth.checked_sub(1)? } else { depth + 1 };
    }
    Some(join(dir, path))
}
