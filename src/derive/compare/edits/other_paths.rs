//! Code around handlers that lists or tests paths of requests, reduced to what one operation's requests can notice: a path
//! for other requests that comes to a list of public paths changes nothing for the operation.

use std::sync::Arc;

use crate::compare::sides::side::Side;
use mastor_frameworks::code::expressions::{local, string_of};
use mastor_java::interpret::linking::alike::are_alike;
use mastor_java::interpret::linking::code::{Code, Link};
use mastor_java::ir::body::{BinaryOp, Body, ExprId, ExprKind, Lit, StmtId, StmtKind, UnaryOp};
use mastor_java::ir::ids::{MemberId, TypeId};

/// Calls whose arguments are paths that a framework matches.
const MATCHERS: [&str; 6] =
    ["requestMatchers", "antMatchers", "mvcMatchers", "pathMatchers", "excludePathPatterns", "addPathPatterns"];

/// Calls that make a list of their arguments.
const LISTS: [(&str, &str); 4] = [("Arrays", "asList"), ("List", "of"), ("Set", "of"), ("Stream", "of")];

/// Methods of texts that test a path.
const TESTS: [&str; 6] = ["startsWith", "equals", "equalsIgnoreCase", "contains", "endsWith", "match"];

/// Methods that give the path of a request.
const PATHS: [&str; 5] = ["getRequestURI", "getServletPath", "getPathInfo", "getRequestURL", "getPath"];

/// Types to which code says which requests a rule or an interceptor is for.
const REGISTRIES: [&str; 4] = ["HttpSecurity", "ServerHttpSecurity", "WebSecurity", "InterceptorRegistry"];

/// Whether a class tests paths of requests: it is a filter or an interceptor, or says which requests others are for.
fn tests_paths(side: &Side<'_>, ty: TypeId) -> bool {
    let project = side.bench.subject.project;
    let mut above =
        project.library_supers(ty).into_iter().map(|name| name.rsplit('.').next().unwrap_or(name).to_owned());
    let mut params = project.members(ty).flat_map(|one| &project.member(one).params);
    above.any(|name| name.ends_with("Filter") || name.contains("Interceptor"))
        || params.any(|param| REGISTRIES.contains(&param.ty.simple()))
}

/// Whether two revisions of a member that a framework runs around handlers differ in paths of other requests alone.
pub(super) fn is_about_others(
    (old, was): (&Side<'_>, MemberId),
    (new, is): (&Side<'_>, MemberId),
    (before, after): (&Code, &Code),
) -> bool {
    if !(tests_paths(old, was.ty) && tests_paths(new, is.ty)) {
        return false;
    }
    let (reduced_before, reduced_after) = (reduced(old, before), reduced(new, after));
    let projects = [old, new].map(|side| side.bench.subject.project);
    (reduced_before.is_some() || reduced_after.is_some())
        && are_alike(
            (projects[0], reduced_before.as_ref().unwrap_or(before)),
            (projects[1], reduced_after.as_ref().unwrap_or(after)),
        )
}

/// The code without paths of other requests; `None` if it names none.
fn reduced(side: &Side<'_>, code: &Code) -> Option<Code> {
    let mut made = Reduction { side, code, body: (*code.body).clone(), links: code.links.clone(), is_reduced: false };
    // Operands and inner statements stand before what they are part of.
    (0..).map(ExprId).take(code.body.exprs.len()).for_each(|at| made.expression(at));
    (0..).map(StmtId).take(code.body.stmts.len()).for_each(|at| made.statement(at));
    let (body, links) = (Arc::new(made.body), made.links);
    made.is_reduced.then(|| Code { body, links, ..code.clone() })
}

struct Reduction<'r> {
    side: &'r Side<'r>,
    code: &'r Code,
    body: Body,
    links: Vec<Link>,
    is_reduced: bool,
}

impl Reduction<'_> {
    /// Takes paths of other requests out of lists, and decides tests of such paths and what follows from them.
    fn expression(&mut self, at: ExprId) {
        match self.body.expr(at).kind.clone() {
            ExprKind::ArrayInit(items) => {
                let left = self.without_others(&items);
                self.body.exprs[at.0 as usize].kind = ExprKind::ArrayInit(left);
            }
            ExprKind::Call { target, name, type_args, args } if self.takes_paths(target, &name) => {
                let left = self.without_others(&args);
                self.body.exprs[at.0 as usize].kind = ExprKind::Call { target, name, type_args, args: left };
            }
            ExprKind::Call { target: Some(target), name, args, .. } if TESTS.contains(&name.as_str()) => {
                let operands: Vec<ExprId> = args.iter().chain([&target]).copied().collect();
                let is_read = operands.iter().any(|one| self.is_path(*one));
                let from_start = !["contains", "endsWith"].contains(&name.as_str());
                if is_read && operands.into_iter().any(|one| self.is_of_others(one, from_start)) {
                    self.decide(at, false);
                    self.is_reduced = true;
                }
            }
            ExprKind::Unary { op: UnaryOp::Not, operand } => {
                if let Some(known) = self.known(operand) {
                    self.decide(at, !known);
                }
            }
            ExprKind::Binary { op: op @ (BinaryOp::And | BinaryOp::Or), left, right } => {
                let ends = op == BinaryOp::Or;
                match (self.known(left), self.known(right)) {
                    (Some(known), _) if known == ends => self.decide(at, ends),
                    (Some(_), _) => self.replace(at, right),
                    (None, Some(known)) if known != ends => self.replace(at, left),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// Replaces an `if` whose condition is decided by the branch that runs.
    fn statement(&mut self, at: StmtId) {
        let StmtKind::If { condition, then, otherwise } = &self.body.stmt(at).kind else { return };
        let (then, otherwise) = (*then, *otherwise);
        let Some(known) = self.known(*condition) else { return };
        let runs = if known { Some(then) } else { otherwise };
        self.body.stmts[at.0 as usize].kind = StmtKind::Block(runs.into_iter().collect());
    }

    fn known(&self, at: ExprId) -> Option<bool> {
        match self.body.expr(at).kind {
            ExprKind::Lit(Lit::Bool(known)) => Some(known),
            _ => None,
        }
    }

    fn decide(&mut self, at: ExprId, known: bool) {
        self.body.exprs[at.0 as usize].kind = ExprKind::Lit(Lit::Bool(known));
    }

    fn replace(&mut self, at: ExprId, by: ExprId) {
        self.body.exprs[at.0 as usize].kind = self.body.expr(by).kind.clone();
        if let Some(link) = self.links.get(by.0 as usize).cloned() {
            self.links[at.0 as usize] = link;
        }
    }

    /// Whether the arguments of a call are paths for a framework, or elements of a list.
    fn takes_paths(&self, target: Option<ExprId>, name: &str) -> bool {
        let on = target.map(|on| &self.body.expr(on).kind);
        MATCHERS.contains(&name) || matches!(on, Some(ExprKind::Name(class)) if LISTS.contains(&(class.as_str(), name)))
    }

    fn without_others(&mut self, items: &[ExprId]) -> Vec<ExprId> {
        let left: Vec<ExprId> = items.iter().copied().filter(|one| !self.is_of_others(*one, true)).collect();
        self.is_reduced |= left.len() < items.len();
        left
    }

    /// Whether an expression is the path of the request, or a local variable or parameter that holds it.
    fn is_path(&self, at: ExprId) -> bool {
        match &self.body.expr(at).kind {
            ExprKind::Call { name, .. } if PATHS.contains(&name.as_str()) => true,
            ExprKind::Call { target: Some(target), name, .. } => name.starts_with("to") && self.is_path(*target),
            ExprKind::Name(name) => match local(&self.body, name) {
                Some(init) => self.is_path(init),
                None => self.is_called_path(name),
            },
            _ => false,
        }
    }

    /// Whether a parameter of the member is called after a path.
    fn is_called_path(&self, name: &str) -> bool {
        let params = &self.side.bench.subject.project.member(self.code.member).params;
        let lower = name.to_lowercase();
        params.iter().any(|param| param.name == name) && ["uri", "url", "path"].iter().any(|one| lower.ends_with(one))
    }

    /// Whether an expression is a constant path that no request of the operation has: at its start, or anywhere in it.
    fn is_of_others(&self, at: ExprId, from_start: bool) -> bool {
        let (subject, scope) = (self.side.bench.subject, self.code.member.ty);
        let path = (subject.endpoint.context_path.as_str(), subject.endpoint.path.as_str());
        let said = string_of(subject.project, scope, &self.code.body, at);
        said.is_some_and(|(text, _)| is_elsewhere(&text, path, from_start))
    }
}

/// Whether a text is a path, a beginning, a part or a pattern of one, that requests to a path below a context path do not have.
/// The path may have variables in braces. Where the text is looked for at the start alone, a variable behind it is not asked.
fn is_elsewhere(text: &str, (context, path): (&str, &str), from_start: bool) -> bool {
    let is_plain = |one: &str| one.chars().all(|c| c.is_alphanumeric() || "-_.~*{}".contains(c));
    if !text.starts_with('/') || text.contains(".*") || !text.split('/').all(is_plain) {
        return false;
    }
    let parts =
        |text: &str| -> Vec<String> { text.split('/').filter(|one| !one.is_empty()).map(str::to_owned).collect() };
    let said: Vec<String> = parts(text).into_iter().take_while(|one| one != "**").collect();
    let below = parts(context).len();
    let of_path = [parts(context), parts(path)].concat();
    let misses = |start: usize| {
        // Some methods give the path without the context path.
        let may_be_any = !from_start || start == 0 || start == below;
        said.iter().enumerate().any(|(at, one)| {
            let literal = one.split(['*', '{']).next().unwrap_or_default();
            match of_path.get(start + at) {
                Some(part) if part.contains('{') => !may_be_any,
                // The last part may be the beginning of a longer one.
                Some(part) if literal.len() < one.len() || at + 1 == said.len() => !part.starts_with(literal),
                Some(part) => part != literal,
                None => true,
            }
        })
    };
    !said.is_empty() && (0..=of_path.len()).all(misses)
}

#[cfg(test)]
mod tests {
    use super::is_elsewhere;

    #[test]
    fn paths_of_other_requests() {
        for (text, path) in [
            ("/actuator/**", "/users/{id}"),
            ("/auth/login", "/auth/logout"),
            ("/auth/login", "/auth"),
            ("/v3/api-docs*/**", "/v3/users"),
            ("/users/{id}/posts", "/users/{id}"),
            ("/login", "/users/{id}"),
        ] {
            assert!(is_elsewhere(text, ("", path), true), "{text} for {path}");
        }
        for (text, path) in [
            ("/users/**", "/users/{id}"),
            ("/users/me", "/users/{id}"),
            ("/log", "/api/login"),
            ("/login", "/api/login"),
            ("/**", "/users"),
            ("/", "/users"),
            ("/**/login", "/users"),
            ("/a.*", "/users"),
            ("/users", "/api/users/{id}/posts"),
            ("hello", "/users"),
        ] {
            assert!(!is_elsewhere(text, ("", path), true), "{text} for {path}");
        }
        assert!(!is_elsewhere("/me", ("/api", "/{id}"), true));
        assert!(!is_elsewhere("/export", ("", "/users/{id}"), false));
    }
}
