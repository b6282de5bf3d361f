//! Parameter binding of Micronaut's controller methods (Micronaut reference, "Simple Request Binding" and "Binding from
//! the Body").

use crate::code::annotations::{of_parameter, on_parameter};
use crate::code::constraints;
use crate::code::inheritance::Implemented;
use crate::code::remarks::has_other_than_remarks;
use crate::endpoint::{BoundParam, Location};
use crate::routing::Inputs;
use mastor_java::ir::facts::Param;
use mastor_java::ir::ids::MemberId;
use mastor_types::Method;

/// Binding annotations, with the source of the value.
const BINDINGS: [(&str, Location); 9] = [
    ("io.micronaut.http.annotation.PathVariable", Location::Path),
    ("io.micronaut.http.annotation.QueryValue", Location::Query),
    ("io.micronaut.http.annotation.Header", Location::Header),
    ("io.micronaut.http.annotation.CookieValue", Location::Cookie),
    ("io.micronaut.http.annotation.Body", Location::Body),
    ("io.micronaut.http.annotation.Part", Location::Part),
    ("io.micronaut.http.annotation.RequestBean", Location::Resolved),
    ("io.micronaut.http.annotation.RequestAttribute", Location::Resolved),
    ("io.micronaut.session.annotation.SessionValue", Location::Resolved),
];

/// Types of parameters that the framework supplies.
const SUPPLIED: [&str; 14] = [
    "HttpRequest",
    "HttpHeaders",
    "HttpParameters",
    "HttpMethod",
    "Cookies",
    "Cookie",
    "Session",
    "Principal",
    "Authentication",
    "Locale",
    "TimeZone",
    "ServerRequestContext",
    "BasicAuth",
    "Argument",
];

/// Types that the framework fills from several parameters.
const FILLED: [&str; 3] = ["Pageable", "Sort", "CursoredPageable"];

/// The bindings of a method's parameters. `path` and `query` are the names in the URI template.
pub fn params(
    inputs: &Inputs<'_>,
    method: &Implemented,
    verb: Method,
    (path, query): (&[String], &[String]),
) -> Vec<BoundParam> {
    let facts = inputs.project.member(method.entry);
    let takes_body = matches!(verb, Method::Post | Method::Put | Method::Patch);
    let bound = facts.params.iter().enumerate();
    let mut all: Vec<BoundParam> = bound.map(|(index, param)| bind(inputs, method, index, param)).collect();
    for param in &mut all {
        // A parameter without a binding annotation is looked up by its name.
        let is_open = param.location == Location::Body && !is_said(param);
        if is_open && path.contains(&param.name) {
            param.location = Location::Path;
        } else if is_open && (query.contains(&param.name) || !takes_body) {
            param.location = Location::Query;
        } else if is_open {
            // The body's property of this name.
            param.location = Location::Resolved;
        }
    }
    all
}

/// Whether an annotation binds the parameter to the body.
fn is_said(param: &BoundParam) -> bool {
    param.constraints.iter().any(|one| one.simple() == "Body")
}

fn bind(inputs: &Inputs<'_>, method: &Implemented, index: usize, param: &Param) -> BoundParam {
    let project = inputs.project;
    let optional = param.ty.simple() == "Optional";
    let ty = if optional { param.ty.args.first().cloned().unwrap_or_default() } else { param.ty.clone() };
    let annotations = of_parameter(project, &method.declarations, index);
    let nullable = annotations.iter().any(|annotation| annotation.simple() == "Nullable");
    let mut bound = BoundParam {
        name: param.name.clone(),
        location: Location::Body,
        ty: ty.clone(),
        required: !optional && !nullable,
        default: None,
        index,
        validated: constraints::is_validated(&annotations),
        constraints: annotations,
    };
    if let Some((location, found)) = on_parameter(project, &method.declarations, index, &BINDINGS) {
        bound.location = location;
        // The name in `@Body` is the name of a property of the body.
        let said = found.string(project, &["value", "name"]);
        if location == Location::Body {
            if said.is_some() {
                bound.location = Location::Resolved;
            }
        } else if let Some(name) = said {
            bound.name =
                inputs.properties.expand(project.path_of(method.entry.ty), &name).map_or(name, |(name, _)| name);
        } else if location == Location::Header {
            bound.name = hyphenated(&param.name);
        }
        bound.default = found.string(project, &["defaultValue"]);
        bound.required &= bound.default.is_none();
        return bound;
    }
    let is_odd = |declared: &MemberId| has_other_than_remarks(project, *declared, index);
    if SUPPLIED.contains(&ty.simple()) {
        bound.location = Location::Context;
        bound.required = false;
    } else if FILLED.contains(&ty.simple()) || method.declarations.iter().any(is_odd) {
        bound.location = Location::Resolved;
        bound.required = false;
    }
    bound
}

/// `contentType` as the name of a header: `Content-Type`.
fn hyphenated(name: &str) -> String {
    let mut out = String::new();
    for (at, c) in name.chars().enumerate() {
        if at == 0 {
            out.extend(c.to_uppercase());
        } else if c.is_uppercase() {
            out.push('-');
            out.push(c);
        } else {
            out.push(c);
        }
    }
    out
}
