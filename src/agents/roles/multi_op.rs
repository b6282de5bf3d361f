//! `MultiOpOracleAgent`: makes sequences with captures and binds from an association and its operations' contexts;
//! regenerates sequences with hints.

use std::collections::BTreeMap;

use super::single_op::WITHDRAWN;
use crate::brief::Bundle;
use crate::desk::{AgentError, Desk, Question, subject};
use crate::prompts::{self, Seen};
use crate::reading::read_oracles::Maker;
use crate::reading::read_sequences::{Association, Scene, sequence};
use crate::reading::replies::{Hint, ProposedSequence, Sequences};
use mastor_types::OpId;
use mastor_types::model::Role;
use mastor_types::suite::evidence::Evidence;
use mastor_types::suite::oracle::{Challenger, Effect};
use mastor_types::suite::sequence::Sequence;
use mastor_types::suite::source_context::SourceContext;

/// Name of the agent.
pub const NAME: &str = "MultiOpOracleAgent";

/// Contexts and effects of operations.
pub type Known = BTreeMap<OpId, (SourceContext, Effect)>;

/// Generates the sequences of a group and writes them to the blackboard.
///
/// # Errors
/// Where the model gives no valid reply.
pub async fn run(desk: &Desk<'_>, group: &Association) -> Result<(), AgentError> {
    let known = desk.contexts();
    let user = prompts::composition(group, &seen(desk, group, &known), desk.users())?;
    let name = subject(group);
    let question = Question::new(NAME, &name, "sequences", user).without(&["withdrawn", "replaces"]);
    let (reply, answer) = desk.ask::<Sequences>(question).await?;
    let maker = Maker { model: &answer.model, challenger: Challenger::Skipped };
    let (made, dropped) = read(desk, group, &known, &reply.sequences, &maker);
    desk.store.write(&name, |record| {
        record.sequences = unique(made);
        record.dropped.extend(dropped);
    });
    Ok(())
}

/// Regenerates the sequences that have hints; the others stay unchanged.
///
/// # Errors
/// Where the model gives no valid reply; then all sequences stay.
pub async fn again(desk: &Desk<'_>, group: &Association, hints: &[Hint]) -> Result<(), AgentError> {
    let known = desk.contexts();
    let name = subject(group);
    let there = desk.store.read(&name).sequences;
    let is_flagged = |one: &Sequence| hints.iter().any(|hint| hint.test_id.as_deref() == Some(one.test_id.as_str()));
    let (flagged, others): (Vec<&Sequence>, Vec<&Sequence>) = there.iter().partition(|one| is_flagged(one));
    let user = prompts::group_again(group, &seen(desk, group, &known), (&flagged, &others), hints)?;
    let question = Question::new(NAME, &name, "sequences", user);
    let (reply, answer) = desk.ask::<Sequences>(question).await?;
    let maker = Maker { model: &answer.model, challenger: Challenger::Hinted };
    let may = |one: &&ProposedSequence| {
        one.replaces.as_deref().is_none_or(|name| flagged.iter().any(|sequence| sequence.test_id == name))
    };
    let proposed: Vec<ProposedSequence> = reply.sequences.iter().filter(may).cloned().collect();
    let (made, mut dropped) = read(desk, group, &known, &proposed, &maker);
    let arrived =
        |one: &&ProposedSequence| dropped.iter().all(|(name, _)| *name != crate::reading::text::line(&one.test_id));
    let replaced: Vec<&str> = proposed.iter().filter(arrived).filter_map(|one| one.replaces.as_deref()).collect();
    let withdrawn = |one: &Sequence| reply.withdrawn.contains(&one.test_id) && is_flagged(one);
    dropped.extend(there.iter().filter(|one| withdrawn(one)).map(|one| (one.test_id.clone(), WITHDRAWN.to_owned())));
    let leaves = |one: &Sequence| replaced.contains(&one.test_id.as_str()) || withdrawn(one);
    let mut all: Vec<Sequence> = there.iter().filter(|one| !leaves(one)).cloned().collect();
    for one in all.iter_mut().filter(|one| is_flagged(one)) {
        one.origin.challenger = Challenger::Hinted;
    }
    all.extend(made);
    desk.store.write(&name, |record| {
        record.sequences = unique(all);
        record.dropped.extend(dropped);
    });
    Ok(())
}

/// What is known of a group's operations, without repetition, in the order of its steps: contexts, and of those of this
/// run the lines that decide, with seeds, as far as half of the model's room goes.
pub fn seen<'k>(desk: &'k Desk<'_>, group: &Association, known: &'k Known) -> Seen<'k> {
    let mut unique = std::collections::BTreeSet::new();
    let operations: Vec<&OpId> = group.operations.iter().filter(|op_id| unique.insert(*op_id)).collect();
    let of = |op_id: &&OpId| desk.briefs.iter().find(|brief| brief.op_id == **op_id).map(|brief| &brief.bundle);
    let bundles: Vec<&Bundle> = operations.iter().filter_map(of).collect();
    let room = usize::try_from(desk.models.room(Role::Primary)).unwrap_or(usize::MAX) / 2;
    Seen {
        contexts: operations.iter().filter_map(|op_id| known.get(*op_id)).map(|(context, _)| context).collect(),
        bundle: Bundle::deciding(&bundles, room),
        known: desk.sequences.iter().filter(|sequence| is_within(sequence, group)).collect(),
    }
}

/// Whether all steps of a sequence are operations of a group.
fn is_within(sequence: &Sequence, group: &Association) -> bool {
    sequence.steps.iter().all(|step| group.operations.contains(&step.op_id))
}

/// Sorts the sequences and removes those with the same id.
fn unique(mut sequences: Vec<Sequence>) -> Vec<Sequence> {
    sequences.sort_by(|a, b| (&a.test_id, &a.s_id).cmp(&(&b.test_id, &b.s_id)));
    let mut ids = std::collections::BTreeSet::new();
    sequences.retain(|one| ids.insert(one.s_id.clone()));
    sequences
}

fn read(
    desk: &Desk<'_>,
    group: &Association,
    known: &Known,
    proposed: &[ProposedSequence],
    maker: &Maker<'_>,
) -> (Vec<Sequence>, Vec<(String, String)>) {
    let of_group = || group.operations.iter().filter_map(|op_id| known.get_key_value(op_id));
    let scene = Scene {
        group,
        contexts: of_group().map(|(op_id, (context, _))| (op_id, context)).collect(),
        effects: of_group().map(|(op_id, (_, effect))| (op_id, *effect)).collect(),
        users: desk.users(),
    };
    let (mut made, mut dropped) = (Vec::new(), Vec::new());
    for one in proposed {
        match sequence(&scene, one, maker) {
            Ok((sequence, _)) => made.push(sequence),
            Err(why) => dropped.push((crate::reading::text::line(&one.test_id), why.to_owned())),
        }
    }
    (made, dropped)
}

/// The citations of a sequence, looked up in the contexts of its operations.
pub fn cited(sequence: &Sequence, known: &Known) -> Vec<Evidence> {
    let table = |op_id: &OpId| known.get(op_id).map(|(context, _)| &context.evidence);
    let find = |id| sequence.steps.iter().filter_map(|step| table(&step.op_id)).find_map(|table| table.get(id));
    sequence.evidence.iter().filter_map(find).cloned().collect()
}
