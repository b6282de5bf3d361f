//! The service that jobs run on: its URL, its users, and what was learnt about it during the run.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use super::shown::Shown;
use crate::auth::Users;
use crate::http::{Client, HttpError, Limits};
use mastor_types::op_id::OpId;

/// Number of timeouts of an operation after which it is not requested again.
pub const TIMEOUTS: u32 = 3;

/// The service that jobs run on.
#[derive(Debug)]
pub struct Target {
    base_url: String,
    pub(crate) client: Client,
    pub(crate) users: Users,
    gone: OnceLock<String>,
    timeouts: Mutex<BTreeMap<OpId, u32>>,
    pub(crate) shown: Shown,
}

impl Target {
    /// A service at this URL.
    ///
    /// # Errors
    /// Where the URL is invalid.
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

    /// The base URL of all paths.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// The users of the auth file.
    pub fn users(&self) -> &Users {
        &self.users
    }

    /// Why the service is considered gone; `None` while it is not.
    pub fn gone(&self) -> Option<&str> {
        self.gone.get().map(String::as_str)
    }

    /// Whether a connection succeeds; if not, the service is considered gone from then on.
    pub async fn is_there(&self) -> bool {
        if self.gone.get().is_some() {
            return false;
        }
        let mut there = self.client.reaches(&self.base_url).await;
        if there {
            // A terminating process closes its connections before its listening socket.
            tokio::time::sleep(Duration::from_millis(100)).await;
            there = self.client.reaches(&self.base_url).await;
        }
        if !there {
            self.gone.get_or_init(|| format!("the service is gone: no connection to {}", self.base_url));
        }
        there
    }

    /// Counts a timeout of an operation.
    pub fn timed_out(&self, op_id: &OpId) {
        *self.lock().entry(op_id.clone()).or_default() += 1;
    }

    /// Whether an operation had so many timeouts that it is not requested any more.
    pub fn hangs(&self, op_id: &OpId) -> bool {
        self.lock().get(op_id).is_some_and(|times| *times >= TIMEOUTS)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<OpId, u32>> {
        self.timeouts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
