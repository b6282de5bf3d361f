//! One suite, three runners: `check`, the exported tests and the exported collection give every oracle of the bundled example the same verdict, on
//! the original and on broken code.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::runners::{self, Verdict, Verdicts};
use super::{run, without};
use crate::generate::with_suite;
use crate::support::Repo;

const CODE: &str = "src/main/java/com/example/orders";

/// A running service; it stops when the value is dropped.
struct Service {
    child: Child,
    url: String,
}

impl Service {
    /// Builds and starts the work tree.
    fn of(repo: &Repo) -> Self {
        let mut build = crate::support::maven();
        build.args(["-B", "-q", "-DskipTests", "-Presettable", "package"]).current_dir(repo.path());
        let built = run("maven", &mut build);
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stdout));
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut java = Command::new("java");
        java.args(["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", "target/orders.jar"])
            .args([&format!("--server.port={port}"), "--server.address=127.0.0.1"])
            .current_dir(repo.path())
            .stdout(Stdio::null());
        let service = Self { child: java.spawn().unwrap(), url: format!("http://127.0.0.1:{port}") };
        let started = Instant::now();
        while !answers(port) {
            assert!(started.elapsed() < Duration::from_secs(120), "the example does not start");
            std::thread::sleep(Duration::from_millis(200));
        }
        service
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn answers(port: u16) -> bool {
    let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) else { return false };
    let asked = stream.write_all(b"GET /products/MUG-001 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    let mut answer = String::new();
    asked.is_ok() && stream.read_to_string(&mut answer).is_ok() && answer.contains(" 200")
}

/// The verdicts of `mastor check` with these environment variables.
pub fn checked(repo: &Repo, url: &str, variables: &[(&str, &str)]) -> Verdicts {
    let mut command = repo.mastor(["check", "--base-url", url, "--format", "json"]);
    let output = command.envs(variables.iter().copied()).output().unwrap();
    let ran: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let verdict = |one: &serde_json::Value| match one["verdict"].as_str().unwrap() {
        "held" => Verdict::Held,
        "skipped" => Verdict::LeftOut(one["reason"].to_string()),
        _ => Verdict::Broken(format!("{} {}", one["reason"], one["failure"])),
    };
    let all = ran["oracles"].as_array().unwrap();
    all.iter().map(|one| (one["id"].as_str().unwrap().to_owned(), verdict(one))).collect()
}

/// Ids with different verdicts, each with the verdicts of all runners.
pub fn differences(by_runner: &[(&str, Verdicts)]) -> Vec<String> {
    let ids: BTreeSet<&String> = by_runner.iter().flat_map(|(_, verdicts)| verdicts.keys()).collect();
    let mut out = Vec::new();
    for id in ids {
        let of = |verdicts: &Verdicts| verdicts.get(id).map_or("not there", Verdict::word);
        let words: BTreeSet<&str> = by_runner.iter().map(|(_, verdicts)| of(verdicts)).collect();
        if words.len() > 1 {
            let said: Vec<String> =
                by_runner.iter().map(|(runner, verdicts)| format!("{runner}: {:?}", verdicts.get(id))).collect();
            out.push(format!("{id}\n  {}", said.join("\n  ")));
        }
    }
    out
}

/// Ids of unconfirmed oracles that rest on assumptions.
fn assumed(repo: &Repo) -> BTreeSet<String> {
    let files = crate::loaded::files(&repo.path().join(".mastor/suite"));
    let suites = files.iter().map(|(_, bytes)| serde_json::from_slice::<serde_json::Value>(bytes).unwrap());
    let oracles: Vec<serde_json::Value> =
        suites.flat_map(|suite| suite["oracles"].as_array().cloned().unwrap_or_default()).collect();
    let rests = |one: &&serde_json::Value| {
        one["confirmation"]["state"] == "unconfirmed"
            && (one.get("assumes").is_some() || one["given"].to_string().contains("\"stub\""))
    };
    oracles.iter().filter(rests).map(|one| one["o_id"].as_str().unwrap().to_owned()).collect()
}

/// Runs the example's suite on its edited code; returns the ids of broken oracles.
fn broken_with(edits: &[(&str, &str, &str)]) -> BTreeSet<String> {
    let toml = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/orders/mastor.toml");
    let repo = with_suite().file("mastor.toml", std::fs::read(toml).unwrap());
    repo.run(["export", "junit", "postman", "--dir", "out"]).ends(0);
    let repo = edits.iter().fold(repo, |repo, (file, from, to)| repo.edit(&format!("{CODE}/{file}"), from, to));
    let service = Service::of(&repo);
    let mut by_runner = vec![("mastor", checked(&repo, &service.url, &[]))];
    let out = repo.path().join("out");
    if !without("maven") {
        by_runner.push(("maven", runners::maven(&out.join("junit"), &[("MASTOR_BASE_URL", &service.url)])));
    }
    if !without("newman") {
        by_runner.push(("newman", runners::postman(&out.join("postman"), &[("baseUrl", &service.url)])));
    }
    // Assumed oracles are not exported.
    let assumed = assumed(&repo);
    by_runner.iter_mut().for_each(|(_, verdicts)| verdicts.retain(|id, _| !assumed.contains(id)));
    let differences = differences(&by_runner);
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
    let mine = &by_runner[0].1;
    assert!(mine.len() > 150, "{}", mine.len());
    mine.iter().filter(|(_, verdict)| matches!(verdict, Verdict::Broken(_))).map(|(id, _)| id.clone()).collect()
}

#[test]
fn all_three_hold_on_the_example() {
    if !without("maven") {
        assert_eq!(broken_with(&[]), BTreeSet::new());
    }
}

#[test]
fn all_three_break_alike_where_a_status_and_a_field_are_others() {
    if without("maven") {
        return;
    }
    let broken = broken_with(&[
        ("web/ApiExceptionHandler.java", "UNPROCESSABLE_ENTITY", "BAD_REQUEST"),
        ("quote/PriceCalculator.java", "subtotal - discount", "subtotal + discount"),
    ]);
    assert!(broken.len() > 20, "{broken:#?}");
}

#[test]
fn all_three_break_alike_where_what_is_deleted_stays() {
    if without("maven") {
        return;
    }
    let broken = broken_with(&[
        ("customer/DefaultCustomerService.java", "customers.delete(customer);", ""),
        ("order/DefaultOrderService.java", "orders.delete(order);", "orders.save(order);"),
        ("order/DefaultOrderService.java", "order.setNote(patch.note());", ""),
    ]);
    assert!(broken.len() > 2, "{broken:#?}");
}
