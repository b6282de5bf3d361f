//! Request matchers and access methods, in the calls on a chain's rules.

use super::chain::{Access, Paths, Requests};
use crate::code::expressions::{dotted, string_of};
use mastor_java::ir::body::{Body, ExprId, ExprKind};
use mastor_java::ir::constant::Constant;
use mastor_java::ir::facts::Value;
use mastor_java::ir::ids::TypeId;
use mastor_java::project::index::Project;
use mastor_types::Method;

const UNCLEAR: &str = "an access rule is not understood";

/// The access that a rule method grants; `None` for any other method.
pub fn access(project: &Project, scope: TypeId, body: &Body, name: &str, args: &[ExprId]) -> Option<Access> {
    let strings =
        || -> Option<Vec<String>> { args.iter().map(|arg| Some(string_of(project, scope, body, *arg)?.0)).collect() };
    Some(match name {
        "permitAll" => Access::Everyone,
        "authenticated" | "fullyAuthenticated" => Access::Somebody,
        "anonymous" | "denyAll" | "rememberMe" => Access::When(name.to_owned()),
        "hasRole" | "hasAnyRole" | "hasAuthority" | "hasAnyAuthority" => match strings() {
            // Any one of the names suffices, so their order is irrelevant.
            Some(mut names) => {
                names.sort();
                Access::When(format!("{name}('{}')", names.join("', '")))
            }
            // Unknown names are still names of roles.
            None => Access::Hidden,
        },
        "access" => match strings().and_then(|texts| texts.into_iter().next()) {
            Some(text) => Access::When(text),
            None => Access::Unknown(UNCLEAR.to_owned()),
        },
        "hasIpAddress" => Access::Unknown("access depends on the address of the client".to_owned()),
        _ => return None,
    })
}

/// The requests of a matcher method; `None` for any other method.
pub fn matchers(project: &Project, scope: TypeId, body: &Body, name: &str, args: &[ExprId]) -> Option<Requests> {
    let known = matches!(
        name,
        "antMatchers"
            | "mvcMatchers"
            | "requestMatchers"
            | "pathMatchers"
            | "antMatcher"
            | "mvcMatcher"
            | "securityMatcher"
            | "securityMatchers"
            | "requestMatcher"
            | "regexMatchers"
    );
    if !known {
        return None;
    }
    if name == "regexMatchers" {
        return Some(Requests { method: None, paths: vec![Paths::Unknown] });
    }
    let mut requests = Requests { method: None, paths: Vec::new() };
    for arg in args {
        if let Some(method) = dotted(body, *arg).and_then(|name| method(&name)) {
            requests.method = Some(method);
            continue;
        }
        paths(project, scope, body, *arg, &mut requests);
    }
    if requests.paths.is_empty() {
        requests.paths.push(Paths::All);
    }
    Some(requests)
}

/// The method of `HttpMethod.GET`, also if imported statically.
fn method(name: &str) -> Option<Method> {
    let last = name.rsplit('.').next()?;
    let constant = name == last || name.ends_with(&format!("HttpMethod.{last}"));
    let upper = last.chars().all(|c| c.is_ascii_uppercase());
    (constant && upper).then(|| Method::parse(last))?
}

fn paths(project: &Project, scope: TypeId, body: &Body, at: ExprId, out: &mut Requests) {
    if let Some((text, _)) = string_of(project, scope, body, at) {
        out.paths.push(Paths::Pattern(text));
        return;
    }
    match &body.expr(at).kind {
        ExprKind::ArrayInit(items) => items.iter().for_each(|item| paths(project, scope, body, *item, out)),
        ExprKind::NewArray { init: Some(init), .. } => paths(project, scope, body, *init, out),
        ExprKind::New { ty, args, .. } if ty.simple() == "AntPathRequestMatcher" => {
            ant(project, scope, body, args, out)
        }
        ExprKind::Call { name, args, .. } if name == "antMatcher" => ant(project, scope, body, args, out),
        ExprKind::Call { target: Some(target), name, .. } => {
            let root = dotted(body, *target).unwrap_or_default();
            out.paths.push(match (root.rsplit('.').next(), name.as_str()) {
                (Some("EndpointRequest"), _) => Paths::Library(&["/actuator", "/manage"]),
                (Some("PathRequest"), "toH2Console") => Paths::Library(&["/h2"]),
                _ => Paths::Unknown,
            });
        }
        _ => match dotted(body, at).map(|name| project.eval(scope, &Value::Name(name)).value) {
            Some(Constant::Array(items)) => {
                for item in items {
                    out.paths.push(match item {
                        Constant::Str(text) => Paths::Pattern(text),
                        _ => Paths::Unknown,
                    });
                }
            }
            _ => out.paths.push(Paths::Unknown),
        },
    }
}

/// Reads `new AntPathRequestMatcher(pattern, method)`.
fn ant(project: &Project, scope: TypeId, body: &Body, args: &[ExprId], out: &mut Requests) {
    let texts: Vec<Option<String>> = args.iter().map(|arg| Some(string_of(project, scope, body, *arg)?.0)).collect();
    match texts.as_slice() {
        [Some(pattern)] => out.paths.push(Paths::Pattern(pattern.clone())),
        [Some(pattern), Some(method)] if out.method.is_none() && out.paths.is_empty() => {
            out.method = Method::parse(method);
            out.paths.push(Paths::Pattern(pattern.clone()));
        }
        _ => out.paths.push(Paths::Unknown),
    }
}
