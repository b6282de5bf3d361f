//! Sequences that broke on the head: the change that each shows, and what a follow-up would expect instead.

use std::collections::BTreeSet;

use crate::pipeline::accept::let_go::was_removed_by_decision;
use crate::pipeline::seen::sides::{Sides, missed};
use mastor_probe::resources::follow::{reads_hold, renewed};
use mastor_suite::Suite;
use mastor_suite::proposal::{Proposal, ProposalKind, Renewal};
use mastor_types::OpId;
use mastor_types::results::change::{Change, ChangeEffect, ChangeKind, Witness};
use mastor_types::results::outcome::{Answer, Outcome, RunVerdict};
use mastor_types::results::plan::State;
use mastor_types::suite::oracle::Engine;
use mastor_types::suite::sequence::{Sequence, Step};

/// A sequence that broke, with its outcome.
struct Broken<'a> {
    outcome: &'a Outcome,
    sequence: &'a Sequence,
    /// What its steps answer on the head, run by run.
    runs: &'a [Vec<Answer>],
}

fn broken<'a>(sides: &Sides<'a>) -> Vec<Broken<'a>> {
    let broke = sides.outcomes.iter().filter(|(_, outcome)| outcome.verdict == RunVerdict::Broken);
    let with_sequence = broke.filter_map(|(id, outcome)| {
        let sequence = find(sides.question.old, id)?;
        Some(Broken { outcome, sequence, runs: sides.followed.0.steps_of(id) })
    });
    let mut all: Vec<Broken<'_>> = with_sequence.collect();
    // Sequences with the fewest writes come first: they show a change most directly.
    all.sort_by_key(|one| one.sequence.steps.iter().filter(|step| !step.op_id.method().is_safe()).count());
    all
}

fn find<'s>(suite: &'s Suite, id: &str) -> Option<&'s Sequence> {
    suite.sequences.values().flatten().find(|sequence| sequence.s_id == id)
}

/// The changes that sequences show. If only the answer to the write itself differs, which is reported already, and the
/// reads hold, there is no further change.
pub fn changes(sides: &Sides<'_>, told: &[Change]) -> Vec<Change> {
    broken(sides).into_iter().filter_map(|one| change(sides, &one, told)).collect()
}

fn change(sides: &Sides<'_>, one: &Broken<'_>, told: &[Change]) -> Option<Change> {
    let Broken { outcome, sequence, runs } = one;
    let step = outcome.misses.first().map_or(0, |miss| miss.step);
    let first = sequence.steps.first()?;
    let same_request = |change: &&Change| {
        change.op_id == first.op_id && change.witness.as_ref().is_some_and(|witness| witness.input == first.input)
    };
    let of_write = told.iter().any(|change| same_request(&change));
    if step == 0 && of_write && sequence.is_follow_up() && (runs.is_empty() || reads_hold(sequence, runs)) {
        return None;
    }
    let missed_at = sequence.steps.get(step)?;
    let affected: BTreeSet<&OpId> = sides.question.comparison.plan.in_state(State::Affected).collect();
    let read_tells = affected.contains(&missed_at.op_id) && told.iter().any(|change| change.op_id == missed_at.op_id);
    // A derived sequence shows a change of the last affected step up to the one that failed.
    let touched = sequence.steps.iter().take(step + 1).rev().find(|step| affected.contains(&step.op_id));
    // In a chain, the reads show the effect of the second write.
    let second = sequence.steps.get(1).filter(|second| sequence.is_follow_up() && !second.op_id.method().is_safe());
    let op_id = match affected.contains(&first.op_id) {
        _ if step > 0 && second.is_some_and(|second| affected.contains(&second.op_id)) => {
            second.map_or(&first.op_id, |second| &second.op_id)
        }
        _ if !sequence.is_follow_up() && touched.is_some() => touched.map_or(&first.op_id, |step| &step.op_id),
        _ if of_write => &first.op_id,
        true if !read_tells => &first.op_id,
        _ => &missed_at.op_id,
    };
    let (expected, seen) = missed(outcome);
    let what = match step {
        0 => format!("{}: expected {expected}, now {seen}", sequence.test_id),
        1 if second.is_some() => format!("{} after {}: expected {expected}, now {seen}", missed_at.op_id, first.op_id),
        _ => {
            let also = second.map_or_else(String::new, |second| format!(" and {}", second.op_id));
            format!("{} after {}{also}: expected {expected}, now {seen}", missed_at.op_id, first.op_id)
        }
    };
    let witness = Witness {
        as_user: first.as_user.clone(),
        input: first.input.clone(),
        before: expected.clone(),
        after: seen.clone(),
    };
    let known = Change::of_request(&first.op_id, ChangeKind::Seen, ChangeEffect::Breaking, (&outcome.id, what));
    Some(Change {
        s_id: Some(outcome.id.clone()),
        op_id: op_id.clone(),
        witness: (*op_id == first.op_id).then_some(witness),
        before: Some(expected),
        after: Some(seen),
        accepted: is_accepted(sides, one),
        ..known
    })
}

/// Whether the head's own suite removed the sequence by a decision, or has other steps for it that hold.
fn is_accepted(sides: &Sides<'_>, one: &Broken<'_>) -> bool {
    match find(sides.question.new, &one.outcome.id) {
        Some(now) => now.steps != one.sequence.steps && (one.runs.is_empty() || reads_hold(now, one.runs)),
        None => {
            let first = one.sequence.steps.first();
            let suites = (sides.question.old, sides.question.new);
            let gone =
                |op_id: &OpId| was_removed_by_decision(suites, (op_id, &sides.stands_in(op_id)), &one.outcome.id);
            first.is_some_and(|first| gone(&first.op_id))
        }
    }
}

/// New expectations of broken follow-ups. If the write's own oracle has a proposal, the follow-up is renewed with it,
/// and only reads that answer differently are proposed here.
pub fn proposals(sides: &Sides<'_>, others: &[Proposal]) -> Vec<Proposal> {
    broken(sides).into_iter().filter_map(|one| proposal(sides, &one, others)).collect()
}

fn proposal(sides: &Sides<'_>, one: &Broken<'_>, others: &[Proposal]) -> Option<Proposal> {
    let Broken { sequence, runs, .. } = one;
    let known = find(sides.question.new, &sequence.s_id)?;
    let (first, asked) = (known.first()?, known.steps.first()?);
    if is_accepted(sides, one) {
        return None;
    }
    if !known.is_follow_up() {
        // Once this one is retired, a new one is derived from the code.
        return (known.origin.engine == Engine::Rules).then(|| retirement(known, asked));
    }
    let with_write = others.iter().any(|proposal| proposal.o_id == first);
    let after = renewed(known, runs, &sides.followed.1);
    let goes_with_write = with_write && (after.is_none() || reads_hold(known, runs));
    if goes_with_write || (after.is_none() && runs.is_empty() && !with_write && !gone(sides, &sequence.s_id)) {
        return None;
    }
    Some(Proposal {
        kind: if after.is_some() { ProposalKind::Expectation } else { ProposalKind::Retirement },
        o_id: known.s_id.clone(),
        op_id: asked.op_id.clone(),
        before: None,
        after: None,
        sequence: Some(Renewal { before: known.clone(), after }),
        decision: None,
        evidence: Default::default(),
        reason: "what is read after this write is another answer now".to_owned(),
    })
}

/// A proposal to retire a sequence whose steps are answered differently.
pub fn retirement(known: &Sequence, asked: &Step) -> Proposal {
    Proposal {
        kind: ProposalKind::Retirement,
        o_id: known.s_id.clone(),
        op_id: asked.op_id.clone(),
        before: None,
        after: None,
        sequence: Some(Renewal { before: known.clone(), after: None }),
        decision: None,
        evidence: Default::default(),
        reason: "its steps are answered otherwise now".to_owned(),
    }
}

/// Whether the sequence was run on the head and did not finish.
fn gone(sides: &Sides<'_>, id: &str) -> bool {
    sides.followed.0.unanswered.contains_key(id)
}
