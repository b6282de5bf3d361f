//! `generate`, `accept`, `export` and `explain`: the committed suite and the commands that rewrite it.

use std::collections::BTreeMap;

use crate::support::Repo;

const ZONES: &str = "src/main/java/com/example/orders/shipping/ShippingController.java";

/// The example with its suite committed on `main`.
pub fn with_suite() -> Repo {
    let repo = Repo::example();
    repo.run(["generate", "--all"]).ends(0);
    repo.commit("The suite")
}

/// Every committed file of the suite.
fn suite(repo: &Repo) -> BTreeMap<String, Vec<u8>> {
    let listed = repo.git(["ls-files", "-co", "--exclude-standard", ".mastor"]);
    listed.lines().map(|path| (path.to_owned(), std::fs::read(repo.path().join(path)).unwrap())).collect()
}

#[test]
fn twice_the_same_bytes_and_the_second_time_nothing() {
    let repo = Repo::example();
    repo.run(["generate", "--all"]).ends(0).says(&["15 operations"]);
    let first = suite(&repo);
    assert!(first.len() >= 30, "{:?}", first.keys());
    repo.run(["generate", "--all", "-v"]).ends(0).says(&["0 files written"]);
    assert!(first == suite(&repo));
    let other = Repo::example();
    other.run(["generate", "--all"]).ends(0);
    assert!(first == suite(&other));
    repo.run(["generate"]).ends(0).says(&["nothing is stale"]);
}

#[test]
fn only_what_changed_is_written() {
    let repo = with_suite().edit(ZONES, "country.length() != 2", "country.length() != 2 || country.equals(\"XX\")");
    repo.run(["generate"]).ends(0);
    let changed = repo.git(["status", "--porcelain"]);
    let suites: Vec<&str> = changed.lines().filter(|line| line.contains(".mastor/")).collect();
    assert!(!suites.is_empty() && suites.iter().all(|line| line.contains("get-shipping-zones-country")), "{changed}");
}

#[test]
fn the_run_before_a_change_says_what_it_would_write() {
    let repo = Repo::example();
    repo.run(["generate", "--all", "--dry-run"]).ends(0).says(&["nothing was written"]);
    assert_eq!(repo.git(["status", "--porcelain"]), "");
}

#[test]
fn one_operation_by_name() {
    let repo = Repo::example();
    repo.run(["generate", "GET /quotes"]).ends(0);
    let written = suite(&repo);
    assert!(written.keys().filter(|path| path.ends_with(".json")).all(|path| path.contains("get-quotes")));
    repo.run(["generate", "GET /quoets"]).ends(2).says(&["did you mean `GET /quotes`?"]);
}

#[test]
fn the_suite_of_another_analysis_version_is_left_alone() {
    let repo = with_suite();
    let locks: Vec<String> = suite(&repo).into_keys().filter(|path| path.ends_with(".lock")).collect();
    assert_eq!(locks.len(), 15);
    let mut repo = repo;
    for lock in &locks {
        let text = repo.read(lock);
        let first = text.lines().find(|line| line.starts_with("analysis")).unwrap().to_owned();
        repo = repo.edit(lock, &first, "analysis 999999");
    }
    let repo = repo.commit("Locks of another binary");
    repo.run(["generate"]).ends(0).says(&["nothing is stale"]);
    assert_eq!(repo.git(["status", "--porcelain"]), "");
}

#[test]
fn exports_are_written_where_asked() {
    let repo = with_suite();
    repo.run(["export", "junit", "postman", "readable", "--dir", "out"]).ends(0);
    assert!(repo.read("out/junit/pom.xml").contains("rest-assured"));
    let collection: serde_json::Value = serde_json::from_str(&repo.read("out/postman/collection.json")).unwrap();
    assert!(collection["info"]["schema"].as_str().unwrap().contains("v2.1.0"));
    assert!(repo.read("out/readable/index.md").contains("GET /quotes"));
    repo.run(["export", "html", "--dir", "out"]).ends(0).says(&["out/html/index.html in a browser"]);
    let page = repo.read("out/html/index.html");
    assert!(page.contains("Content-Security-Policy") && page.contains("src/main/java/com/example/orders/quote/"));
    repo.run(["export", "pdf"]).ends(2).says(&["junit", "html"]);
    Repo::example().run(["export", "junit"]).ends(3).says(&["generate --all"]);
}

#[test]
fn an_oracle_is_explained_by_its_source() {
    let repo = with_suite();
    let path = suite(&repo).into_keys().find(|path| path.contains("suite/get-quotes")).unwrap();
    let file: serde_json::Value = serde_json::from_str(&repo.read(&path)).unwrap();
    let id = file["oracles"][0]["o_id"].as_str().unwrap().to_owned();
    repo.run(["explain", &id]).ends(0).says(&["GET /quotes", "src/main/java/com/example/orders/"]);
    repo.run(["explain", "ffffffffffff"]).ends(2).says(&["no oracle or sequence has the id"]);
}

#[test]
fn an_answer_that_has_no_content_is_expected_to_be_empty_also_where_code_is_not_followed() {
    let resource = "package com.acme.library;\nimport jakarta.ws.rs.*;\nimport jakarta.ws.rs.core.Response;\n@Path(\"/shelves\")\n\
                    public class ShelfResource {\n    private final org.vendor.Shelves shelves = org.vendor.Shelves.open();\n    \
                    @DELETE @Path(\"/{name}\") public Response remove(@PathParam(\"name\") String name) {\n        \
                    shelves.remove(name);\n        return Response.noContent().build();\n    }\n}\n";
    let fixture = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/jax-rs-jakarta");
    let file = "src/main/java/com/acme/library/ShelfResource.java";
    let repo = Repo::new().folder(&fixture, "").file(file, resource).commit("Shelves");
    repo.run(["generate", "DELETE /api/shelves/{name}", "--slices", "off"]).ends(0);
    let written = suite(&repo);
    let (_, bytes) = written.iter().find(|(path, _)| path.starts_with(".mastor/suite/delete-api-shelves")).unwrap();
    let made: serde_json::Value = serde_json::from_slice(bytes).unwrap();
    let gone: Vec<&serde_json::Value> = made["oracles"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|oracle| oracle["assertions"][0]["expected"] == 204)
        .collect();
    assert!(!gone.is_empty(), "{made:#}");
    for oracle in gone {
        let body = &oracle["assertions"][1];
        assert_eq!((&body["type"], &body["op"]), (&"body".into(), &"empty".into()), "{oracle:#}");
    }
}
