//! The signature of an operation: its parameters and body fields with their types.

use super::models;
use super::read_by_hand;
use super::segments::{Segment, segments};
pub use super::slot::Slot;
use super::slot::{Part, constants, place};
use super::text_forms::TextForm;
use crate::body::media::{AcceptedMediaTypes, is_known};
use crate::subject::Subject;
use mastor_frameworks::record::Serving;
use mastor_frameworks::{BoundParam, Location};
use mastor_java::interpret::classes::objects::{has_setter, json_name};
use mastor_java::interpret::library::frameworks::hateoas;
use mastor_java::interpret::stores::panache;
use mastor_java::interpret::values::scalar::ClassRef;
use mastor_java::interpret::values::term::Input;
use mastor_java::interpret::values::types::type_of;
use mastor_java::interpret::values::value::Type;
use mastor_java::ir::facts::{MemberKind, Modifiers, TypeKind};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::named::Named;
use mastor_java::project::index::Project;

/// One field of the body's type.
#[derive(Debug, Clone)]
pub struct BodyField {
    /// The field or component.
    pub member: MemberId,
    /// Its name in JSON.
    pub name: String,
    /// Its type.
    pub ty: Type,
}

/// The inputs of an operation.
#[derive(Debug, Clone)]
pub struct Signature {
    /// The parameters, in the order of the entry method.
    pub slots: Vec<Slot>,
    /// The media type of a body that the handler receives as unparsed text; `None` if the body is read as JSON.
    pub text_body: Option<String>,
    /// The media types that the operation accepts.
    pub taken: AcceptedMediaTypes,
    bodies: Vec<(TypeId, Vec<BodyField>)>,
}

impl Signature {
    /// Reads the signature of an operation.
    pub fn of(subject: &Subject<'_>) -> Self {
        let mut slots = Vec::new();
        let mut bodies = Vec::new();
        for param in &subject.endpoint.params {
            let mut slot = slot(subject, param);
            let parts = models::parts(subject, &slot);
            slot.part = parts.is_some().then_some(Part::Whole);
            if slot.location == Location::Body {
                let plain_xml = subject.endpoint.framework.body.plain_xml;
                gather(subject.project, &slot.ty, plain_xml, &mut bodies);
            }
            slots.push(slot);
            slots.extend(parts.into_iter().flatten());
        }
        slots.extend(unread(subject, &slots));
        if subject.endpoint.framework.serving == Serving::Exchange {
            slots.extend(read_by_hand::params(subject));
        }
        let is_text = slots.iter().any(|slot| slot.location == Location::Body && slot.ty == Type::Str);
        let is_plain = |name: &&String| is_known(name) && !name.contains(['*', '!']);
        let consumes = subject.endpoint.consumes.iter().find(is_plain);
        let text_body = is_text.then(|| consumes.cloned().unwrap_or_else(|| "text/plain".to_owned()));
        Self { slots, text_body, taken: AcceptedMediaTypes::of(subject), bodies }
    }

    /// The parameter of an input.
    pub fn slot(&self, input: &Input) -> Option<&Slot> {
        self.slots.iter().find(|slot| slot.input == *input)
    }

    /// The parameter that receives the body.
    pub fn body(&self) -> Option<&Slot> {
        self.slots.iter().find(|slot| slot.location == Location::Body)
    }

    /// Whether the handler reads this header.
    pub fn reads_header(&self, name: &str) -> bool {
        let mut headers = self.slots.iter().filter(|slot| slot.location == Location::Header);
        headers.any(|slot| slot.input.name.eq_ignore_ascii_case(name))
    }

    /// The fields of a type that is read from JSON; `None` for any other type, or if its reading is not modelled.
    pub fn fields(&self, ty: TypeId) -> Option<&[BodyField]> {
        self.bodies.iter().find(|(id, _)| *id == ty).map(|(_, fields)| fields.as_slice())
    }

    /// The type of a body field.
    pub fn body_type(&self, input: &Input) -> Option<Type> {
        let mut ty = self.body()?.ty.clone();
        for part in input.name.split('.').filter(|part| !part.is_empty()) {
            let (name, index) = match part.split_once('[') {
                Some((name, _)) => (name, true),
                None => (part, false),
            };
            if !name.is_empty() {
                let fields = self.fields(ty.project()?)?;
                ty = fields.iter().find(|field| field.name == name)?.ty.clone();
            }
            if index {
                ty = element(&ty)?;
            }
        }
        Some(ty)
    }
}

/// The type of a list's elements.
pub fn element(ty: &Type) -> Option<Type> {
    match ty {
        Type::Array(element) => Some((**element).clone()),
        Type::Class(ClassRef::Library(fqn), args)
            if matches!(
                &**fqn,
                "java.util.List" | "java.util.Set" | "java.util.Collection" | "java.util.ArrayList"
            ) =>
        {
            args.first().cloned()
        }
        _ => None,
    }
}

fn slot(subject: &Subject<'_>, param: &BoundParam) -> Slot {
    let scope = subject.endpoint.entry.ty;
    let ty = type_of(subject.project, scope, &param.ty);
    let is_text = matches!(
        param.location,
        Location::Path | Location::Query | Location::Header | Location::Cookie | Location::Form
    );
    let held = match &ty {
        Type::Class(ClassRef::Library(fqn), args)
            if **fqn == *"java.util.Optional" && subject.endpoint.framework.binding.wraps_optionals && is_text =>
        {
            args.first().cloned()
        }
        _ => None,
    };
    let is_wrapped = held.is_some();
    let ty = held.unwrap_or(ty);
    let name = if param.location == Location::Body { "" } else { &param.name };
    let constants = constants(subject.project, &ty);
    let form = match param.location {
        Location::Body | Location::Model | Location::Resolved | Location::Context => None,
        _ => TextForm::of(subject.endpoint.framework, &ty, &param.constraints),
    };
    Slot {
        input: Input::new(place(param.location), name),
        location: param.location,
        ty,
        constants,
        required: param.required,
        default: param.default.clone(),
        index: param.index,
        validated: param.validated,
        constraints: param.constraints.clone(),
        form,
        is_wrapped,
        part: None,
    }
}

/// Path variables that the entry method does not read; a request still needs a text for them.
fn unread(subject: &Subject<'_>, slots: &[Slot]) -> Vec<Slot> {
    let is_read = |name: &str| slots.iter().any(|slot| slot.location == Location::Path && *slot.input.name == *name);
    let is_open =
        slots.iter().any(|slot| slot.part.is_none() && matches!(slot.location, Location::Model | Location::Resolved));
    let names = segments(&subject.endpoint.raw_path).into_iter().filter_map(|segment| match segment {
        Segment::Variable { name, .. } if !is_open && !is_read(&name) => Some(name),
        _ => None,
    });
    names.map(|name| Slot::unread(Location::Path, &name, true)).collect()
}

/// The fields of the body's type and, recursively, of its field types, as far as reading them is modelled.
fn gather(project: &Project, ty: &Type, plain_xml: bool, bodies: &mut Vec<(TypeId, Vec<BodyField>)>) {
    if let Some(element) = element(ty) {
        return gather(project, &element, plain_xml, bodies);
    }
    let Some(id) = ty.project() else { return };
    if bodies.iter().any(|(known, _)| *known == id) || bodies.len() > 30 {
        return;
    }
    let Some(fields) = plain_fields(project, id, plain_xml) else { return };
    bodies.push((id, fields.clone()));
    for field in fields {
        gather(project, &field.ty, plain_xml, bodies);
    }
}

/// The fields of a record, or of a class with a constructor without arguments and simple setters or public fields.
fn plain_fields(project: &Project, id: TypeId, plain_xml: bool) -> Option<Vec<BodyField>> {
    let facts = project.ty(id);
    let members: Vec<MemberId> = project.members(id).collect();
    let kind = match facts.kind {
        TypeKind::Record => MemberKind::RecordComponent,
        TypeKind::Class if !facts.modifiers.has(Modifiers::ABSTRACT) && is_alone(project, id) => MemberKind::Field,
        _ => return None,
    };
    let constructors: Vec<&MemberId> =
        members.iter().filter(|member| project.member(**member).kind == MemberKind::Constructor).collect();
    if kind == MemberKind::Field {
        let has = |names: &[&str]| facts.annotations.iter().any(|a| names.contains(&a.simple()));
        let plain = if constructors.is_empty() {
            !has(&["AllArgsConstructor", "Builder", "Value"])
        } else {
            constructors.iter().any(|member| project.member(**member).params.is_empty())
        };
        let creates = constructors
            .iter()
            .any(|member| project.member(**member).annotations.iter().any(|a| a.simple() == "JsonCreator"));
        if creates || !plain && !has(&["NoArgsConstructor"]) {
            return None;
        }
    } else if constructors.iter().any(|member| {
        let constructor = project.member(**member);
        constructor.annotations.iter().any(|a| a.simple() == "JsonCreator")
    }) {
        return None;
    }
    let mut fields = Vec::new();
    let above = project.all_supers(id).into_iter().filter(|above| adds_key(project, *above));
    let inherited: Vec<MemberId> = above.flat_map(|above| project.members(above)).collect();
    for member in inherited.into_iter().chain(members) {
        let field = project.member(member);
        if field.kind != kind || field.modifiers.has(Modifiers::STATIC) || field.modifiers.has(Modifiers::TRANSIENT) {
            continue;
        }
        let settable = kind == MemberKind::RecordComponent
            || field.modifiers.has(Modifiers::PUBLIC)
            || has_setter(project, id, member);
        if !settable {
            continue;
        }
        if field.annotations.iter().any(|annotation| annotation.simple() == "JsonIgnore") {
            continue;
        }
        let name = json_name(project, member, plain_xml)?;
        let ty = type_of(project, id, field.ty.as_ref()?);
        fields.push(BodyField { member, name, ty });
    }
    Some(fields)
}

/// Whether a class extends nothing, or only classes that add links or a key.
fn is_alone(project: &Project, id: TypeId) -> bool {
    let mut extended = project.ty(id).extends.iter();
    extended.all(|ty| match project.resolve(id, &ty.name) {
        Named::Library(fqn) => hateoas::MODELS.contains(&fqn.as_str()) || fqn == panache::BASE,
        Named::Project(above) => adds_key(project, above),
        _ => false,
    })
}

/// Whether a class only adds a key: a library's class that is made, since its text is known.
fn adds_key(project: &Project, class: TypeId) -> bool {
    let mut extended = project.ty(class).extends.iter();
    project.origin(class).is_some()
        && extended.next().is_some_and(|ty| project.resolve(class, &ty.name).library() == Some(panache::BASE))
}
