//! Casts, `instanceof`, patterns, and the run-time class of values.

use std::rc::Rc;

use crate::interpret::classes::hierarchy;
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::linking::code::{Code, PatternLink};
use crate::interpret::paths::condition::Cond;
use crate::interpret::paths::path::Site;
use crate::interpret::values::scalar::{ClassRef, Prim, Scalar};
use crate::interpret::values::term::{Opaque, Term};
use crate::interpret::values::types::resolver_type;
use crate::interpret::values::value::{Kind, Type, Unknown, Value};
use crate::ir::facts::TypeKind;
use crate::types::typing::Fit;

const BOOL: Type = Type::Prim(Prim::Bool);

impl Machine<'_> {
    /// `(T) value`.
    pub fn cast(&mut self, to: &Type, from: &Type, name: &str, value: Value) -> Eval {
        if let Type::Prim(prim) = to {
            self.not_null(&value)?;
            self.unboxes(&value);
            let own = value.prim();
            if !matches!(from, Type::Prim(_) | Type::Boxed(_)) && own != Some(*prim) {
                // An object is cast to the box of exactly this primitive type, then unboxed.
                return match (own, from) {
                    (Some(_), Type::Class(..)) => {
                        Err(self.throw("java.lang.ClassCastException", Value::unknown("message of a cast", Type::Str)))
                    }
                    (Some(_), _) => Ok(self.unknown(&format!("a cast to {name} is not decided"), to.clone())),
                    (None, _) => {
                        self.may_throw(&format!("a cast to {name} is not decided"))?;
                        Ok(self.convert(value, to))
                    }
                };
            }
            return Ok(self.convert(value, to));
        }
        if value.is_null() {
            return Ok(value);
        }
        // A primitive value is boxed to its own box class; boxes are never converted.
        let ty = match (&value, to) {
            (Value::Unknown(unknown), _) => unknown.ty.clone(),
            (Value::Symbol(symbol), _) => symbol.ty.clone(),
            _ => Type::Unknown,
        };
        match self.is_instance(&value, to) {
            Some(true) => Ok(value),
            // An opaque value has the type that the code casts it to.
            None if self.is_opaque_value(&value) => {
                let Value::Symbol(symbol) = &value else { return Ok(value) };
                if self.is_known_not(&value, to) {
                    let null = Cond::IsNull(symbol.term.clone());
                    let site = self.here();
                    return match self.decide(null, site)? {
                        true => Ok(value),
                        false => {
                            Err(self
                                .throw("java.lang.ClassCastException", Value::unknown("message of a cast", Type::Str)))
                        }
                    };
                }
                Ok(match &*symbol.term {
                    Term::Opaque(opaque) => {
                        let sort = self.sort_of(to);
                        self.of_opaque(Opaque { sort, ..(**opaque).clone() }, to)
                    }
                    _ => value,
                })
            }
            Some(false) => {
                Err(self.throw("java.lang.ClassCastException", Value::unknown("message of a cast", Type::Str)))
            }
            None => {
                let widens = ty != Type::Unknown && self.fits(&ty, to) == Fit::Strict;
                if !matches!(to, Type::Unknown) && !widens {
                    self.may_throw(&format!("a cast to {name} is not decided"))?;
                }
                Ok(match value {
                    Value::Unknown(unknown) if !widens => Value::Unknown(Rc::new(Unknown {
                        reasons: unknown.reasons.clone(),
                        ty: to.clone(),
                        present: unknown.present,
                        ends: None,
                    })),
                    other => other,
                })
            }
        }
    }

    /// Whether the path has already decided that an opaque value is not an instance of a type.
    fn is_known_not(&self, value: &Value, ty: &Type) -> bool {
        let (callee, of) = (format!("instanceof {}", self.full_name(ty)), self.canon(value));
        let says_not = |cond: &Cond| match cond {
            Cond::Not(inner) => match &**inner {
                Cond::Test(term) => {
                    matches!(&**term, Term::Opaque(one) if *one.callee == *callee && one.operands.first() == Some(&of))
                }
                _ => false,
            },
            _ => false,
        };
        self.known().all().iter().any(says_not)
    }

    /// Whether an opaque value is an instance of a type, as far as the path's `instanceof` results for other classes decide it. An object cannot
    /// be an instance of two classes unless one extends the other.
    pub(super) fn by_other_tests(&self, value: &Value, pattern: &PatternLink) -> Option<bool> {
        let (PatternLink::Type { ty: Type::Class(wanted, _), .. }
        | PatternLink::Record { ty: Type::Class(wanted, _), .. }) = pattern
        else {
            return None;
        };
        let of = self.canon(value);
        let tested = |cond: &Cond| -> Option<(ClassRef, bool)> {
            let (cond, holds) = match cond {
                Cond::Not(inner) => (&**inner, false),
                cond => (cond, true),
            };
            let Cond::Test(term) = cond else { return None };
            let one = match &**term {
                Term::Opaque(one) if one.operands.first() == Some(&of) => one,
                _ => return None,
            };
            let name = one.callee.strip_prefix("instanceof ")?;
            let class = self.project.by_fqn(name).map_or_else(|| ClassRef::library(name), ClassRef::Project);
            Some((class, holds))
        };
        let is_below = |class: &ClassRef, above: &ClassRef| hierarchy::is_below(self.project, class, above);
        self.known().all().iter().filter_map(tested).find_map(|(class, holds)| match holds {
            true if is_below(&class, wanted) == Some(true) => Some(true),
            true => (self.is_class(wanted)
                && self.is_class(&class)
                && is_below(&class, wanted) == Some(false)
                && is_below(wanted, &class) == Some(false))
            .then_some(false),
            false => (is_below(wanted, &class) == Some(true)).then_some(false),
        })
    }

    pub(in crate::interpret) fn fits(&self, from: &Type, to: &Type) -> Fit {
        self.codes.resolver.types.fit(&resolver_type(from), &resolver_type(to))
    }

    /// Matches a value against a pattern and binds the pattern's variables.
    pub fn matches(&mut self, code: &Code, value: &Value, pattern: &PatternLink, site: Site) -> Eval {
        match pattern {
            PatternLink::Any => Ok(Value::bool(true)),
            PatternLink::Type { ty, slot, .. } => {
                let fits = if value.is_null() { Value::bool(false) } else { self.instance_of(value, ty) };
                if let Some(slot) = slot {
                    self.set_local(*slot, value.clone());
                }
                Ok(fits)
            }
            PatternLink::Record { ty, components, parts } => {
                let fits = if value.is_null() { Value::bool(false) } else { self.instance_of(value, ty) };
                if !self.truth(&fits, site)? {
                    return Ok(Value::bool(false));
                }
                if components.len() != parts.len() {
                    return Ok(self.unknown("a record pattern is not understood", BOOL));
                }
                for (component, part) in components.iter().zip(parts) {
                    let name = self.project.member(*component).name.clone();
                    let held = self.call_method(value.clone(), &name, Vec::new())?;
                    let fits = self.matches_part(code, &held, part, site)?;
                    if !self.truth(&fits, site)? {
                        return Ok(Value::bool(false));
                    }
                }
                Ok(Value::bool(true))
            }
        }
    }

    /// Matches a nested pattern; a total one also matches null (JLS §14.30.3).
    fn matches_part(&mut self, code: &Code, value: &Value, part: &PatternLink, site: Site) -> Eval {
        let PatternLink::Type { slot, total, ty } = part else { return self.matches(code, value, part, site) };
        match total {
            Some(true) => {
                let value = self.convert(value.clone(), ty);
                if let Some(slot) = slot {
                    self.set_local(*slot, value);
                }
                Ok(Value::bool(true))
            }
            Some(false) => self.matches(code, value, part, site),
            None if value.is_null() => Ok(self.unknown("whether a pattern fits null", BOOL)),
            None => self.matches(code, value, part, site),
        }
    }

    fn instance_of(&mut self, value: &Value, ty: &Type) -> Value {
        match self.is_instance(value, ty) {
            Some(true) => {
                let null = self.is_null(value);
                match null {
                    Value::Scalar(Scalar::Bool(null)) => Value::bool(!null),
                    Value::Cond(cond) => Value::cond(cond.negate()),
                    other => other,
                }
            }
            Some(false) => Value::bool(false),
            None => self.unknown(&format!("instanceof {} is not decided", self.type_name(ty)), BOOL),
        }
    }

    /// The full name of a pattern's class.
    pub(super) fn pattern_class(&self, pattern: &PatternLink) -> String {
        match pattern {
            PatternLink::Any => "anything".to_owned(),
            PatternLink::Type { ty, .. } | PatternLink::Record { ty, .. } => self.full_name(ty),
        }
    }

    /// The full name of a class; the display name of any other type.
    fn full_name(&self, ty: &Type) -> String {
        match ty {
            Type::Class(ClassRef::Project(id), _) => self.project.fqn(*id).to_string(),
            other => other.library().map_or_else(|| self.type_name(other), str::to_owned),
        }
    }

    /// The display name of a type.
    pub fn type_name(&self, ty: &Type) -> String {
        match ty {
            Type::Class(ClassRef::Project(id), _) => self.simple_name(*id),
            Type::Array(element) => format!("{}[]", self.type_name(element)),
            Type::Prim(prim) => prim.keyword().to_owned(),
            Type::Boxed(prim) => prim.box_name().to_owned(),
            other => other.library().unwrap_or("a type").rsplit('.').next().unwrap_or_default().to_owned(),
        }
    }

    /// The run-time class of a value, if certain; `None` for `null`.
    pub fn class_of(&self, value: &Value) -> Option<ClassRef> {
        Some(match value {
            Value::Scalar(Scalar::Null) => return None,
            Value::Scalar(Scalar::Str(_)) => ClassRef::library("java.lang.String"),
            Value::Scalar(Scalar::Enum(class, name)) => match class {
                ClassRef::Project(ty) => ClassRef::Project(self.body_of_constant(*ty, name).unwrap_or(*ty)),
                ClassRef::Library(_) => class.clone(),
            },
            Value::Scalar(scalar) => ClassRef::library(&format!("java.lang.{}", scalar.prim()?.box_name())),
            Value::Cond(_) => ClassRef::library("java.lang.Boolean"),
            Value::Ref(id) => self.object(*id).class.clone(),
            Value::Class(_) => ClassRef::library("java.lang.Class"),
            Value::Symbol(symbol) => match &symbol.ty {
                Type::Str => ClassRef::library("java.lang.String"),
                Type::Boxed(prim) | Type::Prim(prim) => ClassRef::library(&format!("java.lang.{}", prim.box_name())),
                // An enum value of the request has its declared class; for interfaces and classes it may be a
                // subtype.
                Type::Class(class @ ClassRef::Project(ty), _) if self.project.ty(*ty).kind == TypeKind::Enum => {
                    class.clone()
                }
                _ => return None,
            },
            Value::Lambda(_) | Value::Unknown(_) => return None,
        })
    }

    /// Whether a value is an instance of a class; null counts as one. `None` if undecided.
    pub fn is_instance(&self, value: &Value, wanted: &Type) -> Option<bool> {
        if value.is_null() {
            return Some(true);
        }
        if *wanted == Type::Unknown {
            return None;
        }
        if let Value::Ref(id) = value
            && matches!(&self.object(*id).class, ClassRef::Library(fqn) if &**fqn == "array")
        {
            return self.is_array_of(self.element_type(*id)?, wanted);
        }
        let Some(class) = self.class_of(value) else {
            let declared = match value {
                Value::Symbol(symbol) => &symbol.ty,
                _ => return None,
            };
            let ty = declared.clone();
            return (ty != Type::Unknown && self.fits(&ty, wanted) == Fit::Strict).then_some(true);
        };
        let wanted_class = match wanted {
            Type::Str => ClassRef::library("java.lang.String"),
            Type::Boxed(prim) | Type::Prim(prim) => ClassRef::library(&format!("java.lang.{}", prim.box_name())),
            Type::Class(class, _) => class.clone(),
            Type::Array(_) => return Some(false),
            Type::Void | Type::Unknown => return None,
        };
        // An object of a Java model has the class that the model stands for.
        let modelled = |class: &ClassRef| match class {
            ClassRef::Library(fqn) => self.project.model(fqn).map(ClassRef::Project),
            ClassRef::Project(_) => None,
        };
        let wanted_class = modelled(&wanted_class).unwrap_or(wanted_class);
        let wanted = &match (wanted, &wanted_class) {
            (Type::Class(_, args), class) => Type::Class(class.clone(), args.clone()),
            (other, _) => other.clone(),
        };
        if class == wanted_class || matches!(&wanted_class, ClassRef::Library(fqn) if &**fqn == "java.lang.Object") {
            return Some(true);
        }
        if let Some(below) = hierarchy::is_below(self.project, &class, &wanted_class)
            && (below || self.is_class(&wanted_class))
        {
            return Some(below);
        }
        // A class without library supertypes is no instance of a library class. The lone interfaces have no
        // supertypes themselves, so they do not matter.
        const LONE: [&str; 3] = ["java.io.Serializable", "java.lang.Cloneable", "java.lang.Comparable"];
        if let (ClassRef::Project(ty), ClassRef::Library(fqn)) = (&class, &wanted_class)
            && &**fqn != "java.lang.Record"
            && !LONE.contains(&&**fqn)
            && !self.project.has_unknown_super(*ty)
            && self.project.library_supers(*ty).iter().all(|above| LONE.contains(above))
            && matches!(self.project.ty(*ty).kind, TypeKind::Class | TypeKind::Record)
        {
            return Some(false);
        }
        match self.fits(&Type::Class(class, Vec::new()).normal(), wanted) {
            Fit::Strict => Some(true),
            Fit::No => Some(false),
            Fit::Loose | Fit::Maybe => None,
        }
    }

    fn is_array_of(&self, element: &Type, wanted: &Type) -> Option<bool> {
        match wanted {
            Type::Array(other) => match (element, &**other) {
                (a, b) if a == b => Some(true),
                (Type::Prim(_), _) | (_, Type::Prim(_)) => Some(false),
                (Type::Array(a), b) => self.is_array_of(a, b),
                (a, b) => match self.fits(a, b) {
                    Fit::Strict => Some(true),
                    Fit::No => Some(false),
                    Fit::Loose | Fit::Maybe => None,
                },
            },
            Type::Class(ClassRef::Library(fqn), _) => {
                Some(matches!(&**fqn, "java.lang.Object" | "java.lang.Cloneable" | "java.io.Serializable"))
            }
            _ => Some(false),
        }
    }

    fn is_class(&self, class: &ClassRef) -> bool {
        match class {
            ClassRef::Project(ty) => self.project.ty(*ty).kind != TypeKind::Interface,
            ClassRef::Library(fqn) => {
                let is_named_so = ["Exception", "Error"].iter().any(|end| fqn.ends_with(end));
                is_named_so || hierarchy::library_super(self.project, fqn).is_some()
            }
        }
    }

    /// Creates an object of a library class that has a model.
    pub fn modelled(&mut self, fqn: &str, parts: &[(&'static str, Value)]) -> Value {
        let mut object = crate::interpret::values::value::Object::new(ClassRef::library(fqn), Kind::Modelled);
        object.parts.extend(parts.iter().cloned());
        Value::Ref(self.allocate(object))
    }
}

impl Type {
    /// Replaces the classes of strings and boxes by their own variants.
    fn normal(self) -> Self {
        match &self {
            Self::Class(ClassRef::Library(fqn), _) => match Prim::of_box(fqn) {
                Some(prim) => Self::Boxed(prim),
                None if &**fqn == "java.lang.String" => Self::Str,
                None => self,
            },
            _ => self,
        }
    }
}
