//! The GitHub Actions workflow of `mastor init`, with the JDK and the stores that the services need.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::services::Proposed;
use super::stores;
use crate::commands::context::Context;
use crate::pipeline::Workspace;
use mastor_frameworks::launch::{Launch, Store};
use mastor_java::build::build_kind::BuildKind;
use mastor_store as store;
use mastor_types::error::{Exit, Failure};

/// The pull-request workflow from the docs, which is also linted by tests.
const WORKFLOW: &str = include_str!("../../../docs/ci/pull-request.yml");
/// The workflow of the docs that sets up a JDK.
const WITH_JAVA: &str = include_str!("../../../docs/ci/monorepo.yml");
/// Path of the workflow file.
const WORKFLOW_PATH: &str = ".github/workflows/mastor.yml";
/// The placeholder of the docs for a release's commit and version; it follows the repository's name.
const PIN: &str = "@0000000000000000000000000000000000000000 # v";
/// The placeholder for the repository before the first release.
const UNKNOWN: &str = "OWNER/mastor";
/// Files of other CI systems. Where one exists and `.github` does not, no workflow is written.
const OTHERS: [(&str, &str); 3] =
    [(".gitlab-ci.yml", "GitLab"), ("Jenkinsfile", "Jenkins"), ("azure-pipelines.yml", "Azure Pipelines")];
/// Default Java version.
const JAVA: u32 = 21;

/// What the workflow's job must provide for the services.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Job {
    stores: BTreeSet<Store>,
    /// The newest Java version that a build needs, and the build tool whose cache is used (setup-java caches only one).
    java: Option<(u32, BuildKind)>,
}

impl Job {
    /// The requirements of these services.
    pub(super) fn of(services: &[Proposed]) -> Self {
        let launches: Vec<&Launch> = services.iter().filter_map(|service| service.launches.first()).collect();
        let stores = launches.iter().flat_map(|launch| launch.needs.stores.keys().copied()).collect();
        let of_gradle = launches.iter().filter(|launch| launch.tool == BuildKind::Gradle).count();
        let tool = if of_gradle * 2 > launches.len() { BuildKind::Gradle } else { BuildKind::Maven };
        // Round up to a long-term release of Temurin.
        let released = |wanted: u32| [8, 11, 17, 21, 25].into_iter().find(|one| *one >= wanted).unwrap_or(wanted);
        let newest = launches.iter().filter_map(|launch| launch.java).max().map_or(JAVA, released);
        Self { stores, java: (!launches.is_empty()).then_some((newest, tool)) }
    }
}

/// Whether the workflow should be written.
pub(super) fn is_lacking(workspace: &Workspace) -> bool {
    !workspace.root.join(WORKFLOW_PATH).exists() && other_system(&workspace.root).is_none()
}

/// Writes the workflow, unless it exists or another CI system builds the repository. Returns its path.
///
/// # Errors
/// Exit 70 where it cannot be written.
pub(super) fn write(context: &Context, workspace: &Workspace, job: &Job) -> Result<Option<PathBuf>, Failure> {
    let path = workspace.root.join(WORKFLOW_PATH);
    if path.exists() {
        context.console.say(&format!("workflow: {WORKFLOW_PATH} is there already, and stays as it is"));
        return Ok(None);
    }
    if let Some((file, system)) = other_system(&workspace.root) {
        context.console.say(&format!(
            "workflow: none written, since {file} says that {system} builds this repository; docs/ci.md of mastor has one for it"
        ));
        return Ok(None);
    }
    let branch = workspace.repo.main_branch();
    let written = text(mastor_env::BUILT_FROM, &branch, job);
    store::write(&path, written.as_bytes()).map_err(|error| Failure::new(Exit::Internal, error.to_string()))?;
    context.console.say(&format!("workflow: {WORKFLOW_PATH}, for pull requests and pushes to {branch}"));
    if let Some((java, tool)) = &job.java {
        let tool = if *tool == BuildKind::Gradle { "Gradle" } else { "Maven" };
        context.console.say(&format!("  with Java {java} and a cache for {tool}"));
    }
    if !job.stores.is_empty() {
        let names: Vec<&str> = job.stores.iter().copied().map(Store::words).collect();
        context.console.say(&format!("  with {} in containers, by digest", names.join(", ")));
    }
    if written.contains(UNKNOWN) {
        context.console.say("  put the owner of mastor's repository for OWNER there");
    }
    Ok(Some(path))
}

/// The workflow's text with a released version of the action, the main branch, and the job's requirements.
fn text(repository: Option<&str>, branch: &str, job: &Job) -> String {
    let mut text = String::new();
    for line in WORKFLOW.lines() {
        match line.split_once(PIN) {
            Some((uses, _)) => {
                let indent: String = uses.chars().take_while(|c| *c == ' ').collect();
                let (key, named) = uses.rsplit_once(' ').unwrap_or(("", uses));
                let version = env!("CARGO_PKG_VERSION");
                text +=
                    &format!("{indent}# Safer by commit than by tag: the page of the release has the line to paste.\n");
                text += &format!("{key} {}@v{version}", repository.unwrap_or(named));
            }
            None => text += &line.replace("branches: [main]", &format!("branches: [{}]", scalar(branch))),
        }
        text.push('\n');
        if line.trim_start().starts_with("timeout-minutes:") {
            text += &services(job);
        }
        if line.trim() == "persist-credentials: false" {
            text += &java(job);
        }
    }
    text
}

/// A branch name as a YAML scalar.
fn scalar(name: &str) -> String {
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '/' | '.'))
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && !matches!(name, "true" | "false" | "null" | "yes" | "no" | "on" | "off");
    if is_plain { name.to_owned() } else { format!("'{}'", name.replace('\'', "''")) }
}

/// The `services` section of the job with its stores.
fn services(job: &Job) -> String {
    if job.stores.is_empty() {
        return String::new();
    }
    let mut text = "    services: # at ports of their own, where `[service] env` of mastor.toml leads\n".to_owned();
    for line in job.stores.iter().flat_map(|store| stores::lines(*store)) {
        text += &format!("    {line}\n");
    }
    text
}

/// The step that sets up the JDK, with the pinned action from the docs.
fn java(job: &Job) -> String {
    let Some((java, tool)) = &job.java else { return String::new() };
    let mut text = String::new();
    let step = WITH_JAVA.lines().skip_while(|line| !line.contains("uses: actions/setup-java@"));
    for (at, line) in step.enumerate() {
        if at > 0 && line.trim_start().starts_with("- ") {
            break;
        }
        let cache = if *tool == BuildKind::Gradle { "cache: gradle" } else { "cache: maven" };
        let line =
            line.replace("java-version: \"21\"", &format!("java-version: \"{java}\"")).replace("cache: maven", cache);
        text += &format!("{line}\n");
    }
    text
}

/// Another CI system whose file exists, unless `.github` exists too.
fn other_system(root: &Path) -> Option<(&'static str, &'static str)> {
    if root.join(".github").is_dir() {
        return None;
    }
    OTHERS.into_iter().find(|(file, _)| root.join(file).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workflow_names_a_release_and_the_branch() {
        let text = |repository, branch| text(repository, branch, &Job::default());
        let made = text(Some("acme/mastor"), "master");
        let uses = format!("        uses: acme/mastor@v{}\n", env!("CARGO_PKG_VERSION"));
        assert!(made.contains(&uses) && made.contains("branches: [master]"), "{made}");
        assert!(!made.contains("OWNER") && !made.contains("[main]"), "{made}");
        assert_eq!(made.lines().count(), WORKFLOW.lines().count() + 1);
        let known = env!("CARGO_PKG_REPOSITORY").splitn(4, '/').nth(3).unwrap_or(UNKNOWN);
        assert!(text(None, "main").contains(&format!("uses: {known}@v")));
        assert!(text(None, "v1 #x").contains("branches: ['v1 #x']"));
    }

    #[test]
    fn the_job_brings_the_jdk_and_the_stores() {
        let job = Job { stores: [Store::Redis, Store::MySql].into(), java: Some((25, BuildKind::Gradle)) };
        let made = text(None, "main", &job);
        for part in [
            "\n    services: #",
            "\n      mysql:\n        image: mysql:",
            "\n      redis:\n",
            "java-version: \"25\"\n          cache: gradle\n",
        ] {
            assert!(made.contains(part), "{part}\n{made}");
        }
        assert!(made.find("uses: actions/checkout").unwrap() < made.find("uses: actions/setup-java").unwrap());
        assert!(made.find("uses: actions/setup-java").unwrap() < made.find("id: mastor").unwrap());
    }
}
