//! The report as Markdown for the job summary and the pull request. It is shortened by leaving out whole parts, so that
//! the Markdown stays valid.

use super::report_view::{ServiceView, View};
use crate::wording::links::Links;
use mastor_template::{TemplateError, render};
use mastor_types::error::Failure;
use mastor_types::results::report::Report;

/// Maximum length of the report, in characters. GitHub allows 65,536 in a comment, which also has a marker line.
pub const LIMIT: usize = 60_000;
/// Maximum number of rows and causes of a service.
const ROWS: usize = 25;

/// The report as Markdown with fewer than [`LIMIT`] characters. It contains no times, so that two runs give the same
/// text. `kept` names the run and the artifact that stores its files.
///
/// # Errors
/// Where the template is invalid.
pub fn markdown(report: &Report, links: Option<&Links>, kept: Option<(u64, &str)>) -> Result<String, TemplateError> {
    let mut view = View::of(report, false).linked(links);
    if let Some((run, artifact)) = kept {
        view = view.taken_from(run, artifact);
    }
    for service in &mut view.services {
        service.keep_causes(ROWS);
        service.keep_rows(ROWS);
        // More than this cannot fit into the limit anyway.
        service.keep_first(200);
    }
    let mut text = tidy(&render("report/report.md", &view)?);
    for step in LADDER {
        if text.chars().count() < LIMIT {
            break;
        }
        step(&mut view);
        text = tidy(&render("report/report.md", &view)?);
    }
    Ok(text)
}

/// Markdown for a run that failed before its report.
///
/// # Errors
/// Where the template is invalid.
pub fn failure(failure: &Failure) -> Result<String, TemplateError> {
    let Failure { exit, message, hint, .. } = failure;
    let view = serde_json::json!({ "name": exit.name(), "code": exit.code(), "message": message, "hint": hint });
    Ok(tidy(&render("report/failure.md", view)?))
}

/// Steps that shorten the report, one kind of content each, in the order of application; each leaves a count.
const LADDER: &[fn(&mut View)] = &[
    |view| view.services.iter_mut().for_each(|s| s.keep_code(10)),
    |view| view.services.iter_mut().for_each(|s| s.chains.clear()),
    |view| view.services.iter_mut().for_each(|s| s.keep_code(0)),
    |view| view.services.iter_mut().for_each(ServiceView::fold_consequences),
    |view| view.services.iter_mut().for_each(|s| s.keep_details(25)),
    |view| view.services.iter_mut().for_each(|s| s.keep_details(5)),
    |view| view.services.iter_mut().for_each(|s| s.keep_details(0)),
    |view| view.services.iter_mut().for_each(|s| s.fold_artifacts()),
    |view| view.services.iter_mut().for_each(|s| s.keep_rows(10)),
    |view| {
        for line in view.services.iter_mut().flat_map(|s| &mut s.lines) {
            line.left += line.items.len();
            line.items.clear();
        }
    },
    |view| view.services.iter_mut().for_each(|s| s.keep_rows(0)),
    |view| view.services.iter_mut().for_each(|s| s.keep_causes(5)),
    |view| view.services.iter_mut().for_each(|s| s.keep_causes(1)),
    |view| {
        view.services_left = view.services.len().saturating_sub(25);
        view.services.truncate(25);
    },
];

/// Removes repeated empty lines; the text ends in one newline.
pub(crate) fn tidy(text: &str) -> String {
    let mut out = String::new();
    let (mut empty, mut fence) = (0, None);
    for line in text.lines() {
        let word = line.trim();
        if fence.is_none_or(|fence| word == fence) {
            let opens = fence.is_none() && word.starts_with("```") && word.bytes().all(|byte| byte == b'`');
            fence = opens.then_some(word);
        } else {
            // Code blocks are kept unchanged.
            out.push_str(line);
            out.push('\n');
            continue;
        }
        empty = if word.is_empty() { empty + 1 } else { 0 };
        if empty < 2 && !(empty == 1 && out.is_empty()) {
            out.push_str(line.trim_end());
            out.push('\n');
        }
    }
    format!("{}\n", out.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn a_report_leads_with_verdict_fact_and_counts() {
        insta::assert_snapshot!(markdown(&sample::report(vec![sample::service("orders")]), None, None).unwrap());
    }

    #[test]
    fn hostile_text_stays_text() {
        let text = markdown(&sample::hostile(), None, None).unwrap();
        insta::assert_snapshot!(text);
        // Inside a code block, text needs no escaping.
        let mut is_code = false;
        let outside = text.lines().filter(|line| {
            is_code ^= line.starts_with("````");
            !is_code
        });
        let text = outside.collect::<Vec<_>>().join("\n");
        assert!(!text.contains("<img src=x> @someone #12 https://x.example [l](http://y) *b* </script> */ \\u000a {{baseUrl}} ${x} \"q\" \\ \n"));
        let tables: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
        assert!(tables.iter().all(|line| line.replace("\\|", "").matches('|').count() == 5), "{tables:#?}");
    }

    #[test]
    fn a_huge_report_shrinks_by_whole_parts() {
        let mut service = sample::service("orders");
        for n in 0..3000 {
            service.changes.push(sample::change(&format!("/orders/{n}"), &"long | text ".repeat(40), n % 2 == 0));
            service.why.push(service.why[0].clone());
        }
        service.warnings = vec![service.warnings[0].clone(); 500];
        for services in [1, 30] {
            let text = markdown(&sample::report(vec![service.clone(); services]), None, None).unwrap();
            assert!(text.chars().count() < LIMIT);
            assert_eq!(text.matches("<details>").count(), text.matches("</details>").count());
            assert!(text.contains("more in `.mastor/out/report.json`"));
        }
    }
}
