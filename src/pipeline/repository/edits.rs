//! Finds the edit that caused a change in behaviour, and its lines that differ.

use crate::pipeline::repository::comparison::Comparison;
use mastor_extract::manifests::analysis::Analysis;
use mastor_types::manifest::{Changed, InputChange};
use mastor_types::results::change::{Change, Edit, Place};

/// The edit that caused a change: the input in which the change shows, else the only edited member, else the input that the plan names first. `inputs` are
/// those that differ between the operation's manifests.
pub(in crate::pipeline) fn edit(comparison: &Comparison, inputs: &[InputChange], change: &Change) -> Option<Edit> {
    let evidence = [&change.evidence_after, &change.evidence_before];
    let shows = |input: &&InputChange| evidence.into_iter().flatten().any(|place| place.symbol == input.input);
    let edited =
        || inputs.iter().filter(|input| input.change == Changed::Changed && is_member(comparison, &input.input));
    let sole = || edited().next().filter(|_| edited().count() == 1);
    let input = inputs.iter().find(shows).or_else(sole);
    let input = input.or_else(|| named_first(comparison, inputs, change))?;
    Some(Edit { input: shown(comparison, &input.input), change: input.change, place: first_line(comparison, input) })
}

fn is_member(comparison: &Comparison, input: &str) -> bool {
    [&comparison.head, &comparison.base].iter().any(|side| side.surface.project.by_symbol(input).is_some())
}

/// The input that the plan names first as the reason.
fn named_first<'i>(comparison: &Comparison, inputs: &'i [InputChange], change: &Change) -> Option<&'i InputChange> {
    let planned = comparison.plan.operations.iter().find(|planned| planned.op_id == change.op_id)?;
    let first = planned.because.first()?;
    inputs.iter().find(|input| shown(comparison, &input.input) == first.input)
}

/// An input as the plan shows it.
fn shown(comparison: &Comparison, input: &str) -> String {
    comparison.head.place(input).or_else(|| comparison.base.place(input)).unwrap_or_else(|| input.to_owned())
}

/// The lines of a member that differ between the revisions; the whole member if only one revision has it.
fn first_line(comparison: &Comparison, input: &InputChange) -> Option<Place> {
    let (head, base) = (comparison.head.member_place(&input.input), comparison.base.member_place(&input.input));
    let (Some(head), Some(base)) = (&head, &base) else { return head.or(base) };
    let (new, old) = (lines(&comparison.head, head)?, lines(&comparison.base, base)?);
    let same = |(new, old): &(&String, &String)| new.trim() == old.trim();
    let before = new.iter().zip(&old).take_while(same).count();
    let after = new.iter().rev().zip(old.iter().rev()).take_while(same).count();
    let last = new.len().saturating_sub(1);
    let from = before.min(last);
    let to = new.len().saturating_sub(after + 1).clamp(from, last);
    let line = |at: usize| head.line + u32::try_from(at).unwrap_or(0);
    Some(Place { line: line(from), end_line: line(to), ..head.clone() })
}

fn lines(side: &Analysis, place: &Place) -> Option<Vec<String>> {
    let text = side.surface.tree.text(&place.file).ok()?.text;
    let (skip, take) = (place.line.saturating_sub(1), place.end_line.saturating_sub(place.line) + 1);
    Some(text.lines().skip(skip as usize).take(take as usize).map(str::to_owned).collect())
}
