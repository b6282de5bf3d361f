//! An entry of `[[ignore]]`, which every report names while it is in force.

use serde::{Deserialize, Serialize};

/// An entry in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Ignored {
    /// What is ignored, in words.
    pub what: String,
    /// Why.
    pub reason: String,
    /// Last day (ISO 8601), where one is set.
    pub until: Option<String>,
}

impl Ignored {
    /// One line: what is ignored, until when, and why.
    pub fn line(&self) -> String {
        let until = self.until.as_ref().map(|until| format!(" until {until}")).unwrap_or_default();
        format!("{}{until}: {}", self.what, self.reason)
    }
}
