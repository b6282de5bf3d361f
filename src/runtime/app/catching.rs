//! Servlet filters that catch what handlers fail with: what such a filter answers stands in place of the framework's error page.

use crate::frameworks::expressions::dotted;
use crate::java::body::{Body, Catch, ExprId, ExprKind, Lit, StmtKind};
use crate::java::facts::{MemberKind, Span};
use crate::java::ids::{MemberId, TypeId};
use crate::java::interpret::library::servlet;
use crate::java::project::Project;
use crate::types::status;

/// Classes by which a filter catches what a handler threw: Spring wraps it into a `ServletException` (Spring, `FrameworkServlet.processRequest`).
const CAUGHT: &[&str] = &["Exception", "Throwable", "ServletException", "NestedServletException"];

/// What a filter answers for an exception that it caught.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caught {
    /// The status, where it is a constant that the filter always sets.
    pub status: Option<u16>,
}

/// What a filter makes of exceptions that the rest of the chain throws; `None` where it lets them pass.
pub fn caught(project: &Project, filter: TypeId) -> Option<Caught> {
    let methods = || project.members(filter).filter(|member| project.member(*member).kind == MemberKind::Method);
    methods().find_map(|method| {
        let body = project.body(method)?;
        let passes = body.exprs.iter().filter(|expr| match &expr.kind {
            ExprKind::Call { target: Some(_), name, args, .. } => &**name == "doFilter" && args.len() == 2,
            _ => false,
        });
        let passes: Vec<Span> = passes.map(|expr| expr.span).collect();
        let tried = body.stmts.iter().filter_map(|stmt| match &stmt.kind {
            StmtKind::Try { body: tried, catches, .. } => {
                let within = body.stmt(*tried).span;
                passes.iter().any(|pass| holds(within, *pass)).then_some((within.end - within.start, catches))
            }
            _ => None,
        });
        let mut tried: Vec<(u32, &Vec<Catch>)> = tried.collect();
        tried.sort_by_key(|(size, _)| *size);
        let mut catches = tried.into_iter().flat_map(|(_, catches)| catches);
        let catch = catches.find(|catch| catch.types.iter().any(|ty| CAUGHT.contains(&ty.simple())))?;
        answered(project, (method, &body), catch)
    })
}

/// What a `catch` answers; `None` where it throws again.
fn answered(project: &Project, (method, body): (MemberId, &Body), catch: &Catch) -> Option<Caught> {
    let within = body.stmt(catch.body).span;
    let stmts = body.stmts.iter().filter(|stmt| holds(within, stmt.span));
    let (mut throws, mut decides) = (false, false);
    for stmt in stmts {
        throws |= matches!(stmt.kind, StmtKind::Throw(_));
        decides |= matches!(stmt.kind, StmtKind::If { .. } | StmtKind::Switch { .. } | StmtKind::Try { .. });
    }
    if throws {
        return (decides).then_some(Caught { status: None });
    }
    let mut found: Vec<Option<u16>> = statuses(body, within);
    // A method of the filter's own that it calls may write the answer.
    for expr in body.exprs.iter().filter(|expr| holds(within, expr.span)) {
        let ExprKind::Call { target: None, name, .. } = &expr.kind else { continue };
        let own = project.members(method.ty).filter(|member| project.member(*member).name == **name);
        for body in own.filter_map(|member| project.body(member)) {
            found.extend(statuses(&body, Span { start: 0, end: u32::MAX, line: 0, end_line: 0 }));
        }
    }
    let status = match found.as_slice() {
        [one] if !decides => *one,
        _ => None,
    };
    Some(Caught { status })
}

/// The statuses that a method sets, where they are constants.
pub fn statuses_set(project: &Project, method: MemberId) -> Vec<u16> {
    let all = Span { start: 0, end: u32::MAX, line: 0, end_line: 0 };
    project.body(method).map(|body| statuses(&body, all)).unwrap_or_default().into_iter().flatten().collect()
}

/// The statuses that calls within a span set.
fn statuses(body: &Body, within: Span) -> Vec<Option<u16>> {
    let calls = body.exprs.iter().filter(|expr| holds(within, expr.span));
    let sets = calls.filter_map(|expr| match &expr.kind {
        ExprKind::Call { target: Some(_), name, args, .. } if ["setStatus", "sendError"].contains(&&**name) => {
            args.first()
        }
        _ => None,
    });
    sets.map(|arg| status_of(body, *arg)).collect()
}

/// The status that an expression names: a number, a constant of the Servlet API, a constant of Spring's.
fn status_of(body: &Body, at: ExprId) -> Option<u16> {
    match &body.expr(at).kind {
        ExprKind::Lit(Lit::Int(code)) => u16::try_from(*code).ok(),
        ExprKind::Call { target: Some(of), name, .. } if &**name == "value" => {
            status::of_name(dotted(body, *of)?.rsplit('.').next()?)
        }
        _ => {
            let named = dotted(body, at)?;
            let value = servlet::constant("jakarta.servlet.http.HttpServletResponse", named.rsplit('.').next()?)?;
            value.scalar().and_then(|scalar| scalar.as_int()).and_then(|code| u16::try_from(code).ok())
        }
    }
}

fn holds(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
