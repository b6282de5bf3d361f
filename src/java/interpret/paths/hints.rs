//! Hints: uses of input texts by code, from which further requests are built.

use std::rc::Rc;

/// A use of a text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    /// It is compared with this text, or looked up in a collection that contains this text.
    Meets(Rc<str>),
    /// It is split or searched at this text.
    Parts(Rc<str>),
    /// White space at its ends is trimmed or tested.
    Blanks,
    /// Its letter case is changed or ignored.
    Case,
    /// It is parsed as a number that is compared with this one.
    Near(i64),
}

/// A text with one use of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hint {
    /// The text.
    pub text: Rc<str>,
    /// The use.
    pub used: Use,
}
