//! The values that Quarkus REST binds to the parameters of a resource method beyond JAX-RS (Quarkus REST, "Accessing
//! request parameters").

use super::names::CONTEXT;
use crate::code::annotations::on_parameter;
use crate::code::inheritance::Implemented;
use crate::endpoint::{BoundParam, Endpoint, Location};
use crate::paths;
use crate::routing::Inputs;
use mastor_java::ir::ids::MemberId;

/// Binding annotations, with the source of the value.
const BINDINGS: [(&str, Location); 6] = [
    ("org.jboss.resteasy.reactive.RestPath", Location::Path),
    ("org.jboss.resteasy.reactive.RestQuery", Location::Query),
    ("org.jboss.resteasy.reactive.RestHeader", Location::Header),
    ("org.jboss.resteasy.reactive.RestCookie", Location::Cookie),
    ("org.jboss.resteasy.reactive.RestForm", Location::Form),
    ("org.jboss.resteasy.reactive.RestMatrix", Location::Matrix),
];

/// Types of the parts of a multipart body.
const FILES: [&str; 3] = ["FileUpload", "File", "FilePart"];

/// Rebinds the parameters that JAX-RS has no rule for.
pub fn rebind(inputs: &Inputs<'_>, method: &Implemented, endpoint: &mut Endpoint) {
    let (_, variables) = paths::template(&endpoint.raw_path);
    let is_multipart = endpoint.consumes.iter().any(|kind| kind.to_lowercase().contains("multipart"));
    for param in &mut endpoint.params {
        if let Some((location, found)) = on_parameter(inputs.project, &method.declarations, param.index, &BINDINGS) {
            param.location = match location {
                Location::Form if is_multipart || FILES.contains(&param.ty.simple()) => Location::Part,
                location => location,
            };
            param.required = location == Location::Path;
            param.name = match found.string(inputs.project, &["value"]).filter(|name| !name.is_empty()) {
                Some(name) => name,
                None if location == Location::Header => hyphenated(&name_of(inputs, method.entry, param)),
                None => name_of(inputs, method.entry, param),
            };
        } else if param.location == Location::Body {
            // A parameter with the name of a path variable is one.
            if variables.iter().any(|variable| variable.name == param.name) {
                param.location = Location::Path;
                param.required = true;
            } else if CONTEXT.contains(&param.ty.simple()) {
                param.location = Location::Context;
            }
        }
    }
}

/// The name of a parameter in the class that is compiled.
fn name_of(inputs: &Inputs<'_>, entry: MemberId, param: &BoundParam) -> String {
    let own = inputs.project.member(entry).params.get(param.index);
    own.map_or_else(|| param.name.clone(), |own| own.name.clone())
}

/// `contentType` as the name of a header: `Content-Type`.
fn hyphenated(name: &str) -> String {
    let mut out = String::new();
    for (at, c) in name.chars().enumerate() {
        if at > 0 && c.is_uppercase() {
            out.push('-');
        }
        match at {
            0 => out.extend(c.to_uppercase()),
            _ => out.push(c),
        }
    }
    out
}
