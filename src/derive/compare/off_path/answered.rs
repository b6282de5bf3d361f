//! Fields that came or went in the classes of which an answer is made, however deep: a library writes them by their getters,
//! and no code of the operation names them.

use std::collections::BTreeSet;

use crate::compare::edits::changed::ChangedCode;
use crate::compare::objects::accessors::accessors;
use crate::compare::objects::handed::handed;
use crate::compare::sides::side::{Side, change};
use crate::judge::oracle::place;
use mastor_java::interpret::paths::path::Site;
use mastor_java::ir::facts::{MemberFacts, MemberKind, Modifiers};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;
use mastor_types::results::change::{Change, ChangeEffect};

/// Annotations of fields that are not written (Jackson, JSON-B, Gson).
const UNWRITTEN: [&str; 5] = ["Expose", "JsonBackReference", "JsonIgnore", "JsonbTransient", "XmlTransient"];

/// Annotations of classes that decide by themselves what is written.
const OTHERWISE: [&str; 5] =
    ["JsonAutoDetect", "JsonFilter", "JsonIgnoreProperties", "JsonIncludeProperties", "JsonSerialize"];

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
        let name = project.fqn(member.ty);
        if other.class(&name).is_none() || !is_written(project, member) || !in_answer(side).contains(&member.ty) {
            continue;
        }
        let (class, field) = (&project.ty(member.ty).name, &project.member(member).name);
        let what = match is_new {
            true => format!("answers with `{class}.{field}`, which is new"),
            false => format!("no longer answers with `{class}.{field}`"),
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

/// Whether a library writes a field by its getter, as far as annotations say nothing else.
fn is_written(project: &Project, member: MemberId) -> bool {
    let facts = project.member(member);
    let is_part = match facts.kind {
        MemberKind::Field => !facts.modifiers.has(Modifiers::STATIC) && !facts.modifiers.has(Modifiers::TRANSIENT),
        _ => false,
    };
    let of_class = &project.ty(member.ty).annotations;
    is_part
        && !of_class.iter().any(|one| OTHERWISE.contains(&one.simple()))
        && !is_left_out(facts)
        && accessors(project, member.ty)[0].contains_key(facts.name.as_str())
        && !project
            .members(member.ty)
            .map(|one| project.member(one))
            .any(|one| is_getter_of(one, &facts.name) && is_left_out(one))
}

fn is_left_out(facts: &MemberFacts) -> bool {
    facts.annotations.iter().any(|one| {
        UNWRITTEN.contains(&one.simple())
            || (one.simple() == "JsonProperty" && format!("{:?}", one.args).contains("WRITE_ONLY"))
    })
}

fn is_getter_of(facts: &MemberFacts, field: &str) -> bool {
    let rest = facts.name.strip_prefix("get").or_else(|| facts.name.strip_prefix("is"));
    facts.kind == MemberKind::Method && rest.is_some_and(|rest| rest.eq_ignore_ascii_case(field))
}
