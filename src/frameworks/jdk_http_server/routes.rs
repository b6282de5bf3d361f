//! Routes of the JDK's own HTTP server: contexts, and handlers that compare path strings.

use super::compare::{self, Compare};
use super::record::CONTEXTS;

use crate::code::expressions::{declared_type, dotted, local, string_of};
use crate::endpoint::{Endpoint, Returns};
use crate::paths;
use crate::record::Framework;
use crate::routing::{Inputs, Routes};
use mastor_java::ir::body::{Body, ExprId, ExprKind};
use mastor_java::ir::facts::Import;
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::named::Named;
use mastor_types::Method;

/// Package of the server.
const PACKAGE: &str = "com.sun.net.httpserver";

/// All endpoints of JDK servers.
pub fn routes(inputs: &Inputs<'_>) -> Routes {
    let project = inputs.project;
    let mut routes = Routes::default();
    let mut seen: Vec<(String, MemberId)> = Vec::new();
    for ty in project.types() {
        let imports = &project.file(project.file_of(ty)).facts.imports;
        if !imports.iter().any(is_server) {
            continue;
        }
        for member in project.members(ty) {
            if project.member(member).body.is_none() {
                continue;
            }
            let Some(body) = project.body(member) else { continue };
            for expr in &body.exprs {
                let ExprKind::Call { name, args, .. } = &expr.kind else { continue };
                let (true, [context, rest @ ..]) = (name == "createContext", args.as_slice()) else { continue };
                let Some((context, used)) = string_of(project, ty, &body, *context) else {
                    routes.warnings.push(inputs.warn(
                        "path-not-constant",
                        "the path of createContext has no value that can be known".to_owned(),
                        ty,
                        expr.span.line,
                    ));
                    continue;
                };
                let Some(handler) = rest.first().and_then(|handler| handled_by(inputs, member, &body, *handler)) else {
                    continue;
                };
                if seen.contains(&(context.clone(), handler)) {
                    continue;
                }
                seen.push((context.clone(), handler));
                context_routes(inputs, &context, handler, member, &used, &mut routes);
            }
        }
    }
    routes
}

fn is_server(import: &Import) -> bool {
    import.path.starts_with(PACKAGE)
}

/// The member that handles the exchanges of a context.
fn handled_by(inputs: &Inputs<'_>, member: MemberId, body: &Body, handler: ExprId) -> Option<MemberId> {
    let project = inputs.project;
    let of_type = |ty: TypeId| {
        let found = project.find_method(ty, "handle", 1);
        found.into_iter().find(|member| project.member(*member).body.is_some())
    };
    let resolved = |scope: TypeId, name: &str| match project.resolve(scope, name) {
        Named::Project(id) => Some(id),
        _ => None,
    };
    match &body.expr(handler).kind {
        ExprKind::New { ty, anonymous: None, .. } => resolved(member.ty, &ty.name).and_then(of_type),
        ExprKind::New { anonymous: Some(at), .. } => {
            let file = project.file_of(member.ty);
            let id = project.types().filter(|ty| project.file_of(*ty) == file).nth(*at as usize)?;
            of_type(id)
        }
        ExprKind::MethodRef { target: Some(target), name, .. } => {
            let ty = match &body.expr(*target).kind {
                ExprKind::This(_) => member.ty,
                _ => {
                    let written = dotted(body, *target)?;
                    let (named, scope) = declared_type(project, member, body, &written)
                        .map_or((written, member.ty), |(ty, scope)| (ty.name.to_string(), scope));
                    resolved(scope, &named)?
                }
            };
            project.find_method(ty, name, 1).into_iter().find(|member| project.member(*member).body.is_some())
        }
        ExprKind::Lambda { .. } => Some(member),
        ExprKind::Name(name) => {
            if let Some(init) = local(body, name)
                && let Some(found) = handled_by(inputs, member, body, init)
            {
                return Some(found);
            }
            let (ty, scope) = declared_type(project, member, body, name)?;
            let declared = resolved(scope, &ty.name);
            declared.and_then(of_type).or_else(|| assigned(inputs, member.ty, name).and_then(of_type))
        }
        ExprKind::Field { name, .. } => {
            let field = crate::code::expressions::field(project, member.ty, name)?;
            let ty = project.member(field).ty.clone()?;
            resolved(field.ty, &ty.name).and_then(of_type)
        }
        _ => None,
    }
}

/// The type of the object that an assignment `new T(…)` in the class stores in a field of a library type.
fn assigned(inputs: &Inputs<'_>, ty: TypeId, name: &str) -> Option<TypeId> {
    let project = inputs.project;
    project.members(ty).find_map(|member| {
        let body = project.body(member)?;
        body.exprs.iter().find_map(|expr| {
            let ExprKind::Assign { target, value, .. } = &expr.kind else { return None };
            let ExprKind::New { ty: made, .. } = &body.expr(*value).kind else { return None };
            let same = dotted(&body, *target).is_some_and(|written| written == name);
            match project.resolve(ty, &made.name) {
                Named::Project(id) if same => Some(id),
                _ => None,
            }
        })
    })
}

/// The paths that a handler distinguishes; the context's path alone if there are none.
fn context_routes(
    inputs: &Inputs<'_>,
    context: &str,
    handler: MemberId,
    by: MemberId,
    used: &[MemberId],
    routes: &mut Routes,
) {
    let mut compare = Compare::new(inputs);
    compare.member(handler);
    let mut found = compare.found;
    let told = !found.is_empty();
    if !told {
        found.push(compare::Compared {
            path: context.to_owned(),
            methods: compare::verbs_of(inputs, handler),
            entry: handler,
            through: Vec::new(),
        });
    }
    for compared in found {
        let raw = paths::join("", &compared.path);
        if told && context != "/" && !raw.starts_with(context) {
            continue;
        }
        let any = compared.methods.is_empty();
        let all = crate::spring::routes::ANY;
        let methods: &[Method] = if any { &all } else { &compared.methods };
        let (file, line) = inputs.place(compared.entry);
        let mut rests_on: Vec<MemberId> = compared
            .through
            .iter()
            .chain(used)
            .copied()
            .chain([handler, by])
            .filter(|member| *member != compared.entry)
            .collect();
        rests_on.sort_unstable();
        rests_on.dedup();
        // If the route starts with the document's base path, that prefix becomes the context path.
        let base =
            inputs.document.and_then(|document| document.base_paths.first()).map(|base| base.trim_end_matches('/'));
        let below = base.filter(|base| !base.is_empty()).and_then(|base| Some((base, raw.strip_prefix(base)?)));
        let (context_path, path) = match below.filter(|(_, rest)| rest.starts_with('/')) {
            Some((base, rest)) => (base.to_owned(), rest.to_owned()),
            None => (String::new(), raw.clone()),
        };
        for method in methods {
            routes.endpoints.push(Endpoint {
                method: *method,
                path: path.clone(),
                raw_path: path.clone(),
                context_path: context_path.clone(),
                entry: compared.entry,
                receiver: compared.entry.ty,
                framework: Framework(&CONTEXTS),
                how: format!(
                    "createContext(\"{context}\") and the paths that {} compares",
                    inputs.project.symbol(handler)
                ),
                rests_on: rests_on.clone(),
                rests_on_files: Vec::new(),
                file: file.clone(),
                line,
                consumes: Vec::new(),
                produces: Vec::new(),
                params: Vec::new(),
                returns: Returns::Written,
                success_status: None,
                any_method: any,
                lambda: None,
                made_from: None,
            });
        }
    }
}
