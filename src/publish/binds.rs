//! What an export needs of users, whatever its form.

use std::collections::BTreeMap;

use super::names::{Names, user_variable};
pub(super) use crate::types::binds::{bound_body, captured};

/// The settings that hold the credentials of users.
#[derive(Debug, Default)]
pub(super) struct Users {
    names: Names,
    variables: BTreeMap<String, String>,
}

impl Users {
    /// The setting of this user.
    pub(super) fn variable(&mut self, user: &str) -> String {
        let names = &mut self.names;
        self.variables.entry(user.to_owned()).or_insert_with(|| user_variable(names, user)).clone()
    }

    /// The setting of every user that was met.
    pub(super) fn variables(&self) -> &BTreeMap<String, String> {
        &self.variables
    }

    /// Every user that was met, with the setting.
    pub(super) fn listed(&self) -> Vec<BTreeMap<&'static str, String>> {
        let pair =
            |(name, variable): (&String, &String)| [("name", name.clone()), ("variable", variable.clone())].into();
        self.variables.iter().map(pair).collect()
    }
}
