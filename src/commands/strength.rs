//! `mastor strength`: which mutants of the application the committed suite notices.

use super::context::Context;
use crate::cli::Format;
use crate::error::{Exit, Failure};
use crate::pipeline::{self, StrengthOptions};
use crate::publish::json::Envelope;
use crate::publish::strength as text;
use crate::suite::OUT_DIR;

/// Measures the committed suite.
///
/// # Errors
/// Exit 2 without JDK, Maven or main class; exit 3 without a suite or mutants; exit 4 where the application does not build or start.
pub fn run(context: &Context, options: &StrengthOptions, format: Format) -> Result<Exit, Failure> {
    let workspace = context.workspace(Default::default())?;
    let head = workspace.head(None)?;
    let done = pipeline::strength(&workspace, &head, options)?;
    match format {
        Format::Json => context.console.json(&Envelope::new("strength", done)),
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
    Ok(Exit::Clean)
}
