//! Shards: `plan --format matrix`, `ci --shard` and `merge`, which writes the same bytes as a single run or reports the reason.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::generate::with_suite;
use crate::support::{Ran, Repo};

const ADVICE: &str = "src/main/java/com/example/orders/shipping/ShippingController.java";
const PRODUCTS: &str = "src/main/java/com/example/orders/product/ProductController.java";
const STATUS: &str = "src/main/java/com/example/orders/order/OrderStatus.java";

/// A branch with changes in several operations, some with the same cause.
fn changed() -> Repo {
    with_suite()
        .branch("feature")
        .edit(ADVICE, "return ResponseEntity.notFound().build();", "return ResponseEntity.noContent().build();")
        .edit(PRODUCTS, "MIN_SKU_LENGTH = 4", "MIN_SKU_LENGTH = 5")
        .edit(STATUS, "PAID", "SETTLED")
        .commit("Answer otherwise")
}

/// All files that a run wrote, by path.
fn written(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fn walk(root: &Path, folder: &Path, out: &mut BTreeMap<String, Vec<u8>>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(root, &path, out);
            } else {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
                out.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    let mut out = BTreeMap::new();
    walk(folder, folder, &mut out);
    out
}

/// Runs a shard as on a separate machine; returns the folder of its downloaded artifact.
fn shard(repo: &Repo, shard: &str) -> PathBuf {
    let out = repo.path().join(".mastor/out");
    let _ = std::fs::remove_dir_all(&out);
    let ran = repo.run(["ci", "--since", "main", "--shard", shard]).ends(0);
    assert!(ran.out.contains("nothing is judged yet"), "{}", ran.out);
    let part =
        repo.path().with_file_name("home").join("parts").join(format!("mastor-{}", shard.replace(['/', '@'], "-")));
    std::fs::create_dir_all(part.parent().unwrap()).unwrap();
    std::fs::rename(&out, &part).unwrap();
    part
}

fn merge(repo: &Repo, folders: &[&Path]) -> Ran {
    let folders: Vec<String> = folders.iter().map(|folder| folder.to_string_lossy().into_owned()).collect();
    repo.run(std::iter::once("merge").chain(folders.iter().map(String::as_str)))
}

/// The text without seconds.
fn timeless(text: &str) -> String {
    text.lines()
        .map(|line| line.rsplit_once(" · ").filter(|(_, s)| s.ends_with(" s")).map_or(line, |(l, _)| l))
        .collect()
}

#[test]
fn eight_shards_merge_to_the_bytes_of_one_run() {
    let repo = changed();
    let one = repo.run(["ci", "--since", "main"]).ends(1);
    let out = repo.path().join(".mastor/out");
    let expected = written(&out);
    assert!(expected.contains_key("report.json") && expected.contains_key("proposed.json"), "{:?}", expected.keys());
    assert!(expected.keys().any(|path| path.starts_with("export/junit/")), "{:?}", expected.keys());
    let report: Value = serde_json::from_slice(&expected["report.json"]).unwrap();
    assert!(report["plan"]["counts"]["affected"].as_u64().unwrap() >= 3, "{}", report["plan"]["counts"]);
    for number in 1..=8 {
        shard(&repo, &format!("{number}/8"));
    }
    let parts = repo.path().with_file_name("home").join("parts");
    let merged = merge(&repo, &[&parts]).ends(1);
    assert_eq!(timeless(&merged.out), timeless(&one.out));
    let found = written(&out);
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (path, bytes) in &expected {
        assert!(found[path] == *bytes, "{path} differs");
    }
}

#[test]
fn a_matrix_is_balanced_by_what_operations_have_cost() {
    let repo = changed();
    repo.run(["ci", "--since", "main"]).ends(1);
    let matrix = repo.run(["plan", "--since", "main", "--format", "matrix", "--shards", "3"]).ends(0);
    assert_eq!(matrix.out.trim().lines().count(), 1, "{}", matrix.out);
    let matrix: Value = matrix.json();
    let shards = matrix["include"].as_array().unwrap();
    assert!((1..=3).contains(&shards.len()), "{matrix}");
    let affected: u64 = shards.iter().map(|shard| shard["operations"].as_u64().unwrap()).sum();
    let plan = repo.json(["plan", "--since", "main", "--format", "json"]);
    let inherited = plan["counts"]["inherited"].as_u64().unwrap();
    assert_eq!(affected, plan["operations"].as_array().unwrap().len() as u64 - inherited);
    // `ci` accepts the shards of the matrix.
    let first = shards[0]["shard"].as_str().unwrap().to_owned();
    let part = shard(&repo, &first);
    let part: Value = serde_json::from_slice(&std::fs::read(part.join("shard.json")).unwrap()).unwrap();
    let done = part["services"][0]["found"]["generated"]["operations"].as_array().unwrap().len();
    assert!(done <= usize::try_from(shards[0]["operations"].as_u64().unwrap()).unwrap());
    // Without work there is still one shard, because a workflow rejects an empty matrix.
    let nothing = repo.run(["plan", "--since", "HEAD", "--format", "matrix"]).ends(0).json();
    assert_eq!(nothing["include"][0]["shard"], "1/1");
}

#[test]
fn a_missing_double_or_foreign_shard_fails_by_name() {
    let repo = changed();
    let (first, second) = (shard(&repo, "1/2"), shard(&repo, "2/2"));
    let fails = |folders: &[&Path], says: &[&str]| {
        merge(&repo, folders).ends(2).says(says);
        assert!(!repo.path().join(".mastor/out/report.json").exists(), "a failed merge left a report");
    };
    fails(&[&first], &["shard 2/2 is missing"]);
    fails(&[&first, &second, &second], &["shard 2/2 is there twice", "mastor-2-2"]);
    fails(&[&first, &shard(&repo, "2/3")], &["is foreign", "shard 2/3 of another cut than 1/2"]);
    fails(&[repo.path()], &["no part of a run is in"]);
    let damaged = first.with_file_name("damaged");
    std::fs::create_dir(&damaged).unwrap();
    let text = std::fs::read_to_string(second.join("shard.json")).unwrap();
    let write = |text: &str| std::fs::write(damaged.join("shard.json"), text).unwrap();
    write(&text[..text.len() / 2]);
    fails(&[&first, &damaged], &["damaged", "is no part of a run"]);
    write(&text.replacen("\"mastor\":\"", "\"mastor\":\"9", 1));
    fails(&[&first, &damaged], &["damaged", "it was written by version \"9", "and this is"]);
    write(&text.replacen("\"name\":\"", "\"name\":\"other ", 1));
    fails(&[&first, &damaged], &["damaged", "is foreign: shard 2/2 is of another run"]);
    repo.run(["ci", "--since", "main", "--shard", "2/3@1-2-900"])
        .ends(2)
        .says(&["cut for 900 operations, and here are"]);
    repo.run(["ci", "--since", "main", "--shard", "3/2"]).ends(2).says(&["is no shard"]);

    let repo = repo.edit(ADVICE, "noContent()", "accepted()").commit("Go on");
    merge(&repo, &[&first, &second]).ends(2).says(&["foreign", "check out the commit that the shards ran on"]);
}
