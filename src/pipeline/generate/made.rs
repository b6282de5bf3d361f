//! What the rules engine makes of operations, normalised against their revision.

use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::pipeline::repository::comparison::{shared, subject};
use mastor_derive as derive;
use mastor_extract::Analysis;
use mastor_normalise::{Normalised, normalise};
use mastor_runtime::Shared;
use mastor_suite::load::OperationSuite;
use mastor_types::OpId;
use mastor_types::suite::assertion::{Assertion, Check};
use mastor_types::suite::evidence::Evidence;
use mastor_types::suite::input::Input;
use mastor_types::suite::oracle::{Candidate, Oracle};
use mastor_types::suite::sequence::Sequence;

/// The candidates of one operation, normalised against its revision.
pub struct Made {
    /// The operation.
    pub op_id: OpId,
    /// Its context and oracles.
    pub suite: OperationSuite,
    /// The result of normalisation, with what was dropped.
    pub normalised: Normalised,
    /// Successes of which rules know the status alone: agents may say what is answered.
    pub open: Vec<Oracle>,
    /// Requests whose answer the code leaves open.
    pub probes: Vec<Candidate>,
    /// Sequences that begin with the operation.
    pub sequences: Vec<Sequence>,
    /// Further requests to send to a service.
    pub trials: Vec<Input>,
    /// What the engine could not decide.
    pub notes: Vec<String>,
    /// How long the engine took.
    pub took: Duration,
}

/// Runs the rules engine for operations of a revision, in parallel; the results are in the order of `op_ids`.
pub fn make_all(analysis: &Analysis, op_ids: &[OpId], done: &(dyn Fn(&OpId) + Sync)) -> Vec<Option<Made>> {
    if op_ids.is_empty() {
        return Vec::new();
    }
    let shared = shared(analysis);
    let one = |op_id: &OpId| {
        let made = make(analysis, &shared, op_id);
        done(op_id);
        made
    };
    // Split one by one, since some operations take far longer than others.
    op_ids.par_iter().with_max_len(1).map(one).collect()
}

fn make(analysis: &Analysis, shared: &Shared<'_>, op_id: &OpId) -> Option<Made> {
    let begin = Instant::now();
    let derived = derive::derive(&subject(analysis, shared, op_id)?);
    let open = derived.candidates.iter().map(|candidate| &candidate.oracle).filter(|oracle| is_bare(oracle));
    let open: Vec<Oracle> = open.cloned().collect();
    let normalised = normalise(derived.candidates, &|symbol| analysis.resolve(symbol));
    let mut context = derived.context;
    context.evidence.extend(normalised.evidence.clone());
    let rests = |cited: &Evidence| analysis.resolve(&cited.symbol) == Some(cited.tokens_sha256);
    let mut sequences = Vec::new();
    for (sequence, citations) in derived.sequences {
        if !citations.is_empty() && citations.iter().all(rests) {
            context.evidence.extend(citations.into_iter().map(|cited| (cited.id(), cited)));
            sequences.push(sequence);
        }
    }
    let suite = OperationSuite::new(context, normalised.oracles.clone());
    let mut probes = derived.probes;
    probes.retain(|probe| probe.citations.iter().all(|cited| analysis.resolve(&cited.symbol).is_some()));
    let took = begin.elapsed();
    let (trials, notes) = (derived.trials, derived.notes);
    Some(Made { op_id: op_id.clone(), suite, normalised, open, probes, sequences, trials, notes, took })
}

/// Whether an oracle expects a success and asserts nothing but its status.
fn is_bare(oracle: &Oracle) -> bool {
    let is_status = |one: &Assertion| matches!(one.check, Check::Status { .. });
    oracle.statuses().iter().all(|status| (200..300).contains(status)) && oracle.assertions.iter().all(is_status)
}
