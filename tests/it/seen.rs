//! Observed behaviour: base and head of the bundled example run on a real JVM, and a break is accepted.

use std::path::PathBuf;

use serde_json::Value;

use crate::support::{Ran, Repo};

/// Runs `mastor` with this machine's Maven repository, and with its own cache folder for the base's build.
fn run(repo: &Repo, arguments: &[&str]) -> Ran {
    let mut command = repo.mastor(arguments.iter().copied());
    let builds: PathBuf = repo.path().with_file_name("home");
    command.env("HOME", std::env::var("HOME").unwrap()).env("MASTOR_CACHE_DIR", builds);
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    Ran { code: output.status.code().unwrap(), out: text(&output.stdout), err: text(&output.stderr) }
}

fn service(ran: &Ran) -> Value {
    ran.json()
}

fn changes(service: &Value) -> Vec<String> {
    let mut found: Vec<String> = service["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| {
            let text = |key: &str| change[key].as_str().unwrap_or("-").to_owned();
            let oracle = if change["o_id"].is_null() { "open" } else { "committed" };
            format!("{} {} {oracle} {}", text("op_id"), text("kind"), change["accepted"])
        })
        .collect();
    found.sort();
    found
}

const PRODUCTS: &str = "src/main/java/com/example/orders/product/ProductController.java";
const ZONES: &str = "src/main/java/com/example/orders/shipping/ZoneDirectory.java";
const ORDERS: &str = "src/main/java/com/example/orders/order/DefaultOrderService.java";
const STATUS: &str = "src/main/java/com/example/orders/order/OrderStatus.java";

/// A condition, a field's value and a state transition change: exactly these changes are reported, each with both answers and its line. After `accept`
/// the run is clean, and a refactoring reports nothing. No command in between learns the break.
#[test]
fn exactly_what_changed_is_seen_and_accept_makes_it_clean() {
    if crate::exports::without("maven") {
        return;
    }
    let repo = Repo::example_with_service();
    let made = run(&repo, &["generate", "--all", "--format", "json"]).ends(0);
    assert!(made.err.contains("requests were sent"), "{}", made.err);
    let repo = repo.commit("The baseline");
    run(&repo, &["check"]).ends(0).says(&["0 broken"]);

    let repo = repo
        .branch("three")
        .edit(PRODUCTS, "MIN_SKU_LENGTH = 4", "MIN_SKU_LENGTH = 5")
        .edit(ZONES, "\"FR\", \"neighbour\", 3", "\"FR\", \"neighbour\", 4")
        .edit(
            STATUS,
            "return next == PAID || next == CANCELLED;",
            "return next == PAID || next == SHIPPED || next == CANCELLED;",
        )
        .commit("Change a condition, a field and a transition");
    let broken = run(&repo, &["ci", "--since", "main", "--format", "json"]).ends(1);
    let seen = service(&broken);
    assert_eq!(seen["level"], "seen");
    let transitions = "GET /orders/transitions seen committed false";
    let zones = "GET /shipping/zones/{country} seen committed false";
    let found = changes(&seen);
    assert!(found.contains(&transitions.to_owned()) && found.contains(&zones.to_owned()), "{found:?}");
    assert!(found.iter().any(|change| change.starts_with("GET /products/{sku} seen")), "{found:?}");
    assert_eq!(found.len(), 3, "{}", serde_json::to_string_pretty(&seen["changes"]).unwrap());
    // A consequence of the transition for existing orders is listed under it.
    let all = seen["changes"].as_array().unwrap();
    let transition = all.iter().find(|change| change["op_id"] == "GET /orders/transitions").unwrap();
    let below = transition["also"].as_array().unwrap();
    assert!(below.iter().any(|change| change["op_id"] == "PUT /orders/{id}/status"), "{transition:#}");
    for change in seen["changes"].as_array().unwrap() {
        assert!(change["witness"]["before"] != change["witness"]["after"], "{change}");
        assert!(change["evidence_after"]["line"].as_u64().is_some(), "{change}");
    }
    assert!(seen["check"]["counts"]["broken"].as_u64().unwrap() >= 2, "{}", seen["check"]["counts"]);

    // A review without an answer accepts nothing.
    run(&repo, &["review"]).ends(0).says(&["1 of 4", "before", "now", "nothing was taken"]);

    // Regenerating does not take the break into the suite.
    run(&repo, &["generate", "--since", "main"]).ends(0);
    // The base's answers are cached, so only the head is started, with the same result.
    let again = run(&repo, &["ci", "--since", "main", "--format", "json"]).ends(1);
    assert!(again.err.contains("the base is not started"), "{}", again.err);
    assert_eq!(changes(&service(&again)), found);

    run(&repo, &["accept", "--all"]).ends(0);
    let repo = repo.commit("Accept");
    let accepted = run(&repo, &["ci", "--since", "main", "--format", "json"]).ends(0);
    assert!(changes(&service(&accepted)).iter().all(|change| change.contains(" open ") || change.ends_with(" true")));

    repo.git(["checkout", "-q", "main"]);
    let repo = repo
        .branch("refactoring")
        .edit(ZONES, "if (\"DE\".equals(country))", "if (country != null && country.equals(\"DE\"))")
        .edit(
            STATUS,
            "if (this == SHIPPED) {\n            return next == DELIVERED;\n        }\n        return false;",
            "return this == SHIPPED && next == DELIVERED;",
        )
        .commit("Say it otherwise");
    let quiet = run(&repo, &["ci", "--since", "main", "--format", "json"]).ends(0);
    assert_eq!(changes(&service(&quiet)), [] as [String; 0]);

    // The write still answers 204; only a later read shows that the order still exists.
    repo.git(["checkout", "-q", "main"]);
    let repo = repo
        .branch("cancels")
        .edit(ORDERS, "orders.delete(order)", "order.become(OrderStatus.CANCELLED)")
        .commit("Cancel what is removed");
    let seen = service(&run(&repo, &["ci", "--since", "main", "--format", "json"]).ends(1));
    let [change] = seen["changes"].as_array().unwrap().as_slice() else { panic!("{:#}", seen["changes"]) };
    assert_eq!((&change["op_id"], &change["kind"]), (&"DELETE /orders/{id}".into(), &"seen".into()), "{change:#}");
    assert!(change["s_id"].is_string() && change["evidence_after"]["line"].is_u64(), "{change:#}");
    run(&repo, &["accept", "--all"]).ends(0).says(&["then_read", "CANCELLED"]);
    run(&repo, &["check"]).ends(0).says(&["0 broken"]);
}

/// The demo's branch raises a limit that two operations check, removes a check by mistake, and refactors. The report has two changes, not one for each
/// request that is answered differently; consequences of the limit are listed under it and accepted with it.
#[test]
fn the_demo_shows_its_two_changes_and_what_follows_from_them_below() {
    if crate::exports::without("maven") {
        return;
    }
    let place = Repo::bare_folder();
    let told = run(&place, &["demo", "--dir", "shop"]).ends(0).says(&["2 behaviour changes need a decision"]);
    let report: Value = serde_json::from_str(&place.read("shop/.mastor/out/report.json")).unwrap();
    let found: Vec<&str> = report["changes"].as_array().unwrap().iter().filter_map(|c| c["op_id"].as_str()).collect();
    assert_eq!(found, ["GET /shipping/zones/{country}", "GET /quotes"], "{}", told.out);
    let limit = &report["changes"][1];
    assert_eq!((limit["kind"].as_str(), limit["effect"].as_str()), (Some("seen"), Some("additive")), "{limit}");
    let also = limit["also"].as_array().unwrap();
    let of = |op: &str| also.iter().filter(|change| change["op_id"] == op).count();
    assert!(of("POST /orders") > 0 && of("GET /quotes") > 3 && of("POST /orders") + of("GET /quotes") == also.len());
    let worded = also.iter().find(|c| c["what"].as_str().unwrap().starts_with("the wording of message")).unwrap();
    assert_eq!(worded["effect"], "unclear", "another sentence of the same refusal breaks nobody");

    let id = limit["id"].as_str().unwrap();
    run(&place, &["-C", "shop", "accept", id]).ends(0).says(&["GET /quotes", "POST /orders"]);
    let waiting = place.read("shop/.mastor/out/proposed.json");
    assert!(waiting.contains("/shipping/zones") && !waiting.contains("\"POST /orders\""), "{waiting}");
}

/// Without its seed rows, or with others, a service is the wrong one: oracles that need the rows are inconclusive for one reason, the rest is checked.
#[test]
fn without_its_seeds_a_service_is_the_wrong_one_and_nothing_is_broken() {
    if crate::exports::without("maven") {
        return;
    }
    let repo = Repo::example_with_service();
    run(&repo, &["generate", "--all"]).ends(0);
    let customer = repo.read(".mastor/suite/get-customers-id-2c79165f.json");
    assert!(
        customer.contains("the record of customers with id 1 that src/main/resources/data.sql inserts"),
        "{customer}"
    );
    run(&repo, &["check"]).ends(0).says(&["0 broken"]);

    let others = "insert into customers (id, name, email, country) values (1, 'Eve', 'eve@example.com', 'US');\n\
        insert into products (sku, name, price_cents, stock) values ('MUG-001', 'Jug', 5, 1);";
    let repo = repo.file("target/others.sql", others);
    for seeds in ["optional:classpath:none.sql", "file:target/others.sql"] {
        let start = format!(
            "java -XX:TieredStopAtLevel=1 -jar target/orders.jar --server.port={{port}} --spring.sql.init.data-locations={seeds}"
        );
        let asked = ["check", "--start-command", &start, "--ready-url", "/shipping/zones/DE", "--format", "json"];
        let found = run(&repo, &asked).ends(3).json();
        let count = |verdict: &str| found["counts"][verdict].as_u64().unwrap();
        assert_eq!((count("broken"), count("refuted")), (0, 0), "{found}");
        assert!(count("held") > 40 && count("inconclusive") > 5, "{}", found["counts"]);
        let oracles = found["oracles"].as_array().unwrap();
        let reasons = oracles.iter().filter(|o| o["verdict"] == "inconclusive").map(|o| o["reason"].as_str().unwrap());
        let reasons: std::collections::BTreeSet<&str> = reasons.collect();
        assert!(
            reasons.len() == 1 && reasons.iter().all(|why| why.contains("does not stand on its seeds")),
            "{reasons:?}"
        );
    }
}
