//! The values that JAX-RS binds to the parameters of a resource method.

use super::names::{DEFAULT_VALUE, both};
use crate::code::annotations::{find, means_any};
use crate::code::constraints;
use crate::code::inheritance::Implemented;
use crate::code::remarks::is_remark;
use crate::endpoint::{BoundParam, Location};
use crate::routing::Inputs;
use mastor_java::ir::facts::{Annotation, Param, TypeRef};
use mastor_java::ir::ids::{MemberId, TypeId};

/// Binding annotations, with the source of the value.
const BINDINGS: [(&str, Location); 8] = [
    ("PathParam", Location::Path),
    ("QueryParam", Location::Query),
    ("MatrixParam", Location::Matrix),
    ("HeaderParam", Location::Header),
    ("CookieParam", Location::Cookie),
    ("FormParam", Location::Form),
    ("BeanParam", Location::Model),
    ("FormDataParam", Location::Part),
];

/// Annotations that inject an object of the runtime.
const INJECTED: [&str; 6] = ["Context", "Suspended", "Auth", "Inject", "ReqHeader", "SecurityContext"];

/// The bindings of a method's parameters, from the annotations of the declaration `declared`.
pub fn params(inputs: &Inputs<'_>, method: &Implemented, declared: MemberId, receiver: TypeId) -> Vec<BoundParam> {
    let own = inputs.project.member(method.entry);
    let annotated = inputs.project.member(declared);
    own.params
        .iter()
        .enumerate()
        .map(|(index, param)| {
            let annotations = annotated.params.get(index).map_or(&param.annotations, |param| &param.annotations);
            bind(inputs, declared.ty, index, param, annotations, receiver)
        })
        .collect()
}

fn bind(
    inputs: &Inputs<'_>,
    scope: TypeId,
    index: usize,
    param: &Param,
    annotations: &[Annotation],
    receiver: TypeId,
) -> BoundParam {
    let project = inputs.project;
    let mut constraints: Vec<Annotation> = param.annotations.clone();
    for annotation in annotations {
        if !constraints.contains(annotation) {
            constraints.push(annotation.clone());
        }
    }
    let validated = constraints::is_validated(&constraints);
    let mut bound = BoundParam {
        name: param.name.clone(),
        location: Location::Body,
        ty: substituted(inputs, scope, &param.ty, receiver),
        required: false,
        default: None,
        index,
        constraints,
        validated,
    };
    if annotations.iter().any(|annotation| INJECTED.contains(&annotation.simple())) {
        bound.location = Location::Context;
        return bound;
    }
    let binding = annotations.iter().find_map(|annotation| {
        let (simple, location) = BINDINGS.iter().find(|(simple, _)| *simple == annotation.simple())?;
        let known = [both(simple).to_vec(), vec![format!("org.glassfish.jersey.media.multipart.{simple}")]].concat();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        means_any(project, scope, &annotation.name, &known)?;
        Some((annotation, *location))
    });
    let Some((annotation, location)) = binding else {
        // `@Encoded` and `@DefaultValue` do not say where a value comes from.
        let says = |one: &Annotation| {
            !matches!(one.simple(), "Encoded" | "DefaultValue") && !is_remark(project, scope, &one.name)
        };
        if annotations.iter().any(says) {
            bound.location = Location::Resolved;
        }
        return bound;
    };
    bound.location = location;
    bound.required = location == Location::Path;
    let found = find(project, scope, std::slice::from_ref(annotation), &[]).or_else(|| {
        let known = both(annotation.simple());
        find(project, scope, std::slice::from_ref(annotation), &[&known[0], &known[1]])
    });
    if let Some(name) = found.and_then(|found| found.string(project, &["value"])) {
        bound.name = name;
    }
    bound.default =
        find(project, scope, annotations, &DEFAULT_VALUE).and_then(|found| found.string(project, &["value"]));
    bound
}

/// Replaces a type variable of a generic base resource by the type argument of the concrete resource.
fn substituted(inputs: &Inputs<'_>, declared: TypeId, ty: &TypeRef, receiver: TypeId) -> TypeRef {
    let project = inputs.project;
    let Some(at) = project.ty(declared).type_params.iter().position(|variable| variable.name == ty.name) else {
        return ty.clone();
    };
    let mut below = receiver;
    for _ in 0..16 {
        let Some(found) = project.supers(below).iter().find(|above| {
            matches!(above.named, mastor_java::ir::named::Named::Project(id) if id == declared || project.all_supers(id).contains(&declared))
        }) else {
            return ty.clone();
        };
        let mastor_java::ir::named::Named::Project(id) = found.named else { return ty.clone() };
        if id == declared {
            return found.args.get(at).cloned().unwrap_or_else(|| ty.clone());
        }
        below = id;
    }
    ty.clone()
}
