//! `MultiOpChallengerAgent`: reviews the sequences of a group along four dimensions and gives hints (MASTOR paper,
//! section 4.4).

use super::multi_op::seen;
use super::single_op_challenger::{said, usable};
use crate::desk::{AgentError, Desk, Question, subject};
use crate::prompts;
use crate::reading::read_sequences::Association;
use crate::reading::replies::{Hint, Review};
use mastor_types::suite::oracle::Challenger;

/// Name of the agent.
pub const NAME: &str = "MultiOpChallengerAgent";

/// Reviews the sequences on the blackboard; returns the hints.
///
/// # Errors
/// Where the model gives no valid review.
pub async fn run(desk: &Desk<'_>, group: &Association) -> Result<Vec<Hint>, AgentError> {
    let name = subject(group);
    let made = desk.store.read(&name).sequences;
    let known = desk.contexts();
    let user = prompts::group_review(group, &seen(desk, group, &known), &made)?;
    let question = Question::new(NAME, &name, "review", user).to_challenger();
    let (review, _) = desk.ask::<Review>(question).await?;
    let names: Vec<&str> = made.iter().map(|sequence| sequence.test_id.as_str()).collect();
    let hints = usable(review, &names);
    desk.store.write(&name, |record| {
        record.hints.extend(hints.iter().map(said));
        for sequence in &mut record.sequences {
            if sequence.origin.challenger == Challenger::Skipped {
                let flagged = hints.iter().any(|hint| hint.test_id.as_deref() == Some(sequence.test_id.as_str()));
                sequence.origin.challenger = if flagged { Challenger::Hinted } else { Challenger::Passed };
            }
        }
    });
    Ok(hints)
}
