//! State of opaque values on one path: objects created for them, epochs of collaborators, and events.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::interpret::paths::condition::Cond;
use crate::interpret::paths::path::{Site, Taken, Thrown};
use crate::interpret::values::term::{Canon, Opaque, Term, canonical_callee};
use crate::interpret::values::value::{ObjId, Type, Value};
use crate::ir::body::ExprId;
use crate::ir::ids::MemberId;

/// An external effect of a path; events are kept in order.
#[derive(Debug, Clone)]
pub struct Event {
    /// The method called, or the object left changed.
    pub callee: Rc<str>,
    /// Receiver and arguments, as a snapshot at that time.
    pub operands: Vec<Canon>,
    /// A readable form.
    pub words: Rc<str>,
    /// The site.
    pub site: Option<Site>,
    /// Number of conditions that the path had taken by then.
    pub taken: usize,
    /// The library class of the bean that a factory method was making, if one was.
    pub bean: Option<Rc<str>>,
}

/// Name of the event for the state in which code leaves the response.
pub const RESPONSE: &str = "the response";

/// Prefix of the names of events that record the final state of a changed object.
pub const LEFT: &str = "changed #";

impl Event {
    /// The display name of the object whose changed state the event records.
    pub fn left(&self) -> Option<Rc<str>> {
        self.callee.starts_with(LEFT).then(|| self.words.clone())
    }

    /// A text that is equal only for equal events.
    pub fn text(&self) -> String {
        let operands: Vec<String> = self.operands.iter().map(Canon::text).collect();
        format!("{}({})", canonical_callee(&self.callee, &self.operands), operands.join(","))
    }
}

/// Name of the part of a call that says whether it throws.
pub const THROWS: &str = "throws";
/// Name of the part of a failed call that is its exception.
pub const THROWN: &str = "what is thrown";

/// Whether a condition says that a call fails.
pub fn says_failing(cond: &Cond) -> bool {
    matches!(cond, Cond::Test(term) if matches!(&**term, Term::Opaque(part) if &*part.callee == THROWS))
}

/// State of opaque values on one path.
#[derive(Debug, Clone, Default)]
pub struct OpaqueState {
    /// Static fields that were written after the initialisation of their class.
    pub set_later: BTreeSet<MemberId>,
    /// Objects created for opaque values on first access, by the keys of these values.
    pub lazy: BTreeMap<u128, Value>,
    /// Opaque values that are the same object on this path.
    pub same: Vec<(Rc<Term>, Rc<Term>)>,
    /// For each such object, the value that it was created for.
    pub made_for: BTreeMap<ObjId, Rc<Term>>,
    /// For each list created for an opaque collection, its original elements.
    pub elements: BTreeMap<ObjId, Vec<Value>>,
    /// The lists that were created for opaque sets.
    pub sets: BTreeSet<ObjId>,
    /// Short names of objects of project types, with the keys of the values that they name.
    pub nouns: RefCell<BTreeMap<String, u128>>,
    /// For each collaborator, how often its results may have changed.
    pub epochs: BTreeMap<Rc<str>, u32>,
    /// How often the results of all collaborators may have changed.
    pub epoch: u32,
    /// For each clock and random source, how often it was read.
    pub readings: BTreeMap<Rc<str>, u32>,
    /// For each query that found rows within a transaction, by its key, the serial number of the transaction's frame.
    pub found_in: BTreeMap<u128, u64>,
    /// Opaque objects that calls which are not followed were handed, by their keys.
    pub handed: BTreeSet<u128>,
    /// Static fields that code has set since the service started.
    pub set_by_code: BTreeSet<MemberId>,
    /// Events so far.
    pub events: Vec<Event>,
    /// The library class of the bean that a factory method is making.
    pub making: Option<Rc<str>>,
    /// The library classes of the beans that factory methods have made on this path.
    pub beans: BTreeSet<Rc<str>>,
    /// Static library calls that are not events, with their arguments. They may fail even if their result is unused.
    pub quiet: Vec<(Rc<str>, String)>,
    /// Number of library calls whose arguments were all null.
    pub given_null: usize,
    /// The current exception of an opaque call.
    pub throwing: Option<Rc<Opaque>>,
    /// The opaque calls that have thrown: at most one per path, and another one on the same value, as where a text that
    /// cannot be read in one format is tried in the next.
    pub thrown: Vec<Rc<Opaque>>,
    /// Whether the path starts with a call that is known to fail.
    pub is_failing: bool,
    /// The expression statement whose result is unused.
    pub discarded: Option<(MemberId, ExprId)>,
    /// The current call.
    pub calling: Option<(MemberId, ExprId)>,
    /// The static result type of the current call.
    pub expected: Option<Type>,
    /// Conditions that were evaluated, each with the place of the test.
    pub asked: Vec<Taken>,
    /// What code has written to fields of opaque values that no class of the project declares, by value and name.
    pub undeclared: BTreeMap<(u128, Rc<str>), Value>,
    /// The value returned to the framework as the answer.
    pub answered: Option<Canon>,
    /// The exception that the member threw with whose end the run ends.
    pub ended_by: Option<Box<Thrown>>,
    /// Whether the run starts with a handler.
    pub is_handling: bool,
    /// The method of the request that is served, if an operation runs.
    pub method: Option<&'static str>,
    /// Whether the constructor of a bean throws under the conditions of this path, so that the service does not start.
    pub never_starts: bool,
}
