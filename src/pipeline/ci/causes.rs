//! Changes by cause: what follows from one change in the code is one change, with its consequences below it.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::derive::compare::cause::{Cause, Parting};
use crate::pipeline::repository::comparison::{Comparison, subject};
use crate::pipeline::repository::edits::edit;
use crate::types::OpId;
use crate::types::change::Change;
use crate::types::manifest::{Changed, InputChange};

/// A difference with the names of what it rests on.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Told {
    /// The difference.
    pub change: Change,
    /// Names of what it rests on: differences that share one have the same cause.
    pub names: BTreeSet<String>,
    /// Whether the code says what it rests on.
    pub is_known: bool,
    /// Whether what goes otherwise is asked elsewhere than in `member`, of what that member gave.
    pub is_elsewhere: bool,
    /// The one member of the operation's code that says something else; none where there are several, or none.
    pub member: Option<String>,
}

/// The changes, one for each cause: the most important difference first, the others in its `also`. Where the code does not say why an operation
/// answers differently, differences of one kind are one, and belong to the operation's only known cause where it has just one.
/// Where the operation differs by one member only, that member is the cause, of other operations too.
pub fn grouped(all: Vec<Told>) -> Vec<Change> {
    let mut groups: Vec<Vec<Told>> = Vec::new();
    for told in all {
        let same = |group: &mut Vec<Told>| group.iter().any(|other| !other.names.is_disjoint(&told.names));
        let mut group: Vec<Told> = groups.extract_if(.., same).flatten().collect();
        group.push(told);
        groups.push(group);
    }
    // What is asked elsewhere of an edited member belongs to what is asked in it, where that is one thing.
    let elsewhere = |group: &mut Vec<Told>| group.iter().all(|told| told.is_elsewhere);
    for group in groups.extract_if(.., elsewhere).collect::<Vec<_>>() {
        let member = sole_member(&group).cloned();
        let home = only(&groups, |told| member.is_some() && told.member == member);
        match home.and_then(|at| groups.get_mut(at)) {
            Some(home) => home.extend(group),
            None => groups.push(group),
        }
    }
    let open = |group: &mut Vec<Told>| group.iter().all(|told| !told.is_known);
    let unknown: Vec<Vec<Told>> = groups.extract_if(.., open).collect();
    let mut left: Vec<Vec<Told>> = Vec::new();
    for group in unknown {
        let of_operation = |told: &Told| told.is_known && group.iter().any(|own| own.change.op_id == told.change.op_id);
        let member = sole_member(&group).cloned();
        let of_member = |told: &Told| member.is_some() && told.member == member;
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

/// The place of the only group in which something is so.
fn only(groups: &[Vec<Told>], is_so: impl Fn(&Told) -> bool) -> Option<usize> {
    let mut fits = groups.iter().enumerate().filter(|(_, group)| group.iter().any(&is_so)).map(|(at, _)| at);
    let first = fits.next()?;
    fits.next().is_none().then_some(first)
}

/// The member that all of a group rest on.
fn sole_member(group: &[Told]) -> Option<&String> {
    let member = group.first()?.member.as_ref()?;
    group.iter().all(|told| told.member.as_ref() == Some(member)).then_some(member)
}

/// The most important of the differences, with the others below it.
fn lead(group: Vec<Told>) -> Option<Change> {
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
            // One request says it better than several.
            change.s_id.is_some() && change.witness.is_none(),
            change.what.clone(),
            change.id.clone(),
        )
    });
    let mut all = all.into_iter();
    let mut lead = all.next()?;
    lead.also.extend(all);
    Some(lead)
}

/// Each change with what it rests on, by operation; places of the code that it lacks are filled in.
pub fn told(comparison: &Comparison, changes: Vec<Change>) -> Vec<Told> {
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
        // What is reached anew, or no more, follows from a member that says something else.
        let edited = inputs.iter().filter(|change| change.change == Changed::Changed && is_member(&change.input));
        let edited: Vec<&String> = edited.map(|change| &change.input).collect();
        let member = if let [member] = edited[..] { Some(member) } else { None };
        let sole = member.map(String::as_str);
        let is_asked = changes.iter().any(|change| change.witness.is_some());
        let sides = sides.as_ref().filter(|_| is_asked);
        let parting = sides.map(|(base, head)| Parting::new(base, head, &changed, sole));
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
            Told { member: member.cloned(), ..told }
        };
        changes.into_iter().map(one).collect::<Vec<_>>()
    });
    of_each.collect::<Vec<_>>().into_iter().flatten().collect()
}

fn one_told(mut change: Change, cause: Cause) -> Told {
    let (mut names, is_elsewhere) = (cause.names, cause.is_elsewhere);
    if change.evidence_before.is_none() && change.evidence_after.is_none() {
        (change.evidence_before, change.evidence_after) = (cause.before, cause.after);
    }
    // What several requests show follows from what the operation does otherwise, where that is one thing.
    if names.is_empty() && change.witness.is_none() && change.s_id.is_none() {
        let places = (&change.evidence_before, &change.evidence_after);
        if places != (&None, &None) {
            names.insert(format!("{} {places:?}", change.what));
        }
    }
    let is_known = !names.is_empty();
    if !is_known {
        names.insert(kind(&change));
        // What a request answers and what is read after it are one.
        let request = change.witness.as_ref().and_then(|witness| serde_json::to_string(&witness.input).ok());
        names.extend(request.map(|request| format!("{} asked {request}", change.op_id)));
    }
    Told { change, names, is_known, is_elsewhere, member: None }
}

/// What differences of one operation share where nothing else tells: the statuses, and where the answers differ, whatever the values are.
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

/// Whether an input of a manifest is a member of the code, and not a part of a document or what all share.
fn is_member(input: &str) -> bool {
    input.contains('#') && !input.starts_with("global:") && !input.starts_with("openapi:")
}

/// What differs between the two manifests of an operation.
pub fn changed_inputs(comparison: &Comparison, was: &OpId, op_id: &OpId) -> Vec<InputChange> {
    let manifests = comparison.head.manifest(op_id).zip(comparison.base.manifest(was));
    manifests.map(|(new, old)| new.diff(old)).unwrap_or_default()
}
