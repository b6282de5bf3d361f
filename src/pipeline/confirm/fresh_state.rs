//! Fresh state: finds the confirmed oracles that hold only on the start state of the service, by running all of them in
//! opposite orders.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::pipeline::confirm::claims::Claimed;
use crate::pipeline::service::live::Live;
use mastor_probe::job::Job;
use mastor_probe::runs::opposite_orders::needing_fresh_state;
use mastor_probe::service::{Running, ServiceError};
use mastor_suite::Suite;
use mastor_types::suite::oracle::Confirmed;

/// Marks newly confirmed oracles and sequences that need fresh state when they run with the confirmed rest of the
/// committed suite. Gives the ids in that rest that need it too and are not marked yet. Nothing is run if the exported
/// tests can reset the service themselves.
///
/// # Errors
/// Where the service's URL is invalid.
pub async fn note_fresh_state(
    live: &Live<'_>,
    running: &mut Running,
    claimed: &mut Claimed,
    committed: &Suite,
) -> Result<BTreeSet<String>, ServiceError> {
    if live.resets_by_post() || claimed.passes.trouble.is_some() {
        return Ok(BTreeSet::new());
    }
    let oracles = claimed.confirmed.values().chain(claimed.seen.iter().map(|(oracle, _)| oracle));
    let sequences = claimed.held.values().chain(&claimed.sequences);
    let made: Vec<Job> = oracles.map(Job::of_oracle).chain(sequences.map(Job::of_sequence)).collect();
    if made.is_empty() {
        return Ok(BTreeSet::new());
    }
    let mut jobs: BTreeMap<String, Arc<Job>> = BTreeMap::new();
    let mut noted = BTreeSet::new();
    let confirmations = committed.confirmations();
    for job in Job::of_suite(committed) {
        let Some(confirmation) = confirmations.get(job.id.as_str()) else { continue };
        if confirmation.fresh_state {
            noted.insert(job.id.clone());
        }
        if confirmation.state == Confirmed::Confirmed {
            jobs.insert(job.id.clone(), Arc::new(job));
        }
    }
    let ids: BTreeSet<String> = made.iter().map(|job| job.id.clone()).collect();
    jobs.extend(made.into_iter().map(|job| (job.id.clone(), Arc::new(job))));
    let jobs: Vec<Arc<Job>> = jobs.into_values().collect();
    let needing = needing_fresh_state(running, live.users(), &jobs, live.options()).await?;
    let needs = |id: &str| needing.contains(id);
    claimed.confirmed.values_mut().for_each(|oracle| oracle.confirmation.fresh_state = needs(&oracle.o_id));
    claimed.seen.iter_mut().for_each(|(oracle, _)| oracle.confirmation.fresh_state = needs(&oracle.o_id));
    let held = claimed.held.values_mut().chain(&mut claimed.sequences);
    held.for_each(|sequence| sequence.confirmation.fresh_state = needs(&sequence.s_id));
    Ok(needing.into_iter().filter(|id| !ids.contains(id) && !noted.contains(id)).collect())
}
