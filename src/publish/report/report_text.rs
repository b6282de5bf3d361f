//! The report as plain text for terminals: the same content, with the run's duration.

use super::report_view::View;
use mastor_template::{TemplateError, render};
use mastor_types::results::report::Report;

/// Maximum number of operations and changes listed.
const LISTED: usize = 50;

/// The report as plain text, without control characters from untrusted text.
///
/// # Errors
/// Where the template is invalid.
pub fn plain(report: &Report) -> Result<String, TemplateError> {
    let mut view = View::of(report, true);
    for service in &mut view.services {
        // Changed operations appear under causes and details, so the rows list the others only.
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
    use super::*;
    use crate::sample;

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
