//! What an input outside Java is, and what of an operation it is compared with.

use std::collections::BTreeSet;

use crate::java::ids::{MemberId, TypeId};
use crate::types::Hash;
use crate::types::manifest::InputClass;

/// One input outside Java that decides how operations behave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GlobalInput {
    /// `global:path#key`, `global:path table t`, `global:path`.
    pub id: String,
    /// What a difference means.
    pub class: InputClass,
    /// Its content.
    pub hash: Hash,
}

/// What one operation reaches, as far as inputs outside Java depend on it.
#[derive(Debug)]
pub struct Touched<'a> {
    /// Members of its closure.
    pub members: &'a BTreeSet<MemberId>,
    /// Types of its closure.
    pub types: &'a BTreeSet<TypeId>,
    /// Types of which a member is used: called, read or written out, not only made and filled as a part of something else.
    pub used: &'a BTreeSet<TypeId>,
    /// Every string literal and annotation text of these members and types.
    pub literals: &'a BTreeSet<&'a str>,
}

impl Touched<'_> {
    /// Whether one of these literals is reached.
    pub(super) fn has_any(&self, literals: &[String]) -> bool {
        literals.iter().any(|literal| self.literals.contains(literal.as_str()))
    }
}
