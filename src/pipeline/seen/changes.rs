//! Seen changes: compares the answers of base and head, joins them with derived changes, and proposes new expectations.

use crate::pipeline::seen::sequences;
use crate::pipeline::seen::sides::{Sides, missed};
use mastor_probe::answers::differ::Difference;
use mastor_probe::answers::judge::{Captures, Parsed, judge};
use mastor_probe::answers::observe::observed;
use mastor_probe::answers::unstable::unstable;
use mastor_suite::proposal::{Proposal, ProposalKind};
use mastor_types::OpId;
use mastor_types::results::change::{Change, ChangeEffect, ChangeKind, Witness, is_wording};
use mastor_types::results::outcome::{Answer, Expected, Miss, Outcome, RunVerdict};
use mastor_types::suite::assertion::{Assertion, Check, Source, StatusSet};
use mastor_types::suite::oracle::{Confirmation, Oracle};

/// All changes: the seen ones, and the derived ones that no answer confirms or contradicts. Second, by operation, what stays open: derived changes that the
/// service did not show, and differences that may come from another service.
pub fn changes(sides: &Sides<'_>) -> (Vec<Change>, Vec<(OpId, String)>) {
    let mut denied: Vec<(OpId, String)> = Vec::new();
    let not_so = |change: Change| (change.op_id, format!("derived, and not so on the service: {}", change.what));
    let mut derived = sides.question.derived.clone();
    // A sequence that ran on the service is reported as it was seen there.
    derived.retain(|change| change.s_id.as_ref().is_none_or(|id| !sides.outcomes.contains_key(id.as_str())));
    let mut out: Vec<Change> = Vec::new();
    for (id, oracle) in sides.asked() {
        let differences = sides.differences(&oracle.op_id, id);
        let broken = sides.broken(id);
        let alike = differences.as_ref().is_some_and(Vec::is_empty) && broken.is_none();
        if alike {
            let gone = |change: &Change| {
                change.op_id == oracle.op_id && change.witness.as_ref().is_some_and(|w| w.asks_as(oracle))
            };
            // A base that meets no expectation of its code cannot contradict a derived change.
            if sides.base_is_as_expected(&oracle.op_id) {
                denied.extend(derived.extract_if(.., |change| gone(change)).map(not_so));
            }
            continue;
        }
        let change = match (differences, broken) {
            (Some(differences), broken) if !differences.is_empty() => {
                of_answers(sides, id, oracle, &differences, broken)
            }
            (_, Some(outcome)) => of_outcome(sides, oracle, outcome),
            _ => continue,
        };
        if broken.is_none()
            && sides.asks_others(&oracle.op_id)
            && !derived.iter().any(|one| is_same_request(one, &change))
        {
            let what = format!("it asks other services, and what differs may come from there: {}", change.what);
            denied.push((change.op_id, what));
            continue;
        }
        out.push(change);
    }
    for (id, outcome) in sides.outcomes {
        if outcome.verdict == RunVerdict::Broken && !sides.asked().contains_key(id) {
            out.extend(sides.committed(id).map(|oracle| of_outcome(sides, oracle, outcome)));
        }
        if outcome.verdict == RunVerdict::Held {
            let held = derived.extract_if(.., |change| change.o_id.as_deref() == Some(*id));
            denied.extend(held.map(not_so));
        }
    }
    let of_sequences = sequences::changes(sides, &out);
    out.extend(of_sequences);
    out.iter_mut().for_each(|change| join(change, &mut derived));
    explain(&mut out, &mut derived);
    out.extend(derived);
    (out, denied)
}

/// Explains a seen change that has no place in the code by the only derived change of its operation that has no
/// request.
fn explain(seen: &mut [Change], derived: &mut Vec<Change>) {
    for change in seen.iter_mut().filter(|change| change.evidence_after.is_none() && change.evidence_before.is_none()) {
        let fits = |d: &Change| d.op_id == change.op_id && d.witness.is_none() && d.o_id.is_none();
        let places: Vec<usize> = (0..derived.len()).filter(|place| fits(&derived[*place])).collect();
        let [only] = places[..] else { continue };
        let of_code = derived.remove(only);
        change.what = format!("{} ({})", change.what, of_code.what);
        change.evidence_before = of_code.evidence_before;
        change.evidence_after = of_code.evidence_after;
    }
}

/// Takes the explanation of a seen change from the derived change with the same request.
fn join(change: &mut Change, derived: &mut Vec<Change>) {
    if let Some(place) = derived.iter().position(|one| is_same_request(one, change)) {
        let of_code = derived.remove(place);
        (change.what, change.condition) = (of_code.what, of_code.condition);
        change.evidence_before = of_code.evidence_before;
        change.evidence_after = of_code.evidence_after;
    }
}

/// Whether two changes were shown by the same request, or both by none.
fn is_same_request(one: &Change, other: &Change) -> bool {
    let request = |change: &Change| change.witness.as_ref().map(|w| (w.as_user.clone(), w.input.clone()));
    // A change that a sequence shows after its first request has no request of its own.
    let of_steps = |change: &Change| change.s_id.is_some() && change.witness.is_none();
    one.op_id == other.op_id && request(one) == request(other) && !of_steps(one) && !of_steps(other)
}

fn of_answers(
    sides: &Sides<'_>,
    id: &str,
    oracle: &Oracle,
    differences: &[Difference],
    broken: Option<&Outcome>,
) -> Change {
    let said = |side: Option<&Answer>| side.map(brief).unwrap_or_default();
    let before = said(sides.before.and_then(|(passes, _)| passes.of(id).first()));
    let after = said(sides.after.passes.of(id).first());
    let status = sides.after.passes.of(id).first().map_or(0, |answer| answer.status);
    let what = in_words(differences, status);
    let effect = differences.iter().map(|difference| difference.effect).min().unwrap_or(ChangeEffect::Unclear);
    let committed = broken.and_then(|_| sides.committed(id));
    Change {
        o_id: committed.map(|oracle| oracle.o_id.clone()),
        witness: Some(Witness {
            as_user: oracle.as_user.clone(),
            input: oracle.input.clone(),
            before: before.clone(),
            after: after.clone(),
        }),
        before: differences.first().and_then(|d| d.before.clone()),
        after: differences.first().and_then(|d| d.after.clone()),
        accepted: committed.is_some_and(|oracle| sides.accepted(oracle)),
        ..Change::of_request(&oracle.op_id, ChangeKind::Seen, effect, (id, what))
    }
}

/// The differences between two answers in words; `status` is the one of the head's answer.
pub(in crate::pipeline) fn in_words(differences: &[Difference], status: u16) -> String {
    let one = |difference: &Difference| {
        let nothing = || "nothing".to_owned();
        let (was, is) =
            (difference.before.clone().unwrap_or_else(nothing), difference.after.clone().unwrap_or_else(nothing));
        match difference.place.as_str() {
            "status" => format!("answers {is} where it answered {was}"),
            place if difference.before.is_none() && difference.after.is_none() => place.to_owned(),
            place if is_wording(status, place) => format!("the wording of {place}: {was} → {is}"),
            place => format!("{place}: {was} → {is}"),
        }
    };
    differences.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn of_outcome(sides: &Sides<'_>, oracle: &Oracle, outcome: &Outcome) -> Change {
    let (expected, seen) = missed(outcome);
    let what = format!("{}: expected {expected}, now {seen}", oracle.description.trim_end_matches('.'));
    let effect = effect_of_misses(outcome, oracle);
    Change {
        o_id: Some(oracle.o_id.clone()),
        witness: Some(Witness {
            as_user: oracle.as_user.clone(),
            input: oracle.input.clone(),
            before: expected.clone(),
            after: seen.clone(),
        }),
        before: Some(expected),
        after: Some(seen),
        accepted: sides.accepted(oracle),
        ..Change::of_request(&oracle.op_id, ChangeKind::Seen, effect, (&oracle.o_id, what))
    }
}

/// The effect on clients if an oracle breaks: a different status decides, since the fields are then those of another
/// answer.
fn effect_of_misses(outcome: &Outcome, oracle: &Oracle) -> ChangeEffect {
    let is_status = |miss: &&Miss| matches!(&miss.expected, Expected::Assertion { check: Check::Status { .. }, .. });
    let status = outcome.misses.iter().find(is_status).map(|miss| effect_of(miss, oracle));
    let fields = || outcome.misses.iter().map(|miss| effect_of(miss, oracle)).min();
    status.or_else(fields).unwrap_or(ChangeEffect::Breaking)
}

/// The effect on clients if this expectation of an oracle is no longer met.
fn effect_of(miss: &Miss, oracle: &Oracle) -> ChangeEffect {
    let statuses = oracle.statuses();
    match (&miss.expected, miss.seen.parse()) {
        (Expected::Assertion { check: Check::Status { .. }, .. }, Ok(seen)) => {
            let effects = statuses.iter().map(|status| ChangeEffect::of_statuses(*status, seen));
            effects.min().unwrap_or(ChangeEffect::Breaking)
        }
        (Expected::Assertion { check: Check::Field { path, .. }, .. }, _) => {
            let effects = statuses.iter().map(|status| ChangeEffect::of_value(*status, path));
            effects.min().unwrap_or(ChangeEffect::Breaking)
        }
        _ => ChangeEffect::Breaking,
    }
}

/// An answer in a few words: `404`, `200 {"ok":true}`.
pub(in crate::pipeline) fn brief(answer: &Answer) -> String {
    match Parsed::of(answer).into_value() {
        Some(body) => format!("{} {}", answer.status, mastor_probe::answers::differ::shown(&body)),
        None => answer.status.to_string(),
    }
}

/// The proposals of a run: the derived ones that the service confirms, and for each committed oracle that broke, the
/// behaviour that was seen.
pub fn proposals(sides: &Sides<'_>) -> Vec<Proposal> {
    let mut out: Vec<Proposal> = Vec::new();
    for mut proposal in sides.question.proposed.clone() {
        let held = sides.outcomes.get(proposal.o_id.as_str()).is_some_and(|o| o.verdict == RunVerdict::Held);
        if held && proposal.kind == ProposalKind::Expectation {
            continue;
        }
        if let Some(after) = &mut proposal.after {
            let answers = sides.after.passes.of(&proposal.o_id);
            let holds = |answer: &Answer| judge(&after.assertions, answer, &Captures::new()).is_empty();
            if !answers.is_empty() && !answers.iter().all(holds) {
                continue;
            }
            if !answers.is_empty() {
                after.confirmation = confirmed(answers.len());
            }
        }
        out.push(proposal);
    }
    for id in sides.outcomes.keys() {
        let (Some(_), Some(old)) = (sides.broken(id), sides.committed(id)) else { continue };
        if out.iter().any(|proposal| proposal.o_id == *id) || sides.accepted(old) {
            continue;
        }
        out.extend(of_seen(sides, old));
    }
    let renewals = sequences::proposals(sides, &out);
    out.extend(renewals);
    out
}

fn confirmed(runs: usize) -> Confirmation {
    let runs = u32::try_from(runs).unwrap_or(u32::MAX);
    Confirmation::confirmed(runs, Vec::new())
}

/// A proposal for a broken oracle: its assertions that still hold, completed with the new answer.
fn of_seen(sides: &Sides<'_>, old: &Oracle) -> Option<Proposal> {
    let answers = sides.after.passes.of(&old.o_id);
    let (last, moment) = (answers.last()?, sides.after.moment.as_ref()?);
    let bodies: Vec<_> = answers.iter().map(|answer| Parsed::of(answer).into_value()).collect();
    let varies = unstable(&bodies, moment);
    let mut after = old.clone();
    let holds = |assertion: &Assertion| {
        answers.iter().all(|answer| judge(std::slice::from_ref(assertion), answer, &Captures::new()).is_empty())
    };
    after.assertions.retain(holds);
    if after.statuses().is_empty() {
        let check = Check::Status { expected: StatusSet::One(last.status) };
        after.assertions.insert(0, Assertion { check, source: Source::Observed });
    }
    let more = observed(&after, last, &varies, moment);
    after.assertions.extend(more);
    after.confirmation = confirmed(answers.len());
    after.confirmation.quarantined =
        varies.iter().map(mastor_probe::answers::unstable::Unstable::quarantined).collect();
    let context = sides.question.old.operations.get(&old.op_id).map(|suite| &suite.context)?;
    let evidence = old.evidence.iter().filter_map(|id| Some((id.clone(), context.evidence.get(id)?.clone()))).collect();
    Some(Proposal {
        kind: ProposalKind::Expectation,
        o_id: old.o_id.clone(),
        op_id: old.op_id.clone(),
        before: Some(old.clone()),
        after: Some(after),
        sequence: None,
        decision: None,
        evidence,
        reason: "the service now answers this request differently".to_owned(),
    })
}
