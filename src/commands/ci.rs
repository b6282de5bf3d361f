//! `mastor ci` and `mastor backtest`.

use std::cell::Cell;
use std::path::PathBuf;

use super::check;
use super::comment;
use super::context::Context;
use super::engine;
use super::propose;
use super::shards;
use crate::cli::{Confirm, Engines, Format, Hosted, Propose, Range, Telling};
use crate::pipeline::{self, BacktestOptions, CiOptions, CiOutcome, Head, Workspace};
use mastor_config::{FailOn, Origin, Overrides, SlicesSetting, Within};
use mastor_publish::github::annotations;
use mastor_publish::json::{self, Envelope, Times};
use mastor_publish::report::report_text;
use mastor_publish::terminal::backtest;
use mastor_types::error::{Exit, Failure};
use mastor_types::results::backtest::BacktestRow;
use mastor_types::shard::Shard;

/// Runs `ci` and reports what the change does.
///
/// # Errors
/// Failures before a report exists.
pub fn run(
    context: &Context,
    range: &Range,
    (fail_on, within): (Option<FailOn>, Option<Within>),
    (engines, confirm, slices): (&Engines, &Confirm, Option<SlicesSetting>),
    shard: Option<&Shard>,
    hosted: &Hosted,
    format: Format,
) -> Result<Exit, Failure> {
    let mut overrides = check::overrides(&confirm.running);
    overrides.slices = slices.map(|value| (value, Origin::Flag("--slices")));
    overrides.within = within.map(|value| (value, Origin::Flag("--within")));
    overrides.fail_on = fail_on.map(|value| (value, Origin::Flag("--fail-on")));
    let mut workspace = context.workspace(overrides)?;
    let head = workspace.head(range.head.as_deref())?;
    let base = workspace.base_in_clone(range.since.as_deref(), &head, hosted.clone.deepen)?;
    context.events.said(format!("base {} ({}), head {}", base.commit.short(), base.reference, head.label));
    let engine = engine::options(context, engines)?;
    let options = CiOptions {
        live: check::live(confirm),
        engine,
        slices: true,
        began: Some(context.started),
        ..CiOptions::default()
    };
    if let Some(shard) = shard {
        let (part, exit) = pipeline::ci_shard(&workspace, &head, &base, shard, &options)?;
        if hosted.telling.comment || hosted.telling.propose == Propose::Commit {
            context.events.said("a shard tells nobody: comment and proposal are for `mastor merge`");
        }
        if let Err(error) = pipeline::write_exit(exit) {
            context.events.said(format!("the step's output could not be written: {error}"));
        }
        match format {
            Format::Json => context.console.json(&part),
            Format::Text => context.console.result(&shards::part(&part)),
        }
        return Ok(exit);
    }
    let outcome = pipeline::ci(&workspace, &head, &base, &options)?;
    tell(context, (&workspace, &head), outcome, &hosted.telling, format)
}

/// Merges the results of shards into the report that a single run would have given.
///
/// # Errors
/// Exit 2 for a shard that is missing, repeated, or from another run.
pub fn merge(context: &Context, folders: &[PathBuf], telling: &Telling, format: Format) -> Result<Exit, Failure> {
    let workspace = context.workspace(Overrides::default())?;
    let head = workspace.head(None)?;
    let folders: Vec<PathBuf> =
        folders.iter().map(|dir| Ok(context.directory()?.join(dir))).collect::<Result<_, Failure>>()?;
    let outcome = pipeline::merge(&workspace, &head, &folders)?;
    tell(context, (&workspace, &head), outcome, telling, format)
}

/// Prints a report, and passes it on to the host: annotations, comment and proposals.
fn tell(
    context: &Context,
    (workspace, head): (&Workspace, &Head),
    mut outcome: CiOutcome,
    telling: &Telling,
    format: Format,
) -> Result<Exit, Failure> {
    outcome.report.seconds = context.seconds();
    match format {
        Format::Json => context.console.json(&json::report(&outcome.report, Times::Shown)),
        Format::Text => {
            let text = report_text::plain(&outcome.report).map_err(|e| Failure::new(Exit::Internal, e.to_string()))?;
            context.console.result(&text);
        }
    }
    if mastor_env::on_github_actions() {
        let (commands, left) = annotations::commands(&outcome.report);
        commands.iter().for_each(|line| context.console.workflow_command(line));
        if left > 0 {
            context.events.said(format!("{left} more need a decision than are annotated: see the summary"));
        }
    }
    if telling.comment {
        comment::after_run(context, &telling.to, &outcome.report);
    }
    match telling.propose {
        Propose::Patch => {}
        Propose::Commit => propose::push(context, workspace, head, &outcome.renewed),
        Propose::Later => propose::leave(workspace, &outcome.renewed)?,
    }
    Ok(outcome.exit)
}

/// Reports a failure before the report to GitHub Actions: as step output and in the job summary.
pub fn tell_host(context: &Context, failure: &Failure) {
    if let Err(error) = pipeline::write_failure(failure) {
        context.events.said(format!("neither output nor summary could be written: {error}"));
    }
}

/// Runs `backtest`: what `ci` would have reported on the last commits.
///
/// # Errors
/// Exit 2 for invalid settings, exit 3 without commits.
pub fn run_backtest(
    context: &Context,
    last: usize,
    merges: bool,
    head: Option<String>,
    details: bool,
    format: Format,
) -> Result<Exit, Failure> {
    let workspace = context.workspace(Overrides::default())?;
    let shown = Cell::new(None);
    let heard = |service: &str, row: &BacktestRow| {
        if format == Format::Text {
            let first = shown.take().is_none_or(|shown: String| shown != service);
            if first {
                context.console.row(&format!("# {service}\n{}", backtest::head()));
            }
            shown.set(Some(service.to_owned()));
            context.console.row(&backtest::row(row, details));
        }
    };
    let services = pipeline::backtest(&workspace, &BacktestOptions { last, merges, head, details }, &heard)?;
    let found = services.iter().any(|(_, table)| table.commits.iter().any(|row| row.operations > 0));
    match format {
        Format::Json => context.console.json(&Envelope::new("backtest", services)),
        Format::Text => {
            for (name, table) in &services {
                let name = if services.len() > 1 { format!("{name}: ") } else { String::new() };
                context.console.result(&format!("{name}{}", backtest::totals(&table.totals)));
            }
        }
    }
    if found { Ok(Exit::Clean) } else { Err(pipeline::nothing_found()) }
}
