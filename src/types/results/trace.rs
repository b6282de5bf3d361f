//! The path of a request through an operation, as the rules engine follows it. Shown by `mastor explain`.

use serde::Serialize;

/// A decision on the path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Step {
    /// The condition that held: `length of code < 2`.
    pub what: String,
    /// File and line in the project; `None` for a decision of the framework.
    pub place: Option<(String, u32)>,
}

/// The path of one request.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Trace {
    /// Path conditions, in the order in which they were decided.
    pub conditions: Vec<Step>,
    /// Methods that ran, by symbol.
    pub members: Vec<String>,
    /// File and line of the last `return` or `throw`, which decides the answer.
    pub decided: Option<(String, u32)>,
    /// Library calls that were evaluated by a model.
    pub models: Vec<String>,
    /// Code or values that could not be followed.
    pub unknown: Vec<String>,
    /// The analysis bound that ended the path, if any.
    pub bound: Option<String>,
}
