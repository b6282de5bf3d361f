//! Parameters that a JAX-RS extension provides. The extension runs before conversions and bodies are checked, and may
//! answer instead of the handler.

use crate::subject::Subject;
use mastor_frameworks::code::remarks::is_remark;
use mastor_frameworks::{BoundParam, Location};
use mastor_java::ir::facts::Annotation;
use mastor_java::ir::named::Named;

/// Packages whose objects the JAX-RS runtime itself provides.
const OF_THE_RUNTIME: &[&str] =
    &["javax.ws.rs.", "jakarta.ws.rs.", "javax.servlet.", "jakarta.servlet.", "java.", "javax.", "jakarta."];
/// Annotations that affect only validation or decoding.
const CHECKS: &[&str] = &["Valid", "Validated", "Encoded", "DefaultValue"];

/// Reasons why nothing is certain once an extension provides a parameter.
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

/// Whether the JAX-RS runtime provides objects of this type without an extension.
fn is_of_runtime(subject: &Subject<'_>, param: &BoundParam) -> bool {
    match subject.project.resolve(subject.endpoint.entry.ty, &param.ty.name) {
        Named::Project(_) => false,
        Named::Library(name) | Named::Unknown(name) => {
            !name.contains('.') || OF_THE_RUNTIME.iter().any(|package| name.starts_with(package))
        }
        _ => true,
    }
}

/// Whether the framework has its own converters for enum constants, which refuse texts in their own way.
pub fn converts_constants(subject: &Subject<'_>) -> bool {
    let bringing = subject.endpoint.framework.binding.constant_converters;
    bringing.iter().any(|artifact| subject.build.uses_near(&subject.endpoint.file, artifact))
}
