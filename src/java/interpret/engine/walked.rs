//! Kinds of recursive walks over an object's contents.

/// The method that walks over an object's contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Walked {
    /// `toString`.
    Text,
    /// `hashCode`.
    Hash,
    /// `equals`.
    Equality,
}

impl Walked {
    /// The walk of the method with this name and arity; `None` for any other method.
    pub(in crate::interpret) fn of(name: &str, arity: usize) -> Option<Self> {
        match (name, arity) {
            ("toString", 0) => Some(Self::Text),
            ("hashCode", 0) => Some(Self::Hash),
            ("equals", 1) => Some(Self::Equality),
            _ => None,
        }
    }
}
