//! One application in slices: built by the project's own build, wired by the harness with stubs for beans that cannot
//! be made, and started in a JVM.

use std::path::Path;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::session::Session;
use crate::pipeline::repository::workspace::{Workspace, cache_folder, unwritable};
use crate::pipeline::service::java_bench::{Bench, ClassPath, NOWHERE, java_of, joined, split, version_of};
use crate::pipeline::service::jdks;
use crate::pipeline::service::launches::unconfigured;
use crate::pipeline::service::revisions::service_failure;
use mastor_config::{Ready, ResetSetting, ServiceSettings, Settings};
use mastor_frameworks::launch::Launch;
use mastor_probe::auth::Users;
use mastor_probe::http::Limits;
use mastor_probe::runs::target::Target;
use mastor_probe::service::{self, Place, ServiceError};
use mastor_publish::InJvm;
use mastor_types::Hash;
use mastor_types::error::{Exit, Failure};
use mastor_types::results::slices::SliceSeconds;

/// Time limit of the harness's start.
const START: Duration = Duration::from_secs(120);
/// Time limit of a slice in `generate` and `ci`.
const WITHIN: Duration = Duration::from_secs(30);
/// Packages of the compiler, below `com.sun.tools.javac`.
const COMPILER: [&str; 10] = ["code", "comp", "file", "jvm", "main", "model", "parser", "processing", "tree", "util"];
/// The main class of the harness.
pub(super) const HARNESS: &str = "mastor.Slices";
/// What the harness logs when it is ready.
const READY: &str = "mastor: slices are ready";
/// Sources of the harness: they compile against Spring MVC and its test module, and reach everything else by name.
const SOURCES: &[&str] = &[
    "slices/Answers.java",
    "slices/Asked.java",
    "slices/Beans.java",
    "slices/Bodies.java",
    "slices/Caller.java",
    "slices/Client.java",
    "slices/Context.java",
    "slices/Events.java",
    "slices/Factory.java",
    "slices/Fitting.java",
    "slices/Given.java",
    "slices/Handlers.java",
    "slices/Hints.java",
    "slices/Multipart.java",
    "slices/Holders.java",
    "slices/Names.java",
    "slices/Outside.java",
    "slices/Parts.java",
    "slices/Paths.java",
    "slices/Project.java",
    "slices/Recipe.java",
    "slices/Recorder.java",
    "slices/Requests.java",
    "slices/Settings.java",
    "slices/Slices.java",
    "slices/State.java",
    "slices/Stubs.java",
    "slices/Unknown.java",
    "slices/Values.java",
    "slices/Views.java",
    "slices/Wiring.java",
];

/// One application in slices.
pub(super) struct Application {
    /// How it is built and run.
    pub(super) spec: ServiceSettings,
    launch: Option<Launch>,
    /// Its main class.
    pub(super) main: String,
    /// The path before the paths of operations.
    pub(super) base_path: String,
}

/// The kept result of building a commit.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    /// The version of Java that was found.
    java: Option<u32>,
    /// Version and home of the JDK that built it, if that is another one.
    by: Option<(u32, String)>,
    /// Classes and libraries of the application with those of its tests.
    class_path: Vec<String>,
}

/// How slices are asked.
#[derive(Debug, Clone, Default)]
pub(super) struct Asking {
    /// Classes and libraries of the application with those of its tests, built already.
    pub(super) class_path: Option<String>,
    /// Time limit of a slice.
    pub(super) time: Duration,
    /// How often each oracle is asked: values that vary within a revision are no difference.
    pub(super) times: usize,
}

impl Asking {
    /// How `generate` and `ci` ask: each oracle `times` times, on the class path of the project's build.
    pub(super) fn beside(times: usize) -> Self {
        Self { class_path: None, time: WITHIN, times }
    }
}

impl Application {
    /// The application with this main class; `launch` is what starts it, where that is known.
    pub(super) fn of(settings: &Settings, launch: Option<Launch>, main: String, base_path: &str) -> Self {
        let spec = spec(settings, launch.as_ref());
        Self { spec, launch, main, base_path: base_path.to_owned() }
    }

    /// The folder of its module; empty for the repository's own.
    pub(super) fn module(&self) -> &str {
        self.launch.as_ref().map(|launch| launch.module.as_str()).unwrap_or_default()
    }

    /// Builds the application and starts the harness on it.
    ///
    /// # Errors
    /// Exit 2 where there is no JDK or no Maven; exit 4 where the project or the harness does not compile or start.
    pub(super) async fn started<'a>(
        &self,
        workspace: &'a Workspace,
        place: Place,
        asking: &Asking,
    ) -> Result<Session<'a>, Failure> {
        let events = &workspace.events;
        let dir = cache_folder(&place.root.join(&self.spec.dir))?.join("slices");
        let bench = Bench { spec: self.spec.clone(), place, dir, events };
        let java = bench.check_java(8, "a slice", "")?;
        let began = Instant::now();
        let (bench, java, application) = match &asking.class_path {
            Some(given) => (bench, java, split(given)),
            None => self.built(bench, java).await?,
        };
        let application = with_test_kit(&bench, java, application).await?;
        let classes = bench.compile_beside(SOURCES, &application).await.map_err(unfit)?;
        let mut seconds = SliceSeconds { build: began.elapsed().as_secs_f64(), ..SliceSeconds::default() };
        let class_path: Vec<String> = [classes].into_iter().chain(application.iter().cloned()).collect();
        let began = Instant::now();
        let started = self.start(&bench, &class_path, java)?;
        let running = service::start(&started, &bench.place, events).await.map_err(service_failure)?;
        seconds.start = began.elapsed().as_secs_f64();
        let target = self.target(running.base_url(), asking)?;
        Session::of((bench, application), running, (target, asking.times), seconds)
    }

    /// Builds the application, and gives the class path of its tests. If the compiler does not know the Java release
    /// that the build asks for, the build is tried once more with a JDK of this machine that does.
    async fn built<'a>(
        &self,
        bench: Bench<'a>,
        java: Option<u32>,
    ) -> Result<(Bench<'a>, Option<u32>, Vec<String>), Failure> {
        if let Some(Kept { by, class_path, .. }) = self.kept(&bench, java) {
            return Ok(match by {
                Some((release, home)) => (bench.with("JAVA_HOME", &home), Some(release), class_path),
                None => (bench, java, class_path),
            });
        }
        let mut bench = open(bench, java);
        let mut made = bench.class_path(self.launch.as_ref(), ClassPath::Tests).await;
        if made.as_ref().is_err_and(|failure| asks_for_an_old_java(&failure.lines)) {
            bench.events.said("the build asks for a Java that this compiler has left behind: it compiles for Java 8");
            let options = bench.spec.env.get("MAVEN_OPTS").cloned().unwrap_or_default();
            bench = bench.with("MAVEN_OPTS", format!("{options} {FOR_JAVA_8}").trim());
            made = bench.class_path(self.launch.as_ref(), ClassPath::Tests).await;
        }
        let ((release, home), built) = match made {
            // The classes may come from an earlier build with a newer JDK.
            Ok(application) => match newer(&application, java).and_then(jdks::at_least) {
                None => {
                    self.keep(&bench, (java, None), &application)?;
                    return Ok((bench, java, application));
                }
                Some(found) => (found, Some(application)),
            },
            Err(failure) => match jdks::asked(&failure.lines).and_then(jdks::at_least) {
                None => return Err(failure),
                Some(found) => (found, None),
            },
        };
        bench.events.said(format!("the build asks for another Java: it is run by that of {}", home.display()));
        let home = home.display().to_string();
        let bench = open(bench.with("JAVA_HOME", &home), Some(release));
        let application = match built {
            Some(application) => application,
            None => bench.class_path(self.launch.as_ref(), ClassPath::Tests).await?,
        };
        self.keep(&bench, (java, Some((release, &home))), &application)?;
        Ok((bench, Some(release), application))
    }

    /// The result of an earlier build of the same commit with the same Java: then nothing is built.
    fn kept(&self, bench: &Bench<'_>, java: Option<u32>) -> Option<Kept> {
        let kept: Kept = serde_json::from_str(&bench.place.note(&self.note())?).ok()?;
        let is_there = |path: &String| Path::new(path).exists();
        (kept.java == java && kept.class_path.iter().all(is_there)).then_some(kept)
    }

    /// Keeps the result of building a commit for the next run; nothing is kept of a work tree, since its files change.
    fn keep(
        &self,
        bench: &Bench<'_>,
        (java, by): (Option<u32>, Option<(u32, &str)>),
        all: &[String],
    ) -> Result<(), Failure> {
        let by = by.map(|(release, home)| (release, home.to_owned()));
        let kept = Kept { java, by, class_path: all.to_vec() };
        let text = serde_json::to_string(&kept).map_err(|error| Failure::new(Exit::Internal, error.to_string()))?;
        bench.place.keep_with(&self.note(), &text).map_err(unwritable)
    }

    /// The name under which its builds are kept.
    fn note(&self) -> String {
        format!("slices-{}", Hash::of(self.module().as_bytes()).short(12))
    }

    /// How the harness is started in the JVM of tests, on Java 9 or later.
    pub(super) fn in_jvm(&self) -> InJvm {
        InJvm {
            main: Some(HARNESS.to_owned()),
            // Tests in the same JVM must reach the harness, so requests to 127.0.0.1 bypass the proxy.
            options: jvm_options(false)
                .into_iter()
                .map(|option| option.replace("ProxyHosts=", "ProxyHosts=127.0.0.1"))
                .collect(),
            arguments: vec!["{port}".to_owned(), self.main.clone()],
            base_path: self.base_path.clone(),
            within: START.as_secs(),
            ..InJvm::default()
        }
    }

    /// The harness, as a target for requests.
    fn target(&self, base_url: &str, asking: &Asking) -> Result<Target, Failure> {
        let limits = Limits { time: asking.time, ..Limits::default() };
        let url = format!("{}{}", base_url.trim_end_matches('/'), self.base_path);
        Target::new(&url, Users::none(), limits, 1).map_err(|error| service_failure(ServiceError::from(error)))
    }

    /// Gives the settings that start the harness as a service is started. The class path stands in a file, since
    /// systems limit the length of a command.
    fn start(&self, bench: &Bench<'_>, class_path: &[String], java: Option<u32>) -> Result<ServiceSettings, Failure> {
        let options = jvm_options(java.is_some_and(|java| java < 9));
        let arguments = ["-cp".to_owned(), joined(class_path), HARNESS.to_owned()];
        let line = bench.line("java", "slices", options.into_iter().chain(arguments))?;
        Ok(ServiceSettings {
            dir: scratch(bench)?,
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

/// Options of the harness's JVM.
fn jvm_options(is_old: bool) -> Vec<String> {
    let opens = (!is_old).then_some("--add-opens=java.base/java.lang=ALL-UNNAMED");
    let quick = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];
    NOWHERE.into_iter().chain(opens).chain(quick).map(str::to_owned).collect()
}

/// The folder of the harness's own classes.
pub(super) fn harness_classes(bench: &Bench<'_>) -> String {
    bench.dir.join("classes").display().to_string()
}

/// The folder, below the place's root, in which the harness runs: the project's code writes its files there.
///
/// # Errors
/// Exit 70 where it cannot be made.
pub(super) fn scratch(bench: &Bench<'_>) -> Result<String, Failure> {
    let scratch = bench.dir.join("run");
    mastor_store::create_dir(&scratch).map_err(unwritable)?;
    Ok(scratch.strip_prefix(&bench.place.root).unwrap_or(&scratch).display().to_string())
}

/// The settings of the harness: build and folder of the service, but none of its variables, since the harness needs no
/// secret.
fn spec(settings: &Settings, launch: Option<&Launch>) -> ServiceSettings {
    let own = settings.service.clone().or_else(|| settings.switched_off.clone());
    let build = own.as_ref().and_then(|own| own.build.clone());
    let dir = own.map(|own| own.dir);
    let without = unconfigured(launch);
    ServiceSettings { build, dir: dir.unwrap_or_else(|| without.dir.clone()), ..without }
}

/// The Java release that the application's own classes need, if this Java is older.
fn newer(application: &[String], java: Option<u32>) -> Option<u32> {
    let of = java_of(Path::new(application.first()?))?;
    let release: u32 = of.trim_start_matches("1.").parse().ok()?;
    java.filter(|java| *java < release).map(|_| release)
}

/// Options that make Maven compile for Java 8 if the project names no version.
const FOR_JAVA_8: &str = "-Dmaven.compiler.source=8 -Dmaven.compiler.target=8";

/// Whether the compiler refuses the version of Java that the build asks for as too old: old compiler plugins of Maven
/// ask for Java 5 by default.
fn asks_for_an_old_java(said: &[String]) -> bool {
    said.iter().any(|line| line.contains("Source option ") && line.contains("no longer supported"))
}

/// A bench whose JVM opens the compiler's packages: old annotation processors use them, and newer JDKs close them (JEP
/// 396).
fn open(bench: Bench<'_>, java: Option<u32>) -> Bench<'_> {
    match java {
        Some(java) if java >= 16 && !bench.spec.env.contains_key("MAVEN_OPTS") => {
            let opens: Vec<String> = COMPILER
                .iter()
                .map(|package| format!("--add-opens=jdk.compiler/com.sun.tools.javac.{package}=ALL-UNNAMED"))
                .collect();
            bench.with("MAVEN_OPTS", &opens.join(" "))
        }
        _ => bench,
    }
}

/// The class path, with Spring's test module in the version of the application's Spring if it is missing, and with
/// packages that an old Spring needs and this Java lacks.
async fn with_test_kit(
    bench: &Bench<'_>,
    java: Option<u32>,
    mut application: Vec<String>,
) -> Result<Vec<String>, Failure> {
    if version_of(&application, "spring-test-").is_none()
        && let Some(own) = version_of(&application, "spring-core-")
    {
        bench.events.detail(format!("the tests do without spring-test: {own} is taken beside them"));
        application.extend(bench.artifact(("org.springframework", "spring-test", &own)).await?);
    }
    let is_of_old = version_of(&application, "spring-core-").is_some_and(|version| is_before(&version, (5, 1)));
    for (jars, artifact) in LEFT_OUT {
        let is_there = jars.iter().any(|jar| version_of(&application, jar).is_some());
        if is_of_old && !is_there && java.is_some_and(|java| java >= 11) {
            bench.events.detail(format!("{} is no part of this Java: it is taken beside the application", artifact.1));
            // Many applications work without it.
            application.extend(bench.artifact(artifact).await.unwrap_or_default());
        }
    }
    Ok(application)
}

/// The names of a jar, and the artifact that is added if none of them is there: group, name and version.
type LeftOut = (&'static [&'static str], (&'static str, &'static str, &'static str));

/// Packages that Java 11 no longer has (JEP 320), and that older frameworks use.
const LEFT_OUT: [LeftOut; 3] = [
    (&["jaxb-api-", "jakarta.xml.bind-api-"], ("javax.xml.bind", "jaxb-api", "2.3.1")),
    (
        &["activation-", "javax.activation-", "javax.activation-api-", "jakarta.activation-"],
        ("javax.activation", "javax.activation-api", "1.2.0"),
    ),
    (&["javax.annotation-api-", "jakarta.annotation-api-"], ("javax.annotation", "javax.annotation-api", "1.3.2")),
];

/// Whether a version such as `5.0.7.RELEASE` comes before this one.
fn is_before(version: &str, (major, minor): (u32, u32)) -> bool {
    let mut parts = version.split('.').map_while(|part| part.parse::<u32>().ok());
    parts.next().is_some_and(|own| (own, parts.next().unwrap_or_default()) < (major, minor))
}

/// Adds a hint on what is missing if the harness does not compile against the project.
fn unfit(failure: Failure) -> Failure {
    failure.hint("slices take Spring MVC and a servlet API on the class path of the tests")
}

#[cfg(test)]
mod tests {
    use super::{asks_for_an_old_java, is_before, newer};

    #[test]
    fn versions_of_old_are_told_by_their_numbers() {
        assert!(is_before("4.3.30.RELEASE", (5, 1)) && is_before("5.0.7.RELEASE", (5, 1)));
        assert!(!is_before("5.1.0.RELEASE", (5, 1)) && !is_before("6.2.1", (5, 1)) && !is_before("latest", (5, 1)));
    }

    #[test]
    fn a_compiler_that_has_left_a_java_behind_is_understood() {
        let said = |line: &str| asks_for_an_old_java(&[line.to_owned()]);
        assert!(said("[ERROR] Source option 5 is no longer supported. Use 7 or later."));
        assert!(!said("[ERROR] error: release version 21 not supported"));
    }

    #[test]
    fn classes_of_a_newer_java_are_seen_by_their_version() {
        let folder = tempfile::tempdir().unwrap();
        let classes = folder.path().join("a");
        std::fs::create_dir(&classes).unwrap();
        std::fs::write(classes.join("B.class"), [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 65]).unwrap();
        let application = [folder.path().display().to_string()];
        assert_eq!(newer(&application, Some(17)), Some(21));
        assert_eq!((newer(&application, Some(21)), newer(&application, None)), (None, None));
        assert_eq!(newer(&["nowhere".to_owned()], Some(17)), None);
    }
}
