//! `mastor strength`: mutants of what the operations of the committed suite reach, run by PITest against the exported tests, with the application in
//! their JVM.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use super::comparison::{Comparison, analyse, compare};
use super::java_bench::{Bench, ClassPath, Ran, joined, split};
use super::launches::{in_jvm, launches};
use super::live::{accounts, users};
use super::service::to_the_end;
use super::strength_branches::branches;
use super::strength_fast::{OWN, approximate};
use super::strength_pit::Pit;
use super::strength_places::{Lines, Named, Places, changed};
use super::strength_work::{StrengthOptions, Work};
use super::workspace::{BaseRevision, Head, Workspace, cache_folder, out_folder, unwritable};
use crate::config::{Ready, ResetSetting, ServiceSettings, Settings, StrengthSetting};
use crate::error::{Exit, Failure};
use crate::extract::Analysis;
use crate::frameworks::launch::Launch;
use crate::probe::service::{Instance, Place, port};
use crate::publish::json::{Envelope, to_text};
use crate::publish::{Export, junit};
use crate::strength::mutants::{Rounds, START};
use crate::strength::strength as counted;
use crate::suite::{CACHE_DIR, OUT_DIR, Suite};
use crate::types::plan::Since;
use crate::types::strength::{Branches, LeftOutTest, Measured, Strength, Tests};
use crate::types::{Hash, OpId};

/// Oldest Java that PITest runs on.
const JAVA: u32 = 11;
/// What makes the mutants.
const MUTANTS_BY: &str = "PITest 1.30.0, STRONGER";
/// Time limit of the rounds without a mutant.
const ROUNDS: Duration = Duration::from_secs(1800);
/// Bounds of the time limit of an answer, in milliseconds.
const ANSWER: std::ops::RangeInclusive<u64> = 1500..=20_000;

/// Measures the committed suite of each service, and writes `strength.json` to the repository's `.mastor/out`.
///
/// # Errors
/// Exit 2 for a damaged suite, or where there is no JDK, no Maven or no main class; exit 3 without a suite, or where there is nothing to mutate;
/// exit 4 where the application does not build or start.
pub fn strength(
    workspace: &Workspace,
    head: &Head,
    options: &StrengthOptions,
) -> Result<Vec<(String, Strength)>, Failure> {
    let mut done = Vec::new();
    for settings in workspace.services(&head.tree)? {
        let suite = Suite::load(&head.tree, &settings.dir);
        if let Some(problem) = suite.problems.first() {
            return Err(Failure::new(Exit::Usage, problem.to_string()).hint("restore it with `git checkout`"));
        }
        if suite.oracle_count() > 0 {
            done.push((settings.name.clone(), of_service(workspace, head, &settings, &suite, options)?));
        }
    }
    if done.is_empty() {
        return Err(Failure::new(Exit::Nothing, "no suite is committed").hint("`mastor generate --all` makes one"));
    }
    write(workspace, &done)?;
    Ok(done)
}

fn of_service(
    workspace: &Workspace,
    head: &Head,
    settings: &Settings,
    suite: &Suite,
    options: &StrengthOptions,
) -> Result<Strength, Failure> {
    match &options.since {
        None => {
            let analysis = analyse(workspace, settings, &head.tree)?;
            let strength = of_revision(workspace, settings, suite, &analysis, None, options)?;
            Ok(Strength { head: head.whole_id(), ..strength })
        }
        Some(since) => {
            let base = workspace.base(Some(since), head)?;
            let comparison = compare(workspace, settings, &base, head)?;
            of_change(workspace, settings, (&base, head), &comparison, suite, options)
        }
    }
}

/// Measures the members that a change touches.
fn of_change(
    workspace: &Workspace,
    settings: &Settings,
    (base, head): (&BaseRevision, &Head),
    comparison: &Comparison,
    suite: &Suite,
    options: &StrengthOptions,
) -> Result<Strength, Failure> {
    let strength = of_revision(workspace, settings, suite, &comparison.head, Some(changed(comparison)), options)?;
    Ok(Strength { head: head.whole_id(), since: Some(base.commit.id.to_string()), ..strength })
}

fn of_revision(
    workspace: &Workspace,
    settings: &Settings,
    suite: &Suite,
    analysis: &Analysis,
    lines: Option<Vec<Lines>>,
    options: &StrengthOptions,
) -> Result<Strength, Failure> {
    let of: BTreeSet<OpId> = suite.operations.keys().cloned().collect();
    let places = Places::of(analysis, Some(&of));
    let strength = if lines.as_ref().is_some_and(Vec::is_empty) {
        workspace
            .events
            .said("no member that an operation of the suite reaches has changed: there is nothing to mutate");
        let tests = BTreeMap::new();
        counted(&[], &Named { places: &places, tree: &analysis.surface.tree, tests: &tests })
    } else if options.fast {
        approximate(workspace, settings, analysis, suite, (&places, lines.as_deref()))?
    } else {
        let work = work(workspace, settings, suite, analysis, (places, lines), options)?;
        to_the_end(work.measure(analysis))?
    };
    let mutants_by = if options.fast { OWN } else { MUTANTS_BY };
    Ok(Strength { mutants_by: mutants_by.to_owned(), approximate: options.fast, ..strength })
}

/// Measures a change for `ci`, as the settings say; what hinders that is told, and does not end the run.
pub(super) fn for_ci(
    workspace: &Workspace,
    settings: &Settings,
    between: (&BaseRevision, &Head),
    comparison: &Comparison,
) -> Option<Strength> {
    if settings.strength == StrengthSetting::Off {
        return None;
    }
    let suite = Suite::load(&between.1.tree, &settings.dir);
    if suite.oracle_count() == 0 {
        return None;
    }
    let fast = settings.strength == StrengthSetting::Fast;
    let measured = of_change(workspace, settings, between, comparison, &suite, &StrengthOptions::in_ci(fast));
    measured.map_err(|failure| workspace.events.said(format!("the strength was not measured: {failure}"))).ok()
}

/// Writes `strength.json` to the repository's `.mastor/out`.
pub(super) fn write(workspace: &Workspace, done: &[(String, Strength)]) -> Result<(), Failure> {
    let out = workspace.root.join(OUT_DIR);
    out_folder(&out)?;
    let fields = done.iter().map(|(name, strength)| (name.clone(), strength.without_times())).collect();
    let text = to_text(&Envelope::new("strength", fields));
    crate::store::write(&out.join("strength.json"), text.as_bytes()).map_err(unwritable)
}

/// What was measured last, where that was this very change.
pub fn measured(workspace: &Workspace, name: &str, since: &Since) -> Option<Measured> {
    let found = last_measured(workspace, name)?;
    let same = found.head.is_some() && found.head == since.head_sha && found.since.as_ref() == Some(&since.merge_base);
    same.then_some(Measured { approximate: found.approximate, totals: found.totals, operations: found.operations })
}

/// What was measured last of a service, whatever revision that was.
pub fn last_measured(workspace: &Workspace, name: &str) -> Option<Strength> {
    let text = fs_err::read_to_string(workspace.root.join(OUT_DIR).join("strength.json")).ok()?;
    match serde_json::from_str::<Envelope<Strength>>(&text).ok()? {
        Envelope::One { fields, .. } => Some(fields),
        Envelope::Many { services, .. } => services.into_iter().find(|one| one.name == name).map(|one| one.fields),
    }
}

fn work<'a>(
    workspace: &'a Workspace,
    settings: &Settings,
    suite: &Suite,
    analysis: &Analysis,
    (places, lines): (Places, Option<Vec<Lines>>),
    options: &'a StrengthOptions,
) -> Result<Work<'a>, Failure> {
    let launch = launches(&analysis.surface, &settings.dir, "").into_iter().next();
    let jvm = in_jvm(&analysis.surface, settings);
    let accounts = accounts(workspace, settings);
    let export = Export { in_jvm: Some(&jvm), accounts: &accounts, ..Export::of(&settings.name, "", suite) };
    let exported = junit::junit(&export).map_err(|error| Failure::new(Exit::Internal, error.to_string()))?;
    let mut spec = settings.service.clone().unwrap_or_else(|| unconfigured(launch.as_ref()));
    let main = options.main.clone().or_else(|| jvm.main.clone()).ok_or_else(|| {
        Failure::new(Exit::Usage, "no main class was found").hint("name it: `--main com.acme.Application`")
    })?;
    spec.env.insert("MASTOR_MAIN".to_owned(), main);
    let place = on_work_tree(workspace, settings)?;
    if jvm.env.values().any(|value| value.contains("{port}")) {
        let port = port::choose(&spec, Instance::Head).map_err(super::service::service_failure)?.to_string();
        for (name, value) in &jvm.env {
            spec.env.insert(name.clone(), value.replace("{port}", &port));
        }
        spec.env.insert("MASTOR_PORT".to_owned(), port);
    }
    if let Some(service) = &settings.service {
        let users = users(workspace, service)?;
        for (name, variables) in &exported.users {
            let values = users.settings(name);
            let known =
                variables.iter().filter_map(|(says, variable)| Some((variable.clone(), values.get(says)?.clone())));
            spec.env.extend(known);
        }
    }
    let dir = cache_folder(&workspace.service_dir(settings))?.join("strength");
    let bench = Bench { spec, place, dir, events: &workspace.events };
    Ok(Work { bench, exported, jvm, launch, places, lines, options })
}

/// The work tree as the place where a service's processes run.
pub(super) fn on_work_tree(workspace: &Workspace, settings: &Settings) -> Result<Place, Failure> {
    let place = Place {
        root: workspace.root.clone(),
        instance: Instance::Head,
        label: "work tree".to_owned(),
        out: workspace.service_dir(settings).join(OUT_DIR),
        cache: workspace.root.join(CACHE_DIR),
        checkout: None,
    };
    out_folder(&place.out)?;
    Ok(place)
}

/// A service that nobody has configured, built and run where its launch says.
pub(super) fn unconfigured(launch: Option<&Launch>) -> ServiceSettings {
    let second = Duration::from_secs(1);
    ServiceSettings {
        dir: launch.map(|launch| launch.dir.clone()).unwrap_or_default(),
        port: None,
        build: None,
        build_within: second * 900,
        start: None,
        base_url: String::new(),
        ready: Ready::Port,
        ready_within: second * 60,
        reset: ResetSetting::None,
        reset_within: second * 30,
        stop_within: second * 10,
        auth: None,
        env: BTreeMap::new(),
        inherit: Vec::new(),
    }
}

impl Work<'_> {
    /// Builds all that is needed, and lets PITest do its work.
    async fn measure(&self, analysis: &Analysis) -> Result<Strength, Failure> {
        let (bench, events) = (&self.bench, self.bench.events);
        bench.check_java(JAVA, "PITest", "; `--fast` needs none")?;
        let application = match &self.options.class_path {
            Some(given) => split(given),
            None => bench.class_path(self.launch.as_ref(), ClassPath::Application).await?,
        };
        let tools = bench.tools().await?;
        let classes = bench.compile(&self.exported, &tools).await?;
        let own: Vec<String> = [classes].into_iter().chain(tools).collect();
        let bench = self.with_application(&application);
        events.started("running the tests without a mutant, three times", None);
        let rounds = self.rounds(&bench, &own).await?;
        events.finished(format!("{} tests hold, {} do not", rounds.held.len() - 1, rounds.failed.len()));
        let named = Named { places: &self.places, tree: &analysis.surface.tree, tests: &self.exported.tests };
        let branches = match self.options.branches {
            true => self.branches(&bench, (&own, &application), &rounds, &named).await,
            false => None,
        };
        let bench = bench.with("MASTOR_TIMEOUT", &answer_within(&rounds).to_string());
        let pit = Pit { work: self, bench: &bench, own: &own, application: &application, rounds: &rounds };
        let began = Instant::now();
        events.started("running mutants", None);
        let key = self.key(&own, &application, &rounds)?;
        let (mut mutants, not_run) = pit.all(&key).await?;
        let seconds = began.elapsed().as_secs_f64();
        events.finished(format!("{} mutants in {seconds:.0} s", mutants.len()));
        let alone = pit.alone(&mut mutants).await?;
        let mut strength = counted(&mutants, &named);
        strength.branches = branches;
        let id = |test: &String| self.exported.tests.get(test).map_or_else(|| test.clone(), |near| near.id.clone());
        let left_out = rounds.failed.iter().map(|(test, why)| LeftOutTest { id: id(test), why: Some(why.clone()) });
        strength.tests = Tests { run: rounds.held.len() - 1, left_out: left_out.collect() };
        strength.alone = alone;
        strength.not_run = not_run;
        strength.seconds = Some((seconds * 10.0).round() / 10.0);
        Ok(strength)
    }

    /// The branches that no test takes; none where they cannot be counted, which does not end the run.
    async fn branches(
        &self,
        bench: &Bench<'_>,
        paths: (&[String], &[String]),
        rounds: &Rounds,
        named: &Named<'_>,
    ) -> Option<Branches> {
        let events = self.bench.events;
        events.started("running the tests once more, for the branches that they take", None);
        match branches(self, bench, paths, rounds, named).await {
            Ok(found) => {
                events.finished(format!("{} of {} branches taken", found.taken, found.branches));
                Some(found)
            }
            Err(failure) => {
                events.said(format!("the branches were not counted: {failure}"));
                None
            }
        }
    }

    /// The bench on which processes find the application.
    fn with_application(&self, application: &[String]) -> Bench<'_> {
        self.bench.with("MASTOR_CLASSPATH", &joined(application))
    }

    /// Runs the tests without a mutant.
    async fn rounds(&self, bench: &Bench<'_>, own: &[String]) -> Result<Rounds, Failure> {
        let (names, result) = (bench.dir.join("tests"), bench.dir.join("rounds"));
        let classes: BTreeSet<&str> =
            self.exported.tests.keys().filter_map(|test| test.split_once('#')).map(|(class, _)| class).collect();
        let start = START.split('#').take(1);
        let text: String = start.chain(classes).map(|name| format!("{name}\n")).collect();
        crate::store::write(&names, text.as_bytes()).map_err(unwritable)?;
        let mut arguments = self.jvm_options();
        arguments.extend(["-cp".to_owned(), joined(own), "mastor.Rounds".to_owned()]);
        arguments.extend([names.display().to_string(), result.display().to_string()]);
        let line = bench.line("java", "rounds", arguments)?;
        if bench.run("rounds", &line, ROUNDS).await? == Ran::Cut {
            let late = format!("the tests did not end within {} s", ROUNDS.as_secs());
            return Err(Failure::new(Exit::NotReady, late));
        }
        let rounds = Rounds::read(&fs_err::read_to_string(&result).map_err(unwritable)?);
        if !rounds.held.contains(START) {
            let why = rounds.failed.get(START).cloned().unwrap_or_default();
            return Err(Failure::new(
                Exit::NotReady,
                format!("the application does not start in the JVM of the tests: {why}"),
            )
            .hint(format!("its log: {}", bench.place.log("rounds").display())));
        }
        if rounds.held.len() == 1 {
            let first = rounds.failed.values().next().cloned().into_iter().collect();
            return Err(Failure::new(Exit::Nothing, "no test holds with the application in the JVM of the tests")
                .lines(first)
                .hint("`mastor check` says what holds on the service as it is started"));
        }
        Ok(rounds)
    }

    /// All that decides what becomes of a mutant: the classes of the application and of the tests, libraries by name and size, and what tests hold.
    fn key(&self, own: &[String], application: &[String], rounds: &Rounds) -> Result<String, Failure> {
        let mut text =
            format!("1 {MUTANTS_BY} {:?} {:?} {:?}", self.jvm_options(), self.bench.spec.env.keys(), rounds.held);
        for path in own.iter().chain(application) {
            hash_of(std::path::Path::new(path), &mut text).map_err(unwritable)?;
        }
        Ok(Hash::of(text.as_bytes()).short(16).clone())
    }
}

/// Names a file by its size, and the files of a folder by what they hold.
fn hash_of(path: &std::path::Path, text: &mut String) -> std::io::Result<()> {
    use std::fmt::Write as _;
    let Ok(data) = std::fs::metadata(path) else { return Ok(()) };
    if data.is_file() {
        let _ = write!(text, "\n{} {}", path.display(), data.len());
        return Ok(());
    }
    let mut files: Vec<_> = fs_err::read_dir(path)?.collect::<Result<_, _>>()?;
    files.sort_by_key(fs_err::DirEntry::path);
    for entry in files {
        if entry.file_type()?.is_dir() {
            hash_of(&entry.path(), text)?;
        } else {
            let _ = write!(text, "\n{} {}", entry.path().display(), Hash::of(&fs_err::read(entry.path())?));
        }
    }
    Ok(())
}

/// Just above what the slowest test took: a mutant that hangs costs no more.
fn answer_within(rounds: &Rounds) -> u64 {
    (rounds.slowest * 2 + 500).clamp(*ANSWER.start(), *ANSWER.end())
}
