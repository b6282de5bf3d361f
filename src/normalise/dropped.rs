//! A dropped candidate: its name and the rule that dropped it.

/// One dropped candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drop {
    /// Its name.
    pub test_id: String,
    /// Why it was dropped; one text a rule, so that reasons can be counted.
    pub reason: String,
}
