//! Results of slices: the verdict of each oracle, counts, and what base and head answer differently to the same request
//! with the same stubs.

use std::collections::BTreeMap;

use super::jobs::{INCONCLUSIVE, answers, header, judged, told};
use super::observed::events;
use super::side::Ran;
use mastor_probe::answers::differ::{Difference, differ};
use mastor_probe::answers::judge::shorten;
use mastor_probe::answers::unstable::Moment;
use mastor_types::results::change::ChangeEffect;
use mastor_types::results::outcome::{Answer, RunVerdict};
use mastor_types::results::slices::{NotMade, SliceFields, Sliced};
use mastor_types::suite::events::Event;
use mastor_types::suite::oracle::Oracle;

/// The differences between the answers of two revisions to one oracle.
pub(super) struct Differing<'o> {
    pub(super) oracle: &'o Oracle,
    /// Where the answers differ.
    pub(super) differences: Vec<Difference>,
    /// The base's answer.
    pub(super) before: Answer,
    /// The head's answer.
    pub(super) after: Answer,
}

/// Compares the answers of base and head to each oracle, and gives those that differ. Oracles with an inconclusive
/// answer on either side are left out.
pub(super) fn differing<'o>(oracles: &[&'o Oracle], before: &Ran, after: &Ran) -> Vec<Differing<'o>> {
    let moment = |ran: &Ran| Moment::now(&ran.base_url);
    let (was_at, is_at) = (moment(before), moment(after));
    let mut found = Vec::new();
    for ((oracle, was), is) in oracles.iter().zip(&before.outcomes).zip(&after.outcomes) {
        let (Ok(was), Ok(is)) = (was, is) else { continue };
        let (was, is) = (answers(was), answers(is));
        let says_nothing = |answer: &Answer| header(answer, INCONCLUSIVE).is_some();
        if was.iter().chain(&is).any(says_nothing) {
            continue;
        }
        let mut differences = differ(&was, &is, &was_at, &is_at);
        // A different status explains different calls.
        if differences.iter().all(|one| one.place != "status") {
            differences.extend(other_calls(&events(&was), &events(&is)));
        }
        if let (false, Some(before), Some(after)) = (differences.is_empty(), was.first(), is.first()) {
            found.push(Differing { oracle, differences, before: before.clone(), after: after.clone() });
        }
    }
    found
}

/// The recorded outside calls that only one revision makes, or that both make with different arguments.
fn other_calls(was: &[Event], is: &[Event]) -> Vec<Difference> {
    let one = |event: &Event, place: &str, before: Option<String>, after: Option<String>| Difference {
        place: format!("call of {}{place}", event.name()),
        before: before.map(|text| shorten(&text)),
        after: after.map(|text| shorten(&text)),
        effect: ChangeEffect::Unclear,
    };
    let handed = |event: &Event| Some(format!("({})", event.handed()));
    let mut found = Vec::new();
    let mut open: Vec<&Event> = is.iter().collect();
    for event in was {
        match open.iter().position(|other| other.call == event.call) {
            None => found.push(one(event, "", handed(event), None)),
            Some(at) => found.extend(event.first_difference(open.remove(at)).map(|(place, was, is)| {
                let place = place.map_or_else(String::new, |place| format!(", {place}"));
                one(event, &place, Some(was), Some(is))
            })),
        }
    }
    found.extend(open.into_iter().map(|event| one(event, "", None, handed(event))));
    found
}

/// The verdict of each oracle, in order.
pub(super) fn verdicts(ran: &Ran, oracles: &[&Oracle]) -> Vec<Sliced> {
    let each = oracles.iter().zip(&ran.outcomes).map(|(oracle, outcomes)| match outcomes {
        Err(why) => told(oracle, RunVerdict::Skipped, Some((*why).to_owned()), None),
        Ok(outcomes) => match outcomes.first() {
            Some(outcome) => judged(oracle, outcome),
            None => told(oracle, RunVerdict::Skipped, None, None),
        },
    });
    each.collect()
}

/// Why oracles proved nothing, with the number of each reason, the most frequent first.
pub(super) fn not_made(slices: &[Sliced]) -> Vec<NotMade> {
    let mut why: BTreeMap<&str, usize> = BTreeMap::new();
    for one in slices.iter().filter(|one| matches!(one.verdict, RunVerdict::Skipped | RunVerdict::Inconclusive)) {
        *why.entry(one.reason.as_deref().unwrap_or_default()).or_default() += 1;
    }
    let mut all: Vec<NotMade> =
        why.into_iter().map(|(why, oracles)| NotMade { why: why.to_owned(), oracles }).collect();
    all.sort_by(|a, b| b.oracles.cmp(&a.oracles).then_with(|| a.why.cmp(&b.why)));
    all
}

/// Whether an oracle expects only successful statuses (200 to 399).
pub(super) fn is_success(oracle: &Oracle) -> bool {
    let statuses = oracle.statuses();
    !statuses.is_empty() && statuses.iter().all(|status| (200..400).contains(status))
}

/// The verdicts of all oracles, with the counts.
pub(super) fn counted(ran: &Ran, oracles: &[&Oracle]) -> SliceFields {
    let slices = verdicts(ran, oracles);
    let not_made = not_made(&slices);
    let count = |verdict: RunVerdict| slices.iter().filter(|one| one.verdict == verdict).count();
    let counts = RunVerdict::ALL.iter().map(|verdict| (verdict.as_str().to_owned(), count(*verdict))).collect();
    let held = slices.iter().zip(oracles).filter(|(one, _)| one.verdict == RunVerdict::Held);
    let mut operations: Vec<_> =
        held.filter(|(_, oracle)| is_success(oracle)).map(|(one, _)| one.op_id.clone()).collect();
    operations.sort();
    operations.dedup();
    SliceFields { slices, counts, operations, not_made, seconds: Some(ran.seconds), ..SliceFields::default() }
}
