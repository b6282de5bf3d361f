//! JAX-RS exception handling: `ExceptionMapper`s, and the statuses of the specification's exceptions.

use crate::Endpoint;
use crate::advice::{DEFAULT, ExceptionRule, Scope, Thrown};
use crate::code::inheritance::{is_concrete, methods};
use crate::jax_rs::thrown::VIOLATION;
use crate::record::Advice;
use crate::routing::Inputs;
use mastor_java::ir::ids::TypeId;
use mastor_java::ir::named::Named;

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
    for (ty, exception) in mappers(inputs) {
        let handler = methods(project, ty)
            .into_iter()
            .find(|method| project.member(method.entry).name == "toResponse")
            .map(|method| method.entry);
        rules.push(ExceptionRule { exception, handler, advice: Some(ty), status: None, scope: scope(), rank: 0 });
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

/// The exceptions that mappers of the project answer.
pub fn mapped(inputs: &Inputs<'_>) -> impl Iterator<Item = Thrown> {
    mappers(inputs).into_iter().map(|(_, exception)| exception)
}

/// The mappers of a project, each with its exception.
fn mappers(inputs: &Inputs<'_>) -> Vec<(TypeId, Thrown)> {
    let project = inputs.project;
    let of = |ty: TypeId| {
        std::iter::once(ty).chain(project.all_supers(ty)).find_map(|above| {
            let mapper = project.supers(above).iter().find(|parent| match &parent.named {
                Named::Library(name) | Named::Unknown(name) => {
                    matches!(name.rsplit('.').next(), Some("ExceptionMapper" | "ExtendedExceptionMapper"))
                }
                _ => false,
            })?;
            let argument = mapper.args.first()?;
            Thrown::of(&bound(inputs, ty, above, &argument.name))
        })
    };
    let concrete = project.types().filter(|ty| is_concrete(project, *ty));
    concrete.filter_map(|ty| Some((ty, of(ty)?))).collect()
}

/// The mapped type, if a base class of the project declares it as a type variable.
fn bound(inputs: &Inputs<'_>, ty: TypeId, scope: TypeId, name: &str) -> Named {
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
