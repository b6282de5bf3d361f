//! Changes of what was seen: answers of base and head compared, joined with what was derived, and what would be accepted.

use std::collections::BTreeMap;

use super::confirm::{Claimed, Claims};
use super::question::Question;
use crate::probe::differ::{Difference, differ};
use crate::probe::field_path::{Lies, lies};
use crate::probe::judge::{Captures, Parsed, judge};
use crate::probe::observe::observed;
use crate::probe::passes::Passes;
use crate::probe::unstable::{Moment, unstable};
use crate::publish::words;
use crate::suite::Suite;
use crate::suite::proposal::{Proposal, ProposalKind};
use crate::types::change::{Change, ChangeEffect, ChangeKind, Witness, is_wording};
use crate::types::oracle::{Assertion, Check, Confirmation, Confirmed, Oracle, Source, StatusSet};
use crate::types::outcome::{Answer, Expected, Miss, Outcome, RunVerdict};

/// Both sides.
pub struct Sides<'a> {
    /// What was asked about.
    pub question: &'a Question<'a>,
    /// What was asked.
    pub claims: &'a Claims,
    /// The base's suite on the head, by id.
    pub outcomes: &'a BTreeMap<&'a str, &'a Outcome>,
    /// What the base answered.
    pub before: Option<&'a (Passes, Moment)>,
    /// What the head answered.
    pub after: &'a Claimed,
}

impl Sides<'_> {
    fn asked(&self) -> BTreeMap<&str, &Oracle> {
        let mut asked: BTreeMap<&str, &Oracle> = BTreeMap::new();
        let probes = self.claims.probes.iter().map(|probe| &probe.oracle);
        for oracle in self.claims.asked.iter().chain(&self.claims.oracles).chain(probes) {
            asked.entry(&oracle.o_id).or_insert(oracle);
        }
        asked
    }

    fn differences(&self, op_id: &crate::types::OpId, id: &str) -> Option<Vec<Difference>> {
        let (before, base_moment) = self.before?;
        let (base, head) = (before.of(id), self.after.passes.of(id));
        let head_moment = self.after.moment.as_ref()?;
        let mut found = (!base.is_empty() && !head.is_empty()).then(|| differ(base, head, base_moment, head_moment))?;
        let today = crate::config::Day::today();
        let ignore = self.question.ignore.iter().filter(|entry| entry.counts(today) && entry.names(op_id));
        for field in ignore.filter_map(|entry| entry.field.as_deref()) {
            found.retain(|difference| !matches!(lies(&difference.place, field), Lies::At | Lies::Below));
        }
        Some(found)
    }

    fn broken(&self, id: &str) -> Option<&Outcome> {
        self.outcomes.get(id).copied().filter(|outcome| outcome.verdict == RunVerdict::Broken)
    }

    fn committed(&self, id: &str) -> Option<&Oracle> {
        self.question.old.operations.values().flat_map(|suite| &suite.oracles).find(|oracle| oracle.o_id == id)
    }

    /// Whether the head's own suite has taken a sequence out, or says something else there.
    fn sequence_accepted(&self, id: &str) -> bool {
        let steps = |suite: &'_ Suite| suite.find_sequence(id).first().map(|found| found.steps.clone());
        steps(self.question.new) != steps(self.question.old)
    }

    /// Whether the head's own suite says what is seen: the oracle is gone there, or says something else that holds.
    fn accepted(&self, old: &Oracle) -> bool {
        let now = self.question.new.operations.values().flat_map(|suite| &suite.oracles).find(|o| o.o_id == old.o_id);
        let Some(now) = now else { return true };
        let answers = self.after.passes.of(&old.o_id);
        now.assertions != old.assertions
            && !answers.is_empty()
            && answers.iter().all(|answer| judge(&now.assertions, answer, &Captures::new()).is_empty())
    }
}

/// The changes that were seen, and those derived ones that nothing seen speaks for or against. What was derived and is not so is noted.
pub fn changes(sides: &Sides<'_>, notes: &mut Vec<String>) -> Vec<Change> {
    let mut derived = sides.question.derived.clone();
    let mut out: Vec<Change> = Vec::new();
    for (id, oracle) in sides.asked() {
        let differences = sides.differences(&oracle.op_id, id);
        let broken = sides.broken(id);
        let alike = differences.as_ref().is_some_and(Vec::is_empty) && broken.is_none();
        if alike {
            let gone = |change: &Change| {
                change.op_id == oracle.op_id && change.witness.as_ref().is_some_and(|w| w.input == oracle.input)
            };
            for change in derived.extract_if(.., |change| gone(change)) {
                notes.push(format!("derived, and not so on the service: {} {}", change.op_id, change.what));
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
        out.push(change);
    }
    for (id, outcome) in sides.outcomes {
        if outcome.verdict == RunVerdict::Broken && !sides.asked().contains_key(id) {
            let Some(oracle) = sides.committed(id) else {
                out.extend(of_sequence(sides, outcome));
                continue;
            };
            out.push(of_outcome(sides, oracle, outcome));
        }
        if outcome.verdict == RunVerdict::Held {
            for change in derived.extract_if(.., |change| change.o_id.as_deref() == Some(*id)) {
                notes.push(format!("derived, and not so on the service: {} {}", change.op_id, change.what));
            }
        }
    }
    out.iter_mut().for_each(|change| join(change, &mut derived));
    explain(&mut out, &mut derived);
    out.extend(derived);
    out
}

/// A change that was seen and is not derived is explained by the one thing that was derived of its operation without a request to show it.
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

/// Takes from what was derived what explains a change that was seen: the same request.
fn join(change: &mut Change, derived: &mut Vec<Change>) {
    let same_input = |d: &Change| {
        d.op_id == change.op_id && d.witness.as_ref().map(|w| &w.input) == change.witness.as_ref().map(|w| &w.input)
    };
    if let Some(place) = derived.iter().position(same_input) {
        let of_code = derived.remove(place);
        change.what = of_code.what;
        change.evidence_before = of_code.evidence_before;
        change.evidence_after = of_code.evidence_after;
    }
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
    let what = differences.iter().map(one).collect::<Vec<_>>().join("; ");
    let effect = differences.iter().map(|difference| difference.effect).min().unwrap_or(ChangeEffect::Unclear);
    let committed = broken.and_then(|_| sides.committed(id));
    Change {
        id: Change::identity(&oracle.op_id, ChangeKind::Seen, &format!("{id} {what}")),
        o_id: committed.map(|oracle| oracle.o_id.clone()),
        s_id: None,
        op_id: oracle.op_id.clone(),
        kind: ChangeKind::Seen,
        effect,
        what,
        witness: Some(Witness { input: oracle.input.clone(), before: before.clone(), after: after.clone() }),
        before: differences.first().and_then(|d| d.before.clone()),
        after: differences.first().and_then(|d| d.after.clone()),
        evidence_before: None,
        evidence_after: None,
        accepted: committed.is_some_and(|oracle| sides.accepted(oracle)),
        also: Vec::new(),
    }
}

fn of_outcome(sides: &Sides<'_>, oracle: &Oracle, outcome: &Outcome) -> Change {
    let (expected, seen) = missed(outcome);
    let what = format!("{}: expected {expected}, now {seen}", oracle.description.trim_end_matches('.'));
    Change {
        id: Change::identity(&oracle.op_id, ChangeKind::Seen, &format!("{} {what}", oracle.o_id)),
        o_id: Some(oracle.o_id.clone()),
        s_id: None,
        op_id: oracle.op_id.clone(),
        kind: ChangeKind::Seen,
        effect: effect_of_misses(outcome, oracle),
        what,
        witness: Some(Witness { input: oracle.input.clone(), before: expected.clone(), after: seen.clone() }),
        before: Some(expected),
        after: Some(seen),
        evidence_before: None,
        evidence_after: None,
        accepted: sides.accepted(oracle),
        also: Vec::new(),
    }
}

/// What it does to clients that an oracle breaks: where the status is another one, that decides, since the fields are those of another answer.
fn effect_of_misses(outcome: &Outcome, oracle: &Oracle) -> ChangeEffect {
    let is_status = |miss: &&Miss| matches!(&miss.expected, Expected::Assertion { check: Check::Status { .. }, .. });
    let status = outcome.misses.iter().find(is_status).map(|miss| effect_of(miss, oracle));
    let fields = || outcome.misses.iter().map(|miss| effect_of(miss, oracle)).min();
    status.or_else(fields).unwrap_or(ChangeEffect::Breaking)
}

/// What it does to clients that this expectation of an oracle is not met any more.
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

/// A sequence that breaks; none without a step.
fn of_sequence(sides: &Sides<'_>, outcome: &Outcome) -> Option<Change> {
    let step = outcome.misses.first().map_or(0, |miss| miss.step);
    let op_id = outcome.op_ids.get(step).or_else(|| outcome.op_ids.first())?.clone();
    let (expected, seen) = missed(outcome);
    let what = format!("{} breaks at step {}: expected {expected}, now {seen}", outcome.test_id, step + 1);
    Some(Change {
        id: Change::identity(&op_id, ChangeKind::Seen, &format!("{} {what}", outcome.id)),
        o_id: None,
        s_id: Some(outcome.id.clone()),
        op_id,
        kind: ChangeKind::Seen,
        effect: ChangeEffect::Breaking,
        what,
        witness: None,
        before: Some(expected),
        after: Some(seen),
        evidence_before: None,
        evidence_after: None,
        accepted: sides.sequence_accepted(&outcome.id),
        also: Vec::new(),
    })
}

fn missed(outcome: &Outcome) -> (String, String) {
    let Some(miss) = outcome.misses.first() else { return (String::new(), String::new()) };
    let expected = match &miss.expected {
        Expected::Assertion { check, .. } => words::check(check),
        Expected::Capture { name, .. } => format!("a value for {name}"),
        Expected::Answer => "an answer".to_owned(),
    };
    (expected, miss.seen.clone())
}

/// An answer in a few words: `404`, `200 {"ok":true}`.
fn brief(answer: &Answer) -> String {
    match Parsed::of(answer).into_value() {
        Some(body) => format!("{} {}", answer.status, crate::probe::differ::shown(&body)),
        None => answer.status.to_string(),
    }
}

/// The proposals of a run: the derived ones that the service bears out, and for each committed oracle that broke, what was seen instead.
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
    out
}

fn confirmed(runs: usize) -> Confirmation {
    Confirmation { state: Confirmed::Confirmed, runs: u32::try_from(runs).unwrap_or(u32::MAX), quarantined: Vec::new() }
}

/// The oracle as it would be after what was seen: what still holds, completed by the answer.
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
    after.confirmation.quarantined = varies.iter().map(crate::probe::unstable::Unstable::quarantined).collect();
    let context = sides.question.old.operations.get(&old.op_id).map(|suite| &suite.context)?;
    let evidence = old.evidence.iter().filter_map(|id| Some((id.clone(), context.evidence.get(id)?.clone()))).collect();
    Some(Proposal {
        kind: ProposalKind::Expectation,
        o_id: old.o_id.clone(),
        op_id: old.op_id.clone(),
        before: Some(old.clone()),
        after: Some(after),
        evidence,
        reason: "the service now answers this request differently".to_owned(),
    })
}
