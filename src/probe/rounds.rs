//! Rounds: what missed behind others is asked again, on as few fresh states as can be.

use std::sync::Arc;

use super::auth::Users;
use super::check::CheckOptions;
use super::job::Job;
use super::passes::{Passes, Walk};
use super::service::{Running, ServiceError};
use super::tidy::Removers;
use crate::event::Events;

/// Restarts for jobs that missed, at most: each takes seconds.
const RESTARTS: usize = 192;
/// Restarts with those for jobs that missed nothing, and are asked again for what else they answer.
const POLISH: usize = 64;

/// Whether a job may run behind others, by its id; and with its runs, whether all that they show is as it must be.
pub type Holds<'h> = &'h (dyn Fn(&str, Option<&Passes>) -> bool + Sync);

/// No job runs behind others.
pub const APART: Holds<'static> = &|_, _| false;

/// What is asked again.
pub struct Again<'a> {
    /// The jobs.
    pub jobs: &'a [Arc<Job>],
    /// Runs of them that count already: each showed what it must.
    pub begun: Passes,
    /// Runs that are wanted of each.
    pub times: usize,
    /// What counts behind others.
    pub holds: Holds<'a>,
    /// What removes what they make.
    pub removers: Removers,
}

impl<'a> Again<'a> {
    /// These jobs so many times, each on fresh states alone.
    pub fn apart(jobs: &'a [Arc<Job>], times: usize) -> Self {
        Self { jobs, begun: Passes::default(), times, holds: APART, removers: Removers::default() }
    }
}

/// Runs jobs again: what missed may have met what another one left behind. Where a reset is quick, each is asked alone. Where it is a restart, there
/// are only so many: then jobs run behind one another in rounds, each from the first state, what is to be refused first and what deletes last. What
/// is in front counts whatever it shows; behind others only what shows what it must does, and the rest comes nearer to the front in the next round.
/// What missed in front was in nobody's way: of that, only what fresh states show counts from then on. Jobs that did not come to the wanted runs
/// have fewer.
///
/// # Errors
/// Where the service's URL is none.
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
    let mut open: Vec<Open<'_>> = asked.jobs.iter().map(|job| Open::of(job, &asked.begun, holds)).collect();
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

/// A job that has not come to all its runs.
struct Open<'j> {
    job: &'j Arc<Job>,
    /// Runs that count.
    runs: usize,
    /// Whether only what fresh states show counts.
    apart: bool,
}

impl<'j> Open<'j> {
    fn of(job: &'j Arc<Job>, begun: &Passes, holds: Holds<'_>) -> Self {
        let runs = begun.of(&job.id).len().max(begun.steps_of(&job.id).len());
        Self { job, runs, apart: !holds(&job.id, None) }
    }
}

/// Asks all that is open once, as far as it may be asked; gives what is open still, none where nothing more can run.
async fn round<'j>(walk: &mut Walk<'_>, open: Vec<Open<'j>>, times: usize, holds: Holds<'_>) -> Option<Vec<Open<'j>>> {
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
