//! The code that the framework runs around the handlers of base and head, by name.

use std::collections::BTreeSet;

use crate::compare::objects::handed::handed;
use crate::compare::sides::side::Side;
use mastor_frameworks::context::pointcuts::{Matched, advised};
use mastor_java::ir::ids::TypeId;
use mastor_runtime::app::aspects::an_aspect;

/// The names of code that runs around the handler in only one revision; empty if both agree.
pub(super) fn served_otherwise(old: &Side<'_>, new: &Side<'_>) -> Vec<String> {
    let (was, is) = (around(old), around(new));
    if was == is {
        return Vec::new();
    }
    let aside = [old, new].map(idle_aspects);
    let of = |all: BTreeSet<String>, aside: &BTreeSet<String>| -> BTreeSet<String> {
        all.into_iter().filter(|name| !aside.contains(name)).collect()
    };
    of(was, &aside[0]).symmetric_difference(&of(is, &aside[1])).cloned().collect()
}

fn around(side: &Side<'_>) -> BTreeSet<String> {
    let (around, project) = (&side.bench.surroundings, side.bench.subject.project);
    let said = around.doubts.iter().chain(&around.bound).chain(&around.serialisation).chain(&around.errors);
    let filters = around.filters.iter().map(|filter| filter.ty);
    let filters = filters.chain(around.request_filters.iter().map(|filter| filter.ty));
    let types = filters.chain(around.interceptors.iter().copied());
    // A class that moved to another package is the same class.
    said.cloned().chain(types.map(|ty| project.ty(ty).name.clone())).collect()
}

/// The aspects that advise nothing which the operation may run. Decided only for aspects whose pointcuts all match
/// annotations, since a pointcut by types may match members that are inherited from a library.
fn idle_aspects(side: &Side<'_>) -> BTreeSet<String> {
    let project = side.bench.subject.project;
    let handed = handed(side);
    let advises = |aspect: TypeId| {
        advised(project, aspect).iter().any(|(_, matched)| {
            !matches!(matched, Matched::Annotated(_))
                || handed.members.iter().any(|one| matched.covers(project, *one))
                || handed.hands.met.iter().any(|ty| matched.covers_class(project, *ty))
        })
    };
    let aspects = side.bench.subject.shared.around.aspects.iter().copied();
    aspects.filter(|aspect| !advises(*aspect)).map(|aspect| an_aspect(project, aspect)).collect()
}
