//! Ids of files, types and members within one [`super::project`]; ordered as paths and declarations are, so that results have one order.

use serde::{Deserialize, Serialize};

/// A Java file of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FileId(pub u32);

/// A type of a project, also a nested, local or anonymous one.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TypeId(pub u32);

/// A member of a type of a project, by its place in [`super::facts::TypeFacts::members`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MemberId {
    /// The type that declares it.
    pub ty: TypeId,
    /// Index among the type's members.
    pub index: u32,
}
