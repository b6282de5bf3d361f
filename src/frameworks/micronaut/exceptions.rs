//! Micronaut's handling of exceptions: `@Error` methods, `ExceptionHandler` beans, and the framework's own handlers.

use super::names::ERROR;
use super::thrown::DEFAULTS;
use crate::Endpoint;
use crate::advice::{DEFAULT, ExceptionRule, LOCAL, Scope, Thrown};
use crate::code::annotations::find;
use crate::code::inheritance::{is_concrete, methods};
use crate::record::Advice;
use crate::routing::Inputs;
use mastor_java::ir::facts::Value;
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::named::Named;

/// Rank of `@Error(global = true)` methods, which come before all beans.
const GLOBAL: i64 = 0;
/// Rank of the framework's own handlers, before the beans: their types are more specific than that of a bean for all
/// exceptions.
const OWN: i64 = 1;
/// Rank of `ExceptionHandler` beans.
const BEANS: i64 = 2;

/// The scope of Micronaut's rules. As among exception mappers, the rule for the closest type wins.
fn scope() -> Scope {
    Scope { family: Some(Advice::Mappers), ..Scope::default() }
}

/// All exception rules of Micronaut.
pub fn rules(inputs: &Inputs<'_>, endpoints: &[Endpoint]) -> Vec<ExceptionRule> {
    if endpoints.iter().all(|endpoint| endpoint.framework.name != super::record::CONTROLLERS.name) {
        return Vec::new();
    }
    let project = inputs.project;
    let mut rules = Vec::new();
    for ty in project.types().filter(|ty| is_concrete(project, *ty)) {
        for member in project.members(ty) {
            local(inputs, ty, member, &mut rules);
            made(inputs, ty, member, &mut rules);
        }
        bean(inputs, ty, &mut rules);
    }
    for (class, status) in DEFAULTS {
        let exception = Thrown::Library(class.to_owned());
        // The framework's handler comes last if a bean for the same class replaces it, or if there are no beans.
        let is_replaced = rules.iter().any(|rule| rule.rank == BEANS && rule.exception == exception);
        let is_shared = rules.iter().any(|rule| rule.rank == BEANS);
        let rank = if is_replaced || !is_shared { DEFAULT } else { OWN };
        let status = Some(status);
        rules.push(ExceptionRule { exception, handler: None, advice: None, status, scope: scope(), rank });
    }
    rules
}

/// A factory method that returns an `ExceptionHandler<E, R>`, usually a lambda.
fn made(inputs: &Inputs<'_>, ty: TypeId, member: MemberId, rules: &mut Vec<ExceptionRule>) {
    let project = inputs.project;
    let is_factory = project.ty(ty).annotations.iter().any(|annotation| annotation.simple() == "Factory");
    let Some(returned) = project.member(member).ty.as_ref().filter(|ty| ty.simple() == "ExceptionHandler") else {
        return;
    };
    let Some(argument) = returned.args.first().filter(|_| is_factory) else { return };
    let Some(exception) = Thrown::of(&project.resolve(ty, &argument.name)) else { return };
    let (handler, advice) = (Some(member), Some(ty));
    rules.push(ExceptionRule { exception, handler, advice, status: None, scope: scope(), rank: BEANS });
}

/// An `@Error` method of a controller. It applies to the controller's own requests, or to all if `global` is set.
fn local(inputs: &Inputs<'_>, ty: TypeId, member: MemberId, rules: &mut Vec<ExceptionRule>) {
    let project = inputs.project;
    let facts = project.member(member);
    let Some(found) = find(project, ty, &facts.annotations, &[ERROR]) else { return };
    let is_global = found.flag(project, "global").unwrap_or(false);
    let mut said: Vec<String> = ["value", "exception"]
        .iter()
        .filter_map(|name| found.args.get(*name))
        .filter_map(|(value, _)| match value {
            Value::Class(ty) => Some(ty.name.to_string()),
            _ => None,
        })
        .collect();
    // A method for a status handles answers, not exceptions.
    if said.is_empty() && found.args.contains_key("status") {
        return;
    }
    if said.is_empty() {
        let throwable = |name: &str| name.ends_with("Exception") || name.ends_with("Error") || name == "Throwable";
        said.extend(facts.params.iter().map(|param| param.ty.name.to_string()).filter(|name| throwable(name)));
    }
    for name in said {
        let Some(exception) = Thrown::of(&project.resolve(ty, &name)) else { continue };
        let scope = Scope { local: (!is_global).then_some(ty), ..scope() };
        let rank = if is_global { GLOBAL } else { LOCAL };
        rules.push(ExceptionRule { exception, handler: Some(member), advice: Some(ty), status: None, scope, rank });
    }
}

/// A bean that implements `ExceptionHandler<E, R>`.
fn bean(inputs: &Inputs<'_>, ty: TypeId, rules: &mut Vec<ExceptionRule>) {
    let project = inputs.project;
    let mapped = std::iter::once(ty).chain(project.all_supers(ty)).find_map(|above| {
        let handler = project.supers(above).iter().find(|parent| match &parent.named {
            Named::Library(name) | Named::Unknown(name) => name.rsplit('.').next() == Some("ExceptionHandler"),
            _ => false,
        })?;
        Some((above, handler.args.first()?.clone()))
    });
    let Some((scope_of, argument)) = mapped else { return };
    let Some(exception) = Thrown::of(&project.resolve(scope_of, &argument.name)) else { return };
    let takes_both = |member: &MemberId| {
        let facts = project.member(*member);
        facts.name == "handle" && facts.params.len() == 2
    };
    let handler = methods(project, ty).into_iter().map(|method| method.entry).find(takes_both);
    rules.push(ExceptionRule { exception, handler, advice: Some(ty), status: None, scope: scope(), rank: BEANS });
}
