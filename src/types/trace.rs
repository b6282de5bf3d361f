//! The path that a request takes through an operation, as far as the rules engine follows it: what `mastor explain` shows.

use serde::Serialize;

/// One place that decided something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Step {
    /// What held there: `length of code < 2`.
    pub what: String,
    /// File and line, where it stands in the project; `None` for what the framework decides.
    pub place: Option<(String, u32)>,
}

/// The path of one request.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Trace {
    /// Conditions on the inputs, in the order in which they were met.
    pub conditions: Vec<Step>,
    /// Methods that ran, by symbol.
    pub members: Vec<String>,
    /// Where it was decided what is answered: the last `return` or `throw`.
    pub decided: Option<(String, u32)>,
    /// Calls into libraries that a model answered.
    pub models: Vec<String>,
    /// What could not be followed.
    pub unknown: Vec<String>,
    /// The bound that ended it, where one did.
    pub bound: Option<String>,
}
