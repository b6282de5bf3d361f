//! Edges of stores: implementations of repository fragments by naming convention, entities and their listeners,
//! validators of constraints.

use crate::code::annotations;
use crate::routing::Inputs;
use mastor_java::ir::facts::{MemberKind, Modifiers, TypeKind};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::objects::injection::{EdgeSource, ExtraEdges};
use mastor_java::project::index::Project;

const ENTITIES: [&str; 8] = [
    "javax.persistence.Entity",
    "jakarta.persistence.Entity",
    "javax.persistence.Embeddable",
    "jakarta.persistence.Embeddable",
    "javax.persistence.MappedSuperclass",
    "jakarta.persistence.MappedSuperclass",
    "org.springframework.data.mongodb.core.mapping.Document",
    "org.springframework.data.relational.core.mapping.Table",
];

/// Annotations of methods that a store calls when it creates, changes or removes a row (Jakarta Persistence 3.1,
/// section 3.6).
const WHEN_STORED: [&str; 6] = ["PrePersist", "PostPersist", "PreUpdate", "PostUpdate", "PreRemove", "PostRemove"];

/// The entities of a project.
pub(super) fn entities(project: &Project) -> Vec<TypeId> {
    let is_entity = |ty: &TypeId| annotations::has(project, *ty, &project.ty(*ty).annotations, &ENTITIES);
    project.types().filter(is_entity).collect()
}

/// Adds all edges of stores.
pub(super) fn add(inputs: &Inputs<'_>, edges: &mut ExtraEdges) {
    let project = inputs.project;
    for ty in project.types() {
        fragments(project, ty, edges);
        if annotations::has(project, ty, &project.ty(ty).annotations, &ENTITIES) {
            entity(project, ty, edges);
        }
        validators(project, ty, edges);
    }
}

/// `OrderRepositoryImpl` implements methods that `OrderRepository` inherits from a fragment or declares itself (Spring
/// Data, custom implementations).
fn fragments(project: &Project, ty: TypeId, edges: &mut ExtraEdges) {
    let facts = project.ty(ty);
    let Some(name) = facts.name.strip_suffix("Impl").filter(|_| facts.kind == TypeKind::Class) else { return };
    for interface in project.by_simple(name).iter().copied().filter(|id| project.ty(*id).kind == TypeKind::Interface) {
        let declares = std::iter::once(interface).chain(project.all_supers(interface));
        for above in declares {
            for declared in project.members(above) {
                let wanted = project.member(declared);
                let implements = |member: &MemberId| {
                    let own = project.member(*member);
                    own.kind == MemberKind::Method && own.name == wanted.name && own.params.len() == wanted.params.len()
                };
                let own = project.members(ty).filter(implements);
                edges.add(EdgeSource::Member(declared), own, "is implemented by the class of this name");
            }
        }
    }
}

/// Edges to lifecycle callbacks and listeners, and to accessors if the store may use them: the identifier is annotated
/// on a method, or the type is embeddable.
fn entity(project: &Project, ty: TypeId, edges: &mut ExtraEdges) {
    let mut callbacks = |of: TypeId, how: &str| {
        let marked = |words: &'static [&'static str]| {
            project
                .members(of)
                .filter(move |m| project.member(*m).annotations.iter().any(|a| words.contains(&a.simple())))
        };
        edges.add(EdgeSource::Type(ty), marked(&["PostLoad"]), how);
        edges.add(EdgeSource::Stored(ty), marked(&WHEN_STORED), how);
    };
    callbacks(ty, "is called by the store");
    for listener in project.ty(ty).annotations.iter().filter(|a| a.simple() == "EntityListeners") {
        for class in class_names(listener.arg("value")) {
            let Some(target) = project.resolve(ty, &class).project() else { continue };
            for of in std::iter::once(target).chain(project.all_supers(target)) {
                callbacks(of, "listens to the entity");
            }
        }
    }
    let line: Vec<TypeId> = std::iter::once(ty).chain(project.all_supers(ty)).collect();
    let marks = |m: &MemberId| project.member(*m).annotations.iter().any(|a| matches!(a.simple(), "Id" | "EmbeddedId"));
    let by_property = line
        .iter()
        .flat_map(|ty| project.members(*ty))
        .any(|m| marks(&m) && project.member(m).kind == MemberKind::Method);
    let embeddable = project.ty(ty).annotations.iter().any(|a| a.simple() == "Embeddable");
    if by_property || embeddable {
        let accessors = line.iter().flat_map(|ty| project.members(*ty)).filter(|m| is_accessor(project, *m));
        edges.add(EdgeSource::Type(ty), accessors.collect::<Vec<_>>(), "is read or written by the store");
    }
}

fn is_accessor(project: &Project, member: MemberId) -> bool {
    let facts = project.member(member);
    facts.kind == MemberKind::Method
        && !facts.modifiers.has(Modifiers::STATIC)
        && ((facts.params.is_empty() && (facts.name.starts_with("get") || facts.name.starts_with("is")))
            || (facts.params.len() == 1 && facts.name.starts_with("set")))
}

/// `@Constraint(validatedBy = X.class) @interface C`: adds edges from every element with `@C` to `X`.
fn validators(project: &Project, ty: TypeId, edges: &mut ExtraEdges) {
    let facts = project.ty(ty);
    if facts.kind != TypeKind::Annotation {
        return;
    }
    for constraint in facts.annotations.iter().filter(|a| a.simple() == "Constraint") {
        for class in class_names(constraint.arg("validatedBy")) {
            let Some(validator) = project.resolve(ty, &class).project() else { continue };
            let methods: Vec<MemberId> = project.members(validator).collect();
            edges.add(EdgeSource::Annotation(facts.name.clone()), methods, "validates");
        }
    }
}

fn class_names(value: Option<&mastor_java::ir::facts::Value>) -> Vec<String> {
    use mastor_java::ir::facts::Value;
    match value {
        Some(Value::Class(ty)) => vec![ty.name.to_string()],
        Some(Value::Array(items)) => items.iter().flat_map(|item| class_names(Some(item))).collect(),
        _ => Vec::new(),
    }
}
