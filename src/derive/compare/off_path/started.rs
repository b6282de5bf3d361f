//! Code that fills stores at start-up, for the operations that handle the stored objects: added, removed, or with other
//! values.

use std::collections::{BTreeMap, BTreeSet};

use crate::compare::edits::changed::ChangedCode;
use crate::compare::edits::start_up::START;
use crate::compare::objects::handed::handles;
use crate::compare::sides::side::{Side, change};
use mastor_frameworks::context::startup::{starting_members, stored_by};
use mastor_java::ir::body::{Body, ExprId, ExprKind};
use mastor_java::ir::facts::Span;
use mastor_java::ir::ids::TypeId;
use mastor_types::manifest::Changed;
use mastor_types::results::change::{Change, ChangeEffect};

/// The added and removed classes that fill stores at start-up, without those that moved to another package, and the
/// classes that fill stores with other values.
pub(in crate::compare) fn started(old: &Side<'_>, new: &Side<'_>, changed: &ChangedCode) -> Vec<Change> {
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
    let (was, is) = (of(old, Changed::Changed), of(new, Changed::Changed));
    for (name, (ty, what)) in &is {
        let Some((before, _)) = was.get(name).filter(|(before, _)| values(old, *before) != values(new, *ty)) else {
            continue;
        };
        let what = format!("`{name}` fills {what} with other values when the service starts");
        let places = (Some(old.place_of_class(*before)), Some(new.place_of_class(*ty)));
        let made = change(new, ChangeEffect::Unclear, what);
        found.push(Change { evidence_before: places.0, evidence_after: places.1, ..made });
    }
    found
}

/// The literals in a class, as a multiset, without those in log calls: rephrased code has the same ones.
fn values(side: &Side<'_>, ty: TypeId) -> Vec<String> {
    let project = side.bench.subject.project;
    let is_logger = |body: &Body, target: ExprId| matches!(&body.expr(target).kind, ExprKind::Name(name) if ["log", "logger"].contains(&name.to_lowercase().as_str()));
    let mut found = Vec::new();
    for body in starting_members(project, ty).into_iter().filter_map(|member| project.body(member)) {
        let logs = body.exprs.iter().filter(|expr| match &expr.kind {
            ExprKind::Call { target: Some(target), .. } => is_logger(&body, *target),
            _ => false,
        });
        let logs: Vec<Span> = logs.map(|expr| expr.span).collect();
        let is_logged = |span: Span| logs.iter().any(|log| log.start <= span.start && span.end <= log.end);
        found.extend(body.exprs.iter().filter_map(|expr| match &expr.kind {
            ExprKind::Lit(value) if !is_logged(expr.span) => Some(format!("{value:?}")),
            _ => None,
        }));
    }
    found.sort();
    found
}

/// The names of the stored classes that a class fills and the operation handles, as a phrase; `None` if there are none.
fn kept(side: &Side<'_>, ty: TypeId) -> Option<String> {
    let project = side.bench.subject.project;
    let stored = stored_by(project, ty).into_iter().filter(|stored| handles(side, *stored));
    let names: BTreeSet<String> = stored.map(|stored| format!("`{}`", project.ty(stored).name)).collect();
    (!names.is_empty()).then(|| names.into_iter().collect::<Vec<_>>().join(" and "))
}
