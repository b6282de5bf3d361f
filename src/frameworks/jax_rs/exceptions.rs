//! JAX-RS exception handling: `ExceptionMapper`s, and the statuses of the specification's exceptions.

use crate::frameworks::Endpoint;
use crate::frameworks::advice::{DEFAULT, ExceptionRule, Scope, Thrown};
use crate::frameworks::code::inheritance::{is_concrete, methods};
use crate::frameworks::jax_rs::thrown::VIOLATION;
use crate::frameworks::record::Advice;
use crate::frameworks::routing::Inputs;
use crate::java::ir::facts::Value;
use crate::java::ir::named::Named;

/// Exceptions of the specification with their statuses, for both packages.
pub const DEFAULTS: [(&str, u16); 9] = [
    ("BadRequestException", 400),
    ("NotAuthorizedException", 401),
    ("ForbiddenException", 403),
    ("NotFoundException", 404),
    ("NotAllowedException", 405),
    ("NotAcceptableException", 406),
    ("NotSupportedException", 415),
    ("InternalServerErrorException", 500),
    ("ServiceUnavailableException", 503),
];

/// All exception rules of JAX-RS.
pub fn rules(inputs: &Inputs<'_>, _: &[Endpoint]) -> Vec<ExceptionRule> {
    let project = inputs.project;
    let mut rules = Vec::new();
    let scope = || Scope { family: Some(Advice::Mappers), ..Scope::default() };
    for ty in project.types().filter(|ty| is_concrete(project, *ty)) {
        let mapped = std::iter::once(ty).chain(project.all_supers(ty)).find_map(|above| {
            let mapper = project.supers(above).iter().find(|parent| match &parent.named {
                Named::Library(name) | Named::Unknown(name) => {
                    matches!(name.rsplit('.').next(), Some("ExceptionMapper" | "ExtendedExceptionMapper"))
                }
                _ => false,
            })?;
            let argument = mapper.args.first()?;
            Some((above, argument.clone()))
        });
        let Some((scope_of, argument)) = mapped else { continue };
        let Some(exception) = Thrown::of(&bound(inputs, ty, scope_of, &argument.name)) else { continue };
        let handler = methods(project, ty)
            .into_iter()
            .find(|method| project.member(method.entry).name == "toResponse")
            .map(|method| method.entry);
        rules.push(ExceptionRule { exception, handler, advice: Some(ty), status: None, scope: scope(), rank: 0 });
    }
    // Quarkus calls `@ServerExceptionMapper` methods like exception mappers (Quarkus REST, "Exception mapping").
    for ty in project.types() {
        for method in project.members(ty) {
            let facts = project.member(method);
            let Some(mark) = facts.annotations.iter().find(|one| one.simple() == "ServerExceptionMapper") else {
                continue;
            };
            let mut said: Vec<String> = mark.arg("value").map(classes).unwrap_or_default();
            if said.is_empty() {
                said.extend(facts.params.first().map(|param| param.ty.name.to_string()));
            }
            for name in said {
                let Some(exception) = Thrown::of(&project.resolve(ty, &name)) else { continue };
                let (handler, advice) = (Some(method), Some(ty));
                rules.push(ExceptionRule { exception, handler, advice, status: None, scope: scope(), rank: 0 });
            }
        }
    }
    for (simple, status) in DEFAULTS {
        for package in ["javax.ws.rs", "jakarta.ws.rs"] {
            let exception = Thrown::Library(format!("{package}.{simple}"));
            rules.push(ExceptionRule {
                exception,
                handler: None,
                advice: None,
                status: Some(status),
                scope: scope(),
                rank: DEFAULT,
            });
        }
    }
    // Quarkus, Jersey and RESTEasy answer 400 if a value of the request violates a constraint.
    rules.push(ExceptionRule {
        exception: Thrown::Library(VIOLATION.to_owned()),
        handler: None,
        advice: None,
        status: Some(400),
        scope: scope(),
        rank: DEFAULT,
    });
    rules
}

/// The classes in an argument of an annotation.
fn classes(value: &Value) -> Vec<String> {
    match value {
        Value::Class(ty) => vec![ty.name.to_string()],
        Value::Array(all) => all.iter().flat_map(classes).collect(),
        _ => Vec::new(),
    }
}

/// The mapped type, if a base class of the project declares it as a type variable.
fn bound(
    inputs: &Inputs<'_>,
    ty: crate::java::ir::ids::TypeId,
    scope: crate::java::ir::ids::TypeId,
    name: &str,
) -> Named {
    let project = inputs.project;
    let at = project.ty(scope).type_params.iter().position(|variable| variable.name == name);
    if let (Some(at), true) = (at, ty != scope) {
        for below in std::iter::once(ty).chain(project.all_supers(ty)) {
            let parent = project.supers(below).iter().find(|parent| parent.named == Named::Project(scope));
            if let Some(argument) = parent.and_then(|parent| parent.args.get(at)) {
                return project.resolve(below, &argument.name);
            }
        }
    }
    project.resolve(scope, name)
}
