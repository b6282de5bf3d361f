//! The surroundings of a handler: what runs around every request and may change its answer, each by name.
//!
//! What is not followed makes every expectation of the operations it may touch uncertain; that is said once, here.

use super::subject::Subject;
use crate::frameworks::Framework;
use crate::java::body::{Body, ExprId, ExprKind, Lit, Root, StmtKind};
use crate::java::ids::MemberId;

/// What is known of the surroundings of one operation.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    /// Why no status of the operation is certain.
    pub doubts: Vec<String>,
    /// Why the form of JSON bodies is not certain.
    pub serialisation: Vec<String>,
}

/// Looks at the surroundings of a subject.
pub fn surroundings(subject: &Subject<'_>) -> Surroundings {
    let mut found = Surroundings::default();
    let project = subject.project;
    let spring = subject.endpoint.framework.is_spring();
    match subject.endpoint.framework {
        Framework::SpringMvc | Framework::JaxRs | Framework::ContractFirst => {}
        other => found.doubts.push(format!("how {other} answers is not modelled")),
    }
    let around = &subject.shared.around;
    found.doubts.extend(around.doubts.iter().cloned());
    found.serialisation.extend(around.serialisation.iter().cloned());
    for chain in &around.chains {
        if let Err(why) = opens(subject, *chain) {
            found.doubts.push(why);
        }
    }
    if spring && !around.secured && subject.build.uses("spring-boot-starter-security").is_some() {
        found.doubts.push("Spring Security guards every path by default".to_owned());
    }
    for annotation in &project.member(subject.endpoint.entry).annotations {
        let name = annotation.simple();
        if matches!(name, "PreAuthorize" | "PostAuthorize" | "Secured" | "RolesAllowed" | "DenyAll" | "Authenticated") {
            found.doubts.push(format!("@{name} guards the method"));
        }
    }
    for annotation in &project.ty(subject.endpoint.receiver).annotations {
        let name = annotation.simple();
        if matches!(name, "PreAuthorize" | "PostAuthorize" | "Secured" | "RolesAllowed" | "DenyAll" | "Authenticated") {
            found.doubts.push(format!("@{name} guards the class"));
        }
    }
    if subject.properties.all.iter().any(|p| p.key.starts_with("spring.jackson.")) {
        found.serialisation.push("spring.jackson.* configures JSON".to_owned());
    }
    found.doubts.sort();
    found.doubts.dedup();
    found.serialisation.sort();
    found.serialisation.dedup();
    found
}

/// Whether a filter chain lets everyone through to the subject's path, and changes nothing on the way: read from a chain of calls that is
/// understood as a whole, else the reason.
fn opens(subject: &Subject<'_>, member: MemberId) -> Result<(), String> {
    let unknown = || "the security configuration is not understood".to_owned();
    let body = subject.project.body(member).ok_or_else(unknown)?;
    let calls = chain(&body).ok_or_else(unknown)?;
    let mut csrf = true;
    let mut rules = None;
    for (name, args) in &calls {
        match name.as_str() {
            "csrf" => {
                let off = args.iter().any(|arg| match &body.expr(*arg).kind {
                    ExprKind::MethodRef { name, .. } => name == "disable",
                    ExprKind::Lambda { .. } => mentions(&body, *arg, "disable"),
                    _ => false,
                });
                csrf = !off;
            }
            "authorizeHttpRequests" => rules = args.first().copied(),
            "sessionManagement" | "httpBasic" | "formLogin" | "build" | "cors" | "exceptionHandling" | "logout"
            | "and" => {}
            _ => return Err(unknown()),
        }
    }
    let writes = !matches!(
        subject.endpoint.method,
        crate::types::Method::Get | crate::types::Method::Head | crate::types::Method::Options
    );
    if csrf && writes {
        return Err("requests need a token against forgery".to_owned());
    }
    let Some(rules) = rules else { return Err(unknown()) };
    let ExprKind::Lambda { body: crate::java::body::LambdaBody::Expr(root), .. } = &body.expr(rules).kind else {
        return Err(unknown());
    };
    let steps = calls_of(&body, *root).ok_or_else(unknown)?;
    let mut matches: Option<bool> = None;
    for (name, args) in steps {
        match name.as_str() {
            "requestMatchers" | "antMatchers" | "mvcMatchers" => {
                let mut hit = false;
                for arg in args {
                    let ExprKind::Lit(Lit::Str(pattern)) = &body.expr(arg).kind else { return Err(unknown()) };
                    hit |= may_match(pattern, &subject.endpoint.path).ok_or_else(unknown)?;
                }
                matches = Some(hit);
            }
            "anyRequest" => matches = Some(true),
            "permitAll" if matches == Some(true) => return Ok(()),
            "hasRole" | "authenticated" | "hasAuthority" | "hasAnyRole" | "denyAll" | "hasAnyAuthority"
                if matches == Some(true) =>
            {
                return Err("the path is guarded".to_owned());
            }
            _ if matches == Some(false) => matches = None,
            _ => return Err(unknown()),
        }
    }
    Err(unknown())
}

/// Whether a pattern such as `/admin/**` covers a path template; `None` where only some of its paths are covered.
fn may_match(pattern: &str, path: &str) -> Option<bool> {
    let segments: Vec<&str> = path.split('/').filter(|s| !s.is_empty()).collect();
    let wanted: Vec<&str> = pattern.split('/').filter(|s| !s.is_empty()).collect();
    for (index, want) in wanted.iter().enumerate() {
        if *want == "**" {
            return (index + 1 == wanted.len()).then_some(true);
        }
        let Some(segment) = segments.get(index) else { return Some(false) };
        if *want == "*" {
            continue;
        }
        if want.contains(['*', '?', '{']) || segment.contains('{') {
            return None;
        }
        if want != segment {
            return Some(false);
        }
    }
    Some(wanted.len() == segments.len())
}

/// The calls of `return http.a(…).b(…)…;`, in order.
fn chain(body: &Body) -> Option<Vec<(String, Vec<ExprId>)>> {
    let Some(Root::Stmt(root)) = body.root else { return None };
    let StmtKind::Block(statements) = &body.stmt(root).kind else { return None };
    let mut calls = Vec::new();
    for statement in statements {
        match &body.stmt(*statement).kind {
            StmtKind::Return(Some(expr)) | StmtKind::Expr(expr) => calls.extend(calls_of(body, *expr)?),
            _ => return None,
        }
    }
    Some(calls)
}

fn calls_of(body: &Body, id: ExprId) -> Option<Vec<(String, Vec<ExprId>)>> {
    match &body.expr(id).kind {
        ExprKind::Name(_) => Some(Vec::new()),
        ExprKind::Call { target: Some(target), name, args, .. } => {
            let mut calls = calls_of(body, *target)?;
            calls.push((name.clone(), args.clone()));
            Some(calls)
        }
        _ => None,
    }
}

fn mentions(body: &Body, id: ExprId, name: &str) -> bool {
    let span = body.expr(id).span;
    body.exprs.iter().any(|expr| {
        expr.span.start >= span.start
            && expr.span.end <= span.end
            && matches!(&expr.kind, ExprKind::Call { name: called, .. } if called == name)
    })
}
