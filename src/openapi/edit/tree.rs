//! The syntax tree of a text: objects, lists and values with their byte ranges.

/// A value and its byte range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Node {
    /// The first byte.
    pub(super) start: usize,
    /// The byte after the value's last one.
    pub(super) end: usize,
    pub(super) kind: Kind,
}

/// The kind of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// An object; `is_flow` if it is written in braces.
    Map { entries: Vec<Entry>, is_flow: bool },
    /// A list; `is_flow` if it is written in brackets.
    List { items: Vec<Node>, is_flow: bool },
    /// A scalar value.
    Scalar,
    /// An alias of a value that is written elsewhere in the text.
    Alias,
}

/// A member of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) key: String,
    /// The first byte of its key.
    pub(super) start: usize,
    /// The byte after its key.
    pub(super) key_end: usize,
    pub(super) value: Node,
}

impl Node {
    /// The value at this path of keys and indices; `None` if the value is not written there itself.
    pub(super) fn find(&self, at: &[String]) -> Option<&Self> {
        let Some((key, rest)) = at.split_first() else { return Some(self) };
        match &self.kind {
            // A duplicate key is ambiguous.
            Kind::Map { entries, .. } => {
                let mut all = entries.iter().filter(|entry| entry.key == *key);
                let (only, None) = (all.next()?, all.next()) else { return None };
                only.value.find(rest)
            }
            Kind::List { items, .. } => items.get(key.parse::<usize>().ok()?)?.find(rest),
            Kind::Scalar | Kind::Alias => None,
        }
    }

    /// Byte ranges of the members or items.
    pub(super) fn spans(&self) -> Vec<(usize, usize)> {
        match &self.kind {
            Kind::Map { entries, .. } => entries.iter().map(|entry| (entry.start, entry.value.end)).collect(),
            Kind::List { items, .. } => items.iter().map(|item| (item.start, item.end)).collect(),
            Kind::Scalar | Kind::Alias => Vec::new(),
        }
    }
}
