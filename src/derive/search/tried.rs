//! Tried requests of an operation: their purpose, and their run.

use mastor_java::interpret::values::term::Input;
use mastor_java::ir::ids::MemberId;
use mastor_runtime::request::case::Case;
use mastor_runtime::server::serve::Run;

/// Why a request is tried.
#[derive(Debug, Clone, PartialEq)]
pub enum Purpose {
    /// To see the answer to a plain request.
    Plain,
    /// To take this path of the run on open inputs.
    Path(usize),
    /// To be at a boundary in a condition.
    Boundary(Input),
    /// To have a value of the wrong type.
    Mistyped(Input),
    /// To sample code that the run on open inputs could not follow.
    Sample(Input),
}

/// A tried request.
#[derive(Debug, Clone)]
pub struct TriedRequest {
    /// The request.
    pub case: Case,
    /// Why.
    pub purpose: Purpose,
    /// Its run in the interpreter.
    pub run: Run,
    /// The mutant that it kills or the branch that it takes, if it was chosen for that.
    pub tells: Option<CoveredTarget>,
}

/// A mutant that a request kills, or a branch that it takes.
#[derive(Debug, Clone, Copy)]
pub struct CoveredTarget {
    /// The member that contains it.
    pub member: MemberId,
    /// Its line.
    pub line: u32,
    /// The mutation; `None` for a branch.
    pub what: Option<&'static str>,
}

/// Tries a request and returns its index; a known request is not tried again. `None` if a bound was met or the request
/// cannot be sent.
pub type Add<'a> = dyn Fn(Case, Purpose, &mut Vec<TriedRequest>) -> Option<usize> + 'a;
