//! Compares two suites: which oracles were added, removed or expect something else.

use std::collections::BTreeMap;

use super::load::Suite;
use super::regenerate::contradicts;
use mastor_types::op_id::OpId;
use mastor_types::suite::oracle::Oracle;

/// A difference between two suites.
#[derive(Debug, Clone, PartialEq)]
pub enum Difference<'a> {
    /// Only in the newer suite.
    Added(&'a Oracle),
    /// Only in the older suite.
    Removed(&'a Oracle),
    /// The same request; the expectations contradict each other.
    Contradicted {
        /// The oracle of the older suite.
        before: &'a Oracle,
        /// The oracle of the newer suite.
        after: &'a Oracle,
    },
    /// The same request with other expectations that do not contradict.
    Reworded {
        /// The oracle of the older suite.
        before: &'a Oracle,
        /// The oracle of the newer suite.
        after: &'a Oracle,
    },
}

/// Every difference from `older` to `newer`, by operation and oracle.
pub fn compare<'a>(older: &'a Suite, newer: &'a Suite) -> BTreeMap<OpId, Vec<Difference<'a>>> {
    let (old, new) = (by_id(older), by_id(newer));
    let mut out: BTreeMap<OpId, Vec<Difference<'a>>> = BTreeMap::new();
    for (key, before) in &old {
        let difference = match new.get(key) {
            None => Difference::Removed(before),
            Some(after) if after.assertions == before.assertions => continue,
            Some(after) if contradicts(&before.assertions, &after.assertions) => {
                Difference::Contradicted { before, after }
            }
            Some(after) => Difference::Reworded { before, after },
        };
        out.entry(key.0.clone()).or_default().push(difference);
    }
    for (key, after) in &new {
        if !old.contains_key(key) {
            out.entry(key.0.clone()).or_default().push(Difference::Added(after));
        }
    }
    out
}

fn by_id(suite: &Suite) -> BTreeMap<(OpId, String), &Oracle> {
    let oracles = suite.operations.values().flat_map(|operation| &operation.oracles);
    oracles.map(|oracle| ((oracle.op_id.clone(), oracle.o_id.clone()), oracle)).collect()
}
