//! Chaining writes: after a confirmed write that creates something, a second write uses what it created, on fresh state
//! each time.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::pipeline::confirm::claims::{Claimed, Claims};
use crate::pipeline::confirm::follow::{FollowedWrites, OF_SERVICE, take, took, with_few_restarts};
use crate::pipeline::service::live::Live;
use mastor_probe::job::Job;
use mastor_probe::resources::chain::{chain, chained};
use mastor_probe::resources::follow::Followed;
use mastor_probe::runs::passes::Passes;
use mastor_probe::runs::rounds::{Again, again};
use mastor_probe::service::{Running, ServiceError};
use mastor_types::OpId;
use mastor_types::results::outcome::Answer;
use mastor_types::suite::oracle::{Effect, Oracle, Strategy};
use mastor_types::suite::sequence::Sequence;

/// Chains of one service if a reset is quick, at most.
const OF_QUICK: usize = 60;

/// A chain to run, with the answers that its reads gave after the first write alone.
struct ChainToRun<'a> {
    chain: Sequence,
    before: BTreeMap<&'a OpId, &'a Answer>,
}

/// Runs chains of two writes, and keeps those that show an effect of the second write.
///
/// # Errors
/// Where the service cannot be asked at all.
pub async fn chain_writes(
    live: &Live<'_>,
    running: &mut Running,
    claims: &Claims,
    tours: &FollowedWrites,
    claimed: &mut Claimed,
) -> Result<(), ServiceError> {
    if tours.chosen.is_empty() || claimed.passes.trouble.is_some() || !running.can_reset() {
        return Ok(());
    }
    let mut chosen = choose(claims, tours, &claimed.passes);
    let all = chosen.len();
    chosen.truncate(if live.options().quick_reset { OF_QUICK } else { OF_SERVICE });
    claimed.report.unfollowed += all - chosen.len();
    let jobs: Vec<Arc<Job>> = chosen.iter().map(|one| Arc::new(Job::asking(&one.chain))).collect();
    if jobs.is_empty() {
        return Ok(());
    }
    let runs = live.how.runs.max(2);
    let mut found = match live.options().quick_reset {
        true => again(running, live.users(), Again::apart(&jobs, runs), live.options()).await?,
        false => with_few_restarts(live, running, &jobs, runs).await?,
    };
    let moment = live.moment(running.base_url());
    let kept: Vec<Followed> = chosen
        .iter()
        .filter_map(|one| chained(&one.chain, found.steps_of(&one.chain.s_id), &one.before, &moment))
        .collect();
    took(claimed, &mut found);
    take(claimed, kept);
    Ok(())
}

/// The chains to run: for each operation that creates something, its first followed write, with one request of each
/// operation that writes. Pairs that a sequence covers already are left out.
fn choose<'a>(claims: &Claims, tours: &'a FollowedWrites, passes: &Passes) -> Vec<ChainToRun<'a>> {
    let seconds = seconds(claims, passes);
    let mut makers: BTreeSet<&OpId> = BTreeSet::new();
    let mut chosen = Vec::new();
    for tour in &tours.chosen {
        let (Some(first), Some(run)) = (tour.steps.first(), tours.found.steps_of(&tour.s_id).last()) else { continue };
        let Some(written) = run.first().filter(|_| !first.captures.is_empty()) else { continue };
        if !makers.insert(&first.op_id) {
            continue;
        }
        for second in &seconds {
            let is_known = claims.chained.contains(&(first.op_id.clone(), second.op_id.clone()));
            let Some(chain) = chain(tour, written, second, &claims.readers).filter(|_| !is_known) else { continue };
            let reads = tour.steps.iter().zip(run).skip(1).map(|(step, answer)| (&step.op_id, answer));
            chosen.push(ChainToRun { chain, before: reads.collect() });
        }
    }
    chosen
}

/// One request of each operation that writes: one that succeeded, else one that got 404, else a valid one.
fn seconds<'a>(claims: &'a Claims, passes: &Passes) -> Vec<&'a Oracle> {
    let mut best: BTreeMap<&OpId, (u8, &Oracle)> = BTreeMap::new();
    let probes = claims.probes.iter().map(|probe| &probe.oracle);
    for oracle in claims.oracles.iter().chain(&claims.asked).chain(probes) {
        if oracle.effect != Effect::Writes || oracle.needs_stubs() {
            continue;
        }
        let rank = match passes.of(&oracle.o_id).last().map(|answer| answer.status) {
            Some(..400) => 0,
            Some(404) => 1,
            _ if oracle.strategy == Strategy::Fv => 2,
            _ => continue,
        };
        let known = best.entry(&oracle.op_id).or_insert((rank, oracle));
        if rank < known.0 {
            *known = (rank, oracle);
        }
    }
    best.into_values().map(|(_, oracle)| oracle).collect()
}
