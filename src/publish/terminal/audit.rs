//! The audit as text: what `ci` had left out, what it would have missed, how to reproduce that, and earlier audits.

use serde::Serialize;

use crate::request;
use crate::wording::words::{self, count};
use mastor_template::escape::shorten;
use mastor_template::{TemplateError, render};
use mastor_types::results::audit::{AuditRun, AuditTotals, Audited};
use mastor_types::results::change::{Change, Place};
use mastor_types::results::report::Level;

/// Maximum number of missed changes, and of earlier audits, listed.
const LISTED: usize = 20;
/// Maximum length of an item, in characters.
const TEXT: usize = 300;

#[derive(Debug, Serialize)]
struct View {
    headline: String,
    services: Vec<ServiceView>,
}

#[derive(Debug, Serialize)]
struct ServiceView {
    name: Option<String>,
    counts: Vec<String>,
    missed: Vec<MissedView>,
    missed_left: usize,
    notes: Vec<String>,
    reproduce: Vec<String>,
    history: String,
    runs: Vec<RunView>,
}

#[derive(Debug, Serialize)]
struct MissedView {
    op_id: String,
    what: String,
    effect: &'static str,
    request: Option<String>,
    before: Option<String>,
    after: Option<String>,
    place: Option<String>,
    replay: Option<String>,
    why: String,
}

#[derive(Debug, Serialize)]
struct RunView {
    at: String,
    range: String,
    left_out: String,
    asked: String,
    missed: String,
}

/// The audit as Markdown.
///
/// # Errors
/// Where the template is invalid.
pub fn markdown(services: &[(String, Audited)]) -> Result<String, TemplateError> {
    Ok(crate::report::report_md::tidy(&render("report/audit.md", view(services))?))
}

/// The audit as plain text.
///
/// # Errors
/// Where the template is invalid.
pub fn plain(services: &[(String, Audited)]) -> Result<String, TemplateError> {
    Ok(crate::report::report_md::tidy(&render("report/audit.txt", view(services))?))
}

/// The history of a service as plain text, newest first.
///
/// # Errors
/// Where the template is invalid.
pub fn history(services: &[(String, Vec<AuditRun>)]) -> Result<String, TemplateError> {
    let of = |(name, runs): &(String, Vec<AuditRun>)| {
        let name = if services.len() > 1 { Some(name) } else { None };
        serde_json::json!({ "name": name, "history": totals(runs), "runs": runs.iter().rev().map(run).collect::<Vec<_>>() })
    };
    let services: Vec<_> = services.iter().map(of).collect();
    Ok(crate::report::report_md::tidy(&render("report/audits.txt", serde_json::json!({ "services": services }))?))
}

fn view(services: &[(String, Audited)]) -> View {
    let missed: usize = services.iter().map(|(_, audited)| audited.missed.len()).sum();
    let left_out: usize = services.iter().map(|(_, audited)| audited.left_out).sum();
    let headline = match (missed, left_out) {
        (_, 0) => "audit: `ci` left nothing out".replace('`', ""),
        (0, n) => format!("audit: ✅ nothing was missed in {} that ci leaves out", count(n, "operation")),
        (n, _) => format!("audit: {} missed in operations that ci leaves out", count(n, "behaviour change")),
    };
    View { headline, services: services.iter().map(|one| service(one, services.len() > 1)).collect() }
}

fn service((name, audited): &(String, Audited), several: bool) -> ServiceView {
    let mut counts = vec![format!("{} of {} left out", audited.left_out, count(audited.operations, "operation"))];
    match audited.level {
        Level::Seen => {
            counts.push(format!("{} run", count(audited.oracles, "committed oracle")));
            counts.push(format!("{} compared", count(audited.requests, "request")));
        }
        Level::Derived | Level::Slices => counts.push("compared by their code alone, nothing was run".to_owned()),
    }
    let base = audited.since.as_ref().map(|since| since.merge_base.clone());
    ServiceView {
        name: several.then(|| name.clone()),
        counts,
        missed: audited.missed.iter().take(LISTED).map(|change| missed(change, base.as_deref())).collect(),
        missed_left: audited.missed.len().saturating_sub(LISTED),
        notes: audited.notes.iter().map(|note| shorten(note, TEXT)).collect(),
        reproduce: audited.reproduce.clone(),
        history: totals(&audited.history),
        runs: audited.history.iter().rev().take(LISTED).map(run).collect(),
    }
}

fn missed(change: &Change, base: Option<&str>) -> MissedView {
    let place = |place: &Place| format!("{}:{} {}", place.file, place.line, place.symbol);
    let (before, after) = match &change.witness {
        Some(witness) => (Some(witness.before.clone()), Some(witness.after.clone())),
        None => (change.before.clone(), change.after.clone()),
    };
    let cut = |text: String| shorten(&text, TEXT);
    let asked = change.witness.as_ref().map(|w| request::in_words(&change.op_id, &w.as_user, &w.input));
    let against = change.with_also().find_map(|c| c.o_id.clone().or_else(|| c.s_id.clone()));
    let since = base.map(|base| format!(" --since {base}")).unwrap_or_default();
    MissedView {
        op_id: change.op_id.to_string(),
        what: shorten(&change.what, TEXT),
        effect: words::effect(change.effect),
        request: asked.map(cut),
        before: before.map(cut),
        after: after.map(cut),
        place: change.evidence_after.as_ref().or(change.evidence_before.as_ref()).map(place).map(cut),
        replay: against.map(|id| format!("mastor replay {id}")),
        why: format!("mastor why \"{}\"{since}", change.op_id),
    }
}

fn run(run: &AuditRun) -> RunView {
    let short = |sha: &str| sha.chars().take(8).collect::<String>();
    let asked = match run.level {
        Level::Seen => format!("{}, {}", count(run.oracles, "oracle"), count(run.requests, "request")),
        Level::Derived | Level::Slices => "code alone".to_owned(),
    };
    RunView {
        at: run.at.clone(),
        range: format!("{}..{}", short(&run.base), short(&run.head)),
        left_out: format!("{} of {}", run.left_out, run.operations),
        asked: if run.whole { asked } else { format!("{asked}, not to the end") },
        missed: if run.missed.is_empty() { "nothing".to_owned() } else { shorten(&run.missed.join("; "), TEXT) },
    }
}

fn totals(history: &[AuditRun]) -> String {
    let totals = AuditTotals::of(history);
    let Some(first) = history.first() else { return "no audit is recorded here".to_owned() };
    let found = match totals.missed {
        0 => "nothing missed".to_owned(),
        n => format!("{} missed, in {}", count(n, "change"), count(totals.with_missed, "audit")),
    };
    format!(
        "{} since {}: {} left out, {} run, {} compared, {found}",
        count(totals.runs, "audit"),
        first.at,
        count(totals.left_out, "operation"),
        count(totals.oracles, "oracle"),
        count(totals.requests, "request")
    )
}
