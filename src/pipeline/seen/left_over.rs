//! Writes that only one of base and head refuses, where the state that earlier requests of the run left behind may be
//! the reason.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::pipeline::confirm::claims::{Claimed, Claims};
use crate::pipeline::service::live::Live;
use mastor_probe::job::Job;
use mastor_probe::runs::passes::Passes;
use mastor_probe::runs::rounds::{Again, again};
use mastor_probe::service::{Running, ServiceError};
use mastor_types::OpId;
use mastor_types::results::outcome::Answer;
use mastor_types::suite::oracle::{Effect, Oracle};

/// Runs on fresh state for each side.
const RUNS: usize = 2;

/// Why such a write tells nothing if it could not be run alone.
const NOT_ALONE: &str = "one of base and head refuses a write that met what earlier requests left behind, and it could not be asked on a state of its own";

/// The writes to run again, each alone; none if every write had fresh state.
pub(in crate::pipeline) fn refused_by_one(
    live: &Live<'_>,
    claims: &Claims,
    before: &Passes,
    after: &Passes,
) -> Vec<Arc<Job>> {
    if live.options().quick_reset {
        return Vec::new();
    }
    let probes = claims.probes.iter().map(|probe| &probe.oracle);
    let writers = claims.oracles.iter().chain(&claims.asked).chain(probes).filter(|one| one.effect == Effect::Writes);
    let parts = |oracle: &&Oracle| {
        let (old, new) = (before.of(&oracle.o_id).first(), after.of(&oracle.o_id).first());
        old.zip(new).is_some_and(|(old, new)| old.status != new.status && (refuses(old) || refuses(new)))
    };
    let found: BTreeMap<&str, &Oracle> = writers.filter(parts).map(|one| (one.o_id.as_str(), one)).collect();
    found.into_values().map(|oracle| Arc::new(Job::of_oracle(oracle))).collect()
}

/// Whether an answer may refuse a request because of the state: every error except those about the address, the format
/// or the caller.
fn refuses(answer: &Answer) -> bool {
    answer.status >= 400 && !matches!(answer.status, 401 | 403 | 405 | 406 | 415)
}

/// Runs the jobs on one running side, each on fresh state.
pub(in crate::pipeline) async fn ask(
    live: &Live<'_>,
    running: &mut Running,
    jobs: &[Arc<Job>],
) -> Result<Passes, ServiceError> {
    match jobs {
        [] => Ok(Passes::default()),
        _ => again(running, live.users(), Again::apart(jobs, RUNS), live.options()).await,
    }
}

/// Replaces the answers of both sides by those that they gave alone, and drops oracles whose status on the head differs when run alone. Gives the operations
/// of writes that could not be run alone; nothing of these is reported or kept.
pub(in crate::pipeline) fn settle(
    jobs: &[Arc<Job>],
    (before, claimed): (&mut Passes, &mut Claimed),
    (mut base, mut head): (Passes, Passes),
) -> Vec<(OpId, String)> {
    let (mut dropped, mut open) = (BTreeSet::new(), BTreeSet::new());
    for job in jobs {
        let id = job.id.as_str();
        let alone = |passes: &mut Passes| passes.answers.remove(id).filter(|answers| answers.len() == RUNS);
        let was = claimed.passes.of(id).first().map(|answer| answer.status);
        match (alone(&mut base), alone(&mut head)) {
            (Some(old), Some(new)) => {
                if new.iter().any(|answer| Some(answer.status) != was) {
                    dropped.insert(id);
                }
                before.answers.insert(id.to_owned(), old);
                claimed.passes.answers.insert(id.to_owned(), new);
            }
            _ => {
                dropped.insert(id);
                before.answers.remove(id);
                claimed.passes.answers.remove(id);
                open.extend(job.op_ids().first().cloned());
            }
        }
    }
    claimed.confirmed.retain(|id, _| !dropped.contains(id.as_str()));
    claimed.seen.retain(|(oracle, _)| !dropped.contains(oracle.o_id.as_str()));
    open.into_iter().map(|op_id| (op_id, NOT_ALONE.to_owned())).collect()
}
