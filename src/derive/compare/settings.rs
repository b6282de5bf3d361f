//! Settings that code takes into fields: they decide an operation whose code reads such a field.

use std::collections::BTreeSet;

use super::handed::handed;
use super::side::Side;
use crate::frameworks::properties::relaxed;
use crate::java::facts::{Annotation, MemberKind, Value};
use crate::java::ids::MemberId;
use crate::java::interpret::code::Link;

/// Annotations that set a field or a parameter to a setting (Spring, MicroProfile Config, Micronaut).
const TAKING: &[&str] = &["Value", "ConfigProperty", "Property"];

/// Whether the operation's code may read a setting: where fields take it, its code reads one of them; where nothing is known of how it is taken, it may.
pub(super) fn reads_setting(side: &Side<'_>, key: &str) -> bool {
    let (project, handed) = (side.bench.subject.project, handed(side));
    let mut fields: BTreeSet<MemberId> = BTreeSet::new();
    for ty in project.types() {
        for member in project.members(ty) {
            let facts = project.member(member);
            let takes = |all: &[Annotation]| all.iter().any(|one| TAKING.contains(&one.simple()) && names(one, key));
            // What a parameter takes goes on to where nobody looks.
            if facts.params.iter().any(|param| takes(&param.annotations)) {
                return true;
            }
            if facts.kind == MemberKind::Field && takes(&facts.annotations) {
                fields.insert(member);
            }
        }
    }
    let is_one = |link: &Link| match link {
        Link::Field(field) | Link::Static(field) => fields.contains(field),
        _ => false,
    };
    // An accessor that Lombok makes reads the field, too.
    let is_open = |field: &MemberId| {
        project.ty(field.ty).annotations.iter().any(|one| ["Getter", "Data", "Value"].contains(&one.simple()))
    };
    fields.is_empty()
        || fields.iter().any(is_open)
        || handed.members.iter().filter_map(|member| side.bench.codes.code(*member)).any(|code| {
            let names = |link: &Link| matches!(link, Link::Const(value, _) if value.as_text().is_some_and(|text| text.contains(key)));
            code.links.iter().any(|link| is_one(link) || names(link))
        })
}

/// Whether an annotation names a setting, by itself or in a placeholder.
fn names(annotation: &Annotation, key: &str) -> bool {
    annotation.args.iter().any(|(_, value)| match value {
        Value::Str(text) => relaxed(text).contains(&relaxed(key)),
        // A constant that is put together is not looked into.
        Value::Name(_) | Value::Binary(..) => true,
        _ => false,
    })
}
