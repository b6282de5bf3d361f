//! Agents beside the rules: what they fill in, what they contradict, and what they say of assumptions.

use serde_json::{Value, json};

use super::example;
use super::faithful::{agent, cite, operation};
use super::runs::{oracle, suite};
use crate::llm::server::{Received, Reply, Server};
use crate::support::Repo;

/// A model that fills in an id, and contradicts the rules twice: about a quantity of 8, and about one of 10.
fn beside_rules(received: &Received) -> Reply {
    let prompt = received.user();
    let quote = |quantity: &str, percent: u16| {
        json!({"test_id": format!("bv_{percent}_percent"), "strategy": "bv",
            "input": {"query": [["quantity", quantity], ["unitPriceCents", "2"]]},
            "assertions": [{"type": "status", "expected": 200}, {"type": "field", "path": "discountPercent", "op": "equals", "expected": percent}],
            "evidence": [cite(prompt, "PriceCalculator.java", "return 10;")], "rationale": "The volume decides."})
    };
    Reply::json(&match (agent(received), operation(prompt)) {
        ("oracles", "GET /quotes") => json!({"oracles": [quote("8", 12), quote("10", 20)]}),
        ("oracles", _) => json!({"oracles": [
            {"test_id": "fv_next_id", "strategy": "fv", "fills": "fv_country_de",
                "assertions": [{"type": "field", "path": "id", "op": "equals", "expected": 4}],
                "evidence": [cite(prompt, "data.sql", "customers alter column id restart with 4")], "rationale": "The next id is 4."},
            {"test_id": "fv_lost", "strategy": "fv", "fills": "fv_no_such_oracle",
                "assertions": [{"type": "field", "path": "id", "op": "equals", "expected": 4}],
                "evidence": [cite(prompt, "data.sql", "customers alter column id restart with 4")]},
        ]}),
        ("review", _) => json!({"hints": []}),
        ("associations", _) => json!({"groups": []}),
        (other, _) => panic!("{other} was not expected"),
    })
}

const ASKED: [&str; 6] = ["generate", "GET /quotes", "POST /customers", "--engine", "hybrid", "--format"];

/// The exact value that an oracle expects of a member.
fn field<'v>(oracle: &'v Value, path: &str) -> &'v Value {
    let is_exact = |one: &&Value| one["path"] == path && one["op"] == "equals";
    oracle["assertions"].as_array().unwrap().iter().find(is_exact).unwrap_or(&Value::Null)
}

#[test]
fn a_request_decides_between_agents_and_rules_and_open_values_are_filled_in() {
    let server = Server::start(beside_rules);
    let settings = format!(
        "[service]\nstart = \"exec python3 service.py {{port}}\"\nready = {{ url = \"/customers/1\", within = \"30s\" }}\nreset = {{ post = \"/reset\" }}\n\
         [model.primary]\nbase-url = \"{}\"\nmodel = \"scripted\"\n",
        server.base_url
    );
    // The service gives another discount for a quantity of 8 than its code says.
    let service =
        include_str!("service.py").replace("(10 if quantity >= 8", "(12 if quantity == 8 else 10 if quantity >= 8");
    let repo = Repo::example().file("mastor.toml", settings).file("service.py", service).commit("A service");
    let told = repo.run(ASKED.into_iter().chain(["json"])).ends(0).json();
    let agents = &told["agents"];
    assert_eq!((&agents["overruled"], &agents["contradicted"], &agents["filled"]), (&1.into(), &1.into(), &1.into()));
    assert_eq!(agents["dropped"], json!([{"reason": "fills an oracle that there is none of", "count": 1}]));
    let quotes = suite(&repo, "GET /quotes");
    assert!(oracle(&quotes, "bv_quantity_8").is_none(), "the service answers otherwise");
    let right = oracle(&quotes, "bv_12_percent").unwrap();
    assert_eq!((&right["confirmation"]["state"], &right["assumes"]), (&"confirmed".into(), &Value::Null), "{right:#}");
    assert!(oracle(&quotes, "bv_20_percent").is_none(), "the service answers as the rules derive");
    assert_eq!(field(oracle(&quotes, "bv_quantity_10").unwrap(), "discountPercent")["expected"], 10);
    let customers = suite(&repo, "POST /customers");
    assert!(oracle(&customers, "fv_next_id").is_none(), "it is part of the derived one now");
    let filled = oracle(&customers, "fv_country_de").unwrap();
    assert_eq!((&filled["origin"]["engine"], &field(filled, "id")["expected"]), (&"rules".into(), &4.into()));
    assert_eq!(field(filled, "id")["source"], Value::Null, "read in the code, not only observed");
    // What is settled stays: nothing is asked of the model again, and the suite holds.
    let repo = repo.commit("The suite");
    let calls = server.count();
    let again = repo.run(ASKED.into_iter().chain(["json"])).ends(0).json();
    assert_eq!(server.count(), calls);
    let proposed: Vec<&Value> = again["operations"].as_array().unwrap().iter().map(|one| &one["proposed"]).collect();
    assert_eq!(proposed, [0, 0], "what the service showed against the rules is settled: {again:#}");
    assert_eq!(oracle(&suite(&repo, "GET /quotes"), "bv_12_percent").unwrap(), right);
    assert_eq!(field(oracle(&suite(&repo, "POST /customers"), "fv_country_de").unwrap(), "id")["expected"], 4);
    repo.run(["check"]).ends(0);
}

#[test]
fn without_a_service_what_contradicts_goes_and_what_fills_is_assumed() {
    let server = Server::start(beside_rules);
    let repo = example(&server, "");
    let told = repo.run(ASKED.into_iter().chain(["json"])).ends(0).json();
    assert_eq!((&told["agents"]["contradicted"], &told["agents"]["filled"]), (&2.into(), &0.into()));
    let quotes = suite(&repo, "GET /quotes");
    assert!(oracle(&quotes, "bv_quantity_8").is_some() && oracle(&quotes, "bv_12_percent").is_none());
    let customers = suite(&repo, "POST /customers");
    assert_eq!(field(oracle(&customers, "fv_country_de").unwrap(), "id")["expected"], Value::Null);
    let reading = oracle(&customers, "fv_next_id").unwrap();
    assert!(reading["assumes"][0]["what"].as_str().unwrap().contains("as scripted reads the code"), "{reading:#}");
    let prompt =
        server.received().iter().find(|one| operation(one.user()) == "POST /customers").unwrap().user().to_owned();
    assert!(
        prompt.contains(
            "201, country = \"DE\", email = \"ada2@example.com\", name = \"sample\"; open: id\n  fv_country_de: "
        ),
        "{prompt}"
    );
}

/// A service behind a filter that asks a library.
fn behind_a_gate() -> Repo {
    let filter = "package a;\nimport jakarta.servlet.*;\nimport org.springframework.stereotype.Component;\n@Component\nclass GateFilter implements Filter {\n    \
                  private final com.acme.gate.Gate gate;\n    GateFilter(com.acme.gate.Gate gate) {\n        this.gate = gate;\n    }\n    \
                  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain) throws java.io.IOException, ServletException {\n        \
                  gate.pass(request, response, chain);\n    }\n}\n";
    let quotes = "package a;\nimport org.springframework.web.bind.annotation.*;\n@RestController\nclass Quotes {\n    @GetMapping(\"/twice\")\n    \
                  int twice(@RequestParam int n) {\n        return 2 * n;\n    }\n    @GetMapping(\"/half\")\n    int half(@RequestParam int n) {\n        return n / 2;\n    }\n}\n";
    Repo::new()
        .file("src/main/java/a/GateFilter.java", filter)
        .file("src/main/java/a/Quotes.java", quotes)
        .file("pom.xml", "<project/>")
}

#[test]
fn an_assumption_is_asked_about_once_and_what_is_said_stays_with_it() {
    let server = Server::start(|received| {
        let prompt = received.user();
        let asked = prompt.split("They rest on these assumptions.").nth(1).map(|rest| {
            let line = rest.lines().find(|line| line.contains("GateFilter")).unwrap_or_else(|| panic!("{prompt}"));
            line.split(':').next().unwrap().to_owned()
        });
        let said = asked.map(|id| json!({"id": id, "holds": true, "why": "The gate hands on whatever comes."}));
        Reply::json(&match agent(received) {
            "oracles" => {
                json!({"oracles": [], "assumptions": said.into_iter().chain([json!({"id": "0", "holds": false})]).collect::<Vec<_>>()})
            }
            "review" => json!({"hints": []}),
            "associations" => json!({"groups": []}),
            "extraction" => json!({}),
            other => panic!("{other} was not expected"),
        })
    });
    let settings = format!("[model.primary]\nbase-url = \"{}\"\nmodel = \"scripted\"\n", server.base_url);
    let repo = behind_a_gate().file("mastor.toml", settings).commit("A service");
    repo.run(["generate", "--all", "--slices", "off"]).ends(0);
    let prompts: Vec<String> = server.received().iter().map(|one| one.user().to_owned()).collect();
    let asking = prompts.iter().filter(|prompt| prompt.contains("They rest on these assumptions.")).count();
    assert_eq!(asking, 1, "{prompts:#?}");
    for op in ["GET /twice", "GET /half"] {
        let suite = suite(&repo, op);
        let assumed = suite["oracles"].as_array().unwrap().iter().flat_map(|one| one["assumes"].as_array().unwrap());
        let of_gate: Vec<&Value> = assumed.filter(|one| one["what"].as_str().unwrap().contains("GateFilter")).collect();
        assert!(!of_gate.is_empty(), "{suite:#}");
        for one in of_gate {
            assert_eq!(
                one["opinion"],
                json!({"model": "scripted", "holds": true, "why": "The gate hands on whatever comes."})
            );
        }
    }
    let first = suite(&repo, "GET /half")["oracles"][0]["o_id"].as_str().unwrap().to_owned();
    repo.run(["explain", &first]).ends(0).says(&["(scripted reads that it is so: The gate hands on whatever comes.)"]);
    // Rules alone keep it.
    repo.run(["generate", "--all", "--engine", "rules", "--slices", "off"]).ends(0);
    assert!(suite(&repo, "GET /half").to_string().contains("The gate hands on whatever comes."));
}
