//! Routes of annotated controllers: the mappings of class and method, found as Spring finds them.

use super::names::{BEAN, CONTROLLERS, MAPPINGS, REQUEST_MAPPING, RESPONSE_BODY, RESPONSE_STATUS};
use super::prefix::Prefixes;
use super::records::MVC;
use crate::code::annotations::{MatchedAnnotation, find, has};
use crate::code::inheritance::{Implemented, is_concrete, lineage, methods};
use crate::code::stereotypes::is_component;
use crate::endpoint::{Endpoint, Returns, UNKNOWN_MEDIA};
use crate::paths;
use crate::record::Framework;
use crate::routing::{Inputs, Routes};
use mastor_java::ir::facts::MemberKind;
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::named::Named;
use mastor_types::status;
use mastor_types::{Method, Warning};

/// The methods of a mapping that names none.
pub const ANY: [Method; 7] =
    [Method::Get, Method::Head, Method::Post, Method::Put, Method::Patch, Method::Delete, Method::Options];

/// All endpoints of annotated controllers.
pub fn routes(inputs: &Inputs<'_>) -> Routes {
    let mut routes = Routes::default();
    let made = made_by_factories(inputs);
    let prefixes = Prefixes::read(inputs);
    for ty in inputs.project.types() {
        if is_controller(inputs, ty, &made) {
            controller(inputs, ty, &prefixes, &mut routes);
        }
    }
    routes
}

/// Types that `@Bean` methods return.
fn made_by_factories(inputs: &Inputs<'_>) -> Vec<TypeId> {
    let project = inputs.project;
    let mut made = Vec::new();
    for ty in project.types() {
        for member in project.members(ty) {
            let facts = project.member(member);
            if facts.kind == MemberKind::Method
                && facts.annotations.iter().any(|annotation| annotation.simple() == "Bean")
                && has(project, ty, &facts.annotations, &[BEAN])
                && let Some(Named::Project(id)) = facts.ty.as_ref().map(|returned| project.resolve(ty, &returned.name))
            {
                made.push(id);
            }
        }
    }
    made
}

/// Whether Spring treats a type as a handler: a bean with a controller annotation or a mapping (before version 6), on
/// itself or a supertype.
pub fn is_controller(inputs: &Inputs<'_>, ty: TypeId, made: &[TypeId]) -> bool {
    let project = inputs.project;
    if !is_concrete(project, ty) {
        return false;
    }
    let own = &project.ty(ty).annotations;
    if own.is_empty() && !made.contains(&ty) {
        return false;
    }
    let bean = made.contains(&ty) || is_component(project, ty) || has(project, ty, own, &CONTROLLERS);
    bean && lineage(project, ty).into_iter().any(|above| {
        let annotations = &project.ty(above).annotations;
        has(project, above, annotations, &CONTROLLERS) || has(project, above, annotations, &[REQUEST_MAPPING])
    })
}

/// A parsed mapping.
struct Mapping {
    paths: Vec<String>,
    methods: Vec<Method>,
    consumes: Vec<String>,
    produces: Vec<String>,
    rests_on: Vec<MemberId>,
    files: Vec<String>,
    written: String,
}

fn controller(inputs: &Inputs<'_>, ty: TypeId, prefixes: &Prefixes, routes: &mut Routes) {
    let project = inputs.project;
    let class_level = lineage(project, ty).into_iter().find_map(|above| {
        let found = find(project, above, &project.ty(above).annotations, &[REQUEST_MAPPING])?;
        Some((above, found))
    });
    let class_mapping = class_level.map(|(above, found)| read(inputs, above, &found, routes));
    for method in methods(project, ty) {
        let Some((declared, found)) = method_mapping(inputs, &method) else { continue };
        let own = read(inputs, declared.ty, &found, routes);
        let class_paths = class_mapping.as_ref().map_or(&[][..], |mapping| &mapping.paths);
        let verbs: Vec<Method> = match (own.methods.is_empty(), &class_mapping) {
            (false, _) => own.methods.clone(),
            (true, Some(mapping)) if !mapping.methods.is_empty() => mapping.methods.clone(),
            _ => Vec::new(),
        };
        let empty = [String::new()];
        let class_paths = if class_paths.is_empty() { &empty[..] } else { class_paths };
        let own_paths = if own.paths.is_empty() { &empty[..] } else { &own.paths };
        for class_path in class_paths {
            for own_path in own_paths {
                let raw = prefixes.apply(inputs, ty, &paths::join(class_path, own_path));
                let verbs = if verbs.is_empty() { &ANY[..] } else { &verbs };
                for verb in verbs {
                    let any = own.methods.is_empty()
                        && class_mapping.as_ref().is_none_or(|mapping| mapping.methods.is_empty());
                    routes.endpoints.push(endpoint(
                        inputs,
                        ty,
                        &method,
                        declared,
                        &raw,
                        *verb,
                        any,
                        &own,
                        class_mapping.as_ref(),
                    ));
                }
            }
        }
    }
}

/// The mapping on a method, or on the nearest declaration that it implements.
fn method_mapping(inputs: &Inputs<'_>, method: &Implemented) -> Option<(MemberId, MatchedAnnotation)> {
    let fqns: Vec<&str> = MAPPINGS.iter().map(|(fqn, _)| *fqn).collect();
    method.declarations.iter().find_map(|declared| {
        let annotations = &inputs.project.member(*declared).annotations;
        find(inputs.project, declared.ty, annotations, &fqns).map(|found| (*declared, found))
    })
}

fn read(inputs: &Inputs<'_>, scope: TypeId, found: &MatchedAnnotation, routes: &mut Routes) -> Mapping {
    let project = inputs.project;
    let mut rests_on = found.members.clone();
    let mut strings = |names: &[&str], warnings: &mut Vec<Warning>| match found.strings(project, names) {
        Ok((strings, used)) => {
            rests_on.extend(used);
            Some(strings)
        }
        Err(why) => {
            let message = format!("an argument of @{} has no value that can be known: {why}", found.written);
            warnings.push(inputs.warn("path-not-constant", message, scope, found.span.line));
            None
        }
    };
    let written_paths = strings(&["path", "value", "url"], &mut routes.warnings).unwrap_or_default();
    let consumes = strings(&["consumes", "contentType"], &mut routes.warnings);
    let consumes = consumes.unwrap_or_else(|| vec![UNKNOWN_MEDIA.to_owned()]);
    let produces = strings(&["produces", "accept"], &mut routes.warnings).unwrap_or_default();
    let (paths, files) = inputs.filled(written_paths, (scope, found.span.line), &mut routes.warnings);
    let preset = MAPPINGS.iter().find(|(fqn, _)| *fqn == found.fqn).and_then(|(_, method)| *method);
    let methods = match preset {
        Some(method) => vec![method],
        None => found.names("method").iter().filter_map(|name| Method::parse(name)).collect(),
    };
    Mapping { paths, methods, consumes, produces, rests_on, files, written: found.written.clone() }
}

#[expect(clippy::too_many_arguments, reason = "what one mapping makes is decided by all of these")]
fn endpoint(
    inputs: &Inputs<'_>,
    ty: TypeId,
    method: &Implemented,
    declared: MemberId,
    raw: &str,
    verb: Method,
    any: bool,
    own: &Mapping,
    class: Option<&Mapping>,
) -> Endpoint {
    let project = inputs.project;
    let (path, _) = paths::template(raw);
    let (file, line) = inputs.place(method.entry);
    let mut rests_on = own.rests_on.clone();
    let mut files = own.files.clone();
    if let Some(class) = class {
        rests_on.extend(&class.rests_on);
        files.extend(class.files.iter().cloned());
    }
    rests_on.extend(method.declarations.iter().filter(|member| **member != method.entry));
    rests_on.sort_unstable();
    rests_on.dedup();
    let mut how = format!("@{}", own.written);
    if declared != method.entry {
        how += &format!(" on {}", project.symbol(declared));
    }
    if let Some(class) = class {
        how += &format!(" below @{} of the class", class.written);
    }
    let pick = |own: &[String], class: Option<&Vec<String>>| {
        if own.is_empty() { class.cloned().unwrap_or_default() } else { own.to_vec() }
    };
    let (context_path, context_files) = super::prefix::context_path(inputs, project.path_of(method.entry.ty));
    files.extend(context_files);
    Endpoint {
        method: verb,
        path,
        raw_path: raw.to_owned(),
        context_path,
        entry: method.entry,
        receiver: ty,
        framework: Framework(&MVC),
        how,
        rests_on,
        rests_on_files: files,
        file,
        line,
        consumes: pick(&own.consumes, class.map(|class| &class.consumes)),
        produces: pick(&own.produces, class.map(|class| &class.produces)),
        params: super::binding::params(inputs, method),
        returns: returns(inputs, ty, method),
        success_status: success_status(inputs, method),
        any_method: any,
        lambda: None,
        made_from: made_from(inputs, declared, verb, own),
    }
}

/// The document's operation from which the build generated a mapping.
fn made_from(inputs: &Inputs<'_>, declared: MemberId, verb: Method, own: &Mapping) -> Option<String> {
    let origin = inputs.project.origin(declared.ty)?;
    let document = inputs.document.filter(|document| document.files().any(|(file, _)| file == origin.file))?;
    let path = own.paths.first()?;
    document.operation(&format!("{} {path}", verb.as_str())).map(|operation| operation.op_id.clone())
}

fn returns(inputs: &Inputs<'_>, ty: TypeId, method: &Implemented) -> Returns {
    let project = inputs.project;
    let facts = project.member(method.entry);
    let Some(mut returned) = facts.ty.as_ref() else { return Returns::Value };
    // Reactive and asynchronous wrappers are unwrapped.
    while matches!(
        returned.simple(),
        "Mono"
            | "CompletableFuture"
            | "CompletionStage"
            | "DeferredResult"
            | "Callable"
            | "WebAsyncTask"
            | "Future"
            | "ListenableFuture"
    ) {
        match returned.args.first() {
            Some(inner) => returned = inner,
            None => return Returns::Value,
        }
    }
    match returned.simple() {
        "void" | "Void" => return Returns::Nothing,
        "ResponseEntity" | "HttpEntity" | "ServerResponse" => return Returns::Response,
        "ModelAndView" | "View" | "RedirectView" => return Returns::View,
        _ => {}
    }
    let body = ["org.springframework.web.bind.annotation.RestController", RESPONSE_BODY];
    let on_type =
        lineage(project, ty).into_iter().any(|above| has(project, above, &project.ty(above).annotations, &body));
    let on_method = method
        .declarations
        .iter()
        .any(|declared| has(project, declared.ty, &project.member(*declared).annotations, &body));
    if !on_type && !on_method && matches!(returned.simple(), "String" | "Model" | "Map") {
        Returns::View
    } else {
        Returns::Value
    }
}

fn success_status(inputs: &Inputs<'_>, method: &Implemented) -> Option<u16> {
    let project = inputs.project;
    let of = |scope: TypeId, annotations: &[mastor_java::ir::facts::Annotation]| {
        let found = find(project, scope, annotations, &[RESPONSE_STATUS])?;
        Some(["code", "value"].iter().find_map(|name| status::of_names(&found.names(name))).unwrap_or(500))
    };
    let on_method =
        method.declarations.iter().find_map(|declared| of(declared.ty, &project.member(*declared).annotations));
    on_method.or_else(|| {
        lineage(project, method.entry.ty).into_iter().find_map(|above| of(above, &project.ty(above).annotations))
    })
}
