//! `mastor audit`: runs what `ci` would have left out; and prints the history of such runs.

use serde_json::json;

use super::check;
use super::context::Context;
use crate::cli::{Confirm, Format, Range};
use crate::pipeline::{self, write_audit};
use mastor_publish::json::Envelope;
use mastor_publish::terminal::audit;
use mastor_types::error::{Exit, Failure};
use mastor_types::results::audit::AuditTotals;

/// Runs what `ci` would have left out.
///
/// # Errors
/// As for `ci`.
pub fn run(context: &Context, range: &Range, deepen: bool, confirm: &Confirm, format: Format) -> Result<Exit, Failure> {
    let mut workspace = context.workspace(check::overrides(&confirm.running))?;
    let head = workspace.head(range.head.as_deref())?;
    let says = range.since.clone().or_else(|| mastor_env::ci_run().and_then(|run| run.base).map(|base| base.spec));
    let since = match says {
        Some(since) => since,
        None => pipeline::last_audited(&workspace, &head)?,
    };
    let base = workspace.base_in_clone(Some(&since), &head, deepen)?;
    context.events.said(format!("base {} ({}), head {}", base.commit.short(), base.reference, head.label));
    let outcome = pipeline::audit(&workspace, &head, &base, check::live(confirm))?;
    write_audit(&workspace, &outcome.services)?;
    match format {
        Format::Json => context.console.json(&Envelope::new("audit", outcome.services)),
        Format::Text => context.console.result(&audit::plain(&outcome.services).map_err(internal)?),
    }
    if let Err(error) = pipeline::write_exit(outcome.exit) {
        context.events.said(format!("the step's output could not be written: {error}"));
    }
    Ok(outcome.exit)
}

/// Prints the history of audits.
///
/// # Errors
/// Exit 2 for settings that cannot be read.
pub fn history(context: &Context, format: Format) -> Result<Exit, Failure> {
    let workspace = context.workspace(Default::default())?;
    let head = workspace.head(None)?;
    let of = |settings: &mastor_config::Settings| {
        (settings.name.clone(), pipeline::ci::audit::history(&workspace, &settings.name))
    };
    let services: Vec<_> = workspace.services(&head.tree)?.iter().map(of).collect();
    match format {
        Format::Json => {
            let fields =
                |(name, runs): (String, Vec<_>)| (name, json!({ "totals": AuditTotals::of(&runs), "runs": runs }));
            context.console.json(&Envelope::new("audit", services.into_iter().map(fields).collect()));
        }
        Format::Text => context.console.result(&audit::history(&services).map_err(internal)?),
    }
    Ok(Exit::Clean)
}

fn internal(error: impl std::fmt::Display) -> Failure {
    Failure::new(Exit::Internal, error.to_string())
}
