//! A call to a library method or constructor, as its model receives it.

use crate::interpret::values::value::{Type, Value};
use crate::ir::ids::MemberId;

/// A call to a library method or constructor.
#[derive(Debug, Clone, Copy)]
pub struct LibraryCall<'a> {
    /// Fully qualified name of the class.
    pub fqn: &'a str,
    /// Name of the method; `<init>` for a constructor.
    pub name: &'a str,
    /// The receiver; for a superclass constructor the object under construction; `None` for static methods and
    /// constructors.
    pub receiver: Option<&'a Value>,
    /// Arguments.
    pub args: &'a [Value],
    /// Static types of the arguments, as far as known.
    pub types: &'a [Type],
    /// Members of a Java model that the static types of the arguments allow; empty if the types do not decide.
    pub meant: &'a [MemberId],
    /// Whether variable arguments are passed one by one (`true`) or as an array (`false`), if known.
    pub spread: Option<bool>,
}

impl LibraryCall<'_> {
    /// An argument by its index.
    pub fn arg(&self, index: usize) -> Option<&Value> {
        self.args.get(index)
    }

    /// Whether the static type of an argument is primitive; `None` if unknown.
    pub fn is_primitive(&self, index: usize) -> Option<bool> {
        match self.types.get(index)? {
            Type::Unknown => None,
            ty => Some(!ty.is_reference()),
        }
    }
}
