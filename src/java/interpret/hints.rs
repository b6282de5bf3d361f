//! Hints: what code does with texts that it was given, noted for those who look for further requests.

use std::rc::Rc;

/// What is done with a text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    /// It is compared with this text, or looked up where this text is found.
    Meets(Rc<str>),
    /// It is divided, or searched, at this text.
    Parts(Rc<str>),
    /// Blanks at its ends are cut off, or looked for.
    Blanks,
    /// The case of its letters is changed, or does not matter.
    Case,
    /// It is the text of a number that is compared with this one.
    Near(i64),
}

/// A text, and what is done with it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hint {
    /// The text.
    pub text: Rc<str>,
    /// What is done with it.
    pub used: Use,
}
