//! Edits of a document: what is requested, and the change of the text that results.

use serde_json::Value;

/// A requested change of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Edit {
    /// Keys and indices from the root to the changed value.
    pub at: Vec<String>,
    /// The change.
    pub act: Act,
}

/// A change of one value.
#[derive(Debug, Clone, PartialEq)]
pub enum Act {
    /// Adds a member to the object, or replaces the value of one that it has.
    Set {
        /// Name of the member.
        key: String,
        /// Its value.
        value: Value,
        /// Position of a new member among the others.
        after: After,
    },
    /// Appends an item to the list.
    Append(Value),
    /// Removes the value. A list or object that is left empty is removed too.
    Remove,
}

/// Position of a new member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum After {
    /// After all others.
    All,
    /// After the last of these keys that is present; before all others if none is.
    These(Vec<String>),
}

/// The result of an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// The whole text.
    pub text: String,
    /// The first line that was added or changed, counted from 1. For a removal, the line at which the text was removed.
    pub line: usize,
    /// How many lines the text has gained; negative if it has lost lines.
    pub more: isize,
}

/// Why a text cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The text is not valid in its format.
    #[error("the text cannot be read: {0}")]
    Unreadable(String),
    /// The value is not written at this place itself, but behind an alias or a merge key, or is missing.
    #[error("{0} is not written out there")]
    Elsewhere(String),
}

/// A range of bytes of a text and its replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) with: String,
}

impl Change {
    /// The text after the change.
    pub(super) fn applied(mut self, text: &str) -> Edited {
        if text.contains("\r\n") {
            self.with = self.with.replace("\r\n", "\n").replace('\n', "\r\n");
        }
        let (before, after) = (&text[..self.start], &text[self.end..]);
        let old = &text[self.start..self.end];
        // A replacement that begins with line ends is reported at its first line with content.
        let led = self.with.len() - self.with.trim_start_matches(['\r', '\n', ',']).len();
        let line = 1 + before.matches('\n').count() + self.with[..led].matches('\n').count();
        let lines = |part: &str| isize::try_from(part.matches('\n').count()).unwrap_or(isize::MAX);
        Edited { text: format!("{before}{}{after}", self.with), line, more: lines(&self.with) - lines(old) }
    }
}
