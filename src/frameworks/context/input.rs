//! What an input outside Java is, and what of an operation it is compared with.

use std::sync::Arc;

use crate::java::ids::{MemberId, TypeId};
use crate::types::Hash;
use crate::types::manifest::InputClass;

/// One input outside Java that decides how operations behave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GlobalInput {
    /// `global:path#key`, `global:path table t`, `global:path`.
    pub id: Arc<str>,
    /// The file that it stands in.
    pub file: Arc<str>,
    /// What a difference means.
    pub class: InputClass,
    /// Its content.
    pub hash: Hash,
}

/// What one operation reaches, as far as inputs outside Java depend on it.
#[derive(Debug)]
pub struct Touched<'a> {
    /// The file of the class that serves it.
    pub home: &'a str,
    /// Members of its closure, in order.
    pub members: &'a [MemberId],
    /// Types of its closure, in order.
    pub types: &'a [TypeId],
    /// Types of which a member is used: called, read or written out, not only made and filled as a part of something else.
    pub used: &'a [TypeId],
    /// For each string literal and annotation text that any operation reaches, in order: whether it stands in these members and types.
    pub said: &'a [bool],
}

impl Touched<'_> {
    /// Whether one of these literals, told by their places, is reached.
    pub(super) fn has_any(&self, literals: &[u32]) -> bool {
        literals.iter().any(|at| self.said.get(*at as usize).copied().unwrap_or(false))
    }

    /// Whether a type is reached.
    pub(super) fn has_type(&self, ty: TypeId) -> bool {
        self.types.binary_search(&ty).is_ok()
    }

    /// Whether a member is reached.
    pub(super) fn has_member(&self, member: MemberId) -> bool {
        self.members.binary_search(&member).is_ok()
    }
}
