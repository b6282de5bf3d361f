//! What one path knows of opaque values: objects made for them, epochs of collaborators, events.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::java::body::ExprId;
use crate::java::ids::MemberId;
use crate::java::interpret::condition::Cond;
use crate::java::interpret::path::Site;
use crate::java::interpret::term::{Canon, Opaque, Term};
use crate::java::interpret::value::{ObjId, Type, Value};

/// Something that a path did to the world outside, in its order.
#[derive(Debug, Clone)]
pub struct Event {
    /// What was called or left changed.
    pub callee: Rc<str>,
    /// What it was called on and with, as it was then.
    pub operands: Vec<Canon>,
    /// What it is, for people.
    pub words: Rc<str>,
    /// Where.
    pub site: Option<Site>,
}

/// The event by which code leaves what it wrote to the response.
pub const RESPONSE: &str = "the response";

/// How the name of an event begins that says how an object is left.
pub const LEFT: &str = "changed #";

impl Event {
    /// The object that it says is left otherwise than it was found, in words.
    pub fn left(&self) -> Option<Rc<str>> {
        self.callee.starts_with(LEFT).then(|| self.words.clone())
    }

    /// Itself as text that only equal ones have.
    pub fn text(&self) -> String {
        let operands: Vec<String> = self.operands.iter().map(Canon::text).collect();
        format!("{}({})", self.callee, operands.join(","))
    }
}

/// The part of a call that says whether it fails.
pub const THROWS: &str = "throws";
/// The part of a call that failed which is what it threw.
pub const THROWN: &str = "what is thrown";

/// Whether a condition says of a call that it fails.
pub fn says_failing(cond: &Cond) -> bool {
    matches!(cond, Cond::Test(term) if matches!(&**term, Term::Opaque(part) if &*part.callee == THROWS))
}

/// What one path knows of opaque values.
#[derive(Debug, Clone, Default)]
pub struct OpaqueState {
    /// Static fields that were written after their class had been initialised.
    pub set_later: BTreeSet<MemberId>,
    /// Objects made for opaque values when something of them was first read, by the keys of these.
    pub lazy: BTreeMap<u128, Value>,
    /// Of each such object the value that it was made for.
    pub made_for: BTreeMap<ObjId, Rc<Term>>,
    /// Of each list made for an opaque one the elements that it had.
    pub elements: BTreeMap<ObjId, Vec<Value>>,
    /// How often each collaborator may have changed what it gives.
    pub epochs: BTreeMap<Rc<str>, u32>,
    /// How often anything may have changed what any collaborator gives.
    pub epoch: u32,
    /// How often each clock and random source was read.
    pub readings: BTreeMap<Rc<str>, u32>,
    /// What happened.
    pub events: Vec<Event>,
    /// Static calls of libraries that are no events, with what they are called with: they may fail, whatever becomes of what they give.
    pub quiet: Vec<(Rc<str>, String)>,
    /// The exception of an opaque call that is under way.
    pub throwing: Option<Rc<Opaque>>,
    /// Whether an opaque call has thrown: one does, at most.
    pub has_thrown: bool,
    /// Whether the path starts with a call that is known to fail.
    pub is_failing: bool,
    /// The call whose result is not used.
    pub discarded: Option<(MemberId, ExprId)>,
    /// The call under way.
    pub calling: Option<(MemberId, ExprId)>,
    /// What the call under way gives, by the types of the code.
    pub expected: Option<Type>,
    /// Conditions that were asked.
    pub asked: Vec<Cond>,
    /// What was handed to the framework as the answer.
    pub answered: Option<Canon>,
}
