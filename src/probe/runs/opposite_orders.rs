//! Finds tests that need fresh state, by running the suite in its order and in the reverse order without resets in
//! between.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::check::{CheckOptions, missed};
use super::passes::Walk;
use crate::auth::Users;
use crate::job::Job;
use crate::service::{Running, ServiceError};
use mastor_types::event::Events;

/// Runs confirmed jobs sequentially in the suite's order and then in reverse, each pass starting from fresh state
/// (where a reset exists), without resets inside a pass. So every job runs once before and once after every other.
/// Returns the ids of jobs that failed in a pass: they need the initial state.
///
/// # Errors
/// Where the service's URL is invalid.
pub async fn needing_fresh_state(
    running: &mut Running,
    users: &Users,
    jobs: &[Arc<Job>],
    options: &CheckOptions,
) -> Result<BTreeSet<String>, ServiceError> {
    let mut ordered: Vec<&Arc<Job>> = jobs.iter().collect();
    ordered.sort_by_key(|job| job.writes.then(|| job.turn()));
    let mut needing = BTreeSet::new();
    if ordered.iter().all(|job| !job.writes) {
        return Ok(needing);
    }
    let mut walk = Walk::new(running, users, options, false)?;
    for _ in 0..2 {
        if !walk.refresh().await? {
            break;
        }
        for job in &ordered {
            let outcomes = walk.outcomes(std::slice::from_ref(*job), &Events::silent()).await;
            if !walk.goes_on() {
                return Ok(needing);
            }
            needing.extend(outcomes.iter().filter(|outcome| missed(outcome)).map(|outcome| outcome.id.clone()));
        }
        ordered.reverse();
    }
    Ok(needing)
}
