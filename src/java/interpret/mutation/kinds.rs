//! Kinds of mutations: the bytecode mutators of PITest's group `STRONGER`, applied to lowered bodies.

use crate::interpret::linking::code::Link;
use crate::interpret::values::java_type::Type;
use crate::interpret::values::scalar::Scalar;
use crate::ir::body::{ExprId, ExprKind, StmtId};
use crate::ir::ids::MemberId;

/// The kind of a mutation, by PITest's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mutator {
    /// `<` becomes `<=`.
    ConditionalsBoundary,
    /// A test for equality is always false.
    EqualElse,
    /// A test for equality is always true.
    EqualIf,
    /// An order comparison is always false.
    OrderElse,
    /// An order comparison is always true.
    OrderIf,
    /// `+` becomes `-`.
    Math,
    /// `++` becomes `--`.
    Increments,
    /// `-x` becomes `x`.
    InvertNegs,
    /// A call of a `void` method is removed.
    VoidMethodCall,
    /// An empty string, an empty collection or zero is returned.
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

    /// A description of the mutation.
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
    /// The member whose body it changes.
    pub member: MemberId,
    /// The kind of mutation.
    pub mutator: Mutator,
    /// The line number in compiled code, from 1.
    pub line: u32,
    /// The expression that must be evaluated for the mutation to have an effect.
    pub at: ExprId,
    /// The change.
    pub(super) change: Change,
}

impl Mutation {
    /// Whether it replaces a condition by a constant.
    pub fn is_jump(&self) -> bool {
        matches!(self.change, Change::Always(..))
    }
}

/// The change that a mutation makes in a body.
#[derive(Debug, Clone)]
pub(super) enum Change {
    /// Replaces an expression by another one over the same operands.
    Replace(ExprId, ExprKind),
    /// Evaluates a condition, and replaces its value by this one.
    Always(ExprId, bool),
    /// Evaluates an expression, and replaces its value by that of its operand.
    Operand(ExprId, ExprId),
    /// Evaluates the receiver and arguments of a call, and omits the call.
    Uncalled(ExprId, Vec<ExprId>),
    /// Makes a statement return this instead of the evaluated value.
    Return(StmtId, ExprId, Returned),
    /// Makes a lambda return this instead of the value of its expression.
    Lambda(ExprId, ExprId, Returned),
}

impl Change {
    /// The expression that must be evaluated for the change to have an effect.
    pub(super) fn at(&self) -> ExprId {
        match self {
            Self::Replace(id, _) | Self::Always(id, _) | Self::Operand(id, _) | Self::Uncalled(id, _) => *id,
            Self::Return(_, value, _) | Self::Lambda(_, value, _) => *value,
        }
    }
}

/// The value that is returned instead.
#[derive(Debug, Clone)]
pub(super) enum Returned {
    /// A constant.
    Constant(Scalar),
    /// The result of a static library method without parameters.
    Library(&'static str, &'static str),
}

impl Returned {
    /// The link of an expression with this value.
    pub(super) fn link(&self) -> Link {
        use crate::interpret::linking::code::{CallLink, On};
        match self {
            Self::Constant(value) => Link::Const(value.clone(), None),
            Self::Library(class, _) => {
                let class: std::rc::Rc<str> = std::rc::Rc::from(*class);
                let ty = Type::Class(crate::interpret::values::scalar::ClassRef::Library(class.clone()), Vec::new());
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
