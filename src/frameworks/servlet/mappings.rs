//! The paths for which a servlet filter runs: from `@WebFilter`, registrations by beans, `addFilter` of Jetty's
//! handlers, and Guice's `filter(…).through(…)`.

use super::registrations::{self, Registration};
use crate::code::annotations::find;
use crate::code::expressions::{below, local, string_of};
use mastor_java::ir::body::{Body, ExprId, ExprKind};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::named::Named;
use mastor_java::project::index::Project;

/// `@WebFilter` in both packages.
const WEB_FILTER: [&str; 2] = ["javax.servlet.annotation.WebFilter", "jakarta.servlet.annotation.WebFilter"];

/// The path patterns for which a filter of the project runs; `None` if no registration is understood.
pub fn patterns(project: &Project, filter: TypeId, all: &[Registration]) -> Option<Vec<String>> {
    if let Some(found) = annotated(project, filter) {
        return found;
    }
    if all.iter().filter(|one| one.registers(filter)).all(Registration::is_certain)
        && let Some(found) = registrations::registered(project, filter, all).filter(|found| !found.is_empty())
    {
        return understood(found);
    }
    let name = &project.ty(filter).name;
    let naming = project.files().filter(|file| project.file(*file).facts.type_words.binary_search(name).is_ok());
    let mut found = Vec::new();
    for owner in naming.flat_map(|file| project.types_of(file)).filter(|owner| *owner != filter) {
        for member in project.members(owner) {
            mapped(project, member, filter, &mut found)?;
        }
    }
    understood(found)
}

/// The patterns in a filter's `@WebFilter`: `None` without the annotation, `Some(None)` if they are not understood.
pub fn annotated(project: &Project, filter: TypeId) -> Option<Option<Vec<String>>> {
    let found = find(project, filter, &project.ty(filter).annotations, &WEB_FILTER)?;
    Some(found.strings(project, &["urlPatterns", "value"]).ok().and_then(|(patterns, _)| understood(patterns)))
}

/// Keeps patterns that all containers read alike; the meaning of a single `/` for a filter differs.
fn understood(patterns: Vec<String>) -> Option<Vec<String>> {
    (!patterns.is_empty() && !patterns.iter().any(|pattern| pattern == "/")).then_some(patterns)
}

/// Collects the patterns to which a member maps the filter; `None` if one of them is not known.
fn mapped(project: &Project, member: MemberId, filter: TypeId, found: &mut Vec<String>) -> Option<()> {
    let Some(body) = project.body(member) else { return Some(()) };
    for expr in &body.exprs {
        let ExprKind::Call { target, name, args, .. } = &expr.kind else { continue };
        let patterns: Vec<ExprId> = match (name.as_str(), args.as_slice()) {
            ("addFilter", [of, pattern, ..]) if is_of(project, member, &body, *of, filter) => vec![*pattern],
            ("through", [of, ..]) if is_of(project, member, &body, *of, filter) => {
                match target.map(|at| &body.expr(at).kind) {
                    Some(ExprKind::Call { name, args, .. }) if name == "filter" => args.clone(),
                    _ => return None,
                }
            }
            _ => continue,
        };
        for pattern in patterns {
            found.push(string_of(project, member.ty, &body, pattern)?.0);
        }
    }
    Some(())
}

/// Whether an argument is the filter's class or an object of it, possibly in a holder or a local.
fn is_of(project: &Project, member: MemberId, body: &Body, at: ExprId, filter: TypeId) -> bool {
    let at = match &body.expr(at).kind {
        ExprKind::Name(name) => local(body, name).unwrap_or(at),
        _ => at,
    };
    below(body, at).into_iter().any(|at| match &body.expr(at).kind {
        ExprKind::ClassLit(named) | ExprKind::New { ty: named, .. } => {
            project.resolve(member.ty, &named.name) == Named::Project(filter)
        }
        _ => false,
    })
}
