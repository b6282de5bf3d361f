//! Decides by their names which files of a repository can influence how an operation behaves.

use mastor_revision::{self as revision, SourceTree};
use mastor_types::Hash;

/// Endings of files that influence nothing: front ends, documents for people, pictures.
const ASIDE: [&str; 24] = [
    ".md",
    ".adoc",
    ".rst",
    ".png",
    ".jpg",
    ".jpeg",
    ".gif",
    ".svg",
    ".ico",
    ".css",
    ".scss",
    ".less",
    ".js",
    ".jsx",
    ".ts",
    ".tsx",
    ".map",
    ".woff",
    ".woff2",
    ".ttf",
    ".eot",
    ".lock",
    ".gitignore",
    ".gitattributes",
];

/// Folders whose files code can name, whatever their ending.
const NAMED: [&str; 3] = ["resources/", "webapp/", "conf/"];

/// Whether the ending of a file says that nothing reads it.
fn is_aside(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    ASIDE.iter().any(|ending| lower.ends_with(ending))
}

/// Whether an analysis may read a file of this name.
fn reads(path: &str) -> bool {
    !is_aside(path) || path.ends_with(".gitattributes") || NAMED.iter().any(|folder| path.contains(folder))
}

/// Identifies everything that an analysis may read of a revision: [`is_same`] holds for two revisions with the same
/// hash.
pub fn identity(tree: &SourceTree) -> Hash {
    let files = tree.files().filter(|file| reads(&file.path));
    Hash::of_parts(files.flat_map(|file| [file.path.as_bytes(), file.blob.as_bytes().as_slice()]))
}

/// Whether two revisions are the same for any analysis: they differ at most in files that no analysis reads.
pub fn is_same(before: &SourceTree, after: &SourceTree) -> bool {
    revision::changes(before, after).iter().all(|c| !reads(&c.path) && !c.old_path.as_deref().is_some_and(reads))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nothing_reads_leaves_a_revision_the_same() {
        let tree = |files: &[(&'static str, &'static str)]| SourceTree::from_memory(files.iter().copied());
        let before = tree(&[("A.java", "class A {}"), ("README.md", "one")]);
        assert!(is_same(&before, &tree(&[("A.java", "class A {}"), ("README.md", "two"), ("logo.png", "")])));
        assert!(!is_same(&before, &tree(&[("A.java", "class A { }"), ("README.md", "one")])));
        assert_eq!(identity(&before), identity(&tree(&[("A.java", "class A {}"), ("README.md", "two")])));
        assert_ne!(identity(&before), identity(&tree(&[("B.java", "class A {}"), ("README.md", "one")])));
        let text = ("src/main/resources/help.md", "");
        assert!(!is_same(&before, &tree(&[("A.java", "class A {}"), ("README.md", "one"), text])));
    }
}
