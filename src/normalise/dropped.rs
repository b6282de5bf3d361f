//! A dropped candidate: its name and the rule that dropped it.

/// One dropped candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drop {
    /// Test id of the candidate.
    pub test_id: String,
    /// Why it was dropped. Every rule has one fixed text, so that reasons can be counted.
    pub reason: String,
}
