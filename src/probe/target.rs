//! The service that jobs run on: where it is, who it knows, and what was learnt of it on the way.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use super::auth::Users;
use super::http::{Client, HttpError, Limits};
use super::shown::Shown;
use crate::types::op_id::OpId;

/// Requests of one operation that may run into the time limit before the rest of it is not asked any more.
pub const TIMEOUTS: u32 = 3;

/// The service that jobs run on.
#[derive(Debug)]
pub struct Target {
    base_url: String,
    pub(super) client: Client,
    pub(super) users: Users,
    gone: OnceLock<String>,
    timeouts: Mutex<BTreeMap<OpId, u32>>,
    pub(super) shown: Shown,
}

impl Target {
    /// A service at this URL.
    ///
    /// # Errors
    /// Where the URL is none of a service.
    pub fn new(base_url: &str, users: Users, limits: Limits, connections: usize) -> Result<Self, HttpError> {
        let urls: Vec<&str> = [base_url].into_iter().chain(users.urls()).collect();
        let client = Client::new(&urls, limits, connections)?;
        Ok(Self {
            base_url: base_url.trim_end_matches('/').to_owned(),
            client,
            users,
            gone: OnceLock::new(),
            timeouts: Mutex::default(),
            shown: Shown::default(),
        })
    }

    /// The URL that paths are appended to.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// The users that are known.
    pub fn users(&self) -> &Users {
        &self.users
    }

    /// Why the service counts as gone; none while it does not.
    pub fn gone(&self) -> Option<&str> {
        self.gone.get().map(String::as_str)
    }

    /// Whether a connection can be made; where not, the service counts as gone from now on.
    pub async fn is_there(&self) -> bool {
        if self.gone.get().is_some() {
            return false;
        }
        let mut there = self.client.reaches(&self.base_url).await;
        if there {
            // A process that ends closes what it answers before it closes where it listens.
            tokio::time::sleep(Duration::from_millis(100)).await;
            there = self.client.reaches(&self.base_url).await;
        }
        if !there {
            self.gone.get_or_init(|| format!("the service is gone: no connection to {}", self.base_url));
        }
        there
    }

    /// Notes that an operation ran into the time limit.
    pub fn timed_out(&self, op_id: &OpId) {
        *self.lock().entry(op_id.clone()).or_default() += 1;
    }

    /// Whether an operation ran into the time limit so often that it is not asked any more.
    pub fn hangs(&self, op_id: &OpId) -> bool {
        self.lock().get(op_id).is_some_and(|times| *times >= TIMEOUTS)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<OpId, u32>> {
        self.timeouts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
