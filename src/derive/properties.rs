//! The properties of a class as Jackson sees them.

use crate::java::facts::{Annotation, MemberKind, Modifiers, TypeKind, Value as Arg};
use crate::java::ids::{MemberId, TypeId};
use crate::java::interpret::objects::{capitalised, lombok_property};

/// One property of a class as Jackson sees it.
#[derive(Debug, Clone)]
pub struct Property {
    /// Name in JSON.
    pub name: String,
    /// The field or component that holds it, or the getter that computes it.
    pub member: MemberId,
    /// Whether null values are left out.
    pub non_null: bool,
}

/// The properties of a record or bean class; `None` where annotations, inheritance from libraries or odd names make that uncertain.
pub fn properties(project: &crate::java::project::Project, ty: TypeId) -> Option<Vec<Property>> {
    let mut classes = vec![ty];
    classes.extend(project.all_supers(ty).into_iter().filter(|up| project.ty(*up).kind != TypeKind::Interface));
    let mut found: Vec<Property> = Vec::new();
    for class in classes.into_iter().rev() {
        let facts = project.ty(class);
        if project.has_unknown_super(class)
            || project.supers(class).iter().any(|up| {
                up.named.library().is_some_and(|fqn| fqn != "java.io.Serializable" && !fqn.starts_with("java.lang."))
            })
        {
            return None;
        }
        if !matches!(facts.kind, TypeKind::Record | TypeKind::Class) {
            return None;
        }
        let non_null = non_null(&facts.annotations)?;
        let mut add = |name: String, member: MemberId| {
            found.retain(|property| property.name != name);
            found.push(Property { name, member, non_null });
        };
        for member in project.members(class) {
            let facts = project.member(member);
            if facts.modifiers.has(Modifiers::STATIC) {
                continue;
            }
            match facts.kind {
                MemberKind::RecordComponent => {
                    let name = crate::java::interpret::objects::json_name(project, member)?;
                    add(name, member);
                }
                MemberKind::Field => {
                    if facts.annotations.iter().any(|a| a.simple().starts_with("Json")) {
                        return None;
                    }
                    let getter = format!("get{}", capitalised(&facts.name));
                    let boolean = format!("is{}", capitalised(&facts.name));
                    let lombok = lombok_property(project, class, &getter, 0) == Some(member)
                        || lombok_property(project, class, &boolean, 0) == Some(member);
                    let plain = plain_name(&facts.name);
                    if facts.modifiers.has(Modifiers::TRANSIENT) {
                        continue;
                    }
                    if facts.modifiers.has(Modifiers::PUBLIC) || lombok {
                        if lombok && !plain {
                            return None;
                        }
                        add(facts.name.clone(), member);
                    }
                }
                MemberKind::Method if facts.params.is_empty() && facts.modifiers.has(Modifiers::PUBLIC) => {
                    if facts.annotations.iter().any(|a| a.simple().starts_with("Json") || a.simple().starts_with("Xml"))
                    {
                        return None;
                    }
                    let returns = facts.ty.as_ref().map(crate::java::facts::TypeRef::erased).unwrap_or_default();
                    let rest = match facts.name.strip_prefix("get") {
                        Some(rest) if returns != "void" => rest,
                        _ => match facts.name.strip_prefix("is") {
                            Some(rest) if matches!(returns.as_str(), "boolean") => rest,
                            _ => continue,
                        },
                    };
                    if rest.is_empty() || facts.name == "getClass" {
                        continue;
                    }
                    if project.ty(class).kind == TypeKind::Record {
                        return None;
                    }
                    let mut letters = rest.chars();
                    let first = letters.next()?;
                    if !first.is_uppercase() || letters.next().is_some_and(char::is_uppercase) {
                        return None;
                    }
                    let name = first.to_lowercase().chain(rest.chars().skip(1)).collect();
                    add(name, member);
                }
                _ => {}
            }
        }
    }
    Some(found)
}

fn plain_name(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(char::is_lowercase) && !letters.next().is_some_and(char::is_uppercase)
}

/// Whether `@JsonInclude` leaves null out; `None` for other rules, and for annotations that change the form.
fn non_null(annotations: &[Annotation]) -> Option<bool> {
    let mut non_null = false;
    for annotation in annotations {
        match annotation.simple() {
            "JsonInclude" => match annotation.arg("value") {
                Some(Arg::Name(name)) if name.rsplit('.').next() == Some("NON_NULL") => non_null = true,
                Some(Arg::Name(name)) if name.rsplit('.').next() == Some("ALWAYS") => {}
                _ => return None,
            },
            "JsonPropertyOrder" | "JsonIgnoreProperties" if annotation.arg("value").is_none() => {}
            name if name.starts_with("Json") || name.starts_with("Xml") => return None,
            _ => {}
        }
    }
    Some(non_null)
}
