//! The report in plain form, for terminals: the same words, with the seconds the run took.

use super::report_view::View;
use crate::template::{TemplateError, render};
use crate::types::report::Report;

/// Most operations and changes that are listed; the rest is counted.
const LISTED: usize = 50;

/// The report as plain text. Control characters of untrusted text are gone.
///
/// # Errors
/// Where the template itself is wrong.
pub fn plain(report: &Report) -> Result<String, TemplateError> {
    let mut view = View::of(report, true);
    for service in &mut view.services {
        // What changed is told by cause and with its evidence; here is what neither says.
        service.rows.retain(|row| row.changes.is_empty());
        for when in service.causes.iter_mut().filter_map(|cause| cause.when.as_mut()) {
            *when = when.replace('`', "");
        }
        service.keep_causes(LISTED);
        service.keep_rows(LISTED);
        service.keep_first(LISTED);
    }
    render("report/report.txt", &view)
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn the_plain_form_says_the_same_and_the_seconds() {
        insta::assert_snapshot!(plain(&sample::report(vec![sample::service("orders")])).unwrap());
    }

    #[test]
    fn no_control_character_reaches_the_terminal() {
        let text = plain(&sample::hostile()).unwrap();
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
    }
}
