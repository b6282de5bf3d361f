//! `mastor export slices`: exports the suite's oracles that hold in slices as tests of the project; each test was
//! compiled and run before it is written.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use super::application::{Application, Asking};
use super::jobs::{THROWN, answers, header, judged, left_out};
use super::session::Session;
use super::side::Side;
use crate::pipeline::repository::comparison::surface;
use crate::pipeline::repository::workspace::{Workspace, unwritable};
use crate::pipeline::service::java_bench::{Bench, NOWHERE, Ran, joined, version_of};
use crate::pipeline::service::revisions::{on_work_tree, to_the_end};
use mastor_config::Settings;
use mastor_publish::Exported;
use mastor_publish::exports::exported::LeftOut;
use mastor_publish::exports::slice_tests::{Kit, Recorded, SliceTest, TestClass, classes};
use mastor_revision::SourceTree;
use mastor_suite::Suite;
use mastor_types::OpId;
use mastor_types::error::{Exit, Failure};
use mastor_types::results::outcome::RunVerdict;
use mastor_types::results::strength::Near;
use mastor_types::suite::oracle::Oracle;

/// Header in which the harness names the class of the handler that answered.
const HANDLER: &str = "x-mastor-handler";
/// Header with which a request asks for a record of stub calls, for a test in the package of the named class.
const RECORD: &str = "X-Mastor-Record";
/// Time limit of one slice.
const SLICE: Duration = Duration::from_secs(30);
/// Time limit of all tests.
const TESTS: Duration = Duration::from_secs(600);
/// Runs the suite's oracles in slices, and gives those that hold as tests; the others are listed with the reason.
///
/// # Errors
/// Exit 2 where there is no JDK, no build or no main class; exit 4 where no application compiles and starts, or where
/// the project's tests lack JUnit 5, Mockito or JSON paths.
pub fn slice_tests(
    workspace: &Workspace,
    settings: &Settings,
    (tree, suite): (&SourceTree, &Suite),
) -> Result<Exported, Failure> {
    let side = Side::of(settings, &surface(workspace, settings, tree)?, None)?;
    let oracles: Vec<&Oracle> = suite.operations.values().flat_map(|operation| &operation.oracles).collect();
    let asking = Asking { class_path: None, time: SLICE, times: 1 };
    to_the_end(workspace, async {
        let mut exported = Exported::default();
        let serving = side.serving(&oracles);
        let several = serving.len() > 1;
        let mut failed = None;
        for (application, places) in serving {
            let own: Vec<&Oracle> = places.iter().map(|at| oracles[*at]).collect();
            let place = on_work_tree(workspace, settings)?;
            let before = if several { format!("{}/", application.module()) } else { String::new() };
            match application.tests(workspace, place, &own, &asking).await {
                Ok((classes, left_out)) => {
                    for class in classes {
                        let path = format!("{before}src/test/java/{}", class.path);
                        exported.files.insert(path, class.text.into_bytes());
                        for (method, o_id) in class.tests {
                            let of = own.iter().find(|oracle| oracle.o_id == o_id);
                            let test_id = of.map(|oracle| oracle.test_id.clone()).unwrap_or_default();
                            exported.tests.insert(format!("{}#{method}", class.name), Near { id: o_id, test_id });
                        }
                    }
                    exported.left_out.extend(left_out);
                }
                Err(failure) if failure.exit == Exit::Interrupted => return Err(failure),
                Err(failure) => {
                    workspace.events.said(format!("{} makes no tests: {}", application.main, failure.message));
                    failed = Some(failure);
                }
            }
        }
        match failed {
            Some(failure) if exported.files.is_empty() => Err(failure),
            _ => Ok(exported),
        }
    })
}

impl Application {
    async fn tests(
        &self,
        workspace: &Workspace,
        place: mastor_probe::service::Place,
        oracles: &[&Oracle],
        asking: &Asking,
    ) -> Result<(Vec<TestClass>, Vec<LeftOut>), Failure> {
        let mut session = self.started(workspace, place, asking).await?;
        let recorded = recorded(&mut session, oracles).await;
        let (bench, application) = session.stop().await;
        let (kit, tests, mut without) = recorded?;
        if let Some(missing) = kit.missing() {
            return Err(Failure::new(Exit::NotReady, format!("the project's tests are without {missing}"))
                .hint("add it to the project's build, in the scope of its tests"));
        }
        let application = with_launcher(&bench, application).await?;
        let (classes, more) = kept(&bench, &application, tests, &kit, &self.base_path).await?;
        without.extend(more);
        Ok((classes, without))
    }
}

/// Asks each oracle twice, the second time with a record of what stubs returned.
async fn recorded<'a>(
    session: &mut Session<'_>,
    oracles: &[&'a Oracle],
) -> Result<(Kit, Vec<SliceTest<'a>>, Vec<LeftOut>), Failure> {
    let kit = Kit::parse(&session.tells("kit").await?);
    let (mut tests, mut without) = (Vec::new(), Vec::new());
    for oracle in oracles.iter().copied() {
        let mut leave = |why: &str| without.push(LeftOut::new(&oracle.o_id, &oracle.op_id, why));
        if let Some(why) = left_out(oracle) {
            leave(why);
            continue;
        }
        let first = session.ask_once(oracle, None).await;
        let said = judged(oracle, &first);
        if said.verdict != RunVerdict::Held {
            leave(&said.reason.unwrap_or_else(|| format!("{} in a slice", said.verdict.as_str())));
            continue;
        }
        let mut seen = answers(std::slice::from_ref(&first));
        let says = |name: &str| seen.last().and_then(|answer| header(answer, name));
        if let Some(thrown) = says(THROWN) {
            leave(&format!(
                "no code catches {}, and no answer is made of it",
                thrown.split(' ').next().unwrap_or_default()
            ));
            continue;
        }
        let Some(handler) = says(HANDLER) else {
            leave("its request reached no handler of the project");
            continue;
        };
        let second = session.ask_once(oracle, Some((RECORD, &handler))).await;
        seen.extend(answers(std::slice::from_ref(&second)));
        let recorded = Recorded::parse(&session.tells("recorded").await?);
        tests.push(SliceTest { oracle, recorded, answers: seen, logs_in: false });
    }
    Ok((kit, tests, without))
}

/// The class path with JUnit's launcher, which builds provide and test dependencies do not name.
async fn with_launcher(bench: &Bench<'_>, mut application: Vec<String>) -> Result<Vec<String>, Failure> {
    if version_of(&application, "junit-platform-launcher-").is_none() {
        let own = version_of(&application, "junit-platform-engine-").ok_or_else(|| {
            Failure::new(Exit::NotReady, "the project's tests are without JUnit's engine")
                .hint("add `org.junit.jupiter:junit-jupiter` to the project's build, in the scope of its tests")
        })?;
        application.extend(bench.artifact(("org.junit.platform", "junit-platform-launcher", &own)).await?);
    }
    Ok(application)
}

/// The test classes that compile and pass, all of them together; other tests are left out, with what failed. Each round
/// leaves out a test or logs a caller in, so the loop ends.
async fn kept(
    bench: &Bench<'_>,
    application: &[String],
    mut tests: Vec<SliceTest<'_>>,
    kit: &Kit,
    base_path: &str,
) -> Result<(Vec<TestClass>, Vec<LeftOut>), Failure> {
    let mut without = Vec::new();
    loop {
        let made = classes(&tests, kit, base_path);
        // Many handlers need their caller only in code that a test leaves out: a caller is logged in only if the test
        // fails without one.
        let failed = match made.classes.is_empty() {
            true => BTreeMap::new(),
            false => failures(bench, application, &made.classes).await?,
        };
        if failed.is_empty() {
            without.extend(made.left_out);
            return Ok((made.classes, without));
        }
        let fails = |test: &mut SliceTest<'_>| failed.contains_key(&test.oracle.o_id) && !test.log_in();
        for test in tests.extract_if(.., fails) {
            without.push(LeftOut::new(&test.oracle.o_id, &test.oracle.op_id, failed[&test.oracle.o_id].as_str()));
        }
    }
}

/// Compiles and runs tests. Gives the oracles whose tests do not compile, else those whose tests fail, each with the
/// reason.
async fn failures(
    bench: &Bench<'_>,
    application: &[String],
    made: &[TestClass],
) -> Result<BTreeMap<String, String>, Failure> {
    let sources: BTreeMap<String, &str> = made.iter().map(|class| (class.path.clone(), class.text.as_str())).collect();
    let compiled = bench.compile_texts("slices/run/Tests.java", &sources, application).await?;
    if !compiled.errors.is_empty() {
        let mut failed = BTreeMap::new();
        for (path, line, what) in &compiled.errors {
            let Some(class) = made.iter().find(|class| Path::new(path).ends_with(&class.path)) else {
                return Err(Failure::new(Exit::NotReady, format!("{path}: {what}")));
            };
            let of = match method_at(&class.text, *line).and_then(|method| class.tests.get(method)) {
                Some(o_id) => vec![o_id],
                None => class.tests.values().collect(),
            };
            failed.extend(of.into_iter().map(|o_id| (o_id.clone(), format!("its test does not compile: {what}"))));
        }
        return Ok(failed);
    }
    let results = bench.dir.join("tests.tsv");
    let _ = fs_err::remove_file(&results);
    let class_path: Vec<String> = [compiled.folder].into_iter().chain(application.iter().cloned()).collect();
    let java = bench.check_java(8, "a test", "")?;
    let opens = java.is_some_and(|java| java > 8).then(|| "--add-opens=java.base/java.lang=ALL-UNNAMED".to_owned());
    let arguments = opens.into_iter().chain(NOWHERE.iter().map(|flag| (*flag).to_owned())).chain([
        "-XX:TieredStopAtLevel=1".to_owned(),
        "-cp".to_owned(),
        joined(&class_path),
        "mastor.Tests".to_owned(),
        results.display().to_string(),
    ]);
    let line = bench.line("java", "tests", arguments.chain(made.iter().map(|class| class.name.clone())))?;
    bench.events.started("running the tests", None);
    if bench.run("tests", &line, TESTS).await? == Ran::Cut {
        return Err(Failure::new(Exit::NotReady, format!("the tests were not done within {} s", TESTS.as_secs())));
    }
    let text = fs_err::read_to_string(&results).map_err(unwritable)?;
    let mut passed = BTreeSet::new();
    let mut said: BTreeMap<(String, String), String> = BTreeMap::new();
    for line in text.lines() {
        let mut fields = line.splitn(3, '\t').map(str::to_owned);
        let (class, method) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
        match fields.next().filter(|failure| !failure.is_empty()) {
            Some(failure) => _ = said.insert((class, method), failure),
            None => _ = passed.insert((class, method)),
        }
    }
    // Spring starts a failing context only once, and fails the other tests with a message about that.
    let again = |why: &str| why.contains("failure threshold");
    if let Some(first) = said.values().find(|why| !again(why)).cloned() {
        said.values_mut().filter(|why| again(why)).for_each(|why| why.clone_from(&first));
    }
    let all = made.iter().flat_map(|class| class.tests.iter().map(|(method, o_id)| ((&class.name, method), o_id)));
    let failed = all.filter_map(|((class, method), o_id)| {
        let key = (class.clone(), method.clone());
        let why = said.get(&key).cloned().unwrap_or_else(|| "it was not run".to_owned());
        (!passed.contains(&key)).then(|| (o_id.clone(), format!("as a test of its own it fails: {why}")))
    });
    Ok(failed.collect())
}

/// The test method that a line of a class lies in.
fn method_at(text: &str, line: usize) -> Option<&str> {
    let lines: Vec<&str> = text.lines().take(line).collect();
    for line in lines.iter().rev() {
        if let Some(rest) = line.strip_prefix("  void ") {
            return rest.split('(').next();
        } else if line.starts_with("  ") && !line.starts_with("   ") && *line != "  }" && !line.starts_with("  @") {
            return None;
        }
    }
    None
}

/// Lines on how many tests were written for how many operations, and why oracles were left out, the most frequent
/// reason first.
pub fn told(exported: &Exported) -> Vec<String> {
    let operations: BTreeSet<&str> = exported.tests.keys().filter_map(|key| key.split('#').next()).collect();
    let count = mastor_publish::wording::words::count;
    let mut lines =
        vec![format!("{} of {}", count(exported.tests.len(), "test"), count(operations.len(), "operation"))];
    let mut reasons: BTreeMap<&str, BTreeSet<(&OpId, &str)>> = BTreeMap::new();
    for left in &exported.left_out {
        reasons.entry(&left.reason).or_default().insert((&left.op_id, &left.id));
    }
    let mut reasons: Vec<(&str, usize)> = reasons.into_iter().map(|(why, of)| (why, of.len())).collect();
    reasons.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    lines.extend(reasons.into_iter().map(|(why, n)| format!("left out  {}: {why}", count(n, "oracle"))));
    lines
}

#[cfg(test)]
mod tests {
    use super::method_at;

    #[test]
    fn a_line_of_a_class_is_in_the_test_around_it_or_in_none() {
        let text = "class T {\n  @Test\n  void one() throws Exception {\n    a();\n  }\n\n  private static Note note() {\n    b();\n  }\n}\n";
        assert_eq!(method_at(text, 4), Some("one"));
        assert_eq!(method_at(text, 8), None);
        assert_eq!(method_at(text, 1), None);
    }
}
