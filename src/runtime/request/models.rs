//! Request parameters that fill an object parameter: the properties of Spring's model attributes
//! (`ModelAttributeMethodProcessor`), the fields of a JAX-RS `@BeanParam`, and the parameters of a `Pageable`.

use super::paged::{self, PAGEABLE};
use super::segments::{Segment, segments};
use super::slot::{Part, Slot, constants, place};
use super::text_forms::TextForm;
use crate::subject::Subject;
use mastor_frameworks::Location;
use mastor_frameworks::record::Objects;
use mastor_java::interpret::classes::objects::{has, has_setter};
use mastor_java::interpret::library::frameworks::sorts;
use mastor_java::interpret::values::term::Input;
use mastor_java::interpret::values::types::type_of;
use mastor_java::interpret::values::value::Type;
use mastor_java::ir::facts::{Annotation, MemberFacts, MemberKind, Modifiers, TypeKind, Value as Arg};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;

/// The request parameters that fill an object parameter; `None` if that is not modelled.
pub fn parts(subject: &Subject<'_>, slot: &Slot) -> Option<Vec<Slot>> {
    let endpoint = subject.endpoint;
    let params = &subject.project.member(endpoint.entry).params;
    let is_errors = |ty: &str| matches!(ty, "BindingResult" | "Errors");
    let takes_errors = params.get(slot.index.saturating_add(1)).is_some_and(|next| is_errors(next.ty.simple()));
    match endpoint.framework.binding.objects {
        _ if slot.location != Location::Model => return None,
        Objects::Fields => return of_bean(subject, slot),
        Objects::Properties if !takes_errors => {}
        Objects::Properties | Objects::No => return None,
    }
    match slot.ty.library() {
        Some(PAGEABLE | sorts::SORT) => paged::parts(subject, slot),
        Some(_) => None,
        None => of_model(subject, slot),
    }
}

/// The properties of a model attribute that texts can fill.
fn of_model(subject: &Subject<'_>, slot: &Slot) -> Option<Vec<Slot>> {
    let (project, endpoint) = (subject.project, subject.endpoint);
    let id = slot.ty.project()?;
    let unbound =
        |one: &Annotation| one.simple() == "ModelAttribute" && matches!(one.arg("binding"), Some(Arg::Bool(false)));
    let in_session = project.all_supers(endpoint.entry.ty).into_iter().chain([endpoint.receiver, endpoint.entry.ty]);
    let mut in_session = in_session.filter(|ty| has(&project.ty(*ty).annotations, &["SessionAttributes"]));
    if slot.constraints.iter().any(unbound) || in_session.next().is_some() {
        return None;
    }
    let form = endpoint.consumes.iter().any(|kind| kind.to_lowercase().contains("form"));
    let location = if form { Location::Form } else { Location::Query };
    // Path variables fill properties too.
    let in_path = |name: &str| {
        segments(&endpoint.raw_path)
            .iter()
            .any(|segment| matches!(segment, Segment::Variable { name: own, .. } if **own == *name))
    };
    let mut found = Vec::new();
    for (member, name) in properties(project, id)? {
        let facts = project.member(member);
        let ty = type_of(project, id, facts.ty.as_ref()?);
        let constants = constants(project, &ty);
        let form = TextForm::of(endpoint.framework, &ty, &facts.annotations);
        let is_text = matches!(ty, Type::Str | Type::Prim(_) | Type::Boxed(_)) || constants.is_some() || form.is_some();
        if !is_text {
            if in_path(&name) {
                return None;
            }
            continue;
        }
        let location = if in_path(&name) { Location::Path } else { location };
        let wanted = slot.validated && has(&facts.annotations, &["NotNull", "NotBlank", "NotEmpty"]);
        found.push(Slot {
            input: Input::new(place(location), &name),
            location,
            ty,
            constants,
            required: wanted || location == Location::Path,
            default: None,
            index: slot.index,
            validated: slot.validated,
            constraints: facts.annotations.clone(),
            form,
            is_wrapped: false,
            part: Some(Part::Property(member)),
        });
    }
    Some(found)
}

/// The properties that Spring's data binder sets: the components of a record, or the fields with a setter of a class
/// that is created without arguments.
fn properties(project: &Project, id: TypeId) -> Option<Vec<(MemberId, String)>> {
    let facts = project.ty(id);
    let kind = match facts.kind {
        TypeKind::Record => MemberKind::RecordComponent,
        TypeKind::Class if facts.extends.is_empty() && !facts.modifiers.has(Modifiers::ABSTRACT) => MemberKind::Field,
        _ => return None,
    };
    let constructors: Vec<&MemberFacts> =
        facts.members.iter().filter(|member| member.kind == MemberKind::Constructor).collect();
    if kind == MemberKind::RecordComponent && !constructors.is_empty() {
        return None;
    }
    if kind == MemberKind::Field {
        // Spring uses the only public constructor, whatever its parameters; of several, the one without parameters.
        let open: Vec<&&MemberFacts> = constructors.iter().filter(|one| one.modifiers.has(Modifiers::PUBLIC)).collect();
        let without = constructors.iter().any(|one| one.params.is_empty());
        let is_plain = match (constructors.as_slice(), open.as_slice()) {
            ([], _) => {
                let made =
                    has(&facts.annotations, &["AllArgsConstructor", "RequiredArgsConstructor", "Value", "Builder"]);
                let is_final = |one: &&MemberFacts| {
                    one.kind == MemberKind::Field
                        && one.modifiers.has(Modifiers::FINAL)
                        && !one.modifiers.has(Modifiers::STATIC)
                };
                let required = has(&facts.annotations, &["Data"]) && facts.members.iter().any(|one| is_final(&one));
                has(&facts.annotations, &["NoArgsConstructor"]) || !made && !required
            }
            (_, [only]) => only.params.is_empty(),
            _ => without,
        };
        if !is_plain {
            return None;
        }
    }
    let mut found = Vec::new();
    for member in project.members(id) {
        let field = project.member(member);
        if field.kind != kind || field.modifiers.has(Modifiers::STATIC) {
            continue;
        }
        let is_set = kind == MemberKind::RecordComponent || has_setter(project, id, member);
        if has(&field.annotations, &["BindParam"]) {
            return None;
        }
        if is_set {
            found.push((member, field.name.clone()));
        }
    }
    Some(found)
}

/// The fields of a JAX-RS bean (`@BeanParam`), each with the request parameter that is injected.
fn of_bean(subject: &Subject<'_>, slot: &Slot) -> Option<Vec<Slot>> {
    let (project, endpoint) = (subject.project, subject.endpoint);
    let id = slot.ty.project()?;
    let facts = project.ty(id);
    let is_bound = |annotations: &[Annotation]| annotations.iter().any(|one| injected(one, "").is_some());
    let elsewhere = |member: &MemberFacts| {
        member.kind != MemberKind::Field
            && (is_bound(&member.annotations) || member.params.iter().any(|param| is_bound(&param.annotations)))
            || member.kind == MemberKind::Constructor && !member.params.is_empty()
    };
    if facts.kind != TypeKind::Class || !facts.extends.is_empty() || facts.members.iter().any(elsewhere) {
        return None;
    }
    let mut found = Vec::new();
    for member in project.members(id) {
        let field = project.member(member);
        if field.kind != MemberKind::Field || field.modifiers.has(Modifiers::STATIC) {
            continue;
        }
        let Some((location, name)) = field.annotations.iter().find_map(|one| injected(one, &field.name)) else {
            let is_given = |one: &Annotation| {
                matches!(one.simple(), "Context" | "Inject" | "MatrixParam" | "BeanParam" | "RestHeader" | "RestMatrix")
            };
            if field.annotations.iter().any(is_given) {
                return None;
            }
            continue;
        };
        let ty = type_of(project, id, field.ty.as_ref()?);
        let constants = constants(project, &ty);
        let default = field.annotations.iter().find(|one| one.simple() == "DefaultValue");
        let default = match default.and_then(|one| one.arg("value")) {
            Some(Arg::Str(text)) => Some(text.clone()),
            Some(_) => return None,
            None => None,
        };
        let form = TextForm::of(endpoint.framework, &ty, &field.annotations);
        found.push(Slot {
            input: Input::new(place(location), &name),
            location,
            ty,
            constants,
            required: location == Location::Path,
            default,
            index: slot.index,
            validated: slot.validated,
            constraints: field.annotations.clone(),
            form,
            is_wrapped: false,
            part: Some(Part::Property(member)),
        });
    }
    Some(found)
}

/// The location and name that an annotation of JAX-RS or of Quarkus REST on a field gives; those of Quarkus REST may
/// leave the name to the field.
fn injected(annotation: &Annotation, field: &str) -> Option<(Location, String)> {
    let location = match annotation.simple() {
        "PathParam" | "RestPath" => Location::Path,
        "QueryParam" | "RestQuery" => Location::Query,
        "HeaderParam" => Location::Header,
        "CookieParam" | "RestCookie" => Location::Cookie,
        "FormParam" | "RestForm" => Location::Form,
        _ => return None,
    };
    match annotation.arg("value") {
        Some(Arg::Str(name)) => Some((location, name.clone())),
        None if annotation.simple().starts_with("Rest") => Some((location, field.to_owned())),
        _ => None,
    }
}
