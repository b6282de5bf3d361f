//! Parameters of methods to which a document dispatches.

use super::names::camel;
use crate::code::simple_types::is_simple;
use crate::endpoint::{BoundParam, Location};
use crate::routing::Inputs;
use mastor_java::ir::facts::Param;
use mastor_java::ir::ids::MemberId;
use mastor_openapi::{In, Operation, Parameter};

/// Binds the parameters of a method to those of the document: by name, else by position among those that no name binds
/// (generators put required ones first); the rest are the body or objects of the framework.
pub fn bound_by_document(inputs: &Inputs<'_>, operation: &Operation, member: MemberId) -> Vec<BoundParam> {
    let facts = inputs.project.member(member);
    let is_named = |known: &Parameter, param: &Param| camel(&known.name, false) == camel(&param.name, false);
    let beside_body = || operation.parameters.iter().filter(|known| known.location != In::Body);
    let by_name = |param: &Param| beside_body().find(|known| is_named(known, param));
    let mut left: Vec<&Parameter> =
        beside_body().filter(|known| !facts.params.iter().any(|param| is_named(known, param))).collect();
    left.sort_by_key(|known| !known.required);
    let mut left = left.into_iter();
    facts
        .params
        .iter()
        .enumerate()
        .map(|(index, param)| {
            let may_be_left = is_simple(inputs.project, member.ty, &param.ty);
            let fits = by_name(param).or_else(|| may_be_left.then(|| left.next()).flatten());
            let supplied = matches!(
                param.ty.simple(),
                "RequestContext" | "HttpServletRequest" | "ServerWebExchange" | "SecurityContext" | "Principal"
            );
            let location = match fits.map(|known| known.location) {
                Some(In::Path) => Location::Path,
                Some(In::Query) => Location::Query,
                Some(In::Header) => Location::Header,
                Some(In::Cookie) => Location::Cookie,
                Some(In::FormData) => Location::Form,
                _ if supplied => Location::Context,
                _ if param.ty.simple() == "Pageable" => Location::Model,
                _ => Location::Body,
            };
            let required = fits.map_or(
                operation.request_body.as_ref().is_some_and(|body| body.required) && location == Location::Body,
                |known| known.required,
            );
            BoundParam {
                name: fits.map_or_else(|| param.name.clone(), |known| known.name.clone()),
                location,
                ty: param.ty.clone(),
                required,
                default: None,
                index,
                constraints: param.annotations.clone(),
                validated: false,
            }
        })
        .collect()
}
