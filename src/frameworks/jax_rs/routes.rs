//! Routes of resources: root resources by `@Path`, methods with their inherited annotations, and sub-resource locators.

use super::application::Applications;
use super::names::{CONSUMES, METHODS, PATCHES, PATH, PRODUCES, both};
use super::record::RESOURCES;
use crate::code::annotations::{MatchedAnnotation, find, means_any};
use crate::code::inheritance::{Implemented, is_concrete, lineage, methods};
use crate::endpoint::{Endpoint, Returns, UNKNOWN_MEDIA};
use crate::paths;
use crate::record::{Framework, Record};
use crate::routing::{Inputs, Routes};
use mastor_java::ir::body::{ExprKind, StmtKind};
use mastor_java::ir::facts::{Annotation, TypeKind};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::named::Named;
use mastor_types::Method;

/// Greatest depth of locators that is followed.
const DEPTH: usize = 8;

/// What a runtime of JAX-RS does with resources beyond the specification.
pub struct Dialect {
    /// Its record.
    pub record: &'static Record,
    /// Changes an endpoint that was read by the specification; the declaration has the annotations that count.
    pub extend: fn(&Inputs<'_>, &Implemented, MemberId, &mut Endpoint),
}

/// The specification alone.
const PLAIN: Dialect = Dialect { record: &RESOURCES, extend: |_, _, _, _| {} };

/// All endpoints of JAX-RS resources.
pub fn routes(inputs: &Inputs<'_>) -> Routes {
    resources(inputs, &PLAIN, &|_| true)
}

/// The endpoints of the resources that `serves` accepts.
pub fn resources(inputs: &Inputs<'_>, dialect: &Dialect, serves: &dyn Fn(TypeId) -> bool) -> Routes {
    let mut routes = Routes::default();
    let applications = Applications::read(inputs);
    for ty in inputs.project.types() {
        if !is_concrete(inputs.project, ty) || !serves(ty) {
            continue;
        }
        let Some((declared, found)) = class_annotation(inputs, ty, &PATH) else { continue };
        let Some((path, rests_on)) = path_of(inputs, declared, &found, &mut routes) else { continue };
        let (context_path, mut files) = applications.context_path(inputs, ty);
        let (prefix, by) = applications.prefix(inputs, ty);
        files.extend(by);
        let path = if prefix.is_empty() { path } else { paths::join(&prefix, &path) };
        let how = if declared == ty {
            "@Path of the class".to_owned()
        } else {
            format!("@Path on {}", inputs.project.fqn(declared))
        };
        let place = MountPoint { prefix: path, how, context_path, files, rests_on, seen: vec![ty], dialect };
        resource(inputs, ty, &place, &mut routes);
    }
    routes
}

/// The path at which a resource is mounted, and the origin of that path.
struct MountPoint<'a> {
    prefix: String,
    how: String,
    context_path: String,
    files: Vec<String>,
    rests_on: Vec<MemberId>,
    seen: Vec<TypeId>,
    dialect: &'a Dialect,
}

/// An annotation of a class, or of the nearest supertype that has it (as the common runtimes search for it).
fn class_annotation(inputs: &Inputs<'_>, ty: TypeId, fqns: &[&str]) -> Option<(TypeId, MatchedAnnotation)> {
    lineage(inputs.project, ty).into_iter().find_map(|above| {
        let annotations = &inputs.project.ty(above).annotations;
        if annotations.is_empty() {
            return None;
        }
        find(inputs.project, above, annotations, fqns).map(|found| (above, found))
    })
}

fn path_of(
    inputs: &Inputs<'_>,
    scope: TypeId,
    found: &MatchedAnnotation,
    routes: &mut Routes,
) -> Option<(String, Vec<MemberId>)> {
    match found.strings(inputs.project, &["value"]) {
        Ok((strings, used)) => Some((strings.into_iter().next().unwrap_or_default(), used)),
        Err(why) => {
            let message = format!("the argument of @Path has no value that can be known: {why}");
            routes.warnings.push(inputs.warn("path-not-constant", message, scope, found.span.line));
            None
        }
    }
}

/// The annotations that apply to a method: those of the nearest declaration that has any of JAX-RS (the specification's
/// rule of inheritance).
pub fn holding<'a>(inputs: &'a Inputs<'_>, method: &Implemented) -> Option<(MemberId, &'a [Annotation])> {
    method.declarations.iter().find_map(|declared| {
        let annotations = &inputs.project.member(*declared).annotations;
        is_annotated(inputs, *declared, annotations).then_some((*declared, &annotations[..]))
    })
}

fn is_annotated(inputs: &Inputs<'_>, declared: MemberId, annotations: &[Annotation]) -> bool {
    !annotations.is_empty()
        && (find(inputs.project, declared.ty, annotations, &PATH).is_some()
            || verb(inputs, declared.ty, annotations).is_some())
}

/// The HTTP method that annotations set, including `@HttpMethod` on an annotation of the project.
fn verb(inputs: &Inputs<'_>, scope: TypeId, annotations: &[Annotation]) -> Option<(Method, String)> {
    annotations.iter().find_map(|annotation| {
        if let Some((simple, verb)) = METHODS.iter().find(|(simple, _)| annotation.simple() == *simple) {
            let [javax, jakarta] = both(simple);
            if means_any(inputs.project, scope, &annotation.name, &[&javax, &jakarta]).is_some() {
                return Some((Method::parse(verb)?, (*simple).to_owned()));
            }
        }
        if means_any(inputs.project, scope, &annotation.name, &PATCHES).is_some() {
            return Some((Method::Patch, annotation.simple().to_owned()));
        }
        let Named::Project(custom) = inputs.project.resolve(scope, &annotation.name) else { return None };
        if inputs.project.ty(custom).kind != TypeKind::Annotation {
            return None;
        }
        let found = find(inputs.project, custom, &inputs.project.ty(custom).annotations, &super::names::HTTP_METHOD)?;
        let name = found.string(inputs.project, &["value"])?;
        Some((Method::parse(&name)?, annotation.simple().to_owned()))
    })
}

fn resource(inputs: &Inputs<'_>, ty: TypeId, place: &MountPoint<'_>, routes: &mut Routes) {
    let project = inputs.project;
    for method in methods(project, ty) {
        let Some((declared, annotations)) = holding(inputs, &method) else { continue };
        let found = find(project, declared.ty, annotations, &PATH);
        let (own, used) = match &found {
            Some(found) => match path_of(inputs, declared.ty, found, routes) {
                Some(read) => read,
                None => continue,
            },
            None => (String::new(), Vec::new()),
        };
        // A trailing slash of a resource's own path has no meaning.
        let raw = if own.is_empty() {
            paths::join(place.prefix.trim_end_matches('/'), "")
        } else {
            paths::join(&place.prefix, &own)
        };
        let mut rests_on: Vec<MemberId> = place.rests_on.iter().chain(&used).copied().collect();
        rests_on.extend(method.declarations.iter().filter(|member| **member != method.entry));
        match verb(inputs, declared.ty, annotations) {
            Some((verb, written)) => {
                let mut how = format!("@{written}");
                if found.is_some() {
                    how += " and @Path";
                }
                if declared != method.entry {
                    how += &format!(" on {}", project.symbol(declared));
                }
                how += &format!(", below {}", place.how);
                routes.endpoints.push(endpoint(inputs, ty, &method, declared, verb, &raw, how, rests_on, place));
            }
            None if found.is_some() => locator(inputs, &method, &raw, rests_on, place, routes),
            None => {}
        }
    }
}

/// Follows a sub-resource locator into the types that it can return.
fn locator(
    inputs: &Inputs<'_>,
    method: &Implemented,
    raw: &str,
    mut rests_on: Vec<MemberId>,
    place: &MountPoint<'_>,
    routes: &mut Routes,
) {
    let targets = located(inputs, method.entry);
    if targets.is_empty() {
        let facts = inputs.project.member(method.entry);
        let message = format!(
            "the sub-resource that {} returns is not a type of the project",
            inputs.project.symbol(method.entry)
        );
        routes.warnings.push(inputs.warn("locator-not-followed", message, method.entry.ty, facts.name_span.line));
    }
    rests_on.push(method.entry);
    for target in targets {
        if place.seen.len() >= DEPTH || place.seen.contains(&target) {
            continue;
        }
        let mut seen = place.seen.clone();
        seen.push(target);
        let inner = MountPoint {
            prefix: raw.to_owned(),
            how: format!("the locator {}", inputs.project.symbol(method.entry)),
            context_path: place.context_path.clone(),
            files: place.files.clone(),
            rests_on: rests_on.clone(),
            seen,
            dialect: place.dialect,
        };
        resource(inputs, target, &inner, routes);
    }
}

/// The concrete types that a locator can return: its return type and subtypes, or the types that its body creates.
fn located(inputs: &Inputs<'_>, member: MemberId) -> Vec<TypeId> {
    let project = inputs.project;
    let mut found = Vec::new();
    if let Some(returned) = &project.member(member).ty {
        let named = if returned.simple() == "Class" { returned.args.first() } else { Some(returned) };
        if let Some(Named::Project(id)) = named.map(|ty| project.resolve(member.ty, &ty.name)) {
            let made = made_in(inputs, member);
            let narrowed: Vec<TypeId> =
                made.iter().copied().filter(|ty| *ty == id || project.all_supers(*ty).contains(&id)).collect();
            if !narrowed.is_empty() {
                return narrowed;
            }
            found.extend(std::iter::once(id).chain(project.all_subtypes(id)).filter(|ty| is_concrete(project, *ty)));
            return found;
        }
    }
    found.extend(made_in(inputs, member));
    found
}

/// Project types that the return expressions of a body create (`new T()`) or name (`T.class`).
fn made_in(inputs: &Inputs<'_>, member: MemberId) -> Vec<TypeId> {
    let project = inputs.project;
    let Some(body) = project.body(member) else { return Vec::new() };
    let mut found = Vec::new();
    for stmt in &body.stmts {
        let StmtKind::Return(Some(value)) = stmt.kind else { continue };
        let value = match &body.expr(value).kind {
            ExprKind::Name(name) => crate::code::expressions::local(&body, name).unwrap_or(value),
            _ => value,
        };
        for id in crate::code::expressions::below(&body, value) {
            if let ExprKind::New { ty, .. } | ExprKind::ClassLit(ty) = &body.expr(id).kind
                && let Named::Project(id) = project.resolve(member.ty, &ty.name)
                && is_concrete(project, id)
                && !found.contains(&id)
            {
                found.push(id);
            }
        }
    }
    found
}

#[expect(clippy::too_many_arguments, reason = "what one resource method makes is decided by all of these")]
fn endpoint(
    inputs: &Inputs<'_>,
    ty: TypeId,
    method: &Implemented,
    declared: MemberId,
    verb: Method,
    raw: &str,
    how: String,
    mut rests_on: Vec<MemberId>,
    place: &MountPoint<'_>,
) -> Endpoint {
    let project = inputs.project;
    rests_on.sort_unstable();
    rests_on.dedup();
    let (path, _) = paths::template(raw);
    let (file, line) = inputs.place(method.entry);
    let media = |fqns: &[&str], unknown: &[&str]| {
        let on_method =
            find(project, declared.ty, &project.member(declared).annotations, fqns).map(|found| (declared.ty, found));
        let found = on_method.or_else(|| class_annotation(inputs, ty, fqns));
        found
            .map(|(_, found)| match found.strings(project, &["value"]) {
                Ok((strings, _)) => strings,
                Err(_) => unknown.iter().map(|name| (*name).to_owned()).collect(),
            })
            .unwrap_or_default()
    };
    let mut endpoint = Endpoint {
        method: verb,
        path,
        raw_path: raw.to_owned(),
        context_path: place.context_path.clone(),
        entry: method.entry,
        receiver: ty,
        framework: Framework(place.dialect.record),
        how,
        rests_on,
        rests_on_files: place.files.clone(),
        file,
        line,
        consumes: media(&CONSUMES, &[UNKNOWN_MEDIA]),
        produces: media(&PRODUCES, &[]),
        params: super::binding::params(inputs, method, declared, ty),
        returns: returns(inputs, method.entry),
        success_status: None,
        any_method: false,
        lambda: None,
        made_from: None,
    };
    (place.dialect.extend)(inputs, method, declared, &mut endpoint);
    endpoint
}

fn returns(inputs: &Inputs<'_>, member: MemberId) -> Returns {
    let facts = inputs.project.member(member);
    if facts.params.iter().any(|param| param.annotations.iter().any(|annotation| annotation.simple() == "Suspended")) {
        return Returns::Written;
    }
    let Some(mut returned) = facts.ty.as_ref() else { return Returns::Value };
    while matches!(returned.simple(), "CompletionStage" | "CompletableFuture" | "Uni" | "Mono") {
        match returned.args.first() {
            Some(inner) => returned = inner,
            None => return Returns::Value,
        }
    }
    match returned.simple() {
        "void" | "Void" => Returns::Nothing,
        "Response" | "RestResponse" => Returns::Response,
        _ => Returns::Value,
    }
}
