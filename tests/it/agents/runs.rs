//! Whole agent runs: from contexts to exports, on a pull request, resumed, and after the budget is spent or the model is unavailable.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

use super::example;
use super::faithful::{self, OPERATIONS, agent};
use crate::llm::server::{Reply, Server};
use crate::support::Repo;

/// Number of calls by agent.
fn asked(server: &Server) -> BTreeMap<&'static str, usize> {
    let mut out = BTreeMap::new();
    for received in server.received() {
        *out.entry(agent(&received)).or_default() += 1;
    }
    out
}

/// Every file of the repository's folder, without those of git and of the cache.
pub fn files(repo: &Repo) -> Vec<String> {
    let mut out = Vec::new();
    let mut open = vec![repo.path().to_owned()];
    while let Some(dir) = open.pop() {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(repo.path()).unwrap().to_str().unwrap().to_owned();
            match path.is_dir() {
                true if name == ".git" || name == ".mastor/cache" => {}
                true => open.push(path),
                false => out.push(name),
            }
        }
    }
    out.sort();
    out
}

/// The committed suite of an operation.
pub fn suite(repo: &Repo, op: &str) -> Value {
    let slug = repo.git(["ls-files", "-co", "--exclude-standard", ".mastor/suite"]);
    let of = |path: &str| serde_json::from_str::<Value>(&repo.read(path)).unwrap();
    let named = |value: &Value| value["context"]["op_id"] == op || value["op_id"] == op;
    slug.lines()
        .filter(|path| !path.contains("sequences"))
        .map(of)
        .find(named)
        .unwrap_or_else(|| panic!("{op}: {slug}"))
}

/// An oracle of a suite, by name.
pub fn oracle<'v>(suite: &'v Value, test_id: &str) -> Option<&'v Value> {
    suite["oracles"].as_array()?.iter().find(|oracle| oracle["test_id"] == test_id)
}

fn generate<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let mut all = vec!["generate"];
    all.extend(OPERATIONS);
    all.extend(more);
    all
}

/// A price that makes a call cost next to nothing, so that cost is known.
const PRICE: &str = "price = { input = 1.0, cached = 0.1, output = 2.0 }";

#[test]
fn the_whole_method_with_a_faithful_model() {
    let server = Server::start(faithful::reply);
    let repo = example(&server, PRICE);
    let told = repo.json(generate(&["--engine", "agents", "--format", "json"]));
    let agents = &told["agents"];
    assert_eq!(agents["engine"], "agents");
    let asked = asked(&server);
    for (agent, times) in [
        ("extraction", 4),
        ("oracles", 4),
        ("review", 4),
        ("again", 1),
        ("associations", 1),
        ("sequences", 1),
        ("group review", 1),
    ] {
        assert_eq!(asked.get(agent), Some(&times), "{agent}: {asked:?} {agents}");
    }
    // Wrong oracles, associations and sequences are dropped with a reason.
    let dropped: BTreeMap<&str, u64> = agents["dropped"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["reason"].as_str().unwrap(), one["count"].as_u64().unwrap()))
        .collect();
    for reason in [
        "cites a line that was not sent",
        "names an operation that there is none of",
        "joins fewer than two operations, or too many",
        "names an operation outside its group",
        "binds a value that no earlier step takes",
        "replaces an oracle that had no hint",
    ] {
        assert_eq!(dropped.get(reason), Some(&1), "{reason}: {dropped:?}");
    }
    assert_eq!(agents["hints"], 1);
    assert_eq!((&agents["replies"]["at_once"], &agents["replies"]["failed"]), (&16.into(), &0.into()));
    assert!(agents["by_agent"]["SingleOpOracleAgent"]["usd"].as_f64().unwrap() > 0.0, "{agents}");
    assert!(agents["compressed"][0].as_u64() > agents["compressed"][1].as_u64());
    // Verified facts have evidence; claims of the document alone are pending.
    let quotes = suite(&repo, "GET /quotes");
    let context = &quotes["context"];
    assert_eq!(context["request_params"].as_array().unwrap().len(), 3);
    assert!(context["response_schema_pending"].as_array().unwrap().iter().any(|pending| pending["status"] == 401));
    let exact = oracle(&quotes, "fv_volume_and_coupon").unwrap();
    assert_eq!(
        (&exact["origin"]["engine"], &exact["origin"]["model"], &exact["origin"]["challenger"]),
        (&"agents".into(), &"scripted".into(), &"passed".into())
    );
    assert!(
        exact["evidence"].as_array().unwrap().iter().all(|id| context["evidence"][id.as_str().unwrap()]["symbol"]
            .as_str()
            .unwrap()
            .contains("PriceCalculator"))
    );
    // The challenger's hint regenerated one oracle; the other stayed.
    let deleting = suite(&repo, "DELETE /customers/{id}");
    assert!(oracle(&deleting, "fv_delete_customer").is_none());
    assert_eq!(oracle(&deleting, "fv_delete_customer_without_orders").unwrap()["origin"]["challenger"], "hinted");
    assert_eq!(oracle(&deleting, "bi_no_such_customer").unwrap()["origin"]["challenger"], "passed");
    assert!(oracle(&deleting, "bi_changed").is_none());
    // Two well-formed sequences are stored under their first step. One of them is wrong, which only a service could tell.
    let path = repo.git(["ls-files", "-o", "--exclude-standard", ".mastor/suite/sequences"]);
    let sequences: Value = serde_json::from_str(&repo.read(path.trim())).unwrap();
    let names: Vec<&str> =
        sequences["sequences"].as_array().unwrap().iter().map(|one| one["test_id"].as_str().unwrap()).collect();
    assert_eq!(names, ["seq_customer_lifecycle", "seq_wrong"]);
    // The suite exports, sequences too.
    repo.run(["export", "junit", "postman", "readable", "--dir", "out"]).ends(0);
    assert!(repo.read("out/readable/index.md").contains("GET /quotes"));
    // A second run asks nothing and changes nothing.
    let before = repo.git(["status", "--porcelain"]);
    let again = repo.json(generate(&["--engine", "agents", "--format", "json"]));
    assert_eq!((server.count(), &again["usage"]["calls"]), (16, &0.into()));
    assert_eq!(repo.git(["status", "--porcelain"]), before);
}

#[test]
fn hybrid_adds_to_the_rules_and_drops_what_contradicts_them() {
    let server = Server::start(faithful::reply);
    let repo = example(&server, "");
    let rules = Repo::example();
    rules.run(["generate", "GET /quotes"]).ends(0);
    let told = repo.json(["generate", "GET /quotes", "--format", "json"]);
    assert_eq!(told["agents"]["engine"], "hybrid", "the default where a model is configured");
    assert_eq!(told["agents"]["contradicted"], 1, "{}", told["agents"]);
    assert_eq!(told["agents"]["oracles"], 3, "{}", told["agents"]);
    assert!(!asked(&server).contains_key("extraction"), "all of its context is derived");
    let (derived, both) = (suite(&rules, "GET /quotes"), suite(&repo, "GET /quotes"));
    for one in derived["oracles"].as_array().unwrap() {
        assert!(both["oracles"].as_array().unwrap().contains(one), "what is derived stays as it is: {one}");
    }
    assert!(oracle(&both, "fv_twenty_percent").is_none());
    assert!(server.received().iter().any(|received| received.user().contains("Rules derived these oracles")));
}

#[test]
fn a_pull_request_asks_of_what_it_touches_alone() {
    let server = Server::start(faithful::reply);
    let repo = example(&server, "");
    repo.run(["generate", "--all", "--engine", "rules"]).ends(0);
    assert_eq!(server.count(), 0);
    let repo = repo.commit("The suite").branch("change");
    // A changed comment causes no call.
    let calculator = "src/main/java/com/example/orders/quote/PriceCalculator.java";
    let repo = repo.edit(calculator, "/** Throws unless", "/** Refuses unless").commit("A comment");
    repo.run(["ci", "--since", "main"]).ends(0);
    assert_eq!(server.count(), 0, "nothing is affected");
    let directory = "src/main/java/com/example/orders/customer/DefaultCustomerService.java";
    let repo = repo.edit(directory, "\"no customer \"", "\"there is no customer \"").commit("Another message");
    let report = repo.run(["ci", "--since", "main", "--format", "json"]).json();
    let touched = report["plan"]["counts"]["affected"].as_u64().unwrap() as usize;
    let calls = report["generate"]["usage"]["calls"].as_u64().unwrap() as usize;
    assert_eq!(calls, server.count());
    assert!(touched >= 2 && calls <= 5 * touched, "{calls} calls for {touched} operations: {:?}", asked(&server));
}

#[test]
fn one_touched_operation_takes_at_most_five_calls_in_a_hybrid_run_and_six_by_agents() {
    for (engine, most) in [("hybrid", 5), ("agents", 6)] {
        let server = Server::start(faithful::reply);
        let repo = example(&server, "");
        repo.run(["generate", "--all", "--engine", "rules"]).ends(0);
        let calculator = "src/main/java/com/example/orders/quote/PriceCalculator.java";
        let repo = repo.commit("The suite").branch("change");
        let repo = repo.edit(calculator, "unitPriceCents <= 0", "unitPriceCents < 0").commit("A free product");
        let report = repo.run(["ci", "--since", "main", "--engine", engine, "--format", "json"]).json();
        let touched = report["plan"]["counts"]["affected"].as_u64().unwrap();
        assert_eq!(touched, 1, "{}", report["plan"]);
        assert!(server.count() <= most && server.count() >= 2, "{engine}: {:?}", asked(&server));
    }
}

#[test]
fn a_dry_run_says_what_would_be_asked_and_sends_nothing() {
    let server = Server::start(faithful::reply);
    let repo = example(&server, PRICE).file(".gitignore", "prompts/\n");
    let told = repo.json(["generate", "GET /quotes", "--dry-run", "--show-prompts", "prompts", "--format", "json"]);
    let planned = &told["planned"];
    assert_eq!(planned["engine"], "hybrid");
    let files: Vec<&str> = planned["files"].as_array().unwrap().iter().map(|file| file.as_str().unwrap()).collect();
    assert!(files.iter().any(|file| file.ends_with("PriceCalculator.java")), "{files:?}");
    assert!(!files.iter().any(|file| file.ends_with("OrderController.java")), "{files:?}");
    assert!(planned["input_tokens"].as_u64().unwrap() > 500 && planned["usd"].as_f64().unwrap() > 0.0);
    let prompts: Vec<_> = std::fs::read_dir(repo.path().join("prompts")).unwrap().collect();
    assert_eq!(prompts.len(), planned["calls"].as_array().unwrap().len());
    let calculator = "src/main/java/com/example/orders/quote/PriceCalculator.java";
    let never = "\n[redact]\nnever-send = [\"**/PriceCalculator.java\"]\n";
    let repo = repo.file(
        "mastor.toml",
        format!("[model.primary]\nbase-url = \"{}\"\nmodel = \"scripted\"\n{never}", server.base_url),
    );
    let told = repo.json(["generate", "GET /quotes", "--dry-run", "--format", "json"]);
    assert_eq!(told["planned"]["withheld"][0], calculator);
    assert_eq!(server.count(), 0);
}

#[test]
fn what_is_recorded_is_replayed_without_a_key_or_network_to_the_same_bytes() {
    let server = Server::start(faithful::reply);
    let repo = example(&server, "key-env = \"SOME_KEY\"");
    let mut first = repo.mastor(generate(&["--engine", "agents", "--record", "tape"]));
    first.env("SOME_KEY", "k-0123456789abcdef").assert().success();
    let tape: Vec<_> =
        std::fs::read_dir(repo.path().join("tape")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(tape.len(), server.count());
    for file in &tape {
        assert!(!std::fs::read_to_string(file).unwrap().contains("k-0123456789abcdef"));
    }
    let made = suite(&repo, "GET /quotes");
    drop(server);
    let repo = repo.remove(".mastor");
    repo.run(generate(&["--engine", "agents", "--replay", "tape"])).ends(0);
    assert_eq!(suite(&repo, "GET /quotes"), made);
    // Without API key and recorded replies, the rules engine works alone and says so; `--strict` gives that an exit code.
    let repo = repo.remove(".mastor");
    repo.run(generate(&[])).ends(0).says(&["the rules engine works alone", "SOME_KEY"]);
    repo.run(generate(&["--strict", "--engine", "hybrid"])).ends(8);
    repo.run(generate(&["--engine", "direct"])).ends(8).says(&["nothing takes over"]);
}

#[test]
fn spent_money_and_a_lost_model_leave_the_rest_to_the_rules_by_name() {
    let server = Server::start(faithful::reply);
    let repo = example(&server, PRICE);
    let told = repo.run(generate(&["--engine", "agents", "--max-tokens", "20000", "--format", "json"])).ends(0).json();
    assert!(told["agents"]["ended"].as_str().unwrap().contains("budget"), "{}", told["agents"]["ended"]);
    let failed = told["agents"]["failed"].as_array().unwrap();
    assert!(!failed.is_empty() && failed.iter().all(|one| one["by_rules"] == true), "{failed:?}");
    for op in OPERATIONS {
        assert!(!suite(&repo, op)["oracles"].as_array().unwrap().is_empty(), "{op}");
    }
    let strict = example(&server, PRICE);
    strict.run(generate(&["--engine", "agents", "--max-tokens", "20000", "--strict"])).ends(6).says(&["budget"]);
    let gone = Server::start(|_| Reply::error(401, "no such key"));
    let repo = example(&gone, "");
    repo.run(generate(&[])).ends(0).says(&["left to the rules engine"]);
    assert!(gone.count() <= 4, "an endpoint that refuses is asked by no more than ran at the time: {}", gone.count());
    assert!(oracle(&suite(&repo, "GET /quotes"), "fv_volume_and_coupon").is_none());
    repo.run(generate(&["--strict"])).ends(8);
}

#[test]
fn one_operation_that_fails_halts_no_other() {
    let server = Server::start(|received| match (agent(received), received.user()) {
        ("oracles", prompt) if faithful::operation(prompt) == "POST /customers" => Reply::text("I would rather not."),
        _ => faithful::reply(received),
    });
    let repo = example(&server, "");
    let told = repo.run(generate(&["--engine", "agents", "--format", "json"])).ends(0).json();
    let failed = told["agents"]["failed"].as_array().unwrap();
    assert_eq!(failed.len(), 1);
    assert_eq!(failed[0]["op_id"], "POST /customers");
    assert_eq!(told["agents"]["replies"]["failed"], 1);
    assert!(oracle(&suite(&repo, "GET /quotes"), "fv_volume_and_coupon").is_some());
}

#[test]
fn direct_prompting_asks_once_a_class() {
    let server = Server::start(faithful::reply);
    let repo = example(&server, "");
    let told = repo.json(["generate", "GET /quotes", "--engine", "direct", "--format", "json"]);
    assert_eq!(asked(&server), BTreeMap::from([("direct", 1)]));
    assert_eq!(told["agents"]["engine"], "direct");
    let quotes = suite(&repo, "GET /quotes");
    assert!(oracle(&quotes, "fv_twenty_percent").is_some(), "nobody reviews what direct prompting says");
    assert!(oracle(&quotes, "fv_invented").is_none(), "but what it cites must exist");
}

#[test]
fn calls_run_side_by_side_within_their_limit() {
    let script = |received: &crate::llm::server::Received| faithful::reply(received).after(Duration::from_millis(150));
    for concurrency in [1, 4] {
        let server = Server::start(script);
        let repo = example(&server, &format!("concurrency = {concurrency}"));
        repo.run(generate(&["--engine", "agents"])).ends(0);
        assert!(server.most_at_once() <= concurrency, "{} at once", server.most_at_once());
        assert!(concurrency == 1 || server.most_at_once() > 1);
    }
}
