//! Opposite orders: a suite in its order and in the opposite one, nothing brought back in between, shows which tests need a fresh state.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::auth::Users;
use super::check::{CheckOptions, missed};
use super::job::Job;
use super::passes::Walk;
use super::service::{Running, ServiceError};
use crate::event::Events;

/// Runs confirmed jobs one after another in the order in which a suite runs, then in the opposite order, each order on a fresh state where the
/// service has a reset, and nothing brought back within it. Of any two jobs each then ran behind the other once. Gives the ids of those that did
/// not hold in one of the orders: they need the state that the service starts with.
///
/// # Errors
/// Where the service's URL is none.
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
