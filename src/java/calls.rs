//! What the names and calls of a body mean: the result of resolving it, shared by closure and interpreter.

use std::collections::{BTreeMap, BTreeSet};

use super::body::{ExprId, StmtId};
use super::ids::{MemberId, TypeId};
use super::named::Named;
use super::ty::Ty;

/// What an expression refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// Statically chosen methods or constructors, before dynamic dispatch; several where overloads could not be told apart.
    Methods(Vec<MemberId>),
    /// A member of a library type, `<init>` for its constructor, or one that a library gives to a project type.
    Library {
        /// Dotted name of the type; starts with `?` where not even that is known.
        ty: String,
        /// Name of the member.
        name: String,
    },
    /// A field, enum constant or record component; a generated accessor counts as the field it reads or writes.
    Field(MemberId),
    /// A local variable, parameter or pattern variable.
    Local,
    /// A type.
    Type(Named),
    /// Nothing was found: any member of this name and arity may be meant.
    Unresolved {
        /// The name.
        name: String,
        /// Number of arguments.
        arity: usize,
    },
}

/// A call that nothing was found for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unresolved {
    /// The name.
    pub name: String,
    /// Number of arguments.
    pub arity: usize,
    /// Line, from 1.
    pub line: u32,
}

/// Local variables in scope with their types, innermost last.
pub type Locals = Vec<(String, Ty)>;

/// A body with the meaning of its names.
#[derive(Debug, Clone, Default)]
pub struct Resolved {
    /// Type of each expression, by [`ExprId`].
    pub types: Vec<Ty>,
    /// What names, calls, field accesses, creations and method references refer to.
    pub targets: BTreeMap<ExprId, Target>,
    /// Static type on which a call without a written target runs: `this`, or an object around it.
    pub implicit: BTreeMap<ExprId, TypeId>,
    /// What `this(…)` and `super(…)` call.
    pub constructor_calls: BTreeMap<StmtId, Target>,
    /// Every project type that the body names, or whose value it handles.
    pub touched: BTreeSet<TypeId>,
    /// Type names that stand for no type of the project or a known library.
    pub missing: BTreeSet<String>,
    /// Calls that nothing was found for.
    pub unresolved: Vec<Unresolved>,
    /// What is in scope where a local or anonymous type (by the file's index) is declared.
    pub captures: BTreeMap<u32, Locals>,
    /// Functional interfaces of the project that lambdas and method references stand for: expression, interface.
    pub lambdas: BTreeMap<ExprId, TypeId>,
}

impl Resolved {
    /// Type of an expression.
    pub fn ty(&self, id: ExprId) -> &Ty {
        self.types.get(id.0 as usize).unwrap_or(&Ty::Unknown)
    }
}
