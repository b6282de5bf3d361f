//! Code that fills stores when the service starts, told of the operations that handle what it stores, where it is new or gone.

use std::collections::{BTreeMap, BTreeSet};

use super::changed::ChangedCode;
use super::handed::handles;
use super::side::{Side, change};
use super::start_up::START;
use crate::frameworks::context::startup::stored_by;
use crate::java::ids::TypeId;
use crate::types::change::{Change, ChangeEffect};
use crate::types::manifest::Changed;

/// Tells which classes are new or gone that fill stores when the service starts; nothing of one that stands in another package since.
pub(super) fn started(old: &Side<'_>, new: &Side<'_>, changed: &ChangedCode) -> Vec<Change> {
    let of = |side: &Side<'_>, how: Changed| -> BTreeMap<String, (TypeId, String)> {
        let inputs = changed.inputs.iter().filter(|change| change.change == how);
        let types = inputs.filter_map(|change| side.class(change.input.strip_prefix(START)?));
        types.filter_map(|ty| Some((side.bench.subject.project.ty(ty).name.clone(), (ty, kept(side, ty)?)))).collect()
    };
    let (gone, come) = (of(old, Changed::Removed), of(new, Changed::Added));
    let mut found = Vec::new();
    for (name, (ty, what)) in come.iter().filter(|(name, _)| !gone.contains_key(*name)) {
        let made =
            change(new, ChangeEffect::Unclear, format!("`{name}`, which fills {what} when the service starts, is new"));
        found.push(Change { evidence_after: Some(new.place_of_class(*ty)), ..made });
    }
    for (name, (ty, what)) in gone.iter().filter(|(name, _)| !come.contains_key(*name)) {
        let made = change(
            new,
            ChangeEffect::Unclear,
            format!("`{name}`, which filled {what} when the service started, is gone"),
        );
        found.push(Change { evidence_before: Some(old.place_of_class(*ty)), ..made });
    }
    found
}

/// The names of the stored classes that a class fills and the operation handles, for a sentence; `None` where there are none.
fn kept(side: &Side<'_>, ty: TypeId) -> Option<String> {
    let project = side.bench.subject.project;
    let stored = stored_by(project, ty).into_iter().filter(|stored| handles(side, *stored));
    let names: BTreeSet<String> = stored.map(|stored| format!("`{}`", project.ty(stored).name)).collect();
    (!names.is_empty()).then(|| names.into_iter().collect::<Vec<_>>().join(" and "))
}
