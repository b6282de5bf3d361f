//! Mutations: the small mistakes that may be made in a body, as PITest's group `STRONGER` makes them in bytecode, each at its place in the lowered one.

use super::super::code::Link;
use super::super::java_type::Type;
use super::super::scalar::Scalar;
use crate::java::body::{ExprId, ExprKind, StmtId};
use crate::java::ids::MemberId;

/// What kind of mistake it is, by the name that PITest has for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mutator {
    /// `<` becomes `<=`.
    ConditionalsBoundary,
    /// A test for equality is always taken for false.
    EqualElse,
    /// A test for equality is always taken for true.
    EqualIf,
    /// A comparison is always taken for false.
    OrderElse,
    /// A comparison is always taken for true.
    OrderIf,
    /// `+` becomes `-`.
    Math,
    /// `++` becomes `--`.
    Increments,
    /// `-x` becomes `x`.
    InvertNegs,
    /// A call of a method that returns nothing is left out.
    VoidMethodCall,
    /// An empty text, collection or zero is returned.
    EmptyObjectReturnVals,
    /// Null is returned.
    NullReturnVals,
    /// Zero is returned.
    PrimitiveReturns,
    /// True is returned.
    BooleanTrueReturnVals,
    /// False is returned.
    BooleanFalseReturnVals,
}

impl Mutator {
    /// Its name in PITest's results, without package and `Mutator`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ConditionalsBoundary => "ConditionalsBoundary",
            Self::EqualElse => "RemoveConditional_EQUAL_ELSE",
            Self::EqualIf => "RemoveConditional_EQUAL_IF",
            Self::OrderElse => "RemoveConditional_ORDER_ELSE",
            Self::OrderIf => "RemoveConditional_ORDER_IF",
            Self::Math => "Math",
            Self::Increments => "Increments",
            Self::InvertNegs => "InvertNegs",
            Self::VoidMethodCall => "VoidMethodCall",
            Self::EmptyObjectReturnVals => "EmptyObjectReturnVals",
            Self::NullReturnVals => "NullReturnVals",
            Self::PrimitiveReturns => "PrimitiveReturns",
            Self::BooleanTrueReturnVals => "BooleanTrueReturnVals",
            Self::BooleanFalseReturnVals => "BooleanFalseReturnVals",
        }
    }

    /// What it does, in words.
    pub fn what(self) -> &'static str {
        match self {
            Self::ConditionalsBoundary => "changed conditional boundary",
            Self::EqualElse => "removed conditional - replaced equality check with false",
            Self::EqualIf => "removed conditional - replaced equality check with true",
            Self::OrderElse => "removed conditional - replaced comparison check with false",
            Self::OrderIf => "removed conditional - replaced comparison check with true",
            Self::Math => "replaced an arithmetic operation",
            Self::Increments => "changed the sign of an increment",
            Self::InvertNegs => "removed negation",
            Self::VoidMethodCall => "removed a call",
            Self::EmptyObjectReturnVals => "replaced return value with an empty one",
            Self::NullReturnVals => "replaced return value with null",
            Self::PrimitiveReturns => "replaced return value with 0",
            Self::BooleanTrueReturnVals => "replaced return value with true",
            Self::BooleanFalseReturnVals => "replaced return value with false",
        }
    }
}

/// One mutation of one body.
#[derive(Debug, Clone)]
pub struct Mutation {
    /// Whose body it is.
    pub member: MemberId,
    /// What kind of mistake.
    pub mutator: Mutator,
    /// The line that compiled code has there, from 1.
    pub line: u32,
    /// The expression that must be worked out for it to matter.
    pub at: ExprId,
    /// What is changed.
    pub(super) change: Change,
}

impl Mutation {
    /// Whether a condition is always taken for the same.
    pub fn is_jump(&self) -> bool {
        matches!(self.change, Change::Always(..))
    }
}

/// What is changed in a body.
#[derive(Debug, Clone)]
pub(super) enum Change {
    /// An expression becomes another one over the same operands.
    Replace(ExprId, ExprKind),
    /// A condition is asked for, and taken for this.
    Always(ExprId, bool),
    /// The value of an expression is worked out, and its operand taken instead.
    Operand(ExprId, ExprId),
    /// What a call is made on and given is worked out, and the call is not made.
    Uncalled(ExprId, Vec<ExprId>),
    /// A statement returns this instead of the value that it works out.
    Return(StmtId, ExprId, Returned),
    /// A lambda returns this instead of the value of its expression.
    Lambda(ExprId, ExprId, Returned),
}

impl Change {
    /// The expression that must be worked out for it to matter.
    pub(super) fn at(&self) -> ExprId {
        match self {
            Self::Replace(id, _) | Self::Always(id, _) | Self::Operand(id, _) | Self::Uncalled(id, _) => *id,
            Self::Return(_, value, _) | Self::Lambda(_, value, _) => *value,
        }
    }
}

/// What is returned instead.
#[derive(Debug, Clone)]
pub(super) enum Returned {
    /// A constant.
    Constant(Scalar),
    /// What a static method without parameters of a library gives.
    Library(&'static str, &'static str),
}

impl Returned {
    /// What an expression that gives it needs.
    pub(super) fn link(&self) -> Link {
        use super::super::code::{CallLink, On};
        match self {
            Self::Constant(value) => Link::Const(value.clone(), None),
            Self::Library(class, _) => {
                let class: std::rc::Rc<str> = std::rc::Rc::from(*class);
                let ty = Type::Class(super::super::scalar::ClassRef::Library(class.clone()), Vec::new());
                Link::Call(std::rc::Rc::new(CallLink {
                    on: On::Class(ty),
                    methods: Vec::new(),
                    library: Some(class),
                    result: Type::Unknown,
                    spread: Some(false),
                }))
            }
        }
    }
}
