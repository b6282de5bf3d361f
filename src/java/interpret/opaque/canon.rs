//! Canonical forms of values, comparable between revisions: made of names only, as a snapshot of the objects' current
//! state.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::rc::Rc;
use std::sync::LazyLock;

use regex::Regex;

use crate::interpret::engine::machine::Machine;
use crate::interpret::linking::form::{Forms, Token};
use crate::interpret::paths::condition::Cond;
use crate::interpret::values::scalar::{ClassRef, Scalar};
use crate::interpret::values::term::{ASIDE, Canon, Term};
use crate::interpret::values::value::{Contents, Kind, Lambda, LambdaCode, Native, ObjId, Type, Value};
use crate::ir::body::ExprId;
use crate::ir::facts::MemberKind;

/// Maximum number of objects in one snapshot.
const MOST: usize = 2_000;

impl Machine<'_> {
    /// The canonical form of a value.
    pub fn canon(&self, value: &Value) -> Canon {
        self.canon_within(value, &mut BTreeMap::new())
    }

    /// The canonical forms of several values, in one snapshot that keeps sharing between them.
    pub fn canons(&self, values: &[Value]) -> Vec<Canon> {
        let mut met = BTreeMap::new();
        values.iter().map(|value| self.canon_within(value, &mut met)).collect()
    }

    /// A class by name, comparable between revisions.
    pub fn named(&self, class: &ClassRef) -> ClassRef {
        ClassRef::library(&self.class_name(class))
    }

    /// The canonical form of a term.
    pub fn canon_term(&self, term: &Rc<Term>) -> Rc<Term> {
        term.with_classes(&|class| matches!(class, ClassRef::Project(_)).then(|| self.named(class)))
    }

    fn canon_within(&self, value: &Value, met: &mut BTreeMap<ObjId, u32>) -> Canon {
        match value {
            Value::Scalar(Scalar::Enum(class, name)) => {
                Canon::Term(Rc::new(Term::Const(Scalar::Enum(self.named(class), name.clone()))))
            }
            Value::Scalar(scalar) => Canon::Term(Rc::new(Term::Const(scalar.clone()))),
            Value::Symbol(symbol) => match self.opaque.lazy.get(&key_of(&symbol.term)) {
                Some(made @ Value::Ref(_)) => self.canon_within(made, met),
                _ => Canon::Term(self.canon_term(&symbol.term)),
            },
            Value::Cond(cond) => Canon::Truth(Rc::new(
                cond.with_classes(&|class| matches!(class, ClassRef::Project(_)).then(|| self.named(class))),
            )),
            Value::Class(ty) => Canon::Named(Rc::from(format!("class {}", self.canon_type(ty)))),
            Value::Unknown(unknown) => {
                Canon::Unknown(unknown.reasons.iter().next().cloned().unwrap_or_else(|| Rc::from("a value")))
            }
            Value::Lambda(lambda) => match &lambda.code {
                LambdaCode::Method { receiver, link, name } => {
                    let on = match (receiver, &link.class) {
                        (Some(receiver), _) => self.canon_within(receiver, met),
                        (None, Some(class)) => Canon::Named(Rc::from(self.canon_type(class))),
                        _ => return Canon::Unknown(Rc::from("a method reference")),
                    };
                    Canon::Object(Rc::from(format!("::{name}")), Rc::new([(Rc::from("on"), on)]))
                }
                LambdaCode::Lambda { at } => self.canon_lambda(lambda, *at, met),
            },
            Value::Ref(_)
                if let Some(term) = self.null_where_asked(value)
                    && self.known().decides(&Cond::IsNull(term)) == Some(true) =>
            {
                Canon::null()
            }
            Value::Ref(id) => self.canon_object(*id, met),
        }
    }

    /// A lambda as its normal form, its captured values and its enclosing object. Two lambdas with different forms
    /// are neither equal nor different.
    fn canon_lambda(&self, lambda: &Lambda, at: ExprId, met: &mut BTreeMap<ObjId, u32>) -> Canon {
        let Some(code) = &lambda.around.code else { return Canon::Unknown(Rc::from("a lambda")) };
        let Some(form) = Forms::of(self.project, code).as_written(at) else {
            return Canon::Unknown(Rc::from("a lambda that is not understood"));
        };
        let mut taken: Vec<u32> = Vec::new();
        let mut whole = String::new();
        for token in form {
            match token {
                Token::Text(text) => whole.push_str(&text),
                Token::Variable(slot) => {
                    let known = taken.iter().position(|other| *other == slot);
                    let number = known.unwrap_or(taken.len());
                    if known.is_none() {
                        taken.push(slot);
                    }
                    let _ = write!(whole, "${number}");
                }
            }
            whole.push(' ');
        }
        let around = taken.iter().filter_map(|slot| lambda.around.slots.get(*slot as usize));
        for value in around.chain(&lambda.around.this) {
            let value = self.canon_within(value, met);
            if let Some(why) = value.unknown() {
                return Canon::Unknown(why.clone());
            }
            whole.push_str(" | ");
            whole.push_str(&value.text());
        }
        Canon::Sealed(Rc::from(whole))
    }

    fn canon_type(&self, ty: &Type) -> String {
        match ty {
            Type::Class(class, _) => self.class_name(class),
            Type::Array(element) => format!("{}[]", self.canon_type(element)),
            other => self.type_name(other),
        }
    }

    fn canon_object(&self, id: ObjId, met: &mut BTreeMap<ObjId, u32>) -> Canon {
        if let Some(at) = met.get(&id) {
            return Canon::Again(*at);
        }
        let object = self.object(id);
        if let Some(term) = self.base_of(id)
            && self.is_as_made(id)
        {
            return Canon::Term(term);
        }
        let class = self.class_name(&object.class);
        if matches!(object.kind, Kind::Bean) {
            return Canon::Named(Rc::from(format!("the {class}")));
        }
        if let Kind::Native(native) = &object.kind {
            // Immutable library values have no identity that code may rely on.
            if let Some(text) = frozen_text(native.contents(&self.heap)) {
                return Canon::Object(Rc::from(class), Rc::new([(Rc::from(""), Canon::Named(Rc::from(text)))]));
            }
        }
        if met.len() >= MOST {
            return Canon::Unknown(Rc::from("too many objects"));
        }
        met.insert(id, met.len() as u32);
        match &object.kind {
            Kind::Escaped(why) => Canon::Unknown(why.clone()),
            Kind::List { items, .. } => self.canon_items("list", items, met),
            Kind::Native(native) => match native.contents(&self.heap) {
                Some(contents) => self.canon_contents(&class, contents, met),
                None => {
                    let numbered = || {
                        let children = native.children().into_iter().enumerate();
                        children.map(|(at, child)| (Rc::from(at.to_string()), child)).collect()
                    };
                    let parts = native.parts();
                    let state = parts.is_none().then(|| (Rc::from("state"), Canon::Sealed(state_of(&**native).into())));
                    let mut named: Vec<(Rc<str>, Canon)> = Vec::new();
                    for (name, part) in parts.unwrap_or_else(numbered) {
                        // A part is found by its name.
                        let others = named.iter().filter(|(own, _)| own.split(ASIDE).next() == Some(&*name)).count();
                        let name = if others == 0 { name } else { Rc::from(format!("{name}{ASIDE}{others}")) };
                        // A part that is null is not a part that is not there.
                        let part = Some(self.canon_within(&part, met)).filter(|part| *part != Canon::null());
                        named.push((name, part.unwrap_or_else(|| Canon::Named(Rc::from("null")))));
                    }
                    Canon::Object(Rc::from(class), named.into_iter().chain(state).collect())
                }
            },
            Kind::Plain | Kind::Body(_) | Kind::Modelled | Kind::Opaque(_) | Kind::Bean => {
                let mut parts: BTreeMap<Rc<str>, Canon> = BTreeMap::new();
                match &object.kind {
                    Kind::Opaque(term) => {
                        parts.insert(Rc::from("*"), Canon::Term(term.clone()));
                    }
                    Kind::Body(input) => {
                        parts.insert(Rc::from("*"), Canon::Term(Rc::new(Term::Input(input.clone()))));
                    }
                    _ => {}
                }
                for (field, value) in &object.fields {
                    if self.is_unread(id, *field, value) {
                        continue;
                    }
                    let part = self.canon_within(value, met);
                    if !matches!(object.kind, Kind::Plain) || part != Canon::null() {
                        parts.insert(Rc::from(self.project.member(*field).name.as_str()), part);
                    }
                }
                for (name, value) in &object.inherited {
                    parts.insert(name.clone(), self.canon_within(value, met));
                }
                if matches!(object.kind, Kind::Plain) {
                    self.canon_unset(&object.class, &mut parts);
                }
                for (name, value) in &object.parts {
                    // Messages of the framework are equal if the exceptions are, so they are left out.
                    if *name == "message" && matches!(value, Value::Unknown(_)) {
                        continue;
                    }
                    if !matches!(*name, "suppressed" | "element") {
                        parts.insert(Rc::from(*name), self.canon_within(value, met));
                    }
                }
                Canon::Object(Rc::from(class), parts.into_iter().collect())
            }
        }
    }

    /// Adds primitive fields that were never set: their value is zero or false, not null (JLS §4.12.5).
    fn canon_unset(&self, class: &ClassRef, parts: &mut BTreeMap<Rc<str>, Canon>) {
        let ClassRef::Project(ty) = class else { return };
        for ty in std::iter::once(*ty).chain(self.project.all_supers(*ty)) {
            for field in self.project.members(ty) {
                let facts = self.project.member(field);
                if facts.kind != MemberKind::Field || self.is_static(field) {
                    continue;
                }
                if let Type::Prim(prim) = self.field_type(field) {
                    let zero = || Canon::Term(Rc::new(Term::Const(prim.zero())));
                    parts.entry(Rc::from(facts.name.as_str())).or_insert_with(zero);
                }
            }
        }
    }

    /// The opaque value that an object was created for.
    pub fn base_of(&self, id: ObjId) -> Option<Rc<Term>> {
        match &self.object(id).kind {
            Kind::Opaque(term) => Some(term.clone()),
            _ => self.opaque.made_for.get(&id).cloned(),
        }
    }

    /// Whether a field of a lazily initialised object still has the value that reading it created.
    fn is_unread(&self, id: ObjId, field: crate::ir::ids::MemberId, value: &Value) -> bool {
        match &self.object(id).kind {
            Kind::Opaque(term) => {
                let leaf = self.field_leaf(term, field);
                match value {
                    Value::Symbol(symbol) => match &*symbol.term {
                        Term::Opaque(own) => own.key == leaf.key && self.is_lazily_unchanged(own.key),
                        _ => false,
                    },
                    Value::Ref(held) => {
                        self.base_of(*held).is_some_and(|term| key_of(&term) == leaf.key && self.is_as_made(*held))
                    }
                    _ => false,
                }
            }
            Kind::Body(input) => match value {
                Value::Symbol(symbol) => match &*symbol.term {
                    Term::Input(own) => own.name.starts_with(&*input.name) && own.place == input.place,
                    _ => false,
                },
                Value::Ref(held) => {
                    matches!(&self.object(*held).kind, Kind::Body(own) if own.name.starts_with(&*input.name))
                        && self.is_as_made(*held)
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn is_lazily_unchanged(&self, key: u128) -> bool {
        match self.opaque.lazy.get(&key) {
            Some(Value::Ref(id)) => self.is_as_made(*id),
            _ => true,
        }
    }

    /// Whether an object created for an opaque value, or read from the body, is still unchanged.
    pub fn is_as_made(&self, id: ObjId) -> bool {
        let object = self.object(id);
        match &object.kind {
            Kind::Opaque(_) | Kind::Body(_) => {
                object.inherited.is_empty()
                    && object.fields.iter().all(|(field, value)| self.is_unread(id, *field, value))
            }
            Kind::List { items, .. } => self.opaque.elements.get(&id).is_some_and(|made| {
                made.len() == items.len() && made.iter().zip(items).all(|(a, b)| self.is_same_element(a, b))
            }),
            Kind::Modelled => self.opaque.made_for.contains_key(&id) && object.parts.len() <= 1,
            _ => false,
        }
    }

    fn is_same_element(&self, a: &Value, b: &Value) -> bool {
        let is_unchanged = |value: &Value| match value {
            Value::Symbol(symbol) => self.is_lazily_unchanged(key_of(&symbol.term)),
            Value::Ref(id) => self.is_as_made(*id),
            _ => true,
        };
        let is_same = match (a, b) {
            (Value::Symbol(a), Value::Symbol(b)) => a.term == b.term,
            (Value::Ref(a), Value::Ref(b)) => a == b,
            (Value::Scalar(a), Value::Scalar(b)) => a == b,
            _ => false,
        };
        is_same && is_unchanged(a)
    }

    fn canon_items(&self, kind: &str, items: &[Value], met: &mut BTreeMap<ObjId, u32>) -> Canon {
        if items.len() > MOST {
            return Canon::Unknown(Rc::from("too many objects"));
        }
        let parts = items.iter().enumerate();
        let parts = parts.map(|(at, item)| (Rc::from(at.to_string()), self.canon_within(item, met)));
        Canon::Object(Rc::from(kind), parts.collect())
    }

    fn canon_contents(&self, class: &str, contents: Contents, met: &mut BTreeMap<ObjId, u32>) -> Canon {
        let pairs = |entries: Vec<(Value, Value)>, met: &mut BTreeMap<ObjId, u32>| {
            let parts = entries.iter().map(|(key, value)| {
                let name = match key {
                    Value::Scalar(key) => key.as_text().map_or_else(|| key.to_string(), str::to_owned),
                    key => named(&self.canon_within(key, met)),
                };
                (Rc::from(name), self.canon_within(value, met))
            });
            Canon::Object(Rc::from("map"), parts.collect())
        };
        match contents {
            Contents::Array(items) | Contents::List(items) | Contents::Collection(items) => {
                self.canon_items("list", &items, met)
            }
            Contents::Set(items) => self.canon_items("set", &items, met),
            Contents::Map(entries) => pairs(entries, met),
            Contents::Bag(items) => {
                let mut all: Vec<Canon> = items.iter().map(|item| self.canon_within(item, met)).collect();
                all.sort_by_cached_key(Canon::text);
                Canon::Object(Rc::from("bag"), all.into_iter().map(|one| (Rc::from(""), one)).collect())
            }
            Contents::Pairs(entries) => {
                let mut all: Vec<(Canon, Canon)> = entries
                    .iter()
                    .map(|(key, value)| (self.canon_within(key, met), self.canon_within(value, met)))
                    .collect();
                all.sort_by_cached_key(|(key, _)| key.text());
                let flat = all.into_iter().map(|(key, value)| (Rc::from(named(&key)), value));
                Canon::Object(Rc::from("pairs"), flat.collect())
            }
            Contents::Entry(key, value) => self.canon_items("entry", &[key, value], met),
            Contents::Optional(value) => self.canon_items("optional", &[value], met),
            Contents::Unknown(why) => Canon::Unknown(Rc::from(why)),
            other => match frozen_text(Some(other)) {
                Some(text) => Canon::Object(Rc::from(class), Rc::new([(Rc::from(""), Canon::Named(Rc::from(text)))])),
                None => Canon::Unknown(Rc::from(format!("what a {class} holds"))),
            },
        }
    }
}

/// The name of a map entry in the canonical form, by its key.
fn named(key: &Canon) -> String {
    match key {
        Canon::Term(term) => match &**term {
            Term::Const(key) => key.as_text().map_or_else(|| key.to_string(), str::to_owned),
            _ => format!("{term}{ASIDE}{}", key.text()),
        },
        key => key.text(),
    }
}

fn frozen_text(contents: Option<Contents>) -> Option<String> {
    Some(match contents? {
        Contents::Integer(text) | Contents::Text(text) | Contents::Builder(text) => format!("{text:?}"),
        Contents::Decimal(digits, scale) => format!("{digits}e-{scale}"),
        _ => return None,
    })
}

/// The key of an opaque value; 0 for any other term.
pub fn key_of(term: &Rc<Term>) -> u128 {
    match &**term {
        Term::Opaque(opaque) => opaque.key,
        _ => 0,
    }
}

/// What the state of a library object says beside the values that it contains: names, texts, numbers. The numbers of objects
/// belong to one run and are left out; those of declarations stay, so that what only they tell apart is not taken to be the same.
fn state_of(native: &dyn Native) -> String {
    let mut text = format!("{native:?}");
    let mut children: Vec<String> = native.children().iter().map(|child| format!("{child:?}")).collect();
    children.sort_by_key(|child| std::cmp::Reverse(child.len()));
    for child in children.iter().filter(|child| !child.is_empty()) {
        text = text.replace(child.as_str(), "_");
    }
    match &*IDS {
        Some(ids) => ids.replace_all(&text, "$1").into_owned(),
        None => text,
    }
}

/// Numbers of objects, and places in the code.
static IDS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\b(ObjId|Span)\b(\([^()]*\)| \{[^{}]*\})").ok());
