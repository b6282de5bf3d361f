//! The subject of derivation: one operation of one revision, with all that engines may look at, and what an engine gives back.

use super::shared::Shared;
use crate::frameworks::advice::ExceptionRule;
use crate::frameworks::{Build, Endpoint, Properties};
use crate::java::project::Project;
use crate::openapi::Document;
use crate::revision::SourceTree;
use crate::types::OpId;
use crate::types::evidence::Evidence;
use crate::types::oracle::{Candidate, Input};
use crate::types::sequence::Sequence;
use crate::types::source_context::SourceContext;

/// One operation of one revision.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// Its name.
    pub op_id: &'a OpId,
    /// The revision's Java.
    pub project: &'a Project,
    /// What serves it.
    pub endpoint: &'a Endpoint,
    /// All endpoints of the service: an input must not reach another one.
    pub endpoints: &'a [Endpoint],
    /// Who answers exceptions.
    pub exceptions: &'a [ExceptionRule],
    /// The revision's files: those of the class path are opened by code.
    pub files: &'a SourceTree,
    /// Application properties.
    pub properties: &'a Properties,
    /// Build files.
    pub build: &'a Build,
    /// The document, where there is one.
    pub document: Option<&'a Document>,
    /// What all operations of the revision share.
    pub shared: &'a Shared<'a>,
}

/// What an engine makes of one operation, before normalisation.
#[derive(Debug, Clone)]
pub struct Derived {
    /// What the code says of parameters and responses.
    pub context: SourceContext,
    /// Oracles with their citations.
    pub candidates: Vec<Candidate>,
    /// Requests whose answer the code leaves open: oracles without an assertion, for a running service to complete.
    pub probes: Vec<Candidate>,
    /// Further requests of an operation that reads, to be asked of a running service.
    pub trials: Vec<Input>,
    /// Multi-operation oracles with their citations.
    pub sequences: Vec<(Sequence, Vec<Evidence>)>,
    /// What could not be decided, one sentence each, sorted.
    pub notes: Vec<String>,
}

/// An engine: makes contexts and candidates of planned operations. Rules and agents are the two kinds; what they make goes through the same
/// normalisation.
pub trait Engine {
    /// Name in `origin.engine`.
    fn name(&self) -> &'static str;
    /// Works on one operation. Fails never: what it could not do stands in the notes.
    fn work(&self, subject: &Subject<'_>) -> Derived;
}
