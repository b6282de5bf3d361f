//! The result of comparing base and head, per operation: *changed*, *same* or *undecided*.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::change::Change;
use crate::op_id::OpId;

/// What comparing base and head of one operation came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Comparison {
    /// It answers differently: at least one change tells how.
    Changed,
    /// All that changed has run on requests that both answer alike, within the bounds of the interpreter.
    Same,
    /// Neither could be told; what stopped it is named.
    Undecided,
}

impl Comparison {
    /// All states, in the order in which they are counted.
    pub const ALL: [Self; 3] = [Self::Changed, Self::Same, Self::Undecided];

    /// Lower-case name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Same => "same",
            Self::Undecided => "undecided",
        }
    }
}

/// What stopped a comparison, with its place where it has one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Stop {
    /// What could not be told, as a phrase: `` the filter `JwtFilter` is not followed ``.
    pub what: String,
    /// File from the repository's root.
    pub file: Option<String>,
    /// Line, from 1.
    pub line: Option<u32>,
}

impl Stop {
    /// A stop without a place in the code.
    pub fn of(what: impl Into<String>) -> Self {
        Self { what: what.into(), file: None, line: None }
    }
}

/// An operation that base and head were compared on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ComparedOperation {
    /// The operation.
    pub op_id: OpId,
    /// What it came to.
    pub state: Comparison,
    /// How many requests both sides answer for certain.
    pub requests: usize,
    /// What must be so for that to count.
    pub assumes: Vec<String>,
    /// What stopped it, sorted; none unless it is undecided.
    pub stopped: Vec<Stop>,
    /// Inputs of its manifest that differ and are compared by nothing: the changed code that decides it.
    pub open_inputs: Vec<String>,
}

/// How one input that changed reads in base and head.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Difference {
    /// The input, as the manifest names it.
    pub input: String,
    /// File of the head, or of the base where the head has none.
    pub file: Option<String>,
    /// First line there, from 1.
    pub line: Option<u32>,
    /// Lines that are gone begin with `-`, new ones with `+`, others with a space.
    pub lines: Vec<String>,
}

/// Operations that share one cause for being undecided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoppedBy<'c> {
    /// The cause.
    pub stop: &'c Stop,
    /// The operations, sorted.
    pub operations: Vec<&'c OpId>,
}

/// Groups undecided operations by cause, the most frequent first. An operation with several causes counts at its most
/// frequent one; where they tie, at the first.
pub fn by_cause(compared: &[ComparedOperation]) -> Vec<StoppedBy<'_>> {
    let undecided: Vec<&ComparedOperation> = compared.iter().filter(|one| one.state == Comparison::Undecided).collect();
    let mut met: BTreeMap<&Stop, usize> = BTreeMap::new();
    for stop in undecided.iter().flat_map(|one| one.stopped.iter().collect::<BTreeSet<_>>()) {
        *met.entry(stop).or_default() += 1;
    }
    let mut causes: BTreeMap<&Stop, Vec<&OpId>> = BTreeMap::new();
    for one in undecided {
        let most = one.stopped.iter().rev().max_by_key(|stop| met.get(stop).copied().unwrap_or_default());
        if let Some(stop) = most {
            causes.entry(stop).or_default().push(&one.op_id);
        }
    }
    let mut causes: Vec<StoppedBy<'_>> =
        causes.into_iter().map(|(stop, operations)| StoppedBy { stop, operations }).collect();
    causes.sort_by(|a, b| b.operations.len().cmp(&a.operations.len()).then_with(|| a.stop.cmp(b.stop)));
    causes
}

/// Number of operations in a state.
pub fn count(compared: &[ComparedOperation], state: Comparison) -> usize {
    compared.iter().filter(|one| one.state == state).count()
}

/// Sets every operation with one of these changes to *changed*.
pub fn settle_changed<'c>(compared: &mut [ComparedOperation], changes: impl Iterator<Item = &'c Change>) {
    let changed: BTreeSet<&OpId> = changes.flat_map(Change::with_also).map(|change| &change.op_id).collect();
    for one in compared.iter_mut().filter(|one| changed.contains(&one.op_id)) {
        one.state = Comparison::Changed;
        one.stopped.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn undecided(op_id: &str, stops: &[&str]) -> ComparedOperation {
        ComparedOperation {
            op_id: OpId::parse(op_id).unwrap(),
            state: Comparison::Undecided,
            requests: 0,
            assumes: Vec::new(),
            stopped: stops.iter().map(|what| Stop::of(*what)).collect(),
            open_inputs: Vec::new(),
        }
    }

    #[test]
    fn one_filter_that_stops_many_operations_is_one_cause() {
        let all = [
            undecided("GET /a", &["its own", "the filter"]),
            undecided("GET /b", &["the filter"]),
            undecided("GET /c", &["another"]),
        ];
        let causes: Vec<(&str, usize)> =
            by_cause(&all).iter().map(|one| (one.stop.what.as_str(), one.operations.len())).collect();
        assert_eq!(causes, [("the filter", 2), ("another", 1)]);
    }
}
