//! `mastor init` in realistic repositories: several services and documents, stores in containers, and a trial start.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt as _;

use crate::support::{Ran, Repo};
use crate::tools::finds_nothing;

const WORKFLOW: &str = ".github/workflows/mastor.yml";

/// A `pom.xml` of a Spring Boot project with these dependencies.
fn pom(name: &str, artifacts: &[&str]) -> String {
    let each =
        |artifact: &&str| format!("<dependency><groupId>g</groupId><artifactId>{artifact}</artifactId></dependency>");
    let artifacts: String = artifacts.iter().map(each).collect();
    format!(
        "<project><parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId>\
         <version>3.5.7</version></parent><artifactId>{name}</artifactId><version>1</version><properties><java.version>17</java.version>\
         </properties><dependencies>{artifacts}</dependencies><build><plugins><plugin><groupId>org.springframework.boot</groupId>\
         <artifactId>spring-boot-maven-plugin</artifactId></plugin></plugins></build></project>"
    )
}

fn main_class(package: &str) -> String {
    format!(
        "package {package}; import org.springframework.boot.SpringApplication;\n\
         @org.springframework.boot.autoconfigure.SpringBootApplication public class App {{\n\
         public static void main(String[] args) {{ SpringApplication.run(App.class, args); }} }}"
    )
}

fn controller(package: &str, path: &str) -> String {
    format!(
        "package {package}; import org.springframework.web.bind.annotation.*;\n\
         @RestController public class C {{ @GetMapping(\"{path}\") public String get() {{ return \"a\"; }} }}"
    )
}

/// Adds a module with a main class and a controller.
fn service(repo: Repo, dir: &str, artifacts: &[&str]) -> Repo {
    let package = format!("com.acme.{dir}");
    let java = format!("{dir}/src/main/java/com/acme/{dir}");
    repo.file(&format!("{dir}/pom.xml"), pom(dir, artifacts))
        .file(&format!("{java}/App.java"), main_class(&package))
        .file(&format!("{java}/C.java"), controller(&package, &format!("/{dir}/{{id}}")))
}

fn settings(repo: &Repo, path: &str) -> toml::Table {
    toml::from_str(&repo.read(path)).unwrap()
}

#[test]
fn each_service_gets_a_file_with_what_belongs_to_it() {
    let repo = service(service(Repo::new(), "orders", &[]), "users", &["accounts"])
        .file("gateway/pom.xml", pom("gateway", &[]))
        .file("gateway/src/main/java/com/acme/gateway/App.java", main_class("com.acme.gateway"))
        .file("accounts/pom.xml", "<project><artifactId>accounts</artifactId><version>1</version></project>")
        .file("accounts/src/main/java/com/acme/accounts/C.java", controller("com.acme.accounts", "/accounts"))
        .commit("Services");
    let ran = repo.run(["init", "--no-service"]).ends(0).says(&[
        "services: 2, each with a mastor.toml of its own",
        "orders: 1 routes",
        "users: 2 routes, with accounts",
        "serve no route, so no services: gateway",
    ]);
    assert!(ran.out.contains("orders/mastor.toml\n") && ran.out.contains("users/mastor.toml\n"), "{}", ran.out);
    assert!(!repo.path().join("mastor.toml").exists() && !repo.path().join("gateway/mastor.toml").exists());
    // If a service's folder contains all its routes, no source roots are written.
    assert!(!settings(&repo, "orders/mastor.toml")["api"].as_table().unwrap().contains_key("source"));
    let roots = settings(&repo, "users/mastor.toml")["api"]["source"].clone();
    assert_eq!(roots, toml::Value::from(vec!["src/main/java", "../accounts/src/main/java"]));
    let listed = repo.json(["operations", "--format", "json"]);
    let of = |at: usize| listed["services"][at]["operations"].as_array().unwrap().len();
    assert_eq!((of(0), of(1)), (1, 2), "{listed}");
    // Run in a service's folder, `init` configures only that service.
    let repo = service(service(Repo::new(), "orders", &[]), "users", &[]).commit("Services");
    repo.run(["-C", "users", "init", "--no-service"]).ends(0);
    assert!(repo.path().join("users/mastor.toml").exists() && !repo.path().join("orders/mastor.toml").exists());
}

#[test]
fn of_several_documents_the_one_that_describes_the_routes_is_taken() {
    let document = |paths: &[&str]| {
        let each =
            |path: &&str| format!("\"{path}\": {{\"get\": {{\"responses\": {{\"200\": {{\"description\": \"\"}}}}}}}}");
        let paths: Vec<String> = paths.iter().map(each).collect();
        format!(
            "{{\"openapi\": \"3.0.3\", \"info\": {{\"title\": \"t\", \"version\": \"1\"}}, \"paths\": {{{}}}}}",
            paths.join(", ")
        )
    };
    let repo = service(service(Repo::new(), "orders", &[]), "users", &[])
        .file("orders/openapi.json", document(&["/elsewhere", "/nowhere"]))
        .file("orders/docs/v2.json", document(&["/orders/{id}", "/orders"]))
        .file("users/openapi.json", document(&["/elsewhere"]))
        .commit("Documents");
    repo.run(["init", "--no-service"]).ends(0).says(&[
        "document: orders/docs/v2.json (it fits best: 1 of its 2 operations are among the 1 routes)",
        "not taken: orders/openapi.json (0 of its 2",
        "document: none of those found describes a route",
    ]);
    assert_eq!(settings(&repo, "orders/mastor.toml")["api"]["openapi"].as_str(), Some("docs/v2.json"));
    assert_eq!(settings(&repo, "users/mastor.toml")["api"]["openapi"].as_bool(), Some(false));
}

#[test]
fn stores_come_in_containers_where_the_settings_lead() {
    let jpa = ["spring-boot-starter-data-jpa", "mysql-connector-j"];
    let repo =
        service(service(Repo::new(), "orders", &jpa), "users", &["spring-boot-starter-data-mongodb", "spring-kafka"])
            .file(
                "orders/src/main/resources/application.yml",
                "spring.datasource.url: jdbc:mysql://localhost:3306/shop\nkey: ${API_KEY}\n",
            )
            .commit("Services");
    repo.git(["update-ref", "refs/remotes/origin/develop", "HEAD"]);
    repo.git(["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/develop"]);
    repo.git(["remote", "add", "origin", "file:///nowhere"]);
    let ran = repo.run(["init", "--no-service"]).ends(0);
    ran.says(&["needs: MySQL:", "needs: MongoDB, Kafka:", "pushes to develop", "with Java 17 and a cache for Maven"]);
    let orders = settings(&repo, "orders/mastor.toml")["service"].clone();
    assert_eq!(orders["enabled"].as_bool(), Some(false));
    let url = orders["env"]["SPRING_DATASOURCE_URL"].as_str().unwrap();
    assert_eq!(url, "jdbc:mysql://127.0.0.1:13306/shop?allowPublicKeyRetrieval=true");
    let start = orders["start"].as_str().unwrap();
    assert!(
        start.starts_with("docker exec ") && start.contains("CREATE DATABASE shop\" && java -XX:TieredStopAtLevel=1 "),
        "{start}"
    );
    let workflow = repo.read(WORKFLOW);
    for part in [
        "branches: [develop]",
        "image: mysql:8",
        "image: mongo:8",
        "image: apache/kafka:3",
        "java-version: \"17\"",
        "cache: maven",
    ] {
        assert!(workflow.contains(part), "{part}\n{workflow}");
    }
    assert!(!workflow.contains("image: redis"), "{workflow}");
    let written = vec![repo.path().join(WORKFLOW).display().to_string()];
    finds_nothing("actionlint", &["-ignore", "OWNER"], &written);
    // The generated workflow names the action by a tag, and a comment asks to pin it.
    let pinned = workflow.replace("mastor@v0.1.0", "mastor@0000000000000000000000000000000000000000 # v0.1.0");
    std::fs::write(&written[0], pinned).unwrap();
    finds_nothing("zizmor", &["--offline", "--pedantic", "--quiet", "--no-progress"], &written);
    finds_nothing("check-jsonschema", &["--builtin-schema", "vendor.github-workflows"], &written);
}

/// Runs `init` with these programs first on the PATH.
fn with_programs(repo: &Repo, programs: &[(&str, &str)]) -> Ran {
    run_with_programs(repo, &["init"], programs)
}

/// Runs a command with these programs first on the PATH.
fn run_with_programs(repo: &Repo, command: &[&str], programs: &[(&str, &str)]) -> Ran {
    let folder = repo.path().join(".git/programs");
    std::fs::create_dir_all(&folder).unwrap();
    for (name, text) in programs {
        std::fs::write(folder.join(name), text).unwrap();
        std::fs::set_permissions(folder.join(name), std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let output = repo.mastor(command.iter().copied()).env("PATH", path).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ran { code: output.status.code().unwrap(), out: text(&output.stdout), err: text(&output.stderr) }
}

const MAVEN: &str = "#!/bin/sh\nexit 0\n";
/// A fake `java`: prints its version, or listens on the port in its arguments.
const JAVA: &str = "#!/bin/sh\n[ \"$1\" = -version ] && { echo 'openjdk version \"21.0.1\"' >&2; exit 0; }\n\
                    for a in \"$@\"; do case $a in --server.port=*) port=${a#*=};; esac; done\n\
                    exec python3 -m http.server \"$port\" --bind 127.0.0.1\n";

#[test]
fn a_service_is_on_once_it_was_seen_to_start_and_off_with_what_was_missing() {
    let starts = service(Repo::new(), "orders", &[]).commit("A service");
    with_programs(&starts, &[("mvn", MAVEN), ("java", JAVA)]).ends(0).says(&["on: it was ready after"]);
    let text = starts.read("mastor.toml");
    assert!(
        !text.contains("enabled")
            && text.contains("start = \"java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -jar orders/target/orders-1.jar")
            || text.contains("dir = \"orders\""),
        "{text}"
    );
    starts.run(["config", "show"]).ends(0).says(&["service.start = \"java"]);

    let dies = service(Repo::new(), "orders", &[]).commit("A service");
    let java = JAVA.replace("exec python3", "echo 'no such bean'; exit 1; exec python3");
    with_programs(&dies, &[("mvn", MAVEN), ("java", &java)]).ends(0).says(&["off: ", "| no such bean"]);
    assert!(dies.read("mastor.toml").contains("enabled = false   # true turns it on"));
    dies.run(["doctor"]).ends(0).says(&["switched off", "enabled = true"]);

    let yaml = "app.key: ${API_KEY}\n";
    let lacks = service(Repo::new(), "orders", &["spring-boot-starter-data-redis"])
        .file("orders/src/main/resources/application.yml", yaml)
        .commit("A service");
    with_programs(&lacks, &[("mvn", MAVEN), ("java", JAVA), ("docker", MAVEN)]).ends(0).says(&[
        "off: it was not tried. What is missing here:",
        "a value for `API_KEY`",
        "Redis at 127.0.0.1:16379: docker run -d --name mastor-redis",
    ]);
    assert!(lacks.read("mastor.toml").contains("# - a value for `API_KEY`"));
}

const ACCOUNTS: &str = "package com.acme.orders;
import org.springframework.security.core.Authentication;
import org.springframework.web.bind.annotation.*;
@RestController @RequestMapping(\"/api\")
class AccountController {
    private final Accounts accounts;
    AccountController(Accounts accounts) { this.accounts = accounts; }
    @PostMapping(\"/auth/register\") Account register(@RequestBody SignUp form) { return accounts.make(form); }
    @PostMapping(\"/auth/login\") Token login(@RequestBody SignIn form) { return accounts.letIn(form); }
    @GetMapping(\"/me\") Account me(Authentication caller) { return accounts.of(caller.getName()); }
}
enum Role { ADMIN, USER }
record SignUp(String username, String email, String password, Role role) {}
record SignIn(String email, String password) {}
record Token(String accessToken) {}
record Account(String username, String email) {}
interface Accounts { Account make(SignUp form); Token letIn(SignIn form); Account of(String name); }
";

/// A service with a sign-up and no initial users.
const ACCOUNTS_SERVER: &str = r#"
import http.server, json, sys
known, tokens = {}, {}
class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self, status, value):
        text = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)
    def do_GET(self):
        name = tokens.get(self.headers.get("Authorization", "").removeprefix("Bearer "))
        if self.path != "/api/me": return self.answer(404, {})
        self.answer(200, {"username": name, "email": known[name]["email"]}) if name else self.answer(401, {})
    def do_POST(self):
        sent = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or "{}")
        if self.path == "/api/auth/register":
            if sent.get("username") in known or sent.get("role") != "USER": return self.answer(409, {})
            known[sent["username"]] = sent
            return self.answer(201, {"username": sent["username"], "email": sent["email"]})
        name = next((name for name, one in known.items() if one["email"] == sent.get("email")), None)
        if not name or known[name]["password"] != sent.get("password"): return self.answer(401, {})
        tokens["token-of-" + name + "-0123456789"] = name
        self.answer(200, {"accessToken": "token-of-" + name + "-0123456789"})
    def log_message(self, *_): pass
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"#;

#[test]
fn users_who_can_sign_up_are_found_and_asked_as() {
    let repo = service(Repo::new(), "orders", &["spring-boot-starter-security"])
        .file("orders/src/main/java/com/acme/orders/AccountController.java", ACCOUNTS)
        .commit("A service with accounts");
    let java = JAVA.replace(
        "exec python3 -m http.server \"$port\" --bind 127.0.0.1",
        "exec python3 \"${0%/*}/accounts.py\" \"$port\"",
    );
    let programs = [("mvn", MAVEN), ("java", java.as_str()), ("accounts.py", ACCOUNTS_SERVER)];
    with_programs(&repo, &programs).ends(0).says(&[
        "users: alice and bob sign up by POST /api/auth/register, then POST /api/auth/login (a read that refuses others let them in)",
    ]);
    let auth = repo.read("auth.yaml");
    assert!(auth.contains(r#"\"role\":\"USER\""#) && auth.contains(r#""extractSelector":"/accessToken""#), "{auth}");
    assert!(repo.read("mastor.toml").contains("auth = \"auth.yaml\""), "{}", repo.read("mastor.toml"));
    run_with_programs(&repo, &["generate", "--all"], &programs).ends(0);
    let suite = repo.git(["ls-files", "-o", ".mastor/suite"]);
    let me = suite.lines().find(|path| path.contains("get-api-me-")).unwrap();
    let me: serde_json::Value = serde_json::from_str(&repo.read(me)).unwrap();
    let seen = me["oracles"].as_array().unwrap().iter().find(|oracle| oracle["as"] == "alice");
    let seen = seen.unwrap_or_else(|| panic!("{me:#}"));
    assert_eq!(seen["confirmation"]["state"], "confirmed", "{seen:#}");
    assert!(seen.to_string().contains("alice@example.com"), "{seen:#}");
    // An existing auth file stays.
    let edited = repo.edit("auth.yaml", "name: bob", "name: robert").remove("mastor.toml");
    with_programs(&edited, &programs).ends(0);
    assert!(edited.read("auth.yaml").contains("robert") && edited.read("mastor.toml").contains("auth = \"auth.yaml\""));
    let other = edited.file("auth.yaml", "rules: []\n").remove("mastor.toml");
    with_programs(&other, &programs).ends(0);
    assert!(other.read("auth.yaml") == "rules: []\n" && !other.read("mastor.toml").contains("auth ="));
}

#[test]
fn a_wrapper_that_may_not_be_executed_is_run_by_the_shell() {
    let wrapped = |mode: u32| {
        let repo = service(Repo::new(), "orders", &[])
            .file("orders/mvnw", "#!/bin/sh\n")
            .file("orders/.mvn/wrapper/maven-wrapper.properties", "a=b\n")
            .commit("A service");
        let wrapper = repo.path().join("orders/mvnw");
        std::fs::set_permissions(wrapper, std::fs::Permissions::from_mode(mode)).unwrap();
        repo
    };
    wrapped(0o644).run(["init", "--no-service"]).ends(0).says(&["build: sh ./mvnw -q"]);
    wrapped(0o755).run(["init", "--no-service"]).ends(0).says(&["build: ./mvnw -q"]);
}

#[test]
fn nothing_of_what_is_written_is_a_setting_in_a_comment() {
    let repo = service(Repo::new(), "orders", &["spring-boot-starter-data-redis"]).commit("A service");
    repo.run(["init", "--no-service"]).ends(0);
    let commented = |line: &&str| {
        line.starts_with('#')
            && toml::from_str::<toml::Table>(line.trim_start_matches(['#', ' '])).is_ok_and(|table| !table.is_empty())
    };
    let text = repo.read("mastor.toml");
    assert_eq!(text.lines().find(commented), None, "{text}");
}
