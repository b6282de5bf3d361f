//! Checks whether a service serves its operations below a path at all.

use std::sync::Arc;

use super::check::{CheckOptions, target};
use super::run::{Keep, Options, run};
use crate::auth::Users;
use crate::job::Job;
use crate::service::{Running, ServiceError};
use mastor_types::OpId;
use mastor_types::event::Events;
use mastor_types::suite::input::Input;
use mastor_types::suite::oracle::{Effect, Oracle};
use mastor_types::suite::request::ANONYMOUS;

/// Whether any of these operations (without path parameters) answers other than 404; `None` where none answered.
///
/// # Errors
/// Where the service's URL is invalid.
pub async fn is_served(
    running: &Running,
    users: &Users,
    operations: &[OpId],
    options: &CheckOptions,
) -> Result<Option<bool>, ServiceError> {
    let ask = |op_id| Job::of_oracle(&Oracle::question(op_id, ANONYMOUS, Input::default(), Effect::Reads));
    let jobs: Vec<Arc<Job>> = operations.iter().map(|op_id| Arc::new(ask(op_id))).collect();
    let keep = Options { keep: Keep::All, ..options.run.clone() };
    let outcomes = run(&target(running, users, options)?, &jobs, &keep, &Events::silent()).await;
    let answers = outcomes.into_iter().flat_map(|outcome| outcome.exchanges).filter_map(|asked| asked.answer.ok());
    let statuses: Vec<u16> = answers.map(|answer| answer.status).collect();
    Ok((!statuses.is_empty()).then(|| statuses.iter().any(|status| *status != 404)))
}
