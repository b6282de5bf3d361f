//! Class declarations without their members: whether those of base and head have the same effect.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::declarations::{is_default_table, is_given, is_harmless, is_stored};
use super::documentation::describes;
use crate::compare::objects::accessors::accessors;
use crate::compare::objects::handed::{hands_out, is_filled, is_used_whole, makes, meets};
use crate::compare::objects::holders::names;
use crate::compare::objects::reads_only::{needs_transaction, uses_repository, writes};
use crate::compare::sides::side::Side;
use mastor_frameworks::code::stereotypes::is_component;
use mastor_java::ir::body::{Body, ExprKind};
use mastor_java::ir::facts::{Annotation, MemberKind, Modifiers, TypeKind, TypeRef};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;

/// Annotations by which the container finds a class; on interfaces they make no beans (Spring, *Classpath Scanning*).
const FOUND_BY: &[&str] = &["Service", "Component", "Repository"];
/// Annotations without an effect outside of the code: marks for the compiler and for the builder of native images, and
/// loggers.
const ASIDE: &[&str] = &[
    "CommonsLog",
    "Deprecated",
    "FunctionalInterface",
    "Log",
    "Log4j2",
    "RegisterForReflection",
    "Slf4j",
    "SuppressWarnings",
];

/// The class by which a servlet container starts an application that is deployed as a `war` (documentation of
/// `SpringBootServletInitializer`).
const OF_WAR: &str = "org.springframework.boot.web.servlet.support.SpringBootServletInitializer";
/// Lombok annotations that generate methods.
const MAKING: &[&str] = &["Builder", "Data", "EqualsAndHashCode", "Getter", "Setter", "ToString", "Value"];

/// Whether two declarations of a class, without its members, have the same effect.
pub(in crate::compare) fn declared_alike((old, was): (&Side<'_>, TypeId), (new, is): (&Side<'_>, TypeId)) -> bool {
    let (before, after) = (old.bench.subject.project.ty(was), new.bench.subject.project.ty(is));
    let above = |all: &[TypeRef]| -> Vec<TypeRef> {
        all.iter().filter(|one| one.simple() != "Serializable").cloned().collect()
    };
    // How a servlet container starts the application changes no answer.
    let extended = |(side, ty): (&Side<'_>, TypeId)| -> Vec<TypeRef> {
        let project = side.bench.subject.project;
        let starts = |one: &TypeRef| match project.resolve(ty, &one.name).project() {
            Some(own) => {
                let only_starts = |member: MemberId| project.member(member).name == "configure";
                project.library_supers(own).iter().any(|name| name == &OF_WAR)
                    && project.ty(own).annotations.is_empty()
                    && project.members(own).all(only_starts)
            }
            None => one.simple() == "SpringBootServletInitializer",
        };
        above(&project.ty(ty).extends).into_iter().filter(|one| !starts(one)).collect()
    };
    // Interfaces of the project that only declare methods are ignored: the calls through them are compared.
    let implemented = |(side, ty): (&Side<'_>, TypeId), other: &[TypeRef]| -> Vec<TypeRef> {
        let all = above(&side.bench.subject.project.ty(ty).implements);
        all.into_iter().filter(|one| other.contains(one) || !only_says(side, ty, one)).collect()
    };
    let served = |side: &Side<'_>| (side.bench.subject.endpoint.path.clone(), side.bench.subject.op_id.to_string());
    let is_served_alike = served(old) == served(new);
    let are_accessors_alike = accessors(old.bench.subject.project, was) == accessors(new.bench.subject.project, is);
    let are_given = are_all_given(old, was) && are_all_given(new, is);
    let needs_transaction = needs_transaction(old, was) || needs_transaction(new, is);
    let of = |side: &Side<'_>, ty: TypeId| -> Vec<Annotation> {
        let has_constructors = has_constructors(side.bench.subject.project, ty);
        let all = side.bench.subject.project.ty(ty).annotations.iter();
        let all = all.flat_map(|one| in_parts(one, has_constructors));
        let kept = all.filter(|one| !is_inert(side, ty, one, are_accessors_alike));
        let mut kept: Vec<Annotation> = kept.map(|one| one.without_places()).collect();
        // Operations are paired by their paths, so it does not matter how the class declares its part of the path.
        for one in kept.iter_mut().filter(|one| is_served_alike && ["Path", "RequestMapping"].contains(&one.simple())) {
            one.args.retain(|(key, _)| !["path", "value"].contains(&key.as_str()));
        }
        kept.retain(|one| !(are_given && one.simple().ends_with("ArgsConstructor")));
        kept.retain(|one| needs_transaction || one.simple() != "Transactional");
        drop_unnoticed_storage((old, was), (new, is), &mut kept);
        kept.sort_by(|a, b| a.name.cmp(&b.name));
        kept
    };
    // JAX-RS asks for public classes; elsewhere who may name a class in code has no effect.
    let is_asked_for = [before, after].iter().any(|facts| {
        facts.annotations.iter().any(|one| ["Path", "Provider", "ApplicationPath"].contains(&one.simple()))
    });
    let modifiers = |all: Modifiers| if is_asked_for { all } else { all.without_access() };
    before.kind == after.kind
        && modifiers(before.modifiers) == modifiers(after.modifiers)
        && before.type_params == after.type_params
        && extended((old, was)) == extended((new, is))
        && implemented((old, was), &after.implements) == implemented((new, is), &before.implements)
        && before.permits == after.permits
        && of(old, was) == of(new, is)
}

/// Annotations that say how rows of a class and its subclasses lie in tables, which code that neither asks for such rows nor
/// makes them cannot notice.
const OF_ROWS: [&str; 3] = ["DiscriminatorColumn", "DiscriminatorValue", "Inheritance"];

/// Arguments of `@Table` that only writing rows obeys.
const OF_WRITING: [&str; 5] = ["check", "comment", "indexes", "options", "uniqueConstraints"];

/// Removes what a stored class's annotations say of its table, if the operation cannot notice it.
pub(in crate::compare) fn drop_unnoticed_storage(
    (old, was): (&Side<'_>, TypeId),
    (new, is): (&Side<'_>, TypeId),
    annotations: &mut Vec<Annotation>,
) {
    let both = [(old, was), (new, is)];
    let is_row = |side: &Side<'_>, ty: TypeId| is_stored(side.bench.subject.project, ty);
    if !both.iter().any(|(side, ty)| is_row(side, *ty)) {
        return;
    }
    let of_line = |side: &Side<'_>, ty: TypeId| -> Vec<TypeId> {
        let project = side.bench.subject.project;
        [vec![ty], project.all_supers(ty), project.all_subtypes(ty)].concat()
    };
    let is_used = || {
        both.iter().any(|(side, ty)| {
            of_line(side, *ty).into_iter().any(|one| uses_repository(side, one) || makes(side, one) || meets(side, one))
        })
    };
    let is_written = || both.iter().any(|(side, ty)| of_line(side, *ty).into_iter().any(|one| writes(side, one)));
    // With a table for each class a row has no discriminator (Jakarta Persistence, `DiscriminatorValue`).
    let has_marks = || {
        both.iter().any(|(side, ty)| {
            let project = side.bench.subject.project;
            !of_line(side, *ty).into_iter().any(|one| has_own_tables(project, one))
        })
    };
    if annotations.iter().any(|one| one.simple() == "DiscriminatorValue") && !has_marks() {
        annotations.retain(|one| one.simple() != "DiscriminatorValue");
    }
    if annotations.iter().any(|one| OF_ROWS.contains(&one.simple())) && !is_used() {
        annotations.retain(|one| !OF_ROWS.contains(&one.simple()));
    }
    if annotations.iter().any(|one| one.simple() == "Table") && !is_written() {
        for table in annotations.iter_mut().filter(|one| one.simple() == "Table") {
            table.args.retain(|(key, _)| !OF_WRITING.contains(&key.as_str()));
        }
        annotations.retain(|one| one.simple() != "Table" || !one.args.is_empty());
    }
}

/// Whether a stored class without a stored superclass says that each class below it has a table.
fn has_own_tables(project: &Project, ty: TypeId) -> bool {
    let is_root = !project.all_supers(ty).into_iter().any(|above| is_stored(project, above));
    let mut strategies = project.ty(ty).annotations.iter().filter(|one| one.simple() == "Inheritance");
    is_root && strategies.any(|one| format!("{:?}", one.args).contains("TABLE_PER_CLASS"))
}

/// Whether the container gives every field of a bean its value by the field's type.
fn are_all_given(side: &Side<'_>, ty: TypeId) -> bool {
    let project = side.bench.subject.project;
    let is_open = |member: &MemberId| {
        let facts = project.member(*member);
        facts.kind == MemberKind::Field && facts.body.is_none() && !facts.modifiers.has(Modifiers::STATIC)
    };
    is_component(project, ty) && project.members(ty).filter(is_open).all(|field| is_given(side, field))
}

fn is_inert(side: &Side<'_>, ty: TypeId, annotation: &Annotation, are_accessors_alike: bool) -> bool {
    let facts = side.bench.subject.project.ty(ty);
    let name = annotation.simple();
    let is_made_by_code =
        || !is_filled(side, ty) && only_adds_members(&facts.annotations) && !is_stored(side.bench.subject.project, ty);
    let is_read = || facts.annotations.iter().any(|one| one.simple() == "Jacksonized");
    match name {
        // Code that uses the builder names it, so it changed too. If the class declares its constructors in another
        // way, `@Builder` adds none and removes none (Lombok).
        "Builder" => !is_read() && is_made_otherwise(side, ty),
        "Getter" => are_accessors_alike || !hands_out(side, ty),
        // Libraries call setters only on objects that they create; calls from the project's code are compared.
        "Setter" => are_accessors_alike || is_made_by_code(),
        "ToString" => !is_used_whole(side, ty),
        "EqualsAndHashCode" => !is_used_whole(side, ty) && !is_stored(side.bench.subject.project, ty),
        // Constructor calls in code are compared; libraries and the container call the constructors of data classes and
        // beans.
        _ if name.ends_with("ArgsConstructor") => is_made_by_code(),
        _ if FOUND_BY.contains(&name) => facts.kind == TypeKind::Interface,
        "Table" => is_default_table(side, ty, annotation),
        _ => ASIDE.contains(&name) || describes(side, ty, annotation),
    }
}

/// An annotation, or the annotations that it is composed of (Lombok, *@Data* and *@Value*): they include a constructor
/// if the class has no other.
fn in_parts(annotation: &Annotation, has_constructors: bool) -> Vec<Annotation> {
    let parts: &[&str] = match annotation.simple() {
        "Data" => &["Getter", "Setter", "ToString", "EqualsAndHashCode", "RequiredArgsConstructor"],
        "Value" => &["Getter", "ToString", "EqualsAndHashCode", "AllArgsConstructor"],
        _ => return vec![annotation.clone()],
    };
    let parts = parts.iter().filter(|name| !(has_constructors && name.ends_with("ArgsConstructor")));
    parts.map(|name| Annotation { name: (*name).into(), args: Vec::new(), ..annotation.clone() }).collect()
}

/// Whether a class declares its constructors, in code or by annotations.
fn has_constructors(project: &Project, ty: TypeId) -> bool {
    let by_annotations = project.ty(ty).annotations.iter().any(|one| one.simple().ends_with("ArgsConstructor"));
    by_annotations || project.members(ty).any(|member| project.member(member).kind == MemberKind::Constructor)
}

/// Whether the annotations of a class only add members to it (Lombok), so that none of them makes it a bean.
pub(in crate::compare) fn only_adds_members(annotations: &[Annotation]) -> bool {
    annotations.iter().all(|one| {
        let name = one.simple();
        MAKING.contains(&name) || ASIDE.contains(&name) || name.ends_with("ArgsConstructor")
    })
}

/// Whether an interface that a class implements only declares methods: it is a project interface without annotations,
/// bodies and library supertypes, and nothing looks up objects by it.
fn only_says(side: &Side<'_>, ty: TypeId, interface: &TypeRef) -> bool {
    let project = side.bench.subject.project;
    let Some(above) = project.resolve(ty, &interface.name).project() else { return false };
    let facts = project.ty(above);
    let is_plain = facts.kind == TypeKind::Interface
        && is_harmless(&facts.annotations)
        && project.library_supers(above).iter().all(|name| *name == "java.io.Serializable")
        && project.members(above).all(|member| {
            let member = project.member(member);
            member.body.is_none() && is_harmless(&member.annotations)
        });
    is_plain && !is_asked_for(project, above)
}

/// Whether a container or code may look up objects by a type: a field or a parameter has the type, or a list of it, or
/// code uses its class literal.
fn is_asked_for(project: &Project, ty: TypeId) -> bool {
    let among = BTreeSet::from([ty]);
    let name = &project.ty(ty).name;
    let naming =
        project.types().filter(|of| project.file(project.file_of(*of)).facts.type_words.binary_search(name).is_ok());
    let mut members = naming.flat_map(|of| project.members(of));
    members.any(|member| {
        let facts = project.member(member);
        let is_named = |reference: &TypeRef| names(project, member.ty, reference, &among);
        let says_class = |body: Arc<Body>| {
            body.exprs.iter().any(|expr| matches!(&expr.kind, ExprKind::ClassLit(reference) if is_named(reference)))
        };
        facts.params.iter().any(|param| is_named(&param.ty))
            || facts.kind != MemberKind::Method && facts.ty.as_ref().is_some_and(is_named)
            || project.body(member).is_some_and(says_class)
    })
}

/// Whether a class declares its constructors itself, so that `@Builder` does not add one.
fn is_made_otherwise(side: &Side<'_>, ty: TypeId) -> bool {
    let project = side.bench.subject.project;
    project.members(ty).any(|member| project.member(member).kind == MemberKind::Constructor)
        || project.ty(ty).annotations.iter().any(|one| one.simple() == "NoArgsConstructor")
}
