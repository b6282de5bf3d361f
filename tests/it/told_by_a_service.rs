//! Unreliable answers of a running service: it dies, its base path is wrong, or it depends on other services.

use crate::orders_of_commands::{CODE, JAVA, SERVER, suite};
use crate::support::Repo;

#[test]
fn what_could_not_be_confirmed_to_the_end_does_not_end_well() {
    let settings = "[api]\nname = \"codes\"\nopenapi = false\n[service]\nstart = \"exec python3 server.py {port}\"\nready = { port = true }\n\
                    reset = \"none\"\nstop-within = \"1s\"\n";
    // The service dies after a few answers.
    let server = SERVER.replace("import http.server,", "import os, http.server,").replace(
        "def do_GET(self):",
        "def do_GET(self):\n        asked = open(\"asked\", \"a\")\n        if asked.tell() > 2: os._exit(1)\n        asked.write(\".\")\n        asked.close()",
    );
    let repo = Repo::new().file("server.py", server).file(CODE, JAVA).file("mastor.toml", settings).commit("Codes");
    let ran = repo.run(["generate", "--all"]);
    let ran = ran.ends(4);
    assert!(ran.out.starts_with("not all was confirmed: "), "{}", ran.out);
    let whole = Repo::new().file("server.py", SERVER).file(CODE, JAVA).file("mastor.toml", settings).commit("Codes");
    let ran = whole.run(["generate", "--all"]).ends(0);
    assert!(!ran.out.contains("not all was confirmed"), "{}", ran.out);
}

#[test]
fn nothing_is_made_of_the_page_that_answers_below_a_wrong_base_path() {
    let handlers: String =
        (1..=4).map(|n| format!("@GetMapping(\"/c{n}\") public String c{n}() {{ return \"c{n}\"; }}\n")).collect();
    let code = format!(
        "package a; import org.springframework.web.bind.annotation.*;\n@RestController public class Codes {{ {handlers} }}\n"
    );
    let server = |path: &str| {
        format!(
            "import http.server, sys\nclass Handler(http.server.BaseHTTPRequestHandler):\n    def do_GET(self):\n        \
             is_there = self.path.startswith(\"{path}/c\")\n        text = (self.path[-2:] if is_there else \"<h1>No page at \" + self.path).encode()\n        \
             self.send_response(200 if is_there else 404)\n        self.send_header(\"Content-Type\", \"text/plain;charset=UTF-8\" if is_there else \"text/html\")\n        \
             self.send_header(\"Content-Length\", str(len(text)))\n        self.end_headers()\n        self.wfile.write(text)\n    def log_message(self, *_): pass\n\
             http.server.ThreadingHTTPServer((\"127.0.0.1\", int(sys.argv[1])), Handler).serve_forever()\n"
        )
    };
    let settings = |base: &str| {
        format!(
            "[api]\nname = \"codes\"\n[service]\nstart = \"exec python3 server.py {{port}}\"\nready = {{ port = true }}\n\
             base-url = \"http://127.0.0.1:{{port}}{base}\"\nreset = \"none\"\nstop-within = \"1s\"\n"
        )
    };
    let paths: Vec<String> = (1..=4)
        .map(|n| format!("\"/c{n}\":{{\"get\":{{\"responses\":{{\"200\":{{\"description\":\"d\"}}}}}}}}"))
        .collect();
    let document = format!(
        "{{\"swagger\":\"2.0\",\"info\":{{\"title\":\"t\",\"version\":\"1\"}},\"basePath\":\"/api\",\"paths\":{{{}}}}}",
        paths.join(",")
    );
    let repo = |served: &str, base: &str| {
        let repo = Repo::new().file("server.py", server(served)).file(CODE, &code).file("openapi.json", &document);
        repo.file("mastor.toml", settings(base)).commit("Codes")
    };
    let wrong = repo("/elsewhere", "");
    let ran = wrong.run(["generate", "--all"]).ends(3);
    assert!(ran.out.contains("end in 404") && ran.out.contains("below /api"), "{}", ran.out);
    let made = suite(&wrong);
    assert!(!made.values().any(|bytes| String::from_utf8_lossy(bytes).contains("text/html")), "{:?}", made.keys());
    // If the document's base path works, every command uses it and says so.
    let found = repo("/api", "");
    let said = "is asked below /api, as the document says: end `[service] base-url` in it";
    found.run(["generate", "--all"]).ends(0).says(&[said]);
    assert!(suite(&found).values().any(|bytes| String::from_utf8_lossy(bytes).contains("\"confirmed\"")));
    found.run(["check"]).ends(0).says(&[said, "0 broken"]);
    let ran = repo("/api", "/api").run(["generate", "--all"]).ends(0);
    assert!(!ran.out.contains("end in 404") && !ran.err.contains(said), "{}{}", ran.out, ran.err);
}

#[test]
fn what_another_service_gives_is_asserted_by_no_value() {
    let code = "package a; import org.springframework.web.bind.annotation.*; import org.springframework.web.client.*;
@RestController public class Codes {
  private final RestTemplate rates = new RestTemplate();
  @GetMapping(\"/rate\") public Object rate() {
    try { return rates.getForObject(\"http://rates.example/now\", Object.class); } catch (RestClientException e) { return -1; } }
  @GetMapping(\"/fixed\") public Object fixed() { return org.vendor.Rates.fixed(); } }
";
    let server = "import http.server, sys\nclass Handler(http.server.BaseHTTPRequestHandler):\n    def do_GET(self):\n        text = b'{\"rate\": -1}'\n        \
                  self.send_response(200)\n        self.send_header(\"Content-Type\", \"application/json\")\n        self.send_header(\"Content-Length\", str(len(text)))\n        \
                  self.end_headers()\n        self.wfile.write(text)\n    def log_message(self, *_): pass\n\
                  http.server.ThreadingHTTPServer((\"127.0.0.1\", int(sys.argv[1])), Handler).serve_forever()\n";
    let settings = "[api]\nname = \"codes\"\nopenapi = false\n[service]\nstart = \"exec python3 server.py {port}\"\nready = { port = true }\n\
                    reset = \"none\"\nstop-within = \"1s\"\n";
    let repo = Repo::new().file("server.py", server).file(CODE, code).file("mastor.toml", settings).commit("Rates");
    let told = repo.run(["generate", "--all", "--format", "json"]).ends(0).json().to_string();
    assert_eq!(told.matches("it asks other services").count(), 1, "{told}");
    let fields = |of: &str| -> Vec<String> {
        let made = suite(&repo);
        let (_, bytes) = made.iter().find(|(path, _)| path.starts_with(&format!(".mastor/suite/get-{of}-"))).unwrap();
        let file: serde_json::Value = serde_json::from_slice(bytes).unwrap();
        let oracles = file["oracles"].as_array().unwrap().clone();
        let checks = oracles.iter().flat_map(|oracle| oracle["assertions"].as_array().unwrap().clone());
        checks.map(|check| check["type"].as_str().unwrap().to_owned()).collect()
    };
    assert!(fields("fixed").contains(&"field".to_owned()), "{:?}", fields("fixed"));
    assert!(fields("rate").contains(&"status".to_owned()), "{:?}", fields("rate"));
    assert!(!fields("rate").contains(&"field".to_owned()), "{:?}", fields("rate"));
}

/// A difference that may come from another service is not reported as a change; the operation is undecided and names the difference.
#[test]
fn what_differs_may_come_from_another_service() {
    let code = "package a; import org.springframework.web.bind.annotation.*; import org.springframework.web.client.*;
@RestController public class Codes {
  private final RestTemplate rates = new RestTemplate();
  @GetMapping(\"/rate\") public Object rate() { int n = 1; return rates.getForObject(\"http://rates.example/now\", Object.class); } }
";
    // The other service's value differs at each start.
    let server = "import http.server, os, sys\nclass Handler(http.server.BaseHTTPRequestHandler):\n    def do_GET(self):\n        text = b'{\"rate\": %d}' % os.getpid()\n        \
                  self.send_response(200)\n        self.send_header(\"Content-Type\", \"application/json\")\n        self.send_header(\"Content-Length\", str(len(text)))\n        \
                  self.end_headers()\n        self.wfile.write(text)\n    def log_message(self, *_): pass\n\
                  http.server.ThreadingHTTPServer((\"127.0.0.1\", int(sys.argv[1])), Handler).serve_forever()\n";
    let settings = "[api]\nname = \"codes\"\nopenapi = false\n[service]\nstart = \"exec python3 server.py {port}\"\nready = { port = true }\n\
                    reset = \"none\"\nstop-within = \"1s\"\n";
    let repo = Repo::new().file("server.py", server).file(CODE, code).file("mastor.toml", settings).commit("Rates");
    let repo = repo.branch("feature").edit(CODE, "int n = 1;", "int n = 2;").commit("Count two");
    let report = repo.run(["ci", "--since", "main", "--format", "json"]).ends(0).json();
    assert_eq!(report["changes"].as_array().unwrap().len(), 0, "{report:#}");
    assert_eq!(report["compared"][0]["state"], "undecided", "{report:#}");
    assert!(report["compared"][0].to_string().contains("what differs may come from there"), "{report:#}");
}

/// The report of a change that removes a save, on a service where two operations create codes and refuse existing ones.
fn lost_save(reset: &str) -> serde_json::Value {
    let code =
        "package a; import org.springframework.http.ResponseEntity; import org.springframework.web.bind.annotation.*;
@RestController public class Codes {
  public record In(String code, String note) {}
  @PostMapping(\"/codes\") public ResponseEntity<String> make(@RequestBody In in) { return keep(in); }
  @PostMapping(\"/drafts\") public ResponseEntity<String> draft(@RequestBody In in) { return keep(in); }
  private ResponseEntity<String> keep(In in) {
    if (org.vendor.Store.has(in.code())) { return ResponseEntity.badRequest().body(\"there\"); }
    org.vendor.Store.add(in.code());
    return ResponseEntity.status(201).body(\"made\");
  }
}
";
    let server = "import http.server, json, sys\nSAVES = 'Store.add(' in open('src/main/java/a/Codes.java').read()\nCODES = set()\n\
                  class Handler(http.server.BaseHTTPRequestHandler):\n    def do_POST(self):\n        \
                  body = json.loads(self.rfile.read(int(self.headers.get('Content-Length', 0))) or b'{}')\n        code = body.get('code')\n        \
                  status = 400 if code in CODES else 201\n        if SAVES: CODES.add(code)\n        text = b'there' if status == 400 else b'made'\n        \
                  self.send_response(status)\n        self.send_header(\"Content-Type\", \"text/plain;charset=UTF-8\")\n        self.send_header(\"Content-Length\", str(len(text)))\n        \
                  self.end_headers()\n        self.wfile.write(text)\n    def log_message(self, *_): pass\n\
                  http.server.ThreadingHTTPServer((\"127.0.0.1\", int(sys.argv[1])), Handler).serve_forever()\n";
    let settings = format!(
        "[api]\nname = \"codes\"\nopenapi = false\n[service]\nstart = \"exec python3 server.py {{port}}\"\nready = {{ port = true }}\n\
         reset = \"{reset}\"\nstop-within = \"1s\"\n"
    );
    let repo = Repo::new().file("server.py", server).file(CODE, code).file("mastor.toml", settings).commit("Codes");
    let repo = repo.branch("feature").edit(CODE, "org.vendor.Store.add(in.code());", "").commit("Save no more");
    repo.run(["ci", "--since", "main", "--format", "json"]).json()
}

#[test]
fn what_rests_on_what_earlier_requests_left_behind_is_no_difference_and_no_oracle() {
    // The only reported changes are derived: the removed call.
    let of_code = |report: &serde_json::Value| {
        let changes = report["changes"].as_array().unwrap();
        let derived = |change: &serde_json::Value| {
            change["kind"] == "derived"
                && change["what"].as_str().unwrap().starts_with("no longer calls `Store.add(code)`")
        };
        assert!(!changes.is_empty() && changes.iter().all(derived), "{changes:#?}");
    };
    // After a restart, both operations create the code.
    let report = lost_save("restart");
    of_code(&report);
    assert_eq!(report["generate"]["totals"]["oracles"], 4, "{}", report["generate"]);
    // Without a reset, the request that fails because of the other one's code becomes no oracle.
    let report = lost_save("none");
    of_code(&report);
    assert_eq!(report["generate"]["totals"]["oracles"], 3, "{}", report["generate"]);
}
