//! Renewed suites: contexts and oracles that a run makes for the head, joined with what is committed.

use std::collections::{BTreeMap, BTreeSet};

use super::costs;
use crate::pipeline::accept::proposals::retirement;
use crate::pipeline::generate::candidates::note_origins;
use crate::pipeline::generate::engines::{Asking, MadeBy, make_by};
use crate::pipeline::generate::{made, readings};
use crate::pipeline::repository::comparison::{Comparison, shared, subject};
use crate::pipeline::repository::stale::stale;
use mastor_derive as derive;
use mastor_suite::candidates::{note_origin, without_refuted};
use mastor_suite::load::{OperationSuite, Suite};
use mastor_suite::proposal::Proposal;
use mastor_suite::regenerate::regenerate;
use mastor_types::OpId;
use mastor_types::error::{Exit, Failure};
use mastor_types::manifest::Manifest;
use mastor_types::model::Usage;
use mastor_types::results::agents::AgentsRan;
use mastor_types::results::change::Drift;
use mastor_types::results::plan::State;
use mastor_types::results::report::{Generated, GeneratedOperation, strategies};
use mastor_types::suite::input::Input;
use mastor_types::suite::oracle::{Candidate, counted};
use mastor_types::suite::sequence::Sequence;

/// What a run made for the head: new contexts and oracles, joined with what is committed.
pub(super) struct RenewedSuites {
    /// Counts for the report.
    pub(super) generated: Generated,
    /// The suite of each operation.
    pub(super) suites: Vec<(OpId, OperationSuite)>,
    /// Requests whose answer the code leaves open.
    pub(super) probes: Vec<Candidate>,
    /// Further requests, by operation.
    pub(super) trials: Vec<(OpId, Vec<Input>)>,
    /// Changed expectations and retirements.
    pub(super) proposals: Vec<Proposal>,
    /// What the document says otherwise.
    pub(super) drift: Vec<Drift>,
    /// Sentences for the user.
    pub(super) notes: Vec<String>,
    /// Operations whose committed suite is older than the code.
    pub(super) stale: Vec<OpId>,
    /// New sequences.
    pub(super) sequences: Vec<Sequence>,
    /// The exit that models call for, if it counts.
    pub(super) exit: Option<Exit>,
    /// Milliseconds that each operation took.
    pub(super) took: BTreeMap<OpId, u64>,
    /// Ids of agents' oracles that contradict what is derived.
    pub(super) contested: BTreeSet<String>,
}

impl RenewedSuites {
    /// Settles what agents say of requests that rules answer too.
    pub(super) fn settle_readings(&mut self) {
        let Some(ran) = &mut self.generated.agents else { return };
        for (_, suite) in &mut self.suites {
            readings::settle(suite, &self.contested, ran);
        }
        self.count();
    }

    /// Counts the oracles once more.
    pub(super) fn count(&mut self) {
        self.generated.totals.oracles = self.suites.iter().map(|(_, suite)| counted(&suite.oracles).0).sum();
        self.generated.totals.assumed = self.suites.iter().map(|(_, suite)| counted(&suite.oracles).1).sum();
    }

    /// The number of affected operations whose suite in the head is older than the head's code.
    pub(super) fn stale_affected(&self, comparison: &Comparison, new: &Suite) -> usize {
        let affected = comparison.plan.in_state(State::Affected).filter(|op_id| new.operations.contains_key(op_id));
        affected.filter(|op_id| self.stale.contains(op_id)).count()
    }
}

/// Contexts and oracles of these operations, joined with what the head has committed. The flags tell whether the run is
/// dry, and whether it asks a service.
///
/// # Errors
/// Settings of an engine that cannot be used.
pub(super) fn renew(
    asking: &Asking<'_>,
    comparison: &Comparison,
    work: &[OpId],
    new: &Suite,
    (dry_run, is_asked): (bool, bool),
) -> Result<RenewedSuites, Failure> {
    let head = &comparison.head;
    let done = |op_id: &OpId| asking.workspace.events.advanced(op_id.to_string());
    let by_engine = match dry_run {
        true => MadeBy::rules(made::make_all(head, work, &done)),
        false => make_by(asking, head, (new, work), &done)?,
    };
    let MadeBy { made, sequences, agents, exit, notes, contested } = by_engine;
    let known: BTreeSet<&String> = new.sequences.values().flatten().map(|sequence| &sequence.s_id).collect();
    let mut sequences: Vec<Sequence> = sequences.into_iter().filter(|one| !known.contains(&one.s_id)).collect();
    note_origins(head, &mut sequences);
    let usage = agents.as_ref().map_or(Usage { usd: Some(0.0), ..Usage::default() }, AgentsRan::usage);
    let mut all = RenewedSuites {
        generated: Generated { usage, agents, sequences: sequences.len(), ..Generated::default() },
        suites: Vec::new(),
        probes: Vec::new(),
        trials: Vec::new(),
        proposals: Vec::new(),
        drift: Vec::new(),
        notes,
        sequences,
        exit,
        stale: stale(&head.operations, new),
        contested,
        took: BTreeMap::new(),
    };
    let shared = (!work.is_empty()).then(|| shared(head));
    for (op_id, made) in work.iter().zip(made) {
        let subject = shared.as_ref().and_then(|shared| subject(head, shared, op_id));
        let (Some(subject), Some(made)) = (subject, made) else {
            all.drift.extend(crate::pipeline::repository::unserved::unserved(head, op_id));
            continue;
        };
        all.took.insert(op_id.clone(), costs::millis(made.took));
        all.drift.extend(derive::oracles::drift::drift(&subject, &made.suite.context));
        let dropped = made.normalised.reasons();
        let known = new.operations.get(op_id).map(|suite| suite.oracles.as_slice()).unwrap_or_default();
        all.probes.extend(made.probes.into_iter().filter(|p| known.iter().all(|o| o.o_id != p.oracle.o_id)));
        all.trials.push((op_id.clone(), made.trials));
        let (fingerprint, committed) = (head.manifest(op_id).map(Manifest::fingerprint), new.operations.get(op_id));
        let fresh = without_refuted(made.suite.oracles, committed, fingerprint, is_asked);
        let mut joined = regenerate(committed, made.suite.context, fresh, &|s| head.resolve(s));
        fingerprint.into_iter().for_each(|fingerprint| note_origin(&mut joined.suite, committed, fingerprint));
        let schema = &joined.suite.context.response_schema;
        let totals = &mut all.generated.totals;
        let (oracles, assumed) = counted(&joined.suite.oracles);
        totals.oracles += oracles;
        totals.assumed += assumed;
        totals.verified += joined.suite.context.request_params.len() + schema.fields.len() + schema.error_cases.len();
        totals.pending +=
            joined.suite.context.request_params_pending.len() + joined.suite.context.response_schema_pending.len();
        all.generated.operations.push(GeneratedOperation {
            op_id: op_id.clone(),
            oracles,
            assumed,
            added: joined.added,
            proposed: joined.proposals.len(),
            by_strategy: strategies(&joined.suite.oracles),
            dropped,
            notes: made.notes,
        });
        all.proposals.extend(joined.proposals);
        all.suites.push((op_id.clone(), joined.suite));
    }
    for op_id in comparison.plan.in_state(State::Retired) {
        all.proposals.extend(retirement(new, op_id, "the operation is gone"));
    }
    all.generated.totals.sequences = all.sequences.len();
    all.drift.sort();
    all.drift.dedup();
    Ok(all)
}
