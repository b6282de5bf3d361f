//! Operations that no rule matches: a model names their entries. These are committed and analysed like all others, and the model is asked again only
//! when an entry has vanished.

use serde_json::{Value, json};

use super::faithful::{cite, operation};
use super::runs::suite;
use crate::llm::server::{Received, Reply, Server};
use crate::support::Repo;

const DOCUMENT: &str = r#"openapi: 3.0.3
info: {title: Greetings, version: "1"}
paths:
  /greetings/{name}:
    get:
      operationId: greet
      parameters: [{name: name, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: a greeting}}
  /nowhere:
    get:
      operationId: nowhere
      responses: {"200": {description: nothing}}
"#;

const ROUTER: &str = r#"package acme;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

public class Router {
    private static final String ROOT = "/greet" + "ings";
    private final Map<String, Function<String, String>> table = new HashMap<>();

    public Router(Greetings greetings) {
        table.put("GET " + ROOT + "/*", greetings::greet);
    }

    public String dispatch(String method, String path) {
        int last = path.lastIndexOf('/');
        return table.get(method + " " + path.substring(0, last) + "/*").apply(path.substring(last + 1));
    }
}
"#;

const GREETINGS: &str = r#"package acme;

public class Greetings {
    private final Words words = new Words();

    public String greet(String name) {
        if (name.length() > 20) {
            throw new IllegalArgumentException("too long");
        }
        return words.hello() + ", " + name;
    }
}
"#;

const WORDS: &str = r#"package acme;

public class Words {
    String hello() {
        return "Hello";
    }
}
"#;

const GREET: &str = "GET /greetings/{name}";
const LEAVE: &str = "GET /farewells/{name}";

fn project(server: &Server) -> Repo {
    let settings = format!("[model.primary]\nbase-url = \"{}\"\nmodel = \"scripted\"\n", server.base_url);
    Repo::new()
        .file("mastor.toml", settings)
        .file("openapi.yaml", DOCUMENT)
        .file("src/main/java/acme/Router.java", ROUTER)
        .file("src/main/java/acme/Greetings.java", GREETINGS)
        .file("src/main/java/acme/Words.java", WORDS)
        .commit("A router of their own")
}

const TASK: &str = "# Task: which method implements which operation";

/// How often the model was asked for entries.
fn matchings(server: &Server) -> usize {
    server.received().iter().filter(|received| received.user().contains(TASK)).count()
}

/// A model that knows the greeting method, and also names entries that it must not.
fn greeter() -> Server {
    Server::start(|received: &Received| {
        let prompt = received.user();
        if prompt.contains(TASK) {
            let welcomes = prompt.contains("String welcome(");
            let method = if welcomes { "welcome" } else { "greet" };
            let line = |method: &str| cite(prompt, "Greetings.java", &format!("String {method}("));
            let one = |operation: &str, class: &str, method: &str, line: String| json!({"operation": operation, "class": class, "method": method, "evidence": line});
            let mut matches = vec![
                one("DELETE /everything", "acme.Greetings", method, line(method)),
                one("GET /nowhere", "java.lang.Runtime", "exec", line(method)),
                one(GREET, "acme.Greetings", method, line(method)),
            ];
            if prompt.contains(LEAVE) {
                matches = vec![one(LEAVE, "Greetings", "leave(String)", line("leave"))];
            }
            return Reply::json(&json!({ "matches": matches }));
        }
        let long = || cite(prompt, "Greetings.java", "name.length()");
        Reply::json(&match prompt {
            _ if prompt.contains("# Task: the source context") => json!({
                "request_params": [{"name": "name", "location": "path", "type": "String", "required": true,
                    "constraints": [{"kind": "length", "max": 20, "evidence": long()}], "evidence": long()}],
                "success_status": 200,
            }),
            _ if prompt.contains("# Task: test oracles for one operation") && operation(prompt) == LEAVE => json!({
                "oracles": [{"test_id": "fv_leaves", "description": "Says good bye.", "strategy": "fv",
                    "input": {"path": {"name": "Ada"}}, "assertions": [{"type": "status", "expected": 200},
                        {"type": "field", "path": "", "op": "equals", "expected": "Bye, 3"}],
                    "evidence": [cite(prompt, "Greetings.java", "Bye")], "rationale": "It returns the length."}],
            }),
            _ if prompt.contains("# Task: test oracles for one operation") && operation(prompt) == GREET => json!({
                "oracles": [{"test_id": "fv_greets", "description": "Greets by name.", "strategy": "fv",
                    "input": {"path": {"name": "Ada"}}, "assertions": [{"type": "status", "expected": 200},
                        {"type": "field", "path": "", "op": "equals", "expected": "Hello, Ada"}],
                    "evidence": [cite(prompt, "Words.java", "return")], "rationale": "It returns the greeting."}],
            }),
            _ => json!({"hints": [], "groups": [], "oracles": []}),
        })
    })
}

fn row(repo: &Repo, op: &str) -> Value {
    let rows = repo.json(["operations", "--format", "json"]);
    let rows = rows["operations"].as_array().unwrap().clone();
    rows.into_iter().find(|row| row["op_id"] == op).unwrap()
}

#[test]
fn an_entry_that_a_model_names_is_committed_followed_and_asked_for_once() {
    let server = greeter();
    let repo = project(&server);
    for op in [GREET, "GET /nowhere"] {
        assert_eq!(row(&repo, op)["status"], "unmatched");
    }
    // A dry run names the call and its files, and sends nothing.
    let dry = repo.json(["generate", "--all", "--dry-run", "--format", "json"]);
    assert_eq!(dry["planned"]["calls"][0]["agent"], "OasMatching", "{dry}");
    assert!(dry["planned"]["files"].as_array().unwrap().contains(&json!("src/main/java/acme/Router.java")), "{dry}");
    assert_eq!(server.count(), 0);

    let told = repo.json(["generate", "--all", "--engine", "agents", "--format", "json"]);
    let agents = &told["agents"];
    assert_eq!(
        agents["matched"],
        json!([{"op_id": GREET, "entry": {"class": "acme.Greetings", "method": "greet(String)"}}]),
        "{agents}"
    );
    let reasons: Vec<&str> =
        agents["dropped"].as_array().unwrap().iter().map(|one| one["reason"].as_str().unwrap()).collect();
    for reason in ["matches an operation that was not asked for", "matches a method that was not shown"] {
        assert!(reasons.contains(&reason), "{reasons:?}");
    }
    assert_eq!(agents["by_agent"]["OasMatching"]["calls"], 1);
    let greet = suite(&repo, GREET);
    assert_eq!(greet["context"]["matched_by"], "model");
    assert_eq!(greet["oracles"][0]["test_id"], "fv_greets", "{agents:#}");
    // A later engine that writes the suite keeps `matched_by`.
    repo.run(["generate", "--all", "--engine", "rules"]).ends(0);
    assert_eq!(suite(&repo, GREET)["context"]["matched_by"], "model");
    repo.run(["generate", "--all", "--engine", "agents"]).ends(0);
    let repo = repo.commit("The suite");

    // From now on the operation counts as matched, also for commands that never ask a model.
    let asked = server.count();
    let matched = row(&repo, GREET);
    assert_eq!((&matched["status"], &matched["entry"]["method"]), (&json!("matched"), &json!("greet(String)")));
    assert!(matched["matched_by"].as_str().unwrap().contains("named by a model"), "{matched}");
    assert_eq!(row(&repo, "GET /nowhere")["status"], "unmatched");
    let repo = repo.branch("change").edit("src/main/java/acme/Words.java", "\"Hello\"", "\"Hi\"").commit("Shorter");
    repo.run(["why", GREET, "--since", "main"]).ends(0).says(&["Words"]);
    assert_eq!(server.count(), asked);
    // On a pull request, the model is asked about the operation but not for its entry.
    let report = repo.json(["ci", "--since", "main", "--engine", "agents", "--format", "json"]);
    let plan = report["plan"].to_string();
    assert!(plan.contains(GREET), "{plan}");
    assert_eq!(matchings(&server), 1);

    // When the entry vanishes, a message says so, and the model is asked again.
    let repo = repo
        .edit("src/main/java/acme/Greetings.java", "String greet(", "String welcome(")
        .edit("src/main/java/acme/Router.java", "greetings::greet", "greetings::welcome")
        .commit("Renamed");
    let gone = row(&repo, GREET);
    assert_eq!(gone["status"], "unmatched");
    assert!(gone["reason"].as_str().unwrap().contains("not there any more"), "{gone}");
    let told = repo.json(["generate", "--engine", "agents", "--format", "json"]);
    assert_eq!(told["agents"]["matched"][0]["entry"]["method"], "welcome(String)", "{told}");
    assert_eq!(matchings(&server), 2);
    assert_eq!(row(&repo, GREET)["entry"]["method"], "welcome(String)");
    repo.run(["generate", "--engine", "agents"]).ends(0);
    assert_eq!(matchings(&server), 2);
}

#[test]
fn an_operation_that_is_new_in_a_pull_request_is_asked_for_there() {
    let server = greeter();
    let repo = project(&server);
    repo.run(["generate", "--all", "--engine", "agents"]).ends(0);
    let farewells = "  /farewells/{name}:
    get:
      parameters: [{name: name, in: path, required: true, schema: {type: string}}]
      responses: {\"200\": {description: a farewell}}
  /nowhere:";
    let put = "::greet);\n        table.put(\"GET /farewells/*\", greetings::leave);\n";
    let leave = "    public String leave(String name) {\n        return \"Bye, \" + name.length();\n    }\n\n";
    let repo = repo
        .commit("The suite")
        .branch("new")
        .file("openapi.yaml", DOCUMENT.replace("  /nowhere:", farewells))
        .edit("src/main/java/acme/Router.java", "::greet);\n", put)
        .edit(
            "src/main/java/acme/Greetings.java",
            "    public String greet",
            &format!("{leave}    public String greet"),
        )
        .commit("Farewells");
    let report = repo.json(["ci", "--since", "main", "--engine", "agents", "--format", "json"]);
    let agents = &report["generate"]["agents"];
    let entry = json!({"class": "acme.Greetings", "method": "leave(String)"});
    assert_eq!(agents["matched"], json!([{"op_id": LEAVE, "entry": entry}]), "{agents}");
    // Operations that were unmatched before are not asked for.
    let asked = server.received();
    let last = asked.iter().rfind(|received| received.user().contains(TASK)).unwrap();
    assert!(!last.user().contains("GET /nowhere") && matchings(&server) == 2);
    // The proposed patch contains the match.
    repo.git(["apply", ".mastor/out/proposed.patch"]);
    assert_eq!(suite(&repo, LEAVE)["context"]["matched_by"], "model");
    assert_eq!(row(&repo, LEAVE)["status"], "matched");
}
