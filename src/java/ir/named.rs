//! The possible meanings of names, and supertypes: plain data of the resolver.

use serde::{Deserialize, Serialize};

use super::facts::TypeRef;
use super::ids::{MemberId, TypeId};

/// The meaning of a type name at its position.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Named {
    /// A type of the project.
    Project(TypeId),
    /// A library type, by its dotted name, such as `java.util.Map.Entry`.
    Library(String),
    /// A type parameter in scope.
    TypeVar(String),
    /// One of the primitive types, `void` or `var`.
    Primitive,
    /// Unresolved; the name as written.
    Unknown(String),
}

impl Named {
    /// The type, if it belongs to the project.
    pub fn project(&self) -> Option<TypeId> {
        if let Self::Project(id) = self { Some(*id) } else { None }
    }

    /// The dotted name of a library type.
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

/// The possible meaning of a static import.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum StaticName {
    /// A static member of the project.
    Member(MemberId),
    /// A static member of a library type, such as `java.util.Map.entry`.
    Library(String),
}
