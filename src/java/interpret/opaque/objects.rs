//! Objects of opaque values, created on first access (lazy initialisation: Khurshid, Păsăreanu and Visser, TACAS
//! 2003). Their fields are opaque values themselves.

use std::rc::Rc;

use super::canon::key_of;
use super::state::{LEFT, RESPONSE};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::paths::condition::Cond;
use crate::interpret::paths::path::{Site, Taken};
use crate::interpret::values::scalar::{ClassRef, Prim};
use crate::interpret::values::term::{Canon, Opaque, Origin, Sort, Term};
use crate::interpret::values::value::{Kind, Object, Symbol, Type, Value};
use crate::ir::facts::{MemberKind, TypeKind};
use crate::ir::ids::{MemberId, TypeId};

/// Calls that never give null: they throw if there is nothing to give (documentation of `jakarta.persistence.Query` and of
/// Spring Security's `UserDetailsService`), or every request has the value (documentation of `ServletRequest`).
const NEVER_NULL: [&str; 9] = [
    ".UserDetailsService.loadUserByUsername/1",
    ".getSingleResult/0",
    "ServletRequest.getContextPath/0",
    "ServletRequest.getMethod/0",
    "ServletRequest.getRemoteAddr/0",
    "ServletRequest.getRequestURI/0",
    "ServletRequest.getRequestURL/0",
    "ServletRequest.getServerName/0",
    "ServletRequest.getServletPath/0",
];

/// Types for nothing, one or more values, which no call gives as null by their convention.
const NEVER_NULL_TYPES: [&str; 6] = [
    "java.util.Optional",
    "java.util.stream.Stream",
    "org.springframework.data.domain.Page",
    "org.springframework.data.domain.Slice",
    "reactor.core.publisher.Flux",
    "reactor.core.publisher.Mono",
];

/// Calls that give null before a handler or on another thread, and never while a handler runs: a security chain has set the
/// caller, as anonymous at least, and the dispatcher the request (Spring Security reference, "Anonymous Authentication";
/// documentation of `RequestContextHolder`).
const GIVEN_TO_HANDLERS: [&str; 2] = [
    ".context.request.RequestContextHolder.getRequestAttributes/0",
    ".security.core.context.SecurityContext.getAuthentication/0",
];

/// Prefix of the names of values that earlier requests may have left in fields.
const STATE: &str = "state of ";

/// Whether an opaque value is what earlier requests may have left in a field.
pub fn is_state(value: &Opaque) -> bool {
    value.origin == Origin::Given && value.callee.starts_with(STATE)
}

impl Machine<'_> {
    /// Whether code that is not followed gives opaque values instead of unknown ones.
    pub fn is_opaque(&self) -> bool {
        self.cx.follows.is_some()
    }

    /// Whether two revisions are compared.
    pub fn is_compared(&self) -> bool {
        self.cx.follows.is_some_and(|follows| follows.compares())
    }

    /// The sort of an opaque value of this type.
    pub fn sort_of(&self, ty: &Type) -> Sort {
        match ty {
            Type::Prim(prim) | Type::Boxed(prim) => Sort::Prim(*prim),
            Type::Str => Sort::Text,
            Type::Class(ClassRef::Project(id), _) if self.project.ty(*id).kind == TypeKind::Enum => {
                Sort::Constant(Rc::from(self.project.fqn(*id)), self.enum_constants(*id).into())
            }
            _ => Sort::Object,
        }
    }

    /// Wraps an opaque term as a value.
    pub fn of_opaque(&self, opaque: Opaque, ty: &Type) -> Value {
        let is_any = |calls: &[&str]| calls.iter().any(|call| opaque.callee.ends_with(call));
        let is_there = is_any(&NEVER_NULL) || (self.opaque.is_handling && is_any(&GIVEN_TO_HANDLERS));
        // What a map or a cache gives, whatever it holds, may be missing.
        let is_held = opaque.callee.starts_with("java.") || opaque.callee.starts_with('?');
        let is_convention = opaque.origin == Origin::Call
            && !is_held
            && ty.library().is_some_and(|fqn| NEVER_NULL_TYPES.contains(&fqn));
        let nullable = ty.is_reference() && !is_there && !is_convention;
        let noun = if opaque.origin == Origin::Call { self.own_noun(ty, opaque.key) } else { None };
        let opaque = Opaque { noun: noun.map(Rc::from).or(opaque.noun.clone()), ..opaque };
        Value::Symbol(Rc::new(Symbol { term: Rc::new(Term::Opaque(Rc::new(opaque))), ty: ty.clone(), nullable }))
    }

    /// An arbitrary enclosing object of this class, for a method of an inner class that is compared on its own.
    pub(in crate::interpret) fn object_around(&self, ty: TypeId) -> Value {
        if !self.is_opaque() {
            return Value::unknown("there is no object here", Type::Unknown);
        }
        let callee = format!("the {} around", self.project.fqn(ty));
        let opaque = Opaque::new(Origin::Call, &callee, Vec::new(), Sort::Object, "this");
        let term = Rc::new(Term::Opaque(Rc::new(opaque)));
        Value::Symbol(Rc::new(Symbol { term, ty: Type::Class(ClassRef::Project(ty), Vec::new()), nullable: false }))
    }

    /// A variable name for an object of a project type: `todoItem`.
    pub(super) fn noun_of(&self, ty: &Type) -> Option<String> {
        let Type::Class(class @ ClassRef::Project(_), _) = ty else { return None };
        let class = self.class_name(class);
        let mut letters = class.rsplit(['.', '$']).next()?.chars();
        let first = letters.next().filter(|first| first.is_alphabetic())?;
        Some(first.to_lowercase().chain(letters).collect())
    }

    /// The variable name for the object with this key; `None` if the path has used the name for another object, so that
    /// two objects are not taken for one.
    fn own_noun(&self, ty: &Type, key: u128) -> Option<String> {
        let noun = self.noun_of(ty)?;
        let owner = *self.opaque.nouns.borrow_mut().entry(noun.clone()).or_insert(key);
        (owner == key).then_some(noun)
    }

    /// A value with the variable name for its type as its words, unless another object has this name.
    pub(super) fn named_by_type(&self, value: Opaque, ty: &Type) -> Opaque {
        match self.own_noun(ty, value.key) {
            Some(noun) => Opaque { words: Rc::from(noun), ..value },
            None => value,
        }
    }

    /// The display name of a term when a part of it is named.
    pub(super) fn name_of(&self, term: &Term) -> String {
        match term {
            Term::Opaque(opaque) => opaque.name().to_owned(),
            other => other.to_string(),
        }
    }

    /// A value from the surroundings: opaque in runs with opaque values, else unknown.
    pub fn given(&mut self, name: &str, why: &str, ty: Type) -> Value {
        if !self.is_opaque() {
            return self.unknown(why, ty);
        }
        // Derives a variable name from a class name.
        let words = match name.rsplit_once('.') {
            Some((package, class)) if !package.contains(' ') && !class.contains(' ') => {
                // A name in capitals is a constant and stays as it is.
                let is_constant = class.chars().nth(1).is_some_and(char::is_uppercase);
                let mut letters = class.chars();
                let first = letters.next().map(|first| if is_constant { first } else { first.to_ascii_lowercase() });
                first.into_iter().chain(letters).collect()
            }
            _ => name.to_owned(),
        };
        self.given_as(name, &words, ty)
    }

    /// The value of a field that earlier requests may have set: an opaque value, which [`is_state`] recognises.
    pub fn left_by_requests(&mut self, field: &str, ty: Type) -> Value {
        if !self.is_opaque() {
            return self.unknown(&format!("{field} changes while the service runs"), ty);
        }
        let (_, words) = field.rsplit_once('.').unwrap_or(("", field));
        self.given_as(&format!("{STATE}{field}"), words, ty)
    }

    /// The message of a framework exception, as an opaque value identified by its subject, which both revisions
    /// share.
    pub fn said_by_framework(&mut self, about: &str) -> Value {
        if !self.is_opaque() {
            return Value::unknown("message of the framework", Type::Str);
        }
        let name = format!("what the framework says of {about}");
        self.given_as(&name, &name, Type::Str)
    }

    /// A value from the surroundings with its own display text.
    pub fn given_as(&mut self, name: &str, words: &str, ty: Type) -> Value {
        let opaque = Opaque::new(Origin::Given, name, Vec::new(), self.sort_of(&ty), words);
        self.opaque.nouns.borrow_mut().entry(words.to_owned()).or_insert(opaque.key);
        self.of_opaque(opaque, &ty)
    }

    /// The value that the framework passes to a parameter of this type.
    pub fn given_by_framework(&mut self, param: &str, ty: Type) -> Value {
        if !self.is_opaque() {
            return self.unknown(&format!("{param} is given by the framework"), ty);
        }
        let name = format!("the {} that the framework gives", self.type_name(&ty));
        self.given_as(&name, param, ty)
    }

    /// Records that a condition was evaluated.
    pub(in crate::interpret) fn note_asked(&mut self, cond: &Cond, site: Option<Site>) {
        self.opaque.asked.push(Taken { cond: cond.clone(), site });
    }

    /// An opaque boolean over values.
    pub fn opaque_truth(&mut self, callee: &str, of: &[Value], words: &str) -> Value {
        let ty = Type::Prim(Prim::Bool);
        let opaque = Opaque::new(Origin::Call, callee, self.canons(of), self.sort_of(&ty), words);
        Value::cond(Cond::Test(Rc::new(Term::Opaque(Rc::new(opaque)))))
    }

    /// A part of an opaque value: a field, an element, or its content.
    pub fn part(&self, of: &Rc<Term>, name: &str, ty: &Type, words: &str) -> Opaque {
        Opaque::new(Origin::Part, name, vec![Canon::Term(of.clone())], self.sort_of(ty), words)
    }

    /// The opaque value of a field of an opaque object.
    pub(super) fn field_leaf(&self, of: &Rc<Term>, field: MemberId) -> Opaque {
        let name = &self.project.member(field).name;
        let ty = self.field_type(field);
        self.part(of, &format!(".{name}"), &ty, &format!("{}.{name}", self.name_of(of)))
    }

    /// The value of a field that nothing has set on an object created for an opaque value.
    pub fn opaque_field(&mut self, of: &Rc<Term>, field: MemberId) -> Value {
        if let Some(value) = self.asked_of_row(of, field) {
            return value;
        }
        let ty = self.field_type(field);
        let leaf = self.field_leaf(of, field);
        let value = self.of_opaque(leaf, &ty);
        self.key_of_row(of, field, value)
    }

    /// Whether an opaque value is a newly created object of a library class.
    pub(in crate::interpret) fn is_made(&self, symbol: &Symbol) -> bool {
        self.is_opaque() && matches!(&*symbol.term, Term::Opaque(opaque) if opaque.callee.contains(".<init>/"))
    }

    /// Reads a field of an opaque value by name.
    pub(in crate::interpret) fn field_of_opaque(&mut self, value: &Value, name: &str) -> Eval {
        if let Some(Value::Ref(id)) = self.lazy_object(value) {
            return self.read_field(&Value::Ref(id), name);
        }
        if let Value::Symbol(symbol) = value
            && let Some(written) = self.opaque.undeclared.get(&(key_of(&symbol.term), Rc::from(name)))
        {
            return Ok(written.clone());
        }
        let known = self.enumerated(value)?;
        match (&known, value) {
            (Value::Ref(_), _) => self.read_field(&known, name),
            (_, Value::Symbol(symbol)) => {
                let ty = if name == "length" { Type::Prim(Prim::Int) } else { Type::Unknown };
                let term = symbol.term.clone();
                let leaf = self.part(&term, &format!(".{name}"), &ty, &format!("{}.{name}", self.name_of(&term)));
                Ok(self.of_opaque(leaf, &ty))
            }
            _ => Ok(known),
        }
    }

    /// The object of an opaque value or input whose type is a project class; the same object each time.
    pub fn lazy_object(&mut self, value: &Value) -> Option<Value> {
        let Value::Symbol(symbol) = value else { return None };
        let ClassRef::Project(id) = (match &symbol.ty {
            Type::Class(class, _) => class.clone(),
            _ => return None,
        }) else {
            return None;
        };
        if !self.is_opaque() || !matches!(self.project.ty(id).kind, TypeKind::Class | TypeKind::Record) {
            return None;
        }
        let Term::Opaque(opaque) = &*symbol.term else { return None };
        if let Some(made) = self.opaque.lazy.get(&opaque.key) {
            return Some(made.clone());
        }
        let key = opaque.key;
        let object = Object::new(ClassRef::Project(id), Kind::Opaque(symbol.term.clone()));
        let made = Value::Ref(self.allocate(object));
        self.opaque.lazy.insert(key, made.clone());
        Some(made)
    }

    /// The object that the path constraints make identical to an opaque value: after `this == other` held, `other` is this object. Any other
    /// value is returned unchanged.
    pub(in crate::interpret) fn identical(&self, value: Value) -> Value {
        if self.opaque.same.is_empty() {
            return value;
        }
        let Value::Symbol(symbol) = &value else { return value };
        let other = self.opaque.same.iter().find_map(|(a, b)| match () {
            () if *b == symbol.term => Some(a),
            () if *a == symbol.term => Some(b),
            () => None,
        });
        let made = other.and_then(|term| match &**term {
            Term::Opaque(opaque) => self.opaque.lazy.get(&opaque.key),
            _ => None,
        });
        made.cloned().unwrap_or(value)
    }

    /// Gives an opaque value of unknown type the type that the code now implies.
    pub(in crate::interpret) fn typed(&self, value: Value, ty: &Type) -> Value {
        let Value::Symbol(symbol) = &value else { return value };
        let Term::Opaque(opaque) = &*symbol.term else { return value };
        if symbol.ty != Type::Unknown || matches!(ty, Type::Unknown | Type::Void) {
            return value;
        }
        self.of_opaque(Opaque { sort: self.sort_of(ty), ..(**opaque).clone() }, ty)
    }

    /// The term that identifies an opaque object.
    pub(in crate::interpret) fn reference_term(&self, value: &Value) -> Option<Rc<Term>> {
        match value {
            Value::Symbol(symbol) if self.sort_of(&symbol.ty) == Sort::Object => match &*symbol.term {
                Term::Opaque(_) => Some(symbol.term.clone()),
                _ => None,
            },
            Value::Ref(id) => self.base_of(*id),
            _ => None,
        }
    }

    /// `equals` of an object whose class has no followed implementation.
    pub(in crate::interpret) fn opaque_equals(
        &mut self,
        id: crate::interpret::values::value::ObjId,
        other: &Value,
    ) -> Value {
        if other.is_null() {
            return Value::bool(false);
        }
        let own = Value::Ref(id);
        match (self.reference_term(&own), self.reference_term(other)) {
            (Some(a), Some(b)) if a == b => Value::bool(true),
            (Some(a), Some(b)) => Value::cond(Cond::Same(a, b)),
            _ if matches!(other, Value::Ref(other) if *other == id) => Value::bool(true),
            _ => {
                let operands = vec![self.canon(&own), self.canon(other)];
                let ty = Type::Prim(Prim::Bool);
                let words = format!("{} equals the other", self.class_name(&self.object(id).class));
                let opaque = Opaque::new(Origin::Call, "equals", operands, self.sort_of(&ty), &words);
                self.of_opaque(opaque, &ty)
            }
        }
    }

    /// Whether a reference is an opaque value, which is null only if code tests it.
    pub(in crate::interpret) fn is_opaque_value(&self, value: &Value) -> bool {
        self.is_opaque() && matches!(value, Value::Symbol(symbol) if matches!(&*symbol.term, Term::Opaque(_)))
    }

    /// The term of a reference that is null only if code tests it: an opaque value, or an object within the request
    /// body.
    pub(in crate::interpret) fn null_where_asked(&self, value: &Value) -> Option<Rc<Term>> {
        match value {
            Value::Symbol(symbol) if self.is_opaque_value(value) => Some(symbol.term.clone()),
            Value::Ref(id) if self.is_opaque() => match &self.object(*id).kind {
                Kind::Body(input) if !input.name.is_empty() && !input.name.ends_with(']') => {
                    Some(Rc::new(Term::Input(input.clone())))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// A name of a static field that is the same if the field is renamed: by its class and type, if no other one has these.
    fn name_among_statics(&self, field: MemberId) -> String {
        let ty = self.field_type(field);
        let is_alike = |other: &MemberId| {
            let facts = self.project.member(*other);
            facts.kind == MemberKind::Field && self.is_static(*other) && self.field_type(*other) == ty
        };
        let class = self.project.fqn(field.ty);
        match self.project.members(field.ty).filter(is_alike).count() {
            1 => format!("{class} static {}", self.type_name(&ty)),
            _ => format!("{class}.{}", self.project.member(field).name),
        }
    }

    /// Records, at the end of the code, the changed state of objects that it did not create, and the static fields that it
    /// has set.
    pub fn note_changed(&mut self) {
        let fields: Vec<MemberId> = self.opaque.set_by_code.iter().copied().filter(|_| self.is_compared()).collect();
        for field in fields {
            let Some(value) = self.statics.get(&field).cloned() else { continue };
            let name = format!("{}.{}", self.simple_name(field.ty), self.project.member(field).name);
            let is_as_found = matches!(&value, Value::Symbol(symbol)
                if matches!(&*symbol.term, Term::Opaque(of) if of.callee.strip_prefix(STATE) == Some(name.as_str())));
            if !is_as_found {
                let held = self.canon(&value);
                self.event(&format!("{LEFT}{}", self.name_among_statics(field)), vec![held], &name);
            }
        }
        if let Some((_, response)) = self.exchange {
            let held = self.canon(&Value::Ref(response));
            self.event(RESPONSE, vec![held], RESPONSE);
        }
        let made: Vec<(u128, Value)> = self.opaque.lazy.iter().map(|(key, value)| (*key, value.clone())).collect();
        for (key, value) in made {
            let Value::Ref(id) = value else { continue };
            let Some(base) = self.base_of(id) else { continue };
            if key_of(&base) != key || self.is_as_made(id) {
                continue;
            }
            let held = self.canon(&Value::Ref(id));
            self.event(&format!("{LEFT}{key:x}"), vec![held], &base.to_string());
        }
    }
}
