//! Sends requests as the users of the auth file.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use super::accounts;
use super::credentials::Credentials;
use super::entry::{Entry, Login, SendIn};
use super::file::{self, AuthError};
use super::login;
use super::secret::{MASK, Secrets};
use crate::http::{Client, Request};
use mastor_types::results::outcome::{Answer, NoAnswer};
use mastor_types::suite::request::{ANONYMOUS, percent};

/// Number of useless logins after a 401 before 401 is accepted as the service's answer.
const USELESS: u32 = 3;

/// The users of the auth file with their current logins. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Users {
    secrets: Arc<Secrets>,
    by_name: Arc<BTreeMap<String, Result<User, String>>>,
}

#[derive(Debug)]
struct User {
    entry: Entry,
    session: tokio::sync::Mutex<Session>,
    useless: AtomicU32,
}

/// The current login, numbered to detect whether another task has renewed it.
#[derive(Debug, Default)]
struct Session {
    number: u32,
    logged_in: Option<Result<Credentials, String>>,
    /// The status of the request that created the user on the current state of the service.
    made: Option<u16>,
}

impl Users {
    /// No users but the anonymous one.
    pub fn none() -> Self {
        Self::default()
    }

    /// Parses an auth file, with credentials from the environment where it says so.
    ///
    /// # Errors
    /// Where the file does not have the required format.
    pub fn read(path: &str, text: &str, environment: impl Fn(&str) -> Option<String>) -> Result<Self, AuthError> {
        let secrets = Secrets::default();
        let entries = file::read(path, text, &secrets, environment)?;
        let user = |entry| User { entry, session: Default::default(), useless: AtomicU32::new(0) };
        let by_name = entries.into_iter().map(|(name, entry)| (name, entry.map(user))).collect();
        Ok(Self { secrets: Arc::new(secrets), by_name: Arc::new(by_name) })
    }

    /// The names of the users, sorted.
    pub fn names(&self) -> Vec<&str> {
        self.by_name.keys().map(String::as_str).collect()
    }

    /// URLs of login requests on other servers.
    pub fn urls(&self) -> Vec<&str> {
        let entries = || self.by_name.values().flatten().map(|user| &user.entry);
        let logins = entries().filter_map(|entry| entry.login_endpoint_auth.as_ref()?.external_endpoint_url.as_deref());
        let made = entries().filter_map(|entry| entry.create_users.as_ref()?.external_endpoint_url.as_deref());
        logins.chain(made).collect()
    }

    /// All secrets used so far.
    pub fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// Forgets all logins, because the service was restarted.
    pub async fn forget(&self) {
        for user in self.by_name.values().flatten() {
            *user.session.lock().await = Session::default();
        }
    }

    /// Forgets the logins of created users, because a reset removed these users.
    pub async fn forget_created_users(&self) {
        for user in self.by_name.values().flatten().filter(|user| user.entry.create_users.is_some()) {
            *user.session.lock().await = Session::default();
        }
    }

    /// Creates the users that were not created yet, so that all requests run with the same users. Failures are ignored here: they show at the login.
    pub async fn create_users(&self, client: &Client, base_url: &str) {
        for user in self.by_name.values().flatten().filter(|user| user.entry.create_users.is_some()) {
            let _ = self.create_user(client, base_url, user, &mut *user.session.lock().await).await;
        }
    }

    /// Adds the masked headers and query parameters of this user to a request that is shown.
    pub fn shown(&self, user: &str, url: &mut String, headers: &mut Vec<(String, String)>) {
        let Some(Ok(user)) = self.by_name.get(user) else { return };
        let mut add = |name: &str| {
            if !headers.iter().any(|(own, _)| own.eq_ignore_ascii_case(name)) {
                headers.push((name.to_owned(), MASK.to_owned()));
            }
        };
        user.entry.fixed_headers.iter().for_each(|header| add(&header.name));
        let Some(login) = &user.entry.login_endpoint_auth else { return };
        match &login.token {
            Some(token) if token.send_in == SendIn::Header => add(&token.send_name),
            Some(token) => {
                let separator = if url.contains('?') { '&' } else { '?' };
                url.push_str(&format!("{separator}{}={MASK}", percent(&token.send_name)));
            }
            None => {}
        }
        if login.expect_cookies == Some(true) {
            add("Cookie");
        }
    }

    /// The values of a user's settings for exported tests, keyed by the suffix of the setting's name; empty for an
    /// unknown user.
    pub fn settings(&self, name: &str) -> BTreeMap<String, String> {
        let user = self.by_name.get(name).and_then(|user| user.as_ref().ok());
        user.and_then(|user| accounts::described(&user.entry)).map(|(_, values)| values).unwrap_or_default()
    }

    /// Sends a request as a user. Logs in where needed; with `renew`, logs in and sends once more after a 401.
    ///
    /// # Errors
    /// Errors of [`Client::send`], and for an unknown user or a failed login.
    pub async fn send(
        &self,
        client: &Client,
        base_url: &str,
        name: &str,
        request: &Request,
        renew: bool,
    ) -> Result<Answer, NoAnswer> {
        if name == ANONYMOUS {
            return client.send(request).await;
        }
        let user = match self.by_name.get(name) {
            Some(Ok(user)) => user,
            Some(Err(why)) => return Err(NoAnswer::NoLogin { user: name.to_owned(), why: why.clone() }),
            None => return Err(NoAnswer::NoUser { user: name.to_owned() }),
        };
        let mut sent = request.clone();
        let fixed = user.entry.fixed_headers.iter().map(|header| (header.name.clone(), header.value.clone()));
        Credentials { headers: fixed.collect(), ..Credentials::default() }.apply(&mut sent);
        let Some(login) = &user.entry.login_endpoint_auth else { return client.send(&sent).await };
        let (number, credentials) = self.session(client, base_url, user, login, None).await?;
        let mut first = sent.clone();
        credentials.apply(&mut first);
        let answer = client.send(&first).await?;
        if answer.status != 401 || !renew || user.useless.load(Ordering::Relaxed) >= USELESS {
            return Ok(answer);
        }
        let (_, credentials) = self.session(client, base_url, user, login, Some(number)).await?;
        credentials.apply(&mut sent);
        let again = client.send(&sent).await?;
        if again.status == 401 {
            user.useless.fetch_add(1, Ordering::Relaxed);
        } else {
            user.useless.store(0, Ordering::Relaxed);
        }
        Ok(again)
    }

    /// Creates the user, if an entry asks for it and it was not done on the current state.
    async fn create_user(
        &self,
        client: &Client,
        base_url: &str,
        user: &User,
        session: &mut Session,
    ) -> Result<(), NoAnswer> {
        if let (Some(made), None) = (&user.entry.create_users, session.made) {
            session.made = Some(login::create(client, base_url, made).await?);
        }
        Ok(())
    }

    /// The current login with its number. Logs in if there is none, or if its number is `expired`.
    async fn session(
        &self,
        client: &Client,
        base_url: &str,
        user: &User,
        login: &Login,
        expired: Option<u32>,
    ) -> Result<(u32, Credentials), NoAnswer> {
        let mut session = user.session.lock().await;
        if session.logged_in.is_none() || expired == Some(session.number) {
            self.create_user(client, base_url, user, &mut session).await?;
            // A failed login is stored and not repeated for each oracle: repeated failures may lock the account, and each takes time.
            let logged_in = match login::login(client, base_url, login, &self.secrets).await {
                Ok(logged_in) => logged_in,
                Err(refused @ NoAnswer::Refused { .. }) if login.external_endpoint_url.is_none() => {
                    return Err(refused);
                }
                Err(no_answer) => Err(no_answer.to_string()),
            };
            session.number += 1;
            let made = session.made.filter(|status| *status >= 400);
            let refused = made.map_or_else(String::new, |status| format!("; what makes the user answered {status}"));
            session.logged_in = Some(logged_in.map_err(|why| self.secrets.hide(&why) + &refused));
        }
        match &session.logged_in {
            Some(Ok(credentials)) => Ok((session.number, credentials.clone())),
            Some(Err(why)) => Err(NoAnswer::NoLogin { user: user.entry.name.clone(), why: why.clone() }),
            None => Err(NoAnswer::NoUser { user: user.entry.name.clone() }),
        }
    }
}
