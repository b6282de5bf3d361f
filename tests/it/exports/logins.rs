//! Authentication in all three runners: by an expiring token, by a cookie from a login form, by a key in the query, and by custom headers.

use std::io::Read;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::equal::{checked, differences};
use super::runners::{self, Verdict, Verdicts};
use super::{run, without};
use crate::check::project::{By, as_user, field, id, oracle, project, sequence, status};
use crate::support::Repo;

/// The password of the user who gets a token.
pub const PASSWORD: &str = "l\"ove{{lace}} %&=+";

/// The exports' settings for credentials.
const SETTINGS: [(&str, &str); 8] = [
    ("MASTOR_USER_BY_TOKEN_USERNAME", "ada"),
    ("MASTOR_USER_BY_TOKEN_PASSWORD", PASSWORD),
    ("MASTOR_USER_BY_COOKIE_USERNAME", "grace"),
    ("MASTOR_USER_BY_COOKIE_PASSWORD", "hopper-1906"),
    ("MASTOR_USER_BY_QUERY_PAYLOAD", "{\"pw\": \"hopper-1906\", \"user\": \"grace\", \"remember\": \"yes\"}"),
    ("MASTOR_USER_BY_QUERY_X_TENANT", "acme"),
    ("MASTOR_USER_BY_HEADERS_X_API_KEY", "k3y-of-ada"),
    ("MASTOR_USER_BY_HEADERS_X_TENANT", "acme"),
];

/// The running service of the fixture; it stops when the value is dropped.
struct Service {
    child: Child,
    url: String,
}

impl Service {
    fn start(repo: &Repo) -> Self {
        let sources = repo.path().join("src/main/java/com/acme/notes");
        let mut javac = Command::new("javac");
        javac.args(["-d", "target/classes"]).current_dir(repo.path());
        javac.args(["Main", "Notes", "Logins"].map(|name| sources.join(format!("{name}.java"))));
        let built = run("javac", &mut javac);
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut java = Command::new("java");
        java.args(["-cp", "target/classes", "com.acme.notes.Main", &port.to_string()]).current_dir(repo.path());
        let child = java.stdout(Stdio::null()).spawn().unwrap();
        let started = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(started.elapsed() < Duration::from_secs(60), "the service does not start");
            std::thread::sleep(Duration::from_millis(50));
        }
        Self { child, url: format!("http://127.0.0.1:{port}") }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn who(verb: &str, user: &str, n: u32, assertions: Value) -> Value {
    let name = format!("{}_{user}_{n}", verb.to_lowercase());
    let mut one = as_user(oracle(&format!("{verb} /who"), &name, By::Confirmed, assertions), user);
    // A different query makes each request another oracle.
    one["input"] = json!({"query": [["n", n.to_string()]]});
    one
}

/// The fixture with a suite that sends requests as each of its users.
pub fn notes() -> Repo {
    let is = |user: &str| json!([status(200), field("user", json!(user))]);
    let tenant = || json!([status(200), field("user", json!("grace")), field("tenant", json!("acme"))]);
    let mut oracles = vec![
        oracle("GET /public", "open", By::Confirmed, json!([status(200)])),
        oracle("GET /notes", "nobody", By::Confirmed, json!([status(401)])),
        who("GET", "by-cookie", 1, is("grace")),
        who("POST", "by-cookie", 1, is("grace")),
        who("GET", "by-cookie", 2, is("ada")),
        who("GET", "by-headers", 1, json!([field("user", json!("ada")), field("tenant", json!("acme"))])),
    ];
    oracles.extend((1..=10).map(|n| who("GET", "by token", n, is("ada"))));
    // A user who signs up is created once before the first request, and again after each reset.
    oracles.push(oracle("GET /people", "one_signs_up", By::Confirmed, json!([field("count", json!(1))])));
    oracles.extend((1..=6).map(|n| who("GET", "newcomer", n, is("nnewcomer"))));
    let mut by_query = who("GET", "by-query", 1, tenant());
    by_query["input"] = json!({});
    let mut own = who("GET", "by token", 11, json!([status(401)]));
    own["input"] = json!({"headers": [["Authorization", "Bearer none"]]});
    let mut beside = who("GET", "by-cookie", 3, is("grace"));
    beside["input"] = json!({"cookies": [["a", "b"]]});
    oracles.extend([by_query, own, beside]);
    oracles.push(as_user(
        oracle("POST /notes", "makes_one", By::Confirmed, json!([status(201), field("id", json!(2))])),
        "by-cookie",
    ));
    let step = |op: &str, user: &str, input: Value, assertions: Value| json!({"op_id": op, "as": user, "input": input, "assertions": assertions});
    let made = json!({"body": {"text": "milk", "media_type": "text/plain"}});
    let mut steps = vec![step("POST /notes", "by token", made, json!([status(201)]))];
    steps.extend((0..5).map(|_| step("GET /notes", "by token", json!({}), json!([field("count", json!(2))]))));
    let out = json!([
        step("DELETE /session", "by-cookie", json!({}), json!([status(204)])),
        step("GET /who", "by-cookie", json!({}), json!([status(401)])),
    ]);
    let sequences =
        [sequence("a_note_stays", By::Confirmed, json!(steps)), sequence("who_leaves_is_nobody", By::Confirmed, out)];
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/logins");
    project("", &oracles, &sequences).folder(&fixture, "").commit("A service whose users log in")
}

/// The verdicts of all three runners, each on its own service.
fn verdicts(repo: &Repo, password: &str) -> Vec<(&'static str, Verdicts)> {
    repo.run(["export", "junit", "postman", "--dir", "out"]).ends(0);
    let service = Service::start(repo);
    let mut all = vec![("mastor", checked(repo, &service.url, &[("ADA_PASSWORD", password)]))];
    let settings = |base: &'static str, url: &str| -> Vec<(&'static str, String)> {
        let told = |value: &str| if value == PASSWORD { password.to_owned() } else { value.to_owned() };
        SETTINGS.into_iter().map(|(name, value)| (name, told(value))).chain([(base, url.to_owned())]).collect()
    };
    if !without("maven") {
        let service = Service::start(repo);
        let known = settings("MASTOR_BASE_URL", &service.url);
        all.push(("maven", runners::maven(&repo.path().join("out/junit"), &borrowed(&known))));
    }
    if !without("newman") {
        let service = Service::start(repo);
        let known = settings("baseUrl", &service.url);
        all.push(("newman", runners::postman(&repo.path().join("out/postman"), &borrowed(&known))));
    }
    all
}

fn borrowed<'a>(settings: &'a [(&'static str, String)]) -> Vec<(&'static str, &'a str)> {
    settings.iter().map(|(name, value)| (*name, value.as_str())).collect()
}

#[test]
fn whoever_logs_in_is_judged_alike_by_all_three() {
    if without("java") {
        return;
    }
    let repo = notes();
    let by_runner = verdicts(&repo, PASSWORD);
    let differences = differences(&by_runner);
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
    let broken: Vec<&String> =
        by_runner[0].1.iter().filter(|(_, verdict)| **verdict != Verdict::Held).map(|(id, _)| id).collect();
    assert_eq!(broken, [&id("get_by-cookie_2")], "{by_runner:#?}");
    assert_eq!(by_runner[0].1.len(), 29);

    let text = all_text(&repo.path().join("out"));
    for secret in ["hopper-1906", "k3y-of-ada", "lace}}", "acme\""] {
        assert!(!text.contains(secret), "{secret} is exported");
    }
}

#[test]
fn a_wrong_password_is_said_by_the_name_of_its_user() {
    if without("java") {
        return;
    }
    let repo = notes();
    for (runner, verdicts) in verdicts(&repo, "wrong") {
        let of_ada = (1..=11).map(|n| id(&format!("get_by token_{n}"))).chain([id("a_note_stays")]);
        for one in of_ada {
            let Verdict::Broken(why) = &verdicts[&one] else { panic!("{runner}: {one} held") };
            assert!(
                why.contains("by token") && why.contains("could not log in: /login answered 401"),
                "{runner}: {why}"
            );
        }
        assert_eq!(verdicts[&id("get_by-cookie_1")], Verdict::Held, "{runner}");
    }
}

/// The contents of all files below a folder.
fn all_text(folder: &Path) -> String {
    let mut text = String::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true if path.ends_with("target") => {}
            true => text.push_str(&all_text(&path)),
            false if path.ends_with("out.json") => {}
            false => _ = std::fs::File::open(path).unwrap().read_to_string(&mut text).unwrap(),
        }
    }
    text
}
