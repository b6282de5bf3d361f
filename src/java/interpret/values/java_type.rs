//! Types as the interpreter needs them.

use super::scalar::{ClassRef, Prim};
use crate::ir::ids::TypeId;

/// A type, with the detail that the interpreter needs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// `void`.
    Void,
    /// A primitive type.
    Prim(Prim),
    /// The box class of a primitive type.
    Boxed(Prim),
    /// `java.lang.String`.
    Str,
    /// A class with its type arguments.
    Class(ClassRef, Vec<Type>),
    /// An array of this element type.
    Array(Box<Type>),
    /// A type variable, or an unresolved name.
    Unknown,
}

impl Type {
    /// The fully qualified name of a library class.
    pub fn library(&self) -> Option<&str> {
        match self {
            Self::Class(ClassRef::Library(fqn), _) => Some(fqn),
            Self::Str => Some("java.lang.String"),
            _ => None,
        }
    }

    /// The project type.
    pub fn project(&self) -> Option<TypeId> {
        match self {
            Self::Class(ClassRef::Project(id), _) => Some(*id),
            _ => None,
        }
    }

    /// Whether null is a value of the type.
    pub fn is_reference(&self) -> bool {
        !matches!(self, Self::Prim(_) | Self::Void)
    }
}
