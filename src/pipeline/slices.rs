//! `mastor slice`: the oracles of the suite on the project's own handlers in one JVM, wired by a small context of the project's framework, with
//! stubs for what cannot be made: no database, broker, login or configuration (DESIGN §9, *Slices*).

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::comparison::{operation_among, surface};
use super::java_bench::{Bench, ClassPath, joined, split};
use super::launches::{in_jvm, launches};
use super::service::{at_base, service_failure, to_the_end};
use super::service_path::service_path;
use super::strength::{on_work_tree, unconfigured};
use super::workspace::{Head, Workspace, out_folder, unwritable};
use crate::config::{Ready, ResetSetting, ServiceSettings, Settings};
use crate::error::{Exit, Failure};
use crate::frameworks::launch::Launch;
use crate::probe::auth::Users;
use crate::probe::differ::differ;
use crate::probe::http::Limits;
use crate::probe::job::{Job, Standing};
use crate::probe::run::{self, Keep, Options, Stop};
use crate::probe::service::{self, Place, ServiceError};
use crate::probe::target::Target;
use crate::probe::unstable::Moment;
use crate::publish::json::{Envelope, to_text};
use crate::publish::slices::missed;
use crate::revision::SourceTree;
use crate::suite::{CACHE_DIR, OUT_DIR, Suite};
use crate::types::OpId;
use crate::types::oracle::{Check, Given, GivenValue, Oracle};
use crate::types::outcome::{Answer, Outcome, RunVerdict};
use crate::types::request::{ANONYMOUS, percent};
use crate::types::slices::{NotMade, SliceChange, SliceFields, SliceSeconds, Sliced};

/// Time limit of the harness's start.
const START: Duration = Duration::from_secs(120);
/// What the harness says when it answers.
const READY: &str = "mastor: slices are ready";
/// The header by which a request says what stubs give.
const GIVEN: &str = "X-Mastor-Given";
/// The header by which the harness says that an answer proves nothing.
const INCONCLUSIVE: &str = "x-mastor-inconclusive";
/// The header by which it says what no code of the project caught.
const THROWN: &str = "x-mastor-thrown";
/// The header by which it names the calls that stubs answered, and how many it names.
const CALLS: &str = "x-mastor-calls";
const MOST_CALLS: usize = 50;
/// Sources of the harness: they take Spring MVC and its test kit, and reach all else by name.
const SOURCES: &[&str] = &[
    "slices/Answers.java",
    "slices/Caller.java",
    "slices/Client.java",
    "slices/Factory.java",
    "slices/Given.java",
    "slices/Handlers.java",
    "slices/Holders.java",
    "slices/Outside.java",
    "slices/Parts.java",
    "slices/Paths.java",
    "slices/Project.java",
    "slices/Settings.java",
    "slices/Slices.java",
    "slices/Stubs.java",
    "slices/Values.java",
    "slices/Views.java",
    "slices/Wiring.java",
];

/// What `mastor slice` was asked.
#[derive(Debug, Clone)]
pub struct SliceOptions {
    /// A revision to compare with.
    pub since: Option<String>,
    /// Operations, by name or a unique part of it; all where empty.
    pub operations: Vec<String>,
    /// The main class.
    pub main: Option<String>,
    /// Classes and libraries of the application with those of its tests, built already.
    pub class_path: Option<String>,
    /// Time limit of a slice.
    pub time: Duration,
}

/// Runs the suite's oracles in slices, and writes `slices.json` to the repository's `.mastor/out`.
///
/// # Errors
/// Exit 2 for a damaged suite, or where there is no JDK, no build or no main class; exit 3 without a suite; exit 4 where the project or the harness
/// does not compile or start.
pub fn slice(
    workspace: &Workspace,
    head: &Head,
    options: &SliceOptions,
) -> Result<Vec<(String, SliceFields)>, Failure> {
    let mut suites = Vec::new();
    for settings in workspace.services(&head.tree)? {
        let suite = Suite::load(&head.tree, &settings.dir);
        if let Some(problem) = suite.problems.first() {
            return Err(Failure::new(Exit::Usage, problem.to_string()).hint("restore it with `git checkout`"));
        }
        suites.push((settings, suite));
    }
    if suites.iter().all(|(_, suite)| suite.operations.is_empty()) {
        return Err(Failure::new(Exit::Nothing, "no suite is committed").hint("`mastor generate --all` makes one"));
    }
    // Nothing is built for a name that fits no operation.
    let names: Vec<&OpId> = suites.iter().flat_map(|(_, suite)| suite.operations.keys()).collect();
    let wanted: Result<Vec<OpId>, Failure> =
        options.operations.iter().map(|asked| operation_among(&names, asked)).collect();
    let wanted = wanted?;
    let mut done = Vec::new();
    for (settings, suite) in &suites {
        let all = suite.operations.values().flat_map(|operation| &operation.oracles);
        let oracles: Vec<&Oracle> = all.filter(|oracle| wanted.is_empty() || wanted.contains(&oracle.op_id)).collect();
        if !oracles.is_empty() {
            done.push((settings.name.clone(), of_service(workspace, head, settings, &oracles, options)?));
        }
    }
    let out = workspace.root.join(OUT_DIR);
    out_folder(&out)?;
    let fields = done.iter().map(|(name, fields)| (name.clone(), SliceFields { seconds: None, ..fields.clone() }));
    let text = to_text(&Envelope::new("slice", fields.collect()));
    crate::store::write(&out.join("slices.json"), text.as_bytes()).map_err(unwritable)?;
    Ok(done)
}

fn of_service(
    workspace: &Workspace,
    head: &Head,
    settings: &Settings,
    oracles: &[&Oracle],
    options: &SliceOptions,
) -> Result<SliceFields, Failure> {
    let base = options.since.as_ref().map(|since| workspace.base(Some(since), head)).transpose()?;
    let now = Side::of(workspace, settings, &head.tree, options)?;
    let before = base.as_ref().map(|base| Side::of(workspace, settings, &base.tree, options)).transpose()?;
    to_the_end(async {
        let place = on_work_tree(workspace, settings)?;
        let after = now.ran(workspace, place, oracles, options).await?;
        let mut fields = counted(&after, oracles);
        if let (Some(base), Some(before)) = (&base, &before) {
            let place = at_base(workspace, settings, &before.spec, base).await?;
            let before = before.ran(workspace, place, oracles, options).await?;
            fields.since = Some(base.commit.id.to_string());
            fields.changes = changes(oracles, &before, &after);
        }
        Ok(fields)
    })
}

/// How the harness runs: as the service does, and nothing that its settings hand over, for it needs no secret.
fn spec(settings: &Settings, launch: Option<&Launch>) -> ServiceSettings {
    let own = settings.service.clone();
    let build = own.as_ref().and_then(|own| own.build.clone());
    let dir = own.map(|own| own.dir);
    let without = unconfigured(launch);
    ServiceSettings { build, dir: dir.unwrap_or_else(|| without.dir.clone()), ..without }
}

/// One revision of a service.
struct Side {
    spec: ServiceSettings,
    launch: Option<Launch>,
    main: String,
    /// What stands before the paths of operations.
    base_path: String,
}

/// What was answered at one revision.
struct Ran {
    /// Of each oracle, in order: what came of it each time, or why it makes no slice.
    outcomes: Vec<Result<Vec<Outcome>, &'static str>>,
    /// Where it was asked.
    base_url: String,
    seconds: SliceSeconds,
}

impl Side {
    fn of(
        workspace: &Workspace,
        settings: &Settings,
        tree: &SourceTree,
        options: &SliceOptions,
    ) -> Result<Self, Failure> {
        let surface = surface(workspace, settings, tree)?;
        let launch = launches(&surface, &settings.dir, "").into_iter().next();
        let main = options.main.clone().or_else(|| in_jvm(&surface, settings).main).ok_or_else(|| {
            Failure::new(Exit::Usage, "no main class was found").hint("name it: `--main com.acme.Application`")
        })?;
        let base_path = service_path(&surface, "http://127.0.0.1:1");
        Ok(Self { spec: spec(settings, launch.as_ref()), launch, main, base_path })
    }

    /// Builds the revision, starts the harness on it, and asks what oracles ask.
    async fn ran(
        &self,
        workspace: &Workspace,
        place: Place,
        oracles: &[&Oracle],
        options: &SliceOptions,
    ) -> Result<Ran, Failure> {
        let events = &workspace.events;
        let dir = place.root.join(&self.spec.dir).join(CACHE_DIR).join("slices");
        let bench = Bench { spec: self.spec.clone(), place, dir, events };
        let java = bench.check_java(8, "a slice", "")?;
        let began = Instant::now();
        let application = match &options.class_path {
            Some(given) => split(given),
            None => bench.class_path(self.launch.as_ref(), ClassPath::Tests).await?,
        };
        let application = with_test_kit(&bench, application).await?;
        let classes = bench.compile_beside(SOURCES, &application).await.map_err(unfit)?;
        let mut seconds = SliceSeconds { build: began.elapsed().as_secs_f64(), ..SliceSeconds::default() };
        let class_path: Vec<String> = [classes].into_iter().chain(application).collect();
        let began = Instant::now();
        let started = self.started(&bench, &class_path, java)?;
        let running = service::start(&started, &bench.place, events).await.map_err(service_failure)?;
        seconds.start = began.elapsed().as_secs_f64();
        let began = Instant::now();
        let outcomes = self.asked(running.base_url(), oracles, options).await;
        seconds.run = began.elapsed().as_secs_f64();
        let base_url = running.base_url().to_owned();
        running.stop().await;
        Ok(Ran { outcomes: outcomes?, base_url, seconds })
    }

    async fn asked(
        &self,
        base_url: &str,
        oracles: &[&Oracle],
        options: &SliceOptions,
    ) -> Result<Vec<Result<Vec<Outcome>, &'static str>>, Failure> {
        let limits = Limits { time: options.time, ..Limits::default() };
        let url = format!("{}{}", base_url.trim_end_matches('/'), self.base_path);
        let target =
            Target::new(&url, Users::none(), limits, 1).map_err(|error| service_failure(ServiceError::from(error)))?;
        let how = Options { concurrency: 1, keep: Keep::All, stop: Stop::never() };
        // What two revisions are compared by is asked twice: what varies by itself is no difference.
        let times = if options.since.is_some() { 2 } else { 1 };
        let mut all = Vec::new();
        for oracle in oracles {
            if let Some(why) = left_out(oracle) {
                all.push(Err(why));
                continue;
            }
            let mut outcomes = Vec::new();
            for _ in 0..times {
                outcomes.push(run::one(&target, &job(oracle), &how).await);
            }
            all.push(Ok(outcomes));
        }
        Ok(all)
    }

    /// The harness as a service that is started: its class path stands in a file, so that no line is too long.
    fn started(&self, bench: &Bench<'_>, class_path: &[String], java: Option<u32>) -> Result<ServiceSettings, Failure> {
        let arguments = [
            "--add-opens=java.base/java.lang=ALL-UNNAMED".to_owned(),
            "-XX:TieredStopAtLevel=1".to_owned(),
            "-XX:+UseSerialGC".to_owned(),
            "-cp".to_owned(),
            joined(class_path),
            "mastor.Slices".to_owned(),
        ];
        let is_old = java.is_some_and(|java| java < 9);
        let line = bench.line("java", "slices", arguments.into_iter().skip(usize::from(is_old)))?;
        // Where the project's code writes files, it writes them there.
        let scratch = bench.dir.join("run");
        crate::store::create_dir(&scratch).map_err(unwritable)?;
        let dir = scratch.strip_prefix(&bench.place.root).unwrap_or(&scratch).display().to_string();
        Ok(ServiceSettings {
            dir,
            start: Some(format!("{line} {{port}} {}", self.main)),
            base_url: "http://127.0.0.1:{port}".to_owned(),
            build: None,
            ready: Ready::Log(READY.to_owned()),
            ready_within: START,
            reset: ResetSetting::None,
            ..self.spec.clone()
        })
    }
}

/// A class path with Spring's test module, in the version of its Spring where it has none itself.
async fn with_test_kit(bench: &Bench<'_>, mut application: Vec<String>) -> Result<Vec<String>, Failure> {
    let version = |name: &str| {
        let mut files = application.iter().filter_map(|path| path.rsplit(['/', '\\']).next());
        files.find_map(|file| file.strip_prefix(name)?.strip_suffix(".jar").map(str::to_owned))
    };
    if version("spring-test-").is_none()
        && let Some(own) = version("spring-core-")
    {
        bench.events.detail(format!("the tests do without spring-test: {own} is taken beside them"));
        application.extend(bench.artifact(("org.springframework", "spring-test", &own)).await?);
    }
    Ok(application)
}

/// Says what is missing where the harness does not compile beside the project.
fn unfit(failure: Failure) -> Failure {
    failure.hint("slices take Spring MVC and a servlet API on the class path of the tests")
}

/// What head answers otherwise than base, given the same and asked the same.
fn changes(oracles: &[&Oracle], before: &Ran, after: &Ran) -> Vec<SliceChange> {
    let moment = |ran: &Ran| Moment::now(&ran.base_url);
    let (was_at, is_at) = (moment(before), moment(after));
    let mut found = Vec::new();
    for ((oracle, was), is) in oracles.iter().zip(&before.outcomes).zip(&after.outcomes) {
        let (Ok(was), Ok(is)) = (was, is) else { continue };
        let (was, is) = (answers(was), answers(is));
        let says_nothing = |answer: &Answer| header(answer, INCONCLUSIVE).is_some();
        if was.iter().chain(&is).any(says_nothing) {
            continue;
        }
        let differences = differ(&was, &is, &was_at, &is_at);
        if differences.is_empty() {
            continue;
        }
        let whats = differences.iter().map(|one| {
            let shown = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
            format!("{}: {} → {}", one.place, shown(&one.before), shown(&one.after))
        });
        found.push(SliceChange {
            op_id: oracle.op_id.clone(),
            o_id: oracle.o_id.clone(),
            given: oracle.given.iter().map(Given::what).collect(),
            what: whats.collect(),
            thrown: is.first().and_then(|answer| header(answer, THROWN)),
        });
    }
    found
}

fn answers(outcomes: &[Outcome]) -> Vec<Answer> {
    let last = outcomes.iter().filter_map(|outcome| outcome.exchanges.last());
    last.filter_map(|exchange| exchange.answer.as_ref().ok().cloned()).collect()
}

fn header(answer: &Answer, name: &str) -> Option<String> {
    answer.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone())
}

/// Why an oracle makes no slice: it says something of what a slice leaves out, or needs what a stub does not give.
fn left_out(oracle: &Oracle) -> Option<&'static str> {
    if oracle.given.iter().any(|given| given.row.is_some() || given.state.is_some()) {
        return Some("it rests on what the service starts with");
    }
    if oracle.given.iter().filter_map(|given| given.stub.as_ref()).any(|stub| stub.calls.is_empty()) {
        return Some("it rests on what the framework hands over");
    }
    // A caller whom nobody knows may be sent to a page to log in.
    let sends_to_log_in = oracle.assertions.iter().any(|assertion| match &assertion.check {
        Check::Header { name, expected: Some(expected), .. } => {
            name.eq_ignore_ascii_case("Location") && expected.to_string().contains("/login")
        }
        _ => false,
    });
    if sends_to_log_in || oracle.statuses().iter().any(|status| matches!(status, 401 | 403)) {
        return Some("who is let in is not asked in a slice");
    }
    None
}

/// An oracle as a request to the harness.
fn job(oracle: &Oracle) -> Job {
    let mut job = Job { given: Vec::new(), standing: Standing::Candidate, ..Job::of_oracle(oracle) };
    for step in &mut job.steps {
        step.as_user = ANONYMOUS.to_owned();
        let given = given(oracle);
        if !given.is_empty() {
            use base64::Engine as _;
            let text = base64::engine::general_purpose::STANDARD.encode(given);
            step.input.headers.push((GIVEN.to_owned(), text));
        }
    }
    job
}

/// What stubs give, a line each: the call, where in what it gives, the kind of value, the value.
fn given(oracle: &Oracle) -> String {
    let stubs = oracle.given.iter().filter_map(|given| given.stub.as_ref());
    // Nothing stands for a method of which the class is not known.
    let known = stubs.flat_map(|stub| &stub.gives).filter(|gives| !gives.call.starts_with('?'));
    let lines = known.filter_map(|gives| {
        let (kind, value) = match &gives.value {
            GivenValue::Null => ("null", String::new()),
            GivenValue::Empty => ("empty", String::new()),
            GivenValue::Present => ("present", String::new()),
            GivenValue::Constant(name) => ("enum", name.clone()),
            GivenValue::Throws(class) => ("throws", class.clone()),
            GivenValue::Is(value) => match value {
                serde_json::Value::Bool(value) => ("bool", value.to_string()),
                serde_json::Value::Number(value) if value.is_f64() => ("double", value.to_string()),
                serde_json::Value::Number(value) => ("long", value.to_string()),
                serde_json::Value::String(value) => ("text", value.clone()),
                _ => return None,
            },
        };
        let fields = [method(&gives.call), gives.at.clone(), kind.to_owned(), value];
        Some(fields.map(|field| percent(&field)).join("\t"))
    });
    let mut lines: Vec<String> = lines.collect();
    lines.dedup();
    lines.join("\n")
}

/// A call as the harness names it: `com.acme.Rows#find`.
fn method(call: &str) -> String {
    let name = call.split(['(', '/']).next().unwrap_or(call);
    match (name.contains('#'), name.rsplit_once('.')) {
        (false, Some((ty, method))) => format!("{ty}#{method}"),
        _ => name.to_owned(),
    }
}

/// What an outcome says of an oracle.
fn judged(oracle: &Oracle, outcome: &Outcome) -> Sliced {
    let answer = answers(std::slice::from_ref(outcome)).pop();
    let says = |name: &str| answer.as_ref().and_then(|answer| header(answer, name));
    if let Some(why) = says(INCONCLUSIVE) {
        return told(oracle, RunVerdict::Inconclusive, Some(why), None);
    }
    if let Some(why) = unasked(oracle, outcome.verdict, says(CALLS).as_deref().unwrap_or_default()) {
        return told(oracle, RunVerdict::Inconclusive, Some(why), None);
    }
    let thrown = says(THROWN).map(|what| format!("nothing caught {what}"));
    told(oracle, outcome.verdict, outcome.reason.clone().or(thrown), missed(outcome))
}

/// Why a slice did not take the path that the oracle is about: the code did not make a call for which a stub was to answer. A pure call of a library
/// runs for real, no stub answers it; there the reason counts only where the oracle does not hold.
fn unasked(oracle: &Oracle, verdict: RunVerdict, calls: &str) -> Option<String> {
    if calls.split("; ").count() >= MOST_CALLS {
        return None;
    }
    let stubs = oracle.given.iter().filter_map(|given| given.stub.as_ref());
    let is_wanted = |call: &&String| call.contains('#') || verdict == RunVerdict::Refuted;
    let mut wanted = stubs.flat_map(|stub| &stub.gives).map(|gives| &gives.call).filter(is_wanted);
    let is_made =
        |call: &String| method(call).rsplit('#').next().is_some_and(|name| calls.contains(&format!(".{name}/")));
    let missed = wanted.find(|call| !is_made(call))?;
    Some(format!("{} was not asked of a stub", short(missed)))
}

/// A call by the simple name of its class.
fn short(call: &str) -> String {
    let method = method(call);
    let cut = method.split('#').next().and_then(|class| class.rfind('.')).map_or(0, |dot| dot + 1);
    method[cut..].replace('#', ".")
}

fn told(oracle: &Oracle, verdict: RunVerdict, reason: Option<String>, missed: Option<String>) -> Sliced {
    Sliced {
        o_id: oracle.o_id.clone(),
        op_id: oracle.op_id.clone(),
        test_id: oracle.test_id.clone(),
        given: oracle.given.iter().map(|given| given.what()).collect(),
        verdict,
        reason,
        missed,
    }
}

fn counted(ran: &Ran, oracles: &[&Oracle]) -> SliceFields {
    let each = oracles.iter().zip(&ran.outcomes).map(|(oracle, outcomes)| match outcomes {
        Err(why) => told(oracle, RunVerdict::Skipped, Some((*why).to_owned()), None),
        Ok(outcomes) => match outcomes.first() {
            Some(outcome) => judged(oracle, outcome),
            None => told(oracle, RunVerdict::Skipped, None, None),
        },
    });
    let mut fields = SliceFields { slices: each.collect(), seconds: Some(ran.seconds), ..SliceFields::default() };
    let count = |verdict: RunVerdict| fields.slices.iter().filter(|one| one.verdict == verdict).count();
    fields.counts = RunVerdict::ALL.iter().map(|verdict| (verdict.as_str().to_owned(), count(*verdict))).collect();
    let is_success = |oracle: &Oracle| oracle.statuses().iter().all(|status| (200..400).contains(status));
    let held = fields.slices.iter().zip(oracles).filter(|(one, _)| one.verdict == RunVerdict::Held);
    let mut operations: Vec<_> = held
        .filter(|(_, oracle)| !oracle.statuses().is_empty() && is_success(oracle))
        .map(|(one, _)| one.op_id.clone())
        .collect();
    operations.sort();
    operations.dedup();
    let mut why: BTreeMap<&str, usize> = BTreeMap::new();
    for one in fields.slices.iter().filter(|one| matches!(one.verdict, RunVerdict::Skipped | RunVerdict::Inconclusive))
    {
        *why.entry(one.reason.as_deref().unwrap_or_default()).or_default() += 1;
    }
    let mut not_made: Vec<NotMade> =
        why.into_iter().map(|(why, oracles)| NotMade { why: why.to_owned(), oracles }).collect();
    not_made.sort_by(|a, b| b.oracles.cmp(&a.oracles).then_with(|| a.why.cmp(&b.why)));
    SliceFields { operations, not_made, ..fields }
}

#[cfg(test)]
mod tests {
    use super::method;

    #[test]
    fn a_call_is_named_by_its_class_and_method() {
        assert_eq!(method("a.Rows#find(long)"), "a.Rows#find");
        assert_eq!(method("org.acme.Client.fetch/1"), "org.acme.Client#fetch");
    }
}
