//! `ci`: finds what a change does to every service: plan, derived changes, new oracles, exports and report. The
//! committed suite is not changed.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use crate::pipeline::accept::decisions::decide;
use crate::pipeline::accept::let_go;
use crate::pipeline::accept::proposals::{contradicted, head_id};
use crate::pipeline::accept::proposed::Proposed;
use crate::pipeline::ci::causes::with_causes;
use crate::pipeline::ci::changes::{DerivedChanges, derived, order};
use crate::pipeline::ci::conclude::{Concluded, conclude};
use crate::pipeline::ci::costs;
use crate::pipeline::ci::ignored::said;
use crate::pipeline::ci::part::{Part, RunContext, ShardFindings};
use crate::pipeline::ci::renewed::{RenewedSuites, renew};
use crate::pipeline::confirm::claims::{Refuted, RefutedSequence};
use crate::pipeline::confirm::settle::{take_into, take_sequences};
use crate::pipeline::files::export::write_report;
use crate::pipeline::files::templates::{self, Own};
use crate::pipeline::generate::candidates::{self};
use crate::pipeline::generate::engines::{Asking, EngineOptions};
use crate::pipeline::generate::named::{has_vanished, is_unmatched, match_by_model};
use crate::pipeline::generate::suites::of_agents;
use crate::pipeline::repository::code_differences::differences;
use crate::pipeline::repository::comparison::{Comparison, compare};
use crate::pipeline::repository::elsewhere;
use crate::pipeline::repository::workspace::{BaseRevision, Head, Workspace, failure};
use crate::pipeline::seen::question::Question;
use crate::pipeline::seen::see::{ServiceComparison, run_both};
use crate::pipeline::seen::sequences::retirement as retirement_of;
use crate::pipeline::service::head_build::HeadBuild;
use crate::pipeline::service::live::{Live, LiveOptions};
use crate::pipeline::service::revisions::switched_off;
use crate::pipeline::slices::ahead::{Ahead, Revisions};
use crate::pipeline::slices::beside::{self, Suites};
use crate::pipeline::slices::found;
use crate::pipeline::slices::searches::Seeded;
use crate::pipeline::slices::side::are_made_of;
use crate::pipeline::strength::measure::{self, for_ci};
use mastor_config::{Day, Settings, StrengthSetting, Within};
use mastor_extract::Analysis;
use mastor_extract::api::matching::Match;
use mastor_probe::job::UNASKED;
use mastor_publish::checks::check_view::check_fields;
use mastor_publish::wording::words;
use mastor_revision::Files;
use mastor_suite::load::Suite;
use mastor_suite::proposal::Proposal;
use mastor_types::deadline::Deadline;
use mastor_types::error::{Exit, Failure};
use mastor_types::model::EngineName;
use mastor_types::results::change::Change;
use mastor_types::results::check::CheckFields;
use mastor_types::results::compared::{Comparison as Outcomes, Stop, settle_changed};
use mastor_types::results::outcome::{Outcome, RunVerdict};
use mastor_types::results::plan::State;
use mastor_types::results::report::{self, Confirming, Ignored, Report, SCHEMA_VERSION, strategies};
use mastor_types::suite::oracle::{Engine, Oracle, counted};
use mastor_types::suite::sequence::Sequence;
use mastor_types::{Hash, OpId};

/// Options of `ci`.
#[derive(Debug, Clone, Default)]
pub struct CiOptions {
    /// Write nothing and run nothing, as `backtest` does.
    pub dry_run: bool,
    /// When the run began: its time budget counts from then.
    pub began: Option<Instant>,
    /// How requests are sent to the configured service; `None` to send none.
    pub live: Option<LiveOptions>,
    /// Whether this command runs slices, if the settings allow it.
    pub slices: bool,
    /// Which engine makes oracles, and how.
    pub engine: EngineOptions,
}

/// What `ci` found.
#[derive(Debug)]
pub struct CiOutcome {
    /// The report.
    pub report: Report,
    /// How the process ends.
    pub exit: Exit,
    /// Suite files as regeneration renews them, with no proposal taken.
    pub renewed: Files,
}

/// Runs all stages for every service of `head`.
///
/// # Errors
/// What stops all services: settings, documents or a suite that cannot be read, nothing found, a disk that cannot be
/// written.
pub fn ci(workspace: &Workspace, head: &Head, base: &BaseRevision, options: &CiOptions) -> Result<CiOutcome, Failure> {
    let mut concluded = Vec::new();
    let mut strong = Vec::new();
    let mut elsewhere = Vec::new();
    let services = services(workspace, head, base)?;
    give_time(workspace, &services, options);
    for settings in services {
        let comparison = compare(workspace, &settings, base, head)?;
        let part = find(workspace, &settings, (base, head), &comparison, None, options)?;
        if !options.dry_run {
            costs::record(workspace, &settings.name, &part.found.costs);
            let in_time = settings.strength == StrengthSetting::Off || workspace.out_of_time().is_none();
            let measured = in_time.then(|| for_ci(workspace, &settings, (base, head), &comparison)).flatten();
            if let Some(strength) = measured {
                strong.push((settings.name.clone(), strength));
                measure::write(workspace, &strong)?;
            }
        }
        elsewhere.push(comparison.elsewhere.clone());
        let known = &comparison.head.surface;
        concluded.push(conclude(workspace, &settings, (head, Some(known)), part, options.dry_run)?);
    }
    let notes = elsewhere::note(&elsewhere);
    concluded.iter_mut().take(1).for_each(|one| one.service.notes.extend(notes.clone()));
    report(workspace, head, concluded, options.dry_run)
}

/// Gives the run the smallest time budget of its services.
pub fn give_time(workspace: &Workspace, services: &[Settings], options: &CiOptions) {
    let least = services.iter().filter_map(|settings| settings.within).min();
    if let (Some(began), Some(Within(budget))) = (options.began, least) {
        workspace.give_time(Deadline::new(began, budget));
    }
}

/// The services of the head; in CI, some of their settings come from the base.
///
/// # Errors
/// Exit 2 for settings that cannot be read.
pub fn services(workspace: &Workspace, head: &Head, base: &BaseRevision) -> Result<Vec<Settings>, Failure> {
    workspace.services_since(&head.tree, &base.tree)
}

/// Makes one report over all services, and writes it unless `dry`.
///
/// # Errors
/// Exit 70 where writing fails.
pub fn report(workspace: &Workspace, head: &Head, concluded: Vec<Concluded>, dry: bool) -> Result<CiOutcome, Failure> {
    let exit = Exit::worst(concluded.iter().map(|one| one.exit));
    let mut proposed = Proposed::default();
    let mut services = Vec::new();
    for one in concluded {
        services.push(one.service);
        proposed.extend(one.proposed);
    }
    let mut report = Report {
        schema_version: SCHEMA_VERSION,
        command: "ci".to_owned(),
        services,
        exit: report::Exit { code: exit.code(), name: exit.name().to_owned() },
        seconds: 0.0,
    };
    if !dry {
        let patch = workspace.repo.patch(&head.tree, &proposed.taken).map_err(failure)?;
        write_report(workspace, &mut report, &patch)?;
    }
    Ok(CiOutcome { report, exit, renewed: proposed.renewed })
}

/// Finds what a change does to one service, or only to its operations in `mine`.
///
/// # Errors
/// A suite or templates that cannot be read, and failures of running the service.
pub fn find(
    workspace: &Workspace,
    settings: &Settings,
    (base, head): (&BaseRevision, &Head),
    whole: &Comparison,
    mine: Option<&BTreeSet<OpId>>,
    options: &CiOptions,
) -> Result<Part, Failure> {
    let (old, new) = (Suite::load(&base.tree, &settings.dir), Suite::load(&head.tree, &settings.dir));
    if let Some(problem) = new.problems.first() {
        return Err(Failure::new(Exit::Usage, problem.to_string())
            .hint("restore it with `git checkout`, or run `mastor generate` after removing it"));
    }
    // Templates are read before anything runs: a wrong one would waste the run.
    let named_by = if mastor_env::in_ci() { &base.tree } else { &head.tree };
    let own_templates = if options.dry_run { Own::new() } else { templates::own(named_by, settings)? };
    let mut comparison = match mine {
        Some(mine) => whole.with_plan(whole.plan.only(mine)),
        None => whole.clone(),
    };
    let mut asking = Asking::new(workspace, settings, &options.engine)?;
    if !options.dry_run {
        let new_or_vanished = |one: &&Match| {
            let state = comparison.plan.operations.iter().find(|other| other.op_id == one.op_id).map(|o| o.state);
            is_unmatched(one) && (state == Some(State::New) || (state.is_some() && has_vanished(&new, &one.op_id)))
        };
        let matches = comparison.head.surface.matches.iter();
        let unmatched: Vec<OpId> = matches.filter(new_or_vanished).map(|one| one.op_id.clone()).collect();
        if let Some(named) = match_by_model(&mut asking, &comparison.head, &head.tree, &unmatched)? {
            comparison.head = Arc::new(named);
        }
    }
    let comparison = &comparison;
    // Without a committed suite there is nothing to renew: `ci` only reports, and `generate --all` makes a suite.
    let asks = options.live.is_some() && settings.service.is_some();
    let asks_service = asks && !options.dry_run;
    let affected = || comparison.plan.in_state(State::Affected).chain(comparison.plan.in_state(State::New)).collect();
    let slices = options.slices
        && !options.dry_run
        && settings.slices.runs(options.live.is_none() || settings.service.is_some())
        && are_made_of(&comparison.head, settings, &affected());
    let slices_alone = slices && !asks;
    let asks = asks || slices;
    let tells_alone = old.is_empty() && new.is_empty() && asking.engine == EngineName::Rules && !asks;
    let renewed: &[State] = if tells_alone { &[State::New] } else { &[State::Affected, State::New] };
    let work: Vec<OpId> = renewed.iter().flat_map(|s| comparison.plan.in_state(*s).cloned()).collect();
    let touched = comparison.plan.count(State::Affected) + comparison.plan.count(State::New);
    let worked = std::thread::scope(|scope| {
        let revisions = (comparison, base, head);
        // Slices are built ahead only if there is no service: it would be built in the same folders.
        let is_asked = options.live.is_some() && settings.service.is_some() && !options.dry_run && touched > 0;
        let head_build = is_asked.then(|| HeadBuild::start(scope, workspace, settings, head));
        let ahead = slices_alone.then(|| Ahead::start(scope, (workspace, settings), revisions, work.clone())).flatten();
        workspace.events.started("deriving", Some(touched as u64));
        let DerivedChanges { changes, compared, open, mut costs } =
            derived(comparison, &old, &new, &|| workspace.out_of_time());
        let in_time = workspace.out_of_time().is_none();
        let mut made =
            renew(&asking, comparison, if in_time { &work } else { &[] }, &new, (options.dry_run, asks_service))?;
        if !in_time && !work.is_empty() {
            made.notes.push(format!("no new oracles were made of {}", words::count(work.len(), "operation")));
        }
        for operation in &mut made.generated.operations {
            let why = open.get(&operation.op_id).into_iter().flatten().filter(|why| !operation.notes.contains(why));
            let before: Vec<String> = why.map(|why| format!("before: {why}")).collect();
            operation.notes.extend(before);
        }
        for (op_id, took) in std::mem::take(&mut made.took) {
            *costs.entry(op_id).or_default() += took;
        }
        workspace.events.finished(format!("{touched} operations derived, {} changes", changes.len()));
        let mut ran = Ran { changes, ..Ran::default() };
        let in_time = |made: &mut RenewedSuites| {
            let spent = workspace.out_of_time();
            made.notes.extend(spent.map(|deadline| format!("nothing was run: {deadline}")));
            spent.is_none()
        };
        if let Some(how) = options.live.filter(|_| !options.dry_run && settings.service.is_some() && in_time(&mut made))
        {
            let begin = Instant::now();
            let question = (comparison, base, head, &old, &new);
            head_build.iter().for_each(HeadBuild::is_waited_for);
            run(workspace, settings, (how, head_build), question, &mut made, &mut ran)?;
            order(&mut ran.changes);
            costs::share(&mut costs, begin.elapsed(), &made.suites);
        }
        if options.slices && !options.dry_run && workspace.out_of_time().is_none() {
            let has_service = options.live.is_none() || settings.service.is_some() && ran.exit != Some(Exit::NotReady);
            if settings.slices.runs(has_service) {
                let suites = Suites { old: &old, new: &new };
                let open = |op_id: &OpId| ran.changes.iter().all(|change| change.op_id != *op_id);
                let undecided = compared.iter().filter(|one| one.state == Outcomes::Undecided && open(&one.op_id));
                let undecided: Vec<OpId> = undecided.map(|one| one.op_id.clone()).collect();
                slice(workspace, settings, (revisions, ahead), (suites, &undecided), &mut made, &mut ran)?;
            }
        }
        made.settle_readings();
        Ok::<_, Failure>((made, ran, compared, costs))
    });
    let (mut made, ran, mut compared, costs) = worked?;
    if !ran.asked {
        made.proposals.extend(retired_sequences(&ran.changes, &new));
    }
    let Ran { mut changes, check, confirm, exit, refuted, refuted_sequences, asked, unasked, open: untold } = ran;
    let exit = match (exit, made.exit) {
        (Some(one), Some(other)) => Some(Exit::worst([one, other])),
        (one, other) => one.or(other),
    };
    for one in compared.iter_mut().filter(|one| unasked.contains(&one.op_id)) {
        one.state = Outcomes::Undecided;
        one.stopped.push(Stop::of("an oracle that was never confirmed does not hold, and the base could not be asked"));
    }
    for one in &mut compared {
        let of_it = untold.iter().filter(|(op_id, _)| *op_id == one.op_id);
        let stops: Vec<Stop> = of_it.map(|(_, what)| Stop::of(what)).collect();
        if !stops.is_empty() {
            one.state = Outcomes::Undecided;
            one.stopped.extend(stops);
        }
    }
    settle_changed(&mut compared, changes.iter());
    let contradicted = contradicted(&changes, &old, &made.proposals);
    made.proposals.extend(contradicted);
    made.proposals.extend(decide(&mut changes, (&old, &new), &made.suites));
    made.notes.extend(let_go::deleted_suites_note(comparison, &old, &new, mine));
    made.notes.extend(options.live.filter(|_| !options.dry_run).and_then(|_| switched_off(settings)));
    let exit = match workspace.was_cut() && options.engine.strict {
        true => Some(Exit::worst(exit.into_iter().chain([Exit::BudgetSpent]))),
        false => exit,
    };
    let ignored = leave_aside(settings, &mut changes, &mut made.notes);
    let analysis = &comparison.head;
    let frame = RunContext {
        name: settings.name.clone(),
        dir: settings.dir.clone(),
        fail_on: settings.fail_on,
        why: whole.whys(),
        warnings: analysis.surface.warnings.clone(),
        base_path: base_path(analysis),
        // The head without entries that a model has just named: those count once they are committed with their contexts.
        head: head_id(&whole.head),
        suite: old.operations.keys().cloned().collect(),
        has_suite: !old.is_empty(),
        stale: made.stale_affected(whole, &new),
        templates: own_templates,
        plan: whole.plan.clone(),
    };
    let manifest = |op_id: &OpId| Some((op_id.clone(), analysis.manifest(op_id)?.to_lines()));
    let found = ShardFindings {
        changes: with_causes(comparison, changes),
        differences: differences(comparison, &compared),
        compared,
        generated: made.generated,
        manifests: made.suites.iter().filter_map(|(op_id, _)| manifest(op_id)).collect(),
        suites: made.suites,
        proposals: made.proposals,
        drift: made.drift,
        notes: made.notes,
        check,
        confirm,
        refuted,
        refuted_sequences,
        sequences: made.sequences,
        ignored,
        exit,
        asked,
        costs,
    };
    Ok(Part { frame, found })
}

/// Proposals to retire rule-made sequences that the head's code contradicts; new ones are derived afterwards.
fn retired_sequences(changes: &[Change], new: &Suite) -> Vec<Proposal> {
    let open = |id: &String| changes.iter().any(|change| change.s_id.as_ref() == Some(id) && !change.accepted);
    let of_rules = |sequence: &&Sequence| sequence.origin.engine == Engine::Rules && open(&sequence.s_id);
    let gone = new.sequences.values().flatten().filter(of_rules);
    gone.filter_map(|sequence| Some(retirement_of(sequence, sequence.steps.first()?))).collect()
}

/// First base path of the document; empty without one.
fn base_path(analysis: &Analysis) -> String {
    let document = analysis.surface.document.as_ref();
    document.and_then(|d| d.base_paths.first()).cloned().unwrap_or_default()
}

/// Removes the changes that `[[ignore]]` names, and gives its entries, each with the number of changes removed. Expired
/// entries no longer count, and are noted.
fn leave_aside(settings: &Settings, changes: &mut Vec<Change>, notes: &mut Vec<String>) -> Vec<(Ignored, usize)> {
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
        ignored.push((said(entry, entry.what()), before - changes.len()));
    }
    ignored
}

/// The results of running the service and slices.
#[derive(Default)]
struct Ran {
    changes: Vec<Change>,
    check: Option<CheckFields>,
    confirm: Option<Confirming>,
    exit: Option<Exit>,
    refuted: Vec<Refuted>,
    refuted_sequences: Vec<RefutedSequence>,
    asked: bool,
    /// Operations that stay undecided though they were asked, with the reason.
    open: Vec<(OpId, String)>,
    /// Operations with an oracle that was never confirmed and does not hold on the head, while the base gave no answer.
    unasked: BTreeSet<OpId>,
}

/// Operations of oracles that were never confirmed and do not hold, where the base could not be asked.
fn unasked(outcomes: &[Outcome]) -> BTreeSet<OpId> {
    let open = outcomes.iter().filter(|outcome| outcome.reason.as_deref() == Some(UNASKED));
    open.flat_map(|outcome| outcome.op_ids.iter().cloned()).collect()
}

/// Runs base and head if a service is configured and there is something to run. If the service cannot be run, the
/// derived results remain, and the failure decides the exit.
fn run(
    workspace: &Workspace,
    settings: &Settings,
    (how, head_build): (LiveOptions, Option<HeadBuild<'_>>),
    (comparison, base, head, old, new): (&Comparison, &BaseRevision, &Head, &Suite, &Suite),
    made: &mut RenewedSuites,
    ran: &mut Ran,
) -> Result<(), Failure> {
    let Some(live) = Live::of(workspace, &comparison.head.surface, settings, how)? else { return Ok(()) };
    let live = live.knowing(&comparison.head);
    let question = Question {
        comparison,
        base,
        head,
        old,
        new,
        made: &made.suites,
        probes: &made.probes,
        trials: &made.trials,
        sequences: &made.sequences,
        derived: ran.changes.clone(),
        proposed: made.proposals.clone(),
        ignore: &settings.ignore,
    };
    let mut seen = match run_both(workspace, &live, question, head_build) {
        Ok(ServiceComparison::Seen(seen)) => *seen,
        Ok(ServiceComparison::Nothing) => return Ok(()),
        Ok(ServiceComparison::NeitherStarts(failure)) => {
            made.notes.push(format!("nothing was run, and the base does not start either: {}", failure.message));
            made.notes.extend(failure.hint);
            return Ok(());
        }
        Err(failure) if failure.exit == Exit::BudgetSpent => {
            made.notes.push(format!("the head was not run: {}", failure.message));
            return Ok(());
        }
        Err(failure) if failure.exit == Exit::NotReady => {
            made.notes.push(format!("nothing was run: {}", failure.message));
            made.notes.extend(failure.hint);
            ran.exit = Some(failure.exit);
            return Ok(());
        }
        Err(failure) => return Err(failure),
    };
    let head = &comparison.head;
    let verdict = |id: &str| seen.checked.outcomes.iter().find(|outcome| outcome.id == id).map(|one| one.verdict);
    // A failing candidate was wrong from the start only if the base refuted it in this run too, or if it was made from
    // the head's own code.
    let may_regress = |id: &str, op_id: &OpId, made_from: Option<Hash>| match verdict(id) {
        Some(verdict) => verdict != RunVerdict::Refuted,
        None => candidates::may_regress(head, op_id, made_from),
    };
    let before = seen.claimed.refuted.len();
    seen.claimed.refuted.retain(|one| {
        let oracle = &one.oracle;
        !may_regress(&oracle.o_id, &oracle.op_id, oracle.confirmation.made_from)
    });
    let kept = before - seen.claimed.refuted.len();
    seen.claimed.report.refuted = seen.claimed.report.refuted.saturating_sub(kept);
    for (op_id, suite) in &mut made.suites {
        let may_regress = |oracle: &Oracle| may_regress(&oracle.o_id, op_id, oracle.confirmation.made_from);
        let left = take_into(suite, op_id, &seen.claimed, &may_regress);
        if let Some(generated) = made.generated.operations.iter_mut().find(|one| one.op_id == *op_id) {
            let before = generated.oracles;
            (generated.oracles, generated.assumed) = counted(&suite.oracles);
            generated.added = (generated.added + generated.oracles).saturating_sub(before);
            generated.by_strategy = strategies(&suite.oracles);
            generated.notes.extend(left);
        }
    }
    let sequence_may = |sequence: &Sequence| {
        let first = sequence.steps.first().map(|step| &step.op_id);
        first.is_some_and(|op_id| may_regress(&sequence.s_id, op_id, sequence.confirmation.made_from))
    };
    made.notes.extend(take_sequences(&mut made.sequences, &seen.claimed, &sequence_may));
    if let Some(agents) = &mut made.generated.agents {
        agents.confirmed = of_agents(&seen.claimed);
    }
    made.count();
    made.proposals = seen.proposals;
    made.notes.extend(seen.notes);
    ran.unasked = unasked(&seen.checked.outcomes);
    let evidence = |id: &str| evidence(comparison, old, id);
    let mut fields = check_fields(&seen.checked.base_url, &seen.checked.outcomes, evidence);
    fields.unsteady = seen.checked.unsteady;
    fields.trouble = seen.checked.trouble.as_ref().map(ToString::to_string);
    ran.changes = seen.changes;
    ran.open = seen.open;
    ran.check = Some(fields);
    ran.confirm = Some(seen.claimed.report);
    ran.refuted_sequences = seen.claimed.refuted_sequences;
    ran.refuted = seen.claimed.refuted;
    ran.exit = seen.exit;
    ran.asked = true;
    Ok(())
}

/// Runs slices of base and head, and joins their results with the derived changes.
fn slice(
    workspace: &Workspace,
    settings: &Settings,
    (revisions, ahead): (Revisions<'_>, Option<Ahead<'_>>),
    (suites, undecided): (Suites<'_>, &[OpId]),
    made: &mut RenewedSuites,
    ran: &mut Ran,
) -> Result<(), Failure> {
    let trials = |op_id: &OpId| made.trials.iter().find(|(own, _)| own == op_id).map(|(_, trials)| trials.as_slice());
    let seeded = made.suites.iter().map(|(op_id, suite)| Seeded::of(suite, trials(op_id).unwrap_or_default()));
    let seeded: Vec<Seeded> = seeded.collect();
    let asked = (made.suites.as_slice(), seeded.as_slice(), undecided);
    let showed = beside::run_on_both(workspace, settings, (revisions, ahead), suites, asked);
    let noted = (&mut made.notes, &mut ran.exit);
    let Some(found) = beside::or_noted(showed, (workspace, settings.slices), noted)? else { return Ok(()) };
    let head = &revisions.0.head;
    for (op_id, suite) in &mut made.suites {
        let may_regress = |oracle: &Oracle| candidates::may_regress(head, op_id, oracle.confirmation.made_from);
        let left = beside::take_into(suite, &found, &may_regress);
        let added = found::add(suite, &found.found);
        if let Some(generated) = made.generated.operations.iter_mut().find(|one| one.op_id == *op_id) {
            (generated.oracles, generated.assumed) = counted(&suite.oracles);
            generated.added = generated.added.saturating_sub(left.len()) + added;
            generated.by_strategy = strategies(&suite.oracles);
            generated.notes.extend(left);
        }
    }
    made.count();
    made.generated.slices = Some(found.summary);
    let known: BTreeSet<String> = made.proposals.iter().map(|one| one.o_id.clone()).collect();
    made.proposals.extend(found.proposals.into_iter().filter(|one| !known.contains(&one.o_id)));
    beside::join(found.changes, &mut ran.changes);
    order(&mut ran.changes);
    Ok(())
}

/// The code that a committed oracle cites, as it reads in the head.
fn evidence(comparison: &Comparison, old: &Suite, id: &str) -> Vec<mastor_publish::terminal::explain::Cited> {
    let found = old.operations.values().find_map(|suite| Some((suite, suite.oracles.iter().find(|o| o.o_id == id)?)));
    let Some((suite, oracle)) = found else { return Vec::new() };
    crate::pipeline::repository::cited::cited(&comparison.head, &suite.context.evidence, oracle)
}
