//! Code: a linked body with everything needed to run it: variable slots, types, constants, and the meaning of calls.
//!
//! `link` builds it once per member from the body and its resolution. The resolver, shared with the closure, decides
//! the meaning of names and calls; the interpreter adds the run-time class of the receiver.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use crate::interpret::values::java_type::Type;
use crate::interpret::values::scalar::{Prim, Scalar};
use crate::ir::body::{Body, ExprId, ExprKind, StmtId};
use crate::ir::calls::{Declares, Resolved};
use crate::ir::ids::{MemberId, TypeId};

/// The slot of a statement that declares no variable.
pub const NO_SLOT: u32 = u32::MAX;

/// A body ready to run.
#[derive(Debug, Clone)]
pub struct Code {
    /// The member whose body it is.
    pub member: MemberId,
    /// The body.
    pub body: Arc<Body>,
    /// The resolved names of the body.
    pub resolved: Arc<Resolved>,
    /// The link of each expression, by [`ExprId`].
    pub links: Vec<Link>,
    /// Type of each variable, by slot: assigned values are converted to it.
    pub locals: Vec<Type>,
    /// Types of the parameters, which have the first slots.
    pub params: Vec<Type>,
    /// Whether the last parameter is `T...`.
    pub varargs: bool,
    /// The result type.
    pub result: Type,
    /// The first slot that a statement declares, by [`StmtId`].
    pub declared: Vec<u32>,
    /// Patterns of switch arms.
    pub arms: BTreeMap<Declares, Vec<Vec<PatternLink>>>,
    /// Types that the clauses of a `try` catch.
    pub catches: BTreeMap<StmtId, Vec<Vec<Type>>>,
    /// Display name: `OrderService.find`.
    pub name: Rc<str>,
    /// Reasons why calls of it are uncertain: annotations that may change the call, or text that could not be parsed.
    pub doubts: Vec<Rc<str>>,
    /// `native`: other code runs instead.
    pub is_native: bool,
}

/// What the interpreter needs to evaluate an expression.
#[derive(Debug, Clone)]
pub enum Link {
    /// Nothing.
    Plain,
    /// A literal or constant expression (JLS §15.29), with the fields that it uses.
    Const(Scalar, Option<Rc<[MemberId]>>),
    /// A variable, by slot.
    Local(u32),
    /// A variable of an enclosing body, captured by this class.
    Captured,
    /// An instance field of the target, of `this` or of an enclosing object.
    Field(MemberId),
    /// A static field.
    Static(MemberId),
    /// A field of a library class.
    Library {
        /// The class; starts with `?` if unknown.
        ty: Rc<str>,
        /// The field.
        name: Rc<str>,
    },
    /// A type: of a name, a creation, a cast or `T.class`.
    Type(Type),
    /// A call.
    Call(Rc<CallLink>),
    /// A new object.
    New(Rc<NewLink>),
    /// A pattern.
    Pattern(Rc<PatternLink>),
    /// A binary operator, with whether `+` concatenates and which sides are boxed.
    Binary {
        /// `true` for a concatenation; `None` if it depends on the values.
        text: Option<bool>,
        /// For each side: whether its type is a box (`true`) or primitive (`false`); `None` for any other or unknown
        /// type.
        boxed: (Option<bool>, Option<bool>),
    },
    /// The primitive type to which both branches of `? :` are converted.
    Conditional(Option<Prim>),
    /// Slot of the lambda's first parameter, parameter types, and result type of its interface.
    Lambda(u32, Rc<[Type]>, Type),
    /// A method reference.
    Reference(Rc<ReferenceLink>),
    /// An array's element type.
    Array(Type),
}

/// The meaning of a call.
#[derive(Debug, Clone)]
pub struct CallLink {
    /// The receiver.
    pub on: On,
    /// Candidate methods before dispatch on the receiver's class; empty for a library method or an unresolved call.
    pub methods: Vec<MemberId>,
    /// The library class that declares the method; starts with `?` if unknown.
    pub library: Option<Rc<str>>,
    /// The static result type.
    pub result: Type,
    /// Whether the last argument is a single variable argument (`true`) or the array of them (`false`).
    pub spread: Option<bool>,
}

/// The receiver of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum On {
    /// The value of an expression.
    Value(ExprId),
    /// A class.
    Class(Type),
    /// `this`, or the enclosing object of this type.
    This(TypeId),
    /// `super`, or `Type.super`.
    Super,
    /// Unresolved.
    Nothing,
}

/// The meaning of an object creation.
#[derive(Debug, Clone)]
pub struct NewLink {
    /// The class.
    pub class: Type,
    /// Candidate constructors.
    pub constructors: Vec<MemberId>,
    /// Whether the last argument is a single variable argument (`true`) or the array of them (`false`).
    pub spread: Option<bool>,
}

/// The meaning of a method reference.
#[derive(Debug, Clone)]
pub struct ReferenceLink {
    /// The class before `::`; `None` if a value is written there.
    pub class: Option<Type>,
    /// Candidate methods.
    pub methods: Vec<MemberId>,
    /// The result type of its interface.
    pub result: Type,
}

/// A pattern with resolved types and slots.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the sentence of a variant names its fields")]
pub enum PatternLink {
    /// Matches everything.
    Any,
    /// `T name`; a `total` pattern matches every value of its position, including null.
    Type { ty: Type, slot: Option<u32>, total: Option<bool> },
    /// `R(p, q)`, with the record's components.
    Record { ty: Type, components: Vec<MemberId>, parts: Vec<PatternLink> },
}

impl Code {
    /// The link of an expression.
    pub fn link(&self, id: ExprId) -> &Link {
        &self.links[id.0 as usize]
    }

    /// The number of parameters of a lambda in this body.
    pub fn count_of_params(&self, lambda: ExprId) -> usize {
        match &self.body.expr(lambda).kind {
            ExprKind::Lambda { params, .. } => params.len(),
            _ => 0,
        }
    }

    /// The first slot that a statement declares.
    pub fn slot(&self, id: StmtId) -> u32 {
        self.declared[id.0 as usize]
    }
}
