//! Terms: symbolic expressions over request inputs and constants.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash};
use std::rc::Rc;

use super::arith;
use super::function::{Applied, Function};
use super::scalar::{ClassRef, Prim, Scalar};
use sha2::{Digest, Sha256};

use crate::ir::body::{BinaryOp, UnaryOp};

/// Prefix of the callee of an opaque operator.
pub const OPERATOR: &str = "operator ";

/// The place of an input in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each variant is the part of the request of that name")]
pub enum InputPlace {
    Path,
    Query,
    Header,
    Cookie,
    Form,
    Body,
    /// Not part of a request: a key that a store generated.
    Store,
}

impl InputPlace {
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

/// One input of a request: a parameter by name, or a body field by path (`lines[0].sku`; empty for the whole body).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Input {
    /// Its place.
    pub place: InputPlace,
    /// Its name or path.
    pub name: Rc<str>,
}

impl Input {
    /// An input by place and name.
    pub fn new(place: InputPlace, name: &str) -> Self {
        Self { place, name: Rc::from(name) }
    }

    /// The field with this name of the body or of a body field.
    pub fn field(&self, name: &str) -> Self {
        if self.name.is_empty() {
            Self::new(self.place, name)
        } else {
            Self::new(self.place, &format!("{}.{name}", self.name))
        }
    }

    /// An element of a body list.
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
    /// An input after conversion to the handler's type.
    Input(Input),
    /// An arithmetic operator on operands promoted to this type.
    Binary(BinaryOp, Prim, Rc<Term>, Rc<Term>),
    /// A unary operator on an operand promoted to this type.
    Unary(UnaryOp, Prim, Rc<Term>),
    /// A conversion to a primitive type.
    Cast(Prim, Rc<Term>),
    /// A pure function.
    Apply(Function, Vec<Rc<Term>>),
    /// An opaque value.
    Opaque(Rc<Opaque>),
}

/// The origin of an opaque value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// The result of an opaque call: results of different callees cannot be compared.
    Call,
    /// A field, element or part of another opaque value: two different parts may differ.
    Part,
    /// Given by the surroundings: a bean, a setting, or a value from the framework.
    Given,
    /// A constant of a library class, by its full name. It is never null, and two constants of one class differ.
    Constant,
}

/// The sort of an opaque value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sort {
    /// A number or boolean, boxed or not.
    Prim(Prim),
    /// A string.
    Text,
    /// An enum constant of the project: its class and constants.
    Constant(Rc<str>, Rc<[Rc<str>]>),
    /// Any other object.
    Object,
}

/// An opaque value: a typed term for the result of code that is not followed. Equal callee and operands mean an equal
/// value in both revisions, so all of it consists of names, never of ids of one revision.
#[derive(Clone)]
pub struct Opaque {
    /// Its origin.
    pub origin: Origin,
    /// The method called, part read or value given.
    pub callee: Rc<str>,
    /// Receiver and arguments.
    pub operands: Rc<[Canon]>,
    /// Its sort.
    pub sort: Sort,
    /// A readable form.
    pub words: Rc<str>,
    /// A short name when a part of it is named, if not `words`: `photo`.
    pub noun: Option<Rc<str>>,
    /// A hash that identifies it.
    pub key: u128,
    /// The reason why an operand is unknown.
    pub unknown: Option<Rc<str>>,
}

/// The callee in a form that does not depend on whether the code names the type of the object on which it calls a
/// library's method: name and number of arguments. The same object runs the same method either way.
pub fn canonical_callee<'c>(callee: &'c str, operands: &[Canon]) -> Cow<'c, str> {
    let is_name = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._$?".contains(&byte));
    let method = callee.rsplit_once('/').and_then(|(name, count)| Some((name, count.parse::<usize>().ok()?)));
    let Some((name, count)) = method.filter(|(name, _)| is_name(name)) else { return Cow::Borrowed(callee) };
    let handed = operands.iter().filter(|operand| !operand.is_mark()).count();
    match name.rsplit_once('.') {
        Some((_, simple)) if handed == count + 1 => Cow::Owned(format!("?.{simple}/{count}")),
        _ => Cow::Borrowed(callee),
    }
}

impl Opaque {
    /// An opaque value with its key computed.
    pub fn new(origin: Origin, callee: &str, operands: Vec<Canon>, sort: Sort, words: &str) -> Self {
        let mut text = format!("{origin:?} {}(", canonical_callee(callee, &operands));
        for operand in &operands {
            operand.write(&mut text);
            text.push(',');
        }
        // Computed once, since terms over opaque values ask for it often.
        let unknown = operands.iter().find_map(Canon::unknown_within);
        let digest = Sha256::digest(text.as_bytes());
        let key = digest.iter().take(16).fold(0u128, |key, byte| key << 8 | u128::from(*byte));
        Self {
            origin,
            callee: Rc::from(callee),
            operands: operands.into(),
            sort,
            words: Rc::from(words),
            noun: None,
            key,
            unknown,
        }
    }
}

impl Opaque {
    /// The name used when a part of it is named.
    pub fn name(&self) -> &str {
        self.noun.as_deref().unwrap_or(&self.words)
    }
}

impl PartialEq for Opaque {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl std::fmt::Debug for Opaque {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{:x}", self.key)
    }
}

/// A boolean over terms.
pub trait Truth: std::fmt::Debug {
    /// Its value for these inputs.
    fn holds_on(&self, inputs: &dyn Inputs) -> Option<bool>;
    /// All opaque values in it.
    fn opaque_in(&self, into: &mut Vec<Rc<Opaque>>);
    /// Downcasts to the concrete type.
    fn as_any(&self) -> &dyn std::any::Any;
    /// A readable form.
    fn words(&self) -> String;
}

/// The canonical form of a value: comparable between revisions, made of names only, with the object's contents.
#[derive(Debug, Clone)]
pub enum Canon {
    /// A scalar, or a symbolic value.
    Term(Rc<Term>),
    /// A symbolic boolean.
    Truth(Rc<dyn Truth>),
    /// A class, or a bean.
    Named(Rc<str>),
    /// An object with its parts by name.
    Object(Rc<str>, Rc<[(Rc<str>, Canon)]>),
    /// An object that already occurred in the snapshot, by its number from 0.
    Again(u32),
    /// The state of a library object in its model's notation: equal if the texts are equal, else undecided.
    Sealed(Rc<str>),
    /// Unknown, with the reason.
    Unknown(Rc<str>),
}

impl PartialEq for Canon {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

impl Canon {
    /// An operand that distinguishes a call from the same call in another epoch.
    pub fn epoch(number: u32) -> Self {
        Self::Sealed(Rc::from(format!("{EPOCH}{number}")))
    }

    /// An operand that distinguishes one reading of a clock or random source from the others.
    pub fn reading(number: u32) -> Self {
        Self::Named(Rc::from(format!("{READING}{number}")))
    }

    /// Whether this operand of a call is a mark (an epoch, or the number of a reading) and not an argument.
    pub fn is_mark(&self) -> bool {
        match self {
            Self::Sealed(text) => text.starts_with(EPOCH),
            Self::Named(text) => text.starts_with(READING),
            _ => false,
        }
    }

    /// The opaque value, if it is one.
    pub fn as_opaque(&self) -> Option<&Rc<Opaque>> {
        match self {
            Self::Term(term) => match &**term {
                Term::Opaque(opaque) => Some(opaque),
                _ => None,
            },
            _ => None,
        }
    }

    /// `null`.
    pub fn null() -> Self {
        Self::Term(Rc::new(Term::Const(Scalar::Null)))
    }

    /// The whole form as text; equal texts mean equal values.
    pub fn text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        use std::fmt::Write as _;
        match self {
            Self::Term(term) => term.write(out),
            Self::Truth(truth) => {
                let _ = write!(out, "{truth:?}");
            }
            Self::Named(name) | Self::Sealed(name) => out.push_str(name),
            Self::Object(class, parts) => {
                let _ = write!(out, "{class}{{");
                for (name, part) in parts.iter() {
                    let _ = write!(out, "{name}=");
                    part.write(out);
                    out.push(';');
                }
                out.push('}');
            }
            Self::Again(at) => {
                let _ = write!(out, "@{at}");
            }
            Self::Unknown(why) => {
                let _ = write!(out, "?{why}");
            }
        }
    }

    /// The reason why some part is unknown.
    pub fn unknown(&self) -> Option<Rc<str>> {
        match self {
            Self::Unknown(why) => Some(why.clone()),
            Self::Object(_, parts) => parts.iter().find_map(|(_, part)| part.unknown()),
            Self::Term(term) => term.unknown(),
            Self::Truth(_) | Self::Named(_) | Self::Again(_) | Self::Sealed(_) => None,
        }
    }

    /// The reason why it is unknown; for a boolean, why an opaque value in it is.
    fn unknown_within(&self) -> Option<Rc<str>> {
        let Self::Truth(truth) = self else { return self.unknown() };
        let mut all = Vec::new();
        truth.opaque_in(&mut all);
        all.iter().find_map(|one| one.unknown.clone())
    }

    /// All opaque values in it, including nested ones.
    pub fn opaque(&self, into: &mut Vec<Rc<Opaque>>) {
        match self {
            Self::Term(term) => term.opaque(into),
            Self::Truth(truth) => truth.opaque_in(into),
            Self::Object(_, parts) => parts.iter().for_each(|(_, part)| part.opaque(into)),
            Self::Named(_) | Self::Again(_) | Self::Sealed(_) | Self::Unknown(_) => {}
        }
    }

    /// Feeds its value for these inputs to a hasher; `None` if unknown.
    pub fn digest(&self, inputs: &dyn Inputs, into: &mut DefaultHasher) -> Option<()> {
        match self {
            Self::Term(term) => hash_scalar(&term.evaluate(inputs)?, into),
            Self::Truth(truth) => hash_scalar(&Scalar::Bool(truth.holds_on(inputs)?), into),
            Self::Object(class, parts) => {
                class.hash(into);
                for (name, part) in parts.iter() {
                    name.hash(into);
                    part.digest(inputs, into)?;
                }
            }
            Self::Named(name) | Self::Sealed(name) => name.hash(into),
            Self::Again(at) => at.hash(into),
            Self::Unknown(_) => return None,
        }
        Some(())
    }

    /// Its value for these inputs as text; `None` if unknown.
    pub fn evaluate(&self, inputs: &dyn Inputs) -> Option<String> {
        Some(match self {
            Self::Term(term) => {
                let mut out = String::new();
                Term::Const(term.evaluate(inputs)?).write(&mut out);
                out
            }
            Self::Truth(truth) => Self::Term(Rc::new(Term::Const(Scalar::Bool(truth.holds_on(inputs)?)))).text(),
            Self::Object(class, parts) => {
                let mut out = format!("{class}{{");
                for (name, part) in parts.iter() {
                    out.push_str(&format!("{name}={};", part.evaluate(inputs)?));
                }
                out + "}"
            }
            Self::Unknown(_) => return None,
            other => other.text(),
        })
    }
}

fn hash_scalar(value: &Scalar, into: &mut DefaultHasher) {
    std::mem::discriminant(value).hash(into);
    match value {
        Scalar::Str(text) => text.text.hash(into),
        Scalar::Enum(_, name) => name.hash(into),
        Scalar::Null => {}
        number => match (number.as_long(), number) {
            (Some(number), _) => number.hash(into),
            (None, Scalar::Bool(value)) => value.hash(into),
            (None, number) => number.as_double().map(f64::to_bits).hash(into),
        },
    }
}

/// The input values of one request.
pub trait Inputs {
    /// The value of an input, converted to its Java type; `None` if the request does not determine it.
    fn scalar(&self, input: &Input) -> Option<Scalar>;
    /// Number of elements of a body list.
    fn size(&self, input: &Input) -> Option<i32>;
    /// The value of an opaque value.
    fn opaque(&self, _opaque: &Opaque) -> Option<Scalar> {
        None
    }
    /// The value of this term, if it was kept.
    fn kept(&self, _term: &Term) -> Option<Option<Scalar>> {
        None
    }
    /// Keeps the value of a term that is computed from others. Terms share parts, so that one part may be asked for
    /// very often.
    fn keep(&self, _term: &Term, _value: &Option<Scalar>) {}
}

impl Term {
    /// Whether it is a constant of a library class.
    pub fn is_library_constant(&self) -> bool {
        matches!(self, Self::Opaque(constant) if constant.origin == Origin::Constant)
    }

    /// Whether both are constants of the same library class.
    pub fn is_constant_of_same_class(&self, other: &Self) -> bool {
        let class = |term: &Self| match term {
            Self::Opaque(constant) if constant.origin == Origin::Constant => {
                constant.callee.rsplit_once('.').map(|(class, _)| class.to_owned())
            }
            _ => None,
        };
        class(self).is_some_and(|own| class(other) == Some(own))
    }

    /// The value of the term for these inputs; `None` if unknown, or if evaluation would throw.
    pub fn evaluate(&self, inputs: &dyn Inputs) -> Option<Scalar> {
        match self {
            Self::Const(_) | Self::Input(_) | Self::Opaque(_) => self.computed(inputs),
            _ => inputs.kept(self).unwrap_or_else(|| {
                let value = self.computed(inputs);
                inputs.keep(self, &value);
                value
            }),
        }
    }

    fn computed(&self, inputs: &dyn Inputs) -> Option<Scalar> {
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
            Self::Opaque(opaque) => inputs.opaque(opaque),
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

    /// Whether it is a key that a store generated.
    pub fn is_key(&self) -> bool {
        matches!(self, Self::Input(input) if input.place == InputPlace::Store)
    }

    /// Number of its nodes, counted up to `limit`.
    pub fn size(&self, limit: usize) -> usize {
        let within = |parts: &[&Rc<Self>]| {
            parts.iter().fold(1, |sum: usize, part| if sum >= limit { sum } else { sum + part.size(limit - sum) })
        };
        match self {
            Self::Const(_) | Self::Input(_) | Self::Opaque(_) => 1,
            Self::Binary(_, _, a, b) => within(&[a, b]),
            Self::Unary(_, _, a) | Self::Cast(_, a) => within(&[a]),
            Self::Apply(_, args) => within(&args.iter().collect::<Vec<_>>()),
        }
    }

    /// All inputs in it, each once, in order of appearance.
    pub fn inputs(&self, into: &mut Vec<Input>) {
        match self {
            Self::Const(_) | Self::Opaque(_) => {}
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

    /// The reason why some part is unknown.
    pub fn unknown(&self) -> Option<Rc<str>> {
        match self {
            Self::Const(_) | Self::Input(_) => None,
            Self::Opaque(opaque) => opaque.unknown.clone(),
            Self::Binary(_, _, a, b) => a.unknown().or_else(|| b.unknown()),
            Self::Unary(_, _, a) | Self::Cast(_, a) => a.unknown(),
            Self::Apply(_, args) => args.iter().find_map(|arg| arg.unknown()),
        }
    }

    /// All opaque values in it, including nested ones, each once.
    pub fn opaque(&self, into: &mut Vec<Rc<Opaque>>) {
        match self {
            Self::Const(_) | Self::Input(_) => {}
            Self::Opaque(opaque) => {
                if !into.contains(opaque) {
                    into.push(opaque.clone());
                    opaque.operands.iter().for_each(|operand| operand.opaque(into));
                }
            }
            Self::Binary(_, _, a, b) => {
                a.opaque(into);
                b.opaque(into);
            }
            Self::Unary(_, _, a) | Self::Cast(_, a) => a.opaque(into),
            Self::Apply(_, args) => args.iter().for_each(|arg| arg.opaque(into)),
        }
    }

    /// Writes a text that identifies it.
    fn write(&self, out: &mut String) {
        use std::fmt::Write as _;
        let _ = match self {
            Self::Const(Scalar::Str(text)) => write!(out, "{:?}", text.text),
            Self::Const(Scalar::Enum(class, name)) => write!(out, "{class:?}.{name}"),
            Self::Const(scalar) => write!(out, "{scalar:?}"),
            Self::Input(input) => write!(out, "{}:{}", input.place.as_str(), input.name),
            Self::Opaque(opaque) => write!(out, "#{:x}", opaque.key),
            Self::Binary(op, prim, a, b) => {
                let _ = write!(out, "{op:?}.{prim:?}(");
                a.write(out);
                out.push(',');
                b.write(out);
                write!(out, ")")
            }
            Self::Unary(op, prim, a) => {
                let _ = write!(out, "{op:?}.{prim:?}(");
                a.write(out);
                write!(out, ")")
            }
            Self::Cast(prim, a) => {
                let _ = write!(out, "as {prim:?}(");
                a.write(out);
                write!(out, ")")
            }
            Self::Apply(function, args) => {
                let _ = write!(out, "{function:?}(");
                for arg in args {
                    arg.write(out);
                    out.push(',');
                }
                write!(out, ")")
            }
        };
    }

    /// Replaces the classes of enum constants in the term: `of` maps ids of one revision to names, or names back to ids.
    pub fn with_classes(self: &Rc<Self>, of: &dyn Fn(&ClassRef) -> Option<ClassRef>) -> Rc<Self> {
        let each = |a: &Rc<Self>| a.with_classes(of);
        match &**self {
            Self::Const(Scalar::Enum(class, name)) => match of(class) {
                Some(class) => Rc::new(Self::Const(Scalar::Enum(class, name.clone()))),
                None => self.clone(),
            },
            Self::Const(_) | Self::Input(_) | Self::Opaque(_) => self.clone(),
            Self::Binary(op, prim, a, b) => Rc::new(Self::Binary(*op, *prim, each(a), each(b))),
            Self::Unary(op, prim, a) => Rc::new(Self::Unary(*op, *prim, each(a))),
            Self::Cast(prim, a) => Rc::new(Self::Cast(*prim, each(a))),
            Self::Apply(function, args) => Rc::new(Self::Apply(*function, args.iter().map(each).collect())),
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

/// In the name of a part of a value, separates the readable text from the identity after it.
pub const ASIDE: char = '\u{1f}';

/// Prefixes of the two kinds of marks that follow the arguments of a call.
const EPOCH: &str = "epoch ";
const READING: &str = "reading ";

impl std::fmt::Display for Term {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let nested = |term: &Self| match term {
            Self::Binary(..) => format!("({term})"),
            _ => term.to_string(),
        };
        match self {
            Self::Const(value) => value.fmt(f),
            Self::Input(input) => input.fmt(f),
            Self::Opaque(opaque) => f.write_str(&opaque.words),
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
