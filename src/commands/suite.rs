//! `mastor generate`, `accept` and `export`: the commands that write and read the committed suite.

use std::path::{Path, PathBuf};

use super::check;
use super::comment;
use super::context::Context;
use super::engine;
use crate::cli::{Confirm, Engines, Format};
use crate::pipeline::{self, AcceptOptions, GenerateOptions};
use mastor_config::{ExportKind, Origin, SlicesSetting};
use mastor_publish::json::Envelope;
use mastor_publish::terminal::{accepted, agents, tables};
use mastor_publish::wording::words;
use mastor_suite::{OUT_DIR, Suite};
use mastor_types::error::{Exit, Failure};
use mastor_types::results::report::Generated;

/// Generates source contexts and oracles into the suite.
///
/// # Errors
/// Failures of the analysis; exit 2 for an unreadable suite, exit 70 where writing fails.
pub fn generate(
    context: &Context,
    chosen: Chosen,
    engines: &Engines,
    (confirm, slices): (&Confirm, Option<SlicesSetting>),
    format: Format,
) -> Result<Exit, Failure> {
    let Chosen { ops, all, since, dry_run, show_prompts } = chosen;
    let mut overrides = check::overrides(&confirm.running);
    overrides.slices = slices.map(|value| (value, Origin::Flag("--slices")));
    let workspace = context.workspace(overrides)?;
    let head = workspace.head(None)?;
    let base = match since {
        Some(since) => Some(workspace.base(Some(&since), &head)?),
        None => None,
    };
    let options = GenerateOptions {
        all,
        ops,
        dry_run,
        targets: Default::default(),
        live: check::live(confirm),
        slices: true,
        engine: engine::options(context, engines)?,
    };
    let tell = |files: usize, bytes: usize| {
        if all {
            let size = bytes.div_ceil(1000);
            context.console.say(&format!("the commit will hold up to {files} files, about {size} kB"));
        }
    };
    let mut services = pipeline::generate(&workspace, &head, base.as_ref(), &options, &tell)?;
    for service in &mut services {
        service.generated.usage.seconds = context.seconds();
    }
    if let Some(dir) = show_prompts {
        let dir = context.directory()?.join(dir);
        let written = engine::write_prompts(&dir, &services)?;
        context.console.say(&format!("{written} prompts are in {}", dir.display()));
    }
    match format {
        Format::Json => {
            let fields = services.iter().map(|service| {
                let generated = Generated { confirm: service.confirm.clone(), ..service.generated.clone() };
                (service.name.clone(), generated)
            });
            let fields = fields.collect();
            context.console.json(&Envelope::new("generate", fields));
        }
        Format::Text => {
            services.iter().for_each(|service| told(context, service));
        }
    }
    if services.iter().all(|service| service.chosen.is_empty()) {
        context.console.say("nothing is stale; `mastor generate --all` makes or renews the whole suite");
    } else if dry_run {
        context.console.say("dry run: nothing was written");
    }
    Ok(Exit::worst(services.iter().filter_map(|service| service.exit)))
}

/// Prints what was generated for one service.
pub(super) fn told(context: &Context, service: &pipeline::ServiceGenerated) {
    if let Some(why) = &service.unfinished {
        context.console.result(why);
    }
    context.console.result(&tables::generated(&service.generated));
    if let Some(planned) = &service.generated.planned {
        context.console.result(&agents::planned(planned));
    }
    if let Some(ran) = &service.generated.agents {
        context.console.result(&agents::ran(ran));
    }
    if let Some(confirm) = &service.confirm {
        context.console.result(&tables::confirming(confirm));
    }
    for note in &service.notes {
        context.console.say(note);
    }
    for path in &service.written {
        context.events.detail(format!("wrote {path}"));
    }
    if !service.proposals.is_empty() {
        context.console.say(&format!(
            "{} committed expectations differ from the code; they stay as they are until `mastor accept` takes the proposal",
            service.proposals.len()
        ));
    }
}

/// The selection of operations, and options of a dry run.
pub struct Chosen {
    /// These operations.
    pub ops: Vec<String>,
    /// All operations.
    pub all: bool,
    /// Operations that changed since this reference.
    pub since: Option<String>,
    /// Write and send nothing.
    pub dry_run: bool,
    /// Folder for the prompts of a dry run.
    pub show_prompts: Option<PathBuf>,
}

/// Accepts proposals into the suite.
///
/// # Errors
/// Exit 2 where no proposal matches.
pub fn accept(
    context: &Context,
    ids: Vec<String>,
    op: Option<String>,
    all: bool,
    from: Option<PathBuf>,
) -> Result<Exit, Failure> {
    let workspace = context.workspace(Default::default())?;
    let head = workspace.head(None)?;
    let done = pipeline::accept(&workspace, &head, &AcceptOptions { ids, exactly: Vec::new(), op, all, from })?;
    context.console.result(&accepted::list(&done.taken));
    for path in &done.written {
        context.console.say(&format!("wrote {path}"));
    }
    context.console.say(&format!(
        "{} accepted, {} left; commit what was written to make `mastor ci` clean",
        done.taken.len(),
        done.left
    ));
    Ok(Exit::Clean)
}

/// Exports the committed suite.
///
/// # Errors
/// Exit 2 where there is no report for SARIF, exit 3 where no suite is committed, exit 70 where writing fails.
pub fn export(context: &Context, kinds: &[ExportKind], dir: Option<&Path>) -> Result<Exit, Failure> {
    let workspace = context.workspace(Default::default())?;
    let head = workspace.head(None)?;
    let services = workspace.services(&head.tree)?;
    let mut oracles = 0;
    let (of_report, kinds): (Vec<ExportKind>, Vec<ExportKind>) =
        kinds.iter().partition(|kind| **kind == ExportKind::Sarif);
    if !of_report.is_empty() {
        let out = workspace.root.join(OUT_DIR);
        let report = comment::read(&out.join("report.json"))?;
        let to = match dir {
            Some(dir) => context.directory()?.join(dir),
            None => out.join("export"),
        };
        let written = pipeline::files::export::write_sarif(&report, &to)?;
        context.console.result(&format!("{}\n", written.display()));
    }
    if kinds.is_empty() {
        return Ok(Exit::Clean);
    }
    for settings in &services {
        let suite = Suite::load(&head.tree, &settings.dir);
        if let Some(problem) = suite.problems.first() {
            return Err(Failure::new(Exit::Usage, problem.to_string()).hint("restore it with `git checkout`"));
        }
        oracles += suite.oracle_count();
        let to = match dir {
            Some(dir) if services.len() > 1 => context.directory()?.join(dir).join(&settings.name),
            Some(dir) => context.directory()?.join(dir),
            None => {
                let out = workspace.service_dir(settings).join(OUT_DIR);
                pipeline::out_folder(&out)?;
                out.join("export")
            }
        };
        let written = pipeline::files::export::write_all(&workspace, settings, (&head.tree, &suite), &kinds, &to)?;
        for path in &written {
            context.events.detail(format!("wrote {path}"));
        }
        context.console.result(&format!("{}\n", to.display()));
        for page in written.iter().filter(|path| path.ends_with(".html")) {
            context.console.say(&format!("open {} in a browser", to.join(page).display()));
        }
    }
    // The OpenAPI export needs no suite.
    if oracles == 0 && kinds.iter().any(|kind| *kind != ExportKind::Openapi) {
        return Err(Failure::new(Exit::Nothing, "no suite is committed").hint("`mastor generate --all` makes one"));
    }
    Ok(Exit::Clean)
}

/// Updates the given document to match the code.
///
/// # Errors
/// Exit 2 for other kinds; failures of updating the document.
pub fn fix(context: &Context, kinds: &[ExportKind]) -> Result<Exit, Failure> {
    if kinds != [ExportKind::Openapi] {
        return Err(Failure::new(Exit::Usage, "`--fix` is for `openapi` alone")
            .hint("`mastor export openapi --fix` mends the document, `mastor export KIND` writes the others"));
    }
    let workspace = context.workspace(Default::default())?;
    let head = workspace.head(None)?;
    for settings in &workspace.services(&head.tree)? {
        let suite = Suite::load(&head.tree, &settings.dir);
        let mended = pipeline::document::mended::mend(&workspace, settings, (&head.tree, &suite))?;
        for change in &mended.changes {
            context.console.result(&format!("{}:{}: {}\n", change.file, change.line, change.what));
        }
        let done = match mended.changes.len() {
            0 => "nothing was changed".to_owned(),
            n => words::count(n, "change"),
        };
        let left = match mended.left.len() {
            0 => "the code says the same".to_owned(),
            n => format!("{} left", words::count(n, "difference")),
        };
        context.console.say(&format!("{}: {done}; {left}", mended.document));
        for line in &mended.left {
            context.console.say(&format!("  {line}"));
        }
    }
    Ok(Exit::Clean)
}
