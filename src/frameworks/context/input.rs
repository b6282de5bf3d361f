//! Inputs outside Java, and the parts of an operation that decide whether they belong to it.

use std::sync::Arc;

use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_types::Hash;
use mastor_types::manifest::InputClass;

/// One input outside Java that decides how operations behave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GlobalInput {
    /// `global:path#key`, `global:path table t`, `global:path`.
    pub id: Arc<str>,
    /// Path of its file.
    pub file: Arc<str>,
    /// What a difference in the input means.
    pub class: InputClass,
    /// Hash of its content.
    pub hash: Hash,
}

/// The closure of one operation, as far as inputs outside Java depend on it.
#[derive(Debug)]
pub struct ReachedCode<'a> {
    /// File of the class that serves the operation.
    pub home: &'a str,
    /// Members of its closure, sorted.
    pub members: &'a [MemberId],
    /// Types of its closure, sorted.
    pub types: &'a [TypeId],
    /// Types with a member that is called, read or serialised, and not only made and filled as part of another object.
    pub used: &'a [TypeId],
    /// For each string literal and annotation text that any operation reaches, sorted: whether it occurs in these
    /// members and types.
    pub said: &'a [bool],
}

impl ReachedCode<'_> {
    /// Whether the operation reaches one of these literals, given by index.
    pub(super) fn has_any(&self, literals: &[u32]) -> bool {
        literals.iter().any(|at| self.said.get(*at as usize).copied().unwrap_or(false))
    }

    /// Whether the operation reaches a type.
    pub(super) fn has_type(&self, ty: TypeId) -> bool {
        self.types.binary_search(&ty).is_ok()
    }

    /// Whether the operation reaches a member.
    pub(super) fn has_member(&self, member: MemberId) -> bool {
        self.members.binary_search(&member).is_ok()
    }
}
