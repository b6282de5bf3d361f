//! How Quarkus REST answers exceptions: `@ServerExceptionMapper` methods, and its own statuses.

use std::collections::BTreeSet;

use super::names::{CLASSIC, EXCEPTION_MAPPER, NAME, PATH};
use crate::Endpoint;
use crate::advice::{DEFAULT, ExceptionRule, LOCAL, Scope, Thrown};
use crate::code::annotations::{find, has};
use crate::jax_rs::{self, thrown::VIOLATION};
use crate::record::Advice;
use crate::routing::Inputs;
use mastor_java::ir::ids::{MemberId, TypeId};

/// Exceptions that mappers of Quarkus answer, with their statuses (Quarkus guides, "Authorization of web endpoints",
/// "Validation with Hibernate Validator"): a constraint that a request violates is 400, any other one 500.
const DEFAULTS: [(&str, u16); 5] = [
    (VIOLATION, 400),
    ("jakarta.validation.ValidationException", 500),
    ("io.quarkus.security.UnauthorizedException", 401),
    ("io.quarkus.security.AuthenticationFailedException", 401),
    ("io.quarkus.security.ForbiddenException", 403),
];

/// All exception rules of Quarkus.
pub fn rules(inputs: &Inputs<'_>, endpoints: &[Endpoint]) -> Vec<ExceptionRule> {
    let project = inputs.project;
    let mut rules = Vec::new();
    for ty in project.types() {
        for member in project.members(ty) {
            mapper(inputs, ty, member, &mut rules);
        }
    }
    let own = endpoints.iter().filter(|endpoint| [NAME, CLASSIC].contains(&endpoint.framework.name));
    let files: BTreeSet<String> = own.map(|endpoint| endpoint.file.clone()).collect();
    if files.is_empty() {
        return rules;
    }
    // A mapper of the project for the very class takes the place of the framework's; else the closest type counts.
    let shared = rules.iter().filter(|rule| rule.scope.local.is_none()).map(|rule| rule.exception.clone());
    let mapped: Vec<Thrown> = jax_rs::exceptions::mapped(inputs).chain(shared).collect();
    for (class, status) in DEFAULTS {
        let exception = Thrown::Library(class.to_owned());
        let rank = if mapped.contains(&exception) { DEFAULT } else { 0 };
        let (status, scope) = (Some(status), Scope { files: Some(files.clone()), ..scope() });
        rules.push(ExceptionRule { exception, handler: None, advice: None, status, scope, rank });
    }
    rules
}

/// Rules of Quarkus are chosen as those of exception mappers are, by the closest type.
fn scope() -> Scope {
    Scope { family: Some(Advice::Mappers), ..Scope::default() }
}

/// A `@ServerExceptionMapper` method. In a resource it answers for that class alone, elsewhere for all resources
/// (Quarkus REST, "Exception mapping").
fn mapper(inputs: &Inputs<'_>, ty: TypeId, member: MemberId, rules: &mut Vec<ExceptionRule>) {
    let project = inputs.project;
    let facts = project.member(member);
    let Some(found) = find(project, ty, &facts.annotations, &[EXCEPTION_MAPPER]) else { return };
    let mut named: Vec<_> = found.classes(project, &["value"]).into_iter().map(|(named, _)| named).collect();
    if named.is_empty() {
        named.extend(facts.params.first().map(|param| project.resolve(ty, &param.ty.name)));
    }
    let is_resource = has(project, ty, &project.ty(ty).annotations, &PATH);
    let scope = Scope { local: is_resource.then_some(ty), ..scope() };
    let rank = if is_resource { LOCAL } else { 0 };
    for exception in named.iter().filter_map(Thrown::of) {
        let (handler, advice, scope) = (Some(member), Some(ty), scope.clone());
        rules.push(ExceptionRule { exception, handler, advice, status: None, scope, rank });
    }
}
