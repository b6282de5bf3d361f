//! Following writes: finds the effects of a confirmed write from reads that answer differently after it, and keeps only
//! writes that hold alone.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::pipeline::confirm::claims::{Claimed, Claims};
use crate::pipeline::service::live::Live;
use mastor_probe::answers::judge::{Captures, judge};
use mastor_probe::answers::shapes::shape_of;
use mastor_probe::job::Job;
use mastor_probe::resources::follow::{Followed, baselines, follow_up, followed, with_settled_oracle};
use mastor_probe::runs::passes::{Passes, passes};
use mastor_probe::runs::rounds::{Again, again};
use mastor_probe::service::{Running, ServiceError};
use mastor_types::OpId;
use mastor_types::event::Events;
use mastor_types::results::outcome::Answer;
use mastor_types::results::report::QuarantinedField;
use mastor_types::suite::assertion::Source;
use mastor_types::suite::oracle::{Effect, Oracle};
use mastor_types::suite::sequence::Sequence;

/// Writes of one operation that are followed, at most.
const OF_OPERATION: usize = 4;
/// Writes of one service that are followed if each needs a restart, at most.
pub(in crate::pipeline) const OF_SERVICE: usize = 10;
/// Open requests that write and are sent again alone, at most: if a reset is a restart, each needs one.
const ALONE: usize = 10;

/// The writes that are followed, each with the reads that may show its effect, and the number of writes left out.
#[derive(Default)]
pub struct FollowedWrites {
    pub(in crate::pipeline) chosen: Vec<Sequence>,
    left: usize,
    pub(in crate::pipeline) found: Passes,
}

/// Follows writes that were not refused, each alone on fresh state. The answer to the write there replaces the one that
/// it got among other requests.
///
/// # Errors
/// Where the service cannot be asked at all.
pub async fn follow(
    live: &Live<'_>,
    running: &mut Running,
    claims: &Claims,
    passes: &mut Passes,
    events: &Events,
) -> Result<FollowedWrites, ServiceError> {
    let mut tours = match live.how.observe && passes.trouble.is_none() {
        true => choose(claims, passes, live.options().quick_reset),
        false => FollowedWrites::default(),
    };
    if tours.chosen.is_empty() {
        return Ok(tours);
    }
    if !running.can_reset() {
        events.said("what writes leave behind was not read: without a reset there is no fresh state to write on");
        return Ok(FollowedWrites::default());
    }
    let jobs: Vec<Arc<Job>> = tours.chosen.iter().map(|tour| Arc::new(Job::asking(tour))).collect();
    let runs = live.how.runs.max(2);
    tours.found = match live.options().quick_reset {
        true => again(running, live.users(), Again::apart(&jobs, runs), live.options()).await?,
        false => with_few_restarts(live, running, &jobs, runs).await?,
    };
    passes.requests += tours.found.requests;
    passes.trouble = tours.found.trouble.take();
    for tour in &tours.chosen {
        let written: Vec<Answer> =
            tours.found.steps_of(&tour.s_id).iter().filter_map(|run| run.first().cloned()).collect();
        if let Some(id) = tour.first().filter(|_| written.len() == runs) {
            passes.answers.insert(id, written);
        }
    }
    Ok(tours)
}

/// Runs each job once alone on fresh state, and the other times one after the other on shared state: what differs there
/// depends on other jobs, and is not asserted. Only jobs whose statuses differ there get further restarts.
pub(in crate::pipeline) async fn with_few_restarts(
    live: &Live<'_>,
    running: &mut Running,
    jobs: &[Arc<Job>],
    runs: usize,
) -> Result<Passes, ServiceError> {
    let mut found = again(running, live.users(), Again::apart(jobs, 1), live.options()).await?;
    let first: Vec<Arc<Job>> = jobs.iter().filter(|job| !found.steps_of(&job.id).is_empty()).cloned().collect();
    if first.is_empty() || found.trouble.is_some() {
        return Ok(found);
    }
    let shared = passes(running, live.users(), &first, (runs - 1, false), live.options(), &Events::silent()).await?;
    let statuses = |run: &Vec<Answer>| run.iter().map(|answer| answer.status).collect::<Vec<u16>>();
    let alike = |job: &&Arc<Job>| {
        let (one, others) = (found.steps_of(&job.id), shared.steps_of(&job.id));
        others.len() == runs - 1 && others.iter().all(|run| Some(statuses(run)) == one.first().map(statuses))
    };
    let (alike, apart): (Vec<&Arc<Job>>, Vec<&Arc<Job>>) = first.iter().partition(alike);
    let apart: Vec<Arc<Job>> = apart.into_iter().cloned().collect();
    let ids: BTreeSet<String> = alike.into_iter().map(|job| job.id.clone()).collect();
    found.add(shared, |id| ids.contains(id));
    if !apart.is_empty() && found.trouble.is_none() {
        let again = again(running, live.users(), Again::apart(&apart, runs - 1), live.options()).await?;
        found.add(again, |_| true);
    }
    Ok(found)
}

/// The writes to follow: the first few of each operation; an open request only if its answer has a new shape. First writes of all operations come before
/// second ones, since the total is limited if each needs a restart.
fn choose(claims: &Claims, passes: &Passes, quick: bool) -> FollowedWrites {
    let mut by_operation: BTreeMap<&OpId, Vec<Sequence>> = BTreeMap::new();
    let mut shapes: BTreeSet<(&OpId, String)> = BTreeSet::new();
    let derived = claims.oracles.iter().map(|oracle| (oracle, true));
    for (oracle, is_derived) in derived.chain(claims.probes.iter().map(|probe| (&probe.oracle, false))) {
        let Some(answer) = passes.of(&oracle.o_id).iter().find(|answer| answer.status < 400) else { continue };
        let Some(tour) = follow_up(oracle, answer, &claims.readers) else { continue };
        if shapes.insert((&oracle.op_id, shape_of(answer))) || is_derived {
            by_operation.entry(&oracle.op_id).or_default().push(tour);
        }
    }
    let ranked = by_operation.into_values().flat_map(|tours| tours.into_iter().enumerate());
    let mut ranked: Vec<(usize, Sequence)> = ranked.collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    let all = ranked.len();
    let most = if quick { usize::MAX } else { OF_SERVICE };
    let of_operation = ranked.into_iter().filter(|(rank, _)| *rank < OF_OPERATION);
    let chosen: Vec<Sequence> = of_operation.take(most).map(|(_, tour)| tour).collect();
    FollowedWrites { left: all - chosen.len(), chosen, found: Passes::default() }
}

/// Keeps the sequences that show the effects of confirmed writes. If writers share a state within a pass, observed
/// writes that do not hold alone are dropped first.
///
/// # Errors
/// Where the service cannot be asked at all.
pub async fn settle_writers(
    live: &Live<'_>,
    running: &mut Running,
    tours: &FollowedWrites,
    claimed: &mut Claimed,
    events: &Events,
) -> Result<(), ServiceError> {
    if claimed.passes.trouble.is_some() || !running.can_reset() {
        return Ok(());
    }
    if !live.options().quick_reset {
        keep_what_holds_alone(live, running, tours, claimed, events).await?;
    }
    keep(live, running, tours, claimed).await
}

/// Adds the requests of further passes to the report, and takes over the trouble that ended them.
pub(in crate::pipeline) fn took(claimed: &mut Claimed, found: &mut Passes) {
    claimed.report.requests += found.requests;
    claimed.passes.trouble = claimed.passes.trouble.take().or(found.trouble.take());
}

/// If a reset is a restart, writers share a state within a pass. An observed write is kept only if it gets the same
/// answer alone, on the state on which a later check runs it again.
async fn keep_what_holds_alone(
    live: &Live<'_>,
    running: &mut Running,
    tours: &FollowedWrites,
    claimed: &mut Claimed,
    events: &Events,
) -> Result<(), ServiceError> {
    let known = |oracle: &Oracle| {
        let of_write = |tour: &&Sequence| tour.first().as_ref() == Some(&oracle.o_id);
        tours.chosen.iter().find(of_write).is_some_and(|tour| tours.found.steps_of(&tour.s_id).len() > 1)
    };
    let in_doubt = |oracle: &Oracle| oracle.effect == Effect::Writes && !known(oracle);
    let writers = claimed.seen.iter().filter(|(oracle, _)| in_doubt(oracle));
    let writers: Vec<Arc<Job>> = writers.map(|(oracle, _)| Arc::new(Job::of_oracle(oracle))).take(ALONE).collect();
    if writers.is_empty() {
        return Ok(());
    }
    let mut again = again(running, live.users(), Again::apart(&writers, 1), live.options()).await?;
    took(claimed, &mut again);
    let holds = |oracle: &Oracle| {
        let answer = again.of(&oracle.o_id).last();
        answer.is_some_and(|answer| judge(&oracle.assertions, answer, &Captures::new()).is_empty())
    };
    let (kept, dropped): (Vec<_>, Vec<_>) =
        std::mem::take(&mut claimed.seen).into_iter().partition(|(oracle, _)| !in_doubt(oracle) || holds(oracle));
    claimed.seen = kept;
    claimed.report.seen -= dropped.len();
    let of_dropped = dropped.iter().flat_map(|(oracle, _)| &oracle.assertions);
    let observed = of_dropped.filter(|assertion| assertion.source == Source::Observed).count();
    claimed.report.observed = claimed.report.observed.saturating_sub(observed);
    if !dropped.is_empty() {
        events.said(format!(
            "of open requests that write, {} not kept: alone, on fresh state, they answer otherwise or were not asked",
            dropped.len()
        ));
    }
    Ok(())
}

/// A write that was kept: the reads after it, run by run, and the same reads without the write.
struct WriteWithReads<'a> {
    tour: Sequence,
    runs: &'a [Vec<Answer>],
    reads: Vec<Oracle>,
}

/// Sends the reads without the writes, and keeps the sequences whose reads answer differently after the write.
async fn keep(
    live: &Live<'_>,
    running: &mut Running,
    tours: &FollowedWrites,
    claimed: &mut Claimed,
) -> Result<(), ServiceError> {
    let oracle_of = |tour: &Sequence| {
        let first = tour.first()?;
        let seen = || claimed.seen.iter().map(|(oracle, _)| oracle).find(|oracle| oracle.o_id == first);
        claimed.confirmed.get(&first).or_else(seen)
    };
    let kept = tours.chosen.iter().filter_map(|tour| {
        let written = tours.found.steps_of(&tour.s_id).last()?.first()?;
        let runs = tours.found.steps_of(&tour.s_id);
        Some(WriteWithReads {
            tour: with_settled_oracle(tour, oracle_of(tour)?),
            runs,
            reads: baselines(tour, written),
        })
    });
    let kept: Vec<WriteWithReads<'_>> = kept.collect();
    let mut unique: BTreeMap<&str, Arc<Job>> = BTreeMap::new();
    for oracle in kept.iter().flat_map(|one| &one.reads) {
        unique.entry(&oracle.o_id).or_insert_with(|| Arc::new(Job::of_oracle(oracle)));
    }
    let jobs: Vec<Arc<Job>> = unique.into_values().collect();
    claimed.report.unfollowed = tours.left;
    if jobs.is_empty() {
        return Ok(());
    }
    let mut without = passes(running, live.users(), &jobs, (1, false), live.options(), &Events::silent()).await?;
    let moment = live.moment(running.base_url());
    let mut all: Vec<Followed> = Vec::new();
    for WriteWithReads { tour, runs, reads } in &kept {
        let baseline: Vec<Option<Answer>> = reads.iter().map(|read| without.of(&read.o_id).last().cloned()).collect();
        all.extend(followed(tour, runs, &baseline, &moment));
    }
    took(claimed, &mut without);
    take(claimed, all);
    Ok(())
}

/// Adds observed sequences, and reports their varying fields as quarantined.
pub(in crate::pipeline) fn take(claimed: &mut Claimed, all: Vec<Followed>) {
    for one in all {
        claimed.report.observed += one.observed;
        claimed.report.followed += one.sequence.steps.len() - 1;
        claimed.report.quarantined.extend(one.varies.into_iter().map(|(op_id, unstable)| QuarantinedField {
            op_id,
            path: unstable.path,
            why: unstable.why.as_str().to_owned(),
        }));
        claimed.sequences.push(one.sequence);
    }
    claimed.report.quarantined.sort();
    claimed.report.quarantined.dedup();
}
