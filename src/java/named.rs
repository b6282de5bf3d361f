//! What a name can mean, and what a type descends from: plain data of the resolver.

use serde::{Deserialize, Serialize};

use super::facts::TypeRef;
use super::ids::{MemberId, TypeId};

/// What a type name means where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Named {
    /// A type of the project.
    Project(TypeId),
    /// A type of a library, by its dotted name, such as `java.util.Map.Entry`.
    Library(String),
    /// A type parameter in scope.
    TypeVar(String),
    /// One of the primitive types, `void` or `var`.
    Primitive,
    /// Could not be told; the name as written.
    Unknown(String),
}

impl Named {
    /// The type of the project, where it is one.
    pub fn project(&self) -> Option<TypeId> {
        if let Self::Project(id) = self { Some(*id) } else { None }
    }

    /// The dotted name of a library type, where it is one.
    pub fn library(&self) -> Option<&str> {
        if let Self::Library(name) = self { Some(name) } else { None }
    }
}

/// A direct supertype.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Super {
    /// The type.
    pub named: Named,
    /// Its type arguments, as written.
    pub args: Vec<TypeRef>,
}

/// What a static import can mean.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum StaticName {
    /// A static member of the project.
    Member(MemberId),
    /// A static member of a library type, such as `java.util.Map.entry`.
    Library(String),
}
