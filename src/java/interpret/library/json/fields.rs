//! The fields of a class that Gson binds: those of the class first, then those of its superclasses.

use crate::ir::facts::{Annotation, MemberKind, Modifiers, Nesting, TypeKind, Value as Arg};
use crate::ir::ids::{MemberId, TypeId};
use crate::project::index::Project;

/// A bound field and its name in JSON.
#[derive(Debug, Clone)]
pub struct Bound {
    /// Name in JSON.
    pub name: String,
    /// The field.
    pub field: MemberId,
}

/// The bound fields; `None` if annotations, library superclasses or duplicate names make them uncertain.
pub fn bound(project: &Project, ty: TypeId) -> Option<Vec<Bound>> {
    let mut classes = vec![ty];
    classes.extend(project.all_supers(ty).into_iter().filter(|up| project.ty(*up).kind != TypeKind::Interface));
    let mut found: Vec<Bound> = Vec::new();
    for class in classes {
        let facts = project.ty(class);
        if !matches!(facts.kind, TypeKind::Class | TypeKind::Record)
            || project.is_model(class)
            || matches!(facts.nesting, Nesting::Local | Nesting::Anonymous)
            || project.has_unknown_super(class)
            || project.supers(class).iter().any(|up| up.named.library().is_some_and(|fqn| !is_plain(fqn)))
            || facts.annotations.iter().any(is_custom)
        {
            return None;
        }
        for member in project.members(class) {
            let field = project.member(member);
            let of_record = field.kind == MemberKind::RecordComponent;
            if of_record && written_accessor(project, class, &field.name) {
                return None;
            }
            if !of_record && field.kind != MemberKind::Field
                || field.modifiers.has(Modifiers::STATIC)
                || field.modifiers.has(Modifiers::TRANSIENT)
            {
                continue;
            }
            if field.annotations.iter().any(is_custom) {
                return None;
            }
            let name = name_of(&field.annotations, &field.name)?;
            if found.iter().any(|other| other.name == name) {
                return None;
            }
            found.push(Bound { name, field: member });
        }
    }
    Some(found)
}

fn is_plain(fqn: &str) -> bool {
    matches!(
        fqn,
        "java.lang.Object"
            | "java.lang.Record"
            | "java.io.Serializable"
            | "java.lang.Comparable"
            | "java.lang.Cloneable"
    )
}

fn is_custom(annotation: &Annotation) -> bool {
    annotation.simple() == "JsonAdapter"
}

fn written_accessor(project: &Project, class: TypeId, name: &str) -> bool {
    !project.find_method(class, name, 0).is_empty()
}

/// The name set by `@SerializedName`, or the field's own; `None` if the annotation has alternate names.
pub fn name_of(annotations: &[Annotation], own: &str) -> Option<String> {
    match annotations.iter().find(|annotation| annotation.simple() == "SerializedName") {
        None => Some(own.to_owned()),
        Some(annotation) => match (annotation.arg("value"), annotation.arg("alternate")) {
            (Some(Arg::Str(name)), None) => Some(name.clone()),
            _ => None,
        },
    }
}
