//! The SQL tables of entities.

use std::collections::BTreeMap;

use crate::java::constant::Constant;
use crate::java::ids::TypeId;
use crate::java::project::Project;

/// Entities by table: from `@Table(name)`, `@Entity(name)`, or the default name of the class; a join table belongs to
/// the type that names it.
pub fn entities(project: &Project) -> BTreeMap<String, Vec<TypeId>> {
    let mut found: BTreeMap<String, Vec<TypeId>> = BTreeMap::new();
    let mut add = |name: &str, ty: TypeId| {
        let list = found.entry(name.trim_matches(['"', '`', '[', ']']).to_ascii_lowercase()).or_default();
        if !list.contains(&ty) {
            list.push(ty);
        }
    };
    let text = |ty: TypeId, value: &crate::java::facts::Value| match project.eval(ty, value).value {
        Constant::Str(text) => Some(text),
        _ => None,
    };
    for ty in project.types() {
        let facts = project.ty(ty);
        for annotation in
            facts.annotations.iter().filter(|a| matches!(a.simple(), "Entity" | "Table" | "SecondaryTable"))
        {
            match annotation.arg("name").or_else(|| annotation.arg("value")).and_then(|value| text(ty, value)) {
                Some(name) => add(&name, ty),
                None => {
                    add(&facts.name, ty);
                    add(&snake(&facts.name), ty);
                }
            }
        }
        for member in &facts.members {
            for annotation in
                member.annotations.iter().filter(|a| matches!(a.simple(), "JoinTable" | "CollectionTable"))
            {
                if let Some(name) = annotation.arg("name").and_then(|value| text(ty, value)) {
                    add(&name, ty);
                }
            }
        }
    }
    found
}

/// The column or table name that Spring Boot gives to `orderLine`: `order_line`. An underscore is added before an
/// upper-case letter between lower-case ones (Hibernate, `CamelCaseToUnderscoresNamingStrategy`).
pub fn snake(name: &str) -> String {
    let all: Vec<char> = name.chars().collect();
    let mut out = String::new();
    for (at, c) in all.iter().enumerate() {
        let is_lower = |at: usize| all.get(at).is_some_and(|c| c.is_lowercase());
        if c.is_uppercase() && at > 0 && is_lower(at - 1) && is_lower(at + 1) {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}
