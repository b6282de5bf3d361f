//! Route fixtures: exactly the expected operations and entries are found.

use std::collections::BTreeSet;
use std::path::Path;

use mastor::extract::api::matching::{Sides, matches};
use mastor::frameworks::{Build, EntryPattern, FRAMEWORKS, Inputs, Properties, Resources, brought, endpoints};
use mastor::java::build::layout::Scope;
use mastor::java::project::index::Project;
use mastor::openapi::{discover, read};
use mastor::revision::SourceTree;
use mastor::types::results::report::MatchStatus;

use crate::loaded::files;

/// The entry patterns (`[api] entry`) of a fixture's `mastor.toml`.
fn patterns(tree: &SourceTree) -> Vec<EntryPattern> {
    #[derive(serde::Deserialize, Default)]
    struct Api {
        #[serde(default)]
        entry: Vec<EntryPattern>,
    }
    #[derive(serde::Deserialize, Default)]
    struct File {
        #[serde(default)]
        api: Api,
    }
    let Ok(text) = tree.text("mastor.toml") else { return Vec::new() };
    toml::from_str::<File>(&text.text).unwrap().api.entry
}

/// `op_id` and entry of every operation in a tree.
fn operations(tree: &SourceTree) -> BTreeSet<(String, String)> {
    let document = discover(tree, "").first().map(|found| read(tree, &found.path).unwrap());
    let project = Project::load(tree, None, &Scope::default()).with_brought(brought(FRAMEWORKS));
    let resources = Resources::load(tree);
    let (properties, build, patterns) = (Properties::load(&resources), Build::load(&resources), patterns(tree));
    let inputs = Inputs {
        project: &project,
        tree,
        resources: &resources,
        properties: &properties,
        build: &build,
        document: document.as_ref(),
        patterns: &patterns,
    };
    let (found, warnings) = endpoints(&inputs, FRAMEWORKS);
    assert!(warnings.is_empty(), "{warnings:?}");
    let sides = Sides {
        document: document.as_ref(),
        endpoints: &found,
        project: &project,
        build: &build,
        properties: &properties,
    };
    let all = matches(&sides);
    all.iter()
        .map(|one| {
            assert_ne!(one.status, MatchStatus::Unmatched, "{}: {:?}", one.op_id, one.reason);
            let entry = one.endpoints.first().map(|at| found[*at].entry);
            let entry = entry.map_or_else(
                || "-".to_owned(),
                |entry| format!("{}#{}", project.fqn(entry.ty), project.member(entry).name),
            );
            (one.op_id.to_string(), entry)
        })
        .collect()
}

#[test]
fn every_fixture_has_the_operations_and_entries_that_it_expects() {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut seen = 0;
    let mut wrong = String::new();
    for entry in std::fs::read_dir(&all).unwrap() {
        let dir = entry.unwrap().path();
        let Ok(expected) = std::fs::read_to_string(dir.join("expected.json")) else { continue };
        let expected: Vec<serde_json::Value> = serde_json::from_str(&expected).unwrap();
        if expected.iter().any(|one| one.get("op_id").is_none() || one.get("entry").is_none()) {
            continue;
        }
        seen += 1;
        let expected: BTreeSet<(String, String)> = expected
            .iter()
            .map(|one| (one["op_id"].as_str().unwrap().to_owned(), one["entry"].as_str().unwrap_or("-").to_owned()))
            .collect();
        let found = operations(&SourceTree::from_memory(files(&dir)));
        let name = dir.file_name().unwrap().to_string_lossy().into_owned();
        for missing in expected.difference(&found) {
            wrong += &format!("{name}: missing {missing:?}\n");
        }
        for extra in found.difference(&expected) {
            wrong += &format!("{name}: not expected {extra:?}\n");
        }
    }
    assert!(seen >= 9, "only {seen} fixtures were found");
    assert!(wrong.is_empty(), "\n{wrong}");
}
