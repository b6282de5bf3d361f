//! Settings that are injected into fields: a changed setting is reported for an operation whose code reads such a
//! field.

use std::collections::BTreeSet;

use crate::derive::compare::objects::handed::handed;
use crate::derive::compare::sides::side::Side;
use crate::frameworks::files::properties::relaxed;
use crate::java::interpret::linking::code::Link;
use crate::java::ir::facts::{Annotation, MemberKind, Value};
use crate::java::ir::ids::MemberId;

/// Annotations that inject a setting into a field or parameter (Spring, MicroProfile Config, Micronaut).
const TAKING: &[&str] = &["Value", "ConfigProperty", "Property"];

/// Whether a changed setting is reported for the operation: its code reads a field with the setting, or the use of the
/// setting is unknown.
pub(in crate::derive::compare) fn reads_setting(side: &Side<'_>, key: &str) -> bool {
    let Some(fields) = taken(side, key) else { return true };
    let is_one = |link: &Link| match link {
        Link::Field(field) | Link::Static(field) => fields.contains(field),
        Link::Const(value, _) => value.as_text().is_some_and(|text| text.contains(key)),
        _ => false,
    };
    let codes = handed(side).members.iter().filter_map(|member| side.bench.codes.code(*member));
    codes.into_iter().any(|code| code.links.iter().any(is_one))
}

/// The fields into which a setting is injected; `None` if it is also used in another way, or its use is unknown.
fn taken(side: &Side<'_>, key: &str) -> Option<BTreeSet<MemberId>> {
    let project = side.bench.subject.project;
    let mut fields: BTreeSet<MemberId> = BTreeSet::new();
    for ty in project.types() {
        if project.ty(ty).annotations.iter().any(|one| says(one, key)) {
            return None;
        }
        for member in project.members(ty) {
            let facts = project.member(member);
            let of_params = facts.params.iter().flat_map(|param| &param.annotations);
            if of_params.into_iter().any(|one| says(one, key) || takes(one, key)) {
                return None;
            }
            if facts.kind == MemberKind::Field && facts.annotations.iter().any(|one| takes(one, key)) {
                fields.insert(member);
            } else if facts.annotations.iter().any(|one| says(one, key) || takes(one, key)) {
                return None;
            }
        }
    }
    // A getter that Lombok generates reads the field too, so the use of the setting is unknown.
    let is_open = |field: &MemberId| {
        let mut said = project.ty(field.ty).annotations.iter().chain(&project.member(*field).annotations);
        said.any(|one| ["Getter", "Data"].contains(&one.simple()))
    };
    (!fields.is_empty() && !fields.iter().any(is_open)).then_some(fields)
}

/// Whether an annotation injects a setting; a constant or concatenation as argument may name any setting.
fn takes(annotation: &Annotation, key: &str) -> bool {
    let is_open = |value: &Value| matches!(value, Value::Name(_) | Value::Binary(..));
    TAKING.contains(&annotation.simple())
        && (says(annotation, key) || annotation.args.iter().any(|(_, value)| is_open(value)))
}

/// Whether a string of an annotation names a setting, directly or in a placeholder.
fn says(annotation: &Annotation, key: &str) -> bool {
    let names = |value: &Value| matches!(value, Value::Str(text) if relaxed(text).contains(&relaxed(key)));
    annotation.args.iter().any(|(_, value)| match value {
        Value::Array(all) => all.iter().any(names),
        value => names(value),
    })
}
