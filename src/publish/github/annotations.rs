//! Annotations: shows changes that need a decision on their lines in the pull request, by workflow commands.

use crate::report::report_rows::needs_decision;
use crate::wording::words;
use mastor_template::escape::{plain, shorten};
use mastor_types::results::change::Change;
use mastor_types::results::report::Report;

/// Maximum number of annotations: GitHub shows no more for one step.
pub const MOST: usize = 10;

/// Workflow commands for changes that need a decision and have a line in the head, one a line, and the number of those
/// beyond the limit.
pub fn commands(report: &Report) -> (Vec<String>, usize) {
    let failing = |change: &&Change| change.line_of_head().is_some();
    let all: Vec<&Change> = report
        .services
        .iter()
        .flat_map(|service| service.changes.iter().filter(|change| needs_decision(change)))
        .filter(failing)
        .collect();
    let level = if report.exit.code == 0 { "warning" } else { "error" };
    let commands = all.iter().take(MOST).filter_map(|change| command(level, change)).collect();
    (commands, all.len().saturating_sub(MOST))
}

fn command(level: &str, change: &Change) -> Option<String> {
    let place = change.line_of_head()?;
    let title = format!("{} answers differently", change.op_id);
    let text = format!("{}. {}", shorten(&plain(&change.what), 300), words::effect(change.effect));
    Some(format!(
        "::{level} file={},line={},endLine={},title={}::{}",
        property(&place.file),
        place.line,
        place.end_line.max(place.line),
        property(&plain(&title)),
        data(&text)
    ))
}

/// Escapes a message, so that its text cannot end the command or begin another one.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::super::super::sample;
    use super::*;

    #[test]
    fn only_what_needs_a_decision_is_annotated_and_no_text_is_a_command() {
        let mut service = sample::service("orders");
        let mut change = sample::change("/orders", "a, b: 100%\n::set-output name=x::y", true);
        change.o_id = Some("o1".to_owned());
        change.accepted = false;
        if let Some(place) = &mut change.evidence_after {
            place.file = "src/a,b.java".to_owned();
        }
        let mut settled = change.clone();
        (settled.accepted, settled.needs_decision) = (true, false);
        service.changes = vec![change.clone(), settled];
        service.changes.extend(std::iter::repeat_n(change, 12));
        let mut report = sample::report(vec![service]);
        report.exit.code = 1;
        let (commands, left) = commands(&report);
        assert_eq!((commands.len(), left), (MOST, 3));
        assert!(commands[0].starts_with("::error file=src/a%2Cb.java,line="), "{}", commands[0]);
        assert!(commands.iter().all(|line| !line.contains('\n') && line.contains("100%25")));
    }
}
