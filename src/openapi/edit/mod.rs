//! Edits of a document's text: one change at one place, all else as it stands, with its comments, order and quotes.

mod block;
mod flow;
mod json_tree;
mod manner;
mod tree;
mod yaml_tree;

use serde_json::Value;

use self::tree::{Kind, Node};
pub use manner::Manner;

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

/// Applies an edit to a text of JSON or YAML.
///
/// # Errors
/// Where the text is not read, or the place stands behind an alias, a merged key, or not at all.
pub fn apply(text: &str, edit: &Edit, manner: Manner) -> Result<Edited, EditError> {
    let root = if manner.is_json { json_tree::read(text)? } else { yaml_tree::read(text)? };
    let elsewhere = || EditError::Elsewhere(edit.at.join("/"));
    let change = match &edit.act {
        Act::Remove => removal(text, &root, &edit.at).ok_or_else(elsewhere)?,
        Act::Set { key, value, after } => {
            let node = root.find(&edit.at).ok_or_else(elsewhere)?;
            let Kind::Map { entries, is_flow } = &node.kind else { return Err(elsewhere()) };
            match entries.iter().find(|entry| entry.key == *key) {
                Some(entry) if matches!(entry.value.kind, Kind::Alias) => return Err(elsewhere()),
                Some(entry) if *is_flow => flow::replaced(text, entry, value, manner),
                Some(entry) => block::replaced(text, entry, value, manner),
                None if *is_flow => flow::member(text, node, (key, value), after, manner),
                None => block::member(text, entries, (key, value), after, manner),
            }
        }
        Act::Append(value) => {
            let node = root.find(&edit.at).ok_or_else(elsewhere)?;
            match &node.kind {
                Kind::List { is_flow: true, .. } => flow::item(text, node, value, manner),
                Kind::List { items, is_flow: false } => block::item(text, items, value, manner),
                _ => return Err(elsewhere()),
            }
        }
    };
    Ok(change.applied(text))
}

/// What takes a node out, with the list or object that has nothing else.
fn removal(text: &str, root: &Node, at: &[String]) -> Option<Change> {
    let (last, above) = at.split_last()?;
    let holder = root.find(above)?;
    let (index, count, is_flow) = match &holder.kind {
        Kind::List { items, is_flow } => (last.parse().ok()?, items.len(), *is_flow),
        Kind::Map { entries, is_flow } => {
            (entries.iter().position(|entry| entry.key == *last)?, entries.len(), *is_flow)
        }
        _ => return None,
    };
    if count == 1 && !above.is_empty() {
        return removal(text, root, above);
    }
    let spans = holder.spans();
    let span = spans.get(index)?;
    Some(if is_flow { flow::removed(text, &spans, index) } else { block::removed(text, *span) })
}

/// A part of a text, and what stands there instead.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Change {
    start: usize,
    end: usize,
    with: String,
}

impl Change {
    fn applied(mut self, text: &str) -> Edited {
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
