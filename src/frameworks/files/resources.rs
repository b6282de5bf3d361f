//! Text files beside the Java sources that frameworks read: configuration, build files, XML, SQL, service lists.

use std::collections::BTreeMap;
use std::sync::Arc;

use mastor_revision::SourceTree;
use mastor_types::Hash;

/// Text files of a revision, by path.
#[derive(Debug, Clone, Default)]
pub struct Resources {
    files: BTreeMap<String, Arc<str>>,
}

/// Larger files are not read: they contain data.
const LIMIT: u64 = 2 << 20;

/// Keyword of the statement that replaces an unread script, which may change any table.
pub const UNREAD: &str = "mastor_unread";

impl Resources {
    /// Reads the files of a revision, without tests' resources and build output.
    pub fn load(tree: &SourceTree) -> Self {
        let mut files = BTreeMap::new();
        for entry in tree.files().filter(|entry| wanted(&entry.path) || may_map(&entry.path)) {
            match tree.text_within(&entry.path, LIMIT) {
                Ok(text) if !is_kept(&entry.path, &text.text) => {}
                Ok(text) => _ = files.insert(entry.path.clone(), Arc::from(text.text)),
                // An unread script may fill any table.
                Err(_) if entry.path.ends_with(".sql") => {
                    _ = files.insert(entry.path.clone(), Arc::from(format!("{UNREAD} {};", entry.blob)));
                }
                Err(_) => {}
            }
        }
        Self { files }
    }

    /// Builds from paths and texts, for tests.
    pub fn from_texts(texts: &[(&str, &str)]) -> Self {
        Self {
            files: texts
                .iter()
                .filter(|(path, text)| (wanted(path) || may_map(path)) && is_kept(path, text))
                .map(|(path, text)| ((*path).to_owned(), Arc::from(*text)))
                .collect(),
        }
    }

    /// Text of a file.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(|text| &**text)
    }

    /// All files in the order of their paths.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(path, text)| (path.as_str(), &**text))
    }

    /// Files whose path is this tail, or ends in it after a slash.
    pub fn ending<'a>(&'a self, tail: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.iter().filter(move |(path, _)| {
            path.strip_suffix(tail).is_some_and(|rest| rest.is_empty() || rest.ends_with('/') || tail.starts_with('.'))
        })
    }

    /// Hash of a file's bytes.
    pub fn hash(&self, path: &str) -> Option<Hash> {
        self.text(path).map(|text| Hash::of(text.as_bytes()))
    }
}

/// The last part of a path.
pub fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The folder of a path; empty for the root.
pub fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Whether a path is in tests or in build output.
pub fn is_aside(path: &str) -> bool {
    let mut before = "";
    folder(path).split('/').any(|part| {
        let in_src = std::mem::replace(&mut before, part) == "src";
        matches!(part, "target" | "node_modules" | ".git" | ".mastor" | "out" | "bin")
            || (in_src && matches!(part, "test" | "it" | "integrationTest"))
    })
}

/// Whether a file may be a changelog, or data that a changelog loads.
pub fn is_changelog(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let kind = [".xml", ".yaml", ".yml", ".json", ".csv"].iter().any(|ending| lower.ends_with(ending));
    kind && lower.contains("/resources/") && (lower.contains("liquibase") || lower.contains("changelog"))
}

/// Substrings of the names of XML files with configuration; other XML files are data.
const XML_NAMES: [&str; 12] = [
    "pom.xml",
    "web.xml",
    "orm",
    "persistence",
    "context",
    "bean",
    "spring",
    "servlet",
    "security",
    "hbm",
    "mapper",
    "config",
];

/// Whether a file may be a MyBatis mapper: settings can name any XML file on the class path.
fn may_map(path: &str) -> bool {
    path.ends_with(".xml") && !is_aside(path) && (path.contains("/resources/") || path.contains("src/main/java/"))
}

/// Whether the text of a file is kept after reading.
fn is_kept(path: &str, text: &str) -> bool {
    wanted(path) || text.contains("<mapper")
}

/// Whether a file is read by its name.
pub fn is_read(path: &str) -> bool {
    wanted(path)
}

fn wanted(path: &str) -> bool {
    if is_aside(path) {
        return false;
    }
    let name = file_name(path).to_ascii_lowercase();
    let is = |ending: &str| name.ends_with(ending);
    if is_changelog(path) {
        return true;
    }
    if is(".xml") {
        return XML_NAMES.iter().any(|part| name.contains(part));
    }
    if is(".yml") || is(".yaml") {
        return ["application", "bootstrap", "inflector"].iter().any(|start| name.starts_with(start));
    }
    is(".properties")
        || is(".sql")
        || is(".gradle")
        || is(".gradle.kts")
        || path.starts_with("META-INF/services/")
        || path.contains("/META-INF/services/")
}
