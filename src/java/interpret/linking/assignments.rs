//! For each file, the members that assign to variables, by variable name; computed once for all fields of the file.

use std::collections::BTreeMap;

use crate::ir::body::{Body, ExprId, ExprKind};
use crate::ir::ids::{FileId, MemberId};
use crate::project::index::Project;

/// Members by the name of the assigned variable, and whether the assignment is to an element of it.
pub type Assignments = BTreeMap<(String, bool), Vec<MemberId>>;

/// Collects the assignments in the bodies of a file.
pub fn assignments(project: &Project, file: FileId) -> Assignments {
    let mut found = Assignments::new();
    for ty in project.types_of(file) {
        for member in project.members(ty) {
            let Some(body) = project.body(member) else { continue };
            for expr in &body.exprs {
                let (ExprKind::Assign { target, .. } | ExprKind::IncDec { target, .. }) = &expr.kind else { continue };
                let (target, indexed) = match &body.expr(*target).kind {
                    ExprKind::Index { target, .. } => (*target, true),
                    _ => (*target, false),
                };
                let Some(name) = named(&body, target) else { continue };
                let members = found.entry((name.to_owned(), indexed)).or_default();
                if members.last() != Some(&member) {
                    members.push(member);
                }
            }
        }
    }
    found
}

fn named(body: &Body, id: ExprId) -> Option<&str> {
    match &body.expr(id).kind {
        ExprKind::Name(name) | ExprKind::Field { name, .. } => Some(name),
        _ => None,
    }
}
