//! `SourceExtractionAgent`: extracts the source context, verified and pending, from a bundle; one call for each part of
//! a large bundle.

use crate::brief::{Brief, Bundle};
use crate::desk::{AgentError, Desk, Question};
use crate::prompts;
use crate::reading::{read_context, replies};
use mastor_types::model::Role;

/// Name of the agent.
pub const NAME: &str = "SourceExtractionAgent";

/// Extracts the context of an operation and writes it to the blackboard.
///
/// # Errors
/// Where the model gives no valid reply.
pub async fn run(desk: &Desk<'_>, brief: &Brief) -> Result<(), AgentError> {
    let mut context = match &brief.derived {
        Some(derived) => derived.context.clone(),
        None => read_context::empty(brief),
    };
    let mut contradictions = 0;
    for part in parts(desk, brief) {
        let user = prompts::extraction(brief, &part)?;
        let subject = brief.op_id.as_str();
        let question = Question::new(NAME, subject, "source_context", user);
        let (reply, _) = desk.ask::<replies::Context>(question).await?;
        contradictions += read_context::merge(&mut context, read_context::context(brief, &part, reply));
    }
    desk.store.write(brief.op_id.as_str(), |record| {
        record.context = Some(context);
        for _ in 0..contradictions {
            record.dropped.push(("a fact".to_owned(), "contradicts what is derived".to_owned()));
        }
    });
    Ok(())
}

/// The bundle in parts that fit into the context.
pub fn parts(desk: &Desk<'_>, brief: &Brief) -> Vec<Bundle> {
    let empty = prompts::extraction(brief, &Bundle::default()).map_or(0, |text| text.len());
    let room = usize::try_from(desk.models.room(Role::Primary)).unwrap_or(usize::MAX).saturating_sub(empty);
    brief.bundle.split(room)
}
