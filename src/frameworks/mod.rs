//! What each framework adds to the language: routes and their binding, what surrounds a handler, which bean is injected where.
//!
//! A framework is one folder with one line in `FRAMEWORKS`.

pub mod advice;
pub mod annotations;
pub mod applications;
pub mod build;
pub mod configured;
pub mod constraints;
pub mod context;
pub mod contract_first;
pub mod endpoint;
pub mod expressions;
pub mod inheritance;
pub mod jax_rs;
pub mod jdk_http_server;
pub mod launch;
pub mod mapstruct;
pub mod modules;
pub mod openapi_driven;
pub mod paths;
pub mod persistence;
pub mod properties;
pub mod provided;
pub mod remarks;
pub mod resources;
pub mod routing;
pub mod seeds;
pub mod servlet;
pub mod spring;
pub mod sql;
pub mod stereotypes;
pub mod versions;
pub mod xml;

pub use build::Build;
pub use endpoint::{BoundParam, Endpoint, Framework, Location, Returns, UNKNOWN_MEDIA};
pub use properties::Properties;
pub use resources::Resources;
pub use routing::{EntryPattern, Inputs, Routes};

use rayon::prelude::*;

use crate::java::made::Made;
use crate::types::Warning;

/// How a framework finds its endpoints.
type FindRoutes = fn(&Inputs<'_>) -> Routes;

/// Every framework. Where two find the same route of the same member, the earlier one counts.
const FRAMEWORKS: [FindRoutes; 9] = [
    spring::routes::routes,
    spring::functional::routes,
    spring::rest_repositories::routes,
    jax_rs::routes::routes,
    jdk_http_server::routes::routes,
    openapi_driven::routes::routes,
    contract_first::routes::routes,
    servlet::routes::routes,
    configured::routes::routes,
];

/// How classes are found that the build makes, and what of them is not followed.
type Make = fn(&Inputs<'_>) -> (Vec<Made>, Vec<Warning>);

/// What makes classes, in the order of a build: the later sees what the earlier made.
pub const MAKERS: [Make; 2] = [contract_first::made::made, mapstruct::made::made];

/// All endpoints of a revision, by path and method, and what could not be read.
pub fn endpoints(inputs: &Inputs<'_>) -> (Vec<Endpoint>, Vec<Warning>) {
    let mut endpoints: Vec<Endpoint> = Vec::new();
    let mut warnings = Vec::new();
    let found: Vec<_> = FRAMEWORKS.par_iter().map(|find| find(inputs)).collect();
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

/// Who answers which exception, by all frameworks.
pub fn exceptions(inputs: &Inputs<'_>, endpoints: &[Endpoint]) -> Vec<advice::ExceptionRule> {
    let mut rules = spring::exceptions::rules(inputs, endpoints);
    rules.extend(jax_rs::exceptions::rules(inputs));
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
