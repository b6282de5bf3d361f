//! Ids of files, types and members within one [`crate::project::index`], in the order of paths and declarations,
//! so that results have a stable order.

use serde::{Deserialize, Serialize};

/// A Java file of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FileId(pub u32);

/// A type of a project, including nested, local and anonymous types.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TypeId(pub u32);

/// A member of a project type, by its index in [`super::facts::TypeFacts::members`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MemberId {
    /// The declaring type.
    pub ty: TypeId,
    /// Index in the type's members.
    pub index: u32,
}
