//! `SingleOpChallengerAgent`: reviews the oracles of an operation and gives hints, never corrected oracles (MASTOR
//! paper, section 4.4).

use super::single_op;
use crate::brief::Brief;
use crate::desk::{AgentError, Desk, Question};
use crate::prompts;
use crate::reading::replies::{Hint, Review};
use mastor_types::suite::oracle::Challenger;

/// Name of the agent.
pub const NAME: &str = "SingleOpChallengerAgent";

/// Maximum number of hints used from one review.
const MOST: usize = 40;

/// Reviews the oracles on the blackboard; returns the hints.
///
/// # Errors
/// Where the model gives no valid review.
pub async fn run(desk: &Desk<'_>, brief: &Brief) -> Result<Vec<Hint>, AgentError> {
    let record = desk.store.read(brief.op_id.as_str());
    let user = prompts::review(brief, &single_op::context(desk, brief), &record)?;
    let subject = brief.op_id.as_str();
    let question = Question::new(NAME, subject, "review", user).to_challenger();
    let (review, _) = desk.ask::<Review>(question).await?;
    let names = record.candidates.iter().map(|candidate| candidate.oracle.test_id.as_str()).collect::<Vec<_>>();
    let hints = usable(review, &names);
    desk.store.write(subject, |record| {
        record.hints.extend(hints.iter().map(said));
        for candidate in &mut record.candidates {
            let name = Some(candidate.oracle.test_id.as_str());
            if candidate.oracle.origin.challenger == Challenger::Skipped {
                let flagged = hints.iter().any(|hint| hint.test_id.as_deref() == name);
                candidate.oracle.origin.challenger = if flagged { Challenger::Hinted } else { Challenger::Passed };
            }
        }
    });
    Ok(hints)
}

/// The non-empty hints about existing or missing oracles.
pub fn usable(review: Review, names: &[&str]) -> Vec<Hint> {
    let named = |hint: &Hint| hint.test_id.as_deref().is_none_or(|name| names.contains(&name));
    let says = |hint: &Hint| !hint.hint.trim().is_empty();
    review.hints.into_iter().filter(|hint| named(hint) && says(hint)).take(MOST).collect()
}

/// The hint as stored on the blackboard.
pub fn said(hint: &Hint) -> String {
    let name = hint.test_id.as_deref().unwrap_or("(missing)");
    crate::reading::text::sentence(&format!("{name}: {}: {}", hint.dimension, hint.hint))
}
