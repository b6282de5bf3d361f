//! The registry of frameworks, with one registration for each, and the combined results of all of them for a revision.

use rayon::prelude::*;

use super::advice::ExceptionRule;
use super::endpoint::Endpoint;
use super::record::Record;
use super::routing::{Inputs, Routes};
use super::{
    configured, contract_first, jax_rs, jdk_http_server, mapstruct, micronaut, openapi_driven, quarkus, servlet, spring,
};
use mastor_java::project::brought::FrameworkFacts;
use mastor_java::project::made::GeneratedSource;
use mastor_types::Warning;

/// Finds the exception rules that apply to these endpoints.
type Answerers = fn(&Inputs<'_>, &[Endpoint]) -> Vec<ExceptionRule>;

/// A framework: its record, and how its endpoints are found.
#[derive(Clone, Copy)]
pub struct Registration {
    /// How it handles requests.
    pub record: &'static Record,
    /// Finds its endpoints.
    pub routes: fn(&Inputs<'_>) -> Routes,
    /// Finds its exception rules; `None` if it has none, or if another registration of the same folder finds them.
    pub exceptions: Option<Answerers>,
}

/// All frameworks. If two find the same route for the same member, the earlier one wins.
pub static FRAMEWORKS: &[Registration] = &[
    Registration {
        record: &spring::records::MVC,
        routes: spring::routes::routes,
        exceptions: Some(spring::exceptions::rules),
    },
    Registration { record: &spring::records::ROUTER_FUNCTIONS, routes: spring::functional::routes, exceptions: None },
    Registration { record: &spring::records::DATA_REST, routes: spring::rest_repositories::routes, exceptions: None },
    // Before JAX-RS, which finds the same resources.
    Registration {
        record: &quarkus::record::RESOURCES,
        routes: quarkus::routes::routes,
        exceptions: Some(quarkus::exceptions::rules),
    },
    Registration { record: &quarkus::record::CLASSIC, routes: quarkus::routes::classic, exceptions: None },
    Registration { record: &quarkus::record::REST_DATA, routes: quarkus::rest_data::routes, exceptions: None },
    Registration {
        record: &quarkus::record::REACTIVE_ROUTES,
        routes: quarkus::reactive_routes::routes,
        exceptions: None,
    },
    Registration {
        record: &jax_rs::record::RESOURCES,
        routes: jax_rs::routes::routes,
        exceptions: Some(jax_rs::exceptions::rules),
    },
    Registration {
        record: &micronaut::record::CONTROLLERS,
        routes: micronaut::routes::routes,
        exceptions: Some(micronaut::exceptions::rules),
    },
    Registration {
        record: &jdk_http_server::record::CONTEXTS,
        routes: jdk_http_server::routes::routes,
        exceptions: None,
    },
    Registration {
        record: &openapi_driven::record::DISPATCHED,
        routes: openapi_driven::routes::routes,
        exceptions: None,
    },
    Registration {
        record: &spring::records::GENERATED_INTERFACES,
        routes: contract_first::routes::routes,
        exceptions: None,
    },
    Registration { record: &servlet::record::SERVLETS, routes: servlet::routes::routes, exceptions: None },
    Registration { record: &configured::record::PATTERNS, routes: configured::routes::routes, exceptions: None },
];

/// The parts of these frameworks that no source of the project shows.
pub fn brought(frameworks: &[Registration]) -> FrameworkFacts {
    let mut brought = FrameworkFacts::default();
    for Record { failures, beans, .. } in frameworks.iter().map(|one| one.record) {
        brought.add(failures.exceptions, beans.stereotypes);
    }
    brought
}

/// Produces the classes that the build generates, with warnings about those that are not followed.
type Make = fn(&Inputs<'_>) -> (Vec<GeneratedSource>, Vec<Warning>);

/// Generators of classes, in the order of a build: a later one sees the classes of an earlier one.
pub const MAKERS: [Make; 3] = [contract_first::made::made, quarkus::panache::made, mapstruct::made::made];

/// All endpoints of a revision that these frameworks find, by path and method, with warnings.
pub fn endpoints(inputs: &Inputs<'_>, frameworks: &[Registration]) -> (Vec<Endpoint>, Vec<Warning>) {
    let mut endpoints: Vec<Endpoint> = Vec::new();
    let mut warnings = Vec::new();
    let found: Vec<_> = frameworks.par_iter().map(|one| (one.routes)(inputs)).collect();
    for routes in found {
        for new in routes.endpoints {
            let known = |one: &Endpoint| {
                (one.method, &one.raw_path, one.entry, one.receiver)
                    == (new.method, &new.raw_path, new.entry, new.receiver)
            };
            if !endpoints.iter().any(known) {
                endpoints.push(new);
            }
        }
        warnings.extend(routes.warnings);
    }
    endpoints.sort_by(|a, b| {
        (&a.path, a.method, a.entry, a.receiver, &a.raw_path).cmp(&(
            &b.path,
            b.method,
            b.entry,
            b.receiver,
            &b.raw_path,
        ))
    });
    warnings.sort();
    warnings.dedup();
    (endpoints, warnings)
}

/// The exception rules of these frameworks.
pub fn exceptions(inputs: &Inputs<'_>, endpoints: &[Endpoint], frameworks: &[Registration]) -> Vec<ExceptionRule> {
    let find = frameworks.iter().filter_map(|one| one.exceptions);
    let mut rules: Vec<ExceptionRule> = find.flat_map(|rules| rules(inputs, endpoints)).collect();
    rules.retain(|rule| {
        let owner = rule.advice.or(rule.handler.map(|handler| handler.ty));
        // If two classes have the same name, keep only the rules of the one that runs.
        owner.is_none_or(|owner| inputs.project.seen_type(owner, inputs.project.fqn(owner)) == Some(owner))
    });
    for rule in &mut rules {
        let Some(owner) = rule.advice.or(rule.handler.map(|handler| handler.ty)) else { continue };
        let home = inputs.project.path_of(owner);
        let is_here = |endpoint: &&Endpoint| inputs.build.applications.run_together(home, &endpoint.file);
        if !endpoints.iter().all(|endpoint| is_here(&endpoint)) {
            rule.scope.files = Some(endpoints.iter().filter(is_here).map(|endpoint| endpoint.file.clone()).collect());
        }
    }
    rules
}
