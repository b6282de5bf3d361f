//! Users of an export, independent of its form.

use std::collections::BTreeMap;

use serde::Serialize;

use super::names::{Names, user_prefix};
use mastor_types::account::{Account, Accounts};
use mastor_types::suite::assertion::{Assertion, Check};
pub(crate) use mastor_types::suite::binds::{bound_body, captured};

/// Name suffix of a setting that holds the whole value of an `Authorization` header.
const AUTHORIZATION: &str = "AUTHORIZATION";

/// The users that occur in an export, and the settings for their credentials.
#[derive(Debug)]
pub(crate) struct Users<'a> {
    accounts: &'a Accounts,
    names: Names,
    prefixes: BTreeMap<String, String>,
}

/// A user with more than a single `Authorization` header from a setting.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct LoginUser<'u> {
    /// Name in the auth file.
    pub name: &'u str,
    /// Prefix of the names of its settings.
    pub prefix: &'u str,
    /// How the user authenticates.
    pub account: &'u Account,
}

/// A user in an export's README.
#[derive(Debug, Serialize)]
pub(crate) struct Listed {
    name: String,
    settings: Vec<String>,
    /// The login request, if any.
    login: Option<String>,
}

impl<'a> Users<'a> {
    /// Starts without users.
    pub(crate) fn new(accounts: &'a Accounts) -> Self {
        Self { accounts, names: Names::default(), prefixes: BTreeMap::new() }
    }

    /// The setting that holds the user's `Authorization` header.
    pub(super) fn variable(&mut self, user: &str) -> String {
        self.meet(user);
        format!("{}_{AUTHORIZATION}", self.prefixes[user])
    }

    /// The user's account, if it is more than an `Authorization` header from a setting.
    pub(crate) fn known(&mut self, user: &str) -> Option<LoginUser<'_>> {
        self.meet(user);
        let (name, prefix) = self.prefixes.get_key_value(user)?;
        let account = self.accounts.get(user).filter(|account| !account.is_authorization())?;
        Some(LoginUser { name, prefix, account })
    }

    fn meet(&mut self, user: &str) {
        if !self.prefixes.contains_key(user) {
            let prefix = user_prefix(&mut self.names, user);
            self.prefixes.insert(user.to_owned(), prefix);
        }
    }

    /// All users so far whose account is more than an `Authorization` header from a setting.
    pub(super) fn all_known(&self) -> Vec<LoginUser<'_>> {
        let known = |(name, prefix)| {
            let account = self.accounts.get(name).filter(|account: &&Account| !account.is_authorization())?;
            Some(LoginUser { name, prefix, account })
        };
        self.prefixes.iter().map(|(name, prefix)| (name.as_str(), prefix.as_str())).filter_map(known).collect()
    }

    /// The settings of every user so far, keyed by name suffix.
    pub(super) fn variables(&self) -> BTreeMap<String, BTreeMap<String, String>> {
        let of = |(user, prefix): (&String, &String)| {
            let says = self.accounts.get(user).map_or_else(|| vec![AUTHORIZATION], Account::settings);
            let settings = says.into_iter().map(|says| (says.to_owned(), format!("{prefix}_{says}")));
            (user.clone(), settings.collect())
        };
        self.prefixes.iter().map(of).collect()
    }

    /// Every user so far, with its settings.
    pub(crate) fn listed(&self) -> Vec<Listed> {
        let listed = |(user, prefix): (&String, &String)| {
            let account = self.accounts.get(user);
            let says = account.map_or_else(|| vec![AUTHORIZATION], Account::settings);
            let login = account.and_then(|account| account.login.as_ref()).map(|login| login.in_words());
            Listed { name: user.clone(), settings: says.iter().map(|says| format!("{prefix}_{says}")).collect(), login }
        };
        self.prefixes.iter().map(listed).collect()
    }
}

impl Listed {
    /// Names of its settings.
    pub(super) fn settings(&self) -> &[String] {
        &self.settings
    }
}

/// Whether the test expects a 401, which then must not trigger a new login.
pub(super) fn expects_401(assertions: &[Assertion]) -> bool {
    assertions.iter().any(|one| matches!(&one.check, Check::Status { expected } if expected.codes().contains(&401)))
}
