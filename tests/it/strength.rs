//! `mastor strength`: mutants of the bundled example, made by PITest and met by the exported tests.

use crate::exports::without;
use crate::generate::with_suite;
use crate::support::{Ran, Repo};

const ZONES: &str = "src/main/java/com/example/orders/shipping/ShippingController.java";

/// Runs `mastor` where Maven finds what this machine has.
fn run(repo: &Repo, arguments: &[&str]) -> Ran {
    let mut command = repo.mastor(arguments.iter().copied());
    let output = command.env("HOME", std::env::var("HOME").unwrap()).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    Ran { code: output.status.code().unwrap(), out: text(&output.stdout), err: text(&output.stderr) }
}

#[test]
fn mutants_of_what_changed_meet_the_exported_tests() {
    if without("maven") {
        return;
    }
    // The same in other words, so that the suite holds.
    let repo = with_suite()
        .branch("feature")
        .edit(ZONES, "country.length() != 2", "country.length() < 2 || country.length() > 2")
        .commit("Say it otherwise");
    let asked = ["strength", "--since", "main", "--alone", "2", "--format", "json"];
    let measured = run(&repo, &asked).ends(0).json();
    let totals = &measured["totals"];
    let count = |name: &str| totals[name].as_u64().unwrap();
    assert!((5..30).contains(&count("mutants")) && count("killed") >= 5, "{measured:#}");
    assert_eq!(
        count("mutants"),
        count("killed") + count("survived") + count("not_covered") + count("start_up"),
        "{measured:#}"
    );
    let names = |list: &str| -> Vec<&str> {
        measured[list].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect()
    };
    assert_eq!(names("operations"), ["GET /shipping/zones/{country}"]);
    assert_eq!(names("classes"), ["com.example.orders.shipping.ShippingController"]);
    for survivor in measured["survivors"].as_array().unwrap() {
        assert_eq!(survivor["file"], ZONES);
        assert!(!survivor["code"].as_str().unwrap().is_empty(), "{survivor}");
    }
    assert!(measured["tests"]["run"].as_u64().unwrap() > 100, "{measured:#}");
    assert_eq!(measured["alone"], serde_json::json!({"run": 2, "otherwise": []}));
    let schema = repo.json(["schema", "strength"]);
    let errors: Vec<String> = jsonschema::draft202012::new(&schema)
        .unwrap()
        .iter_errors(&measured)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
    let written = repo.read(".mastor/out/strength.json");
    assert!(!written.contains("seconds"), "{written}");

    // What is known is not run again, and says the same.
    let again = run(&repo, &asked).ends(0).json();
    assert_eq!((&again["totals"], &again["survivors"]), (totals, &measured["survivors"]));
    assert_eq!(repo.read(".mastor/out/strength.json"), written);

    // The pull request and the page say what was measured of this very change, and of no other.
    let report = repo.run(["ci", "--since", "main", "--format", "json"]).ends(0).json();
    assert_eq!(&report["strength"]["totals"], totals);
    assert!(repo.read(".mastor/out/report.md").contains("strength where the change is: "));
    repo.run(["export", "html"]).ends(0);
    assert!(repo.read(".mastor/out/export/html/index.html").contains("\"strength\":\""));
    let repo = repo.edit(ZONES, "country.length() < 2 ||", "country.length() <= 1 ||").commit("And again");
    assert!(repo.run(["ci", "--since", "main", "--format", "json"]).ends(0).json().get("strength").is_none());
}

#[test]
fn what_is_missing_is_said() {
    Repo::example().run(["strength"]).ends(3).says(&["no suite is committed", "mastor generate --all"]);
    let repo = with_suite();
    let mut command = repo.mastor(["strength"]);
    let output = command.env("JAVA_HOME", repo.path().join("nowhere")).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("there is no `javac`") && said.contains("install a JDK 11 or later"), "{said}");
    let nothing = run(&repo, &["strength", "--since", "main"]);
    nothing.ends(0).says(&["there is nothing to mutate", "0 mutants"]);
}
