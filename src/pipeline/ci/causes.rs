//! Groups changes by cause: changes that follow from one edit of the code become one change, with its consequences
//! below it.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::pipeline::repository::comparison::{Comparison, subject};
use crate::pipeline::repository::edits::edit;
use mastor_derive::compare::paths::cause::{Cause, CauseFinder};
use mastor_types::OpId;
use mastor_types::manifest::{Changed, InputChange};
use mastor_types::results::change::Change;

/// A change with the names of its causes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExplainedChange {
    /// The change.
    pub change: Change,
    /// Names of its causes in the code: changes that share a name have the same cause.
    pub names: BTreeSet<String>,
    /// Whether the cause was found in the code.
    pub is_known: bool,
    /// Whether the condition that differs is evaluated outside of `member`, on a value that `member` returned.
    pub is_elsewhere: bool,
    /// The only edited member of the operation's code; `None` if there are several, or none.
    pub member: Option<String>,
}

/// The changes, one for each cause: the most important change comes first, the others are in its `also`. Changes
/// without a known cause form one group for each kind, and join the operation's only known cause if there is exactly
/// one. If an operation has only one edited member, that member is the cause, for other operations too.
pub fn grouped(all: Vec<ExplainedChange>) -> Vec<Change> {
    let mut groups: Vec<Vec<ExplainedChange>> = Vec::new();
    for told in all {
        let is_same = |group: &Vec<ExplainedChange>| group.iter().any(|other| !other.names.is_disjoint(&told.names));
        // A group stays where its first change is.
        let at = groups.iter().position(is_same).unwrap_or(groups.len());
        let mut group: Vec<ExplainedChange> = groups.extract_if(.., |group| is_same(group)).flatten().collect();
        group.push(told);
        groups.insert(at, group);
    }
    // A condition outside of the edited member belongs to the group of that member, if there is exactly one.
    let elsewhere = |group: &mut Vec<ExplainedChange>| group.iter().all(|told| told.is_elsewhere);
    for group in groups.extract_if(.., elsewhere).collect::<Vec<_>>() {
        let member = sole_member(&group).cloned();
        let home = only(&groups, |told| member.is_some() && told.member == member);
        match home.and_then(|at| groups.get_mut(at)) {
            Some(home) => home.extend(group),
            None => groups.push(group),
        }
    }
    let open = |group: &mut Vec<ExplainedChange>| group.iter().all(|told| !told.is_known);
    let unknown: Vec<Vec<ExplainedChange>> = groups.extract_if(.., open).collect();
    let mut left: Vec<Vec<ExplainedChange>> = Vec::new();
    for group in unknown {
        let of_operation =
            |told: &ExplainedChange| told.is_known && group.iter().any(|own| own.change.op_id == told.change.op_id);
        let member = sole_member(&group).cloned();
        let of_member = |told: &ExplainedChange| member.is_some() && told.member == member;
        let was_asked = group.iter().all(|told| told.change.witness.is_some() || told.change.s_id.is_some());
        let home = only(&groups, of_operation).or_else(|| only(&groups, of_member)).filter(|_| was_asked);
        match home.and_then(|at| groups.get_mut(at)) {
            Some(home) => home.extend(group),
            None => match only(&left, of_member).and_then(|at| left.get_mut(at)) {
                Some(alike) => alike.extend(group),
                None => left.push(group),
            },
        }
    }
    groups.extend(left);
    groups.into_iter().filter_map(lead).collect()
}

/// The index of the only group with a change that fits; `None` if there are several, or none.
fn only(groups: &[Vec<ExplainedChange>], is_so: impl Fn(&ExplainedChange) -> bool) -> Option<usize> {
    let mut fits = groups.iter().enumerate().filter(|(_, group)| group.iter().any(&is_so)).map(|(at, _)| at);
    let first = fits.next()?;
    fits.next().is_none().then_some(first)
}

/// The edited member that all changes of a group share.
fn sole_member(group: &[ExplainedChange]) -> Option<&String> {
    let member = group.first()?.member.as_ref()?;
    group.iter().all(|told| told.member.as_ref() == Some(member)).then_some(member)
}

/// The most important change of a group, with the others below it. Of equals the first stays first: what ordinary requests
/// meet is derived first.
fn lead(group: Vec<ExplainedChange>) -> Option<Change> {
    let mut all: Vec<Change> = group.into_iter().map(|told| told.change).collect();
    all.sort_by_cached_key(|change| {
        let unexplained = change.evidence_before.is_none() && change.evidence_after.is_none();
        let decided = change.accepted || !change.is_against();
        (
            decided,
            change.seldom,
            change.effect,
            unexplained,
            change.op_id.clone(),
            // A single request shows a change better than a sequence does.
            change.s_id.is_some() && change.witness.is_none(),
        )
    });
    let mut all = all.into_iter();
    let mut lead = all.next()?;
    lead.also.extend(all);
    Some(lead)
}

/// Finds the causes of each change, operation by operation, and fills in places of the code that a change lacks.
pub fn with_causes(comparison: &Comparison, changes: Vec<Change>) -> Vec<ExplainedChange> {
    let mut operations: BTreeMap<OpId, Vec<Change>> = BTreeMap::new();
    for change in changes {
        operations.entry(change.op_id.clone()).or_default().push(change);
    }
    if operations.is_empty() {
        return Vec::new();
    }
    let shared = comparison.shared();
    let of_each = operations.into_par_iter().map(|(op_id, changes)| {
        let was = comparison.plan.operations.iter().find(|planned| planned.op_id == op_id);
        let was = was.and_then(|planned| planned.was.clone()).unwrap_or_else(|| op_id.clone());
        let inputs = changed_inputs(comparison, &was, &op_id);
        let changed: BTreeSet<String> = inputs.iter().map(|change| change.input.clone()).collect();
        let sides = subject(&comparison.base, &shared.0, &was).zip(subject(&comparison.head, &shared.1, &op_id));
        // Members that are newly reached, or no longer reached, are consequences of an edited member.
        let edited = inputs.iter().filter(|change| change.change == Changed::Changed && is_member(&change.input));
        let edited: Vec<&String> = edited.map(|change| &change.input).collect();
        let member = if let [member] = edited[..] { Some(member) } else { None };
        let sole = member.map(String::as_str);
        let is_asked = changes.iter().any(|change| change.witness.is_some());
        let sides = sides.as_ref().filter(|_| is_asked);
        let parting = sides.map(|(base, head)| CauseFinder::new(base, head, &changed, sole));
        let places = member.map(|member| (comparison.base.member_place(member), comparison.head.member_place(member)));
        let one = |change: Change| {
            let request = change.witness.as_ref().map(|witness| &witness.input);
            let cause = request.zip(parting.as_ref()).map(|(request, parting)| parting.cause(request));
            let mut told = one_told(change, cause.unwrap_or_default());
            let of_code = &mut told.change;
            if let (None, None, Some(places)) = (&of_code.evidence_before, &of_code.evidence_after, &places) {
                (of_code.evidence_before, of_code.evidence_after) = places.clone();
            }
            told.change.edit = edit(comparison, &inputs, &told.change);
            ExplainedChange { member: member.cloned(), ..told }
        };
        changes.into_iter().map(one).collect::<Vec<_>>()
    });
    of_each.collect::<Vec<_>>().into_iter().flatten().collect()
}

fn one_told(mut change: Change, cause: Cause) -> ExplainedChange {
    let (mut names, is_elsewhere) = (cause.names, cause.is_elsewhere);
    if change.evidence_before.is_none() && change.evidence_after.is_none() {
        (change.evidence_before, change.evidence_after) = (cause.before, cause.after);
    }
    // A change without a request of its own is named by its place in the code.
    if names.is_empty() && change.witness.is_none() && change.s_id.is_none() {
        let places = (&change.evidence_before, &change.evidence_after);
        if places != (&None, &None) {
            names.insert(format!("{} {places:?}", change.what));
        }
    }
    let is_known = !names.is_empty();
    if !is_known {
        names.insert(kind(&change));
        // The answer to a request and the reads after it belong to one change.
        let request = change.witness.as_ref().and_then(|witness| serde_json::to_string(&witness.input).ok());
        names.extend(request.map(|request| format!("{} asked {request}", change.op_id)));
    }
    ExplainedChange { change, names, is_known, is_elsewhere, member: None }
}

/// The group of a change without a known cause: the operation, both statuses, and the places where the answers differ,
/// whatever the values are.
fn kind(change: &Change) -> String {
    let status = |text: &str| text.split_whitespace().next().unwrap_or_default().to_owned();
    let statuses = change.witness.as_ref().map(|witness| (status(&witness.before), status(&witness.after)));
    let place = |part: &str| match part.split_once(": ") {
        Some((place, rest)) if rest.contains(" → ") => place.to_owned(),
        _ => part.to_owned(),
    };
    let places: Vec<String> = change.what.split("; ").map(place).collect();
    format!("{} {statuses:?} {places:?}", change.op_id)
}

/// Whether an input of a manifest is a member of the code, and not a global input or a part of the document.
fn is_member(input: &str) -> bool {
    input.contains('#') && !input.starts_with("global:") && !input.starts_with("openapi:")
}

/// The inputs that differ between the base's and the head's manifest of an operation.
pub fn changed_inputs(comparison: &Comparison, was: &OpId, op_id: &OpId) -> Vec<InputChange> {
    let manifests = comparison.head.manifest(op_id).zip(comparison.base.manifest(was));
    manifests.map(|(new, old)| new.diff(old)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mastor_types::results::change::{ChangeEffect, ChangeKind};

    #[test]
    fn groups_stay_where_their_first_change_is_and_lead_with_it() {
        let of = |op_id: &str, what: &str, name: &str| ExplainedChange {
            change: Change::new(
                &OpId::parse(op_id).unwrap(),
                ChangeKind::Derived,
                ChangeEffect::Breaking,
                what.to_owned(),
            ),
            names: BTreeSet::from([name.to_owned()]),
            is_known: true,
            is_elsewhere: false,
            member: None,
        };
        let all = vec![
            of("POST /cats", "answers 404 where it answered 200", "a"),
            of("POST /cats", "answers 200 where it answered 404", "b"),
            of("POST /cats", "answers 400 where it answered 200", "a"),
        ];
        let told: Vec<Vec<String>> = grouped(all)
            .into_iter()
            .map(|lead| std::iter::once(&lead).chain(&lead.also).map(|one| one.what.clone()).collect())
            .collect();
        let expected = [
            vec!["answers 404 where it answered 200", "answers 400 where it answered 200"],
            vec!["answers 200 where it answered 404"],
        ];
        assert_eq!(told, expected);
    }
}
