//! `mastor study`: runs configurations on projects, writes tables, and resumes a stopped study.

use serde_json::json;

use super::faithful::agent;
use crate::llm::server::{Reply, Server};
use crate::support::Repo;

#[test]
fn configurations_stand_side_by_side_and_a_second_run_asks_nothing() {
    let server = Server::start(|received| {
        Reply::json(&match agent(received) {
            "oracles" => json!({"oracles": []}),
            "review" => json!({"hints": []}),
            _ => json!({}),
        })
    });
    let model = format!(
        "[configuration.model.primary]\nbase-url = \"{}\"\nmodel = \"scripted\"\nprice = {{ input = 1.0, cached = 0.1, output = 2.0 }}\n",
        server.base_url
    );
    let small = "package a;\nimport org.springframework.web.bind.annotation.*;\n@RestController\nclass Quotes {\n    @GetMapping(\"/twice\")\n    int twice(@RequestParam int n) {\n        return 2 * n;\n    }\n}\n";
    let project =
        Repo::new().file("src/main/java/a/Quotes.java", small).file("pom.xml", "<project/>").commit("A service");
    let study = format!(
        "out = \"tables\"\n[[project]]\nname = \"small\"\npath = \"{}\"\n[[configuration]]\nname = \"rules\"\nengine = \"rules\"\n[[configuration]]\nname = \"lost\"\nengine = \"direct\"\n[configuration.model.primary]\nbase-url = \"http://127.0.0.1:9/v1\"\nmodel = \"none\"\nkey-env = \"NO_SUCH_KEY\"\n[[configuration]]\nname = \"hybrid\"\nengine = \"hybrid\"\nmulti-op = false\n{model}",
        project.path().display()
    );
    let repo = Repo::bare_folder().file("study.toml", study);
    let told = repo.run(["study", "study.toml"]).ends(0);
    assert!(told.out.contains("| `small` | `rules` | 1 |") && told.out.contains("Without numbers"), "{}", told.out);
    let csv = repo.read("tables/study.csv");
    assert_eq!(csv.lines().count(), 4, "{csv}");
    let json: serde_json::Value = serde_json::from_str(&repo.read("tables/study.json")).unwrap();
    assert_eq!(json["rows"][0]["configuration"], "rules");
    assert!(json["rows"][0]["oracles"].as_u64().unwrap() > 0);
    assert!(json["rows"][1]["error"].as_str().unwrap().contains("NO_SUCH_KEY"));
    let before = server.count();
    let again = repo.run(["study", "study.toml"]).ends(0);
    assert!(again.err.contains("small / rules: kept from an earlier run"), "{}", again.err);
    assert_eq!(server.count(), before);
    let wrong = repo.file(
        "study.toml",
        "[[project]]\nname = \"../x\"\npath = \".\"\n[[configuration]]\nname = \"a\"\nengine = \"rules\"\n",
    );
    wrong.run(["study", "study.toml"]).ends(2).says(&["is no name"]);
    let wrong = wrong.file("study.toml", "[[projekt]]\n");
    wrong.run(["study", "study.toml"]).ends(2).says(&["projekt"]);
}
