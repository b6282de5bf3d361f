//! Project classes as component schemas: their properties as Jackson names them, and the constraints of requests.

use openapiv3::{ObjectType, ReferenceOr, Schema, SchemaKind, Type as Kind};

use super::limits::{any, limit, of_kind, text};
use super::schemas::{SchemaDirection, Schemas, boxed, of_constants};
use crate::oracles::contexts::constraint;
use mastor_java::interpret::classes::enums::enum_constants;
use mastor_java::interpret::values::scalar::ClassRef;
use mastor_java::interpret::values::types::type_of;
use mastor_java::interpret::values::value::Type;
use mastor_java::ir::facts::{Annotation, TypeKind, TypeRef, Value as Arg};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;
use mastor_runtime::body::forms::{Form, form};
use mastor_runtime::body::properties::properties;
use mastor_runtime::validation::constraints::is_constraint;
use mastor_types::described::{Component, SCHEMAS};
use mastor_types::suite::source_context::ConstraintKind;

impl Schemas<'_> {
    /// A reference to the component of a class.
    pub(super) fn class(&mut self, id: TypeId, args: &[Type], way: SchemaDirection) -> ReferenceOr<Schema> {
        let project = self.bench.subject.project;
        let is_mixed = self.bench.surroundings.mixed.as_ref().is_some_and(|mixed| mixed.contains(&id));
        if project.is_model(id) {
            return ReferenceOr::Item(any());
        }
        let key = key(project, id, args, way);
        if !self.components.contains_key(&key) {
            let name = name(project, id, args);
            // Registered first, so that a recursive reference finds it.
            let unfinished = Component { name: name.clone(), schema: ReferenceOr::Item(any()) };
            self.components.insert(key.clone(), unfinished);
            let known = (self.is_plain && !is_mixed).then(|| self.known(id, args, way)).flatten();
            let schema = ReferenceOr::Item(known.unwrap_or_else(|| open(project, id)));
            self.components.insert(key.clone(), Component { name, schema });
        }
        ReferenceOr::Reference { reference: format!("{SCHEMAS}{key}") }
    }

    /// The schema of a class whose JSON form is followed.
    fn known(&mut self, id: TypeId, args: &[Type], way: SchemaDirection) -> Option<Schema> {
        let project = self.bench.subject.project;
        if project.ty(id).kind == TypeKind::Enum {
            return self.constants(id);
        }
        match way {
            SchemaDirection::Written => self.written(id, args),
            SchemaDirection::Read { validated } => self.read(id, args, validated),
        }
    }

    /// The constants of an enum, if Jackson writes them by their names.
    fn constants(&self, id: TypeId) -> Option<Schema> {
        let project = self.bench.subject.project;
        let facts = project.ty(id);
        let says = |annotations: &[Annotation]| annotations.iter().any(|one| one.simple().starts_with("Json"));
        if says(&facts.annotations) || facts.members.iter().any(|member| says(&member.annotations)) {
            return None;
        }
        let has_text = facts.members.iter().any(|member| member.name == "toString" && member.params.is_empty());
        if self.rules.jackson3 && has_text {
            return Some(text(None));
        }
        let constants = enum_constants(project, id);
        (!constants.is_empty()).then(|| of_constants(constants.iter().map(ToString::to_string)))
    }

    fn written(&mut self, id: TypeId, args: &[Type]) -> Option<Schema> {
        let project = self.bench.subject.project;
        let mut object = ObjectType::default();
        for property in properties(project, id, self.rules.plain_xml)? {
            let facts = project.member(property.member);
            let Some(declared) = &facts.ty else { continue };
            let ty = in_class(project, (id, args), property.member, declared);
            let mut schema = match form(property.format.as_slice(), &ty) {
                Form::Plain => self.schema(&ty, SchemaDirection::Written),
                Form::Pattern(_) => ReferenceOr::Item(text(None)),
                Form::Open => ReferenceOr::Item(any()),
            };
            describe(&mut schema, &facts.annotations);
            // Jackson always writes primitive values.
            if matches!(ty, Type::Prim(_)) && !property.non_null && !self.rules.non_null {
                object.required.push(property.name.clone());
            }
            object.properties.insert(property.name, boxed(schema));
        }
        Some(of_kind(SchemaKind::Type(Kind::Object(object))))
    }

    fn read(&mut self, id: TypeId, args: &[Type], validated: bool) -> Option<Schema> {
        let project = self.bench.subject.project;
        let mut object = ObjectType::default();
        for field in self.bench.signature.fields(id)? {
            let facts = project.member(field.member);
            let declared = facts.ty.as_ref()?;
            let ty = in_class(project, (id, args), field.member, declared);
            let own: Vec<ConstraintKind> = facts
                .annotations
                .iter()
                .filter(|one| validated && is_constraint(project, field.member.ty, one) == Some(true))
                // Validation groups other than the default one must be requested by name.
                .filter(|one| one.arg("groups").is_none())
                .filter_map(|one| range(one).or_else(|| constraint(one, &ty)))
                .collect();
            let cascades = validated && facts.annotations.iter().any(|one| one.simple() == "Valid");
            let mut schema = match form(&facts.annotations, &ty) {
                Form::Plain => self.schema(&ty, SchemaDirection::Read { validated: cascades }),
                Form::Pattern(_) => ReferenceOr::Item(text(None)),
                Form::Open => ReferenceOr::Item(any()),
            };
            describe(&mut schema, &facts.annotations);
            let wants = |kind: &ConstraintKind| {
                matches!(kind, ConstraintKind::NotNull | ConstraintKind::NotEmpty | ConstraintKind::NotBlank)
            };
            if own.iter().any(wants) {
                object.required.push(field.name.clone());
            }
            limit(&mut schema, own.iter());
            object.properties.insert(field.name.clone(), boxed(schema));
        }
        Some(of_kind(SchemaKind::Type(Kind::Object(object))))
    }
}

/// The range of a number that may have a fraction.
fn range(annotation: &Annotation) -> Option<ConstraintKind> {
    let bound = |element: &str| match annotation.arg(element) {
        Some(Arg::Str(text)) if text.parse::<f64>().is_ok() => Some(text.clone()),
        Some(Arg::Int(number)) => Some(number.to_string()),
        _ => None,
    };
    let excludes = matches!(annotation.arg("inclusive"), Some(Arg::Bool(false)));
    let (min, max) = match annotation.simple() {
        "DecimalMin" => (Some(bound("value")?), None),
        "DecimalMax" => (None, Some(bound("value")?)),
        "Range" => (bound("min"), bound("max")),
        "Positive" => return Some(above_zero(true)),
        "Negative" => return Some(above_zero(false)),
        _ => return None,
    };
    let (exclusive_min, exclusive_max) = (excludes && min.is_some(), excludes && max.is_some());
    Some(ConstraintKind::Range { min, max, exclusive_min, exclusive_max })
}

fn above_zero(above: bool) -> ConstraintKind {
    let zero = || Some("0".to_owned());
    let (min, max) = if above { (zero(), None) } else { (None, zero()) };
    ConstraintKind::Range { min, max, exclusive_min: above, exclusive_max: !above }
}

/// Adds the content of documentation annotations to a property.
fn describe(schema: &mut ReferenceOr<Schema>, annotations: &[Annotation]) {
    let ReferenceOr::Item(schema) = schema else { return };
    let said = annotations.iter().find_map(|one| {
        let element = match one.simple() {
            "Schema" => "description",
            "ApiModelProperty" | "JsonPropertyDescription" => "value",
            _ => return None,
        };
        match one.arg(element) {
            Some(Arg::Str(text)) if !text.trim().is_empty() => Some(text.clone()),
            _ => None,
        }
    });
    schema.schema_data.description = said.or_else(|| schema.schema_data.description.take());
}

/// The schema of a class whose JSON form is not followed.
fn open(project: &Project, id: TypeId) -> Schema {
    let mut schema = any();
    schema.schema_data.description = Some(format!("The form of `{}` in JSON was not followed.", project.fqn(id)));
    schema
}

/// The unique key of a component in the service.
fn key(project: &Project, id: TypeId, args: &[Type], way: SchemaDirection) -> String {
    let way = match way {
        _ if project.ty(id).kind == TypeKind::Enum => "enum",
        SchemaDirection::Written => "written",
        SchemaDirection::Read { validated: false } => "read",
        SchemaDirection::Read { validated: true } => "validated",
    };
    let args: Vec<String> = args.iter().map(|arg| long_name(project, arg)).collect();
    format!("{}<{}>:{way}", project.fqn(id), args.join(","))
}

fn long_name(project: &Project, ty: &Type) -> String {
    match ty {
        Type::Class(ClassRef::Project(id), args) => {
            let args: Vec<String> = args.iter().map(|arg| long_name(project, arg)).collect();
            format!("{}<{}>", project.fqn(*id), args.join(","))
        }
        other => format!("{other:?}"),
    }
}

/// The preferred name of a component: the name of the class, then those of its type arguments.
fn name(project: &Project, id: TypeId, args: &[Type]) -> String {
    let mut name = project.ty(id).name.clone();
    for arg in args {
        name += &short_name(project, arg);
    }
    if name.is_empty() { "Anonymous".to_owned() } else { name }
}

fn short_name(project: &Project, ty: &Type) -> String {
    let of_library = |fqn: &str| fqn.rsplit('.').next().unwrap_or(fqn).to_owned();
    match ty {
        Type::Class(ClassRef::Project(id), args) => name(project, *id, args),
        Type::Class(ClassRef::Library(fqn), args) => {
            args.iter().fold(of_library(fqn), |name, arg| name + &short_name(project, arg))
        }
        Type::Prim(prim) | Type::Boxed(prim) => of_library(&format!("{prim:?}")),
        Type::Str => "String".to_owned(),
        Type::Array(element) => format!("{}Array", short_name(project, element)),
        Type::Void | Type::Unknown => "Object".to_owned(),
    }
}

/// The type of a member, in a class with these type arguments.
fn in_class(project: &Project, (id, args): (TypeId, &[Type]), member: MemberId, declared: &TypeRef) -> Type {
    let (mut class, mut args) = (id, args.to_vec());
    // If a superclass declares the member, the subclasses give the type arguments.
    for _ in 0..8 {
        let facts = project.ty(class);
        let vars: Vec<(&str, Type)> = facts.type_params.iter().map(|param| param.name.as_str()).zip(args).collect();
        if class == member.ty {
            return with_vars(project, class, declared, &vars);
        }
        let Some(above) = facts.extends.first() else { break };
        let Some(next) = project.resolve(class, &above.name).project() else { break };
        args = above.args.iter().map(|arg| with_vars(project, class, arg, &vars)).collect();
        class = next;
    }
    type_of(project, member.ty, declared)
}

/// The type of a reference, with these types for the type variables.
fn with_vars(project: &Project, scope: TypeId, reference: &TypeRef, vars: &[(&str, Type)]) -> Type {
    let bare = TypeRef { dims: 0, ..reference.clone() };
    let known = vars.iter().find(|(name, _)| *name == &*reference.name).map(|(_, ty)| ty.clone());
    let mut ty = known.unwrap_or_else(|| match (bare.name == "?", bare.args.as_slice()) {
        (true, [bound]) => with_vars(project, scope, bound, vars),
        _ => match type_of(project, scope, &bare) {
            Type::Class(class, _) => {
                Type::Class(class, bare.args.iter().map(|arg| with_vars(project, scope, arg, vars)).collect())
            }
            other => other,
        },
    });
    for _ in 0..reference.dims {
        ty = Type::Array(Box::new(ty));
    }
    ty
}
