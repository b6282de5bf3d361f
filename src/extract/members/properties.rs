//! Properties of data types as serialisers see them: the members that serialisation reads and deserialisation writes.

use std::collections::BTreeSet;

use mastor_java::ir::facts::{Annotation, MemberFacts, MemberKind, Modifiers, TypeFacts, TypeKind, Value};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;

/// Accessors of a type's own properties.
#[derive(Debug, Default)]
pub struct Properties {
    /// Members that serialisation calls or reads.
    pub read: Vec<MemberId>,
    /// Members that deserialisation calls or writes.
    pub written: Vec<MemberId>,
}

/// Finds the properties of a type. `by_fields` is set if a serialiser of the project reads fields, whatever their
/// accessors.
pub fn properties(project: &Project, id: TypeId, by_fields: bool) -> Properties {
    let ty = project.ty(id);
    let ignored = ignored(ty);
    let fields_too = by_fields
        || ty.kind == TypeKind::Record
        || has(&ty.annotations, &["Data", "Value", "Getter", "Setter", "Builder", "XmlAccessorType", "JsonAutoDetect"]);
    let mut found = Properties::default();
    for member in project.members(id) {
        let facts = project.member(member);
        if facts.modifiers.has(Modifiers::STATIC) {
            let creates =
                matches!((facts.name.as_str(), facts.params.len()), ("valueOf" | "fromString" | "fromValue" | "of", 1));
            if has(&facts.annotations, &["JsonCreator"]) || (facts.kind == MemberKind::Method && creates) {
                found.written.push(member);
            }
            continue;
        }
        // An enum constant is written as its name, unless an annotation says otherwise.
        if ty.kind == TypeKind::Enum
            && !has(&ty.annotations, &["JsonFormat", "JsonSerialize", "JsonAutoDetect"])
            && !has(&facts.annotations, &["JsonValue", "JsonProperty", "JsonGetter", "XmlValue"])
        {
            continue;
        }
        let Some((name, reads, writes)) = property(ty, facts, fields_too) else { continue };
        if ignored.contains(&name) {
            continue;
        }
        let back = has(&facts.annotations, &["JsonBackReference"]);
        if reads && !back {
            found.read.push(member);
        }
        if writes {
            found.written.push(member);
        }
    }
    found
}

/// Names of properties that annotations exclude.
fn ignored(ty: &TypeFacts) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for annotation in ty.annotations.iter().filter(|annotation| annotation.simple() == "JsonIgnoreProperties") {
        for (name, value) in &annotation.args {
            if name == "value" && annotation.arg("allowGetters").is_none() && annotation.arg("allowSetters").is_none() {
                texts(value, &mut found);
            }
        }
    }
    for member in &ty.members {
        let taken = member.annotations.iter().any(|annotation| {
            matches!(annotation.simple(), "JsonIgnore" | "JsonbTransient")
                && !matches!(annotation.arg("value"), Some(Value::Bool(false)))
        });
        // An explicit `@JsonProperty` on any accessor keeps the property.
        let kept = ty.members.iter().any(|other| {
            has(&other.annotations, &["JsonProperty"])
                && property_name(other).is_some_and(|name| property_name(member) == Some(name))
        });
        if taken && !kept {
            found.extend(property_name(member));
        }
    }
    found
}

fn texts(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Str(text) => {
            found.insert(text.clone());
        }
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        _ => {}
    }
}

/// The property of a member, whether it is read, and whether it is written.
fn property(ty: &TypeFacts, member: &MemberFacts, fields_too: bool) -> Option<(String, bool, bool)> {
    let marked = member.annotations.iter().any(|annotation| {
        let simple = annotation.simple();
        (simple.starts_with("Json") && simple != "JsonIgnore")
            || simple.starts_with("Xml")
            || simple == "Expose"
            || simple == "SerializedName"
    });
    match member.kind {
        MemberKind::RecordComponent => Some((member.name.clone(), true, true)),
        MemberKind::Field => {
            let visible = fields_too
                || marked
                || member.modifiers.has(Modifiers::PUBLIC)
                || has(&member.annotations, &["Getter", "Setter"]);
            (visible && !member.modifiers.has(Modifiers::TRANSIENT)).then(|| (member.name.clone(), true, true))
        }
        MemberKind::Method => {
            let name = property_name(member);
            let getter = member.params.is_empty() && member.ty.as_ref().is_some_and(|ty| ty.name != "void");
            let setter = member.params.len() == 1 && !getter;
            match name {
                Some(name) => Some((name, getter, setter)),
                None if marked && (getter || setter || member.params.len() == 2) => {
                    Some((member.name.clone(), getter, !getter))
                }
                None => None,
            }
        }
        _ => None,
    }
    .filter(|_| ty.kind != TypeKind::Annotation)
}

/// The property name that a member's name stands for.
fn property_name(member: &MemberFacts) -> Option<String> {
    match member.kind {
        MemberKind::Field | MemberKind::RecordComponent => Some(member.name.clone()),
        MemberKind::Method => {
            let name = member.name.as_str();
            let rest = match member.params.len() {
                0 => name.strip_prefix("get").or_else(|| name.strip_prefix("is")),
                1 => name.strip_prefix("set").or_else(|| name.strip_prefix("with")),
                _ => None,
            }?;
            let mut chars = rest.chars();
            let first = chars.next().filter(|first| !first.is_lowercase())?;
            // `getURL` gives the property `url`, and `getName` gives `name`.
            if rest.chars().nth(1).is_some_and(char::is_uppercase) {
                let capitals = rest.chars().take_while(|c| c.is_uppercase()).count();
                let lower = |(at, c): (usize, char)| if at < capitals { c.to_ascii_lowercase() } else { c };
                return Some(rest.chars().enumerate().map(lower).collect());
            }
            Some(first.to_lowercase().chain(chars).collect())
        }
        _ => None,
    }
}

fn has(annotations: &[Annotation], names: &[&str]) -> bool {
    annotations.iter().any(|annotation| names.contains(&annotation.simple()))
}
