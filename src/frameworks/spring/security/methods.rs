//! Guards on methods: `@Secured`, `@PreAuthorize`, `@RolesAllowed` and their like, as they count for a caller who is nobody in particular.

use super::chains::OnMethods;
use super::words;
use crate::java::constant::Constant;
use crate::java::facts::Annotation;
use crate::java::ids::{MemberId, TypeId};
use crate::java::project::Project;

/// Whether the annotations on a method, or else on its class, let an anonymous caller in; the error names what is not understood.
pub fn lets_nobody_in(project: &Project, method: MemberId, class: TypeId, on: OnMethods) -> Result<bool, String> {
    let own = &project.member(method).annotations;
    let around = &project.ty(class).annotations;
    let mut open = true;
    for (counts, names) in [
        (on.secured, &["Secured"][..]),
        (on.expressions, &["PreAuthorize"][..]),
        (on.roles, &["RolesAllowed", "DenyAll", "PermitAll"][..]),
    ] {
        // What stands on the method counts instead of what stands on the class.
        let guard = [own, around].into_iter().find_map(|all| all.iter().find(|a| names.contains(&a.simple())));
        if let (true, Some(guard)) = (counts, guard) {
            open &= lets(project, class, guard)?;
        }
    }
    if on.expressions && [own, around].iter().any(|all| all.iter().any(|a| a.simple() == "PostAuthorize")) {
        return Err("@PostAuthorize guards the answer".to_owned());
    }
    Ok(open)
}

fn lets(project: &Project, scope: TypeId, guard: &Annotation) -> Result<bool, String> {
    let unclear = || format!("@{} guards the method", guard.simple());
    match guard.simple() {
        "PermitAll" => return Ok(true),
        "DenyAll" | "RolesAllowed" => return Ok(false),
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
    if guard.simple() == "Secured" {
        return Ok(texts.iter().any(|authority| words::is_authority_of_nobody(authority)));
    }
    texts.first().and_then(|text| words::holds_for_nobody(text)).ok_or_else(unclear)
}
