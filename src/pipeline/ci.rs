//! `ci`: what a change does to every service — plan, derived changes, new oracles, exports, report. Writes only below `.mastor/out`.

use rayon::prelude::*;

use super::causes::grouped;
use super::comparison::{Comparison, compare, shared, subject};
use super::confirm::{Refuted, take_into, write_refuted};
use super::export::{write_ci, write_report};
use super::ignored::said;
use super::live::{Live, LiveOptions};
use super::proposals::retirement;
use super::question::Question;
use super::seen::see;
use super::stale::stale;
use super::workspace::{BaseRevision, Head, Workspace};
use crate::config::{Day, FailOn, Settings};
use crate::derive::{self, Judgement, Shared};
use crate::error::{Exit, Failure};
use crate::extract::Analysis;
use crate::suite::load::{OperationSuite, Suite};
use crate::suite::proposal::Proposal;
use crate::suite::regenerate::regenerate;
use crate::types::OpId;
use crate::types::change::{Change, ChangeEffect, ChangeKind, Drift, DriftKind};
use crate::types::check::CheckFields;
use crate::types::oracle::Candidate;
use crate::types::plan::State;
use crate::types::report::{
    self, Confirming, Generated, GeneratedOperation, Ignored, Level, Report, SCHEMA_VERSION, ServiceReport, Verdict,
    by_strategy,
};

/// Options of `ci`.
#[derive(Debug, Clone, Default)]
pub struct CiOptions {
    /// Write nothing and run nothing, as for `backtest`.
    pub dry_run: bool,
    /// How the service is asked, where one is configured; none to leave it alone.
    pub live: Option<LiveOptions>,
}

/// What `ci` found.
#[derive(Debug)]
pub struct CiOutcome {
    /// The report.
    pub report: Report,
    /// How the process ends.
    pub exit: Exit,
}

/// Runs the whole way for every service of `head`.
///
/// # Errors
/// What stops all services: settings, documents or a suite that cannot be read, nothing found, a disk that cannot be written.
pub fn ci(workspace: &Workspace, head: &Head, base: &BaseRevision, options: &CiOptions) -> Result<CiOutcome, Failure> {
    let mut services = Vec::new();
    let mut exits = Vec::new();
    for mut settings in workspace.services(&head.tree)? {
        if crate::env::in_ci() {
            settings.protect(&base.tree, &workspace.overrides)?;
        }
        let (service, exit) = ci_service(workspace, &settings, base, head, options)?;
        services.push(service);
        exits.push(exit);
    }
    let exit = Exit::worst(exits);
    let mut report = Report {
        schema_version: SCHEMA_VERSION,
        command: "ci".to_owned(),
        services,
        exit: report::Exit { code: exit.code(), name: exit.name().to_owned() },
        seconds: 0.0,
    };
    if !options.dry_run {
        write_report(workspace, &mut report)?;
    }
    Ok(CiOutcome { report, exit })
}

fn ci_service(
    workspace: &Workspace,
    settings: &Settings,
    base: &BaseRevision,
    head: &Head,
    options: &CiOptions,
) -> Result<(ServiceReport, Exit), Failure> {
    let comparison = compare(workspace, settings, base, head)?;
    let (old, new) = (Suite::load(&base.tree, &settings.dir), Suite::load(&head.tree, &settings.dir));
    if let Some(problem) = new.problems.first() {
        return Err(Failure::new(Exit::Usage, problem.to_string())
            .hint("restore it with `git checkout`, or run `mastor generate` after removing it"));
    }
    let work: Vec<OpId> =
        [State::Affected, State::New].into_iter().flat_map(|s| comparison.plan.in_state(s).cloned()).collect();
    workspace.events.started("deriving", Some(work.len() as u64));
    let changes = derived_changes(&comparison, &old, &new);
    let mut made = make_all(workspace, &comparison, &work, &new);
    workspace.events.finished(format!("{} operations derived, {} changes", work.len(), changes.len()));
    let mut ran = Ran { changes, ..Ran::default() };
    if let Some(how) = options.live.filter(|_| !options.dry_run) {
        let question = (&comparison, base, head, &old, &new);
        run(workspace, settings, how, question, &mut made, &mut ran)?;
        order(&mut ran.changes);
    }
    let Ran { mut changes, check, confirm, exit: of_service, refuted, asked } = ran;
    let ignored = leave_aside(settings, &mut changes, &mut made.notes);
    let mut changes = grouped(&comparison, changes);
    order(&mut changes);
    let (verdict, exit) = judge(settings, &comparison, &changes, &old, made.stale_affected(&comparison, &new));
    let exit = Exit::worst([exit].into_iter().chain(of_service));
    let mut service = ServiceReport {
        name: settings.name.clone(),
        why: comparison.whys(),
        generate: made.generated,
        level: if asked { Level::Seen } else { Level::Derived },
        changes,
        drift: made.drift,
        ignored,
        warnings: comparison.head.surface.warnings.clone(),
        notes: made.notes,
        check,
        confirm,
        has_suite: !old.is_empty(),
        suite_operations: old.operations.len(),
        verdict,
        artifacts: Vec::new(),
        plan: comparison.plan.clone(),
    };
    if !options.dry_run {
        service.artifacts = write_ci(workspace, settings, &comparison.head, &made.suites, &made.proposals)?;
        service.artifacts.extend(write_refuted(workspace, settings, &refuted)?);
        service.artifacts.sort();
    }
    Ok((service, exit))
}

/// Takes out what `[[ignore]]` names, and lists its entries; those that have ended are noted and no longer count.
fn leave_aside(settings: &Settings, changes: &mut Vec<Change>, notes: &mut Vec<String>) -> Vec<Ignored> {
    let today = Day::today();
    let mut ignored = Vec::new();
    for entry in &settings.ignore {
        let until = entry.until.map(|until| until.to_string());
        if !entry.counts(today) {
            notes.push(format!("the ignore of {} ended on {}", entry.what(), until.unwrap_or_default()));
            continue;
        }
        let before = changes.len();
        changes.retain(|change| !entry.covers(&change.op_id, change.o_id.as_deref().or(change.s_id.as_deref())));
        let left = before - changes.len();
        let what = if left > 0 { format!("{} ({left} changes left aside)", entry.what()) } else { entry.what() };
        ignored.push(said(entry, what));
    }
    ignored
}

/// What running the service has added.
#[derive(Default)]
struct Ran {
    changes: Vec<Change>,
    check: Option<CheckFields>,
    confirm: Option<Confirming>,
    exit: Option<Exit>,
    refuted: Vec<Refuted>,
    asked: bool,
}

/// Runs base and head where a service is configured and something is there to run. A service that cannot be run leaves the derived level, and
/// decides the exit.
fn run(
    workspace: &Workspace,
    settings: &Settings,
    how: LiveOptions,
    (comparison, base, head, old, new): (&Comparison, &BaseRevision, &Head, &Suite, &Suite),
    made: &mut MadeAll,
    ran: &mut Ran,
) -> Result<(), Failure> {
    let Some(live) = Live::of(workspace, &comparison.head.surface, settings, how)? else { return Ok(()) };
    let question = Question {
        comparison,
        base,
        head,
        old,
        new,
        made: &made.suites,
        probes: &made.probes,
        derived: ran.changes.clone(),
        proposed: made.proposals.clone(),
        ignore: &settings.ignore,
    };
    let seen = match see(workspace, &live, question) {
        Ok(Some(seen)) => seen,
        Ok(None) => return Ok(()),
        Err(failure) if failure.exit == Exit::NotReady => {
            made.notes.push(format!("nothing was run: {}", failure.message));
            made.notes.extend(failure.hint);
            ran.exit = Some(failure.exit);
            return Ok(());
        }
        Err(failure) => return Err(failure),
    };
    for (op_id, suite) in &mut made.suites {
        let left = take_into(suite, op_id, &seen.claimed);
        if let Some(generated) = made.generated.operations.iter_mut().find(|one| one.op_id == *op_id) {
            let before = generated.oracles;
            generated.oracles = suite.oracles.len();
            generated.added = (generated.added + suite.oracles.len()).saturating_sub(before);
            generated.by_strategy = by_strategy(suite.oracles.iter().map(|o| o.strategy));
            generated.notes.extend(left);
        }
    }
    made.generated.totals.oracles = made.suites.iter().map(|(_, suite)| suite.oracles.len()).sum();
    made.proposals = seen.proposals;
    made.notes.extend(seen.notes);
    let evidence = |id: &str| evidence(comparison, old, id);
    let mut fields = CheckFields::new(&seen.checked.base_url, &seen.checked.outcomes, evidence);
    fields.unsteady = seen.checked.unsteady;
    fields.trouble = seen.checked.trouble.as_ref().map(ToString::to_string);
    ran.changes = seen.changes;
    ran.check = Some(fields);
    ran.confirm = Some(seen.claimed.report);
    ran.refuted = seen.claimed.refuted;
    ran.exit = seen.exit;
    ran.asked = true;
    Ok(())
}

/// The code that a committed oracle cites, as it stands in head.
fn evidence(comparison: &Comparison, old: &Suite, id: &str) -> Vec<crate::publish::explain::Cited> {
    let found = old.operations.values().find_map(|suite| Some((suite, suite.oracles.iter().find(|o| o.o_id == id)?)));
    let Some((suite, oracle)) = found else { return Vec::new() };
    super::cited::cited(&comparison.head, &suite.context.evidence, oracle)
}

/// The derived changes between base and head of a service, with what their suites say, those of one cause as one.
pub fn changes(comparison: &Comparison, base: &BaseRevision, head: &Head, settings: &Settings) -> Vec<Change> {
    let (old, new) = (Suite::load(&base.tree, &settings.dir), Suite::load(&head.tree, &settings.dir));
    let mut changes = grouped(comparison, derived_changes(comparison, &old, &new));
    order(&mut changes);
    changes
}

fn derived_changes(comparison: &Comparison, old: &Suite, new: &Suite) -> Vec<Change> {
    let shared = comparison.shared();
    let affected: Vec<_> = comparison.plan.operations.iter().filter(|o| o.state == State::Affected).collect();
    let of_each = affected.into_par_iter().map(|operation| {
        let was = operation.was.as_ref().unwrap_or(&operation.op_id);
        changes_of(comparison, (&shared.0, &shared.1), was, &operation.op_id, (old, new))
    });
    let mut changes: Vec<Change> = of_each.collect::<Vec<_>>().into_iter().flatten().collect();
    changes.extend(comparison.plan.in_state(State::Retired).map(|op_id| removal(comparison, op_id, old, new)));
    order(&mut changes);
    changes
}

/// The derived changes of one operation, those first that contradict the base's suite.
fn changes_of(
    comparison: &Comparison,
    shared: (&Shared<'_>, &Shared<'_>),
    was: &OpId,
    op_id: &OpId,
    (old, new): (&Suite, &Suite),
) -> Vec<Change> {
    let (Some(base), Some(head)) =
        (subject(&comparison.base, shared.0, was), subject(&comparison.head, shared.1, op_id))
    else {
        return Vec::new();
    };
    let mut changes = derive::changes(&base, &head);
    if was != op_id {
        changes.push(moved(comparison, was, op_id));
    }
    let Some(committed) = old.operations.get(was) else { return changes };
    for (oracle, judged) in committed.oracles.iter().zip(derive::judge_all(&head, &committed.oracles)) {
        let Judgement::Broken { before, after, effect, place } = judged else { continue };
        let accepted = match new.operations.get(op_id).map(|o| &o.oracles) {
            Some(oracles) => match oracles.iter().find(|o| o.o_id == oracle.o_id) {
                Some(now) => {
                    now.assertions != oracle.assertions
                        && !matches!(derive::judge(&head, now), Judgement::Broken { .. })
                }
                None => true,
            },
            None => true,
        };
        let same = |c: &&mut Change| c.o_id.is_none() && c.witness.as_ref().is_some_and(|w| w.input == oracle.input);
        if let Some(change) = changes.iter_mut().find(same) {
            change.o_id = Some(oracle.o_id.clone());
            change.accepted = accepted;
            continue;
        }
        let what = format!("{}: expected {before}, now {after}", oracle.description.trim_end_matches('.'));
        changes.push(Change {
            id: Change::identity(op_id, ChangeKind::Derived, &format!("{} {what}", oracle.o_id)),
            o_id: Some(oracle.o_id.clone()),
            s_id: None,
            op_id: op_id.clone(),
            kind: ChangeKind::Derived,
            effect,
            what,
            witness: Some(crate::types::change::Witness {
                input: oracle.input.clone(),
                before: before.clone(),
                after: after.clone(),
            }),
            before: Some(before),
            after: Some(after),
            evidence_before: None,
            evidence_after: place,
            accepted,
            also: Vec::new(),
        });
    }
    changes
}

fn moved(comparison: &Comparison, was: &OpId, op_id: &OpId) -> Change {
    let what = format!("moved from {was}");
    Change {
        id: Change::identity(op_id, ChangeKind::Derived, &what),
        o_id: None,
        s_id: None,
        op_id: op_id.clone(),
        kind: ChangeKind::Derived,
        effect: ChangeEffect::Breaking,
        what,
        witness: None,
        before: Some(was.to_string()),
        after: Some(op_id.to_string()),
        evidence_before: comparison.base.entry_place(was),
        evidence_after: comparison.head.entry_place(op_id),
        accepted: false,
        also: Vec::new(),
    }
}

fn removal(comparison: &Comparison, op_id: &OpId, old: &Suite, new: &Suite) -> Change {
    let what = "removed".to_owned();
    Change {
        id: Change::identity(op_id, ChangeKind::Derived, &what),
        o_id: None,
        s_id: None,
        op_id: op_id.clone(),
        kind: ChangeKind::Derived,
        effect: ChangeEffect::Breaking,
        what,
        witness: None,
        before: Some("served".to_owned()),
        after: None,
        evidence_before: comparison.base.entry_place(op_id),
        evidence_after: None,
        accepted: old.operations.contains_key(op_id) && !new.operations.contains_key(op_id),
        also: Vec::new(),
    }
}

/// What needs a decision first, then what breaks clients, then the rest; by operation.
fn order(changes: &mut [Change]) {
    changes.sort_by(|a, b| {
        let key = |c: &Change| (c.accepted || !c.is_against(), c.effect, c.op_id.clone(), c.what.clone(), c.id.clone());
        key(a).cmp(&key(b))
    });
}

struct MadeAll {
    generated: Generated,
    suites: Vec<(OpId, OperationSuite)>,
    probes: Vec<Candidate>,
    proposals: Vec<Proposal>,
    drift: Vec<Drift>,
    notes: Vec<String>,
    stale: Vec<OpId>,
}

impl MadeAll {
    /// Affected operations whose suite in head is not as new as head's code.
    fn stale_affected(&self, comparison: &Comparison, new: &Suite) -> usize {
        let affected = comparison.plan.in_state(State::Affected).filter(|op_id| new.operations.contains_key(op_id));
        affected.filter(|op_id| self.stale.contains(op_id)).count()
    }
}

/// Contexts and oracles of the affected and new operations, joined with what head has committed.
fn make_all(workspace: &Workspace, comparison: &Comparison, work: &[OpId], new: &Suite) -> MadeAll {
    let head = &comparison.head;
    let mut all = MadeAll {
        generated: Generated::default(),
        suites: Vec::new(),
        probes: Vec::new(),
        proposals: Vec::new(),
        drift: Vec::new(),
        notes: Vec::new(),
        stale: stale(&head.operations, new),
    };
    let shared = shared(head);
    let made = super::generate::make_all(head, work, &|op_id| workspace.events.advanced(op_id.to_string()));
    for (op_id, made) in work.iter().zip(made) {
        let (Some(subject), Some(made)) = (subject(head, &shared, op_id), made) else {
            all.drift.extend(unserved(head, op_id));
            continue;
        };
        all.drift.extend(derive::drift::drift(&subject, &made.suite.context));
        let dropped = made.normalised.reasons();
        let known = new.operations.get(op_id).map(|suite| suite.oracles.as_slice()).unwrap_or_default();
        all.probes.extend(made.probes.into_iter().filter(|p| known.iter().all(|o| o.o_id != p.oracle.o_id)));
        let joined =
            regenerate(new.operations.get(op_id), made.suite.context, made.suite.oracles, &|s| head.resolve(s));
        let schema = &joined.suite.context.response_schema;
        let totals = &mut all.generated.totals;
        totals.oracles += joined.suite.oracles.len();
        totals.verified += joined.suite.context.request_params.len() + schema.fields.len() + schema.error_cases.len();
        totals.pending +=
            joined.suite.context.request_params_pending.len() + joined.suite.context.response_schema_pending.len();
        all.generated.operations.push(GeneratedOperation {
            op_id: op_id.clone(),
            oracles: joined.suite.oracles.len(),
            added: joined.added,
            proposed: joined.proposals.len(),
            by_strategy: by_strategy(joined.suite.oracles.iter().map(|o| o.strategy)),
            dropped,
            notes: made.notes,
        });
        all.proposals.extend(joined.proposals);
        all.suites.push((op_id.clone(), joined.suite));
    }
    for op_id in comparison.plan.in_state(State::Retired) {
        all.proposals.extend(retirement(new, op_id, "the operation is gone"));
    }
    all.drift.sort();
    all.drift.dedup();
    all
}

/// The drift of an operation that the document has and the code does not serve.
fn unserved(head: &Analysis, op_id: &OpId) -> Option<Drift> {
    let operation = head.surface.find(op_id)?;
    let described = head.surface.document.as_ref().and_then(|d| d.operation(op_id.as_str()));
    Some(Drift {
        op_id: op_id.clone(),
        kind: DriftKind::UnmatchedOperation,
        what: operation.reason.clone().unwrap_or_else(|| "nothing in the code serves it".to_owned()),
        code: None,
        document: described.map(|described| described.at.to_string()),
    })
}

/// Verdict and exit of one service.
fn judge(
    settings: &Settings,
    comparison: &Comparison,
    changes: &[Change],
    old: &Suite,
    stale: usize,
) -> (Verdict, Exit) {
    if comparison.base.operations.is_empty() && comparison.head.operations.is_empty() {
        return (Verdict::NothingAffected, Exit::Nothing);
    }
    let contradicts = |c: &&Change| c.is_against() || (c.after.is_none() && old.operations.contains_key(&c.op_id));
    let against: Vec<&Change> = changes.iter().flat_map(Change::with_also).filter(contradicts).collect();
    let open = against.iter().filter(|c| !c.accepted).count();
    let touched = comparison.plan.operations.iter().any(|o| !matches!(o.state, State::Inherited | State::Recheck));
    let verdict = match () {
        () if open > 0 => Verdict::NeedsDecision,
        () if !against.is_empty() => Verdict::Accepted,
        () if !changes.is_empty() => Verdict::Changed,
        () if touched => Verdict::NoChange,
        () => Verdict::NothingAffected,
    };
    let fails = match settings.fail_on {
        FailOn::Never => false,
        FailOn::Broken => {
            let seen = |c: &&&Change| c.kind == ChangeKind::Seen && c.is_against();
            against.iter().filter(seen).any(|c| !c.accepted)
        }
        FailOn::Unaccepted => open > 0,
        FailOn::Stale => open > 0 || (!old.is_empty() && stale > 0),
    };
    (verdict, if fails { Exit::BehaviourChange } else { Exit::Clean })
}
