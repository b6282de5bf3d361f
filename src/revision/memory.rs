//! A source tree made of texts in memory, for tests and fixtures.

use std::sync::Arc;

use super::git;
use super::tree::{FileEntry, Listing, Overlay, SourceTree};

impl SourceTree {
    /// A tree of these files (path from the root, bytes); for a repeated path the last one counts.
    pub fn from_memory(files: impl IntoIterator<Item = (impl Into<String>, impl Into<Vec<u8>>)>) -> Self {
        let mut listing = Listing::default();
        for (path, bytes) in files {
            let (path, bytes) = (path.into(), bytes.into());
            let blob = git::blob_id(&bytes);
            listing.files.retain(|entry| entry.path != path);
            listing.files.push(FileEntry { path, blob });
            listing.overlay.insert(blob, Overlay::Bytes(Arc::from(bytes)));
        }
        Self::new("memory", listing, None)
    }

    /// This tree with additional files (path from the root, text), for generated sources; an existing path is replaced.
    #[must_use]
    pub fn with(&self, files: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut made = Listing::default();
        for (path, text) in files {
            let blob = git::blob_id(text.as_bytes());
            made.files.push(FileEntry { path, blob });
            made.overlay.insert(blob, Overlay::Bytes(Arc::from(text.into_bytes())));
        }
        self.over(made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RevisionError, TEXT_LIMIT};

    fn tree() -> SourceTree {
        SourceTree::from_memory([
            ("b/X.java", "class X {}"),
            ("a.txt", "a"),
            ("b.txt", "b"),
            ("b/c/Y.java", "class Y {}"),
        ])
    }

    fn paths(tree: &SourceTree) -> Vec<&str> {
        tree.files().map(|file| file.path.as_str()).collect()
    }

    #[test]
    fn files_are_sorted_and_read_back() {
        let tree = tree();
        assert_eq!(paths(&tree), ["a.txt", "b.txt", "b/X.java", "b/c/Y.java"]);
        assert_eq!(&*tree.read("a.txt").unwrap(), b"a");
        assert_eq!(tree.text("b/X.java").unwrap().text, "class X {}");
        assert!(matches!(tree.read("none"), Err(RevisionError::NoSuchFile { .. })));
    }

    #[test]
    fn blob_ids_are_those_of_git() {
        // `printf a | git hash-object --stdin`
        assert_eq!(tree().get("a.txt").unwrap().blob.to_string(), "2e65efe2a145dda7ee51d1741299f848e5bf752e");
    }

    #[test]
    fn a_subtree_holds_what_is_below_it_under_the_same_paths() {
        let part = tree().subtree("b/");
        assert_eq!(paths(&part), ["b/X.java", "b/c/Y.java"]);
        assert!(part.get("a.txt").is_none());
        assert_eq!(paths(&part.subtree("b/c")), ["b/c/Y.java"]);
        assert_eq!(paths(&part.subtree("")), paths(&part));
        assert_eq!(paths(&part.subtree("nothing")), [] as [&str; 0]);
    }

    #[test]
    fn what_is_met_while_reading_is_named_once_and_by_folder() {
        let big = vec![b' '; TEXT_LIMIT as usize + 1];
        let tree = SourceTree::from_memory([("a/L.java", b"// \xe9".to_vec()), ("b/Big.java", big)]);
        assert!(tree.warnings().is_empty());
        assert!(tree.text("a/L.java").unwrap().lossy);
        assert!(tree.text("a/L.java").unwrap().lossy);
        assert!(matches!(tree.text("b/Big.java"), Err(RevisionError::FileTooLarge { .. })));
        assert!(tree.read("b/Big.java").is_ok());
        let codes = |tree: &SourceTree| tree.warnings().into_iter().map(|warning| warning.code).collect::<Vec<_>>();
        assert_eq!(codes(&tree), ["file-too-large", "not-utf8"]);
        assert_eq!(codes(&tree.subtree("a")), ["not-utf8"]);
    }
}
