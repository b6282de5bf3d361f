//! What an export needs of users, whatever its form.

use std::collections::BTreeMap;

use serde::Serialize;

use super::names::{Names, user_prefix};
use crate::types::account::{Account, Accounts};
pub(super) use crate::types::binds::{bound_body, captured};
use crate::types::oracle::{Assertion, Check};

/// What a setting says that holds the whole value of an `Authorization` header.
const AUTHORIZATION: &str = "AUTHORIZATION";

/// The users that were met, with the settings that hold their credentials.
#[derive(Debug)]
pub(super) struct Users<'a> {
    accounts: &'a Accounts,
    names: Names,
    prefixes: BTreeMap<String, String>,
}

/// A user of whom more is known than that a setting says an `Authorization` header.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Known<'u> {
    /// Its name in the auth file.
    pub name: &'u str,
    /// How its settings begin.
    pub prefix: &'u str,
    /// How it is authenticated.
    pub account: &'u Account,
}

/// A user on the page of the module.
#[derive(Debug, Serialize)]
pub(super) struct Listed {
    name: String,
    settings: Vec<String>,
    /// The request that it logs in by.
    login: Option<String>,
}

impl<'a> Users<'a> {
    /// Nobody was met yet.
    pub(super) fn new(accounts: &'a Accounts) -> Self {
        Self { accounts, names: Names::default(), prefixes: BTreeMap::new() }
    }

    /// The setting of this user that holds an `Authorization` header.
    pub(super) fn variable(&mut self, user: &str) -> String {
        self.meet(user);
        format!("{}_{AUTHORIZATION}", self.prefixes[user])
    }

    /// The user, where more is known of it than that a setting says its `Authorization` header.
    pub(super) fn known(&mut self, user: &str) -> Option<Known<'_>> {
        self.meet(user);
        let (name, prefix) = self.prefixes.get_key_value(user)?;
        let account = self.accounts.get(user).filter(|account| !account.is_authorization())?;
        Some(Known { name, prefix, account })
    }

    fn meet(&mut self, user: &str) {
        if !self.prefixes.contains_key(user) {
            let prefix = user_prefix(&mut self.names, user);
            self.prefixes.insert(user.to_owned(), prefix);
        }
    }

    /// Every user that was met and of whom more is known.
    pub(super) fn all_known(&self) -> Vec<Known<'_>> {
        let known = |(name, prefix)| {
            let account = self.accounts.get(name).filter(|account: &&Account| !account.is_authorization())?;
            Some(Known { name, prefix, account })
        };
        self.prefixes.iter().map(|(name, prefix)| (name.as_str(), prefix.as_str())).filter_map(known).collect()
    }

    /// The settings of every user that was met, by what they say.
    pub(super) fn variables(&self) -> BTreeMap<String, BTreeMap<String, String>> {
        let of = |(user, prefix): (&String, &String)| {
            let says = self.accounts.get(user).map_or_else(|| vec![AUTHORIZATION], Account::settings);
            let settings = says.into_iter().map(|says| (says.to_owned(), format!("{prefix}_{says}")));
            (user.clone(), settings.collect())
        };
        self.prefixes.iter().map(of).collect()
    }

    /// Every user that was met, with its settings.
    pub(super) fn listed(&self) -> Vec<Listed> {
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
    /// The names of its settings.
    pub(super) fn settings(&self) -> &[String] {
        &self.settings
    }
}

/// Whether a 401 is among what is expected: then it is no reason to log in anew.
pub(super) fn expects_401(assertions: &[Assertion]) -> bool {
    assertions.iter().any(|one| matches!(&one.check, Check::Status { expected } if expected.codes().contains(&401)))
}
