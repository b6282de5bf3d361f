//! Values of a running body: scalars, objects on the heap, symbolic values, and values that are not known.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::code::{Code, ReferenceLink};
use super::condition::Cond;
use super::scalar::{ClassRef, Prim, Scalar};
use super::term::{Input, Term};
use crate::java::body::ExprId;
use crate::java::ids::{MemberId, TypeId};

pub use super::java_type::Type;

/// Place of an object in the heap of one path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjId(pub u32);

/// How many parts a term or condition may have: what code makes in loops would grow without end.
const MAX_SIZE: usize = 200;

/// A symbolic value that is no boolean condition.
#[derive(Debug, Clone, PartialEq)]
pub struct Symbol {
    /// What it is made of.
    pub term: Rc<Term>,
    /// Its type.
    pub ty: Type,
    /// Whether it may be null, as far as the conditions taken do not say.
    pub nullable: bool,
}

/// A value that is not known, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Unknown {
    /// What was met, as phrases for people: `OrderRepository.findById is not modelled`.
    pub reasons: BTreeSet<Rc<str>>,
    /// Its static type, where that is known.
    pub ty: Type,
    /// Whether it is an object for certain, never null: what is unknown by nature.
    pub present: bool,
    /// The least and the greatest that it can be, where that is known: what comes of the clock.
    pub ends: Option<Rc<[End; 2]>>,
}

/// The least or the greatest of what a value can be.
#[derive(Debug, Clone)]
pub enum End {
    /// A number.
    Scalar(Scalar),
    /// An object of this class of Java's library that nothing changes.
    Object(Rc<str>, Box<dyn Native>),
}

/// Two objects are never told to be the same.
impl PartialEq for End {
    fn eq(&self, other: &Self) -> bool {
        matches!((self, other), (Self::Scalar(own), Self::Scalar(other)) if own == other)
    }
}

/// A lambda or method reference, with what it captured.
#[derive(Debug, Clone)]
pub struct Lambda {
    /// What stands around it.
    pub around: Rc<Captured>,
    /// What it runs.
    pub code: LambdaCode,
}

/// What a lambda runs.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the sentence of a variant names its fields")]
pub enum LambdaCode {
    /// `(params) -> body`: the expression in the code around it.
    Lambda { at: ExprId },
    /// `Type::name` or `value::name`: the evaluated receiver, or the type, and the methods that may be meant.
    Method { receiver: Option<Value>, link: Rc<ReferenceLink>, name: Rc<str> },
}

/// The surroundings of a lambda, or of an object of an inner class.
#[derive(Debug, Clone)]
pub struct Captured {
    /// The code in which it stands; `None` for a member class of an object.
    pub code: Option<Rc<Code>>,
    /// Variables there.
    pub slots: Vec<Value>,
    /// `this` there.
    pub this: Option<Value>,
}

/// A value.
#[derive(Debug, Clone)]
pub enum Value {
    /// Known completely.
    Scalar(Scalar),
    /// An object on the heap.
    Ref(ObjId),
    /// A boolean that depends on the inputs.
    Cond(Rc<Cond>),
    /// Something else that depends on the inputs.
    Symbol(Rc<Symbol>),
    /// A class literal.
    Class(Type),
    /// A lambda or method reference.
    Lambda(Rc<Lambda>),
    /// Not known.
    Unknown(Rc<Unknown>),
}

impl Value {
    /// `null`, also what a `void` method gives.
    pub const NULL: Self = Self::Scalar(Scalar::Null);

    /// A boolean.
    pub fn bool(value: bool) -> Self {
        Self::Scalar(Scalar::Bool(value))
    }

    /// An `int`.
    pub fn int(value: i32) -> Self {
        Self::Scalar(Scalar::Int(value))
    }

    /// A string.
    pub fn text(text: &str) -> Self {
        Self::Scalar(Scalar::text(text))
    }

    /// A value that is not known, for one reason.
    pub fn unknown(reason: &str, ty: Type) -> Self {
        Self::Unknown(Rc::new(Unknown { reasons: BTreeSet::from([Rc::from(reason)]), ty, present: false, ends: None }))
    }

    /// A value that nobody can know, and that is never null.
    pub fn unknowable(reason: &str, ty: Type) -> Self {
        Self::Unknown(Rc::new(Unknown { reasons: BTreeSet::from([Rc::from(reason)]), ty, present: true, ends: None }))
    }

    /// A boolean condition, folded where it is constant.
    pub fn cond(cond: Cond) -> Self {
        match cond.simplify() {
            Cond::Const(value) => Self::bool(value),
            other if other.size(MAX_SIZE) >= MAX_SIZE => {
                Self::unknown("a condition grew too large", Type::Prim(Prim::Bool))
            }
            other => Self::Cond(Rc::new(other)),
        }
    }

    /// A symbolic value.
    pub fn symbol(term: Term, ty: Type, nullable: bool) -> Self {
        if term.size(MAX_SIZE) >= MAX_SIZE {
            return Self::unknown("an expression grew too large", ty);
        }
        Self::Symbol(Rc::new(Symbol { term: Rc::new(term), ty, nullable }))
    }

    /// The scalar, where it is one.
    pub fn scalar(&self) -> Option<&Scalar> {
        match self {
            Self::Scalar(value) => Some(value),
            _ => None,
        }
    }

    /// Whether it is `null` for certain.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Scalar(Scalar::Null))
    }

    /// The term of a scalar or symbolic value.
    pub fn term(&self) -> Option<Rc<Term>> {
        match self {
            Self::Scalar(value) => Some(Rc::new(Term::Const(value.clone()))),
            Self::Symbol(symbol) => Some(symbol.term.clone()),
            _ => None,
        }
    }

    /// The primitive type of a number or boolean, known or symbolic, unboxed.
    pub fn prim(&self) -> Option<Prim> {
        match self {
            Self::Scalar(value) => value.prim(),
            Self::Symbol(symbol) => match symbol.ty {
                Type::Prim(prim) | Type::Boxed(prim) => Some(prim),
                _ => None,
            },
            Self::Cond(_) => Some(Prim::Bool),
            Self::Unknown(unknown) => match unknown.ty {
                Type::Prim(prim) | Type::Boxed(prim) => Some(prim),
                _ => None,
            },
            _ => None,
        }
    }
}

/// What an object of a library class holds.
#[derive(Debug, Clone)]
pub enum Contents {
    /// The elements of an array.
    Array(Vec<Value>),
    /// The elements of a list.
    List(Vec<Value>),
    /// The elements of a set, in the order in which Java iterates over them.
    Set(Vec<Value>),
    /// The elements of another collection, in the order in which Java iterates over them.
    Collection(Vec<Value>),
    /// The entries of a map, in the order in which Java iterates over them.
    Map(Vec<(Value, Value)>),
    /// The elements of a collection whose order Java does not fix.
    Bag(Vec<Value>),
    /// The entries of a map whose order Java does not fix.
    Pairs(Vec<(Value, Value)>),
    /// An entry of a map.
    Entry(Value, Value),
    /// What an `Optional` holds, or null.
    Optional(Value),
    /// The text of a `StringBuilder`.
    Builder(String),
    /// A `BigInteger`.
    Integer(String),
    /// A `BigDecimal`: its digits without the point, and its scale.
    Decimal(String, i32),
    /// Something that `toString` tells completely.
    Text(String),
    /// Why it cannot be said, such as that Java does not fix the order.
    Unknown(String),
}

/// The state of an object of a library class, as its model keeps it.
pub trait Native: std::fmt::Debug {
    /// Itself, to be read as what it is.
    fn as_any(&self) -> &dyn std::any::Any;
    /// Itself, to be changed as what it is.
    fn as_any_mut(&mut self) -> &mut dyn std::any::Any;
    /// A copy.
    fn copy(&self) -> Box<dyn Native>;
    /// The values it holds.
    fn children(&self) -> Vec<Value>;
    /// What it holds, for those who write it down; `None` for what is never written.
    fn contents(&self, _heap: &Heap) -> Option<Contents> {
        None
    }
    /// Whether nothing can change it.
    fn is_frozen(&self) -> bool {
        false
    }
    /// Whether equal ones may or may not be the same object, as the library likes.
    fn is_value(&self) -> bool {
        false
    }
}

impl Clone for Box<dyn Native> {
    fn clone(&self) -> Self {
        self.copy()
    }
}

/// What an object is, beyond its class and fields.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the sentence of a variant names its fields")]
pub enum Kind {
    /// Made by `new` in the project: a field not assigned holds its default.
    Plain,
    /// Made by the container, one for all requests: fields are filled in as they are read.
    Bean,
    /// Read from the body of the request: fields are inputs below this one.
    Body(Input),
    /// A list, set or array whose elements are known. `fixed` for one that refuses changes.
    List { items: Vec<Value>, fixed: bool },
    /// An object of a library class that a model knows; what it holds is in `parts`.
    Modelled,
    /// An object of a library class whose model keeps a state of its own.
    Native(Box<dyn Native>),
    /// Made for an opaque value: a field that was not set is one itself.
    Opaque(Rc<Term>),
    /// Handed to code that could not be followed: its fields are not known any more.
    Escaped(Rc<str>),
}

/// An object on the heap.
#[derive(Debug, Clone)]
pub struct Object {
    /// Its class.
    pub class: ClassRef,
    /// What it is.
    pub kind: Kind,
    /// Fields declared in the project.
    pub fields: BTreeMap<MemberId, Value>,
    /// What a library class holds, by a name its model chose.
    pub parts: BTreeMap<&'static str, Value>,
    /// What stands around each of its classes that is an inner, local or anonymous one.
    pub captured: Vec<(TypeId, Rc<Captured>)>,
}

impl Object {
    /// An object without fields.
    pub fn new(class: ClassRef, kind: Kind) -> Self {
        Self { class, kind, fields: BTreeMap::new(), parts: BTreeMap::new(), captured: Vec::new() }
    }
}

/// The objects of one path: its own, and before them those that static initialisers made once for all paths, copied where this one changes them.
#[derive(Debug, Clone, Default)]
pub struct Heap {
    shared: Rc<Vec<Rc<Object>>>,
    changed: BTreeMap<ObjId, Object>,
    own: Vec<Object>,
}

impl Heap {
    /// A heap without objects of its own.
    pub fn over(shared: Rc<Vec<Rc<Object>>>) -> Self {
        Self { shared, changed: BTreeMap::new(), own: Vec::new() }
    }

    /// An object.
    pub fn get(&self, id: ObjId) -> Option<&Object> {
        let at = id.0 as usize;
        match at.checked_sub(self.shared.len()) {
            Some(own) => self.own.get(own),
            None if self.changed.is_empty() => self.shared.get(at).map(Rc::as_ref),
            None => self.changed.get(&id).or_else(|| self.shared.get(at).map(Rc::as_ref)),
        }
    }

    /// Adds an object.
    pub fn push(&mut self, object: Object) -> ObjId {
        self.own.push(object);
        ObjId((self.shared.len() + self.own.len() - 1) as u32)
    }

    /// How many objects are shared.
    pub fn shared(&self) -> usize {
        self.shared.len()
    }

    /// Whether nothing has changed a shared object.
    pub fn is_undisturbed(&self) -> bool {
        self.changed.is_empty()
    }

    /// The objects of this path alone.
    pub fn into_own(self) -> Vec<Object> {
        self.own
    }
}

impl std::ops::Index<ObjId> for Heap {
    type Output = Object;

    fn index(&self, id: ObjId) -> &Object {
        match self.get(id) {
            Some(object) => object,
            None => &self.own[id.0 as usize],
        }
    }
}

impl std::ops::IndexMut<ObjId> for Heap {
    fn index_mut(&mut self, id: ObjId) -> &mut Object {
        let at = id.0 as usize;
        match at.checked_sub(self.shared.len()) {
            Some(own) => &mut self.own[own],
            None => self.changed.entry(id).or_insert_with(|| Object::clone(&self.shared[at])),
        }
    }
}
