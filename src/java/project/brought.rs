//! Facts that frameworks add and source code does not show: exception classes, and annotations that make a class a
//! bean.

use rustc_hash::FxHashMap;

/// An exception class of a framework, or another framework class whose superclass matters.
#[derive(Debug, Clone, Copy)]
pub struct LibraryException {
    /// Its full name.
    pub class: &'static str,
    /// The full name of its superclass.
    pub extends: &'static str,
    /// The data that its objects carry.
    pub carries: Carries,
}

/// The data that the objects of an exception class carry, as its constructors set it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carries {
    /// Defined by the class's own model; without a model the object is opaque.
    Unfollowed,
    /// A message and optionally a cause, set by the same constructors as the JDK's exceptions have.
    Message,
    /// A status and optionally a response. The status is this default of the class, else the constructor's argument,
    /// else 500.
    Status(Option<u16>),
}

impl LibraryException {
    /// A class of which only the superclass is known.
    pub const fn new(class: &'static str, extends: &'static str) -> Self {
        Self { class, extends, carries: Carries::Unfollowed }
    }

    /// Sets the data that its objects carry.
    pub const fn carrying(self, carries: Carries) -> Self {
        Self { carries, ..self }
    }
}

/// The facts that the frameworks of a project add.
#[derive(Debug, Clone, Default)]
pub struct FrameworkFacts {
    exceptions: FxHashMap<&'static str, LibraryException>,
    stereotypes: Vec<&'static str>,
}

impl FrameworkFacts {
    /// Adds the exceptions and stereotypes of one framework.
    pub fn add(&mut self, exceptions: &[LibraryException], stereotypes: &[&'static str]) {
        self.exceptions.extend(exceptions.iter().map(|one| (one.class, *one)));
        self.stereotypes.extend(stereotypes);
    }

    /// The exception with this full name.
    pub fn exception(&self, class: &str) -> Option<&LibraryException> {
        self.exceptions.get(class)
    }

    /// Whether an annotation with this simple name makes a class a bean.
    pub fn is_stereotype(&self, simple: &str) -> bool {
        self.stereotypes.contains(&simple)
    }
}
