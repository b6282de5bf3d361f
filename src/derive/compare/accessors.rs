//! Accessors: which fields of a class have getters and setters, written by hand or made by Lombok.

use std::collections::BTreeMap;

use crate::java::facts::{Annotation, MemberFacts, MemberKind, Modifiers};
use crate::java::ids::TypeId;
use crate::java::project::Project;

/// Annotations that make getters, and those that make setters (Lombok).
const GETTERS: [&str; 3] = ["Data", "Getter", "Value"];
const SETTERS: [&str; 2] = ["Data", "Setter"];

/// The fields of a class that have a getter, or a setter, each with who may call it where Lombok makes it.
pub(super) type Accessors = BTreeMap<String, String>;

/// The fields of a class with a getter, and those with a setter.
pub(super) fn accessors(project: &Project, ty: TypeId) -> [Accessors; 2] {
    let of_class = &project.ty(ty).annotations;
    let members: Vec<&MemberFacts> = project.members(ty).map(|member| project.member(member)).collect();
    let fields = members.iter().filter(|one| one.kind == MemberKind::Field && !one.modifiers.has(Modifiers::STATIC));
    let mut found = [Accessors::new(), Accessors::new()];
    for field in fields {
        let capital: String = field.name.chars().take(1).flat_map(char::to_uppercase).collect();
        let rest = format!("{capital}{}", field.name.chars().skip(1).collect::<String>());
        let by_hand = |starts: &[&str], params: usize| {
            members.iter().any(|one| {
                one.kind == MemberKind::Method
                    && one.params.len() == params
                    && starts.iter().any(|start| one.name.strip_prefix(start) == Some(rest.as_str()))
            })
        };
        if by_hand(&["get", "is"], 0) {
            found[0].insert(field.name.clone(), String::new());
        } else if let Some(who) = made(field, of_class, &GETTERS) {
            found[0].insert(field.name.clone(), who);
        }
        if by_hand(&["set"], 1) {
            found[1].insert(field.name.clone(), String::new());
        } else if !field.modifiers.has(Modifiers::FINAL)
            && let Some(who) = made(field, of_class, &SETTERS)
        {
            found[1].insert(field.name.clone(), who);
        }
    }
    found
}

/// Who may call the accessor that Lombok makes for a field; an annotation of the field goes before one of the class.
fn made(field: &MemberFacts, of_class: &[Annotation], by: &[&str]) -> Option<String> {
    let makes = |one: &&Annotation| by.contains(&one.simple());
    let annotation = field.annotations.iter().find(makes).or_else(|| of_class.iter().find(makes))?;
    let who = format!("{:?}", annotation.args.iter().map(|(_, value)| value).collect::<Vec<_>>());
    match who.contains("NONE") {
        true => None,
        false => Some(if who == "[]" { String::new() } else { who }),
    }
}
