//! The state that all agents of a run share (briefs, models, blackboard, switches), and the function that asks a model.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::brief::Brief;
use super::reading::read_sequences::Association;
use super::reading::{replies, schemas};
use super::store::{Call, OutputStore};
use mastor_llm::{Answer, Ask, AskError, Models};
use mastor_template::{self as template, TemplateError};
use mastor_types::OpId;
use mastor_types::model::Role;
use mastor_types::suite::oracle::{Candidate, Effect};
use mastor_types::suite::sequence::Sequence;
use mastor_types::suite::source_context::SourceContext;

/// Switches of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switches {
    /// Whether multi-operation sequences are generated.
    pub multi_op: bool,
    /// Maximum review rounds; 0 disables the challengers.
    pub review_rounds: usize,
}

impl Default for Switches {
    fn default() -> Self {
        Self { multi_op: true, review_rounds: 1 }
    }
}

/// An operation outside of the current work, as its committed suite describes it.
#[derive(Debug, Clone)]
pub struct Other {
    /// Its source context.
    pub context: SourceContext,
    /// Whether a request of it may change state.
    pub effect: Effect,
}

/// Result of normalising candidates.
#[derive(Debug, Default)]
pub struct Kept {
    /// The candidates that are kept.
    pub candidates: Vec<Candidate>,
    /// Ids of those that contradict a derived result: only a request can show which of the two is right.
    pub contested: BTreeSet<String>,
    /// Names of the dropped ones with the reasons.
    pub dropped: Vec<(String, String)>,
}

/// Normalises the candidates of an operation; in a hybrid run it also compares them with what is derived.
pub type Normalise<'a> = dyn Fn(&OpId, Vec<Candidate>) -> Kept + Sync + 'a;

/// What the agents of one run share.
pub struct Desk<'a> {
    /// The operations to work on, sorted by name.
    pub briefs: &'a [Brief],
    /// All other operations of the service.
    pub others: &'a [Other],
    /// Sequences that rules made.
    pub sequences: &'a [Sequence],
    /// The models.
    pub models: &'a Models,
    /// The blackboard.
    pub store: &'a OutputStore,
    /// The switches.
    pub switches: Switches,
    /// The normalisation stage, passed in by the pipeline.
    pub normalise: &'a Normalise<'a>,
}

/// Why a task failed.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// The model gave no usable reply.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// A prompt could not be rendered: an internal error.
    #[error(transparent)]
    Prompt(#[from] TemplateError),
}

/// A question to be sent.
pub struct Question<'q> {
    /// The agent.
    agent: &'static str,
    /// The subject: an operation, or a group of operations.
    subject: &'q str,
    /// The model to ask.
    role: Role,
    /// Name of the reply's schema.
    schema: &'static str,
    /// Members of the reply that this question has no use for.
    without: Vec<&'static str>,
    /// The user prompt.
    user: String,
}

/// A prompt of a dry run.
pub struct PlannedPrompt {
    /// The question.
    pub ask: Ask,
    /// Whether exactly this prompt would be sent; otherwise the real one also contains content from earlier replies.
    pub exact: bool,
}

impl<'q> Question<'q> {
    /// A question to the primary model; all members of the reply may be used.
    pub fn new(agent: &'static str, subject: &'q str, schema: &'static str, user: String) -> Self {
        Self { agent, subject, role: Role::Primary, schema, without: Vec::new(), user }
    }

    /// The same question to the challenger's model.
    #[must_use]
    pub fn to_challenger(self) -> Self {
        Self { role: Role::Challenger, ..self }
    }

    /// The same question; the reply has none of these members.
    #[must_use]
    pub fn without(mut self, members: &[&'static str]) -> Self {
        self.without.extend(members);
        self
    }

    /// Adds the system prompt and the schema of the reply.
    ///
    /// # Errors
    /// Where the system prompt cannot be rendered.
    pub fn ask<T: JsonSchema>(&self) -> Result<Ask, TemplateError> {
        Ok(Ask {
            agent: self.agent,
            subject: self.subject.to_owned(),
            role: self.role,
            system: template::render("prompts/system.prompt", ())?,
            user: self.user.clone(),
            schema: schemas::schema_about::<T>(self.schema, self.subject, &self.without),
            max_output: None,
        })
    }
}

/// Asks a model and parses the reply as `T`.
///
/// # Errors
/// Where the model gives no valid reply.
pub async fn asked<T: JsonSchema + DeserializeOwned>(
    models: &Models,
    question: &Question<'_>,
) -> Result<(T, Answer), AgentError> {
    let answer = models.ask(&question.ask::<T>()?, &|value| replies::read::<T>(value).map(|_| ())).await?;
    let reply = replies::read::<T>(&answer.value).map_err(AskError::NotAsAsked)?;
    Ok((reply, answer))
}

impl Desk<'_> {
    /// Asks a model, parses the reply as `T`, and records the call on the blackboard.
    ///
    /// # Errors
    /// Where the model gives no valid reply.
    pub async fn ask<T: JsonSchema + DeserializeOwned>(
        &self,
        question: Question<'_>,
    ) -> Result<(T, Answer), AgentError> {
        let (reply, answer) = asked(self.models, &question).await?;
        self.store.write(question.subject, |record| {
            record.calls.push(Call {
                agent: question.agent,
                model: answer.model.clone(),
                prompt_sha256: answer.prompt,
            });
        });
        Ok((reply, answer))
    }

    /// Source context and effect of every operation that has them: from the blackboard for the operations of this run,
    /// from the committed suite for others.
    pub fn contexts(&self) -> BTreeMap<OpId, (SourceContext, Effect)> {
        let others =
            self.others.iter().map(|other| (other.context.op_id.clone(), (other.context.clone(), other.effect)));
        let mut all: BTreeMap<OpId, (SourceContext, Effect)> = others.collect();
        for brief in self.briefs {
            let record = self.store.of(&brief.op_id);
            if let Some(context) = record.and_then(|record| record.context) {
                all.insert(brief.op_id.clone(), (context, brief.effect));
            }
        }
        all
    }

    /// Ids of the operations of this run.
    pub fn at_hand(&self) -> BTreeSet<OpId> {
        self.briefs.iter().map(|brief| brief.op_id.clone()).collect()
    }

    /// Users that requests may be sent as, beside `anonymous`.
    pub fn users(&self) -> &[String] {
        self.briefs.first().map(|brief| brief.users.as_slice()).unwrap_or_default()
    }
}

/// The blackboard's key for a group of operations.
pub fn subject(group: &Association) -> String {
    group.operations.iter().map(OpId::as_str).collect::<Vec<_>>().join(" → ")
}
