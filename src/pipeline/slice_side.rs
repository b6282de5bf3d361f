//! One revision of a service in slices: its handlers built by the project's own build, wired by the harness with stubs for what cannot be made, and
//! asked in one JVM (DESIGN §9, *Slices*).

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use super::java_bench::{Bench, ClassPath, NOWHERE, joined, split, version_of};
use super::launches::{in_jvm, is_in, launches};
use super::service::service_failure;
use super::service_path::service_path;
use super::slice_jobs::{job, left_out};
use super::strength::unconfigured;
use super::workspace::{Workspace, cache_folder, unwritable};
use crate::config::{Ready, ResetSetting, ServiceSettings, Settings};
use crate::error::{Exit, Failure};
use crate::extract::Surface;
use crate::frameworks::launch::Launch;
use crate::probe::auth::Users;
use crate::probe::http::Limits;
use crate::probe::run::{self, Keep, Options, Stop};
use crate::probe::service::{self, Place, Running, ServiceError};
use crate::probe::target::Target;
use crate::types::OpId;
use crate::types::oracle::Oracle;
use crate::types::outcome::Outcome;
use crate::types::slices::SliceSeconds;

/// Time limit of the harness's start.
const START: Duration = Duration::from_secs(120);
/// Packages of the compiler below `com.sun.tools.javac`.
const COMPILER: [&str; 10] = ["code", "comp", "file", "jvm", "main", "model", "parser", "processing", "tree", "util"];
/// Why an oracle tells nothing whose application could not be run.
const NOT_STARTED: &str = "its application does not build or start";
/// What the harness says when it answers.
const READY: &str = "mastor: slices are ready";
/// Sources of the harness: they take Spring MVC and its test kit, and reach all else by name.
const SOURCES: &[&str] = &[
    "slices/Answers.java",
    "slices/Beans.java",
    "slices/Caller.java",
    "slices/Client.java",
    "slices/Context.java",
    "slices/Factory.java",
    "slices/Given.java",
    "slices/Handlers.java",
    "slices/Holders.java",
    "slices/Outside.java",
    "slices/Parts.java",
    "slices/Paths.java",
    "slices/Project.java",
    "slices/Recipe.java",
    "slices/Recorder.java",
    "slices/Settings.java",
    "slices/Slices.java",
    "slices/Stubs.java",
    "slices/Values.java",
    "slices/Views.java",
    "slices/Wiring.java",
];

/// How the harness runs: as the service does, and nothing that its settings hand over, for it needs no secret.
fn spec(settings: &Settings, launch: Option<&Launch>) -> ServiceSettings {
    let own = settings.service.clone();
    let build = own.as_ref().and_then(|own| own.build.clone());
    let dir = own.map(|own| own.dir);
    let without = unconfigured(launch);
    ServiceSettings { build, dir: dir.unwrap_or_else(|| without.dir.clone()), ..without }
}

/// One revision of a service: the applications of it that serve operations.
pub(super) struct Side {
    applications: Vec<Application>,
    /// Which application serves an operation, where it is not the first.
    serves: BTreeMap<OpId, usize>,
}

/// One application.
pub(super) struct Application {
    /// How it is built and run.
    spec: ServiceSettings,
    launch: Option<Launch>,
    /// Its main class.
    pub(super) main: String,
    /// What stands before the paths of operations.
    pub(super) base_path: String,
}

/// How slices are asked.
#[derive(Debug, Clone, Default)]
pub(super) struct Asking {
    /// Classes and libraries of the application with those of its tests, built already.
    pub(super) class_path: Option<String>,
    /// Time limit of a slice.
    pub(super) time: Duration,
    /// How often each is asked: what varies by itself is no difference.
    pub(super) times: usize,
}

/// What was answered at one revision.
pub(super) struct Ran {
    /// Of each oracle, in order: what came of it each time, or why it makes no slice.
    pub(super) outcomes: Vec<Result<Vec<Outcome>, &'static str>>,
    /// Where it was asked.
    pub(super) base_url: String,
    /// How long that took.
    pub(super) seconds: SliceSeconds,
}

impl Side {
    /// The revision with this surface; its main class, where that is not to be found, and then it is the only application.
    ///
    /// # Errors
    /// Exit 2 where no main class is found.
    pub(super) fn of(settings: &Settings, surface: &Surface, main: Option<&str>) -> Result<Self, Failure> {
        let mut all = launches(surface, &settings.dir, "");
        let mut modules = BTreeSet::new();
        all.retain(|launch| modules.insert(launch.module.clone()));
        if main.is_some() {
            all.truncate(1);
        }
        let base_path = service_path(surface, "http://127.0.0.1:1");
        let own = main.map(str::to_owned).or_else(|| in_jvm(surface, settings).main).ok_or_else(|| {
            Failure::new(Exit::Usage, "no main class was found").hint("name it: `--main com.acme.Application`")
        })?;
        let first = all.first().cloned();
        let application = |launch: Option<Launch>, main: String| {
            let spec = spec(settings, launch.as_ref());
            Application { spec, launch, main, base_path: base_path.clone() }
        };
        let more = all.iter().skip(1).map(|launch| application(Some(launch.clone()), launch.main.clone()));
        let mut applications = vec![application(first, own)];
        applications.extend(more);
        let mut serves = BTreeMap::new();
        for found in &surface.matches {
            let Some(endpoint) = surface.endpoint(found) else { continue };
            // The innermost module of an application that has the handler.
            let within = |launch: &Launch| is_in(&endpoint.file, &launch.module);
            let within = all.iter().enumerate().filter(|(_, launch)| within(launch));
            if let Some((at, _)) = within.max_by_key(|(_, launch)| launch.module.len()).filter(|(at, _)| *at > 0) {
                serves.insert(found.op_id.clone(), at);
            }
        }
        Ok(Self { applications, serves })
    }

    /// How the first application is built.
    pub(super) fn spec(&self) -> &ServiceSettings {
        &self.applications[0].spec
    }

    /// The applications that serve these oracles' operations, each with the places of its own among them.
    pub(super) fn serving(&self, oracles: &[&Oracle]) -> Vec<(&Application, Vec<usize>)> {
        let serves = |oracle: &Oracle, number| self.serves.get(&oracle.op_id).copied().unwrap_or(0) == number;
        let of = |number| (0..oracles.len()).filter(|at| serves(oracles[*at], number)).collect::<Vec<usize>>();
        let all = self.applications.iter().enumerate().map(|(number, application)| (application, of(number)));
        all.filter(|(_, places)| !places.is_empty()).collect()
    }

    /// Builds the applications that serve these operations, starts the harness on each, and asks what oracles ask.
    ///
    /// # Errors
    /// Exit 2 where there is no JDK or no Maven; exit 4 where none of them compiles and starts.
    pub(super) async fn ran(
        &self,
        workspace: &Workspace,
        place: Place,
        oracles: &[&Oracle],
        asking: &Asking,
    ) -> Result<Ran, Failure> {
        let mut all = Ran {
            outcomes: vec![Err(NOT_STARTED); oracles.len()],
            base_url: String::new(),
            seconds: SliceSeconds::default(),
        };
        let mut failed = None;
        for (application, places) in self.serving(oracles) {
            let own: Vec<&Oracle> = places.iter().map(|at| oracles[*at]).collect();
            match application.ran(workspace, place.clone(), &own, asking).await {
                Ok(ran) => {
                    places.into_iter().zip(ran.outcomes).for_each(|(at, outcome)| all.outcomes[at] = outcome);
                    all.base_url = ran.base_url;
                    all.seconds.build += ran.seconds.build;
                    all.seconds.start += ran.seconds.start;
                    all.seconds.run += ran.seconds.run;
                }
                Err(failure) if failure.exit == Exit::Interrupted => return Err(failure),
                Err(failure) => {
                    workspace.events.said(format!("{} makes no slices: {}", application.main, failure.message));
                    failed = Some(failure);
                }
            }
        }
        match failed {
            Some(failure) if all.base_url.is_empty() => Err(failure),
            _ => Ok(all),
        }
    }
}

/// An application that answers, wired by the harness.
pub(super) struct Harness<'a> {
    /// Where it is built and run.
    pub(super) bench: Bench<'a>,
    /// The class path of the project's tests.
    pub(super) application: Vec<String>,
    /// What runs.
    pub(super) running: Running,
    seconds: SliceSeconds,
}

impl Application {
    /// The folder of its module; empty for the repository's own.
    pub(super) fn module(&self) -> &str {
        self.launch.as_ref().map(|launch| launch.module.as_str()).unwrap_or_default()
    }

    /// Builds the application, starts the harness on it, and asks what oracles ask.
    ///
    /// # Errors
    /// Exit 2 where there is no JDK or no Maven; exit 4 where the project or the harness does not compile or start.
    async fn ran(
        &self,
        workspace: &Workspace,
        place: Place,
        oracles: &[&Oracle],
        asking: &Asking,
    ) -> Result<Ran, Failure> {
        let Harness { running, mut seconds, .. } = self.harness(workspace, place, asking).await?;
        let began = Instant::now();
        let outcomes = self.asked(running.base_url(), oracles, asking).await;
        seconds.run = began.elapsed().as_secs_f64();
        let base_url = running.base_url().to_owned();
        running.stop().await;
        Ok(Ran { outcomes: outcomes?, base_url, seconds })
    }

    /// Builds the application and starts the harness on it.
    ///
    /// # Errors
    /// Exit 2 where there is no JDK or no Maven; exit 4 where the project or the harness does not compile or start.
    pub(super) async fn harness<'a>(
        &self,
        workspace: &'a Workspace,
        place: Place,
        asking: &Asking,
    ) -> Result<Harness<'a>, Failure> {
        let events = &workspace.events;
        let dir = cache_folder(&place.root.join(&self.spec.dir))?.join("slices");
        let bench = Bench { spec: self.spec.clone(), place, dir, events };
        let java = bench.check_java(8, "a slice", "")?;
        // Annotation processors of old reach into the compiler, which newer JDKs keep closed (JEP 396).
        let bench = match java {
            Some(java) if java >= 16 && !bench.spec.env.contains_key("MAVEN_OPTS") => {
                let opens: Vec<String> = COMPILER
                    .iter()
                    .map(|package| format!("--add-opens=jdk.compiler/com.sun.tools.javac.{package}=ALL-UNNAMED"))
                    .collect();
                bench.with("MAVEN_OPTS", &opens.join(" "))
            }
            _ => bench,
        };
        let began = Instant::now();
        let application = match &asking.class_path {
            Some(given) => split(given),
            None => bench.class_path(self.launch.as_ref(), ClassPath::Tests).await?,
        };
        let application = with_test_kit(&bench, application).await?;
        let classes = bench.compile_beside(SOURCES, &application).await.map_err(unfit)?;
        let mut seconds = SliceSeconds { build: began.elapsed().as_secs_f64(), ..SliceSeconds::default() };
        let class_path: Vec<String> = [classes].into_iter().chain(application.iter().cloned()).collect();
        let began = Instant::now();
        let started = self.started(&bench, &class_path, java)?;
        let running = service::start(&started, &bench.place, events).await.map_err(service_failure)?;
        seconds.start = began.elapsed().as_secs_f64();
        Ok(Harness { bench, application, running, seconds })
    }

    /// The harness as the target of requests.
    pub(super) fn target(&self, base_url: &str, asking: &Asking) -> Result<Target, Failure> {
        let limits = Limits { time: asking.time, ..Limits::default() };
        let url = format!("{}{}", base_url.trim_end_matches('/'), self.base_path);
        Target::new(&url, Users::none(), limits, 1).map_err(|error| service_failure(ServiceError::from(error)))
    }

    async fn asked(
        &self,
        base_url: &str,
        oracles: &[&Oracle],
        asking: &Asking,
    ) -> Result<Vec<Result<Vec<Outcome>, &'static str>>, Failure> {
        let target = self.target(base_url, asking)?;
        let how = Options { concurrency: 1, keep: Keep::All, stop: Stop::never() };
        let mut all = Vec::new();
        for oracle in oracles {
            if let Some(why) = left_out(oracle) {
                all.push(Err(why));
                continue;
            }
            let mut outcomes = Vec::new();
            for _ in 0..asking.times.max(1) {
                outcomes.push(run::one(&target, &job(oracle), &how).await);
            }
            all.push(Ok(outcomes));
        }
        Ok(all)
    }

    /// Gives the settings that start the harness as a service is started. The class path stands in a file, since systems limit the length of a command.
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
        let arguments =
            NOWHERE.iter().map(|flag| (*flag).to_owned()).chain(arguments.into_iter().skip(usize::from(is_old)));
        let line = bench.line("java", "slices", arguments)?;
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
    if version_of(&application, "spring-test-").is_none()
        && let Some(own) = version_of(&application, "spring-core-")
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
