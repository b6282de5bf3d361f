//! The prompts of a dry run: exact where known, otherwise rendered with derived facts in place of replies.

use super::desk::{AgentError, Desk, PlannedPrompt, Question};
use super::prompts;
use super::reading::replies;
use super::roles::{semantic_extract, single_op, single_op_challenger, source_extraction};
use super::store::Record;

/// The prompts in the order in which they would be sent. Regenerations and sequences are left out, since their prompts
/// depend on replies.
///
/// # Errors
/// Where a template cannot be rendered.
pub fn prompts(desk: &Desk<'_>, direct: bool) -> Result<Vec<PlannedPrompt>, AgentError> {
    if direct {
        return super::direct::prompts(desk);
    }
    let mut out = Vec::new();
    for brief in desk.briefs {
        let subject = brief.op_id.as_str();
        let known = brief.is_known();
        if !known {
            for part in source_extraction::parts(desk, brief) {
                let user = prompts::extraction(brief, &part)?;
                let question = Question::new(source_extraction::NAME, subject, "source_context", user);
                out.push(PlannedPrompt { ask: question.ask::<replies::Context>()?, exact: true });
            }
        }
        let context = single_op::context(desk, brief);
        desk.store.write(subject, |record| record.context = Some(context.clone()));
        for part in single_op::parts(desk, brief, &context) {
            let user = prompts::generation(brief, &part, &context)?;
            let question = single_op::question(brief, user, false);
            out.push(PlannedPrompt { ask: question.ask::<replies::Oracles>()?, exact: known });
        }
        if desk.switches.review_rounds > 0 {
            let user = prompts::review(brief, &context, &Record::default())?;
            let question = Question::new(single_op_challenger::NAME, subject, "review", user).to_challenger();
            out.push(PlannedPrompt { ask: question.ask::<replies::Review>()?, exact: false });
        }
    }
    if desk.switches.multi_op
        && let (Some(user), _) = semantic_extract::prompt(desk)?
    {
        let (agent, subject) = (semantic_extract::NAME, semantic_extract::SUBJECT);
        let question = Question::new(agent, subject, "associations", user);
        let exact = desk.briefs.iter().all(super::brief::Brief::is_known);
        out.push(PlannedPrompt { ask: question.ask::<replies::Associations>()?, exact });
    }
    Ok(out)
}
