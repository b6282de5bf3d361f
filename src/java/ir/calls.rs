//! The result of resolving a body: the meaning of its names and calls, shared by closure and interpreter.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::body::{ExprId, StmtId};
use super::ids::{MemberId, TypeId};
use super::name::Name;
use super::named::Named;
use super::ty::Ty;

/// The declaration that an expression refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// Statically chosen methods or constructors, before dynamic dispatch; several if the overload could not be
    /// determined.
    Methods(Vec<MemberId>),
    /// A member of a library type, with `<init>` for its constructor, or a member that a library adds to a project
    /// type.
    Library {
        /// Dotted name of the type; starts with `?` if the type is unknown.
        ty: Name,
        /// Name of the member.
        name: Name,
    },
    /// A field, enum constant or record component. A call of a generated accessor refers to the field that it reads
    /// or writes.
    Field(MemberId),
    /// A local variable, parameter or pattern variable, by its index in [`Resolved::locals`].
    Local(u32),
    /// A variable of an enclosing body, captured by a local or anonymous type.
    Captured,
    /// A type.
    Type(Named),
    /// Unresolved: any member with this name and arity may be meant.
    Unresolved {
        /// The name.
        name: String,
        /// Number of arguments.
        arity: usize,
    },
}

/// A call that could not be resolved.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Unresolved {
    /// The name.
    pub name: String,
    /// Number of arguments.
    pub arity: usize,
    /// Line, from 1.
    pub line: u32,
}

/// A local variable, parameter or pattern variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its type, as far as it could be inferred.
    pub ty: Ty,
    /// Its index in [`Resolved::locals`]; `None` for a variable of an enclosing body.
    pub slot: Option<u32>,
}

/// The local variables in scope, innermost last.
pub type Locals = Vec<Variable>;

/// The node that declares a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Declares {
    /// The body itself, for its parameters.
    Body,
    /// A statement, for its declarators, loop variable or caught exceptions, or for the patterns of its cases.
    Stmt(StmtId),
    /// An expression, for the parameters of a lambda, or the patterns of `instanceof` or of its cases.
    Expr(ExprId),
}

/// A map from some expressions of a body to values.
#[derive(Clone)]
pub struct ByExpr<T> {
    /// By expression: index in `known` plus one, or zero.
    places: Vec<u32>,
    known: Vec<(ExprId, T)>,
}

impl<T> Default for ByExpr<T> {
    fn default() -> Self {
        Self { places: Vec::new(), known: Vec::new() }
    }
}

impl<T> ByExpr<T> {
    /// An empty map for a body with `expressions` expressions, with room for `likely` values.
    pub fn with_room(expressions: usize, likely: usize) -> Self {
        Self { places: vec![0; expressions], known: Vec::with_capacity(likely) }
    }

    /// The value of an expression.
    pub fn get(&self, id: &ExprId) -> Option<&T> {
        let place = self.places.get(id.0 as usize)?.checked_sub(1)?;
        self.known.get(place as usize).map(|(_, known)| known)
    }

    /// All values, in the order in which they were first set.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.known.iter().map(|(_, known)| known)
    }

    /// Sets the value of an expression.
    pub fn insert(&mut self, id: ExprId, known: T) {
        let at = id.0 as usize;
        if self.places.len() <= at {
            self.places.resize((at + 1).next_power_of_two(), 0);
        }
        match self.places[at].checked_sub(1) {
            Some(place) => self.known[place as usize].1 = known,
            None => {
                self.known.push((id, known));
                self.places[at] = self.known.len() as u32;
            }
        }
    }
}

impl<T: std::fmt::Debug> std::fmt::Debug for ByExpr<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let known: BTreeMap<ExprId, &T> = self.known.iter().map(|(id, known)| (*id, known)).collect();
        std::fmt::Debug::fmt(&known, f)
    }
}

/// The meaning of the names in a body.
#[derive(Debug, Clone, Default)]
pub struct Resolved {
    /// Type of each expression, by [`ExprId`].
    pub types: Vec<Ty>,
    /// The declarations that names, calls, field accesses, creations and method references refer to.
    pub targets: ByExpr<Target>,
    /// Static receiver type of a call without a written target: the type of `this`, or of an enclosing object.
    pub implicit: ByExpr<TypeId>,
    /// The constructors that `this(…)` and `super(…)` call.
    pub constructor_calls: BTreeMap<StmtId, Target>,
    /// Every project type that the body names, or whose values it uses.
    pub touched: BTreeSet<TypeId>,
    /// Type names that resolve neither to a project type nor to a known library type.
    pub missing: BTreeSet<String>,
    /// Calls that could not be resolved.
    pub unresolved: Vec<Unresolved>,
    /// All variables that the body declares, each with its own index.
    pub locals: Vec<Variable>,
    /// The index of a variable, by the node that declares it and its number in that node.
    pub slots: BTreeMap<(Declares, u32), u32>,
    /// The variables in scope at the declaration of a local or anonymous type, by the type's index in the file.
    pub captures: BTreeMap<u32, Locals>,
    /// The project's functional interfaces that lambdas and method references implement: expression, interface.
    pub lambdas: BTreeMap<ExprId, TypeId>,
}

impl Resolved {
    /// Type of an expression.
    pub fn ty(&self, id: ExprId) -> &Ty {
        self.types.get(id.0 as usize).unwrap_or(&Ty::Unknown)
    }
}
