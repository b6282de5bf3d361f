//! Parameters that an extension of JAX-RS gives: what gives them runs before conversions and bodies are looked at, and may answer in the handler's stead.

use crate::frameworks::remarks::is_remark;
use crate::frameworks::{BoundParam, Location};
use crate::java::facts::Annotation;
use crate::java::named::Named;
use crate::runtime::subject::Subject;

/// Packages whose objects the runtime itself has at hand.
const OF_THE_RUNTIME: &[&str] =
    &["javax.ws.rs.", "jakarta.ws.rs.", "javax.servlet.", "jakarta.servlet.", "java.", "javax.", "jakarta."];
/// Annotations that say no more than that a value is checked.
const CHECKS: &[&str] = &["Valid", "Validated", "Encoded", "DefaultValue"];

/// Why nothing is certain of an operation from where an extension gives its parameters.
pub fn injected(subject: &Subject<'_>) -> Vec<String> {
    if !subject.endpoint.framework.binding.extensions {
        return Vec::new();
    }
    subject.endpoint.params.iter().filter_map(|param| by_extension(subject, param)).collect()
}

fn by_extension(subject: &Subject<'_>, param: &BoundParam) -> Option<String> {
    let scope = subject.endpoint.entry.ty;
    let said = |is: &dyn Fn(&Annotation) -> bool| param.constraints.iter().find(|one| is(one)).map(Annotation::simple);
    let by = match param.location {
        Location::Resolved => {
            said(&|one| !CHECKS.contains(&one.simple()) && !is_remark(subject.project, scope, &one.name))?
        }
        Location::Context => match said(&|one| matches!(one.simple(), "Auth" | "Inject" | "ReqHeader")) {
            Some(by) => by,
            None if is_of_runtime(subject, param) => return None,
            None => said(&|one| one.simple() == "Context")?,
        },
        _ => return None,
    };
    Some(format!("what gives {} its value (@{by}) is not followed, and may answer in the handler's stead", param.name))
}

/// Whether the runtime has objects of this type at hand without any extension.
fn is_of_runtime(subject: &Subject<'_>, param: &BoundParam) -> bool {
    match subject.project.resolve(subject.endpoint.entry.ty, &param.ty.name) {
        Named::Project(_) => false,
        Named::Library(name) | Named::Unknown(name) => {
            !name.contains('.') || OF_THE_RUNTIME.iter().any(|package| name.starts_with(package))
        }
        _ => true,
    }
}

/// Whether the framework has converters of its own for constants of enums, which answer in their own way what they refuse.
pub fn converts_constants(subject: &Subject<'_>) -> bool {
    let bringing = subject.endpoint.framework.binding.constant_converters;
    bringing.iter().any(|artifact| subject.build.uses_near(&subject.endpoint.file, artifact))
}
