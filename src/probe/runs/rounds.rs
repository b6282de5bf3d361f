//! Rounds: runs jobs again that failed after others, with as few resets as possible.

use std::sync::Arc;

use super::check::CheckOptions;
use super::passes::{Passes, Walk};
use crate::auth::Users;
use crate::job::Job;
use crate::resources::tidy::Removers;
use crate::service::{Running, ServiceError};
use mastor_types::event::Events;

/// Maximum number of restarts for jobs that failed; each takes seconds.
const RESTARTS: usize = 192;
/// Maximum number of restarts that may include runs of jobs that did not fail but lack answers.
const POLISH: usize = 64;

/// For an id alone: whether the job may run after others. With the job's runs: whether all of them gave the expected result.
pub type CountsAfterOthers<'h> = &'h (dyn Fn(&str, Option<&Passes>) -> bool + Sync);

/// No job may run after others.
pub const APART: CountsAfterOthers<'static> = &|_, _| false;

/// The jobs to run again.
pub struct Again<'a> {
    /// The jobs.
    pub jobs: &'a [Arc<Job>],
    /// Earlier runs that count: each had the expected result.
    pub begun: Passes,
    /// Number of runs wanted for each job.
    pub times: usize,
    /// Which results count when a job runs after others.
    pub holds: CountsAfterOthers<'a>,
    /// Requests that remove what jobs create.
    pub removers: Removers,
}

impl<'a> Again<'a> {
    /// Runs each of these jobs `times` times, each time alone on fresh state.
    pub fn apart(jobs: &'a [Arc<Job>], times: usize) -> Self {
        Self { jobs, begun: Passes::default(), times, holds: APART, removers: Removers::default() }
    }
}

/// Runs jobs again that may have failed because of what other jobs left behind. With a fast reset, each job runs alone. With a restart, resets are limited,
/// so jobs run after each other in rounds. Each round starts from fresh state, with refused requests first and deletions last. The result of a round's first
/// job always counts; that of a later job counts only if it is as expected, otherwise the job moves towards the front in the next round. A job that fails at
/// the front was not disturbed by others: from then on, only its runs on fresh state count. A job may end with fewer runs than wanted.
///
/// # Errors
/// Where the service's URL is invalid.
pub async fn again(
    running: &mut Running,
    users: &Users,
    asked: Again<'_>,
    options: &CheckOptions,
) -> Result<Passes, ServiceError> {
    let mut walk = Walk::new(running, users, options, false)?;
    if !walk.can_reset() {
        return Ok(walk.found);
    }
    if options.quick_reset {
        walk.each_alone(asked.jobs, asked.times).await?;
        return Ok(walk.found);
    }
    let holds = asked.holds;
    walk.removers = asked.removers;
    let mut open: Vec<PendingJob<'_>> = asked.jobs.iter().map(|job| PendingJob::of(job, &asked.begun, holds)).collect();
    open.sort_by_key(|one| (one.apart, one.job.turn()));
    walk.found = asked.begun;
    for restarts in 0..RESTARTS {
        let is_wanted = open.iter().any(|one| holds(&one.job.id, None));
        if open.is_empty() || restarts >= POLISH && !is_wanted || !walk.refresh().await? {
            break;
        }
        let Some(left) = round(&mut walk, open, asked.times, holds).await else { break };
        open = left;
    }
    Ok(walk.found)
}

/// A job that still lacks runs.
struct PendingJob<'j> {
    job: &'j Arc<Job>,
    /// Number of runs that count.
    runs: usize,
    /// Whether only runs on fresh state count.
    apart: bool,
}

impl<'j> PendingJob<'j> {
    fn of(job: &'j Arc<Job>, begun: &Passes, holds: CountsAfterOthers<'_>) -> Self {
        let runs = begun.of(&job.id).len().max(begun.steps_of(&job.id).len());
        Self { job, runs, apart: !holds(&job.id, None) }
    }
}

/// Runs every open job once, if possible; returns those still open, or `None` where the run cannot go on.
async fn round<'j>(
    walk: &mut Walk<'_>,
    open: Vec<PendingJob<'j>>,
    times: usize,
    holds: CountsAfterOthers<'_>,
) -> Option<Vec<PendingJob<'j>>> {
    let mut left = Vec::new();
    for mut one in open {
        let is_fresh = !walk.touched;
        if !is_fresh && one.apart {
            left.push(one);
            continue;
        }
        let (goes_on, run) = walk.single(one.job, &Events::silent()).await;
        let holds = holds(&one.job.id, Some(&walk.found.with(&one.job.id, &run)));
        if is_fresh && !holds && !one.apart {
            one.apart = true;
            one.runs = 0;
            walk.found.forget(&one.job.id);
        }
        let counts = is_fresh || holds;
        one.runs += usize::from(counts);
        walk.found.take_up(run, counts);
        if !goes_on {
            return None;
        }
        if one.runs < times {
            left.push(one);
        }
    }
    Some(left)
}
