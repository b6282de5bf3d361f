//! Requests that were tried on an operation: why, and what the interpreter made of them.

use crate::java::ids::MemberId;
use crate::java::interpret::term::Input;
use crate::runtime::request::case::Case;
use crate::runtime::server::serve::Run;

/// Why a request is tried.
#[derive(Debug, Clone, PartialEq)]
pub enum Purpose {
    /// To see what a plain request is answered.
    Plain,
    /// To take this path of the open run.
    Path(usize),
    /// To stand at a boundary that a condition draws.
    Boundary(Input),
    /// To have a value that is none of its type.
    Mistyped(Input),
    /// To see more of a computation that the open run could not follow.
    Sample(Input),
}

/// One request that was tried.
#[derive(Debug, Clone)]
pub struct Tried {
    /// The request.
    pub case: Case,
    /// Why.
    pub purpose: Purpose,
    /// What the interpreter made of it.
    pub run: Run,
    /// The mistake that it tells or the branch that it takes, where it was chosen for that.
    pub tells: Option<Told>,
}

/// A mistake that a request tells, or a branch that it takes.
#[derive(Debug, Clone, Copy)]
pub struct Told {
    /// Where it is.
    pub member: MemberId,
    /// Its line.
    pub line: u32,
    /// What is changed; nothing where it is a branch.
    pub what: Option<&'static str>,
}

/// Tries a request, unless it is known or too much was tried; gives its place.
pub type Add<'a> = dyn Fn(Case, Purpose, &mut Vec<Tried>) -> Option<usize> + 'a;
