//! `mastor review`: shows proposals one by one, each with both answers and both source lines, and asks about them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::context::Context;
use crate::pipeline::{self, AcceptOptions};
use mastor_publish::terminal::{accepted, review};
use mastor_types::error::{Exit, Failure};

/// Asks about each proposal, and accepts those that are answered with yes.
///
/// # Errors
/// As for `accept`; exit 2 where there is nothing to decide.
pub fn run(context: &Context, from: Option<PathBuf>) -> Result<Exit, Failure> {
    let workspace = context.workspace(Default::default())?;
    let head = workspace.head(None)?;
    let open = pipeline::accept::take::open(&workspace, &head, from.as_deref())?;
    if open.is_empty() {
        context.console.say("there is nothing to decide; `mastor ci` makes proposals");
        return Ok(Exit::Clean);
    }
    let changes: BTreeMap<String, mastor_types::results::change::Change> = pipeline::accept::take::reported(&workspace);
    let mut ids = Vec::new();
    for (number, proposal) in open.iter().enumerate() {
        context.console.result(&review::proposal((number + 1, open.len()), proposal, changes.get(&proposal.o_id)));
        match context.console.ask("take it into the suite? [y]es, [n]o, [q]uit: ").as_deref() {
            Some("y" | "yes") => ids.push(proposal.o_id.clone()),
            Some("q" | "quit") | None => break,
            Some(_) => {}
        }
    }
    if ids.is_empty() {
        context.console.say("nothing was taken");
        return Ok(Exit::Clean);
    }
    let done = pipeline::accept(&workspace, &head, &AcceptOptions { exactly: ids, from, ..AcceptOptions::default() })?;
    context.console.result(&accepted::list(&done.taken));
    context.console.say(&format!(
        "{} accepted, {} left; commit what was written to make `mastor ci` clean",
        done.taken.len(),
        done.left
    ));
    Ok(Exit::Clean)
}
