//! Counts of dropped candidates by reason.

use serde::{Deserialize, Serialize};

/// A dropped candidate's reason and how many there were.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Dropped {
    /// Why.
    pub reason: String,
    /// How many.
    pub count: usize,
}
