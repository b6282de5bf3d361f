//! Filters that Spring Boot registers by a bean: their paths, their order, and whether they are enabled (Spring Boot
//! reference, "Servlets, Filters, and Listeners").

use super::patterns;
use crate::code::expressions::{declared_type, dotted, local, string_of};
use crate::code::stereotypes::is_component;
use crate::endpoint::Endpoint;
use crate::paths;
use mastor_java::ir::body::{BinaryOp, Body, ExprId, ExprKind, Lit, UnaryOp};
use mastor_java::ir::facts::MemberKind;
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;

/// The default order.
pub const LAST: i64 = i32::MAX as i64;

/// A bean that registers a filter.
#[derive(Debug, Clone)]
pub struct Registration {
    /// The bean method.
    pub member: MemberId,
    /// The class of the filter, if the project declares it.
    filter: Option<TypeId>,
    /// Whether the method creates the filter itself, so that a filter that is also a bean runs twice.
    is_made: bool,
    /// Path patterns: `/*` if none is set, empty if the filter is disabled; `None` if they are not understood.
    pub patterns: Option<Vec<String>>,
    order: Option<i64>,
    /// Whether the registration does not depend on a condition.
    is_sure: bool,
}

/// Every registration of a project.
pub fn registrations(project: &Project) -> Vec<Registration> {
    let members = project.types().flat_map(|ty| project.members(ty));
    let registers = |member: &MemberId| {
        let facts = project.member(*member);
        facts.kind == MemberKind::Method
            && facts.ty.as_ref().is_some_and(|ty| ty.simple() == "FilterRegistrationBean")
            && facts.annotations.iter().any(|annotation| annotation.simple() == "Bean")
    };
    members.filter(registers).filter_map(|member| read(project, member)).collect()
}

/// The path patterns for which beans register a filter; `None` if no bean does, if one is not understood, or if the
/// filter is also registered as a bean itself.
pub fn registered(project: &Project, filter: TypeId, all: &[Registration]) -> Option<Vec<String>> {
    let own: Vec<&Registration> = all.iter().filter(|one| one.filter == Some(filter)).collect();
    if own.is_empty() || is_component(project, filter) && own.iter().any(|one| one.is_made) {
        return None;
    }
    let mut found = Vec::new();
    for one in own {
        found.extend(one.patterns.clone()?);
    }
    Some(found)
}

/// The order of a filter, lower values first: from its registration, else from its annotation.
pub fn order(project: &Project, filter: TypeId, all: &[Registration]) -> i64 {
    let registered = all.iter().filter(|one| one.filter == Some(filter)).find_map(|one| one.order);
    let annotated = || {
        let annotation = project.ty(filter).annotations.iter().find(|one| one.simple() == "Order")?;
        match project.eval(filter, annotation.arg("value")?).value {
            mastor_java::ir::constant::Constant::Int(number) => Some(i64::from(number)),
            _ => None,
        }
    };
    registered.or_else(annotated).unwrap_or(LAST)
}

/// Whether a pattern may match the path of an endpoint, with or without the context path.
pub fn may_run(patterns: &[String], endpoint: &Endpoint) -> bool {
    let whole = paths::join(&endpoint.context_path, &endpoint.path);
    patterns.iter().any(|pattern| may_match(pattern, &endpoint.path) || may_match(pattern, &whole))
}

/// Whether a pattern of the Servlet API may match a path of a template.
fn may_match(pattern: &str, template: &str) -> bool {
    if !template.contains('{') {
        return patterns::matches(pattern, template);
    }
    if pattern.starts_with("*.") {
        return true;
    }
    let parts = |text: &str| text.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let (prefix, is_open) = pattern.strip_suffix("/*").map_or((pattern, false), |prefix| (prefix, true));
    let (wanted, given) = (parts(prefix), parts(template));
    let alike = wanted.iter().zip(&given).all(|(wanted, given)| wanted == given || given.contains('{'));
    // A variable can match several segments.
    alike && (wanted.len() == given.len() || is_open && wanted.len() < given.len() || template.contains("**"))
}

fn read(project: &Project, member: MemberId) -> Option<Registration> {
    let body = project.body(member)?;
    let mut found =
        Registration { member, filter: None, is_made: false, patterns: Some(Vec::new()), order: None, is_sure: true };
    let annotations = project.member(member).annotations.iter().chain(&project.ty(member.ty).annotations);
    found.is_sure &=
        !annotations.into_iter().any(|one| one.simple() == "Profile" || one.simple().starts_with("Conditional"));
    let mut is_on = true;
    for expr in &body.exprs {
        match &expr.kind {
            ExprKind::New { ty, args, .. } if ty.simple() == "FilterRegistrationBean" => {
                if let Some(filter) = args.first() {
                    found.takes(project, &body, *filter);
                }
            }
            ExprKind::Call { name, args, .. } => match (name.as_ref(), args.as_slice()) {
                ("setFilter", [filter]) => found.takes(project, &body, *filter),
                ("addUrlPatterns" | "setUrlPatterns", args) => found.maps(project, &body, args),
                ("addServletNames" | "setServletNames" | "addServletRegistrationBeans", _)
                | ("setServletRegistrationBeans", _) => found.patterns = None,
                ("setEnabled", [value]) => match body.expr(*value).kind {
                    ExprKind::Lit(Lit::Bool(value)) => is_on = value,
                    _ => found.is_sure = false,
                },
                ("setOrder", [value]) => found.order = number(&body, *value),
                _ => {}
            },
            _ => {}
        }
    }
    match &mut found.patterns {
        Some(patterns) if !is_on => patterns.clear(),
        Some(patterns) if patterns.is_empty() => patterns.push("/*".to_owned()),
        _ => {}
    }
    Some(found)
}

impl Registration {
    /// Whether it registers this filter.
    pub fn registers(&self, filter: TypeId) -> bool {
        self.filter == Some(filter)
    }

    /// Whether it certainly registers a filter of the project, for known paths.
    pub fn is_certain(&self) -> bool {
        self.filter.is_some() && self.is_sure && self.patterns.is_some()
    }

    fn takes(&mut self, project: &Project, body: &Body, filter: ExprId) {
        let scope = self.member.ty;
        let at = match &body.expr(filter).kind {
            ExprKind::Name(name) => local(body, name).unwrap_or(filter),
            _ => filter,
        };
        let (named, scope) = match &body.expr(at).kind {
            ExprKind::New { ty, .. } => {
                self.is_made = true;
                (Some(ty.clone()), scope)
            }
            ExprKind::Call { target: None, name, args, .. } => {
                let made = project.find_method(scope, name, args.len()).first().copied();
                (made.and_then(|made| project.member(made).ty.clone()), scope)
            }
            ExprKind::Name(_) | ExprKind::Field { .. } => {
                let declared = dotted(body, at).and_then(|name| declared_type(project, self.member, body, &name));
                declared.map_or((None, scope), |(ty, scope)| (Some(ty), scope))
            }
            _ => (None, scope),
        };
        self.filter = named.and_then(|ty| project.resolve(scope, &ty.name).project());
    }

    fn maps(&mut self, project: &Project, body: &Body, args: &[ExprId]) {
        for arg in args {
            let parts = match &body.expr(*arg).kind {
                ExprKind::Call { name, args, .. }
                    if matches!(name.as_ref(), "asList" | "of" | "singletonList" | "singleton" | "newArrayList") =>
                {
                    args.clone()
                }
                _ => vec![*arg],
            };
            for part in parts {
                match (string_of(project, self.member.ty, body, part), &mut self.patterns) {
                    (Some((pattern, _)), Some(patterns)) if pattern != "/" => patterns.push(pattern),
                    _ => self.patterns = None,
                }
            }
        }
    }
}

/// An integer, or an offset from the limits of Spring's orders.
fn number(body: &Body, at: ExprId) -> Option<i64> {
    match &body.expr(at).kind {
        ExprKind::Lit(Lit::Int(number)) => Some(i64::from(*number)),
        ExprKind::Unary { op: UnaryOp::Minus, operand } => Some(-number(body, *operand)?),
        ExprKind::Binary { op: BinaryOp::Add, left, right } => Some(number(body, *left)? + number(body, *right)?),
        ExprKind::Binary { op: BinaryOp::Sub, left, right } => Some(number(body, *left)? - number(body, *right)?),
        ExprKind::Name(_) | ExprKind::Field { .. } => match dotted(body, at)?.rsplit('.').next()? {
            "HIGHEST_PRECEDENCE" => Some(i64::from(i32::MIN)),
            "LOWEST_PRECEDENCE" => Some(LAST),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::may_match;

    #[test]
    fn a_pattern_may_match_what_a_template_stands_for() {
        assert!(may_match("/admin/*", "/admin/users/{id}"));
        assert!(may_match("/admin/*", "/{tenant}/users"));
        assert!(!may_match("/admin/*", "/users/{id}"));
        assert!(may_match("/users/5", "/users/{id}") && !may_match("/users", "/users/{id}"));
        assert!(may_match("/*", "/users/{id}") && may_match("*.json", "/users/{id}"));
    }
}
