//! Turns paths of repository files in a text into terminal hyperlinks (OSC 8) that look unchanged.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use mastor_types::suite::request::percent_path;

/// Matches a terminal style (which is kept), or a path with a folder or a line number: `src/A.java`, `src/A.java:12`,
/// `A.java:12`.
static PATH: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let path = r"(?P<path>(?:[\w.@+-]+/)*[\w.@+-]*\.[A-Za-z]\w*)(?::(?P<line>\d+))?";
    Regex::new(&format!(r"\x1b\[[0-9;]*m|{path}")).ok()
});

/// The text with links for paths of files that exist below `root`.
pub fn linked(text: &str, root: &Path) -> String {
    let Some(pattern) = PATH.as_ref() else { return text.to_owned() };
    let mut known: BTreeMap<String, bool> = BTreeMap::new();
    let link = |found: &Captures<'_>| {
        let all = &found[0];
        let Some(path) = found.name("path").map(|path| path.as_str()) else { return all.to_owned() };
        let line = found.name("line").map(|line| line.as_str());
        let is_path = path.contains('/') || line.is_some();
        let is_outside = path.starts_with('/') || path.split('/').any(|part| part == "..");
        let mut is_file = || *known.entry(path.to_owned()).or_insert_with(|| root.join(path).is_file());
        if !is_path || is_outside || !is_file() {
            return all.to_owned();
        }
        let place = percent_path(&root.join(path).to_string_lossy().replace('\\', "/"));
        let fragment = line.map(|line| format!("#L{line}")).unwrap_or_default();
        let slash = if place.starts_with('/') { "" } else { "/" };
        format!("\u{1b}]8;;file://{slash}{place}{fragment}\u{1b}\\{all}\u{1b}]8;;\u{1b}\\")
    };
    pattern.replace_all(text, link).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_the_repository_are_links_and_the_text_reads_the_same() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        let text =
            "because src/lib.rs#main changed, src/lib.rs:3 and src/none.rs:4, GET /a.b/c, ../x/lib.rs:1, Cargo.toml\n";
        let out = linked(text, root);
        assert_eq!(out.matches("\u{1b}]8;;file://").count(), 2, "{out:?}");
        assert!(out.contains("src/lib.rs#L3\u{1b}\\src/lib.rs:3\u{1b}]8;;\u{1b}\\ and src/none.rs:4"), "{out:?}");
        assert_eq!(anstream::adapter::strip_str(&out).to_string(), text);
        let styled = linked("\u{1b}[33msrc/lib.rs#main\u{1b}[0m", root);
        assert!(
            styled.starts_with("\u{1b}[33m\u{1b}]8;;file://")
                && styled.ends_with("src/lib.rs\u{1b}]8;;\u{1b}\\#main\u{1b}[0m")
        );
    }
}
