//! The exported tests start the application in their own JVM: the bundled example, built by Maven and started by its main class.

use std::collections::BTreeMap;

use super::{run, test_cases, without};
use crate::generate::with_suite;
use crate::support::Repo;

#[test]
fn every_oracle_of_the_example_holds_with_the_application_in_the_same_jvm() {
    if without("maven") {
        return;
    }
    let repo = exported(|settings| settings);
    let readme = repo.read("out/junit/README.md");
    for said in
        ["MASTOR_MAIN=com.example.orders.OrdersApplication", "`--server.port={port} --server.address=127.0.0.1`"]
    {
        assert!(readme.contains(said), "{said}: {readme}");
    }
    all_hold(&repo, "resettable");
}

#[test]
fn a_database_in_memory_is_brought_back_where_only_a_restart_would() {
    if without("maven") {
        return;
    }
    let repo = exported(|settings| {
        let reset = settings.lines().find(|line| line.starts_with("reset")).unwrap().to_owned();
        settings.replace(&reset, "reset = \"restart\"")
    });
    assert!(repo.read("out/junit/README.md").contains("databases of H2 in memory"));
    // This profile has no reset endpoint.
    all_hold(&repo, "!resettable");
}

/// The example with its suite, settings and exported tests.
fn exported(changed: impl Fn(String) -> String) -> Repo {
    let example = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/orders/mastor.toml");
    let repo = with_suite().file("mastor.toml", changed(std::fs::read_to_string(example).unwrap()).into_bytes());
    repo.run(["export", "junit", "--dir", "out"]).ends(0);
    repo
}

/// Builds the example with a Maven profile and runs its exported tests with the application in their JVM.
fn all_hold(repo: &Repo, profile: &str) {
    let profile = format!("-P{profile}");
    let built = run(
        "maven",
        crate::support::maven()
            .args(["-B", "-q", "-DskipTests", profile.as_str(), "compile", "dependency:build-classpath"])
            .args(["-DincludeScope=runtime", "-Dmdep.outputFile=target/class-path"])
            .current_dir(repo.path()),
    );
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stdout));
    let separator = if cfg!(windows) { ";" } else { ":" };
    let classes = repo.path().join("target/classes");
    let class_path = format!("{}{separator}{}", classes.display(), repo.read("target/class-path").trim());
    let module = repo.path().join("out/junit");
    let output = run(
        "maven",
        crate::support::maven()
            .args(["-B", "-q", "-o", "test"])
            .current_dir(&module)
            .env("MASTOR_MAIN", "com.example.orders.OrdersApplication")
            .env("MASTOR_CLASSPATH", class_path),
    );
    let reports = module.join("target/surefire-reports");
    assert!(reports.is_dir(), "{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let mut seen = BTreeMap::new();
    let mut tests = 0;
    for entry in std::fs::read_dir(reports).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "xml") {
            let xml = std::fs::read_to_string(path).unwrap();
            tests += xml.matches("<testcase ").count();
            test_cases(&xml, &mut seen);
        }
    }
    let broken: Vec<_> = seen.iter().filter_map(|(name, verdict)| Some((name, verdict.as_ref().err()?))).collect();
    assert!(broken.is_empty() && tests > 150, "{tests} tests, broken: {broken:#?}");
}
