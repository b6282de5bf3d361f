//! What frameworks bring that no source shows: their exceptions, and the annotations that make a class a bean.

use rustc_hash::FxHashMap;

/// A class of a framework's exceptions, or another one of its classes whose superclass counts.
#[derive(Debug, Clone, Copy)]
pub struct LibraryException {
    /// Its full name.
    pub class: &'static str,
    /// The full name of its superclass.
    pub extends: &'static str,
    /// What its objects carry.
    pub carries: Carries,
}

/// What the objects of an exception carry, as its constructors fill it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carries {
    /// What its own model says; without one it is not followed.
    Unfollowed,
    /// A message and perhaps a cause, by the constructors that those of the JDK have.
    Message,
    /// A status and perhaps a response: the status of the class, or what its constructor gets; 500 without either.
    Status(Option<u16>),
}

impl LibraryException {
    /// A class of which only the superclass is known.
    pub const fn new(class: &'static str, extends: &'static str) -> Self {
        Self { class, extends, carries: Carries::Unfollowed }
    }

    /// The same with what it carries.
    pub const fn carrying(self, carries: Carries) -> Self {
        Self { carries, ..self }
    }
}

/// What the frameworks of a project bring.
#[derive(Debug, Clone, Default)]
pub struct Brought {
    exceptions: FxHashMap<&'static str, LibraryException>,
    stereotypes: Vec<&'static str>,
}

impl Brought {
    /// Adds what one framework brings.
    pub fn add(&mut self, exceptions: &[LibraryException], stereotypes: &[&'static str]) {
        self.exceptions.extend(exceptions.iter().map(|one| (one.class, *one)));
        self.stereotypes.extend(stereotypes);
    }

    /// The exception of this full name.
    pub fn exception(&self, class: &str) -> Option<&LibraryException> {
        self.exceptions.get(class)
    }

    /// Whether an annotation of this simple name makes a class a bean.
    pub fn is_stereotype(&self, simple: &str) -> bool {
        self.stereotypes.contains(&simple)
    }
}
