//! `mastor demo`: runs `ci` on a bundled order service in a temporary git repository.

use std::path::Path;

use super::context::Context;
use super::tools;
use crate::pipeline::service::live::LiveOptions;
use crate::pipeline::{self, CiOptions, GenerateOptions, Workspace};
use mastor_publish::terminal::tables;
use mastor_revision::Scratch;
use mastor_types::error::{Exit, Failure};
use mastor_types::results::change::{Change, Place};

mod bundled {
    include!(concat!(env!("OUT_DIR"), "/example.rs"));
}

/// Runs the demo in `dir`, or in a temporary folder that is removed afterwards. With a JDK and Maven, the service is
/// started too, unless `no_service`.
///
/// # Errors
/// Exit 2 where `dir` is not empty, exit 70 where a step fails.
pub fn run(context: &Context, dir: Option<&Path>, no_service: bool) -> Result<Exit, Failure> {
    let temporary;
    let root = match dir {
        Some(dir) => {
            fs_err::create_dir_all(dir).map_err(internal)?;
            if fs_err::read_dir(dir).map_err(internal)?.next().is_some() {
                return Err(Failure::new(Exit::Usage, format!("{} is not empty", dir.display()))
                    .hint("name a new folder with `--dir`"));
            }
            dir
        }
        None => {
            temporary = tempfile::Builder::new().prefix("mastor-demo-").tempdir().map_err(internal)?;
            temporary.path()
        }
    };
    let say = |text: &str| context.events.said(text);
    say(&format!("The example: a Spring Boot order service, {} files, in {}", bundled::ORDERS.len(), root.display()));
    write(root, bundled::ORDERS)?;
    let repository = Scratch::create(root, "main").map_err(pipeline::failure)?;
    repository.commit_all("An order service\n").map_err(pipeline::failure)?;

    say("On main: `mastor generate --all` makes the baseline, which is committed");
    let workspace = Workspace::open(root, context.events.clone(), Default::default())?;
    let head = workspace.head(None)?;
    let mut live = if no_service { None } else { service(context) };
    let generate = |live| {
        let options = GenerateOptions { all: true, live, ..Default::default() };
        pipeline::generate(&workspace, &head, None, &options, &|_, _| {})
    };
    let made = match generate(live) {
        Err(failure) if live.is_some() && failure.exit == Exit::NotReady => {
            say(&format!("The service could not be started, so nothing is seen: {}", failure.message));
            live = None;
            generate(live)?
        }
        made => made?,
    };
    for confirm in made.iter().filter_map(|service| service.confirm.as_ref()) {
        say(tables::confirming(confirm).lines().last().unwrap_or_default());
    }
    repository.commit_all("Add the suite of semantic test oracles\n").map_err(pipeline::failure)?;

    repository.start_branch("feature").map_err(pipeline::failure)?;
    let mut planted = Vec::new();
    for (name, files) in steps() {
        let message = files
            .iter()
            .find(|(path, _)| *path == "message.txt")
            .map_or(String::new(), |(_, bytes)| String::from_utf8_lossy(bytes).into_owned());
        let files: Files = files.into_iter().filter(|(path, _)| *path != "message.txt").collect();
        write(root, &files)?;
        repository.commit_all(&message).map_err(pipeline::failure)?;
        let kind = name.split_once('-').map_or(name, |(_, rest)| rest);
        let what = format!("{kind}: {}", message.lines().next().unwrap_or_default());
        say(&format!("On feature, {what}"));
        planted.push((what, files));
    }

    say("`mastor ci --since main`:");
    let workspace = Workspace::open(root, context.events.clone(), Default::default())?;
    let head = workspace.head(None)?;
    let base = workspace.base(Some("main"), &head)?;
    let mut outcome = pipeline::ci(&workspace, &head, &base, &CiOptions { live, ..CiOptions::default() })?;
    outcome.report.seconds = context.seconds();
    let text = mastor_publish::report::report_text::plain(&outcome.report)
        .map_err(|e| Failure::new(Exit::Internal, e.to_string()))?;
    context.console.result(&text);
    let found = outcome.report.services.iter().map(|s| s.changes.len()).sum::<usize>();
    if found == 0 {
        return Err(Failure::new(Exit::Internal, "the demo's changes were not found")
            .hint("this is a defect of mastor; please report it"));
    }
    say(&format!("With this, `mastor ci` ends with {}; the demo ends with 0", outcome.report.exit.code));
    say("What was planted, and what was found of it:");
    let changes: Vec<&Change> = outcome.report.services.iter().flat_map(|service| &service.changes).collect();
    for (what, files) in &planted {
        say(&format!("  {what}: {}", found_of(files, &changes)));
    }
    let artifacts = outcome.report.services.iter().flat_map(|service| &service.artifacts);
    let page =
        artifacts.filter(|path| path.ends_with(".html")).map(|path| root.join(path).display().to_string()).next();
    if let (Some(page), Some(_)) = (page, dir) {
        say(&format!("The new oracles as a page for a browser: {page}"));
    }
    match dir {
        Some(dir) => say(&format!(
            "Kept in {}: try `mastor -C {0} why 'GET /quotes' --since main`, `mastor -C {0} explain ID`, `mastor -C {0} accept --all`",
            dir.display()
        )),
        None => say("The folder is removed again; `mastor demo --dir DIR` keeps it"),
    }
    Ok(Exit::Clean)
}

/// The reported changes whose evidence lies in these files, in one line.
fn found_of(files: &[(&str, &[u8])], changes: &[&Change]) -> String {
    let is_here =
        |place: &Option<Place>| place.as_ref().is_some_and(|at| files.iter().any(|(path, _)| *path == at.file));
    let own = changes.iter().filter(|change| is_here(&change.evidence_before) || is_here(&change.evidence_after));
    let told: Vec<String> = own
        .map(|change| match change.also.len() {
            0 => format!("{} {}", change.op_id, change.sentence()),
            more => format!("{} {}, and {more} more", change.op_id, change.sentence()),
        })
        .collect();
    if told.is_empty() { "nothing is told of it".to_owned() } else { format!("found, {}", told.join("; ")) }
}

/// Options for starting the example's service, if a JDK and Maven are installed; otherwise prints what they would add.
fn service(context: &Context) -> Option<LiveOptions> {
    let java = tools::java_here().is_some_and(|version| version >= 17);
    if java && tools::on_path("mvn") {
        context.events.said("A JDK and Maven are here: the service is built and started, so that answers are seen");
        return Some(LiveOptions::default());
    }
    context.events.said("With a JDK of version 17 or later and Maven, the service would be started too, and the changes seen, not only derived");
    None
}

/// Paths below a folder, with their contents.
type Files = Vec<(&'static str, &'static [u8])>;

/// The commits of the feature branch: name and files.
fn steps() -> Vec<(&'static str, Files)> {
    let mut steps: Vec<(&str, Files)> = Vec::new();
    for (path, bytes) in bundled::ORDERS_CHANGES {
        let Some((step, rest)) = path.split_once('/') else { continue };
        match steps.last_mut() {
            Some((name, files)) if *name == step => files.push((rest, bytes)),
            _ => steps.push((step, vec![(rest, bytes)])),
        }
    }
    steps
}

fn write(root: &Path, files: &[(&str, &[u8])]) -> Result<(), Failure> {
    for (relative, bytes) in files {
        let path = root.join(relative);
        if let Some(folder) = path.parent() {
            fs_err::create_dir_all(folder).map_err(internal)?;
        }
        fs_err::write(&path, bytes).map_err(internal)?;
    }
    Ok(())
}

fn internal(error: std::io::Error) -> Failure {
    Failure::new(Exit::Internal, error.to_string())
        .hint("is there room on the disk, and may you write there? `--dir DIR` names another place")
}
