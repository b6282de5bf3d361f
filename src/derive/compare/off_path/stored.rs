//! Differences in stored data: fields of entities that were added, removed, retyped or stored differently, and methods
//! that run whenever an entity is read or written. No code of an operation runs them, but its rows differ.

use std::collections::BTreeSet;

use super::declared::annotations_differ;
use crate::compare::edits::changed::ChangedCode;
use crate::compare::edits::constants::{is_reordered, moves_stored, stores_ordinals};
use crate::compare::edits::declarations::{STORING, deciding, is_stored};
use crate::compare::objects::handed::handed;
use crate::compare::sides::side::{Side, change};
use crate::judge::oracle::place;
use mastor_frameworks::sql::column;
use mastor_java::interpret::paths::path::Site;
use mastor_java::ir::facts::{Annotation, MemberFacts, MemberKind, Modifiers};
use mastor_java::ir::ids::MemberId;
use mastor_types::results::change::{Change, ChangeEffect};

/// Annotations of methods that run when an entity is read or written (Jakarta Persistence, section 3.6).
const CALLED: [&str; 7] =
    ["PrePersist", "PostPersist", "PreUpdate", "PostUpdate", "PreRemove", "PostRemove", "PostLoad"];

/// The differences in how the entities that the operation handles are stored.
pub(in crate::compare) fn stored(old: &Side<'_>, new: &Side<'_>, changed: &ChangedCode) -> Vec<Change> {
    let mut found = Vec::new();
    // A renamed or moved field may be the same column.
    let columns = |side: &Side<'_>, other: &Side<'_>| -> BTreeSet<String> {
        let only = changed.symbols().filter(|symbol| other.member(symbol).is_none());
        let fields = only.filter_map(|symbol| side.member(symbol)).filter(|id| is_kept(side, *id));
        fields.map(|id| column(side.bench.subject.project.member(id))).collect()
    };
    let (gone, come) = (columns(old, new), columns(new, old));
    let is_moved = |facts: &MemberFacts| gone.contains(&column(facts)) && come.contains(&column(facts));
    let mut reordered = BTreeSet::new();
    for symbol in changed.symbols() {
        let members = [old, new].map(|side| side.member(symbol));
        let facts = |side: &Side<'_>, id: Option<MemberId>| -> Option<MemberFacts> {
            id.filter(|id| is_kept(side, *id)).map(|id| side.bench.subject.project.member(id).clone())
        };
        let (was, is) = (facts(old, members[0]), facts(new, members[1]));
        if let [Some(before), Some(after)] = members {
            found.extend(kept_otherwise((old, before), (new, after)));
        }
        if was.iter().chain(&is).any(is_moved) {
            continue;
        }
        let moves = |side: &Side<'_>, other: &Side<'_>, id: Option<MemberId>| {
            id.is_some_and(|id| moves_stored((side, other), id))
        };
        let what = match (&was, &is) {
            (None, None) if members[0].is_none() && moves(new, old, members[1]) => {
                format!(
                    "`{}` is new: the ordinals of constants after it change, and rows store them",
                    named(new, members[1])
                )
            }
            (None, None) if members[1].is_none() && moves(old, new, members[0]) => {
                format!(
                    "`{}` is gone: the ordinals of constants after it change, and rows store them",
                    named(old, members[0])
                )
            }
            (None, Some(is)) if members[0].is_none() => match called(is) {
                Some(mark) => format!("`{}`, which is new, runs with `@{mark}`", named(new, members[1])),
                None => format!("`{}` is new in what is stored", named(new, members[1])),
            },
            (Some(was), None) if members[1].is_none() => match called(was) {
                Some(mark) => format!("`{}`, which ran with `@{mark}`, is gone", named(old, members[0])),
                None => format!("`{}` is gone from what is stored", named(old, members[0])),
            },
            (Some(was), Some(is)) if called(is).is_none() && was.ty != is.ty => {
                let of = |facts: &MemberFacts| facts.ty.as_ref().map(ToString::to_string).unwrap_or_default();
                format!("`{}` is stored as `{}` where it was `{}`", named(new, members[1]), of(is), of(was))
            }
            (None, None)
                if let (Some(before), Some(after)) = (members[0], members[1])
                    && is_reordered((new, old), after)
                    && stores_ordinals(old, before.ty)
                    && stores_ordinals(new, after.ty)
                    && reordered.insert(after.ty) =>
            {
                let name = &new.bench.subject.project.ty(after.ty).name;
                format!("the constants of `{name}` are in another order, and rows store their ordinals")
            }
            _ => continue,
        };
        let at = |side: &Side<'_>, id: MemberId| {
            place(side.bench.subject, Site { member: id, span: side.bench.subject.project.member(id).name_span })
        };
        let made = change(new, ChangeEffect::Unclear, what);
        let (before, after) = (members[0].map(|id| at(old, id)), members[1].map(|id| at(new, id)));
        found.push(Change { evidence_before: before, evidence_after: after, ..made });
    }
    found
}

/// Differences in the annotations that define how a field is stored.
fn kept_otherwise(old: (&Side<'_>, MemberId), new: (&Side<'_>, MemberId)) -> Vec<Change> {
    let [Some(before), Some(after)] = deciding([(old.0, Some(old.1)), (new.0, Some(new.1))]) else { return Vec::new() };
    let of = |(side, member): (&Side<'_>, MemberId), facts: MemberFacts| -> Vec<Annotation> {
        let stores = facts.kind == MemberKind::Field && is_stored(side.bench.subject.project, member.ty);
        facts.annotations.into_iter().filter(|one| stores && STORING.contains(&one.simple())).collect()
    };
    let at = |(side, member): (&Side<'_>, MemberId)| {
        let span = side.bench.subject.project.member(member).name_span;
        Some(place(side.bench.subject, Site { member, span }))
    };
    let said = annotations_differ(&of(old, before), &of(new, after));
    let told = said.into_iter().map(|what| {
        let made = change(new.0, ChangeEffect::Unclear, format!("{what} on `{}`", named(new.0, Some(new.1))));
        Change { evidence_before: at(old), evidence_after: at(new), ..made }
    });
    told.collect()
}

fn named(side: &Side<'_>, id: Option<MemberId>) -> String {
    let project = side.bench.subject.project;
    id.map(|id| format!("{}#{}", project.ty(id.ty).name, project.member(id).name)).unwrap_or_default()
}

fn called(facts: &MemberFacts) -> Option<&str> {
    facts.annotations.iter().map(|one| one.simple()).find(|name| CALLED.contains(name))
}

/// Whether a member is part of a stored class that the operation's code passes on, takes or answers with.
fn is_kept(side: &Side<'_>, id: MemberId) -> bool {
    let project = side.bench.subject.project;
    let facts = project.member(id);
    let is_part = match facts.kind {
        MemberKind::Field => {
            !facts.modifiers.has(Modifiers::STATIC)
                && !facts.modifiers.has(Modifiers::TRANSIENT)
                && !facts.annotations.iter().any(|one| one.simple() == "Transient")
        }
        MemberKind::Method => called(facts).is_some(),
        _ => false,
    };
    is_part && is_stored(project, id.ty) && {
        let types = &handed(side).hands.types;
        types.contains(&id.ty) || project.all_subtypes(id.ty).iter().any(|ty| types.contains(ty))
    }
}
