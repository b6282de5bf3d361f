//! Paths: one path through an operation, with its path conditions, its outcome, and how reliable that is.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::condition::Cond;
use crate::interpret::stores::state::StoreState;
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::value::{Heap, ObjId, Object, Value};
use crate::ir::facts::Span;
use crate::ir::ids::MemberId;

/// A site: a member and a span of its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// The member.
    pub member: MemberId,
    /// The span in its file.
    pub span: Span,
}

/// A condition that was decided one way.
#[derive(Debug, Clone, PartialEq)]
pub struct Taken {
    /// The condition that holds on this path.
    pub cond: Cond,
    /// The site of the condition; `None` if the framework evaluates it.
    pub site: Option<Site>,
}

/// A thrown exception.
#[derive(Debug, Clone, PartialEq)]
pub struct Thrown {
    /// Its class; `None` if code that could not be followed may have thrown it.
    pub class: Option<ClassRef>,
    /// The object, if known.
    pub object: Option<ObjId>,
    /// The site; `None` for an exception of the framework.
    pub site: Option<Site>,
}

/// The bound that a path reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bound {
    /// Call depth.
    Depth,
    /// Number of symbolic conditions.
    Forks,
    /// Number of steps.
    Steps,
    /// Iterations of a loop with a symbolic condition.
    Turns,
    /// Number of objects and elements, or size of texts.
    Memory,
    /// The end of the member with which the run ends.
    Reached,
}

impl Bound {
    /// A description.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Depth => "calls are nested too deeply",
            Self::Forks => "too many conditions are open",
            Self::Steps => "it takes too many steps",
            Self::Turns => "a loop turns too often",
            Self::Memory => "it holds too much",
            Self::Reached => "it was followed up to a member only",
        }
    }
}

/// The outcome of a path.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// A value.
    Returned(Value),
    /// An exception.
    Thrown(Thrown),
    /// A bound was reached: what follows is unknown.
    Cut(Bound),
}

/// Whether the models of library types could answer a call. If it occurs several times, the greatest value counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Modelled {
    /// No model answered, but the receiver or an argument was unknown: for known ones there may be a model.
    Inputs,
    /// A model answered: with a value, or that the result cannot be known.
    Answered,
    /// No model answered although all arguments were known.
    Missing,
}

/// One path.
#[derive(Debug, Clone)]
pub struct Path {
    /// Path conditions in the order in which they were decided.
    pub conditions: Vec<Taken>,
    /// The outcome.
    pub outcome: Outcome,
    /// The site that decided the outcome: the last `return` or `throw` in the project.
    pub exit: Option<Site>,
    /// Members that ran.
    pub members: BTreeSet<MemberId>,
    /// Models of library types that it used.
    pub models: BTreeSet<&'static str>,
    /// Library calls (`java.util.List.add`), with whether models could answer them.
    pub library_calls: BTreeMap<Rc<str>, Modelled>,
    /// What could not be followed, as phrases.
    pub unknowns: BTreeSet<Rc<str>>,
    /// Reasons why the outcome is not exact: code that could not be followed might have thrown, or changed the
    /// answer.
    pub doubts: BTreeSet<Rc<str>>,
    /// The doubts that may be assumed away, such as middleware that probably has no effect here.
    pub assumed: BTreeSet<Rc<str>>,
    /// Effects outside the interpreter, in order, as phrases: calls to stores and the like.
    pub effects: Vec<Rc<str>>,
    /// Final state of the stores.
    pub store: StoreState,
    /// Objects of this path, by [`ObjId`].
    pub heap: Heap,
    /// Number of steps.
    pub steps: u64,
}

impl Path {
    /// Whether the outcome is certain for every request on this path: no bound was reached, and there is no doubt.
    pub fn is_certain(&self) -> bool {
        self.doubts.is_empty() && self.is_certain_assuming()
    }

    /// Whether the outcome is certain under the assumptions.
    pub fn is_certain_assuming(&self) -> bool {
        let ends = match &self.outcome {
            Outcome::Returned(_) => true,
            Outcome::Thrown(thrown) => thrown.class.is_some(),
            Outcome::Cut(_) => false,
        };
        ends && self.doubts.is_subset(&self.assumed)
    }

    /// Whether no path condition is unknown.
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
    /// In the order of decisions: the first alternative of each fork first.
    pub paths: Vec<Path>,
    /// Whether these are all paths; otherwise a bound on their number or total steps was reached.
    pub complete: bool,
}
