//! Methods that Lombok generates besides accessors and constructors: builders, `with` methods, `equals`, `hashCode`
//! and `toString`.
//!
//! If annotation settings or a `lombok.config` change the generated form, the result is left open.

use super::objects::{capitalised, has};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::values::scalar::{ClassRef, Prim, Scalar};
use crate::interpret::values::value::{Kind, ObjId, Object, Type, Value};
use crate::ir::facts::{Annotation, MemberFacts, MemberKind, Modifiers, TypeKind};
use crate::ir::ids::{MemberId, TypeId};
use crate::types::lookup::BUILDER;

/// Annotations that generate `toString`, and those that generate `equals` and `hashCode`.
const TEXT: &[&str] = &["Data", "Value", "ToString"];
const EQUALITY: &[&str] = &["Data", "Value", "EqualsAndHashCode"];

impl Machine<'_> {
    /// The fields that a class's builder sets, superclass fields first; `None` if there is no builder of default
    /// form.
    fn built_fields(&self, ty: TypeId) -> Option<Vec<MemberId>> {
        let project = self.project;
        let facts = project.ty(ty);
        let annotation = facts.annotations.iter().find(|a| matches!(a.simple(), "Builder" | "SuperBuilder"))?;
        let plain = annotation.args.iter().all(|(name, _)| matches!(name.as_str(), "toBuilder" | "access"));
        let own_class = format!("{}Builder", facts.name);
        let written = project.types_of(project.file_of(ty)).any(|other| project.ty(other).name == own_class);
        if !plain || written {
            return None;
        }
        if facts.kind == TypeKind::Record {
            return self.built_components(ty);
        }
        if facts.kind != TypeKind::Class {
            return None;
        }
        let mut classes = vec![ty];
        if annotation.simple() == "SuperBuilder" {
            let supers = project.all_supers(ty).into_iter().filter(|up| project.ty(*up).kind == TypeKind::Class);
            for up in supers {
                if !has(&project.ty(up).annotations, &["SuperBuilder"]) {
                    return None;
                }
                classes.push(up);
            }
        }
        let mut fields = Vec::new();
        for class in classes.into_iter().rev() {
            for member in project.members(class) {
                let field = project.member(member);
                let default = has(&field.annotations, &["Default"]);
                if field.kind != MemberKind::Field
                    || field.modifiers.has(Modifiers::STATIC)
                    || field.modifiers.has(Modifiers::FINAL) && field.body.is_some() && !default
                {
                    continue;
                }
                if has(&field.annotations, &["Singular"]) {
                    return None;
                }
                fields.push(member);
            }
        }
        Some(fields)
    }

    /// The record components that a builder sets; `None` if a compact constructor changes the values, or if the
    /// builder assembles a collection.
    fn built_components(&self, ty: TypeId) -> Option<Vec<MemberId>> {
        let project = self.project;
        let of = |kind: MemberKind| project.members(ty).filter(move |member| project.member(*member).kind == kind);
        let components: Vec<MemberId> = of(MemberKind::RecordComponent).collect();
        let is_put_together =
            components.iter().any(|one| has(&project.member(*one).annotations, &["Singular", "Default"]));
        let is_compact = of(MemberKind::Constructor).any(|one| project.member(one).params.is_empty());
        (!is_put_together && !is_compact).then_some(components)
    }

    /// `Type.builder()`.
    pub fn new_builder(&mut self, ty: TypeId) -> Option<Value> {
        self.built_fields(ty)?;
        let mut object = Object::new(ClassRef::library(BUILDER), Kind::Modelled);
        object.parts.insert("of", Value::Class(Type::Class(ClassRef::Project(ty), Vec::new())));
        Some(Value::Ref(self.allocate(object)))
    }

    /// A call on a builder: sets a field, or builds the object.
    pub fn on_builder(&mut self, id: ObjId, name: &str, args: &[Value]) -> Option<Eval> {
        let Some(Value::Class(Type::Class(ClassRef::Project(ty), _))) = self.object(id).parts.get("of") else {
            return None;
        };
        let ty = *ty;
        let fields = self.built_fields(ty)?;
        match args {
            [] if name == "build" => Some(self.build(id, ty, &fields)),
            [value] => {
                let field = fields.into_iter().rev().find(|field| self.project.member(*field).name == name)?;
                if value.is_null() && has(&self.project.member(field).annotations, &["NonNull"]) {
                    return Some(Err(self.null_pointer()));
                }
                let declared = self.field_type(field);
                let value = match self.assigned(value.clone(), &declared) {
                    Ok(value) => value,
                    Err(stop) => return Some(Err(stop)),
                };
                self.object_mut(id).fields.insert(field, value);
                Some(Ok(Value::Ref(id)))
            }
            _ => None,
        }
    }

    fn build(&mut self, builder: ObjId, ty: TypeId, fields: &[MemberId]) -> Eval {
        let given = self.object(builder).fields.clone();
        let object = self.allocate(Object::new(ClassRef::Project(ty), Kind::Plain));
        let mut values = Vec::new();
        for field in fields {
            let facts = self.project.member(*field);
            let value = match given.get(field) {
                Some(value) => value.clone(),
                None if has(&facts.annotations, &["Default"]) => self.default_of(*field)?,
                None => match self.field_type(*field) {
                    Type::Prim(prim) => Value::Scalar(prim.zero()),
                    _ => Value::NULL,
                },
            };
            values.push(value);
        }
        // The builder calls an explicit constructor for all fields, if there is one.
        let written = self.project.constructors(ty, fields.len());
        if !written.is_empty() && !fields.is_empty() {
            let class = Type::Class(ClassRef::Project(ty), Vec::new());
            return self.construct_by(&class, &written, values, None);
        }
        for (field, value) in fields.iter().zip(values) {
            self.object_mut(object).fields.insert(*field, value);
        }
        self.final_fields(ty, object)?;
        Ok(Value::Ref(object))
    }

    /// The default value from `@Builder.Default`.
    fn default_of(&mut self, field: MemberId) -> Eval {
        let Some(code) = self.codes.code(field) else {
            return Ok(self.unknown("the default of a builder", Type::Unknown));
        };
        self.within(&code, None, |machine| {
            let exit = machine.exit;
            let value = machine.run_root(&code)?;
            machine.exit = exit;
            machine.assigned(value, &code.result)
        })
    }

    /// Initialises the final fields that have initialisers.
    fn final_fields(&mut self, ty: TypeId, id: ObjId) -> Eval<()> {
        let of_class = |machine: &Self, class: TypeId| -> Vec<MemberId> {
            let fixed = |member: &MemberId| {
                let facts = machine.project.member(*member);
                facts.kind == MemberKind::Field
                    && !facts.modifiers.has(Modifiers::STATIC)
                    && facts.modifiers.has(Modifiers::FINAL)
                    && facts.body.is_some()
                    && !has(&facts.annotations, &["Default"])
            };
            machine.project.members(class).filter(fixed).collect()
        };
        let mut classes = vec![ty];
        classes.extend(self.project.all_supers(ty));
        for class in classes {
            for field in of_class(self, class) {
                let value = self.default_of(field)?;
                self.object_mut(id).fields.insert(field, value);
            }
        }
        Ok(())
    }

    /// `object.toBuilder()` and `object.withField(value)`.
    pub fn lombok_copy(&mut self, id: ObjId, ty: TypeId, name: &str, args: &[Value]) -> Eval<Option<Value>> {
        match args {
            [] if name == "toBuilder" => {
                let Some(fields) = self.built_fields(ty) else { return Ok(None) };
                let Some(builder) = self.new_builder(ty) else { return Ok(None) };
                let Value::Ref(made) = builder else { return Ok(None) };
                for field in fields {
                    let value = self.read_member(&Value::Ref(id), field)?;
                    self.object_mut(made).fields.insert(field, value);
                }
                Ok(Some(Value::Ref(made)))
            }
            [value] => {
                let Some(rest) = name.strip_prefix("with") else { return Ok(None) };
                let annotated = has(&self.project.ty(ty).annotations, &["With", "Wither"]);
                let field = self.project.members(ty).find(|member| {
                    let facts = self.project.member(*member);
                    facts.kind == MemberKind::Field
                        && !facts.modifiers.has(Modifiers::STATIC)
                        && (annotated || has(&facts.annotations, &["With", "Wither"]))
                        && capitalised(&facts.name) == rest
                });
                let Some(field) = field else { return Ok(None) };
                let declared = self.field_type(field);
                let value = self.assigned(value.clone(), &declared)?;
                let old = self.read_member(&Value::Ref(id), field)?;
                let boxed = Some(!matches!(declared, Type::Prim(_)));
                let same = self.same(old, value.clone(), (boxed, boxed))?;
                let Some(site) = self.here() else { return Ok(None) };
                if self.truth(&same, site)? {
                    return Ok(Some(Value::Ref(id)));
                }
                let copy = self.object(id).clone();
                let copy = self.allocate(copy);
                self.object_mut(copy).fields.insert(field, value);
                Ok(Some(Value::Ref(copy)))
            }
            _ => Ok(None),
        }
    }

    /// The fields that a generated method uses; `names` are the annotations that generate it. `None` if they have
    /// settings.
    fn generated_fields(&self, ty: TypeId, names: &[&str], text: bool) -> Option<Vec<MemberId>> {
        let project = self.project;
        let facts = project.ty(ty);
        let own = |annotation: &&Annotation| names.contains(&annotation.simple());
        let mut asked = facts.annotations.iter().filter(own).peekable();
        asked.peek()?;
        if !asked.all(|annotation| annotation.args.is_empty()) || project.has_unknown_super(ty) {
            return None;
        }
        let settings = |field: &MemberFacts| has(&field.annotations, &["Include"]);
        let mut fields = Vec::new();
        for member in project.members(ty) {
            let field = project.member(member);
            if field.kind != MemberKind::Field
                || field.modifiers.has(Modifiers::STATIC)
                || field.name.starts_with('$')
                || !text && field.modifiers.has(Modifiers::TRANSIENT)
            {
                continue;
            }
            if settings(field) || field.ty.as_ref().is_some_and(|ty| ty.dims > 0) {
                return None;
            }
            if field.annotations.iter().any(|annotation| annotation.name == "Exclude") {
                return None;
            }
            let exclusion = if text { "ToString.Exclude" } else { "EqualsAndHashCode.Exclude" };
            if !field.annotations.iter().any(|annotation| annotation.name.ends_with(exclusion)) {
                fields.push(member);
            }
        }
        Some(fields)
    }

    /// Reads a field as generated methods do: through its getter, if it has one.
    fn by_getter(&mut self, this: &Value, field: MemberId) -> Eval {
        let facts = self.project.member(field);
        let boolean = facts.ty.as_ref().is_some_and(|ty| ty.erased() == "boolean");
        let getter = if boolean && !facts.name.starts_with("is") {
            format!("is{}", capitalised(&facts.name))
        } else if boolean {
            return self.read_member(this, field);
        } else {
            format!("get{}", capitalised(&facts.name))
        };
        if self.project.find_method(field.ty, &getter, 0).is_empty() {
            return self.read_member(this, field);
        }
        self.call_method(this.clone(), &getter, Vec::new())
    }

    /// The class, or its nearest superclass, with one of these Lombok annotations.
    fn made_by(&self, class: &ClassRef, names: &[&str]) -> Option<TypeId> {
        let ClassRef::Project(ty) = class else { return None };
        std::iter::once(*ty)
            .chain(self.project.all_supers(*ty))
            .find(|ty| has(&self.project.ty(*ty).annotations, names))
    }

    /// The generated `toString` of an object's class; `None` if there is none of default form.
    pub fn made_text(&mut self, id: ObjId, class: &ClassRef) -> Option<Eval> {
        let ty = self.made_by(class, TEXT)?;
        self.lombok_text(id, ty)
    }

    /// The generated `equals` or `hashCode` of an object's class; `None` if there is none of default form.
    pub fn made_equality(&mut self, id: ObjId, class: &ClassRef, name: &str, args: &[Value]) -> Option<Eval> {
        let ty = self.made_by(class, EQUALITY)?;
        if *class != ClassRef::Project(ty) {
            return None;
        }
        self.lombok_equality(id, ty, name, args)
    }

    /// Lombok's `toString`; `None` if its form is not the default one.
    fn lombok_text(&mut self, id: ObjId, ty: TypeId) -> Option<Eval> {
        let fields = self.generated_fields(ty, TEXT, true)?;
        let mut name = self.project.ty(ty).name.clone();
        let mut at = ty;
        while let Some(outer) = self.project.outer(at) {
            name = format!("{}.{name}", self.project.ty(outer).name);
            at = outer;
        }
        Some(self.text_of_fields(id, &name, &fields))
    }

    fn text_of_fields(&mut self, id: ObjId, name: &str, fields: &[MemberId]) -> Eval {
        let mut text = Value::text(&format!("{name}("));
        for (index, field) in fields.iter().enumerate() {
            let name = self.project.member(*field).name.clone();
            let before = format!("{}{name}=", if index == 0 { "" } else { ", " });
            text = self.concat(&text, &Value::text(&before))?;
            let held = self.by_getter(&Value::Ref(id), *field)?;
            text = self.concat(&text, &held)?;
        }
        self.concat(&text, &Value::text(")"))
    }

    /// Lombok's `equals` or `hashCode`; `None` if its form is not the default one.
    fn lombok_equality(&mut self, id: ObjId, ty: TypeId, name: &str, args: &[Value]) -> Option<Eval> {
        let fields = self.generated_fields(ty, EQUALITY, false)?;
        match (name, args) {
            // The order of the fields in the hash differs between Lombok releases.
            ("hashCode", []) => Some(Ok(self.unknown("a hash that Lombok makes", Type::Prim(Prim::Int)))),
            ("equals", [other]) => Some(self.equal_fields(id, ty, other, &fields)),
            _ => None,
        }
    }

    fn equal_fields(&mut self, id: ObjId, ty: TypeId, other: &Value, fields: &[MemberId]) -> Eval {
        let other = match other {
            Value::Ref(other) => *other,
            Value::Unknown(_) | Value::Symbol(_) => {
                return Ok(self.unknown("objects are compared", Type::Prim(Prim::Bool)));
            }
            _ => return Ok(Value::bool(false)),
        };
        if other == id {
            return Ok(Value::bool(true));
        }
        let class = self.object(other).class.clone();
        if class != ClassRef::Project(ty) {
            let below = super::hierarchy::is_below(self.project, &class, &ClassRef::Project(ty));
            return match below {
                Some(false) => Ok(Value::bool(false)),
                // A subclass decides itself whether it can be equal.
                _ => Ok(self.unknown("objects of different classes are compared", Type::Prim(Prim::Bool))),
            };
        }
        for field in fields {
            let a = self.by_getter(&Value::Ref(id), *field)?;
            let b = self.by_getter(&Value::Ref(other), *field)?;
            let same = match (&a, &b) {
                (Value::Scalar(Scalar::Null), _) => self.is_null(&b),
                (_, Value::Scalar(Scalar::Null)) => self.is_null(&a),
                _ => self.equal_components(a, b)?,
            };
            let Some(site) = self.here() else { return Ok(same) };
            if !self.truth(&same, site)? {
                return Ok(Value::bool(false));
            }
        }
        Ok(Value::bool(true))
    }
}
