//! Values of a running body: scalars, heap objects, symbolic values, and unknown values.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::scalar::{ClassRef, Prim, Scalar};
use super::term::{Input, Term};
use crate::interpret::linking::code::{Code, ReferenceLink};
use crate::interpret::paths::condition::Cond;
use crate::ir::body::ExprId;
use crate::ir::ids::{MemberId, TypeId};

pub use super::java_type::Type;

/// Index of an object in the heap of one path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjId(pub u32);

/// Maximum number of nodes of a term or condition. Code in loops would otherwise let them grow without end.
const MAX_SIZE: usize = 200;

/// A symbolic value that is not a boolean condition.
#[derive(Debug, Clone, PartialEq)]
pub struct Symbol {
    /// Its term.
    pub term: Rc<Term>,
    /// Its type.
    pub ty: Type,
    /// Whether it may be null, unless the path constraints say otherwise.
    pub nullable: bool,
}

/// An unknown value with its reasons.
#[derive(Debug, Clone, PartialEq)]
pub struct Unknown {
    /// The reasons, as readable phrases: `OrderRepository.findById is not modelled`.
    pub reasons: BTreeSet<Rc<str>>,
    /// Its static type, if known.
    pub ty: Type,
    /// Whether it is certainly an object and never null; set for inherently unknown values.
    pub present: bool,
    /// Lower and upper bound, if known; set for values derived from the clock.
    pub ends: Option<Rc<[End; 2]>>,
}

/// A lower or upper bound of a value.
#[derive(Debug, Clone)]
pub enum End {
    /// A number.
    Scalar(Scalar),
    /// An immutable object of this JDK class.
    Object(Rc<str>, Box<dyn Native>),
}

/// Objects are never equal here, because their states cannot be compared.
impl PartialEq for End {
    fn eq(&self, other: &Self) -> bool {
        matches!((self, other), (Self::Scalar(own), Self::Scalar(other)) if own == other)
    }
}

/// A lambda or method reference with its captured surroundings.
#[derive(Debug, Clone)]
pub struct Lambda {
    /// The captured surroundings.
    pub around: Rc<Captured>,
    /// Its code.
    pub code: LambdaCode,
}

/// The code of a lambda.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the sentence of a variant names its fields")]
pub enum LambdaCode {
    /// `(params) -> body`: the expression in the enclosing code.
    Lambda { at: ExprId },
    /// `Type::name` or `value::name`: the evaluated receiver, or the type, and the candidate methods.
    Method { receiver: Option<Value>, link: Rc<ReferenceLink>, name: Rc<str> },
}

/// The captured surroundings of a lambda, or of an object of an inner class.
#[derive(Clone)]
pub struct Captured {
    /// The enclosing code; `None` for a member class of an object.
    pub code: Option<Rc<Code>>,
    /// The enclosing variables.
    pub slots: Vec<Value>,
    /// The enclosing `this`.
    pub this: Option<Value>,
}

impl std::fmt::Debug for Captured {
    /// Surroundings hold further lambdas, each with the whole code around it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("…")
    }
}

/// A value.
#[derive(Debug, Clone)]
pub enum Value {
    /// Fully known.
    Scalar(Scalar),
    /// An object on the heap.
    Ref(ObjId),
    /// A boolean that depends on inputs.
    Cond(Rc<Cond>),
    /// Any other value that depends on inputs.
    Symbol(Rc<Symbol>),
    /// A class literal.
    Class(Type),
    /// A lambda or method reference.
    Lambda(Rc<Lambda>),
    /// Unknown.
    Unknown(Rc<Unknown>),
}

impl Value {
    /// `null`; also the result of a `void` method.
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

    /// An unknown value with one reason.
    pub fn unknown(reason: &str, ty: Type) -> Self {
        Self::Unknown(Rc::new(Unknown { reasons: BTreeSet::from([Rc::from(reason)]), ty, present: false, ends: None }))
    }

    /// An inherently unknown value that is never null.
    pub fn unknowable(reason: &str, ty: Type) -> Self {
        Self::Unknown(Rc::new(Unknown { reasons: BTreeSet::from([Rc::from(reason)]), ty, present: true, ends: None }))
    }

    /// A boolean condition, folded if it is constant.
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

    /// The scalar, if it is one.
    pub fn scalar(&self) -> Option<&Scalar> {
        match self {
            Self::Scalar(value) => Some(value),
            _ => None,
        }
    }

    /// Whether it is certainly `null`.
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

    /// The primitive type of a number or boolean, concrete or symbolic, boxed or not.
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

/// The contents of an object of a library class.
#[derive(Debug, Clone)]
pub enum Contents {
    /// The elements of an array.
    Array(Vec<Value>),
    /// The elements of a list.
    List(Vec<Value>),
    /// The elements of a set, in Java's iteration order.
    Set(Vec<Value>),
    /// The elements of another collection, in Java's iteration order.
    Collection(Vec<Value>),
    /// The entries of a map, in Java's iteration order.
    Map(Vec<(Value, Value)>),
    /// The elements of a collection without a fixed iteration order.
    Bag(Vec<Value>),
    /// The entries of a map without a fixed iteration order.
    Pairs(Vec<(Value, Value)>),
    /// An entry of a map.
    Entry(Value, Value),
    /// The value of an `Optional`, or null.
    Optional(Value),
    /// The text of a `StringBuilder`.
    Builder(String),
    /// A `BigInteger`.
    Integer(String),
    /// A `BigDecimal`: its digits without the point, and its scale.
    Decimal(String, i32),
    /// A value that `toString` describes completely.
    Text(String),
    /// The reason why the contents are unknown, such as an iteration order that Java does not fix.
    Unknown(String),
}

/// The state that a model keeps for an object of a library class.
pub trait Native: std::fmt::Debug {
    /// Downcasts to the concrete model type.
    fn as_any(&self) -> &dyn std::any::Any;
    /// Downcasts to the concrete model type, mutably.
    fn as_any_mut(&mut self) -> &mut dyn std::any::Any;
    /// Clones the state.
    fn copy(&self) -> Box<dyn Native>;
    /// The values that it contains.
    fn children(&self) -> Vec<Value>;
    /// The contents for canonical forms; `None` if they are never written.
    fn contents(&self, _heap: &Heap) -> Option<Contents> {
        None
    }
    /// The values that it contains, each with a name that says what they are for, if two states with equal parts are
    /// equal; else `None`.
    fn parts(&self) -> Option<Vec<(Rc<str>, Value)>> {
        None
    }
    /// Whether it is immutable.
    fn is_frozen(&self) -> bool {
        false
    }
    /// Whether it is a value-based class, whose equal instances may or may not be identical.
    fn is_value(&self) -> bool {
        false
    }
}

impl Clone for Box<dyn Native> {
    fn clone(&self) -> Self {
        self.copy()
    }
}

/// The kind of an object, besides its class and fields.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the sentence of a variant names its fields")]
pub enum Kind {
    /// Created by `new` in the project: unassigned fields have default values.
    Plain,
    /// Created by the container as a singleton: fields are injected on first read.
    Bean,
    /// Read from the request body: fields are inputs below this one.
    Body(Input),
    /// A list, set or array with known elements. `fixed` if it is unmodifiable.
    List { items: Vec<Value>, fixed: bool },
    /// An object of a modelled library class; its state is in `parts`.
    Modelled,
    /// An object of a library class whose model keeps its own state.
    Native(Box<dyn Native>),
    /// Created for an opaque value: unset fields are opaque values too.
    Opaque(Rc<Term>),
    /// Passed to code that could not be followed: its fields are unknown.
    Escaped(Rc<str>),
}

/// An object on the heap.
#[derive(Debug, Clone)]
pub struct Object {
    /// Its class.
    pub class: ClassRef,
    /// Its kind.
    pub kind: Kind,
    /// Values of fields declared in the project.
    pub fields: BTreeMap<MemberId, Value>,
    /// State of a library object, by names that its model chose.
    pub parts: BTreeMap<&'static str, Value>,
    /// What code has written to fields that a library declares, by name.
    pub inherited: BTreeMap<Rc<str>, Value>,
    /// The call that may have set such fields.
    pub filled: Option<Rc<str>>,
    /// Captured surroundings of each of its classes that is inner, local or anonymous.
    pub captured: Vec<(TypeId, Rc<Captured>)>,
}

impl Object {
    /// An object without fields.
    pub fn new(class: ClassRef, kind: Kind) -> Self {
        Self {
            class,
            kind,
            fields: BTreeMap::new(),
            parts: BTreeMap::new(),
            inherited: BTreeMap::new(),
            filled: None,
            captured: Vec::new(),
        }
    }
}

/// The objects of one path. Shared objects, which static initialisers created for all paths, come first and are
/// copied on write.
#[derive(Debug, Clone, Default)]
pub struct Heap {
    shared: Rc<Vec<Rc<Object>>>,
    changed: BTreeMap<ObjId, Object>,
    own: Vec<Object>,
}

impl Heap {
    /// A heap without own objects.
    pub fn over(shared: Rc<Vec<Rc<Object>>>) -> Self {
        Self { shared, changed: BTreeMap::new(), own: Vec::new() }
    }

    /// The object with this id.
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

    /// Number of shared objects.
    pub fn shared(&self) -> usize {
        self.shared.len()
    }

    /// Whether no shared object was changed.
    pub fn is_undisturbed(&self) -> bool {
        self.changed.is_empty()
    }

    /// The path's own objects.
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
