//! `ci` with a service: failures, rechecked operations, ignored ones, refuted candidates, and accepted changes.

use serde_json::Value;

use crate::follow::{CODE, tickets};
use crate::support::Repo;

const ROUTES: &str = "src/main/java/com/acme/Routes.java";
const REFUTED: &str = ".mastor/out/refuted.json";

/// The ticket service with its suite, on a branch where closed tickets become archived.
fn archiving(base: Repo) -> Repo {
    base.run(["generate", "--all"]).ends(0);
    base.commit("The suite")
        .branch("archive")
        .edit("server.py", "CLOSED = \"CLOSED\"", "CLOSED = \"ARCHIVED\"")
        .edit(CODE, "ticket.title(), \"CLOSED\"", "ticket.title(), \"ARCHIVED\"")
        .commit("Archive what is closed")
}

fn ci(repo: &Repo, more: &[&str]) -> (i32, Value) {
    let ran = repo.run(["ci", "--since", "main", "--format", "json"].into_iter().chain(more.iter().copied()));
    (ran.code, ran.json())
}

#[test]
fn what_is_seen_broken_fails_unless_nothing_is_to_fail() {
    let repo = archiving(tickets());
    for (fail_on, code) in [("never", 0), ("broken", 1), ("unaccepted", 1), ("stale", 1)] {
        let (ended, report) = ci(&repo, &["--fail-on", fail_on]);
        assert_eq!(ended, code, "{fail_on}: {report:#}");
        assert_eq!(report["changes"].as_array().unwrap().len(), 1, "{report:#}");
    }
    // After acceptance, the operation is not stale either.
    repo.run(["accept", "--all"]).ends(0);
    repo.run(["generate", "--since", "main"]).ends(0);
    let repo = repo.commit("Accept");
    for fail_on in ["broken", "unaccepted", "stale"] {
        let (ended, report) = ci(&repo, &["--fail-on", fail_on]);
        assert_eq!(ended, 0, "{fail_on}: {report:#}");
    }
}

/// One operation with an answer that is derived from the code.
const PLAIN: &str = "package com.acme;
import org.springframework.web.bind.annotation.*;
@RestController
class Routes {
    @GetMapping(\"/greeting\") String greeting() { return \"hello\"; }
}
";

#[test]
fn what_only_the_code_says_fails_by_default_and_not_where_it_must_be_seen() {
    let repo = Repo::new().file(ROUTES, PLAIN).commit("Greet");
    repo.run(["generate", "--all"]).ends(0);
    let repo = repo.commit("The suite").branch("shout").edit(ROUTES, "\"hello\"", "\"HELLO\"").commit("Shout");
    for (fail_on, code) in [("never", 0), ("broken", 0), ("unaccepted", 1), ("stale", 1)] {
        let (ended, report) = ci(&repo, &["--fail-on", fail_on]);
        assert_eq!((ended, report["level"].as_str()), (code, Some("derived")), "{fail_on}: {report:#}");
    }
}

/// A changed build file may influence every operation: all are run again, and nothing is regenerated.
#[test]
fn what_only_may_have_changed_is_run_and_not_regenerated() {
    let pom = |release: &str| {
        format!(
            "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>b</artifactId>\
             <version>1</version><properties><maven.compiler.release>{release}</maven.compiler.release></properties>\
             </project>"
        )
    };
    let base = tickets().file("pom.xml", pom("17")).commit("Build with Maven");
    base.run(["generate", "--all"]).ends(0);
    let repo = base.commit("The suite").branch("release").file("pom.xml", pom("21")).commit("A later release");
    let (ended, report) = ci(&repo, &[]);
    let counts = &report["plan"]["counts"];
    assert_eq!((ended, counts["recheck"].as_u64(), counts["affected"].as_u64()), (0, Some(5), Some(0)), "{report:#}");
    let held = report["check"]["counts"]["held"].as_u64().unwrap();
    assert!(held > 5, "{}", report["check"]["counts"]);
    assert_eq!(repo.git(["status", "--porcelain"]), "");

    let repo =
        repo.edit("server.py", "CLOSED = \"CLOSED\"", "CLOSED = \"ARCHIVED\"").commit("As the later release has it");
    let (ended, report) = ci(&repo, &[]);
    assert_eq!(ended, 1, "{report:#}");
    assert_eq!(report["plan"]["counts"]["recheck"], 5);
    let changes = report["changes"].as_array().unwrap();
    assert!(!changes.is_empty() && changes.iter().all(|change| change["kind"] == "seen"), "{changes:#?}");
    assert_eq!(repo.git(["status", "--porcelain"]), "");
}

#[test]
fn what_is_ignored_fails_nothing_and_is_named_until_its_day() {
    let repo = archiving(tickets());
    let settings = repo.read("mastor.toml");
    let ignored = |until: &str| {
        format!(
            "{settings}[[ignore]]\nop = \"PUT /tickets/{{id}}/closed\"\nreason = \"names are being settled\"\nuntil = {until}\n"
        )
    };
    let repo = repo.file("mastor.toml", ignored("2099-01-01")).commit("Leave it aside");
    let ran = repo.run(["ci", "--since", "main"]).ends(0);
    assert!(!ran.out.contains('✅'), "{}", ran.out);
    ran.says(&[
        "what 1 affected operation answers differently is left aside",
        "until 2099-01-01: names are being settled",
    ]);
    let repo = repo.file("mastor.toml", ignored("2020-01-01")).commit("That day is over");
    let (ended, report) = ci(&repo, &[]);
    assert_eq!(ended, 1, "{report:#}");
}

/// A candidate that the service refutes is stored in `refuted.json` with what was seen, and never shipped.
#[test]
fn what_is_refuted_is_kept_aside_with_what_was_seen() {
    let otherwise = |repo: &Repo| -> Vec<Value> {
        let file: Value = serde_json::from_str(&repo.read(REFUTED)).unwrap();
        file["refuted"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|one| one["oracle"]["op_id"] == "POST /tickets")
            .cloned()
            .collect()
    };
    // The stub service answers a malformed number in the path differently from the framework.
    let repo = tickets();
    let told = |repo: &Repo| repo.run(["generate", "--all"]).ends(0).out;
    let of_paths = told(&repo);
    assert!(of_paths.contains("refuted") && otherwise(&repo).is_empty(), "{of_paths}");

    let repo = repo
        .edit("server.py", "self.answer(400)", "self.answer(422)")
        .remove(".mastor/suite")
        .commit("Refuse otherwise");
    let told_otherwise = told(&repo);
    assert!(told_otherwise.contains("seen status 422"), "{told_otherwise}");
    let refuted = otherwise(&repo);
    assert_eq!(refuted.len(), 2, "an unreadable body, and one without a title: {refuted:#?}");
    for one in refuted {
        assert_eq!(one["seen"][0], "expected status is 400, seen 422", "{one:#}");
        assert_eq!(one["oracle"]["confirmation"]["state"], "refuted", "{one:#}");
    }
    let suite = repo.git(["ls-files", "-co", "--exclude-standard", ".mastor/suite"]);
    assert!(suite.lines().all(|path| !repo.read(path).contains("\"state\": \"refuted\"")), "{suite}");
    repo.run(["check"]).ends(0).says(&["11 held · 0 broken"]);

    // Once the service behaves as the code says, the oracle is shipped.
    let repo = repo.edit("server.py", "self.answer(422)", "self.answer(400)").commit("As the code has it");
    told(&repo);
    assert!(otherwise(&repo).is_empty(), "{}", repo.read(REFUTED));
}

#[test]
fn as_many_runs_confirm_as_are_asked_for() {
    let requests = |runs: &str| {
        let ran = tickets().run(["generate", "--all", "--no-observe", "--confirm-runs", runs, "--format", "json"]);
        let sent =
            ran.ends(0).err.lines().find_map(|line| line.strip_suffix(" requests were sent")?.parse::<u32>().ok());
        sent.unwrap()
    };
    let (two, five) = (requests("2"), requests("5"));
    assert_eq!(two * 5, five * 2);
    tickets().run(["generate", "--all", "--confirm-runs", "1"]).ends(2).says(&["--confirm-runs"]);
}

#[test]
fn a_person_takes_what_was_said_yes_to() {
    let repo = archiving(tickets());
    ci(&repo, &[]);
    let review = |answers: &str| {
        let output = repo.mastor(["review"]).write_stdin(answers).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
    };
    let refused = review("n\n");
    assert!(refused.contains("1 of ") && refused.contains("nothing was taken"), "{refused}");
    assert_eq!(repo.git(["status", "--porcelain"]), "");
    let taken = review("y\ny\ny\ny\n");
    assert!(taken.contains("ARCHIVED") && taken.contains(" accepted, 0 left"), "{taken}");
    let repo = repo.commit("Accept");
    assert_eq!(ci(&repo, &[]).0, 0);
}
