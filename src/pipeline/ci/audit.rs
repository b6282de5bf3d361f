//! `audit`: runs the operations that `ci` leaves out because no change reaches them, as `ci` runs the others.

use std::time::SystemTime;

use crate::pipeline::ci::causes::grouped;
use crate::pipeline::ci::changes::order;
use crate::pipeline::ci::part::ShardFindings;
use crate::pipeline::ci::run::{self, CiOptions, find};
use crate::pipeline::generate::engines::EngineOptions;
use crate::pipeline::repository::comparison::{Comparison, compare, subject};
use crate::pipeline::repository::workspace::{BaseRevision, Head, Workspace};
use crate::pipeline::service::live::LiveOptions;
use mastor_config::Settings;
use mastor_derive::{Judgement, judge};
use mastor_publish::wording::words;
use mastor_suite::load::Suite;
use mastor_types::error::{Exit, Failure};
use mastor_types::results::audit::{AuditRun, Audited};
use mastor_types::results::change::{Change, ChangeKind};
use mastor_types::results::plan::{Plan, State};
use mastor_types::results::report::Level;

/// Kind of the records in the cache.
const KIND: &str = "audit";
/// Number of audits that are kept for a service, at most.
const REMEMBERED: usize = 1000;

/// What an audit found.
#[derive(Debug)]
pub struct AuditOutcome {
    /// The audit of each service, by its name.
    pub services: Vec<(String, Audited)>,
    /// How the process ends.
    pub exit: Exit,
}

/// Audits every service of `head`, and adds the audits to their histories.
///
/// # Errors
/// As for `ci`.
pub fn audit(
    workspace: &Workspace,
    head: &Head,
    base: &BaseRevision,
    how: Option<LiveOptions>,
) -> Result<AuditOutcome, Failure> {
    let mut services = Vec::new();
    let mut exits = Vec::new();
    for settings in run::services(workspace, head, base)? {
        let (audited, exit) = audit_service(workspace, &settings, (base, head), how)?;
        services.push((settings.name.clone(), audited));
        exits.push(exit);
    }
    if services.iter().all(|(_, audited)| audited.operations == 0) {
        return Err(crate::pipeline::repository::workspace::nothing_found());
    }
    Ok(AuditOutcome { services, exit: Exit::worst(exits) })
}

fn audit_service(
    workspace: &Workspace,
    settings: &Settings,
    (base, head): (&BaseRevision, &Head),
    how: Option<LiveOptions>,
) -> Result<(Audited, Exit), Failure> {
    let comparison = compare(workspace, settings, base, head)?;
    let plan = comparison.plan.clone();
    let left_out = plan.count(State::Inherited);
    workspace
        .events
        .said(format!("`ci` leaves out {left_out} of {} operations; they are run now", plan.operations.len()));
    let others = comparison.with_plan(plan.left_out());
    let options = CiOptions { live: how, engine: EngineOptions::rules(), ..CiOptions::default() };
    let part = find(workspace, settings, (base, head), &others, None, &options)?;
    let ShardFindings { mut changes, check, confirm, exit: of_service, asked, mut notes, .. } = part.found.in_order();
    let old = Suite::load(&base.tree, &settings.dir);
    let before = changes.len();
    changes.retain(|told| !stood_before(&others, &old, &told.change));
    if changes.len() < before {
        notes.push(format!(
            "{} already stood against the base: `mastor check` shows what the committed suite expects",
            words::count(before - changes.len(), "difference")
        ));
    }
    let mut missed = grouped(changes);
    order(&mut missed);
    let reproduce = if missed.is_empty() { Vec::new() } else { reproduce(&plan) };
    let mut audited = Audited {
        operations: plan.operations.len(),
        left_out,
        level: if asked { Level::Seen } else { Level::Derived },
        oracles: check.as_ref().map_or(0, |check| check.oracles.len()),
        requests: confirm.as_ref().map_or(0, |confirm| confirm.requests),
        missed,
        notes,
        reproduce,
        history: Vec::new(),
        since: plan.since,
    };
    // If nothing was left out, there is nothing to run, which is no failure.
    let of_service = of_service.filter(|_| left_out > 0);
    let own = if audited.missed.is_empty() { Exit::Clean } else { Exit::BehaviourChange };
    audited.history = remember(workspace, &settings.name, run_of(&audited, of_service.is_none()));
    Ok((audited, Exit::worst([own].into_iter().chain(of_service))))
}

/// Whether the base contradicts the committed oracle as well: then it shows no change between base and head.
fn stood_before(comparison: &Comparison, old: &Suite, change: &Change) -> bool {
    let Some(o_id) = &change.o_id else { return false };
    match (&change.witness, change.kind) {
        (Some(witness), ChangeKind::Seen) => witness.before == witness.after,
        (None, ChangeKind::Seen) => false,
        (_, ChangeKind::Derived | ChangeKind::Slice) => {
            let shared = comparison.shared();
            let oracle =
                old.operations.get(&change.op_id).and_then(|suite| suite.oracles.iter().find(|o| o.o_id == *o_id));
            let base = subject(&comparison.base, &shared.0, &change.op_id);
            oracle.zip(base).is_some_and(|(oracle, base)| matches!(judge(&base, oracle), Judgement::Broken { .. }))
        }
    }
}

/// The commands that reproduce the audit on a clean clone.
fn reproduce(plan: &Plan) -> Vec<String> {
    let Some(since) = &plan.since else { return Vec::new() };
    match &since.head_sha {
        Some(head) => vec![format!("git switch --detach {head} && mastor audit --since {}", since.merge_base)],
        None => vec![format!("mastor audit --since {}", since.merge_base)],
    }
}

fn run_of(audited: &Audited, whole: bool) -> AuditRun {
    let since = audited.since.as_ref();
    AuditRun {
        at: now(),
        mastor: env!("CARGO_PKG_VERSION").to_owned(),
        base: since.map(|since| since.merge_base.clone()).unwrap_or_default(),
        head: since.map(|since| since.head_sha.clone().unwrap_or_else(|| since.head.clone())).unwrap_or_default(),
        operations: audited.operations,
        left_out: audited.left_out,
        level: audited.level,
        oracles: audited.oracles,
        requests: audited.requests,
        missed: audited.missed.iter().map(|change| format!("{}: {}", change.op_id, change.what)).collect(),
        whole,
    }
}

fn now() -> String {
    let now = jiff::Timestamp::try_from(SystemTime::now()).unwrap_or_default();
    jiff::Timestamp::from_second(now.as_second()).unwrap_or_default().to_string()
}

/// The audits of a service, oldest first.
pub fn history(workspace: &Workspace, service: &str) -> Vec<AuditRun> {
    let bytes = workspace.cache.get(KIND, service);
    bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

fn remember(workspace: &Workspace, service: &str, run: AuditRun) -> Vec<AuditRun> {
    let _guard = workspace.cache.exclusive();
    let mut all = history(workspace, service);
    all.push(run);
    let too_many = all.len().saturating_sub(REMEMBERED);
    all.drain(..too_many);
    if let Ok(bytes) = serde_json::to_vec(&all) {
        workspace.cache.put(KIND, service, &bytes);
    }
    all
}

/// The base of an audit for which none is named: the head of the latest complete audit of any service, if it is an
/// ancestor of this head, else the first parent of this head.
///
/// # Errors
/// Exit 2 for settings that cannot be read, or for a head without an earlier audit and without a parent.
pub fn last_audited(workspace: &Workspace, head: &Head) -> Result<String, Failure> {
    let services = workspace.services(&head.tree)?;
    let mut runs: Vec<AuditRun> = services.iter().flat_map(|one| history(workspace, &one.name)).collect();
    runs.retain(|run| run.whole);
    runs.sort_by(|a, b| b.at.cmp(&a.at));
    let is_before = |run: &&AuditRun| {
        let commit = workspace.repo.resolve(&run.head).ok();
        commit.is_some_and(|commit| {
            commit.id != head.commit.id
                && workspace.repo.merge_base(commit.id, head.commit.id).is_ok_and(|base| base == Some(commit.id))
        })
    };
    if let Some(run) = runs.iter().find(is_before) {
        let short: String = run.head.chars().take(8).collect();
        workspace.events.said(format!("comparing with {short}, which the audit of {} ended on", run.at));
        return Ok(run.head.clone());
    }
    let parent = workspace.repo.written_parents(head.commit.id).first().map(ToString::to_string);
    let parent = parent.ok_or_else(|| {
        Failure::new(Exit::Usage, "nothing says what to compare with, and the head has no parent")
            .hint("add `--since`, a branch, tag or commit from which nothing was audited")
    })?;
    workspace.events.said("comparing with the first parent of the head: no earlier audit is known here");
    Ok(parent)
}
