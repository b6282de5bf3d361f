//! Terms: what a symbolic value is made of, from the inputs of a request and constants.

use std::rc::Rc;

use super::arith;
use super::function::{Applied, Function};
use super::scalar::{Prim, Scalar};
use crate::java::body::{BinaryOp, UnaryOp};

/// Where in a request an input stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each variant is the part of the request of that name")]
pub enum Place {
    Path,
    Query,
    Header,
    Cookie,
    Form,
    Body,
    /// No part of a request: a key that a store made.
    Store,
}

impl Place {
    /// Lower-case name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query => "query",
            Self::Header => "header",
            Self::Cookie => "cookie",
            Self::Form => "form",
            Self::Body => "body",
            Self::Store => "store",
        }
    }
}

/// One input of a request: a parameter by name, or a field of the body by its path (`lines[0].sku`; empty for the whole body).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Input {
    /// Where it stands.
    pub place: Place,
    /// Its name or path.
    pub name: Rc<str>,
}

impl Input {
    /// An input by place and name.
    pub fn new(place: Place, name: &str) -> Self {
        Self { place, name: Rc::from(name) }
    }

    /// The field of this name within the body or body field.
    pub fn field(&self, name: &str) -> Self {
        if self.name.is_empty() {
            Self::new(self.place, name)
        } else {
            Self::new(self.place, &format!("{}.{name}", self.name))
        }
    }

    /// An element of a list of the body.
    pub fn element(&self, index: usize) -> Self {
        Self::new(self.place, &format!("{}[{index}]", self.name))
    }
}

impl std::fmt::Display for Input {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.name.is_empty() { f.write_str("the body") } else { f.write_str(&self.name) }
    }
}

/// A symbolic value.
#[derive(Debug, Clone, PartialEq)]
pub enum Term {
    /// A known value.
    Const(Scalar),
    /// An input as the handler gets it, already converted.
    Input(Input),
    /// An arithmetic operator on operands promoted to this type.
    Binary(BinaryOp, Prim, Rc<Term>, Rc<Term>),
    /// A unary operator on an operand promoted to this type.
    Unary(UnaryOp, Prim, Rc<Term>),
    /// A conversion to a primitive type.
    Cast(Prim, Rc<Term>),
    /// A pure function.
    Apply(Function, Vec<Rc<Term>>),
}

/// What the inputs of one request are.
pub trait Inputs {
    /// The value of an input, converted to its Java type; `None` where this request does not say.
    fn scalar(&self, input: &Input) -> Option<Scalar>;
    /// Number of elements of a list of the body.
    fn size(&self, input: &Input) -> Option<i32>;
}

impl Term {
    /// The value of the term on these inputs; `None` where it is not known, or where it would throw.
    pub fn evaluate(&self, inputs: &dyn Inputs) -> Option<Scalar> {
        match self {
            Self::Const(value) => Some(value.clone()),
            Self::Input(input) => inputs.scalar(input),
            Self::Binary(op, _, a, b) => match arith::binary(*op, &a.evaluate(inputs)?, &b.evaluate(inputs)?) {
                arith::Outcome::Value(value) => Some(value),
                _ => None,
            },
            Self::Unary(op, _, a) => match arith::unary(*op, &a.evaluate(inputs)?) {
                arith::Outcome::Value(value) => Some(value),
                _ => None,
            },
            Self::Cast(prim, a) => arith::convert(&a.evaluate(inputs)?, *prim),
            Self::Apply(Function::Size, args) => match args.first().map(AsRef::as_ref) {
                Some(Self::Input(input)) => inputs.size(input).map(Scalar::Int),
                _ => None,
            },
            Self::Apply(function, args) => {
                let args: Option<Vec<Scalar>> = args.iter().map(|arg| arg.evaluate(inputs)).collect();
                match function.apply(&args?) {
                    Applied::Value(value) => Some(value),
                    _ => None,
                }
            }
        }
    }

    /// Whether it is a key that a store made.
    pub fn is_key(&self) -> bool {
        matches!(self, Self::Input(input) if input.place == Place::Store)
    }

    /// Number of its parts, counted up to `limit`.
    pub fn size(&self, limit: usize) -> usize {
        let within = |parts: &[&Rc<Self>]| {
            parts.iter().fold(1, |sum: usize, part| if sum >= limit { sum } else { sum + part.size(limit - sum) })
        };
        match self {
            Self::Const(_) | Self::Input(_) => 1,
            Self::Binary(_, _, a, b) => within(&[a, b]),
            Self::Unary(_, _, a) | Self::Cast(_, a) => within(&[a]),
            Self::Apply(_, args) => within(&args.iter().collect::<Vec<_>>()),
        }
    }

    /// All inputs in it, each once, in order of appearance.
    pub fn inputs(&self, into: &mut Vec<Input>) {
        match self {
            Self::Const(_) => {}
            Self::Input(input) => {
                if !into.contains(input) {
                    into.push(input.clone());
                }
            }
            Self::Binary(_, _, a, b) => {
                a.inputs(into);
                b.inputs(into);
            }
            Self::Unary(_, _, a) | Self::Cast(_, a) => a.inputs(into),
            Self::Apply(_, args) => args.iter().for_each(|arg| arg.inputs(into)),
        }
    }
}

/// The operator as written in Java.
pub fn operator(op: BinaryOp) -> &'static str {
    use BinaryOp as B;
    match op {
        B::Add => "+",
        B::Sub => "-",
        B::Mul => "*",
        B::Div => "/",
        B::Rem => "%",
        B::Shl => "<<",
        B::Shr => ">>",
        B::UShr => ">>>",
        B::Lt => "<",
        B::Le => "<=",
        B::Gt => ">",
        B::Ge => ">=",
        B::Eq => "==",
        B::Ne => "!=",
        B::BitAnd => "&",
        B::BitOr => "|",
        B::BitXor => "^",
        B::And => "&&",
        B::Or => "||",
    }
}

impl std::fmt::Display for Term {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let nested = |term: &Self| match term {
            Self::Binary(..) => format!("({term})"),
            _ => term.to_string(),
        };
        match self {
            Self::Const(value) => value.fmt(f),
            Self::Input(input) => input.fmt(f),
            Self::Binary(op, _, a, b) => write!(f, "{} {} {}", nested(a), operator(*op), nested(b)),
            Self::Unary(op, _, a) => {
                let sign = match op {
                    UnaryOp::Plus => "+",
                    UnaryOp::Minus => "-",
                    UnaryOp::Not => "!",
                    UnaryOp::BitNot => "~",
                };
                write!(f, "{sign}{}", nested(a))
            }
            Self::Cast(_, a) => a.fmt(f),
            Self::Apply(function, args) => {
                let args: Vec<String> = args.iter().map(|arg| nested(arg)).collect();
                f.write_str(&function.describe(&args))
            }
        }
    }
}
