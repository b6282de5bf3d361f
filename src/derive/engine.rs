//! The engine: what makes contexts and candidates of planned operations, and what it gives back.

use crate::runtime::Subject;
use crate::types::evidence::Evidence;
use crate::types::oracle::{Candidate, Input};
use crate::types::sequence::Sequence;
use crate::types::source_context::SourceContext;

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
