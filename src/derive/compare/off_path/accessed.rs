//! Classes with fields that gained or lost getters: a library that serialises their objects writes different fields.

use crate::compare::edits::changed::ChangedCode;
use crate::compare::objects::accessors::{Accessors, accessors};
use crate::compare::objects::handed::hands_out;
use crate::compare::sides::side::{Side, change};
use mastor_types::results::change::{Change, ChangeEffect};

/// The changes of serialised classes whose fields gained or lost getters.
pub(in crate::compare) fn accessed(old: &Side<'_>, new: &Side<'_>, changed: &ChangedCode) -> Vec<Change> {
    let mut found = Vec::new();
    for name in changed.symbols().filter(|symbol| !symbol.contains(['#', ':'])) {
        let (Some(was), Some(is)) = (old.class(name), new.class(name)) else { continue };
        let projects = [old, new].map(|side| side.bench.subject.project);
        if !hands_out(old, was) && !hands_out(new, is) {
            continue;
        }
        let (before, after) = (accessors(projects[0], was), accessors(projects[1], is));
        let only = |own: &Accessors, other: &Accessors| own.keys().any(|field| !other.contains_key(field));
        let simple = &projects[1].ty(is).name;
        let what = match (only(&after[0], &before[0]), only(&before[0], &after[0])) {
            (true, false) => format!("fields of `{simple}` have getters now, by which a library writes them"),
            (false, true) => format!("fields of `{simple}` have no getters any more, by which a library wrote them"),
            _ => continue,
        };
        let made = change(new, ChangeEffect::Unclear, what);
        let (before, after) = (Some(old.place_of_class(was)), Some(new.place_of_class(is)));
        found.push(Change { evidence_before: before, evidence_after: after, ..made });
    }
    found
}
