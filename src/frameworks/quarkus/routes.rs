//! Routes of resources that Quarkus serves: those of JAX-RS, with what Quarkus REST adds to parameters and statuses.

use super::binding::rebind;
use super::names::RESPONSE_STATUS;
use super::record::{CLASSIC, RESOURCES};
use super::serves::{serves, serves_by_classic};
use crate::code::annotations::find;
use crate::code::inheritance::Implemented;
use crate::endpoint::Endpoint;
use crate::jax_rs;
use crate::routing::{Inputs, Routes};
use mastor_java::ir::constant::Constant;
use mastor_java::ir::ids::MemberId;

const DIALECT: jax_rs::routes::Dialect = jax_rs::routes::Dialect { record: &RESOURCES, extend };

const BY_CLASSIC: jax_rs::routes::Dialect = jax_rs::routes::Dialect { record: &CLASSIC, extend: |_, _, _, _| {} };

/// All endpoints of resources that RESTEasy Classic serves.
pub fn classic(inputs: &Inputs<'_>) -> Routes {
    jax_rs::routes::resources(inputs, &BY_CLASSIC, &|ty| serves_by_classic(inputs, ty))
}

/// All endpoints of resources that Quarkus REST serves.
pub fn routes(inputs: &Inputs<'_>) -> Routes {
    jax_rs::routes::resources(inputs, &DIALECT, &|ty| serves(inputs, ty))
}

fn extend(inputs: &Inputs<'_>, method: &Implemented, declared: MemberId, endpoint: &mut Endpoint) {
    rebind(inputs, method, endpoint);
    endpoint.success_status = status(inputs, declared);
}

/// The status that `@ResponseStatus` sets where a method completes (Quarkus REST, "Setting other response properties").
fn status(inputs: &Inputs<'_>, declared: MemberId) -> Option<u16> {
    let project = inputs.project;
    let found = find(project, declared.ty, &project.member(declared).annotations, &[RESPONSE_STATUS])?;
    let (value, scope) = found.args.get("value")?;
    match project.eval(*scope, value).value {
        Constant::Int(code) => u16::try_from(code).ok(),
        _ => None,
    }
}
