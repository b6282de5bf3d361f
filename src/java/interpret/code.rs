//! Code: a body with all that running it needs to know beforehand: places of variables, types, constants, and what calls mean.
//!
//! It is made from the body and its resolution, once for each member, by `link`; the resolver decides what names and calls mean (the same one
//! that the closure uses), the interpreter adds the class of the receiver.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use super::java_type::Type;
use super::scalar::{Prim, Scalar};
use crate::java::body::{Body, ExprId, StmtId};
use crate::java::calls::{Declares, Resolved};
use crate::java::ids::{MemberId, TypeId};

/// Stands for a statement that declares nothing.
pub const NO_SLOT: u32 = u32::MAX;

/// A body, ready to run.
#[derive(Debug, Clone)]
pub struct Code {
    /// Whose body it is.
    pub member: MemberId,
    /// The body.
    pub body: Arc<Body>,
    /// What its names mean.
    pub resolved: Arc<Resolved>,
    /// What each expression needs, by [`ExprId`].
    pub links: Vec<Link>,
    /// Type of each variable, by its place: what is assigned is converted to it.
    pub locals: Vec<Type>,
    /// Types of the parameters; they have the first places.
    pub params: Vec<Type>,
    /// Whether the last parameter is `T...`.
    pub varargs: bool,
    /// What it returns.
    pub result: Type,
    /// The first place that a statement declares, by [`StmtId`].
    pub declared: Vec<u32>,
    /// Patterns of the arms of switches.
    pub arms: BTreeMap<Declares, Vec<Vec<PatternLink>>>,
    /// Types that the clauses of a `try` catch.
    pub catches: BTreeMap<StmtId, Vec<Vec<Type>>>,
    /// Name for people: `OrderService.find`.
    pub name: Rc<str>,
    /// Why nothing exact may be said of a call: annotations that may change it, or text that could not be parsed.
    pub doubts: Vec<Rc<str>>,
    /// `native`: what stands here is not what runs.
    pub is_native: bool,
}

/// What an expression needs.
#[derive(Debug, Clone)]
pub enum Link {
    /// Nothing.
    Plain,
    /// A literal or constant expression (JLS §15.29), with the fields that it names.
    Const(Scalar, Option<Rc<[MemberId]>>),
    /// A variable, by its place.
    Local(u32),
    /// A variable of a body around the class.
    Captured,
    /// An instance field of the target, or of `this` or an object around it.
    Field(MemberId),
    /// A static field.
    Static(MemberId),
    /// A field of a library class.
    Library {
        /// The class; starts with `?` where it is not known.
        ty: Rc<str>,
        /// The field.
        name: Rc<str>,
    },
    /// A type: a name that stands for one, or what is made, cast to, or meant by `T.class`.
    Type(Type),
    /// A call.
    Call(Rc<CallLink>),
    /// A new object.
    New(Rc<NewLink>),
    /// A pattern.
    Pattern(Rc<PatternLink>),
    /// An operator on two operands: whether `+` concatenates, and which sides are boxed.
    Binary {
        /// `true` for a concatenation; `None` where that depends on the values.
        text: Option<bool>,
        /// Of each side whether its type is a boxed one, or a primitive one; `None` where it is another or not known.
        boxed: (Option<bool>, Option<bool>),
    },
    /// The primitive type that both ways of `? :` are converted to.
    Conditional(Option<Prim>),
    /// The place of the first parameter of a lambda, their types, and what its interface returns.
    Lambda(u32, Rc<[Type]>, Type),
    /// A method reference.
    Reference(Rc<ReferenceLink>),
    /// An array's element type.
    Array(Type),
}

/// What a call means.
#[derive(Debug, Clone)]
pub struct CallLink {
    /// What it is called on.
    pub on: On,
    /// Methods that it can mean, before the class of the receiver is looked at; none where it is a library's or not known.
    pub methods: Vec<MemberId>,
    /// The library class that declares it; starts with `?` where it is not known.
    pub library: Option<Rc<str>>,
    /// What it gives, by the types of the code.
    pub result: Type,
    /// Whether the last argument is one of variable ones (`true`) or the array of them (`false`).
    pub spread: Option<bool>,
}

/// What a call is made on.
#[derive(Debug, Clone, PartialEq)]
pub enum On {
    /// The value of an expression.
    Value(ExprId),
    /// A class.
    Class(Type),
    /// `this`, or the object around it, whose class has this type.
    This(TypeId),
    /// `super`, or `Type.super`.
    Super,
    /// Nothing was found.
    Nothing,
}

/// What a creation means.
#[derive(Debug, Clone)]
pub struct NewLink {
    /// The class.
    pub class: Type,
    /// Constructors that it can mean.
    pub constructors: Vec<MemberId>,
    /// Whether the last argument is one of variable ones.
    pub spread: Option<bool>,
}

/// What a method reference means.
#[derive(Debug, Clone)]
pub struct ReferenceLink {
    /// The class before `::`; `None` where a value stands there.
    pub class: Option<Type>,
    /// Methods that it can mean.
    pub methods: Vec<MemberId>,
    /// What its interface returns.
    pub result: Type,
}

/// A pattern with its types and places.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the sentence of a variant names its fields")]
pub enum PatternLink {
    /// Fits everything.
    Any,
    /// `T name`; a `total` one fits every value of its place, also null.
    Type { ty: Type, slot: Option<u32>, total: Option<bool> },
    /// `R(p, q)`, with the record's components.
    Record { ty: Type, components: Vec<MemberId>, parts: Vec<PatternLink> },
}

impl Code {
    /// What an expression needs.
    pub fn link(&self, id: ExprId) -> &Link {
        &self.links[id.0 as usize]
    }

    /// The first place that a statement declares.
    pub fn slot(&self, id: StmtId) -> u32 {
        self.declared[id.0 as usize]
    }
}
