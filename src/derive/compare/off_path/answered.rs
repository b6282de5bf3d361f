//! Properties that a serialiser adds or omits because a field was added or removed in a class of which the answer is made,
//! however deep. No code of the operation names them.

use std::collections::BTreeSet;

use crate::compare::edits::changed::ChangedCode;
use crate::compare::objects::accessors::accessors;
use crate::compare::objects::handed::handed;
use crate::compare::sides::side::{Side, change};
use crate::judge::oracle::place;
use mastor_java::interpret::paths::path::Site;
use mastor_java::ir::facts::{Annotation, MemberFacts, MemberKind, Modifiers};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;
use mastor_runtime::validation::constraints::text_arg;
use mastor_types::results::change::{Change, ChangeEffect};

/// Annotations of fields and getters that exclude the property, or decide by themselves what is written of it (Jackson,
/// JSON-B, Gson).
const EXCLUDED_FIELDS: [&str; 11] = [
    "Expose",
    "JsonBackReference",
    "JsonIdentityReference",
    "JsonIgnore",
    "JsonIgnoreProperties",
    "JsonIncludeProperties",
    "JsonSerialize",
    "JsonValue",
    "JsonView",
    "JsonbTransient",
    "XmlTransient",
];

/// Annotations of classes, or of their superclasses, that decide by themselves what is written of the objects.
const CUSTOM_CLASSES: [&str; 7] = [
    "JsonAutoDetect",
    "JsonFilter",
    "JsonIgnoreProperties",
    "JsonIgnoreType",
    "JsonInclude",
    "JsonIncludeProperties",
    "JsonSerialize",
];

/// The changes of what an answer holds by fields that only one revision has.
pub(in crate::compare) fn answered(old: &Side<'_>, new: &Side<'_>, changed: &ChangedCode) -> Vec<Change> {
    let mut found = Vec::new();
    for symbol in changed.symbols() {
        let members = [old, new].map(|side| side.member(symbol));
        let (side, member, is_new) = match members {
            [None, Some(member)] => (new, member, true),
            [Some(member), None] => (old, member, false),
            _ => continue,
        };
        let (project, other) = (side.bench.subject.project, if is_new { old } else { new });
        let Some(counterpart) = other.class(project.fqn(member.ty)) else { continue };
        let name = written_name(project.member(member));
        if !is_written(project, member)
            || properties(other.bench.subject.project, counterpart).contains(&name)
            || !in_answer(side).contains(&member.ty)
        {
            continue;
        }
        let class = &project.ty(member.ty).name;
        let what = match is_new {
            true => format!("answers with `{class}.{name}`, which is new"),
            false => format!("no longer answers with `{class}.{name}`"),
        };
        let effect = if is_new { ChangeEffect::Additive } else { ChangeEffect::Breaking };
        let at = place(side.bench.subject, Site { member, span: project.member(member).name_span });
        let (before, after) = if is_new { (None, Some(at)) } else { (Some(at), None) };
        found.push(Change { evidence_before: before, evidence_after: after, ..change(new, effect, what) });
    }
    found
}

/// The classes of the objects that an answer is made of: those that its type names, and those that their written fields
/// name.
fn in_answer(side: &Side<'_>) -> BTreeSet<TypeId> {
    let project = side.bench.subject.project;
    let mut open: Vec<TypeId> = handed(side).answered.iter().copied().collect();
    let mut seen = BTreeSet::new();
    while let Some(ty) = open.pop() {
        if !seen.insert(ty) {
            continue;
        }
        open.extend(project.all_supers(ty));
        for member in project.members(ty).filter(|member| is_written(project, *member)) {
            let mut named = Vec::new();
            project.member(member).ty.iter().for_each(|of| project.named_in(ty, of, &mut named));
            open.extend(named);
        }
    }
    seen
}

/// Whether a serialiser writes this field: it has a getter, and no known annotation excludes it.
fn is_written(project: &Project, member: MemberId) -> bool {
    let facts = project.member(member);
    let is_part = facts.kind == MemberKind::Field
        && !facts.modifiers.has(Modifiers::STATIC)
        && !facts.modifiers.has(Modifiers::TRANSIENT);
    let mut line = std::iter::once(member.ty).chain(project.all_supers(member.ty));
    let mut getters =
        project.members(member.ty).map(|one| project.member(one)).filter(|one| is_getter_of(one, &facts.name));
    is_part
        && !line.any(|ty| has_one_of(&project.ty(ty).annotations, &CUSTOM_CLASSES))
        && !is_left_out(facts)
        && accessors(project, member.ty)[0].contains_key(facts.name.as_str())
        && !getters.any(is_left_out)
}

/// The names of what may be written of a class: its fields and getters with those of its superclasses, also by annotations.
fn properties(project: &Project, ty: TypeId) -> BTreeSet<String> {
    let line = std::iter::once(ty).chain(project.all_supers(ty));
    let members = line.flat_map(|ty| project.members(ty)).map(|member| project.member(member));
    let named = members.flat_map(|facts| {
        let of_getter = ["get", "is"].iter().find_map(|start| facts.name.strip_prefix(start)).map(|rest| {
            rest.chars().take(1).flat_map(char::to_lowercase).chain(rest.chars().skip(1)).collect::<String>()
        });
        [Some(facts.name.to_string()), Some(written_name(facts)), of_getter]
    });
    named.flatten().collect()
}

/// The name of a property, by an annotation or else by its field.
fn written_name(facts: &MemberFacts) -> String {
    let by = |one: &&Annotation| ["JsonProperty", "JsonbProperty", "SerializedName"].contains(&one.simple());
    let said = facts.annotations.iter().find(by).and_then(|one| text_arg(one, "value")).map(str::to_owned);
    said.filter(|name| !name.is_empty()).unwrap_or_else(|| facts.name.to_string())
}

fn is_left_out(facts: &MemberFacts) -> bool {
    let is_write_only =
        |one: &Annotation| one.simple() == "JsonProperty" && format!("{:?}", one.args).contains("WRITE_ONLY");
    has_one_of(&facts.annotations, &EXCLUDED_FIELDS) || facts.annotations.iter().any(is_write_only)
}

fn has_one_of(annotations: &[Annotation], names: &[&str]) -> bool {
    annotations.iter().any(|one| names.contains(&one.simple()))
}

fn is_getter_of(facts: &MemberFacts, field: &str) -> bool {
    let rest = facts.name.strip_prefix("get").or_else(|| facts.name.strip_prefix("is"));
    facts.kind == MemberKind::Method && rest.is_some_and(|rest| rest.eq_ignore_ascii_case(field))
}
