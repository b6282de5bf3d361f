//! Further commands: `backtest`, `demo`, `init`, `doctor`, `config show`, `schema`, `completions`, and `--help`.

use crate::support::Repo;

const ZONES: &str = "src/main/java/com/example/orders/shipping/ShippingController.java";

#[test]
fn history_is_judged_commit_by_commit() {
    let repo = Repo::example()
        .edit("README.md", "#", "##")
        .commit("Prose")
        .edit(ZONES, "return ResponseEntity.notFound().build();", "return ResponseEntity.noContent().build();")
        .commit("Answer otherwise");
    let found = repo.json(["backtest", "--last", "3", "--format", "json"]);
    let commits = found["commits"].as_array().unwrap();
    let affected = |subject: &str| {
        commits.iter().find(|c| c["subject"] == subject).unwrap_or_else(|| panic!("{found}"))["affected"].clone()
    };
    assert_eq!(affected("Prose"), 0);
    assert_eq!(affected("Answer otherwise"), 1);
    assert!(commits.iter().all(|c| c["error"].is_null()), "{found}");
    // Results are cached: the next run takes them from the cache and prints the same.
    let again =
        repo.run(["backtest", "--last", "3", "--format", "json"]).ends(0).says(&["2 known from an earlier run"]);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&again.out).unwrap(), found);
    repo.run(["backtest", "--last", "3", "--details"]).ends(0).says(&["Answer otherwise", "GET /shipping/zones/"]);
    assert_eq!(repo.git(["status", "--porcelain"]), "");
}

#[test]
fn the_demo_tells_the_meant_and_the_unmeant_change() {
    let place = Repo::bare_folder();
    place.run(["demo", "--no-service", "--dir", "shop"]).ends(0).says(&["shop/.mastor/out/export/html/index.html"]);
    let report = place.read("shop/.mastor/out/report.json");
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let changed: Vec<&str> =
        report["changes"].as_array().unwrap().iter().map(|c| c["op_id"].as_str().unwrap()).collect();
    assert_eq!(changed.len(), 2, "{changed:?}");
    assert!(changed.contains(&"GET /quotes") && changed.contains(&"GET /shipping/zones/{country}"), "{changed:?}");
    place.run(["demo", "--no-service", "--dir", "shop"]).ends(2).says(&["not empty"]);
}

#[test]
fn init_writes_settings_and_never_over_others() {
    let repo = Repo::example();
    repo.run(["init", "--no-service"]).ends(0).says(&[
        "openapi.yaml",
        "15 matched",
        "Spring Boot, com.example.orders.OrdersApplication",
    ]);
    let text = repo.read("mastor.toml");
    for line in [
        "build = \"mvn -q -DskipTests package\"",
        "start = \"java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -jar target/orders.jar --server.port={port} --server.address=127.0.0.1\"",
        "ready = { port = true, within = \"60s\" }",
    ] {
        assert!(text.contains(line), "{text}");
    }
    repo.run(["config", "show"]).ends(0).says(&[
        "service.start = ",
        "service.reset = \"restart\"",
        "service.enabled = false",
    ]);
    assert!(repo.read("mastor.toml").contains("openapi = \"openapi.yaml\""));
    repo.run(["operations"]).ends(0).says(&["15 matched"]);
    let repo = repo.file("mastor.toml", "# mine\n");
    repo.run(["init"]).ends(2).says(&["--force"]);
    assert_eq!(repo.read("mastor.toml"), "# mine\n");
    repo.run(["init", "--no-service", "--force"]).ends(0);
}

#[test]
fn the_rest_of_the_commands_answer() {
    let repo = Repo::example().file("mastor.toml", "[api]\nname = \"shop\"\n[ci]\nfail-on = \"stale\"\n");
    repo.run(["doctor"]).ends(0).says(&["15 operations"]);
    repo.run(["doctor", "--models"])
        .ends(0)
        .says(&["java.util.BitSet  Java  https", "types are modelled, 5 of them in Java"]);
    repo.run(["config", "show"]).ends(0).says(&["shop", "stale", "mastor.toml"]);
    repo.json(["config", "show", "--format", "json"]);
    let said = |name: &str, value: &str| repo.mastor(["config", "show"]).env(name, value).output().unwrap();
    let shown = String::from_utf8(said("MASTOR_ENGINE", "agents").stdout).unwrap();
    assert!(
        shown.lines().any(|line| line.starts_with("ci.engine = ") && line.ends_with("# environment MASTOR_ENGINE"))
    );
    let wrong = said("MASTOR_ENGINE", "agent");
    assert_eq!(wrong.status.code(), Some(2), "{}", String::from_utf8_lossy(&wrong.stderr));
    repo.run(["completions", "bash"]).ends(0).says(&["_mastor"]);
    let list = repo.run(["schema"]).ends(0).out;
    for name in list.lines().filter_map(|line| line.split_whitespace().next()) {
        assert!(repo.json(["schema", name]).is_object(), "{name}");
    }
    repo.run(["schema", "reprot"]).ends(2).says(&["did you mean `report`?"]);
}

#[test]
fn help_names_only_what_is_there() {
    let repo = Repo::bare_folder();
    let commands = repo.run(["--help"]).ends(0).out;
    let names = commands.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names: Vec<&str> =
        names.filter_map(|line| line.split_whitespace().next()).filter(|w| !w.starts_with('-')).collect();
    assert!(names.contains(&"ci") && names.len() > 12, "{names:?}");
    for name in names.into_iter().filter(|name| *name != "help") {
        let help = repo.run([name, "--help"]).ends(0).out.to_lowercase();
        for word in ["not yet", "in the future", "will be"] {
            assert!(!help.contains(word), "{name} speaks of what is not there: {word}");
        }
    }
}
