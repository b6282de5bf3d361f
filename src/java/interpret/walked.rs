//! Walks over what objects hold, by the method that makes them.

/// What is worked out of an object by what it holds.
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
    /// The walk that a method makes over what its object holds; `None` for any other method.
    pub(super) fn of(name: &str, arity: usize) -> Option<Self> {
        match (name, arity) {
            ("toString", 0) => Some(Self::Text),
            ("hashCode", 0) => Some(Self::Hash),
            ("equals", 1) => Some(Self::Equality),
            _ => None,
        }
    }
}
