//! With a service, only oracles and sequences of the agents that hold on it are shipped.

use serde_json::Value;

use super::faithful::{self, OPERATIONS};
use super::runs::{oracle, suite};
use crate::llm::server::Server;
use crate::support::Repo;

#[test]
fn the_service_decides_what_of_the_agents_is_shipped() {
    let server = Server::start(faithful::reply);
    let settings = format!(
        "[service]\nstart = \"exec python3 service.py {{port}}\"\nready = {{ url = \"/customers/1\", within = \"30s\" }}\nreset = {{ post = \"/reset\" }}\n\
         [model.primary]\nbase-url = \"{}\"\nmodel = \"scripted\"\n",
        server.base_url
    );
    let repo = Repo::example()
        .file("mastor.toml", settings)
        .file("service.py", include_str!("service.py"))
        .commit("A service");
    let arguments = ["generate", "--engine", "agents", "--format", "json"].into_iter().chain(OPERATIONS);
    let told = repo.run(arguments).ends(0).json();
    let confirm = &told["confirm"];
    // Refuted: mistakes of a weaker model (twenty percent, and a name that deleting changes).
    assert_eq!(confirm["refuted"], 2, "{confirm:#}");
    assert_eq!(confirm["unanswered"], 0, "{confirm:#}");
    assert_eq!(told["agents"]["confirmed"], confirm["held"], "{told:#}");
    let quotes = suite(&repo, "GET /quotes");
    // The oracle's correct assertions are kept, and observed ones complete it.
    let twenty = oracle(&quotes, "fv_twenty_percent").unwrap();
    let expects = |path: &str| twenty["assertions"].as_array().unwrap().iter().find(|one| one["path"] == path).cloned();
    assert_eq!(expects("currency").unwrap()["expected"], "EUR", "{twenty:#}");
    let discount = expects("discountPercent").unwrap();
    assert_eq!((&discount["expected"], &discount["source"]), (&15.into(), &"observed".into()), "{twenty:#}");
    let of_quotes = told["operations"].as_array().unwrap().iter().find(|one| one["op_id"] == "GET /quotes").unwrap();
    let said = "fv_twenty_percent is kept without what did not hold: expected discountPercent equals 20, seen 15";
    assert!(of_quotes["notes"].to_string().contains(said), "{of_quotes:#}");
    let exact = oracle(&quotes, "fv_volume_and_coupon").unwrap();
    assert_eq!(exact["confirmation"]["state"], "confirmed");
    assert!(
        exact["assertions"].as_array().unwrap().iter().any(|one| one["source"] == "observed"),
        "completed by what was seen"
    );
    let path = repo.git(["ls-files", "-o", "--exclude-standard", ".mastor/suite/sequences"]);
    let of_customers = path.lines().find(|path| path.contains("post-customers")).unwrap();
    let sequences: Value = serde_json::from_str(&repo.read(of_customers)).unwrap();
    let named =
        |name: &str| sequences["sequences"].as_array().unwrap().iter().find(|one| one["test_id"] == name).cloned();
    let whole = named("seq_customer_lifecycle").unwrap();
    assert_eq!(whole["confirmation"]["state"], "confirmed", "{whole:#}");
    assert!(named("seq_wrong").is_none());
    let refuted: Value = serde_json::from_str(&repo.read(".mastor/out/refuted.json")).unwrap();
    assert!(refuted.to_string().contains("seq_wrong") && refuted.to_string().contains("Moritz"), "{refuted:#}");
    assert!(refuted.to_string().contains("step 2 (GET /customers/{id}): expected name equals"), "{refuted:#}");
    assert!(
        confirm["precision"]
            .as_array()
            .unwrap()
            .iter()
            .any(|row| row["engine"] == "agents" && row["strategy"] == "sequence")
    );
    // The suite holds repeatedly.
    let repo = repo.commit("The suite");
    for _ in 0..2 {
        repo.run(["check"]).ends(0);
    }
}
