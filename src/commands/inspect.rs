//! `mastor operations`, `plan` and `why`: lists operations, those that a change affects, and the reasons.

use super::context::Context;
use super::shards::matrix;
use crate::cli::{Format, PlanFormat, Range};
use crate::pipeline::{self, find_operation};
use mastor_publish::json::{Envelope, Operations};
use mastor_publish::terminal::tables;
use mastor_types::error::{Exit, Failure};
use mastor_types::results::plan::Plan;

/// Lists operations.
///
/// # Errors
/// Exit 2 for an invalid document, exit 3 where there is no operation.
pub fn operations(context: &Context, head: Option<&str>, format: Format) -> Result<Exit, Failure> {
    let workspace = context.workspace(Default::default())?;
    let head = workspace.head(head)?;
    let mut services = Vec::new();
    for settings in workspace.services(&head.tree)? {
        let surface = pipeline::surface(&workspace, &settings, &head.tree)?;
        let rows = surface.matches.iter().map(|m| surface.row(m)).collect();
        services.push((settings.name.clone(), Operations::new(rows, surface.warnings)));
    }
    let found = services.iter().any(|(_, list)| !list.operations.is_empty());
    match format {
        Format::Json => context.console.json(&Envelope::new("operations", services)),
        Format::Text => {
            for (name, list) in &services {
                if services.len() > 1 {
                    context.console.result(&format!("# {name}\n"));
                }
                context.console.result(&tables::operations(list));
            }
        }
    }
    if found { Ok(Exit::Clean) } else { Err(pipeline::nothing_found()) }
}

/// Prints which operations a change affects.
///
/// # Errors
/// Failures of finding the base and of analysing both revisions.
pub fn plan(context: &Context, range: &Range, deepen: bool, shards: u16, format: PlanFormat) -> Result<Exit, Failure> {
    let mut workspace = context.workspace(Default::default())?;
    let head = workspace.head(range.head.as_deref())?;
    let base = workspace.base_in_clone(range.since.as_deref(), &head, deepen)?;
    let mut services: Vec<(String, Plan)> = Vec::new();
    for settings in workspace.services(&head.tree)? {
        services.push((settings.name.clone(), pipeline::plan(&workspace, &settings, &base, &head)?));
    }
    let found = services.iter().any(|(_, plan)| !plan.operations.is_empty());
    match format {
        PlanFormat::Matrix => context.console.result(&matrix(&pipeline::cut(&workspace, &services, shards))),
        PlanFormat::Json => context.console.json(&Envelope::new("plan", services)),
        PlanFormat::Text => {
            for (name, plan) in &services {
                if services.len() > 1 {
                    context.console.result(&format!("# {name}\n"));
                }
                context.console.result(&tables::plan(plan));
            }
        }
    }
    if found { Ok(Exit::Clean) } else { Err(pipeline::nothing_found()) }
}

/// Prints the chains from an operation to what changed, or without a base to everything that can influence it.
///
/// # Errors
/// Exit 2 for an unknown operation.
pub fn why(context: &Context, op: &str, range: &Range, format: Format) -> Result<Exit, Failure> {
    let workspace = context.workspace(Default::default())?;
    let head = workspace.head(range.head.as_deref())?;
    let mut failure = None;
    for settings in workspace.services(&head.tree)? {
        let compared = range.since.is_some() || mastor_env::ci_run().is_some_and(|run| run.base.is_some());
        let why = if compared {
            let base = workspace.base(range.since.as_deref(), &head)?;
            let comparison = pipeline::compare(&workspace, &settings, &base, &head)?;
            find_operation(&comparison.head, op).map(|op_id| comparison.why(&op_id))
        } else {
            let analysis = pipeline::analyse(&workspace, &settings, &head.tree)?;
            find_operation(&analysis, op).map(|op_id| analysis.why(&op_id))
        };
        match why {
            Ok(why) => {
                match format {
                    Format::Json => context.console.json(&Envelope::new("why", vec![(settings.name.clone(), why)])),
                    Format::Text => context.console.result(&tables::why(&why)),
                }
                return Ok(Exit::Clean);
            }
            Err(other) => failure = Some(other),
        }
    }
    Err(failure.unwrap_or_else(pipeline::nothing_found))
}
