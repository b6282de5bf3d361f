//! Commands: each runs a part of the pipeline and prints the result on the console.
//!
//! Comes in: a parsed command line. Goes out: text or JSON on the console, and an exit. Never here: a verdict.

mod audit;
mod cache;
mod check;
mod ci;
mod comment;
mod completions;
mod context;
mod demo;
mod doctor;
mod doctor_service;
mod doctor_try;
mod engine;
mod explain;
mod findings;
mod init;
mod inspect;
mod propose;
mod review;
mod settings;
mod shards;
mod slice;
mod strength;
mod study;
mod suite;
mod tools;

use std::time::Instant;

use context::Context;
use init::InitOptions;

use crate::cli::{CacheCommand, Cli, Color, Command, ConfigCommand};
use mastor_publish::terminal::console::{self, Console, Verbosity};
use mastor_types::error::{Exit, Failure};

/// Runs the command line; returns the exit code.
pub fn run(cli: Cli) -> u8 {
    let verbosity = match (cli.global.quiet, cli.global.verbose) {
        (true, _) => Verbosity::Quiet,
        (_, true) => Verbosity::Verbose,
        _ => Verbosity::Normal,
    };
    let color = match cli.global.color {
        Color::Auto => console::Color::Auto,
        Color::Always => console::Color::Always,
        Color::Never => console::Color::Never,
    };
    let console = Console::new(verbosity, color);
    let context = Context { events: console.events(), console, global: cli.global, started: Instant::now() };
    let ended = dispatch(&context, cli.command);
    let exit = match ended {
        Ok(exit) => {
            context.console.exit(exit);
            exit
        }
        Err(failure) => {
            context.console.failure(&failure);
            failure.exit
        }
    };
    exit.code()
}

fn dispatch(context: &Context, command: Command) -> Result<Exit, Failure> {
    match command {
        Command::Init { force, templates: Some(dir), .. } => init::templates::run(context, &dir, force),
        Command::Init { force, hook, no_service, .. } => init::run(context, InitOptions { force, hook, no_service }),
        Command::Operations { head, format } => inspect::operations(context, head.as_deref(), format),
        Command::Plan { range, clone, shards, format } => inspect::plan(context, &range, clone.deepen, shards, format),
        Command::Why { op, range, format } => inspect::why(context, &op, &range, format),
        Command::Generate { ops, all, stale: _, since, dry_run, show_prompts, engines, confirm, slices, format } => {
            let chosen = suite::Chosen { ops, all, since, dry_run, show_prompts };
            suite::generate(context, chosen, &engines, (&confirm, slices), format)
        }
        Command::Ci { range, fail_on, engines, confirm, slices, within, shard, hosted, format } => {
            ci::run(context, &range, (fail_on, within), (&engines, &confirm, slices), shard.as_ref(), &hosted, format)
                .inspect_err(|failure| ci::tell_host(context, failure))
        }
        Command::Merge { folders, telling, format } => {
            ci::merge(context, &folders, &telling, format).inspect_err(|failure| ci::tell_host(context, failure))
        }
        Command::Audit { history: true, format, .. } => audit::history(context, format),
        Command::Audit { range, clone, confirm, format, .. } => {
            audit::run(context, &range, clone.deepen, &confirm, format)
                .inspect_err(|failure| ci::tell_host(context, failure))
        }
        Command::Comment { from, print, to } => comment::run(context, &from, print, &to),
        Command::Propose { from } => propose::run(context, from.as_deref()),
        Command::Check { ids, running, format } => check::run(context, ids, running, format),
        Command::Replay { id, running } => check::replay(context, id, running),
        Command::Slice(asked) => slice::run(context, asked),
        Command::Review { from } => review::run(context, from),
        Command::Accept { ids, op, all, from } => suite::accept(context, ids, op, all, from),
        Command::Explain { id, format } => explain::run(context, &id, format),
        Command::Export { kinds, fix: true, .. } => suite::fix(context, &kinds),
        Command::Export { kinds, dir, .. } => suite::export(context, &kinds, dir.as_deref()),
        Command::Backtest { last, merges, head, details, format } => {
            ci::run_backtest(context, last, merges, head, details, format)
        }
        Command::Strength(asked) => strength::run(context, asked),
        Command::Study { file, format } => study::run(context, &file, format),
        Command::Demo { dir, no_service } => demo::run(context, dir.as_deref(), no_service),
        Command::Doctor { models: true, .. } => doctor::models(context),
        Command::Doctor { service, since, flags, .. } => doctor::run(context, service, since.as_deref(), &flags),
        Command::Cache { command: CacheCommand::Stats { format } } => cache::stats(context, format),
        Command::Cache { command: CacheCommand::Prune { days, megabytes } } => cache::prune(context, days, megabytes),
        Command::Config { command: ConfigCommand::Show { format } } => settings::show(context, format),
        Command::Schema { name } => settings::schema(context, name.as_deref()),
        Command::Completions { shell } => completions::run(context, shell),
    }
}
