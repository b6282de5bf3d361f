//! Whether the framework may check credentials in a request to any operation. Only then do user services, providers and
//! password encoders run around all operations.

use super::chains::{ADAPTER, is_below};
use crate::routing::Inputs;
use mastor_java::ir::body::{Body, ExprId, ExprKind};
use mastor_java::ir::ids::TypeId;
use mastor_java::project::index::Project;

/// Calls on a chain builder that enable authentication for requests to any path.
const MECHANISMS: [&str; 11] = [
    "formLogin",
    "httpBasic",
    "rememberMe",
    "x509",
    "jee",
    "oauth2Login",
    "oauth2ResourceServer",
    "saml2Login",
    "openidLogin",
    "oneTimeTokenLogin",
    "webAuthn",
];

/// Library types whose subclasses in the project authenticate requests without a call of `MECHANISMS`.
const BASES: [&str; 6] = [
    "AbstractAuthenticationProcessingFilter",
    "UsernamePasswordAuthenticationFilter",
    "BasicAuthenticationFilter",
    "AbstractPreAuthenticatedProcessingFilter",
    "ResourceServerConfigurerAdapter",
    "AuthorizationServerConfigurerAdapter",
];

/// Whether the framework may authenticate a request to any operation. Also true if the project configures no chain, or
/// configures it in a way that is not read (XML, a library's base class).
pub fn checks_credentials(inputs: &Inputs<'_>) -> bool {
    const SCHEMA: &str = "http://www.springframework.org/schema/security";
    if inputs.resources.iter().any(|(path, text)| path.ends_with(".xml") && text.contains(SCHEMA)) {
        return true;
    }
    let project = inputs.project;
    let mut configured = false;
    for ty in project.types().filter(|ty| names_security(project, *ty)) {
        if BASES.iter().any(|base| is_below(project, ty, base)) {
            return true;
        }
        let is_adapter = is_below(project, ty, ADAPTER);
        let mut overrides = false;
        for member in project.members(ty) {
            let facts = project.member(member);
            let takes = |name: &str| facts.params.iter().any(|param| param.ty.simple() == name);
            overrides |= facts.name == "configure" && takes("HttpSecurity");
            configured |= takes("HttpSecurity") || takes("ServerHttpSecurity");
            if project.body(member).is_some_and(|body| turns_on(&body)) {
                return true;
            }
        }
        if is_adapter && !overrides {
            return true;
        }
    }
    !configured
}

/// Whether the file of a type imports Spring Security.
fn names_security(project: &Project, ty: TypeId) -> bool {
    let imports = &project.file(project.file_of(ty)).facts.imports;
    imports.iter().any(|import| import.path.starts_with("org.springframework.security"))
}

/// Whether a body enables a mechanism, or calls `super.configure(…)`, which enables one.
fn turns_on(body: &Body) -> bool {
    let is_off = |id: ExprId| {
        body.exprs.iter().any(|outer| match &outer.kind {
            ExprKind::Call { target: Some(on), name, .. } => *on == id && name == "disable",
            _ => false,
        })
    };
    body.exprs.iter().enumerate().any(|(at, expr)| match &expr.kind {
        ExprKind::Call { target: Some(on), name, .. } if name == "configure" => {
            matches!(body.expr(*on).kind, ExprKind::Super(_))
        }
        ExprKind::Call { name, args, .. } if MECHANISMS.contains(&name.as_str()) => {
            !is_off(ExprId(at as u32)) && !args.iter().any(|arg| disables(body, *arg))
        }
        _ => false,
    })
}

/// Whether a customizer only disables the mechanism: `AbstractHttpConfigurer::disable`, `basic -> basic.disable()`.
fn disables(body: &Body, arg: ExprId) -> bool {
    let called = |id: &ExprId| matches!(&body.expr(*id).kind, ExprKind::Call { name, .. } if name == "disable");
    match &body.expr(arg).kind {
        ExprKind::MethodRef { name, .. } => name == "disable",
        ExprKind::Lambda { .. } => crate::code::expressions::below(body, arg).iter().any(called),
        _ => false,
    }
}
