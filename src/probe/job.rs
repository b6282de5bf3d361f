//! Jobs: oracles and sequences alike, as the runner takes them.

use crate::suite::Suite;
use crate::types::http::Method;
use crate::types::op_id::OpId;
use crate::types::oracle::{Assumption, Confirmation, Confirmed, Effect, Engine, Oracle, Origin, Read, Source};
use crate::types::outcome::{Expected, Miss, Outcome, RunVerdict};
use crate::types::sequence::{Sequence, Step};

/// What a failing run of it means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It held before, or a person wrote it: it breaks.
    Counts,
    /// It never held: it was wrong.
    Candidate,
    /// It is known to hold only sometimes: nothing.
    Flaky,
}

/// An oracle (one step) or a sequence, ready to run.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// `o_id` or `s_id`.
    pub id: String,
    /// Readable name.
    pub test_id: String,
    /// Whether running it may change state: then it runs alone.
    pub writes: bool,
    /// What a failing run of it means.
    pub standing: Standing,
    /// The steps in order.
    pub steps: Vec<Step>,
    /// What must be so before it runs.
    pub assumes: Vec<Assumption>,
    /// Paths of fields that vary from run to run, and are not judged.
    pub quarantined: Vec<String>,
}

impl Job {
    /// The job of an oracle.
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
            assumes: oracle.assumes.clone(),
            quarantined: quarantined(&oracle.confirmation),
        }
    }

    /// The job that looks whether an assumption is so.
    pub fn of_read(read: &Read) -> Self {
        let asked = Oracle::question(&read.op_id, &read.as_user, read.input.clone(), Effect::Reads);
        Self::of_oracle(&Oracle { assertions: read.assertions.clone(), ..asked })
    }

    /// The job of a sequence.
    pub fn of_sequence(sequence: &Sequence) -> Self {
        Self {
            id: sequence.s_id.clone(),
            test_id: sequence.test_id.clone(),
            writes: sequence.effect == Effect::Writes,
            standing: standing(&sequence.origin, &sequence.confirmation),
            steps: sequence.steps.clone(),
            assumes: sequence.assumes.clone(),
            quarantined: quarantined(&sequence.confirmation),
        }
    }

    /// The job that only asks what a sequence asks, whatever is answered.
    pub fn asking(sequence: &Sequence) -> Self {
        let mut job = Self::of_sequence(sequence);
        job.steps.iter_mut().for_each(|step| step.assertions.clear());
        job
    }

    /// The jobs of a suite: its oracles by operation, then its sequences.
    pub fn of_suite(suite: &Suite) -> Vec<Self> {
        let oracles = suite.operations.values().flat_map(|operation| &operation.oracles).map(Self::of_oracle);
        oracles.chain(suite.sequences.values().flatten().map(Self::of_sequence)).collect()
    }

    /// Whether what was missed had only been seen on the service, and is not derived from its code.
    pub fn only_saw(&self, miss: &Miss) -> bool {
        let Some(step) = self.steps.get(miss.step) else { return false };
        let observed = |at: usize| step.assertions.get(at).is_some_and(|one| one.source == Source::Observed);
        match &miss.expected {
            Expected::Assertion { index, .. } => observed(*index),
            Expected::Capture { .. } => (0..step.assertions.len()).all(observed),
            Expected::Answer => false,
        }
    }

    /// Whether its verbs only read; its code may write nevertheless.
    pub fn is_safe(&self) -> bool {
        self.steps.iter().all(|step| matches!(step.op_id.method(), Method::Get | Method::Head | Method::Options))
    }

    /// Where it stands among those that may write, so that what one leaves behind stands in the way of as few as can be: what reads by its verb,
    /// what creates, what changes, what deletes; and what is deleted from the inside out.
    pub fn turn(&self) -> (u8, std::cmp::Reverse<usize>) {
        let first = self.steps.first().map(|step| &step.op_id);
        let depth = first.map_or(0, |op_id| op_id.path().matches('/').count());
        match first.map(OpId::method) {
            _ if self.is_safe() => (0, std::cmp::Reverse(0)),
            Some(Method::Delete) => (3, std::cmp::Reverse(depth)),
            Some(Method::Put | Method::Patch) => (2, std::cmp::Reverse(0)),
            _ => (1, std::cmp::Reverse(0)),
        }
    }

    /// The operations of its steps, in order.
    pub fn op_ids(&self) -> Vec<OpId> {
        self.steps.iter().map(|step| step.op_id.clone()).collect()
    }

    /// The verdict of a run that missed something.
    pub fn missed(&self) -> RunVerdict {
        match self.standing {
            Standing::Counts => RunVerdict::Broken,
            Standing::Candidate => RunVerdict::Refuted,
            Standing::Flaky => RunVerdict::Inconclusive,
        }
    }

    /// Whether a field of the answer to step `step` (from 0) varies from run to run: by the path of its assertion, or by the place that it
    /// missed at. An index of the one is any index of the other.
    pub fn is_quarantined(&self, step: usize, path: &str, at: &str) -> bool {
        let within = |path: &str, quarantined: &str| {
            quarantined.is_empty()
                || path.strip_prefix(quarantined).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        let (path, at) = (any_index(path), any_index(at));
        let of_step = |field: &String| field_of_step(field, step, self.steps.len() > 1).map(any_index);
        self.quarantined.iter().filter_map(of_step).any(|field| within(&path, &field) || within(&at, &field))
    }

    /// An outcome of this job without a run.
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
        _ => Standing::Candidate,
    }
}

fn quarantined(confirmation: &Confirmation) -> Vec<String> {
    // An array whose order varies is compared as a set instead.
    confirmation.quarantined.iter().filter(|field| field.why != "order").map(|field| field.path.clone()).collect()
}

/// The path of a quarantined field where it is one of this step; in a sequence the step's number may stand before it, as in `2:items[*].id`.
fn field_of_step(field: &str, step: usize, in_sequence: bool) -> Option<&str> {
    match field.split_once(':').map(|(number, path)| (number.parse::<usize>(), path)) {
        Some((Ok(number), path)) if in_sequence => (number == step + 1).then_some(path),
        _ => Some(field),
    }
}

/// The path with `[*]` for each index.
fn any_index(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('[') {
        out.push_str(before);
        match after.split_once(']') {
            Some((index, after)) if index.bytes().all(|b| b.is_ascii_digit()) => {
                out.push_str("[*]");
                rest = after;
            }
            _ => {
                out.push('[');
                rest = after;
            }
        }
    }
    out + rest
}
