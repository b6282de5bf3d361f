//! The SQL tables of entities.

use std::collections::BTreeMap;

use mastor_java::ir::constant::Constant;
use mastor_java::ir::facts::{MemberFacts, Value};
use mastor_java::ir::ids::TypeId;
use mastor_java::project::index::Project;

/// Entities by table, whose name comes from `@Table(name)`, `@Entity(name)` or the class. A join table belongs to the
/// type that owns the relation. Without a name in an annotation, it is named after both tables (Jakarta Persistence
/// 3.1, section 11.1.27), or after the table and the field (Spring Boot's naming strategy).
pub fn entities(project: &Project) -> BTreeMap<String, Vec<TypeId>> {
    let mut found: BTreeMap<String, Vec<TypeId>> = BTreeMap::new();
    let mut add = |name: &str, ty: TypeId| {
        let list = found.entry(name.trim_matches(['"', '`', '[', ']']).to_ascii_lowercase()).or_default();
        if !list.contains(&ty) {
            list.push(ty);
        }
    };
    let mut joins: Vec<(String, TypeId)> = Vec::new();
    // Relations with a table of their own that no annotation names: the owner, the field, and the element type.
    let mut relations: Vec<(TypeId, &str, Option<TypeId>)> = Vec::new();
    let text = |ty: TypeId, value: &Value| match project.eval(ty, value).value {
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
            let of = |name: &str| member.annotations.iter().find(|a| a.simple() == name);
            let named = of("JoinTable").or_else(|| of("CollectionTable")).and_then(|a| a.arg("name"));
            if let Some(name) = named.and_then(|value| text(ty, value)) {
                joins.push((name.trim_matches(['"', '`', '[', ']']).to_ascii_lowercase(), ty));
                continue;
            }
            let owns = of("ManyToMany").is_some_and(|a| a.arg("mappedBy").is_none());
            if owns || of("ElementCollection").is_some() {
                let elements = member.ty.as_ref().and_then(|of| of.args.last()).filter(|_| owns);
                let target = elements.and_then(|element| project.resolve(ty, &element.name).project());
                relations.push((ty, member.name.as_str(), target));
            }
        }
    }
    let tables = |of: TypeId| -> Vec<String> {
        found.iter().filter(|(_, types)| types.contains(&of)).map(|(table, _)| table.clone()).collect()
    };
    for (ty, field, target) in relations {
        let others = [field.to_ascii_lowercase(), snake(field)].into_iter().chain(target.into_iter().flat_map(tables));
        let others: Vec<String> = others.collect();
        joins.extend(tables(ty).iter().flat_map(|own| others.iter().map(move |other| (format!("{own}_{other}"), ty))));
    }
    for (table, ty) in joins {
        let list = found.entry(table).or_default();
        if !list.contains(&ty) {
            list.push(ty);
        }
    }
    found
}

/// The column of a field in snake case, as naming strategies write it.
pub fn column(facts: &MemberFacts) -> String {
    let mut said = facts.annotations.iter().filter(|one| ["Column", "JoinColumn", "Field"].contains(&one.simple()));
    let name = said.find_map(|one| match one.arg("name").or_else(|| one.arg("value")) {
        Some(Value::Str(name)) => Some(name.clone()),
        _ => None,
    });
    snake(name.as_deref().unwrap_or(&facts.name))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relation_with_a_table_of_its_own_is_its_owners() {
        let project = Project::from_sources(&[
            (
                "A.java",
                "import java.util.*; @Entity @Table(name = \"posts\") class Post { @ManyToMany Set<Tag> labels; \
                 @ManyToMany(mappedBy = \"posts\") List<Author> authors; @ElementCollection Map<String, Integer> votes; \
                 @ManyToMany @JoinTable(name = \"seen_by\") Set<Author> readers; }",
            ),
            ("B.java", "@Entity class Tag {}"),
            ("C.java", "@Entity class Author {}"),
        ]);
        let tables: Vec<String> = entities(&project).into_keys().collect();
        let of = |own: &str| ["labels", "tag", "votes"].map(|other| format!("{own}_{other}"));
        let mut expected: Vec<String> = [of("post"), of("posts")].concat();
        expected.extend(["author", "post", "posts", "seen_by", "tag"].map(str::to_owned));
        expected.sort();
        assert_eq!(tables, expected);
    }
}
