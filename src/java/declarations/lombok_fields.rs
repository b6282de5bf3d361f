//! Modifiers that Lombok adds to the fields of a class (`@FieldDefaults`, `@Value`).

use crate::ir::facts::{Annotation, MemberKind, Modifiers, TypeFacts, Value};

/// Adds the modifiers that the annotations of a class give its fields, other than static ones.
pub(super) fn add_modifiers(facts: &mut TypeFacts) {
    let mut defaults = 0;
    for annotation in &facts.annotations {
        defaults |= match annotation.simple() {
            "FieldDefaults" => given(annotation),
            "Value" => Modifiers::FINAL | Modifiers::PRIVATE,
            _ => 0,
        };
    }
    let access = Modifiers::PUBLIC | Modifiers::PROTECTED | Modifiers::PRIVATE;
    for field in facts.members.iter_mut().filter(|one| one.kind == MemberKind::Field) {
        let says = |name: &str| field.annotations.iter().any(|one| one.simple() == name);
        let mut added = defaults;
        if says("NonFinal") {
            added &= !Modifiers::FINAL;
        }
        if says("PackagePrivate") || field.modifiers.has(access) {
            added &= !access;
        }
        if !field.modifiers.has(Modifiers::STATIC) {
            field.modifiers = Modifiers(field.modifiers.0 | added);
        }
    }
}

/// The modifiers that a `@FieldDefaults` gives.
fn given(annotation: &Annotation) -> u16 {
    let level = match annotation.arg("level") {
        Some(Value::Name(name)) => match name.rsplit('.').next() {
            Some("PRIVATE") => Modifiers::PRIVATE,
            Some("PROTECTED") => Modifiers::PROTECTED,
            Some("PUBLIC") => Modifiers::PUBLIC,
            _ => 0,
        },
        _ => 0,
    };
    let is_final = matches!(annotation.arg("makeFinal"), Some(Value::Bool(true)));
    level | if is_final { Modifiers::FINAL } else { 0 }
}
