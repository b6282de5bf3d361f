//! The three runners of a suite (mastor's, Maven, newman), each with its verdicts by id of oracle or sequence.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use mastor::probe::auth::Users;
use mastor::probe::http::Limits;
use mastor::probe::job::Job;
use mastor::probe::runs::run::{self, Options, Target};
use mastor::suite::Suite;
use mastor::types::event::Events;
use mastor::types::results::outcome::RunVerdict;
use serde_json::Value;

use super::{newman, run as run_tool};

/// A runner's verdict on an oracle or a sequence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Held,
    Broken(String),
    /// Not run, with the reported reason.
    LeftOut(String),
}

impl Verdict {
    /// The verdict in a word.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Broken(_) => "broken",
            Self::LeftOut(_) => "left out",
        }
    }
}

/// Verdicts by `o_id` or `s_id`.
pub type Verdicts = BTreeMap<String, Verdict>;

/// The runner of `mastor check`, without retries.
pub fn ours(suite: &Suite, url: &str) -> Verdicts {
    let jobs: Vec<Arc<Job>> = Job::of_suite(suite).into_iter().map(Arc::new).collect();
    let target = Arc::new(Target::new(url, Users::default(), Limits::default(), 4).unwrap());
    let options = Options { concurrency: 4, ..Options::default() };
    let outcomes =
        run::runtime(4).unwrap().block_on(async { run::run(&target, &jobs, &options, &Events::silent()).await });
    let verdict = |verdict, why: String| match verdict {
        RunVerdict::Held => Verdict::Held,
        RunVerdict::Skipped => Verdict::LeftOut(why),
        _ => Verdict::Broken(why),
    };
    outcomes
        .into_iter()
        .map(|one| (one.id, verdict(one.verdict, format!("{:?} {:?}", one.reason, one.misses))))
        .collect()
}

/// Runs the exported module in this folder with Maven.
pub fn maven(module: &Path, settings: &[(&str, &str)]) -> Verdicts {
    maven_with(module, settings, &[])
}

/// Like [`maven`], with further arguments.
pub fn maven_with(module: &Path, settings: &[(&str, &str)], arguments: &[&str]) -> Verdicts {
    let mut command = crate::support::maven();
    command.args(["-B", "-q", "-o", "test"]).args(arguments).current_dir(module).envs(settings.iter().copied());
    let output = run_tool("maven", &mut command);
    let reports = module.join("target/surefire-reports");
    assert!(reports.is_dir(), "{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let mut found = Verdicts::new();
    for entry in std::fs::read_dir(reports).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "xml") {
            continue;
        }
        let xml = std::fs::read_to_string(&path).unwrap();
        let class = path.file_stem().unwrap().to_str().unwrap().trim_start_matches("TEST-mastor.").to_owned();
        let ids = tests(&module.join(format!("src/test/java/mastor/{class}.java")));
        for case in xml.split("<testcase ").skip(1) {
            let name = case.split("name=\"").nth(1).unwrap().split(['"', '(']).next().unwrap();
            let case = case.split("</testcase>").next().unwrap().split("<system-").next().unwrap();
            let why = || case.chars().take(600).collect();
            let verdict = match case {
                _ if case.contains("<failure") || case.contains("<error") => Verdict::Broken(why()),
                _ if case.contains("<skipped") => Verdict::LeftOut(why()),
                _ => Verdict::Held,
            };
            assert!(found.insert(ids[name].clone(), verdict).is_none(), "{class}#{name} ran twice");
        }
    }
    found
}

/// The ids of an exported class's tests, by method name.
fn tests(class: &Path) -> BTreeMap<String, String> {
    let mut id = String::new();
    let mut found = BTreeMap::new();
    for line in std::fs::read_to_string(class).unwrap().lines() {
        if let Some(ids) = line.trim().strip_prefix("// ").filter(|_| line.contains("_id: "))
            && !ids.starts_with("evidence")
        {
            let said = ids.rsplit_once("   o_id: ").map(|(_, id)| id);
            let said = said.or_else(|| Some(ids.strip_prefix("s_id: ")?.split(' ').next().unwrap_or_default()));
            said.unwrap().clone_into(&mut id);
        }
        if let Some(method) = line.strip_prefix("    void ") {
            found.insert(method.split('(').next().unwrap().to_owned(), id.clone());
        }
    }
    found
}

/// Runs the exported collection in this folder with newman.
pub fn postman(folder: &Path, settings: &[(&str, &str)]) -> Verdicts {
    let mut command = Command::new(newman());
    command.args(["run", "collection.json", "-e", "environment.json"]).current_dir(folder);
    command.args(["--reporters", "json", "--reporter-json-export", "out.json"]);
    for (name, value) in settings {
        command.args(["--env-var", &format!("{name}={value}")]);
    }
    let output = run_tool("newman", &mut command);
    let out = std::fs::read(folder.join("out.json")).unwrap_or_else(|_| {
        panic!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    });
    let report: Value = serde_json::from_slice(&out).unwrap();
    let mut found = Verdicts::new();
    let executions = report["run"]["executions"].as_array().unwrap();
    for (n, execution) in executions.iter().enumerate() {
        let name = &execution["item"]["name"];
        let is_judged = execution["assertions"].as_array().is_some_and(|checks| !checks.is_empty());
        if !is_judged && executions[n + 1..].iter().any(|later| later["item"]["name"] == *name) {
            // The request is repeated after a login.
            continue;
        }
        // Login requests have no id.
        let Some((_, id)) = name.as_str().unwrap().rsplit_once('[') else { continue };
        let slot = found.entry(id.trim_end_matches(']').to_owned()).or_insert(Verdict::Held);
        if *slot == Verdict::Held {
            *slot = executed(execution);
        }
    }
    // Requests that were not sent because the login failed are listed only here.
    for failure in report["run"]["failures"].as_array().unwrap() {
        if let Some((_, id)) = failure["source"]["name"].as_str().unwrap_or_default().rsplit_once('[') {
            let broken = || Verdict::Broken(failure["error"]["message"].to_string());
            found.entry(id.trim_end_matches(']').to_owned()).or_insert_with(broken);
        }
    }
    let collection: Value = serde_json::from_slice(&std::fs::read(folder.join("collection.json")).unwrap()).unwrap();
    for line in collection["info"]["description"]["content"].as_str().unwrap().lines() {
        if let Some(said) = line.strip_prefix("Left out: ") {
            let (id, why) = said.split_once(' ').unwrap();
            assert!(found.insert(id.to_owned(), Verdict::LeftOut(why.to_owned())).is_none(), "{id} ran");
        }
    }
    found
}

fn executed(execution: &Value) -> Verdict {
    let checks = execution["assertions"].as_array().map(Vec::as_slice).unwrap_or_default();
    let failed = checks.iter().find(|check| !check["error"].is_null());
    let script = execution["testScript"].as_array().into_iter().flatten().find(|script| !script["error"].is_null());
    match failed.map(|check| check["error"]["message"].to_string()).or(script.map(Value::to_string)) {
        Some(why) => Verdict::Broken(why),
        None if checks.is_empty() => Verdict::Broken(format!("no check ran: {}", execution["requestError"])),
        None => Verdict::Held,
    }
}
