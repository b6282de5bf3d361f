//! What the names and calls of a body mean: the result of resolving it, shared by closure and interpreter.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::body::{ExprId, StmtId};
use super::ids::{MemberId, TypeId};
use super::name::Name;
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
        ty: Name,
        /// Name of the member.
        name: Name,
    },
    /// A field, enum constant or record component; a generated accessor counts as the field it reads or writes.
    Field(MemberId),
    /// A local variable, parameter or pattern variable, by its place in [`Resolved::locals`].
    Local(u32),
    /// A variable of a body around the local or anonymous type in which this one stands.
    Captured,
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
    /// Its type, as far as it could be told.
    pub ty: Ty,
    /// Its place in [`Resolved::locals`]; `None` for one of a body further out.
    pub slot: Option<u32>,
}

/// Local variables in scope, innermost last.
pub type Locals = Vec<Variable>;

/// What declares a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Declares {
    /// The body itself: its parameters.
    Body,
    /// A statement: its declarators, loop variable or caught exceptions, or the patterns of its cases.
    Stmt(StmtId),
    /// An expression: the parameters of a lambda, or the patterns of `instanceof` or of its cases.
    Expr(ExprId),
}

/// What is known of some expressions of a body.
#[derive(Clone)]
pub struct ByExpr<T> {
    /// By expression: one more than its place in `known`, or none.
    places: Vec<u32>,
    known: Vec<(ExprId, T)>,
}

impl<T> Default for ByExpr<T> {
    fn default() -> Self {
        Self { places: Vec::new(), known: Vec::new() }
    }
}

impl<T> ByExpr<T> {
    /// Nothing known yet of a body of so many expressions, and room for `likely` of them.
    pub fn with_room(expressions: usize, likely: usize) -> Self {
        Self { places: vec![0; expressions], known: Vec::with_capacity(likely) }
    }

    /// What is known of an expression.
    pub fn get(&self, id: &ExprId) -> Option<&T> {
        let place = self.places.get(id.0 as usize)?.checked_sub(1)?;
        self.known.get(place as usize).map(|(_, known)| known)
    }

    /// All that is known, in the order in which it was first set.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.known.iter().map(|(_, known)| known)
    }

    /// Sets what is known of an expression.
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

/// A body with the meaning of its names.
#[derive(Debug, Clone, Default)]
pub struct Resolved {
    /// Type of each expression, by [`ExprId`].
    pub types: Vec<Ty>,
    /// What names, calls, field accesses, creations and method references refer to.
    pub targets: ByExpr<Target>,
    /// Static type on which a call without a written target runs: `this`, or an object around it.
    pub implicit: ByExpr<TypeId>,
    /// What `this(…)` and `super(…)` call.
    pub constructor_calls: BTreeMap<StmtId, Target>,
    /// Every project type that the body names, or whose value it handles.
    pub touched: BTreeSet<TypeId>,
    /// Type names that stand for no type of the project or a known library.
    pub missing: BTreeSet<String>,
    /// Calls that nothing was found for.
    pub unresolved: Vec<Unresolved>,
    /// All variables that the body declares, each with a place of its own.
    pub locals: Vec<Variable>,
    /// The place of a variable, by what declares it and its number there.
    pub slots: BTreeMap<(Declares, u32), u32>,
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
