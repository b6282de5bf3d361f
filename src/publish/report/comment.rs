//! The pull-request comment: its text is the report as Markdown (`report_md`, which also keeps it below `LIMIT`); here
//! are its links, and whether there is news.

use super::report_md;
use crate::wording::links::Links;
use mastor_template::TemplateError;
use mastor_types::ci_run::{CiRun, CiSystem};
use mastor_types::results::plan::State;
use mastor_types::results::report::{Report, Verdict};

/// The report as Markdown, with permalinks if the run names its host, and with the command that takes proposals from
/// `artifact`, which contains `.mastor/out`.
///
/// # Errors
/// Where the template is invalid.
pub fn text(report: &Report, run: Option<&CiRun>, artifact: Option<&str>) -> Result<String, TemplateError> {
    let kept = run.filter(|run| run.system == CiSystem::GitHub && run.stamp.run > 0).zip(artifact);
    let kept = kept.map(|(run, artifact)| (run.stamp.run, artifact));
    report_md::markdown(report, run.and_then(|run| links(report, run)).as_ref(), kept)
}

/// Permalinks for the two compared commits, which are the same for all services.
fn links(report: &Report, run: &CiRun) -> Option<Links> {
    let since = report.services.iter().find_map(|service| service.plan.since.as_ref())?;
    Links::of(run, &since.merge_base, since.head_sha.as_deref().unwrap_or_default())
}

/// Whether a new comment should be created: something relevant changed, or the run failed.
pub fn has_news(report: &Report) -> bool {
    report.exit.code != 0
        || report.services.iter().any(|service| {
            let touched = [State::Affected, State::New, State::Retired].iter().any(|s| service.plan.count(*s) > 0);
            touched || service.verdict != Verdict::NothingAffected
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use mastor_types::results::plan::Plan;

    #[test]
    fn a_change_that_touches_nothing_is_no_news() {
        let mut service = sample::service("orders");
        assert!(has_news(&sample::report(vec![service.clone()])));
        service.plan = Plan::default();
        service.verdict = Verdict::NothingAffected;
        let mut report = sample::report(vec![service]);
        report.exit.code = 0;
        assert!(!has_news(&report));
    }
}
