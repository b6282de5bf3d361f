//! An entry of `[[ignore]]` as it stands in every report until it ends.

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
    /// In a line: what, until when, why.
    pub fn line(&self) -> String {
        let until = self.until.as_ref().map(|until| format!(" until {until}")).unwrap_or_default();
        format!("{}{until}: {}", self.what, self.reason)
    }
}
