//! Text differences between base and head in the code that undecided operations rest on: a reader sees at least these.

use std::collections::BTreeSet;

use crate::pipeline::repository::comparison::Comparison;
use mastor_extract::Analysis;
use mastor_revision::line_difference;
use mastor_types::results::compared::{ComparedOperation, Comparison as Outcome, Difference};

/// Inputs whose code is shown, at most.
const SHOWN: usize = 60;
/// Lines of one input that are shown, at most.
const LINES: usize = 80;

/// The text difference of each input that an undecided operation rests on, sorted by name.
pub fn differences(comparison: &Comparison, compared: &[ComparedOperation]) -> Vec<Difference> {
    let undecided = compared.iter().filter(|one| one.state == Outcome::Undecided);
    let inputs: BTreeSet<&String> = undecided.flat_map(|one| &one.open_inputs).collect();
    inputs.into_iter().take(SHOWN).filter_map(|input| difference(comparison, input)).collect()
}

/// The text difference of one input; `None` if it is neither a member nor a class of the project.
fn difference(comparison: &Comparison, input: &str) -> Option<Difference> {
    let (old, new) = (text(&comparison.base, input), text(&comparison.head, input));
    let (file, line) = new.as_ref().or(old.as_ref()).map(|(_, file, line)| (file.clone(), *line))?;
    let code = |side: &Option<(String, String, u32)>| side.as_ref().map(|(text, ..)| text.clone()).unwrap_or_default();
    let mut lines = line_difference(&code(&old), &code(&new));
    let left = lines.len().saturating_sub(LINES);
    lines.truncate(LINES);
    if left > 0 {
        lines.push(format!(" … {left} more lines"));
    }
    Some(Difference { input: input.to_owned(), file: Some(file), line: Some(line), lines })
}

/// The text of a member, or the declaration of a class, with its file and first line.
fn text(analysis: &Analysis, input: &str) -> Option<(String, String, u32)> {
    let project = &analysis.surface.project;
    let (ty, span) = match project.by_symbol(input) {
        Some(id) => (id.ty, project.member(id).span),
        None => {
            let id = project.by_fqn(input)?;
            (id, project.ty(id).span)
        }
    };
    let whole = project.text(project.file_of(ty))?;
    let start = whole.get(..span.start as usize)?.rfind('\n').map_or(0, |at| at + 1);
    let mut code = whole.get(start..span.end as usize)?.to_owned();
    if project.by_symbol(input).is_none() {
        // Only the declaration of a class is shown: its members are inputs of their own.
        code.truncate(code.find('{').unwrap_or(code.len()));
    }
    let (file, line) = project.shown(ty, span.line);
    Some((code, file, line))
}
