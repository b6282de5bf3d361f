//! The engine interface: an engine makes source contexts and candidates for planned operations.

use mastor_runtime::Subject;
use mastor_types::suite::evidence::Evidence;
use mastor_types::suite::input::Input;
use mastor_types::suite::oracle::Candidate;
use mastor_types::suite::sequence::Sequence;
use mastor_types::suite::source_context::SourceContext;

/// The result of an engine for one operation, before normalisation.
#[derive(Debug, Clone)]
pub struct Derived {
    /// The source context.
    pub context: SourceContext,
    /// Oracles with their citations.
    pub candidates: Vec<Candidate>,
    /// Requests whose answers the code leaves open: oracles without assertions, for completion by a running service.
    pub probes: Vec<Candidate>,
    /// More requests of an operation that only reads, for a running service.
    pub trials: Vec<Input>,
    /// Multi-operation oracles with their citations.
    pub sequences: Vec<(Sequence, Vec<Evidence>)>,
    /// What could not be decided, as sorted sentences.
    pub notes: Vec<String>,
}

/// An engine makes source contexts and candidates for planned operations. Rules and agents are the two kinds; their
/// results go through the same normalisation.
pub trait Engine {
    /// Its name in `origin.engine`.
    fn name(&self) -> &'static str;
    /// Works on one operation. It never fails: the notes say what it could not do.
    fn work(&self, subject: &Subject<'_>) -> Derived;
}
