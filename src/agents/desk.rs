//! The desk: what all agents of a run share — briefs, models, blackboard, switches — and the one way to ask a model.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::brief::Brief;
use super::read_sequences::Association;
use super::store::{Call, OutputStore};
use super::{replies, schemas};
use crate::llm::{Answer, Ask, AskError, Models};
use crate::template::{self, TemplateError};
use crate::types::OpId;
use crate::types::model::Role;
use crate::types::oracle::{Candidate, Effect};
use crate::types::source_context::SourceContext;

/// Switches of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switches {
    /// Whether sequences over several operations are made.
    pub multi_op: bool,
    /// Reviews of one suite, at most; 0 leaves the challengers out.
    pub review_rounds: usize,
}

impl Default for Switches {
    fn default() -> Self {
        Self { multi_op: true, review_rounds: 1 }
    }
}

/// An operation that is not worked on: what its committed suite says of it.
#[derive(Debug, Clone)]
pub struct Other {
    /// Its context.
    pub context: SourceContext,
    /// Whether a request of it may change state.
    pub effect: Effect,
}

/// What normalisation leaves of candidates: those that stay, and the names of the others with their reasons.
pub type Kept = (Vec<Candidate>, Vec<(String, String)>);

/// The candidates of an operation, normalised; and in a hybrid run, without those that contradict what is derived.
pub type Normalise<'a> = dyn Fn(&OpId, Vec<Candidate>) -> Kept + Sync + 'a;

/// What the agents of one run share.
pub struct Desk<'a> {
    /// The operations that are worked on, by name.
    pub briefs: &'a [Brief],
    /// All others.
    pub others: &'a [Other],
    /// The models.
    pub models: &'a Models,
    /// The blackboard.
    pub store: &'a OutputStore,
    /// The switches.
    pub switches: Switches,
    /// Normalisation, which is a stage of its own.
    pub normalise: &'a Normalise<'a>,
}

/// Why a task has no result.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// The model.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// A prompt could not be rendered: a defect of ours.
    #[error(transparent)]
    Prompt(#[from] TemplateError),
}

/// A question before it is sent.
pub struct Question<'q> {
    /// The agent that asks.
    pub agent: &'static str,
    /// What it is about: an operation, or a group.
    pub subject: &'q str,
    /// The model that is asked.
    pub role: Role,
    /// Name of the reply's schema.
    pub schema: &'static str,
    /// The prompt.
    pub user: String,
}

/// A prompt of a run that has not begun.
pub struct PlannedPrompt {
    /// The question.
    pub ask: Ask,
    /// Whether it is the very prompt that would be sent; else what an earlier reply adds is not in it.
    pub exact: bool,
}

impl Question<'_> {
    /// The question with its system part and the schema of its reply.
    ///
    /// # Errors
    /// Where the system part cannot be rendered.
    pub fn ask<T: JsonSchema>(&self) -> Result<Ask, TemplateError> {
        Ok(Ask {
            agent: self.agent,
            subject: self.subject.to_owned(),
            role: self.role,
            system: template::render("prompts/system.prompt", ())?,
            user: self.user.clone(),
            schema: schemas::schema_about::<T>(self.schema, self.subject),
            max_output: None,
        })
    }
}

/// Asks a model, and reads the reply as its type.
///
/// # Errors
/// Where there is no reply that can be read so.
pub async fn asked<T: JsonSchema + DeserializeOwned>(
    models: &Models,
    question: &Question<'_>,
) -> Result<(T, Answer), AgentError> {
    let answer = models.ask(&question.ask::<T>()?, &|value| replies::read::<T>(value).map(|_| ())).await?;
    let reply = replies::read::<T>(&answer.value).map_err(AskError::NotAsAsked)?;
    Ok((reply, answer))
}

impl Desk<'_> {
    /// Asks, and reads the reply as its type.
    ///
    /// # Errors
    /// Where there is no reply that can be read so.
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

    /// Context and effect of every operation that has one: those at hand from the blackboard, all others as they are committed.
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

    /// The names of the operations at hand.
    pub fn at_hand(&self) -> BTreeSet<OpId> {
        self.briefs.iter().map(|brief| brief.op_id.clone()).collect()
    }

    /// Users that requests may be made as, beside `anonymous`.
    pub fn users(&self) -> &[String] {
        self.briefs.first().map(|brief| brief.users.as_slice()).unwrap_or_default()
    }
}

/// The subject of a group on the blackboard.
pub fn subject(group: &Association) -> String {
    group.operations.iter().map(OpId::as_str).collect::<Vec<_>>().join(" → ")
}

/// What is verified of an operation, as JSON on one line, with its facts' ids: pending facts are left out (MASTOR
/// paper, section 4.2).
pub fn verified(context: &SourceContext) -> String {
    let facts = serde_json::json!({
        "op_id": context.op_id,
        "request_params": context.request_params,
        "response": context.response_schema,
    });
    facts.to_string()
}
