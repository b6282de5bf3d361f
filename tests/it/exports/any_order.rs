//! Exported classes run in any order and alone: tests that need the initial state say so, and none fails on an unchanged service.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command};
use std::time::Duration;

use super::runners::{self, Verdict, Verdicts};
use super::without;
use crate::follow::tickets_reset_by;
use crate::support::Repo;

/// The running ticket service; it stops when the value is dropped.
struct Service(Child, String);

impl Service {
    fn of(repo: &Repo) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let child = Command::new("python3").args(["server.py", &port.to_string()]).current_dir(repo.path()).spawn();
        let mut waits = 0;
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            waits += 1;
            assert!(waits < 200, "the tickets do not start");
            std::thread::sleep(Duration::from_millis(50));
        }
        Self(child.unwrap(), format!("http://127.0.0.1:{port}"))
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn of_kind(verdicts: &Verdicts, word: &str) -> Vec<String> {
    verdicts.iter().filter(|(_, verdict)| verdict.word() == word).map(|(id, why)| format!("{id}: {why:?}")).collect()
}

/// Runs the exported tests on a fresh service, with this option for Maven or the tests' JVM.
fn run(repo: &Repo, module: &Path, name: &str, value: &str) -> Verdicts {
    let reports = module.join("target/surefire-reports");
    let _ = std::fs::remove_dir_all(reports);
    let service = Service::of(repo);
    runners::maven_with(module, &[("MASTOR_BASE_URL", &service.1)], &[&format!("-D{name}={value}")])
}

#[test]
fn classes_hold_alone_and_in_any_order_where_only_a_restart_brings_the_service_back() {
    let repo = tickets_reset_by("\"restart\"");
    repo.run(["generate", "--all"]).ends(0);
    let suite = repo.git(["ls-files", "-co", "--exclude-standard", ".mastor/suite"]);
    let marked: usize = suite.lines().map(|path| repo.read(path).matches("\"fresh_state\": true").count()).sum();
    assert!(marked > 2, "{marked} need a fresh state");
    repo.run(["export", "junit", "postman", "--dir", "out"]).ends(0);
    let module = repo.path().join("out/junit");
    let readme = repo.read("out/junit/README.md");
    assert!(
        readme.contains(&format!("{marked} tests hold only on the state that the service starts with")),
        "{readme}"
    );
    if !without("maven") {
        let tests = module.join("src/test/java/mastor");
        let listed = std::fs::read_dir(&tests).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let classes: Vec<String> = listed.filter_map(|name| Some(name.strip_suffix("Test.java")?.to_owned())).collect();
        let (fresh, any): (Vec<&String>, Vec<&String>) = classes.iter().partition(|name| name.ends_with("FreshState"));
        assert!(!fresh.is_empty() && !any.is_empty(), "{classes:?}");
        // Two random orders: earlier writes make some tests inconclusive, but none fails.
        for seed in ["7", "2026"] {
            let order = format!(
                "-Djunit.jupiter.testclass.order.default=org.junit.jupiter.api.ClassOrderer$Random \
                 -Djunit.jupiter.execution.order.random.seed={seed}"
            );
            let verdicts = run(&repo, &module, "argLine", &order);
            assert_eq!(of_kind(&verdicts, "broken"), Vec::<String>::new());
            assert!(of_kind(&verdicts, "held").len() + marked >= verdicts.len(), "{verdicts:#?}");
        }
        let sampled = [fresh[0], fresh[fresh.len() - 1], any[0], any[any.len() - 1]];
        for class in sampled {
            let verdicts = run(&repo, &module, "test", &format!("{class}Test"));
            assert!(!verdicts.is_empty() && of_kind(&verdicts, "broken").is_empty(), "{class}: {verdicts:#?}");
            assert!(!of_kind(&verdicts, "held").is_empty(), "{class}: {verdicts:#?}");
        }
        // Without earlier writes, a defect is still detected.
        let broken =
            repo.edit("server.py", "= CLOSED\n            self.answer(204)", "= CLOSED\n            self.answer(202)");
        let class = fresh.iter().find(|name| name.contains("Closed")).unwrap_or(&fresh[0]);
        let verdicts = run(&broken, &module, "test", &format!("{class}Test"));
        assert!(verdicts.values().any(|verdict| matches!(verdict, Verdict::Broken(_))), "{class}: {verdicts:#?}");
    }
}

#[test]
fn a_collection_holds_behind_what_other_requests_left() {
    if without("newman") {
        return;
    }
    let repo = tickets_reset_by("\"restart\"");
    repo.run(["generate", "--all"]).ends(0);
    repo.run(["export", "postman", "--dir", "out"]).ends(0);
    let service = Service::of(&repo);
    let folder = repo.path().join("out/postman");
    for _ in 0..2 {
        let verdicts = runners::postman(&folder, &[("baseUrl", &service.1)]);
        assert!(!of_kind(&verdicts, "held").is_empty(), "{verdicts:#?}");
    }
    let fresh = Service::of(&repo);
    let verdicts = runners::postman(&folder, &[("baseUrl", &fresh.1)]);
    assert_eq!(of_kind(&verdicts, "broken"), Vec::<String>::new());
}
