//! `study`: runs configurations over projects, each on its own copy; finished rows are kept, so that a stopped study
//! can resume.

use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::pipeline::generate::engines::EngineOptions;
use crate::pipeline::generate::suites::{GenerateOptions, ServiceGenerated, generate};
use crate::pipeline::repository::workspace::Workspace;
use crate::pipeline::service::live::LiveOptions;
use mastor_agents::Switches;
use mastor_config::{Overrides, StudyConfiguration, StudyFile, StudyProject};
use mastor_spawn as spawn;
use mastor_suite::Suite;
use mastor_types::Hash;
use mastor_types::error::{Exit, Failure};
use mastor_types::event::Events;
use mastor_types::model::Usage;
use mastor_types::results::study::{Study, StudyRow};
use mastor_types::suite::oracle::Engine;

/// Folder of finished rows, below the folder of the study.
const ROWS: &str = "rows";
/// Folder of the copies, below the folder of the study.
const WORK: &str = "work";

/// Runs every row that is not done yet; `told` gets each row, and whether it was kept from an earlier run.
///
/// # Errors
/// Exit 2 for a project that is no repository, exit 70 where writing fails, exit 130 where the study is stopped.
pub fn study(
    file: &StudyFile,
    dir: &Path,
    events: &Events,
    told: &dyn Fn(&StudyRow, bool),
) -> Result<(Study, PathBuf), Failure> {
    let out = dir.join(&file.out);
    crate::pipeline::repository::workspace::out_folder(&out)?;
    let mut study = Study::default();
    for project in &file.projects {
        for configuration in &file.configurations {
            let (row, kept) = row(&out, dir, project, configuration, events)?;
            told(&row, kept);
            study.rows.push(row);
        }
    }
    Ok((study, out))
}

/// One row, run now or kept from an earlier run of the same configuration on the same commit by the same binary.
fn row(
    out: &Path,
    dir: &Path,
    project: &StudyProject,
    configuration: &StudyConfiguration,
    events: &Events,
) -> Result<(StudyRow, bool), Failure> {
    let from = Workspace::open(&dir.join(&project.path), Events::silent(), Overrides::default())?;
    let commit = from.head(Some("HEAD"))?.commit.id.to_string();
    let said = format!("{configuration:?} {:?} {commit} {}", project.operations, env!("CARGO_PKG_VERSION"));
    let name = format!("{}--{}", project.name, configuration.name);
    let file = out.join(ROWS).join(format!("{name}-{}.json", Hash::of(said.as_bytes()).short(12)));
    if let Ok(bytes) = fs_err::read(&file)
        && let Ok(row) = serde_json::from_slice::<StudyRow>(&bytes)
    {
        return Ok((row, true));
    }
    let copy = out.join(WORK).join(&name);
    if copy.exists() {
        fs_err::remove_dir_all(&copy).map_err(internal)?;
    }
    fs_err::create_dir_all(out.join(WORK)).map_err(internal)?;
    clone(&from.root, &copy)?;
    // A study starts without a committed suite.
    for part in ["suite", "lock"] {
        let _ = fs_err::remove_dir_all(copy.join(".mastor").join(part));
    }
    let begin = Instant::now();
    let row = match run(&copy, dir, (project, configuration), events) {
        Ok(services) => filled(project, configuration, &commit, &copy, &services),
        Err(failure) if failure.exit == Exit::Interrupted => return Err(failure),
        Err(failure) => StudyRow { error: Some(failure.to_string()), ..empty(project, configuration, &commit) },
    };
    let row = StudyRow { seconds: begin.elapsed().as_secs_f64(), ..row };
    // A row with an error is not kept: the next study runs it again.
    if row.error.is_none() {
        let bytes = serde_json::to_vec_pretty(&row).map_err(|e| Failure::new(Exit::Internal, e.to_string()))?;
        mastor_store::write(&file, &bytes).map_err(|e| Failure::new(Exit::Internal, e.to_string()))?;
    }
    Ok((row, false))
}

/// Clones what is committed, with a work tree.
fn clone(from: &Path, to: &Path) -> Result<(), Failure> {
    let (source, target) = (from.as_os_str(), to.as_os_str());
    let ran =
        spawn::git(["clone".as_ref(), "--quiet".as_ref(), "--".as_ref(), source, target], from).map_err(internal)?;
    if ran.ended.well() {
        return Ok(());
    }
    Err(Failure::new(Exit::Internal, format!("git clone: {}", ran.err.trim())))
}

fn internal(error: std::io::Error) -> Failure {
    Failure::new(Exit::Internal, error.to_string())
}

fn run(
    copy: &Path,
    dir: &Path,
    (project, configuration): (&StudyProject, &StudyConfiguration),
    events: &Events,
) -> Result<Vec<ServiceGenerated>, Failure> {
    let models = configuration.models().map_err(|what| Failure::new(Exit::Usage, what))?;
    let engine = EngineOptions {
        engine: Some(configuration.engine),
        max_usd: configuration.max_usd,
        max_tokens: configuration.max_tokens,
        switches: Switches {
            multi_op: configuration.multi_op,
            review_rounds: if configuration.challenger { usize::from(configuration.review_rounds) } else { 0 },
        },
        models,
        replay: configuration.replay.as_ref().map(|replay| dir.join(replay)),
        ..EngineOptions::default()
    };
    let workspace = Workspace::open(copy, events.clone(), Overrides::default())?;
    let live = LiveOptions { observe: configuration.observe, ..LiveOptions::default() };
    let options = GenerateOptions {
        all: project.operations.is_empty(),
        ops: project.operations.clone(),
        live: Some(live),
        engine,
        ..GenerateOptions::default()
    };
    let head = workspace.head(None)?;
    generate(&workspace, &head, None, &options, &|_, _| {})
}

fn empty(project: &StudyProject, configuration: &StudyConfiguration, commit: &str) -> StudyRow {
    StudyRow {
        project: project.name.clone(),
        configuration: configuration.name.clone(),
        engine: configuration.engine.as_str().to_owned(),
        commit: commit.to_owned(),
        operations: 0,
        oracles: 0,
        by_agents: 0,
        sequences: 0,
        candidates: 0,
        held: 0,
        usage: Usage { usd: Some(0.0), ..Usage::default() },
        by_agent: Default::default(),
        seconds: 0.0,
        error: None,
    }
}

fn filled(
    project: &StudyProject,
    configuration: &StudyConfiguration,
    commit: &str,
    copy: &Path,
    services: &[ServiceGenerated],
) -> StudyRow {
    let mut row = empty(project, configuration, commit);
    for service in services {
        row.operations += service.generated.operations.len();
        row.oracles += service.generated.totals.oracles;
        row.sequences += service.generated.totals.sequences;
        if let Some(confirm) = &service.confirm {
            row.candidates += confirm.held + confirm.refuted + confirm.flaky;
            row.held += confirm.held;
        }
        if let Some(agents) = &service.generated.agents {
            row.usage = row.usage.and(agents.usage());
            for (agent, usage) in &agents.by_agent {
                let entry = row.by_agent.entry(agent.clone()).or_default();
                *entry = entry.and(*usage);
            }
        }
    }
    // Oracles of the agents are counted in the written suite, by their origin.
    let committed = Workspace::open(copy, Events::silent(), Overrides::default())
        .and_then(|workspace| workspace.repo.work_tree().map_err(crate::pipeline::repository::workspace::failure));
    if let Ok(tree) = committed {
        let suite = Suite::load(&tree, "");
        let oracles = suite.operations.values().flat_map(|operation| &operation.oracles);
        row.by_agents = oracles.filter(|oracle| oracle.origin.engine == Engine::Agents).count();
    }
    row
}
