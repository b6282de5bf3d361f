//! Servlet filters that catch exceptions of handlers: the filter's answer replaces the framework's error page.

use mastor_frameworks::code::expressions::dotted;
use mastor_java::interpret::library::web::servlet;
use mastor_java::ir::body::{Body, Catch, ExprId, ExprKind, Lit, StmtKind};
use mastor_java::ir::facts::{MemberKind, Span};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;
use mastor_types::status;

/// Types that catch an exception of a handler, which Spring wraps into a `ServletException` (Spring,
/// `FrameworkServlet.processRequest`).
const CAUGHT: &[&str] = &["Exception", "Throwable", "ServletException", "NestedServletException"];

/// The answer of a filter to an exception that it caught.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caught {
    /// The status, if the filter always sets the same constant.
    pub status: Option<u16>,
    /// Whether the server's error page follows (`sendError`).
    pub is_error: bool,
}

/// A filter's answer to exceptions of the rest of the chain; `None` if it does not catch them.
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
                passes.iter().any(|pass| holds(within, *pass)).then_some((within, catches))
            }
            _ => None,
        });
        let mut tried: Vec<(Span, &Vec<Catch>)> = tried.collect();
        tried.sort_by_key(|(within, _)| within.end - within.start);
        let is_caught = |catch: &&Catch| catch.types.iter().any(|ty| CAUGHT.contains(&ty.simple()));
        let (within, catch) =
            tried.into_iter().find_map(|(within, catches)| Some((within, catches.iter().find(is_caught)?)))?;
        let caught = answered(project, (method, &body), catch)?;
        // The filter may also pass the request on outside of the `try`.
        let is_always = passes.iter().all(|pass| holds(within, *pass));
        Some(if is_always { caught } else { Caught { status: None, ..caught } })
    })
}

/// The answer of a `catch` block; `None` if it rethrows.
fn answered(project: &Project, (method, body): (MemberId, &Body), catch: &Catch) -> Option<Caught> {
    let within = body.stmt(catch.body).span;
    let stmts = body.stmts.iter().filter(|stmt| holds(within, stmt.span));
    let (mut throws, mut decides) = (false, false);
    for stmt in stmts {
        throws |= matches!(stmt.kind, StmtKind::Throw(_));
        decides |= matches!(stmt.kind, StmtKind::If { .. } | StmtKind::Switch { .. } | StmtKind::Try { .. });
    }
    if throws {
        return decides.then_some(Caught { status: None, is_error: false });
    }
    let mut found = statuses(body, |span| holds(within, span));
    // The block may call a method of the filter that writes the answer.
    for expr in body.exprs.iter().filter(|expr| holds(within, expr.span)) {
        let ExprKind::Call { target: None, name, .. } = &expr.kind else { continue };
        let own = project.members(method.ty).filter(|member| project.member(*member).name == **name);
        for body in own.filter_map(|member| project.body(member)) {
            found.extend(statuses(&body, |_| true));
        }
    }
    Some(match found.as_slice() {
        [(status, is_error)] if !decides => Caught { status: *status, is_error: *is_error },
        _ => Caught { status: None, is_error: false },
    })
}

/// The constant statuses that a method sets.
pub fn statuses_set(project: &Project, method: MemberId) -> Vec<u16> {
    let all = project.body(method).map(|body| statuses(&body, |_| true)).unwrap_or_default();
    all.into_iter().filter_map(|(status, _)| status).collect()
}

/// Methods that set a status (Servlet API; Spring, `ServerHttpResponse`).
const SETS_STATUS: [&str; 4] = ["setStatus", "sendError", "setStatusCode", "setRawStatusCode"];

/// The statuses that calls set, and whether each goes to the error page.
fn statuses(body: &Body, counts: impl Fn(Span) -> bool) -> Vec<(Option<u16>, bool)> {
    let calls = body.exprs.iter().filter(|expr| counts(expr.span));
    let sets = calls.filter_map(|expr| match &expr.kind {
        ExprKind::Call { target: Some(_), name, args, .. } if SETS_STATUS.contains(&&**name) => {
            Some((status_of(body, *args.first()?), &**name == "sendError"))
        }
        _ => None,
    });
    sets.collect()
}

/// The status that an expression denotes: a number, or a constant of the Servlet API or of Spring.
fn status_of(body: &Body, at: ExprId) -> Option<u16> {
    match &body.expr(at).kind {
        ExprKind::Lit(Lit::Int(code)) => u16::try_from(*code).ok(),
        ExprKind::Call { target: Some(of), name, .. } if &**name == "value" => {
            status::of_name(dotted(body, *of)?.rsplit('.').next()?)
        }
        _ => {
            let named = dotted(body, at)?;
            let name = named.rsplit('.').next()?;
            let Some(value) = servlet::constant("jakarta.servlet.http.HttpServletResponse", name) else {
                return status::of_name(name);
            };
            value.scalar().and_then(|scalar| scalar.as_int()).and_then(|code| u16::try_from(code).ok())
        }
    }
}

fn holds(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
