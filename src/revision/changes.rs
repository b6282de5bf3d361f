//! The files that differ between two source trees, with renames detected.

use std::collections::{BTreeMap, HashMap};

use super::id::BlobId;
use super::tree::{FileEntry, SourceTree};

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeKind {
    /// Only the head has it.
    Added,
    /// Only the base has it.
    Deleted,
    /// Both have it, with other bytes.
    Modified,
    /// The head has it under another path; its bytes may differ too.
    Renamed,
}

/// A file that differs between base and head.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileChange {
    /// Its path in the head; of a deleted file, in the base.
    pub path: String,
    /// Its path in the base, where it was renamed.
    pub old_path: Option<String>,
    /// What happened to it.
    pub kind: ChangeKind,
}

/// Minimum share of equal lines, in percent, for a removed and an added file to count as a rename (git's default).
const SIMILAR_PERCENT: usize = 50;

/// Maximum number of removed × added files to compare by content; beyond it, only files with the same name are
/// compared.
const PAIRS: usize = 40_000;

/// The files that differ between `base` and `head`, sorted by path.
pub fn changes(base: &SourceTree, head: &SourceTree) -> Vec<FileChange> {
    let mut found = Vec::new();
    let (mut gone, mut new) = (Vec::new(), Vec::new());
    for entry in base.files() {
        match head.get(&entry.path) {
            None => gone.push(entry),
            Some(other) if other.blob != entry.blob => {
                found.push(FileChange { path: entry.path.clone(), old_path: None, kind: ChangeKind::Modified });
            }
            Some(_) => {}
        }
    }
    new.extend(head.files().filter(|entry| base.get(&entry.path).is_none()));
    for (old, now) in renames(base, head, &mut gone, &mut new) {
        found.push(FileChange { path: now, old_path: Some(old), kind: ChangeKind::Renamed });
    }
    let alone = |kind| move |entry: &FileEntry| FileChange { path: entry.path.clone(), old_path: None, kind };
    found.extend(gone.into_iter().map(alone(ChangeKind::Deleted)));
    found.extend(new.into_iter().map(alone(ChangeKind::Added)));
    found.sort_unstable();
    found
}

/// Moves renamed files from `gone` and `new` into pairs of old and new path: first those with equal bytes, then those
/// with similar lines.
fn renames(
    base: &SourceTree,
    head: &SourceTree,
    gone: &mut Vec<&FileEntry>,
    new: &mut Vec<&FileEntry>,
) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let mut by_blob: BTreeMap<BlobId, Vec<&FileEntry>> = BTreeMap::new();
    for entry in gone.iter() {
        by_blob.entry(entry.blob).or_default().push(entry);
    }
    for entry in new.iter() {
        let Some(same) = by_blob.get_mut(&entry.blob) else { continue };
        let best = same.iter().position(|old| name(old) == name(entry)).or((!same.is_empty()).then_some(0));
        if let Some(at) = best {
            pairs.push((same.remove(at).path.clone(), entry.path.clone()));
        }
    }
    take(&pairs, gone, new);
    let similar = similar(base, head, gone, new);
    take(&similar, gone, new);
    pairs.extend(similar);
    pairs
}

fn take(pairs: &[(String, String)], gone: &mut Vec<&FileEntry>, new: &mut Vec<&FileEntry>) {
    gone.retain(|entry| !pairs.iter().any(|(old, _)| *old == entry.path));
    new.retain(|entry| !pairs.iter().any(|(_, now)| *now == entry.path));
}

fn similar(base: &SourceTree, head: &SourceTree, gone: &[&FileEntry], new: &[&FileEntry]) -> Vec<(String, String)> {
    let all = gone.len() * new.len() <= PAIRS;
    let mut by_ending: BTreeMap<&str, Vec<&FileEntry>> = BTreeMap::new();
    let key = |entry: &FileEntry| -> usize { entry.path.rfind(if all { '.' } else { '/' }).map_or(0, |at| at + 1) };
    for old in gone {
        by_ending.entry(&old.path[key(old)..]).or_default().push(old);
    }
    let mut old_lines: HashMap<&str, Option<Lines>> = HashMap::new();
    let mut scored = Vec::new();
    for now in new {
        let Some(candidates) = by_ending.get(&now.path[key(now)..]) else { continue };
        let Some(lines) = Lines::of(head, now) else { continue };
        for old in candidates {
            let other = old_lines.entry(&old.path).or_insert_with(|| Lines::of(base, old));
            let Some(percent) = other.as_ref().map(|other| lines.percent_shared(other)) else { continue };
            if percent >= SIMILAR_PERCENT {
                scored.push((std::cmp::Reverse((percent, name(old) == name(now))), &old.path, &now.path));
            }
        }
    }
    scored.sort_unstable();
    let mut pairs: Vec<(String, String)> = Vec::new();
    for (_, old, now) in scored {
        if !pairs.iter().any(|(o, n)| o == old || n == now) {
            pairs.push((old.clone(), now.clone()));
        }
    }
    pairs
}

fn name(entry: &FileEntry) -> &str {
    entry.path.rsplit('/').next().unwrap_or_default()
}

/// The lines of a file as a multiset.
struct Lines {
    counts: HashMap<Vec<u8>, usize>,
    bytes: usize,
}

impl Lines {
    fn of(tree: &SourceTree, entry: &FileEntry) -> Option<Self> {
        let bytes = tree.read(&entry.path).ok().filter(|bytes| !bytes.is_empty())?;
        let mut counts = HashMap::new();
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            *counts.entry(line.to_vec()).or_insert(0) += 1;
        }
        Some(Self { counts, bytes: bytes.len() })
    }

    /// Bytes in lines that both files have, as a percentage of the larger file.
    fn percent_shared(&self, other: &Self) -> usize {
        let longer = self.bytes.max(other.bytes);
        if self.bytes.min(other.bytes) * 100 < longer * SIMILAR_PERCENT {
            return 0;
        }
        let shared = |(line, count): (&Vec<u8>, &usize)| line.len() * count.min(other.counts.get(line).unwrap_or(&0));
        self.counts.iter().map(shared).sum::<usize>() * 100 / longer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(base: &[(&str, &str)], head: &[(&str, &str)]) -> Vec<String> {
        let [base, head] = [base, head].map(|files| SourceTree::from_memory(files.iter().copied()));
        let line = |change: FileChange| {
            let old = change.old_path.map(|old| format!("{old} -> ")).unwrap_or_default();
            format!("{:?} {old}{}", change.kind, change.path)
        };
        changes(&base, &head).into_iter().map(line).collect()
    }

    #[test]
    fn equal_trees_have_no_changes() {
        assert!(seen(&[("a", "1")], &[("a", "1")]).is_empty());
    }

    #[test]
    fn added_deleted_and_modified_are_sorted_by_path() {
        let found = seen(&[("b", "one\n"), ("c.x", "two\n")], &[("a.y", "three\n"), ("b", "four\n")]);
        assert_eq!(found, ["Added a.y", "Modified b", "Deleted c.x"]);
    }

    #[test]
    fn a_moved_file_is_renamed_to_the_one_of_its_name() {
        let found = seen(&[("a/X.java", "same"), ("a/Y.java", "same")], &[("b/Y.java", "same"), ("b/X.java", "same")]);
        assert_eq!(found, ["Renamed a/X.java -> b/X.java", "Renamed a/Y.java -> b/Y.java"]);
    }

    #[test]
    fn a_file_that_is_moved_and_changed_a_little_is_renamed() {
        let old = "package a;\nclass Order {\n  int total() { return 1; }\n  int count() { return 2; }\n}\n";
        let now = old.replace("package a;", "package b;");
        assert_eq!(seen(&[("a/O.java", old)], &[("b/P.java", &now)]), ["Renamed a/O.java -> b/P.java"]);
        assert_eq!(seen(&[("a/O.java", old)], &[("b/P.txt", &now)]), ["Deleted a/O.java", "Added b/P.txt"]);
    }

    #[test]
    fn a_file_of_other_content_is_not_renamed() {
        assert_eq!(seen(&[("a.java", "x\ny\n")], &[("b.java", "v\nw\n")]), ["Deleted a.java", "Added b.java"]);
    }
}
