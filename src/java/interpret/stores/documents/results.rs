//! Results of MongoDB operations: the numbers of removed, matched and changed documents.

use crate::interpret::engine::machine::Machine;
use crate::interpret::library::LibraryCall;
use crate::interpret::library::base::support::{Answer, native, reference};
use crate::interpret::values::scalar::{Prim, Scalar};
use crate::interpret::values::value::{Native, Type, Value};

/// Numbers of affected documents; `None` if unknown.
#[derive(Debug, Clone, Copy, Default)]
pub struct AffectedCounts {
    /// Number of removed documents.
    pub removed: Option<usize>,
    /// Number of matched documents.
    pub matched: Option<usize>,
    /// Number of changed documents.
    pub modified: Option<usize>,
}

impl Native for AffectedCounts {
    native_state!(leaf);

    fn is_frozen(&self) -> bool {
        true
    }
}

/// The result object of a remove.
pub fn removed(machine: &mut Machine<'_>, removed: Option<usize>) -> Value {
    native(machine, "com.mongodb.client.result.DeleteResult", AffectedCounts { removed, ..AffectedCounts::default() })
}

/// The result object of an update.
pub fn changed(machine: &mut Machine<'_>, matched: Option<usize>, modified: Option<usize>) -> Value {
    native(machine, "com.mongodb.client.result.UpdateResult", AffectedCounts { removed: None, matched, modified })
}

/// A number of documents as a value.
pub fn count(count: Option<usize>) -> Value {
    match count {
        Some(count) => Value::Scalar(Scalar::Long(i64::try_from(count).unwrap_or(i64::MAX))),
        None => Value::unknowable(super::collections::UNSEEN, Type::Prim(Prim::Long)),
    }
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    let done = *machine.native::<AffectedCounts>(reference(call.receiver?)?)?;
    Some(Ok(match (call.name, call.args) {
        ("getDeletedCount", []) => count(done.removed),
        ("getMatchedCount", []) => count(done.matched),
        ("getModifiedCount", []) => count(done.modified),
        ("wasAcknowledged", []) => Value::bool(true),
        _ => return None,
    }))
}
