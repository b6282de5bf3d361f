//! Concluding: turns what a run found into one report with a verdict, an exit and files.

use crate::pipeline::accept::proposed::Proposed;
use crate::pipeline::ci::causes::grouped;
use crate::pipeline::ci::changes::order;
use crate::pipeline::ci::part::{Part, RunContext, ShardFindings};
use crate::pipeline::confirm::settle::write_refuted;
use crate::pipeline::files::export::write_ci;
use crate::pipeline::repository::workspace::{Head, Workspace};
use crate::pipeline::strength::measure::measured;
use mastor_config::{FailOn, Settings};
use mastor_extract::Surface;
use mastor_suite::load::Suite;
use mastor_types::error::{Exit, Failure};
use mastor_types::results::change::{Change, ChangeEffect, ChangeKind};
use mastor_types::results::compared::{ComparedOperation, Comparison, count};
use mastor_types::results::plan::State;
use mastor_types::results::report::{Ignored, Level, ServiceReport, Verdict};

/// The conclusion for one service.
pub struct Concluded {
    /// Its report.
    pub service: ServiceReport,
    /// Its exit.
    pub exit: Exit,
    /// The suite with the proposals of the run.
    pub proposed: Proposed,
}

/// The report and the exit of a service; writes its files unless `dry`. `known` is the surface of the head if it was
/// read already.
///
/// # Errors
/// Exit 70 where writing fails.
pub fn conclude(
    workspace: &Workspace,
    settings: &Settings,
    (head, known): (&Head, Option<&Surface>),
    part: Part,
    dry: bool,
) -> Result<Concluded, Failure> {
    let Part { frame, found } = part;
    let found = found.in_order();
    let proposed =
        if dry { Proposed::default() } else { Proposed::of(&frame, &found, &Suite::load(&head.tree, &settings.dir)) };
    let artifacts = if dry {
        Vec::new()
    } else {
        let mut artifacts = write_ci(workspace, settings, (head, known), &frame, &found)?;
        artifacts.extend(write_refuted(workspace, settings, (&found.refuted, &found.refuted_sequences))?);
        artifacts.sort();
        artifacts
    };
    let ShardFindings {
        changes,
        compared,
        differences,
        generated,
        drift,
        notes,
        check,
        confirm,
        ignored,
        exit: of_service,
        asked,
        ..
    } = found;
    let mut changes = grouped(changes);
    for change in &mut changes {
        change.needs_decision = decides(&frame, change) && !change.accepted;
        for also in &mut change.also {
            also.needs_decision = decides(&frame, also) && !also.accepted;
        }
    }
    order(&mut changes);
    let (verdict, exit) = judge(&frame, &changes, &compared);
    let exit = Exit::worst([exit].into_iter().chain(of_service));
    let strength =
        frame.plan.since.as_ref().filter(|_| !dry).and_then(|since| measured(workspace, &settings.name, since));
    let service = ServiceReport {
        strength,
        name: frame.name,
        why: frame.why,
        level: match &generated.slices {
            _ if asked => Level::Seen,
            Some(_) => Level::Slices,
            None => Level::Derived,
        },
        generate: generated,
        changes,
        compared,
        differences,
        drift,
        ignored: ignored.into_iter().map(with_count).collect(),
        warnings: frame.warnings,
        notes,
        check,
        confirm,
        has_suite: frame.has_suite,
        suite_operations: frame.suite.len(),
        verdict,
        artifacts,
        plan: frame.plan,
    };
    Ok(Concluded { service, exit, proposed })
}

fn with_count((ignored, left): (Ignored, usize)) -> Ignored {
    if left == 0 {
        return ignored;
    }
    Ignored { what: format!("{} ({left} changes left aside)", ignored.what), ..ignored }
}

/// Whether somebody has to decide on a change: it contradicts the base's suite, or breaks clients of an operation that
/// has one.
fn decides(frame: &RunContext, change: &Change) -> bool {
    change.is_against() || (change.effect == ChangeEffect::Breaking && frame.suite.contains(&change.op_id))
}

/// Verdict and exit of one service.
fn judge(frame: &RunContext, changes: &[Change], compared: &[ComparedOperation]) -> (Verdict, Exit) {
    if frame.plan.operations.is_empty() {
        return (Verdict::NothingAffected, Exit::Nothing);
    }
    let against: Vec<&Change> = changes.iter().flat_map(Change::with_also).filter(|c| decides(frame, c)).collect();
    let open = against.iter().filter(|c| !c.accepted).count();
    let undecided = count(compared, Comparison::Undecided) > 0;
    let touched = frame.plan.operations.iter().any(|o| !matches!(o.state, State::Inherited | State::Recheck));
    let verdict = match () {
        () if open > 0 => Verdict::NeedsDecision,
        () if !against.is_empty() => Verdict::Accepted,
        () if !changes.is_empty() => Verdict::Changed,
        () if undecided => Verdict::Undecided,
        () if touched => Verdict::Same,
        () => Verdict::NothingAffected,
    };
    let fails = match frame.fail_on {
        FailOn::Never => false,
        FailOn::Broken => {
            let seen = |c: &&&Change| c.kind == ChangeKind::Seen && c.is_against();
            against.iter().filter(seen).any(|c| !c.accepted)
        }
        FailOn::Unaccepted => open > 0,
        FailOn::Stale => open > 0 || (frame.has_suite && frame.stale > 0),
        FailOn::Any => {
            let may_break = |c: &Change| c.effect != ChangeEffect::Additive && !c.accepted;
            let stale = frame.has_suite && frame.stale > 0;
            open > 0 || stale || undecided || changes.iter().flat_map(Change::with_also).any(may_break)
        }
    };
    (verdict, if fails { Exit::BehaviourChange } else { Exit::Clean })
}
