//! Paths: one way through an operation, with the conditions that lead there, what it ends in, and how far that can be relied on.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::condition::Cond;
use super::scalar::ClassRef;
use super::stores::state::StoreState;
use super::value::{Heap, ObjId, Object, Value};
use crate::java::facts::Span;
use crate::java::ids::MemberId;

/// A place in the code: a member and a stretch of its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// The member.
    pub member: MemberId,
    /// Where in its file.
    pub span: Span,
}

/// A condition that was met and went one way.
#[derive(Debug, Clone, PartialEq)]
pub struct Taken {
    /// What holds on this path.
    pub cond: Cond,
    /// Where it was asked; `None` where the framework asks.
    pub site: Option<Site>,
}

/// An exception under way.
#[derive(Debug, Clone, PartialEq)]
pub struct Thrown {
    /// Its class; `None` where code that could not be followed may have thrown it.
    pub class: Option<ClassRef>,
    /// The object, where it is known.
    pub object: Option<ObjId>,
    /// Where it was thrown; `None` for the framework.
    pub site: Option<Site>,
}

/// Which bound a path met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bound {
    /// Calls within calls.
    Depth,
    /// Conditions that are not concrete.
    Forks,
    /// Steps.
    Steps,
    /// Turns of a loop whose condition is not concrete.
    Turns,
    /// Objects, elements and text that it holds.
    Memory,
}

impl Bound {
    /// In words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Depth => "calls are nested too deeply",
            Self::Forks => "too many conditions are open",
            Self::Steps => "it takes too many steps",
            Self::Turns => "a loop turns too often",
            Self::Memory => "it holds too much",
        }
    }
}

/// What a path ends in.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// A value.
    Returned(Value),
    /// An exception.
    Thrown(Thrown),
    /// A bound: what follows is not known.
    Cut(Bound),
}

/// How far the models of library types came with a call; the greater weighs more where a call was met several times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Modelled {
    /// None answered, and the receiver or an argument was not known: no model is missing for that alone.
    Inputs,
    /// One answered: with a value, or that the result cannot be known.
    Answered,
    /// None answered, though all that it was given was known.
    Missing,
}

/// One path.
#[derive(Debug, Clone)]
pub struct Path {
    /// Conditions in the order in which they were met.
    pub conditions: Vec<Taken>,
    /// What it ends in.
    pub outcome: Outcome,
    /// Where it was decided: the last `return` or `throw` in the project.
    pub exit: Option<Site>,
    /// Members that ran.
    pub members: BTreeSet<MemberId>,
    /// Models of library types that it went through.
    pub models: BTreeSet<&'static str>,
    /// Calls into libraries (`java.util.List.add`), and how far models came with them.
    pub library_calls: BTreeMap<Rc<str>, Modelled>,
    /// What was met that could not be followed, as phrases.
    pub unknowns: BTreeSet<Rc<str>>,
    /// Why nothing exact may be said of this path's outcome: what could not be followed might have thrown, or have changed what is answered.
    pub doubts: BTreeSet<Rc<str>>,
    /// Those of the doubts that may be assumed away: what runs around the code that is followed, and may well decide nothing.
    pub assumed: BTreeSet<Rc<str>>,
    /// Effects that code outside the interpreter may have, in order, as phrases: calls into stores and the like.
    pub effects: Vec<Rc<str>>,
    /// The stores, as this path leaves them.
    pub store: StoreState,
    /// Objects of this path, by [`ObjId`].
    pub heap: Heap,
    /// Steps it took.
    pub steps: u64,
}

impl Path {
    /// Whether its outcome is certain for every request that takes it: no bound, no doubt.
    pub fn is_certain(&self) -> bool {
        self.doubts.is_empty() && self.is_certain_assuming()
    }

    /// The same where what may be assumed is so.
    pub fn is_certain_assuming(&self) -> bool {
        let ends = match &self.outcome {
            Outcome::Returned(_) => true,
            Outcome::Thrown(thrown) => thrown.class.is_some(),
            Outcome::Cut(_) => false,
        };
        ends && self.doubts.is_subset(&self.assumed)
    }

    /// Whether every condition on the way could be followed.
    pub fn is_followed(&self) -> bool {
        !self.conditions.iter().any(|taken| taken.cond.is_unknown())
    }

    /// An object of this path.
    pub fn object(&self, id: ObjId) -> Option<&Object> {
        self.heap.get(id)
    }
}

/// All paths of one run.
#[derive(Debug, Clone)]
pub struct Exploration {
    /// In the order of the decisions: the first side of each fork first.
    pub paths: Vec<Path>,
    /// Whether the paths are all there are; else a bound on their number, or on all steps, was met.
    pub complete: bool,
}
