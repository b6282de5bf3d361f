//! The content of every form of the report, before escaping: headline, counts, rows and details, in words.

use std::collections::BTreeMap;

use serde::Serialize;

use super::causes::{CauseView, by_cause};
use super::headline::headline;
use super::report_rows::{NAME, Row, named, needs_decision, row, short_symbol};
use super::strength::kill_rate;
use super::undecided_view::UndecidedView;
use crate::request;
use crate::wording::links::Links;
use crate::wording::words;
use mastor_template::escape::{shorten, shorten_start};
use mastor_types::OpId;
use mastor_types::results::agents::AgentsRan;
use mastor_types::results::change::{Change, ChangeEffect, ChangeKind, Place};
use mastor_types::results::compared::{ComparedOperation, Comparison};
use mastor_types::results::plan::{State, Unreached};
use mastor_types::results::report::{Level, Report, ServiceReport};
use mastor_types::results::slices::SliceSummary;

/// Maximum length of a cell or list item, in characters.
const TEXT: usize = 300;
/// Maximum length of a list that may stand in the line of counts, in characters.
const SHORT: usize = 90;
/// Maximum number of files named.
const FILES: usize = 100;
/// Maximum length of a permalink.
const LINK: usize = 2000;
/// Maximum number of chains, skipped operations and similar items listed.
const LISTED: usize = 10;

/// The command that accepts every proposal.
const ACCEPT: &str = "mastor accept --all";
/// The command that updates a suite.
const RENEW: &str = "mastor generate";
/// Path of the patch with the proposed suite.
const PATCH: &str = "/proposed.patch";

/// The report.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct View {
    /// The verdict, and what the reader must do.
    pub headline: String,
    /// Name and number of the exit.
    pub exit: String,
    /// Duration of the run in seconds, in forms that show it.
    pub seconds: Option<String>,
    /// The services.
    pub services: Vec<ServiceView>,
    /// Number of services left out for length.
    pub services_left: usize,
}

/// The report of one service.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ServiceView {
    /// Name, if there are several services.
    pub name: Option<String>,
    /// Changes grouped by cause, failures first.
    pub causes: Vec<CauseView>,
    /// Number of causes left out.
    pub causes_left: usize,
    /// Undecided operations, if any.
    pub undecided: Option<UndecidedView>,
    /// What the reader must do.
    pub todo: Option<&'static str>,
    /// The command for it.
    pub take: Option<String>,
    /// Counts, which each form joins in its own way.
    pub counts: Vec<String>,
    /// Rows of operations, failures first.
    pub rows: Vec<Row>,
    /// Number of rows left out.
    pub rows_left: usize,
    /// Changes with evidence and witness, failures first.
    pub details: Vec<Detail>,
    /// Number of changes left out of the details.
    pub details_left: usize,
    /// Why each affected operation is affected.
    pub chains: Vec<ChainView>,
    /// Labelled lists: skipped, ignored, drift, warnings, notes.
    pub lines: Vec<Line>,
    /// Files written.
    pub artifacts: Vec<String>,
    pub artifacts_left: usize,
    /// Number of files written.
    pub artifacts_all: usize,
    /// The level of the run, and what would raise it.
    pub level: String,
}

/// A change in detail.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Detail {
    pub id: String,
    /// Permalinks of the evidence.
    pub link_before: Option<String>,
    pub link_after: Option<String>,
    #[serde(skip)]
    places: (Option<Place>, Option<Place>),
    pub op_id: String,
    pub what: String,
    pub effect: &'static str,
    pub kind: &'static str,
    pub accepted: bool,
    pub contradicts: Option<String>,
    pub request: Option<String>,
    /// Values that stubs return, for changes seen in a slice.
    pub given: Option<String>,
    pub before: Option<String>,
    pub after: Option<String>,
    pub evidence_before: Option<String>,
    pub evidence_after: Option<String>,
    /// Summary of other changes with the same cause.
    pub also: Option<String>,
    /// Number of these changes.
    pub also_all: usize,
    /// These changes, one line each.
    pub also_list: Vec<String>,
    pub also_left: usize,
    #[serde(skip)]
    needs_decision: bool,
}

/// Why an operation is affected.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ChainView {
    pub op_id: String,
    pub chains: Vec<String>,
}

/// A labelled list.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Line {
    pub label: &'static str,
    pub items: Vec<String>,
    pub left: usize,
    /// Number of items.
    pub all: usize,
    /// Whether the items are short enough for the line of counts.
    pub short: bool,
    /// Whether the list is always shown in full.
    pub open: bool,
}

impl View {
    /// Builds the view; `with_seconds` includes the duration.
    pub fn of(report: &Report, with_seconds: bool) -> Self {
        let several = report.services.len() > 1;
        Self {
            headline: headline(report),
            exit: format!("{} ({})", report.exit.name, report.exit.code),
            seconds: with_seconds.then(|| format!("{:.1}", report.seconds)),
            services: report.services.iter().map(|service| ServiceView::of(service, several)).collect(),
            services_left: 0,
        }
    }

    /// Changes the commands so that they take the proposals from this run's artifact.
    pub fn taken_from(mut self, run: u64, artifact: &str) -> Self {
        let folder = format!("mastor-{run}");
        for service in &mut self.services {
            let get = format!("gh run download {run} --name {artifact} --dir {folder}");
            service.take = service.take.take().map(|command| match command.as_str() {
                ACCEPT => format!("{get} && {ACCEPT} --from {folder}"),
                _ => format!("{get} && git apply {folder}/.mastor/out{PATCH}"),
            });
        }
        self
    }

    /// Adds permalinks to the evidence.
    pub fn linked(mut self, links: Option<&Links>) -> Self {
        let Some(links) = links else { return self };
        for detail in self.services.iter_mut().flat_map(|service| &mut service.details) {
            let fits = |link: &String| link.len() <= LINK;
            detail.link_before = detail.places.0.as_ref().map(|place| links.before(place)).filter(fits);
            detail.link_after = detail.places.1.as_ref().map(|place| links.after(place)).filter(fits);
        }
        for cause in self.services.iter_mut().flat_map(|service| &mut service.causes) {
            let link = cause.at.as_ref().map(
                |(place, is_of_base)| {
                    if *is_of_base { links.before(place) } else { links.after(place) }
                },
            );
            cause.link = link.filter(|link| link.len() <= LINK);
        }
        self
    }
}

impl ServiceView {
    fn of(service: &ServiceReport, several: bool) -> Self {
        let mut changes: Vec<&Change> = service.changes.iter().collect();
        changes.sort_by_key(|c| (!needs_decision(c), c.accepted, c.repairs(), c.effect));
        let mut rows: Vec<Row> = service
            .plan
            .operations
            .iter()
            .filter(|o| matches!(o.state, State::Affected | State::New | State::Retired) && !is_same(service, &o.op_id))
            .map(|o| row(service, o))
            .collect();
        rows.sort_by(|a, b| (a.rank, &a.op_id).cmp(&(b.rank, &b.op_id)));
        let decisions = changes.iter().filter(|c| needs_decision(c)).count();
        let files = by_folder(&service.artifacts);
        let outdated = service.has_suite && service.artifacts.iter().any(|path| path.ends_with(PATCH));
        Self {
            name: several.then(|| shorten(&service.name, NAME)),
            causes: by_cause(service, &changes),
            causes_left: 0,
            undecided: UndecidedView::of(service),
            todo: match decisions {
                0 => outdated.then_some("The suite of this branch is not as new as its code"),
                _ => Some(
                    "Not meant? Change the code: the evidence is below. Meant? Take it into the suite, and commit that",
                ),
            },
            take: match decisions {
                0 => outdated.then(|| RENEW.to_owned()),
                _ => Some(ACCEPT.to_owned()),
            },
            counts: counts(service),
            rows_left: 0,
            rows,
            details: changes.iter().map(|c| detail(c, needs_decision(c))).collect(),
            details_left: 0,
            chains: chains(service),
            lines: lines(service),
            artifacts_left: files.len().saturating_sub(FILES),
            artifacts: files.into_iter().take(FILES).collect(),
            artifacts_all: service.artifacts.len(),
            level: level(service),
        }
    }

    /// Keeps at most this many causes.
    pub fn keep_causes(&mut self, most: usize) {
        self.causes_left += self.causes.len().saturating_sub(most);
        self.causes.truncate(most);
    }

    /// Keeps at most this many rows.
    pub fn keep_rows(&mut self, most: usize) {
        self.rows_left += self.rows.len().saturating_sub(most);
        self.rows.truncate(most);
    }

    /// Keeps at most this many details and chains.
    pub fn keep_first(&mut self, most: usize) {
        self.details_left += self.details.len().saturating_sub(most);
        self.details.truncate(most);
        self.chains.truncate(most);
    }

    /// Keeps at most this many pieces of code that leave operations undecided.
    pub fn keep_code(&mut self, most: usize) {
        self.undecided.iter_mut().for_each(|undecided| undecided.keep_code(most));
    }

    /// Replaces the lists of changes with the same cause by counts.
    pub fn fold_consequences(&mut self) {
        for detail in &mut self.details {
            detail.also_left += detail.also_list.len();
            detail.also_list.clear();
        }
    }

    /// Replaces the list of written files by a count.
    pub fn fold_artifacts(&mut self) {
        self.artifacts_left += self.artifacts.len();
        self.artifacts.clear();
    }

    /// Keeps the details of at most `most` changes that need a decision, and drops all others.
    pub fn keep_details(&mut self, most: usize) {
        let kept = self.details.iter().filter(|d| d.needs_decision).count().min(most);
        self.details_left += self.details.len() - kept;
        self.details.truncate(kept);
    }
}

/// Paths of files; those of one export are summarised in one line with their number.
fn by_folder(paths: &[String]) -> Vec<String> {
    let export = |path: &str| {
        let (above, rest) = path.split_once("/export/")?;
        let (kind, _) = rest.split_once('/')?;
        Some(format!("{above}/export/{kind}/"))
    };
    let mut folders: BTreeMap<String, Vec<&String>> = BTreeMap::new();
    let mut alone = Vec::new();
    for path in paths {
        match export(path) {
            Some(folder) => folders.entry(folder).or_default().push(path),
            None => alone.push(shorten_start(path, NAME)),
        }
    }
    let said = folders.iter().map(|(folder, files)| match files.as_slice() {
        [only] => shorten_start(only, NAME),
        files => format!("{} ({} files)", shorten_start(folder, NAME), files.len()),
    });
    alone.extend(said);
    alone
}

fn level(service: &ServiceReport) -> String {
    let all = || service.changes.iter().flat_map(Change::with_also);
    let derived = all().filter(|change| change.kind == ChangeKind::Derived).count();
    match (service.level, derived) {
        (Level::Derived, _) => "Level: derived from the code of both revisions; nothing was run. A service to start would show both answers side by \
                           side, and confirm new oracles."
            .to_owned(),
        (Level::Slices, _) => {
            let seen = all().filter(|change| change.kind == ChangeKind::Slice).count();
            format!(
                "Level: handlers of base and head were run in slices, with stubs where a database or a neighbour would be; no service was asked. \
                 {seen} of {} were seen there, the others are derived from the code.",
                words::count(all().count(), "difference")
            )
        }
        (Level::Seen, 0) => "Level: seen on the running service.".to_owned(),
        (Level::Seen, derived) => format!(
            "Level: base and head were run; {derived} of {} are derived from the code alone, the others seen on the running service.",
            words::count(all().count(), "difference"),
        ),
    }
}

fn counts(service: &ServiceReport) -> Vec<String> {
    let plan = &service.plan;
    let affected = plan.count(State::Affected);
    let mut out = vec![format!("{affected} of {} affected", words::count(plan.operations.len(), "operation"))];
    let recheck = if service.check.is_some() { ", run again" } else { ", not run without a service" };
    for (state, tail) in [(State::Recheck, recheck), (State::Inherited, ", not looked at again")] {
        let n = plan.count(state);
        if n > 0 || state == State::Inherited {
            out.push(format!("{n} {}{tail}", state.as_str()));
        }
    }
    for state in [State::New, State::Retired] {
        let n = plan.count(state);
        if n > 0 {
            out.push(format!("{n} {}", state.as_str()));
        }
    }
    let added: usize = service.generate.operations.iter().map(|o| o.added).sum();
    let proposed: usize = service.generate.operations.iter().map(|o| o.proposed).sum();
    let totals = &service.generate.totals;
    // Without a suite, the run makes none.
    if totals.oracles + totals.assumed + added + proposed > 0 {
        let assumed = if totals.assumed == 0 { String::new() } else { format!(" ({} assumed)", totals.assumed) };
        let derived = words::count(totals.oracles, "oracle");
        out.push(format!("{derived} derived{assumed}: {added} new, {proposed} proposed to change"));
    }
    out.extend(service.generate.slices.iter().map(SliceSummary::line));
    if let Some(check) = &service.check {
        let verdicts: Vec<String> = mastor_types::results::outcome::RunVerdict::ALL
            .into_iter()
            .filter(|verdict| check.count(*verdict) > 0)
            .map(|verdict| format!("{} {}", check.count(verdict), verdict.as_str()))
            .collect();
        if !check.oracles.is_empty() {
            out.push(format!("{} checked: {}", words::count(check.oracles.len(), "oracle"), verdicts.join(", ")));
        }
    }
    if let Some(measured) = service.strength.as_ref().filter(|measured| measured.totals.mutants > 0) {
        let totals = &measured.totals;
        out.push(format!(
            "strength where the change is: {} of {} noticed, {} not covered{}",
            totals.killed,
            words::count(totals.mutants - totals.start_up, "mutant"),
            totals.not_covered,
            if measured.approximate { " (an approximation)" } else { "" }
        ));
    }
    if let Some(confirm) = service.confirm.as_ref().filter(|confirm| confirm.candidates + confirm.seen > 0) {
        out.push(format!(
            "{} of {} held, {} kept as seen, {} observed",
            confirm.held,
            words::count(confirm.candidates, "candidate"),
            words::count(confirm.seen, "open request"),
            words::count(confirm.observed, "assertion")
        ));
    }
    if let Some(ran) = &service.generate.agents {
        let sequences =
            if ran.sequences > 0 { format!(", {}", words::count(ran.sequences, "sequence")) } else { String::new() };
        let confirmed =
            if service.confirm.is_some() { format!(" ({} confirmed)", ran.confirmed) } else { String::new() };
        let beyond = if ran.engine == "hybrid" { "beyond the rules" } else { "by agents" };
        out.push(format!("{} {beyond}{sequences}{confirmed}", words::count(ran.oracles, "oracle")));
        let usage = service.generate.usage;
        let usd = usage.usd.map(|usd| format!(", ${usd:.4}")).unwrap_or_default();
        let calls = usize::try_from(usage.calls).unwrap_or(usize::MAX);
        out.push(format!("{}{usd}", words::count(calls, "model call")));
    }
    if service.generate.sequences > 0 {
        out.push(words::count(service.generate.sequences, "sequence"));
    }
    if !plan.stale.is_empty() {
        out.push(format!("{} with a stale suite", words::count(plan.stale.len(), "operation")));
    }
    out
}

fn detail(change: &Change, needs_decision: bool) -> Detail {
    let place = |place: &Option<Place>| {
        let symbol = |symbol| shorten(short_symbol(symbol), NAME);
        place.as_ref().map(|p| format!("{}:{} {}", shorten_start(&p.file, NAME), p.line, symbol(&p.symbol)))
    };
    let (before, after) = match &change.witness {
        Some(witness) => (Some(witness.before.clone()), Some(witness.after.clone())),
        None => (change.before.clone(), change.after.clone()),
    };
    let cut = |text: Option<String>| text.map(|text| shorten(&text, TEXT));
    Detail {
        id: change.id.clone(),
        link_before: None,
        link_after: None,
        places: (change.evidence_before.clone(), change.evidence_after.clone()),
        op_id: named(&change.op_id),
        what: shorten(&change.what, TEXT),
        effect: words::effect(change.effect),
        kind: match change.kind {
            ChangeKind::Derived => "derived from code",
            ChangeKind::Slice => "seen in a slice, on base and head",
            ChangeKind::Seen => "seen on the service",
        },
        accepted: change.accepted,
        contradicts: change.with_also().find_map(|c| c.o_id.clone().or_else(|| c.s_id.clone())).filter(|id| is_id(id)),
        request: cut(change.witness.as_ref().map(|w| request::in_words(&change.op_id, &w.as_user, &w.input))),
        given: cut((!change.given.is_empty()).then(|| change.given.join(", "))),
        before: cut(before),
        after: cut(after),
        evidence_before: cut(place(&change.evidence_before)),
        evidence_after: cut(place(&change.evidence_after)),
        also: also(change),
        also_all: change.also.len(),
        also_list: change.also.iter().take(LISTED).map(|c| shorten(&consequence(c), TEXT)).collect(),
        also_left: change.also.len().saturating_sub(LISTED),
        needs_decision,
    }
}

/// Whether the text is a valid oracle id. It is shown in a command, and a report may come from a fork.
fn is_id(id: &str) -> bool {
    (4..=64).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// The number of other changes with the same cause, by operation, and how many may break clients.
fn also(change: &Change) -> Option<String> {
    if change.also.is_empty() {
        return None;
    }
    let mut operations: BTreeMap<&OpId, usize> = BTreeMap::new();
    for one in &change.also {
        *operations.entry(&one.op_id).or_default() += 1;
    }
    let listed: Vec<String> =
        operations.iter().take(LISTED).map(|(op_id, n)| format!("{}: {n}", named(op_id))).collect();
    let more = operations.len().saturating_sub(LISTED);
    let more = if more > 0 { format!(", and {}", words::count(more, "more operation")) } else { String::new() };
    let breaking = change.also.iter().filter(|one| one.effect == ChangeEffect::Breaking).count();
    let breaks = match (change.effect, breaking) {
        (ChangeEffect::Breaking, _) | (_, 0) => String::new(),
        (_, n) => format!("; {n} may break clients"),
    };
    let n = words::count(change.also.len(), "more difference");
    Some(shorten(&format!("{n} of the same cause ({}{more}){breaks}", listed.join(", ")), TEXT))
}

/// A change with the same cause, on one line.
fn consequence(change: &Change) -> String {
    let request = change.witness.as_ref().map(|w| request::in_words(&change.op_id, &w.as_user, &w.input));
    let against = change.o_id.as_ref().or(change.s_id.as_ref()).map(|id| format!(" [{id}]")).unwrap_or_default();
    format!("{}: {}{against}", shorten(&request.unwrap_or_else(|| named(&change.op_id)), NAME), change.what)
}

fn chains(service: &ServiceReport) -> Vec<ChainView> {
    service
        .why
        .iter()
        .map(|why| ChainView {
            op_id: named(&why.op_id),
            chains: why.chains.iter().take(3).map(|chain| shorten(&chain.path.join(" → "), 600)).collect(),
        })
        .filter(|view| !view.chains.is_empty())
        .collect()
}

/// Why candidates did not hold, with counts.
fn refuted(service: &ServiceReport) -> Vec<String> {
    let by = service.confirm.iter().flat_map(|confirm| &confirm.refuted_by);
    by.map(|group| format!("{} × {}", group.count, group.reason)).collect()
}

/// The first operations with a stale suite; the summary has their number.
fn stale(service: &ServiceReport) -> Vec<String> {
    const SHOWN: usize = 3;
    let stale = &service.plan.stale;
    let more = stale.len().saturating_sub(SHOWN);
    let rest = (more > 0).then(|| format!("and {more} more"));
    stale.iter().take(SHOWN).map(named).chain(rest).collect()
}

/// Varying fields with path and class.
fn quarantined(service: &ServiceReport) -> Vec<String> {
    let fields = service.confirm.iter().flat_map(|confirm| &confirm.quarantined);
    fields
        .map(|field| {
            let path = if field.path.is_empty() { "the whole body" } else { &field.path };
            format!("{} of {} ({})", shorten(path, NAME), named(&field.op_id), field.why)
        })
        .collect()
}

/// Note for a service without a suite.
const BASELINE: &str = "none is committed, so nothing can fail; mastor generate --all makes the baseline";

/// Notes about the agents' work: failures, dropped candidates, and why no further call was made.
fn agents(ran: &AgentsRan) -> Vec<String> {
    let mut out: Vec<String> = ran.ended.iter().map(|why| format!("no further call was made: {why}")).collect();
    out.extend(ran.matched.iter().map(|one| {
        format!("{} is served by {}#{}, as the model says", named(&one.op_id), one.entry.class, one.entry.method)
    }));
    out.extend(ran.failed.iter().map(|failed| {
        let by = if failed.by_rules { " (the rules engine did it)" } else { "" };
        format!("{} failed: {}{by}", named(&failed.op_id), failed.why)
    }));
    out.extend(ran.troubles.iter().cloned());
    if ran.contradicted > 0 {
        out.push(format!("{} dropped: they contradict what is derived", ran.contradicted));
    }
    if ran.overruled > 0 {
        out.push(format!("{} contradicted what is derived, and were shown to be right", ran.overruled));
    }
    out.extend(ran.dropped.iter().map(|dropped| format!("{} dropped: {}", dropped.count, dropped.reason)));
    out
}

/// Whether an operation was compared and is the same.
fn is_same(service: &ServiceReport, op_id: &OpId) -> bool {
    service.compared.iter().any(|one| one.op_id == *op_id && one.state == Comparison::Same)
}

/// Changed main code that no operation reaches, with its callers.
fn unreached(service: &ServiceReport) -> Vec<String> {
    let one = |one: &Unreached| {
        let by = match (one.referred_by.first(), one.referred_by.len().saturating_sub(1)) {
            (None, _) => "nothing refers to it".to_owned(),
            (Some(first), 0) => format!("{} refers to it", shorten(short_symbol(first), NAME)),
            (Some(first), more) => format!("{} and {more} more refer to it", shorten(short_symbol(first), NAME)),
        };
        let runs = if one.from_running { ", and it may run beside the operations" } else { "" };
        format!("{}: {by}{runs}", shorten_start(&one.input, NAME))
    };
    service.plan.unreached.iter().map(one).collect()
}

/// Operations that are the same, with how that is known.
fn same(service: &ServiceReport) -> Vec<String> {
    let same = service.compared.iter().filter(|one| one.state == Comparison::Same);
    let strength = |op_id: &OpId| service.strength.as_ref().and_then(|measured| measured.of(op_id)).and_then(kill_rate);
    let one = |one: &ComparedOperation| {
        let how = match one.requests {
            0 => "what changed does the same in both".to_owned(),
            requests => format!("{} alike", words::count(requests, "request")),
        };
        let strength = strength(&one.op_id).map(|noticed| format!("; its oracles notice {noticed}"));
        format!("{} ({how}{})", named(&one.op_id), strength.unwrap_or_default())
    };
    same.map(one).collect()
}

fn lines(service: &ServiceReport) -> Vec<Line> {
    let generated = &service.generate.operations;
    let line = |label, items: Vec<String>| Line {
        label,
        all: items.len(),
        short: items.iter().map(|item| item.chars().count()).sum::<usize>() <= SHORT,
        open: matches!(label, "Notes" | "Suite"),
        left: items.len().saturating_sub(LISTED),
        items: items.into_iter().take(LISTED).map(|item| shorten(&item, TEXT)).collect(),
    };
    let skipped = generated.iter().filter(|o| o.oracles == 0).map(|o| {
        format!(
            "{}: {}",
            named(&o.op_id),
            if o.notes.is_empty() { "nothing could be derived".to_owned() } else { o.notes.join("; ") }
        )
    });
    let ignored = service.ignored.iter().map(mastor_types::results::report::Ignored::line);
    let warnings = service.warnings.iter().map(|w| match (&w.file, w.line) {
        (Some(file), Some(line)) => format!("{}:{line}: {}", shorten_start(file, NAME), w.message),
        (Some(file), None) => format!("{}: {}", shorten_start(file, NAME), w.message),
        _ => w.message.clone(),
    });
    let baseline = !service.has_suite && !service.plan.operations.is_empty();
    let agents = service.generate.agents.as_ref().map(agents).unwrap_or_default();
    let mut out = vec![
        line("The same", same(service)),
        line("Skipped", skipped.collect()),
        line("Agents", agents),
        line("New oracles that did not hold, and are left out", refuted(service)),
        line("Quarantined fields", quarantined(service)),
        line("Ignored", ignored.collect()),
        line("Drift", service.drift.iter().map(|d| format!("{}: {}", named(&d.op_id), d.what)).collect()),
        line("Reached by no operation", unreached(service)),
        line("Stale", stale(service)),
        line("Read in part", warnings.collect()),
        line("Notes", service.notes.clone()),
        line("Suite", baseline.then(|| BASELINE.to_owned()).into_iter().collect()),
    ];
    out.retain(|line| !line.items.is_empty() || matches!(line.label, "Skipped" | "Ignored" | "Drift"));
    out
}
