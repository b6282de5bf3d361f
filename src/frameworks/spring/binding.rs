//! How Spring MVC binds the parameters of a handler method.

use crate::code::annotations::{of_parameter, on_parameter};
use crate::code::constraints;
use crate::code::inheritance::Implemented;
use crate::code::remarks::has_other_than_remarks;
use crate::code::simple_types::is_simple;
use crate::endpoint::{BoundParam, Location};
use crate::routing::Inputs;
use mastor_java::ir::facts::{Annotation, Param, TypeRef};
use mastor_java::ir::ids::TypeId;

/// Binding annotations, with the source of the value.
const BINDINGS: [(&str, Location); 12] = [
    ("org.springframework.web.bind.annotation.PathVariable", Location::Path),
    ("org.springframework.web.bind.annotation.RequestParam", Location::Query),
    ("org.springframework.web.bind.annotation.RequestHeader", Location::Header),
    ("org.springframework.web.bind.annotation.CookieValue", Location::Cookie),
    ("org.springframework.web.bind.annotation.RequestBody", Location::Body),
    ("org.springframework.web.bind.annotation.RequestPart", Location::Part),
    ("org.springframework.web.bind.annotation.MatrixVariable", Location::Matrix),
    ("org.springframework.web.bind.annotation.ModelAttribute", Location::Model),
    ("org.springdoc.core.annotations.ParameterObject", Location::Model),
    // A missing attribute is rejected.
    ("org.springframework.web.bind.annotation.RequestAttribute", Location::Resolved),
    ("org.springframework.web.bind.annotation.SessionAttribute", Location::Resolved),
    ("org.springframework.security.core.annotation.AuthenticationPrincipal", Location::Context),
];

/// The value of `RequestParam.defaultValue` if it is not set.
const NO_DEFAULT: &str = "\n\t\t\n\t\t\n\u{e000}\u{e001}\u{e002}\n\t\t\t\t\n";

/// Types of parameters that the framework supplies.
const SUPPLIED: [&str; 34] = [
    "HttpServletRequest",
    "HttpServletResponse",
    "ServletRequest",
    "ServletResponse",
    "WebRequest",
    "NativeWebRequest",
    "HttpSession",
    "Principal",
    "Authentication",
    "Locale",
    "TimeZone",
    "ZoneId",
    "Model",
    "ModelMap",
    "BindingResult",
    "Errors",
    "RedirectAttributes",
    "SessionStatus",
    "UriComponentsBuilder",
    "ServletUriComponentsBuilder",
    "InputStream",
    "OutputStream",
    "Reader",
    "Writer",
    "ServerHttpRequest",
    "ServerHttpResponse",
    "ServerWebExchange",
    "HttpMethod",
    "MultipartHttpServletRequest",
    "PagedResourcesAssembler",
    "PersistentEntityResourceAssembler",
    "HttpServerRequest",
    "WebSession",
    "PushBuilder",
];

/// The bindings of a method's parameters; parameters without annotations use those of overridden declarations.
pub fn params(inputs: &Inputs<'_>, method: &Implemented) -> Vec<BoundParam> {
    let facts = inputs.project.member(method.entry);
    facts.params.iter().enumerate().map(|(index, param)| bind(inputs, method, index, param)).collect()
}

fn bind(inputs: &Inputs<'_>, method: &Implemented, index: usize, param: &Param) -> BoundParam {
    let project = inputs.project;
    let scope = method.entry.ty;
    let optional = param.ty.simple() == "Optional";
    let ty = if optional { param.ty.args.first().cloned().unwrap_or_default() } else { param.ty.clone() };
    let mut bound = BoundParam {
        name: param.name.clone(),
        location: Location::Context,
        ty: ty.clone(),
        required: false,
        default: None,
        index,
        constraints: of_parameter(project, &method.declarations, index),
        validated: false,
    };
    bound.validated = constraints::is_validated(&bound.constraints);
    let Some((location, found)) = on_parameter(project, &method.declarations, index, &BINDINGS) else {
        if method.declarations.iter().any(|declared| has_other_than_remarks(project, *declared, index)) {
            bound.location = Location::Resolved;
            return bound;
        }
        bound.location = unannotated(inputs, scope, &ty);
        if bound.location == Location::Query && bound.ty.simple() == "MultipartFile" {
            bound.location = Location::Part;
        }
        return bound;
    };
    bound.location = location;
    if let Some(name) = found.string(project, &["name", "value"])
        && !matches!(location, Location::Body | Location::Model | Location::Context)
    {
        bound.name = inputs.properties.expand(project.path_of(scope), &name).map_or(name, |(name, _)| name);
    }
    bound.default = found
        .string(project, &["defaultValue"])
        .filter(|default| default != NO_DEFAULT && !default.contains('\u{e000}'));
    let said = found.flag(project, "required").unwrap_or(true);
    // A map of all parameters; a body may be a map as well.
    let whole = location != Location::Body
        && matches!(ty.simple(), "Map" | "MultiValueMap" | "HttpHeaders")
        && !found.args.contains_key("value")
        && !found.args.contains_key("name");
    match location {
        Location::Path => {
            bound.required = said && !optional;
        }
        Location::Query | Location::Header | Location::Cookie | Location::Matrix | Location::Part | Location::Body => {
            bound.required = said && !optional && bound.default.is_none() && !whole;
        }
        _ => {}
    }
    if location == Location::Query && matches!(ty.simple(), "MultipartFile" | "FilePart") {
        bound.location = Location::Part;
    }
    if whole {
        bound.location = Location::Context;
    }
    bound
}

/// Whether the framework binds a parameter before it uses any resolver that a project adds
/// (`RequestMappingHandlerAdapter`): by its own annotation, or by the type.
pub fn is_settled(param: &BoundParam) -> bool {
    const LATE: [&str; 3] = ["ParameterObject", "AuthenticationPrincipal", "PagedResourcesAssembler"];
    let binds = |annotation: &Annotation| {
        let simple = annotation.simple();
        !LATE.contains(&simple) && BINDINGS.iter().any(|(fqn, _)| fqn.rsplit('.').next() == Some(simple))
    };
    let ty = param.ty.simple();
    let is_early = !LATE.contains(&ty) && SUPPLIED.contains(&ty);
    param.constraints.iter().any(binds) || is_early || matches!(ty, "HttpEntity" | "RequestEntity")
}

/// The source of a parameter without annotations: the framework, the query for simple types, else a model object.
fn unannotated(inputs: &Inputs<'_>, scope: TypeId, ty: &TypeRef) -> Location {
    if SUPPLIED.contains(&ty.simple()) || matches!(ty.simple(), "HttpEntity" | "RequestEntity") {
        return if matches!(ty.simple(), "HttpEntity" | "RequestEntity") { Location::Body } else { Location::Context };
    }
    if ty.dims == 0 && matches!(ty.simple(), "Map") {
        return Location::Context;
    }
    if matches!(ty.simple(), "Pageable" | "Sort") {
        return Location::Model;
    }
    if is_simple(inputs.project, scope, ty) { Location::Query } else { Location::Model }
}
