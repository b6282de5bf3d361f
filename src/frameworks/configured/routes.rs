//! Entries of frameworks without built-in support, found by the patterns of `mastor.toml`: annotation, base class,
//! configuration file.

use super::record::PATTERNS;
use crate::code::expressions::string_of;
use crate::code::inheritance::is_concrete;
use crate::endpoint::{BoundParam, Endpoint, Location, Returns};
use crate::paths;
use crate::record::Framework;
use crate::routing::{EntryPattern, Inputs, Routes};
use mastor_java::ir::body::StmtKind;
use mastor_java::ir::constant::Constant;
use mastor_java::ir::facts::{Annotation, MemberKind};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::named::Named;
use mastor_types::{Method, Warning};

/// All endpoints that the patterns find.
pub fn routes(inputs: &Inputs<'_>) -> Routes {
    let mut routes = Routes::default();
    for pattern in inputs.patterns {
        match (&pattern.annotation, &pattern.base_class, &pattern.file) {
            (Some(annotation), ..) => by_annotation(inputs, pattern, annotation, &mut routes),
            (None, Some(base), _) => by_base_class(inputs, pattern, base, &mut routes),
            (None, None, Some(file)) => by_file(inputs, file, &mut routes),
            (None, None, None) => {}
        }
    }
    routes
}

/// The annotation with this name: of a library, of the project, or by simple name.
fn annotated<'a>(
    inputs: &Inputs<'_>,
    scope: TypeId,
    annotations: &'a [Annotation],
    name: &str,
) -> Option<&'a Annotation> {
    let project = inputs.project;
    let simple = name.rsplit('.').next().unwrap_or(name);
    annotations.iter().find(|annotation| {
        annotation.simple() == simple
            && (!name.contains('.')
                || match project.resolve(scope, &annotation.name) {
                    Named::Project(id) => project.fqn(id) == name,
                    Named::Library(fqn) => fqn == name,
                    _ => true,
                })
    })
}

fn flatten(constant: &Constant, out: &mut Vec<String>) {
    match constant {
        Constant::Str(text) => out.push(text.clone()),
        Constant::Enum { name, .. } => out.push(name.clone()),
        Constant::Array(items) => items.iter().for_each(|item| flatten(item, out)),
        _ => {}
    }
}

fn argument(inputs: &Inputs<'_>, scope: TypeId, annotations: &[Annotation], name: &str, argument: &str) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(value) = annotated(inputs, scope, annotations, name).and_then(|annotation| annotation.arg(argument)) {
        flatten(&inputs.project.eval(scope, value).value, &mut found);
    }
    found
}

fn by_annotation(inputs: &Inputs<'_>, pattern: &EntryPattern, name: &str, routes: &mut Routes) {
    let project = inputs.project;
    let path_argument = pattern.path.as_deref().unwrap_or("value");
    for ty in project.types() {
        let on_type = annotated(inputs, ty, &project.ty(ty).annotations, name)
            .map(|_| argument(inputs, ty, &project.ty(ty).annotations, name, path_argument));
        if let (Some(paths), Some(serving)) = (&on_type, &pattern.member) {
            for member in project.members(ty).filter(|member| project.member(*member).name == *serving) {
                let methods = methods(inputs, pattern, ty, &project.ty(ty).annotations, name);
                add(inputs, ty, member, paths, &methods, &format!("entry pattern @{name} on the class"), routes);
            }
        }
        for member in project.members(ty) {
            let facts = project.member(member);
            if facts.kind != MemberKind::Method
                || facts.body.is_none()
                || annotated(inputs, ty, &facts.annotations, name).is_none()
            {
                continue;
            }
            let prefixes = on_type.clone().filter(|paths| !paths.is_empty()).unwrap_or_else(|| vec![String::new()]);
            let own = argument(inputs, ty, &facts.annotations, name, path_argument);
            let own = if own.is_empty() { vec![String::new()] } else { own };
            let all: Vec<String> =
                prefixes.iter().flat_map(|prefix| own.iter().map(move |path| paths::join(prefix, path))).collect();
            let methods = methods(inputs, pattern, ty, &facts.annotations, name);
            add(inputs, ty, member, &all, &methods, &format!("entry pattern @{name}"), routes);
        }
    }
}

/// The HTTP methods of a pattern, given directly or by an argument of the annotation; empty for any.
fn methods(
    inputs: &Inputs<'_>,
    pattern: &EntryPattern,
    scope: TypeId,
    annotations: &[Annotation],
    name: &str,
) -> Vec<Method> {
    match pattern.method.as_deref() {
        None => Vec::new(),
        Some(method) => match Method::parse(method) {
            Some(method) => vec![method],
            None => argument(inputs, scope, annotations, name, method)
                .iter()
                .filter_map(|name| Method::parse(name))
                .collect(),
        },
    }
}

fn by_base_class(inputs: &Inputs<'_>, pattern: &EntryPattern, base: &str, routes: &mut Routes) {
    let project = inputs.project;
    let simple = base.rsplit('.').next().unwrap_or(base);
    for ty in project.types().filter(|ty| is_concrete(project, *ty)) {
        let is_below = std::iter::once(ty).chain(project.all_supers(ty)).any(|scope| {
            project.supers(scope).iter().any(|above| match &above.named {
                Named::Project(id) => {
                    project.fqn(*id) == base || (!base.contains('.') && project.ty(*id).name == simple)
                }
                Named::Library(name) | Named::Unknown(name) => {
                    name == base
                        || (!(base.contains('.') && name.contains('.')) && name.rsplit('.').next() == Some(simple))
                }
                _ => false,
            })
        });
        if !is_below {
            continue;
        }
        let path = pattern.path.as_deref().and_then(|name| path_of_class(inputs, ty, name));
        for member in project.members(ty) {
            let facts = project.member(member);
            let is_entry = facts.kind == MemberKind::Method
                && match &pattern.member {
                    Some(name) => facts.name == *name,
                    None => facts.annotations.iter().any(|annotation| annotation.simple() == "Override"),
                };
            if is_entry {
                let methods: Vec<Method> = pattern.method.as_deref().and_then(Method::parse).into_iter().collect();
                let paths = [path.clone().unwrap_or_else(|| format!("/{}", project.ty(ty).name))];
                add(inputs, ty, member, &paths, &methods, &format!("entry pattern base class {base}"), routes);
            }
        }
    }
}

/// The path of a class, read from a constant field or from a method that returns it.
fn path_of_class(inputs: &Inputs<'_>, ty: TypeId, name: &str) -> Option<String> {
    let project = inputs.project;
    let field = crate::code::expressions::field(project, ty, name);
    if let Some(value) = field.and_then(|field| project.member(field).value.clone()) {
        let mut found = Vec::new();
        flatten(&project.eval(ty, &value).value, &mut found);
        return found.into_iter().next();
    }
    let method = project.find_method(ty, name, 0).into_iter().next()?;
    let body = project.body(method)?;
    body.stmts.iter().find_map(|stmt| match stmt.kind {
        StmtKind::Return(Some(value)) => string_of(project, method.ty, &body, value).map(|(text, _)| text),
        _ => None,
    })
}

fn by_file(inputs: &Inputs<'_>, pattern: &str, routes: &mut Routes) {
    let Ok(glob) = globset::Glob::new(pattern) else {
        routes.warnings.push(Warning::new("entry-pattern", format!("`{pattern}` is not a glob"), None));
        return;
    };
    let matcher = glob.compile_matcher();
    let paths: Vec<String> =
        inputs.tree.files().filter(|entry| matcher.is_match(&entry.path)).map(|entry| entry.path.clone()).collect();
    for path in paths {
        let Ok(text) = inputs.tree.text(&path) else { continue };
        for (at, line) in text.text.lines().enumerate() {
            let parts: Vec<&str> =
                line.split(|c: char| c.is_whitespace() || c == ',').filter(|part| !part.is_empty()).collect();
            let [method, route, entry, ..] = parts.as_slice() else { continue };
            let Some(method) = Method::parse(method) else { continue };
            let (class, member) = entry.rsplit_once('#').or_else(|| entry.rsplit_once('.')).unwrap_or((entry, ""));
            let member = member.split('(').next().unwrap_or(member);
            let ty = inputs.project.by_fqn(class).or_else(|| inputs.project.by_simple(class).first().copied());
            let found =
                ty.and_then(|ty| inputs.project.members(ty).find(|id| inputs.project.member(*id).name == member));
            match found {
                Some(id) => {
                    add(inputs, id.ty, id, &[(*route).to_owned()], &[method], &format!("route in {path}"), routes)
                }
                None => {
                    let line = u32::try_from(at + 1).unwrap_or(u32::MAX);
                    routes.warnings.push(
                        Warning::new("entry-pattern", format!("`{entry}` is no member of the project"), Some(&path))
                            .at(line),
                    );
                }
            }
        }
    }
}

fn add(
    inputs: &Inputs<'_>,
    ty: TypeId,
    member: MemberId,
    all: &[String],
    verbs: &[Method],
    how: &str,
    routes: &mut Routes,
) {
    let any = crate::spring::routes::ANY;
    for path in all {
        let one = endpoint(inputs, (ty, member), path, Framework(&PATTERNS), how);
        for method in if verbs.is_empty() { &any[..] } else { verbs } {
            routes.endpoints.push(Endpoint { method: *method, any_method: verbs.is_empty(), ..one.clone() });
        }
    }
}

/// A GET endpoint for a path, served by a member of a type. Nothing else is known: path variables are bound to
/// parameters of the same name.
pub fn endpoint(
    inputs: &Inputs<'_>,
    (receiver, member): (TypeId, MemberId),
    path: &str,
    framework: Framework,
    how: &str,
) -> Endpoint {
    let (file, line) = inputs.place(member);
    let raw_path = paths::join("", path);
    let (path, variables) = paths::template(&raw_path);
    let params = inputs.project.member(member).params.iter().enumerate().map(|(index, param)| BoundParam {
        name: param.name.clone(),
        location: if variables.iter().any(|variable| variable.name == param.name) {
            Location::Path
        } else {
            Location::Context
        },
        ty: param.ty.clone(),
        required: false,
        default: None,
        index,
        constraints: param.annotations.clone(),
        validated: false,
    });
    Endpoint {
        method: Method::Get,
        path,
        raw_path,
        context_path: String::new(),
        entry: member,
        receiver,
        framework,
        how: how.to_owned(),
        rests_on: Vec::new(),
        rests_on_files: Vec::new(),
        file,
        line,
        consumes: Vec::new(),
        produces: Vec::new(),
        params: params.collect(),
        returns: Returns::Value,
        success_status: None,
        any_method: false,
        lambda: None,
        made_from: None,
    }
}
