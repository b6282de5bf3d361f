//! Objects of opaque values: made when something of them is first read (lazy initialisation: Khurshid, Păsăreanu and Visser, TACAS 2003), with fields
//! that are opaque values themselves.

use std::rc::Rc;

use super::canon::key_of;
use super::state::{LEFT, RESPONSE};
use crate::java::facts::TypeKind;
use crate::java::ids::{MemberId, TypeId};
use crate::java::interpret::condition::Cond;
use crate::java::interpret::machine::{Eval, Machine};
use crate::java::interpret::scalar::{ClassRef, Prim};
use crate::java::interpret::term::{Canon, Opaque, Origin, Sort, Term};
use crate::java::interpret::value::{Kind, Object, Symbol, Type, Value};

impl Machine<'_> {
    /// Whether what is not followed is opaque, not unknown.
    pub fn is_opaque(&self) -> bool {
        self.cx.follows.is_some()
    }

    /// What values of a type an opaque value can have.
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

    /// The value that stands for an opaque one.
    pub fn of_opaque(&self, opaque: Opaque, ty: &Type) -> Value {
        // Where there is no row it fails (Jakarta Persistence, `Query`).
        let nullable = ty.is_reference() && !opaque.callee.contains(".getSingleResult/");
        let noun = if opaque.origin == Origin::Call { self.noun_of(ty) } else { None };
        let opaque = Opaque { noun: noun.map(Rc::from).or(opaque.noun.clone()), ..opaque };
        Value::Symbol(Rc::new(Symbol { term: Rc::new(Term::Opaque(Rc::new(opaque))), ty: ty.clone(), nullable }))
    }

    /// The object around where none is known, as where a method of a class within another one is compared by itself: any one of its class.
    pub(in crate::java::interpret) fn object_around(&self, ty: TypeId) -> Value {
        if !self.is_opaque() {
            return Value::unknown("there is no object here", Type::Unknown);
        }
        let callee = format!("the {} around", self.project.fqn(ty));
        let opaque = Opaque::new(Origin::Call, &callee, Vec::new(), Sort::Object, "this");
        let term = Rc::new(Term::Opaque(Rc::new(opaque)));
        Value::Symbol(Rc::new(Symbol { term, ty: Type::Class(ClassRef::Project(ty), Vec::new()), nullable: false }))
    }

    /// What people call an object of a type of the project: `todoItem`.
    pub(super) fn noun_of(&self, ty: &Type) -> Option<String> {
        let Type::Class(class @ ClassRef::Project(_), _) = ty else { return None };
        let class = self.class_name(class);
        let mut letters = class.rsplit(['.', '$']).next()?.chars();
        let first = letters.next().filter(|first| first.is_alphabetic())?;
        Some(first.to_lowercase().chain(letters).collect())
    }

    /// What people call a term where something of it is named.
    pub(super) fn name_of(&self, term: &Term) -> String {
        match term {
            Term::Opaque(opaque) => opaque.name().to_owned(),
            other => other.to_string(),
        }
    }

    /// What the surroundings give: opaque where that is asked for, else unknown.
    pub fn given(&mut self, name: &str, why: &str, ty: Type) -> Value {
        if !self.is_opaque() {
            return self.unknown(why, ty);
        }
        // As code would name a variable of that type.
        let words = match name.rsplit_once('.') {
            Some((package, class)) if !package.contains(' ') && !class.contains(' ') => {
                // A name in capitals is a constant's.
                let is_constant = class.chars().nth(1).is_some_and(char::is_uppercase);
                let mut letters = class.chars();
                let first = letters.next().map(|first| if is_constant { first } else { first.to_ascii_lowercase() });
                first.into_iter().chain(letters).collect()
            }
            _ => name.to_owned(),
        };
        self.given_as(name, &words, ty)
    }

    /// The message of an exception that the framework throws, opaque by what it is about: both revisions share it.
    pub fn said_by_framework(&mut self, about: &str) -> Value {
        if !self.is_opaque() {
            return Value::unknown("message of the framework", Type::Str);
        }
        let name = format!("what the framework says of {about}");
        self.given_as(&name, &name, Type::Str)
    }

    /// What the surroundings give, with words of its own.
    pub fn given_as(&mut self, name: &str, words: &str, ty: Type) -> Value {
        let opaque = Opaque::new(Origin::Given, name, Vec::new(), self.sort_of(&ty), words);
        self.of_opaque(opaque, &ty)
    }

    /// What the framework hands to a parameter by its type.
    pub fn given_by_framework(&mut self, param: &str, ty: Type) -> Value {
        if !self.is_opaque() {
            return self.unknown(&format!("{param} is given by the framework"), ty);
        }
        let name = format!("the {} that the framework gives", self.type_name(&ty));
        self.given_as(&name, param, ty)
    }

    /// Notes that a condition was asked.
    pub(in crate::java::interpret) fn note_asked(&mut self, cond: &Cond) {
        self.opaque.asked.push(cond.clone());
    }

    /// Whether something holds of values that is not worked out.
    pub fn opaque_truth(&mut self, callee: &str, of: &[Value], words: &str) -> Value {
        let ty = Type::Prim(Prim::Bool);
        let opaque = Opaque::new(Origin::Call, callee, self.canons(of), self.sort_of(&ty), words);
        Value::cond(Cond::Test(Rc::new(Term::Opaque(Rc::new(opaque)))))
    }

    /// What is read of an opaque value: a field, an element, what it holds.
    pub fn part(&self, of: &Rc<Term>, name: &str, ty: &Type, words: &str) -> Opaque {
        Opaque::new(Origin::Part, name, vec![Canon::Term(of.clone())], self.sort_of(ty), words)
    }

    /// The opaque value of a field.
    pub(super) fn field_leaf(&self, of: &Rc<Term>, field: MemberId) -> Opaque {
        let name = &self.project.member(field).name;
        let ty = self.field_type(field);
        self.part(of, &format!(".{name}"), &ty, &format!("{}.{name}", self.name_of(of)))
    }

    /// A field of an object that was made for an opaque value, and that nothing has set.
    pub fn opaque_field(&mut self, of: &Rc<Term>, field: MemberId) -> Value {
        let ty = self.field_type(field);
        let leaf = self.field_leaf(of, field);
        let value = self.of_opaque(leaf, &ty);
        self.key_of_row(of, field, value)
    }

    /// Whether an opaque value is a new object of a library's class.
    pub(in crate::java::interpret) fn is_made(&self, symbol: &Symbol) -> bool {
        self.is_opaque() && matches!(&*symbol.term, Term::Opaque(opaque) if opaque.callee.contains(".<init>/"))
    }

    /// A field of an opaque value, by its name alone.
    pub(in crate::java::interpret) fn field_of_opaque(&mut self, value: &Value, name: &str) -> Eval {
        if let Some(Value::Ref(id)) = self.lazy_object(value) {
            return self.read_field(&Value::Ref(id), name);
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

    /// The object of an opaque value, or of an input, whose type is a class of the project: the same one each time.
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

    /// An opaque value of a type that was not known, once the code says which it is.
    pub(in crate::java::interpret) fn typed(&self, value: Value, ty: &Type) -> Value {
        let Value::Symbol(symbol) = &value else { return value };
        let Term::Opaque(opaque) = &*symbol.term else { return value };
        if symbol.ty != Type::Unknown || matches!(ty, Type::Unknown | Type::Void) {
            return value;
        }
        self.of_opaque(Opaque { sort: self.sort_of(ty), ..(**opaque).clone() }, ty)
    }

    /// The term of an opaque object, by which it is told from others.
    pub(in crate::java::interpret) fn reference_term(&self, value: &Value) -> Option<Rc<Term>> {
        match value {
            Value::Symbol(symbol) if self.sort_of(&symbol.ty) == Sort::Object => match &*symbol.term {
                Term::Opaque(_) => Some(symbol.term.clone()),
                _ => None,
            },
            Value::Ref(id) => self.base_of(*id),
            _ => None,
        }
    }

    /// `equals` of an object whose class declares none that is followed.
    pub(in crate::java::interpret) fn opaque_equals(
        &mut self,
        id: crate::java::interpret::value::ObjId,
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

    /// Whether a reference is an opaque value, which is null only where code asks.
    pub(in crate::java::interpret) fn is_opaque_value(&self, value: &Value) -> bool {
        self.is_opaque() && matches!(value, Value::Symbol(symbol) if matches!(&*symbol.term, Term::Opaque(_)))
    }

    /// The term of a reference that is null only where code asks: an opaque value, or an object within the body.
    pub(in crate::java::interpret) fn null_where_asked(&self, value: &Value) -> Option<Rc<Term>> {
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

    /// Notes what the code left changed on objects that it did not make, when it ends.
    pub fn note_changed(&mut self) {
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
