//! `mastor strength`: measures which mutants of the application the committed suite kills.

use std::collections::BTreeMap;

use super::context::Context;
use super::suite;
use crate::cli::{self, Format};
use crate::pipeline::service::live::LiveOptions;
use crate::pipeline::{self, GenerateOptions, Head, StrengthOptions, Workspace};
use mastor_publish::json::Envelope;
use mastor_publish::report::strength as text;
use mastor_publish::wording::words::count;
use mastor_suite::OUT_DIR;
use mastor_types::error::{Exit, Failure};
use mastor_types::results::strength::{Strength, Targets};

/// Measures the committed suite.
///
/// # Errors
/// Exit 2 without JDK, Maven or main class; exit 3 without a suite or mutants; exit 4 where the application does not build or start.
pub fn run(context: &Context, asked: cli::Strength) -> Result<Exit, Failure> {
    let cli::Strength { since, fast, feed, no_observe, slices, main, class_path, alone, within, format } = asked;
    let within = within.0;
    let options = &StrengthOptions { since, fast, main, class_path, alone, within, branches: feed, slices };
    let feed = feed.then(|| LiveOptions { observe: !no_observe, ..LiveOptions::default() });
    let workspace = context.workspace(Default::default())?;
    let head = workspace.head(None)?;
    let done = pipeline::strength(&workspace, &head, options)?;
    match format {
        Format::Json => context.console.json(&Envelope::new("strength", done.clone())),
        Format::Text => {
            for (name, strength) in &done {
                if done.len() > 1 {
                    context.console.result(&format!("{name}\n"));
                }
                context.console.result(&text::strength(strength));
            }
        }
    }
    context.events.detail(format!("wrote {OUT_DIR}/strength.json"));
    match feed {
        Some(live) => fed(context, (&workspace, &head), &done, live, format),
        None => Ok(Exit::Clean),
    }
}

/// Generates oracles for the operations that reach surviving mutants or untaken branches.
fn fed(
    context: &Context,
    (workspace, head): (&Workspace, &Head),
    measured: &[(String, Strength)],
    live: LiveOptions,
    format: Format,
) -> Result<Exit, Failure> {
    let targets: BTreeMap<String, Targets> = measured
        .iter()
        .map(|(name, strength)| (name.clone(), Targets::of(strength)))
        .filter(|(_, targets)| !targets.is_empty())
        .collect();
    if targets.is_empty() {
        context.console.say("nothing to feed back: no mutant survived");
        return Ok(Exit::Clean);
    }
    let fed: usize = targets.values().map(|targets| targets.survivors.len()).sum();
    let lines: usize = targets.values().map(|targets| targets.branches.len()).sum();
    let branches = match lines {
        0 => String::new(),
        lines => format!(", and {} with branches that no test takes", count(lines, "line")),
    };
    let options = GenerateOptions { targets, live: Some(live), ..GenerateOptions::default() };
    let services = pipeline::generate(workspace, head, None, &options, &|_, _| {})?;
    let added: usize = services.iter().flat_map(|service| &service.generated.operations).map(|one| one.added).sum();
    if format == Format::Text {
        services.iter().for_each(|service| suite::told(context, service));
    }
    context.console.say(&format!(
        "{fed} mutants fed back{branches}, {added} oracles added: commit what was written, and `mastor strength` says what it kills now"
    ));
    Ok(Exit::worst(services.iter().filter_map(|service| service.exit)))
}
