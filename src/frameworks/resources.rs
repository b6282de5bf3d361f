//! The text files beside the Java sources that frameworks read: configuration, build files, XML, SQL, service lists.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::revision::SourceTree;
use crate::types::Hash;

/// Text files of a revision, by path.
#[derive(Debug, Clone, Default)]
pub struct Resources {
    files: BTreeMap<String, Arc<str>>,
}

/// Larger files are not read: they are data.
const LIMIT: u64 = 2 << 20;

/// Begins the statement that stands for a script which was not read: it may do anything to any table.
pub const UNREAD: &str = "mastor_unread";

impl Resources {
    /// Reads what a revision holds. Tests' resources and what the build writes are left out.
    pub fn load(tree: &SourceTree) -> Self {
        let mut files = BTreeMap::new();
        for entry in tree.files().filter(|entry| wanted(&entry.path) || may_map(&entry.path)) {
            match tree.text_within(&entry.path, LIMIT) {
                Ok(text) if !is_kept(&entry.path, &text.text) => {}
                Ok(text) => _ = files.insert(entry.path.clone(), Arc::from(text.text)),
                // It may fill any table.
                Err(_) if entry.path.ends_with(".sql") => {
                    _ = files.insert(entry.path.clone(), Arc::from(format!("{UNREAD} {};", entry.blob)));
                }
                Err(_) => {}
            }
        }
        Self { files }
    }

    /// Made from paths and texts, for tests.
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

    /// Files whose path ends so, at a path separator.
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

/// The folder of a path; empty at the top.
pub fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Whether a path lies in tests or in what a build writes.
pub fn is_aside(path: &str) -> bool {
    let mut before = "";
    folder(path).split('/').any(|part| {
        let in_src = std::mem::replace(&mut before, part) == "src";
        matches!(part, "target" | "node_modules" | ".git" | ".mastor" | "out" | "bin")
            || (in_src && matches!(part, "test" | "it" | "integrationTest"))
    })
}

/// Whether a file may be a changelog, or hold what one loads.
pub fn is_changelog(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let kind = [".xml", ".yaml", ".yml", ".json", ".csv"].iter().any(|ending| lower.ends_with(ending));
    kind && lower.contains("/resources/") && (lower.contains("liquibase") || lower.contains("changelog"))
}

/// Parts of the names of XML files that configure something; other XML is data.
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

/// Whether a file may be a mapper of MyBatis: settings can name any XML file on the class path.
fn may_map(path: &str) -> bool {
    path.ends_with(".xml") && !is_aside(path) && (path.contains("/resources/") || path.contains("src/main/java/"))
}

/// Whether a file that was read is kept.
fn is_kept(path: &str, text: &str) -> bool {
    wanted(path) || text.contains("<mapper")
}

/// Whether a file is read for what it says.
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
