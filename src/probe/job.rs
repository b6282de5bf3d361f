//! Jobs: oracles and sequences in the common form that the runner executes.

use mastor_suite::Suite;
use mastor_types::op_id::OpId;
use mastor_types::results::outcome::{Expected, Miss, Outcome, RunVerdict};
use mastor_types::suite::assertion::Source;
use mastor_types::suite::assumption::Assumption;
use mastor_types::suite::given::{Given, Read};
use mastor_types::suite::oracle::{Confirmation, Confirmed, Effect, Engine, Oracle, Origin};
use mastor_types::suite::sequence::{Sequence, Step};
use mastor_types::suite::varies::Varies;
use mastor_types::turn::{self, ExecutionGroup};

/// How a failure of the job is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Broken: the oracle was confirmed before, or a person wrote it.
    Counts,
    /// Inconclusive: the oracle was never confirmed, and may have been made from other code.
    Unasked,
    /// Refuted: the oracle runs on the code that it was made from.
    Candidate,
    /// Inconclusive: the oracle is known to hold only sometimes.
    Flaky,
}

/// Reason for an unconfirmed oracle that failed, which makes it neither broken nor refuted.
pub const UNASKED: &str = "it was never confirmed: it may have been wrong from the start, or this is a regression";

/// An oracle (one step) or a sequence, ready to run.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// `o_id` or `s_id`.
    pub id: String,
    /// Readable name.
    pub test_id: String,
    /// Whether it may change state, so that it must not run concurrently.
    pub writes: bool,
    /// How a failure is judged.
    pub standing: Standing,
    /// The steps in order.
    pub steps: Vec<Step>,
    /// Data that it needs beside its requests.
    pub given: Vec<Given>,
    /// Assumptions that its expectations rest on.
    pub assumes: Vec<Assumption>,
    /// Varying fields that are not judged.
    pub quarantined: Varies,
    /// Whether it is known to hold only on the service's initial state.
    pub needs_fresh_state: bool,
}

impl Job {
    /// The job for an oracle.
    pub fn of_oracle(oracle: &Oracle) -> Self {
        let step = Step {
            op_id: oracle.op_id.clone(),
            as_user: oracle.as_user.clone(),
            input: oracle.input.clone(),
            captures: Default::default(),
            binds: Default::default(),
            assertions: oracle.assertions.clone(),
        };
        Self {
            id: oracle.o_id.clone(),
            test_id: oracle.test_id.clone(),
            writes: oracle.effect == Effect::Writes,
            standing: standing(&oracle.origin, &oracle.confirmation),
            steps: vec![step],
            given: oracle.given.clone(),
            assumes: oracle.assumes.clone(),
            quarantined: Varies::of(&oracle.confirmation, 1),
            needs_fresh_state: oracle.confirmation.fresh_state,
        }
    }

    /// The job for a request that checks needed data.
    pub fn of_read(read: &Read) -> Self {
        let asked = Oracle::question(&read.op_id, &read.as_user, read.input.clone(), Effect::Reads);
        Self::of_oracle(&Oracle { assertions: read.assertions.clone(), ..asked })
    }

    /// The job for a sequence.
    pub fn of_sequence(sequence: &Sequence) -> Self {
        Self {
            id: sequence.s_id.clone(),
            test_id: sequence.test_id.clone(),
            writes: sequence.effect == Effect::Writes,
            standing: standing(&sequence.origin, &sequence.confirmation),
            steps: sequence.steps.clone(),
            given: sequence.given.clone(),
            assumes: sequence.assumes.clone(),
            quarantined: Varies::of(&sequence.confirmation, sequence.steps.len()),
            needs_fresh_state: sequence.confirmation.fresh_state,
        }
    }

    /// The job that sends a sequence's requests without judging the answers.
    pub fn asking(sequence: &Sequence) -> Self {
        let mut job = Self::of_sequence(sequence);
        job.steps.iter_mut().for_each(|step| step.assertions.clear());
        job
    }

    /// The jobs of a suite: its oracles by operation, then its sequences.
    pub fn of_suite(suite: &Suite) -> Vec<Self> {
        let oracles = suite.operations.values().flat_map(|operation| &operation.oracles);
        // Oracles that need stubs cannot run on a service.
        let oracles = oracles.filter(|oracle| !oracle.needs_stubs()).map(Self::of_oracle);
        oracles.chain(suite.sequences.values().flatten().map(Self::of_sequence)).collect()
    }

    /// Whether the missed expectation was observed on a service rather than derived from code.
    pub fn only_saw(&self, miss: &Miss) -> bool {
        let Some(step) = self.steps.get(miss.step) else { return false };
        let observed = |at: usize| step.assertions.get(at).is_some_and(|one| one.source == Source::Observed);
        match &miss.expected {
            Expected::Assertion { index, .. } => observed(*index),
            Expected::Capture { .. } => (0..step.assertions.len()).all(observed),
            Expected::Answer => false,
        }
    }

    /// Whether all its HTTP methods are read-only; its code may write nevertheless.
    pub fn is_safe(&self) -> bool {
        turn::is_safe(self.steps.iter().map(|step| &step.op_id))
    }

    /// Its group in the execution order of writing jobs.
    pub fn turn(&self) -> ExecutionGroup {
        turn::turn(self.steps.iter().map(Step::asserted))
    }

    /// The operations of its steps.
    pub fn op_ids(&self) -> Vec<OpId> {
        self.steps.iter().map(|step| step.op_id.clone()).collect()
    }

    /// The verdict where an expectation was missed.
    pub fn missed(&self) -> RunVerdict {
        match self.standing {
            Standing::Counts => RunVerdict::Broken,
            Standing::Candidate => RunVerdict::Refuted,
            Standing::Unasked | Standing::Flaky => RunVerdict::Inconclusive,
        }
    }

    /// Whether a field in the answer to step `step` (from 0) varies, by the assertion's path or by the concrete place
    /// of the miss. All indices of an array count as the same field.
    pub fn is_quarantined(&self, step: usize, path: &str, at: &str) -> bool {
        self.quarantined.varies(step, path) || self.quarantined.varies(step, at)
    }

    /// An outcome for a job that was not run.
    pub fn without_run(&self, verdict: RunVerdict, reason: impl Into<String>) -> Outcome {
        Outcome {
            id: self.id.clone(),
            op_ids: self.op_ids(),
            test_id: self.test_id.clone(),
            verdict,
            misses: Vec::new(),
            reason: Some(reason.into()),
            exchanges: Vec::new(),
            seconds: 0.0,
            service_seconds: 0.0,
        }
    }
}

fn standing(origin: &Origin, confirmation: &Confirmation) -> Standing {
    match (confirmation.state, origin.engine) {
        (Confirmed::Flaky, _) => Standing::Flaky,
        (Confirmed::Confirmed, _) | (_, Engine::Human) => Standing::Counts,
        _ => Standing::Unasked,
    }
}
