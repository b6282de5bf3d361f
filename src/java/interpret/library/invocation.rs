//! One call into a library, as its model sees it.

use crate::java::ids::MemberId;
use crate::java::interpret::value::{Type, Value};

/// One call into a library.
#[derive(Debug, Clone, Copy)]
pub struct LibraryCall<'a> {
    /// Fully qualified name of the class.
    pub fqn: &'a str,
    /// Name of the method; `<init>` for a constructor.
    pub name: &'a str,
    /// What it is called on; for a constructor of a superclass the object that is made; `None` for static methods and constructors.
    pub receiver: Option<&'a Value>,
    /// Arguments.
    pub args: &'a [Value],
    /// Types of the arguments by the code, where they are known.
    pub types: &'a [Type],
    /// Members of a model in Java that can be meant by the types of the code; none where these do not tell.
    pub meant: &'a [MemberId],
    /// Whether the last argument is one of variable ones (`true`) or the array of them (`false`), where that is known.
    pub spread: Option<bool>,
}

impl LibraryCall<'_> {
    /// An argument.
    pub fn arg(&self, index: usize) -> Option<&Value> {
        self.args.get(index)
    }

    /// Whether an argument is of a primitive type by the code; `None` where that is not known.
    pub fn is_primitive(&self, index: usize) -> Option<bool> {
        match self.types.get(index)? {
            Type::Unknown => None,
            ty => Some(!ty.is_reference()),
        }
    }
}
