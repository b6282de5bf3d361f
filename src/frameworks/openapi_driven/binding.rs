//! Parameters of methods to which a document dispatches.

use super::names::camel;
use crate::frameworks::endpoint::{BoundParam, Location};
use crate::frameworks::routing::Inputs;
use crate::java::ir::ids::MemberId;
use crate::openapi::{In, Operation};

/// Binds the parameters of a method to those of the document: by name, else by position; the rest are the body or
/// objects of the framework.
pub fn bound_by_document(inputs: &Inputs<'_>, operation: &Operation, member: MemberId) -> Vec<BoundParam> {
    let facts = inputs.project.member(member);
    facts
        .params
        .iter()
        .enumerate()
        .map(|(index, param)| {
            let fits = operation
                .parameters
                .iter()
                .find(|known| camel(&known.name, false) == camel(&param.name, false) && known.location != In::Body);
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
