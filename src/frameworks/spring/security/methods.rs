//! Method security: whether `@Secured`, `@PreAuthorize`, `@RolesAllowed` and related annotations admit a caller.

use super::caller::{Caller, role};
use super::chains::OnMethods;
use super::words;
use mastor_java::ir::constant::Constant;
use mastor_java::ir::facts::Annotation;
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;

/// Whether the annotations on a method, else on its class, admit a caller; the error says what is not understood.
pub fn lets_in(
    project: &Project,
    method: MemberId,
    class: TypeId,
    on: OnMethods,
    caller: &Caller,
) -> Result<bool, String> {
    let own = &project.member(method).annotations;
    let around = &project.ty(class).annotations;
    let mut open = true;
    for (counts, names) in [
        (on.secured, &["Secured"][..]),
        (on.expressions, &["PreAuthorize"][..]),
        (on.roles, &["RolesAllowed", "DenyAll", "PermitAll"][..]),
    ] {
        // An annotation on the method overrides one on the class.
        let guard = [own, around].into_iter().find_map(|all| all.iter().find(|a| names.contains(&a.simple())));
        if let (true, Some(guard)) = (counts, guard) {
            open &= lets(project, class, guard, caller)?;
        }
    }
    if on.expressions && [own, around].iter().any(|all| all.iter().any(|a| a.simple() == "PostAuthorize")) {
        return Err("@PostAuthorize guards the answer".to_owned());
    }
    Ok(open)
}

fn lets(project: &Project, scope: TypeId, guard: &Annotation, caller: &Caller) -> Result<bool, String> {
    let unclear = || format!("@{} guards the method", guard.simple());
    match guard.simple() {
        "PermitAll" => return Ok(true),
        "DenyAll" => return Ok(false),
        "RolesAllowed" if *caller == Caller::Nobody => return Ok(false),
        _ => {}
    }
    let value = guard.arg("value").ok_or_else(unclear)?;
    let texts = match project.eval(scope, value).value {
        Constant::Str(text) => vec![text],
        Constant::Array(items) => items
            .into_iter()
            .map(|item| if let Constant::Str(text) = item { Some(text) } else { None })
            .collect::<Option<Vec<String>>>()
            .ok_or_else(unclear)?,
        _ => return Err(unclear()),
    };
    match guard.simple() {
        "Secured" => secured(&texts, caller).ok_or_else(unclear),
        "RolesAllowed" => {
            let roles: Vec<String> = texts.iter().map(|name| role(name)).collect();
            caller.has(&roles).ok_or_else(unclear)
        }
        _ => texts.first().and_then(|text| words::holds(text, caller)).ok_or_else(unclear),
    }
}

/// Whether the caller has one of the authorities in `@Secured`.
fn secured(authorities: &[String], caller: &Caller) -> Option<bool> {
    let kinds = ["IS_AUTHENTICATED_ANONYMOUSLY", "IS_AUTHENTICATED_REMEMBERED", "IS_AUTHENTICATED_FULLY"];
    let least = if *caller == Caller::Nobody { 1 } else { kinds.len() };
    if authorities.iter().any(|one| kinds[..least].contains(&one.as_str())) {
        return Some(true);
    }
    caller.has(authorities)
}
