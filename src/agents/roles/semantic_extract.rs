//! `SemanticExtractAgent`: finds associations of five patterns in the compressed contexts of all operations (MASTOR
//! paper, section 4.3).

use super::compress::{Compressed, compress};
use crate::desk::{AgentError, Desk, Question};
use crate::prompts;
use crate::reading::read_sequences::{Association, associations};
use crate::reading::replies;
use mastor_types::OpId;
use mastor_types::suite::oracle::Effect;

/// Name of the agent.
pub const NAME: &str = "SemanticExtractAgent";
/// Subject on the blackboard and in the ledger.
pub const SUBJECT: &str = "all operations";
/// Maximum number of steps that a sequence is asked to have.
const STEPS: usize = 6;

/// The result of the search.
#[derive(Debug, Default)]
pub struct Found {
    /// The associations.
    pub groups: Vec<Association>,
    /// Sizes of the contexts as JSON and compressed, in bytes.
    pub compressed: (usize, usize),
}

/// Finds the associations that involve an operation of this run.
///
/// # Errors
/// Where the model gives no valid reply.
pub async fn run(desk: &Desk<'_>) -> Result<Found, AgentError> {
    let contexts = desk.contexts();
    let (user, compressed) = prompt(desk)?;
    let Some(user) = user else { return Ok(Found { compressed, ..Found::default() }) };
    let question = Question::new(NAME, SUBJECT, "associations", user);
    let (reply, _) = desk.ask::<replies::Associations>(question).await?;
    let known = contexts.keys().cloned().collect();
    let (groups, left) = associations(reply, &known, &desk.at_hand());
    desk.store.write(SUBJECT, |record| {
        record.dropped.extend(left.into_iter().map(|why| ("an association".to_owned(), why.to_owned())));
    });
    Ok(Found { groups, compressed })
}

/// The prompt, and the sizes of the contexts before and after compression. No prompt where nothing can be associated:
/// fewer than two operations, or none that writes.
///
/// # Errors
/// Where the prompt cannot be rendered.
pub fn prompt(desk: &Desk<'_>) -> Result<(Option<String>, (usize, usize)), AgentError> {
    let contexts = desk.contexts();
    let lines = contexts.values().map(|(context, effect)| (context, *effect == Effect::Writes));
    let Compressed { text, from } = compress(lines);
    let sizes = (from, text.len());
    let writes = contexts.values().any(|(_, effect)| *effect == Effect::Writes);
    if contexts.len() < 2 || !writes {
        return Ok((None, sizes));
    }
    let at_hand: Vec<OpId> = desk.at_hand().into_iter().collect();
    let touched = if desk.others.is_empty() { Vec::new() } else { at_hand };
    Ok((Some(prompts::association(&text, &touched, STEPS)?), sizes))
}
