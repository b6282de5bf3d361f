//! `mastor study`: runs several configurations on several projects.

use std::path::Path;

use super::context::Context;
use crate::cli::Format;
use crate::pipeline;
use mastor_publish::json::Envelope;
use mastor_publish::terminal::study;
use mastor_types::error::{Exit, Failure};
use mastor_types::results::study::StudyRow;

/// Runs the configurations on the projects and writes tables.
///
/// # Errors
/// Exit 2 for an invalid file, exit 3 where no row has results, exit 70 where nothing can be written.
pub fn run(context: &Context, file: &Path, format: Format) -> Result<Exit, Failure> {
    let path = context.directory()?.join(file);
    let text = fs_err::read_to_string(&path).map_err(|e| Failure::new(Exit::Usage, e.to_string()))?;
    let read = mastor_config::study(&file.display().to_string(), &text)?;
    let dir = path.parent().unwrap_or(Path::new("."));
    let told = |row: &StudyRow, kept: bool| {
        let how = match (&row.error, kept) {
            (Some(why), _) => format!("without numbers: {why}"),
            (None, true) => "kept from an earlier run".to_owned(),
            (None, false) => format!("{} oracles, {} calls, {:.1} s", row.oracles, row.usage.calls, row.seconds),
        };
        context.events.said(format!("{} / {}: {how}", row.project, row.configuration));
    };
    let (found, out) = pipeline::generate::study::study(&read, dir, &context.events, &told)?;
    let envelope = Envelope::new("study", vec![("study".to_owned(), found.clone())]);
    let internal = |error: &dyn std::fmt::Display| Failure::new(Exit::Internal, error.to_string());
    let tables = [
        ("study.md", study::markdown(&found)),
        ("study.csv", study::csv(&found).map_err(|error| internal(&error))?),
        ("study.json", mastor_publish::json::to_text(&envelope)),
    ];
    for (name, text) in &tables {
        mastor_store::write(&out.join(name), text.as_bytes()).map_err(|error| internal(&error))?;
    }
    match format {
        Format::Json => context.console.json(&envelope),
        Format::Text => context.console.result(&tables[0].1),
    }
    context.console.say(&format!("the tables are in {}", out.display()));
    if found.rows.iter().all(|row| row.error.is_some()) {
        return Err(Failure::new(Exit::Nothing, "no configuration gave numbers"));
    }
    Ok(Exit::Clean)
}
