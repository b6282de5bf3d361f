//! The tree of a text: objects, lists and values with the bytes that they stand in.

/// A value, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Node {
    /// The first byte.
    pub(super) start: usize,
    /// The byte behind the last one that is written of it.
    pub(super) end: usize,
    pub(super) kind: Kind,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// An object; `is_flow` where it stands in braces.
    Map { entries: Vec<Entry>, is_flow: bool },
    /// A list; `is_flow` where it stands in brackets.
    List { items: Vec<Node>, is_flow: bool },
    /// A value without parts.
    Scalar,
    /// What stands elsewhere in the text.
    Alias,
}

/// A member of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) key: String,
    /// Where its key begins.
    pub(super) start: usize,
    /// Where its key ends.
    pub(super) key_end: usize,
    pub(super) value: Node,
}

impl Node {
    /// The value at the end of these keys and indices; nothing where it is not written there itself.
    pub(super) fn find(&self, at: &[String]) -> Option<&Self> {
        let Some((key, rest)) = at.split_first() else { return Some(self) };
        match &self.kind {
            // Of a key that stands twice, which one is meant is not known.
            Kind::Map { entries, .. } => {
                let mut all = entries.iter().filter(|entry| entry.key == *key);
                let (only, None) = (all.next()?, all.next()) else { return None };
                only.value.find(rest)
            }
            Kind::List { items, .. } => items.get(key.parse::<usize>().ok()?)?.find(rest),
            Kind::Scalar | Kind::Alias => None,
        }
    }

    /// Where each member or item begins and ends.
    pub(super) fn spans(&self) -> Vec<(usize, usize)> {
        match &self.kind {
            Kind::Map { entries, .. } => entries.iter().map(|entry| (entry.start, entry.value.end)).collect(),
            Kind::List { items, .. } => items.iter().map(|item| (item.start, item.end)).collect(),
            Kind::Scalar | Kind::Alias => Vec::new(),
        }
    }
}
