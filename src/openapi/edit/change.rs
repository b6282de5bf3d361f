//! Changes of a document: what is asked, and what it comes to in the text.

use serde_json::Value;

/// A change of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Edit {
    /// Where: keys and indices from the root.
    pub at: Vec<String>,
    /// What.
    pub act: Act,
}

/// What is changed there.
#[derive(Debug, Clone, PartialEq)]
pub enum Act {
    /// The object gets a member, or another value of one that it has.
    Set {
        /// Name of the member.
        key: String,
        /// Its value.
        value: Value,
        /// Where among the members a new one stands.
        after: After,
    },
    /// The list gets an item at its end.
    Append(Value),
    /// It goes; where that leaves a list without items, the list goes.
    Remove,
}

/// Where a new member stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum After {
    /// Behind all others.
    All,
    /// Behind the last of these that is there, else before all others.
    These(Vec<String>),
}

/// A text that was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// The whole text.
    pub text: String,
    /// The first line that was added or changed, from 1; of what went, the line that it stood in.
    pub line: usize,
    /// How many lines there are more; fewer where it is negative.
    pub more: isize,
}

/// Why a text cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// It is not read as what it was taken for.
    #[error("the text cannot be read: {0}")]
    Unreadable(String),
    /// The place is not written there itself.
    #[error("{0} is not written out there")]
    Elsewhere(String),
}

/// A part of a text, and what stands there instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) with: String,
}

impl Change {
    /// The text with it.
    pub(super) fn applied(mut self, text: &str) -> Edited {
        if text.contains("\r\n") {
            self.with = self.with.replace("\r\n", "\n").replace('\n', "\r\n");
        }
        let (before, after) = (&text[..self.start], &text[self.end..]);
        let old = &text[self.start..self.end];
        // What begins with a line end is told by the line after it.
        let led = self.with.len() - self.with.trim_start_matches(['\r', '\n', ',']).len();
        let line = 1 + before.matches('\n').count() + self.with[..led].matches('\n').count();
        let lines = |part: &str| isize::try_from(part.matches('\n').count()).unwrap_or(isize::MAX);
        Edited { text: format!("{before}{}{after}", self.with), line, more: lines(&self.with) - lines(old) }
    }
}
