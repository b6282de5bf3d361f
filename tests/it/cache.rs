//! The cache of a repository: damaged records are detected, reported and not used; `mastor cache` shows its content.

use std::path::{Path, PathBuf};

use crate::support::Repo;

/// Every record below a folder of the cache, sorted.
fn records(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap().map(Result::unwrap) {
        match entry.file_type().unwrap().is_dir() {
            true => found.extend(records(&entry.path())),
            false if entry.file_name() != ".gitignore" => found.push(entry.path()),
            false => {}
        }
    }
    found.sort();
    found
}

#[test]
fn a_poisoned_truncated_or_foreign_entry_is_named_and_changes_nothing() {
    let repo = Repo::example();
    let plan = ["plan", "--since", "main", "--format", "json"];
    let before = repo.json(plan);
    let cache = repo.path().join(".mastor/cache");
    let all = records(&cache);
    assert!(all.len() > 3, "{all:?}");
    let whole: Vec<Vec<u8>> = all.iter().map(|path| std::fs::read(path).unwrap()).collect();
    for way in 0..4 {
        for (at, path) in all.iter().enumerate() {
            let mut bytes = whole[at].clone();
            let last = bytes.len() - 1;
            match way {
                0 => bytes[last] ^= 1,
                1 => bytes.truncate(last / 2),
                2 => bytes.clone_from(&whole[(at + 1) % whole.len()]),
                _ => bytes.clear(),
            }
            std::fs::write(path, bytes).unwrap();
        }
        let ran = repo.run(plan).ends(0);
        assert_eq!(ran.json(), before, "way {way}");
        assert!(ran.err.contains("cache entries that are damaged were not used: "), "way {way}: {}", ran.err);
        // `cache stats` verifies all records, also those that the run did not read.
        repo.run(["cache", "stats"]).ends(0);
        let again = repo.run(plan).ends(0);
        assert!(!again.err.contains("damaged") && again.json() == before, "{}", again.err);
    }
}

#[test]
fn the_cache_tells_what_it_holds_and_is_made_smaller() {
    let repo = Repo::example();
    repo.run(["plan", "--since", "main"]).ends(0);
    let stats = repo.json(["cache", "stats", "--format", "json"]);
    let all = records(&repo.path().join(".mastor/cache"));
    assert_eq!(stats["records"].as_u64(), Some(all.len() as u64));
    assert_eq!(stats["damaged"], serde_json::json!([]));
    std::fs::write(&all[0], "forged").unwrap();
    let name = all[0].file_name().unwrap().to_string_lossy().into_owned();
    repo.run(["cache", "stats"]).ends(0).says(&["removed, since it is damaged", &name, "all "]);
    repo.run(["cache", "prune", "--days", "1"]).ends(0).says(&["removed 0 records"]);
    repo.run(["cache", "prune", "--megabytes", "0"]).ends(0).says(&["left 0 records"]);
    repo.run(["plan", "--since", "main"]).ends(0);
    repo.run(["cache", "prune"]).ends(0).says(&["left 0 records"]);
    assert_eq!(repo.git(["status", "--porcelain"]), "");
}
