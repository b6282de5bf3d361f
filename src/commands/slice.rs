//! `mastor slice`: runs the suite's oracles on the project's own handlers, without a service.

use std::time::Duration;

use super::context::Context;
use crate::cli::{Format, Slice};
use crate::pipeline::{self, SliceOptions};
use mastor_publish::checks::slices as text;
use mastor_publish::json::Envelope;
use mastor_suite::OUT_DIR;
use mastor_types::error::{Exit, Failure};
use mastor_types::results::outcome::RunVerdict;

/// Runs the committed suite in slices.
///
/// # Errors
/// Exit 2 without JDK, build or main class; exit 3 without a suite; exit 4 where the project or the test harness does
/// not compile or start.
pub fn run(context: &Context, asked: Slice) -> Result<Exit, Failure> {
    let Slice { operations, since, main, class_path, request_timeout, format } = asked;
    let time = Duration::from_secs(request_timeout.into());
    let options = SliceOptions { since, operations, main, class_path, time };
    let workspace = context.workspace(Default::default())?;
    let head = workspace.head(None)?;
    let done = pipeline::slice(&workspace, &head, &options)?;
    let ran = |verdict: &RunVerdict| matches!(verdict, RunVerdict::Held | RunVerdict::Refuted);
    // A run without any oracle must not end with exit code 0.
    let changes = done.iter().any(|(_, fields)| !fields.changes.is_empty());
    let exit = match done.iter().flat_map(|(_, fields)| &fields.slices).any(|one| ran(&one.verdict)) {
        true if changes => Exit::BehaviourChange,
        true => Exit::Clean,
        false => Exit::Nothing,
    };
    match format {
        Format::Json => context.console.json(&Envelope::new("slice", done)),
        Format::Text => {
            for (name, fields) in &done {
                if done.len() > 1 {
                    context.console.result(&format!("{name}\n"));
                }
                context.console.result(&text::slices(fields));
            }
        }
    }
    context.events.detail(format!("wrote {OUT_DIR}/slices.json"));
    Ok(exit)
}
