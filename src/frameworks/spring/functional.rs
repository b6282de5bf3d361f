//! Functional routes: `RouterFunction`s made by the builder, by static methods, or by springdoc's builder.

use super::records::ROUTER_FUNCTIONS;
use std::collections::BTreeSet;

use crate::code::expressions::{below, called, declared_type, dotted, inner, local, string_of};
use crate::code::inheritance::is_concrete;
use crate::endpoint::{Endpoint, Returns};
use crate::paths;
use crate::record::Framework;
use crate::routing::{Inputs, Routes};
use crate::spring::overlaps::takes_from;
use crate::spring::reads::{reads, reads_of_lambda};
use mastor_java::ir::body::{Body, ExprId, ExprKind, LambdaBody, StmtId, StmtKind};
use mastor_java::ir::facts::MemberKind;
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::named::Named;
use mastor_types::{Method, Warning};

/// Greatest nesting depth of builders.
const DEPTH: usize = 24;

/// All endpoints of router functions.
pub fn routes(inputs: &Inputs<'_>) -> Routes {
    let project = inputs.project;
    let mut routes = Routes::default();
    let mut makers = Vec::new();
    for ty in project.types() {
        for member in project.members(ty) {
            let facts = project.member(member);
            if facts.kind == MemberKind::Method
                && facts.ty.as_ref().is_some_and(|returned| returned.simple() == "RouterFunction")
            {
                makers.push(member);
            }
        }
    }
    let mut built = Vec::new();
    let mut inlined = BTreeSet::new();
    for maker in makers {
        let mut walk = Walk {
            inputs,
            inlined: &mut inlined,
            found: Vec::new(),
            warnings: Vec::new(),
            open: Vec::new(),
            is_odd: false,
        };
        walk.member(maker, "");
        let (mut found, is_odd) = (walk.found, walk.is_odd);
        routes.warnings.extend(walk.warnings);
        for at in 0..found.len() {
            let (before, rest) = found.split_at_mut(at);
            if let Some(one) = rest.first_mut()
                && (is_odd || before.iter().any(|first| takes_from(first, one)))
            {
                one.params.clear();
            }
        }
        built.push((maker, found));
    }
    for (maker, found) in built {
        let bean = project.member(maker).annotations.iter().any(|annotation| annotation.simple() == "Bean");
        if !bean && !inlined.contains(&maker) && !found.is_empty() && !project.overridden(maker).is_empty() {
            let message = format!(
                "who calls {} and below which path is not known: its routes are told without it",
                project.symbol(maker)
            );
            routes.warnings.push(inputs.warn(
                "path-not-constant",
                message,
                maker.ty,
                project.member(maker).name_span.line,
            ));
        }
        if bean || !inlined.contains(&maker) {
            // The order of two router functions is not followed.
            for new in found {
                let mut new = new;
                for old in &mut routes.endpoints {
                    if takes_from(old, &new) || takes_from(&new, old) {
                        let same = project.symbol(old.entry) == project.symbol(new.entry);
                        if old.how != new.how && !same {
                            old.params.clear();
                            new.params.clear();
                        }
                    }
                }
                routes.endpoints.push(new);
            }
        }
    }
    routes
}

struct Walk<'w, 'a> {
    inputs: &'w Inputs<'a>,
    inlined: &'w mut BTreeSet<MemberId>,
    found: Vec<Endpoint>,
    warnings: Vec<Warning>,
    open: Vec<MemberId>,
    /// Whether the routes have filters, or conditions other than method and path, which are not followed.
    is_odd: bool,
}

/// A body being walked.
#[derive(Clone, Copy)]
struct In<'b> {
    body: &'b Body,
    member: MemberId,
}

/// The conditions of request predicates.
#[derive(Default)]
struct Predicate {
    methods: Vec<Method>,
    path: String,
    used: Vec<MemberId>,
    /// Whether there are other conditions too.
    is_odd: bool,
}

impl Walk<'_, '_> {
    fn member(&mut self, member: MemberId, prefix: &str) {
        if self.open.contains(&member) || self.open.len() > DEPTH {
            return;
        }
        let Some(body) = self.inputs.project.body(member) else { return };
        self.open.push(member);
        let at = In { body: &body, member };
        match body.root {
            Some(mastor_java::ir::body::Root::Stmt(root)) => self.statements(at, root, prefix),
            Some(mastor_java::ir::body::Root::Expr(root)) => self.expression(at, root, prefix, 0),
            None => {}
        }
        self.open.pop();
    }

    /// Walks returned expressions, and statements that call a local builder.
    fn statements(&mut self, at: In<'_>, stmt: StmtId, prefix: &str) {
        match &at.body.stmt(stmt).kind {
            StmtKind::Return(Some(value)) => self.expression(at, *value, prefix, 0),
            StmtKind::Expr(expr) | StmtKind::Yield(expr) => self.expression(at, *expr, prefix, 0),
            _ => {
                for next in inner(at.body, stmt) {
                    self.statements(at, next, prefix);
                }
            }
        }
    }

    fn expression(&mut self, at: In<'_>, id: ExprId, prefix: &str, depth: usize) {
        if depth > 200 {
            return;
        }
        match &at.body.expr(id).kind {
            ExprKind::Call { target, name, args, .. } => {
                if let Some(target) = target {
                    self.expression(at, *target, prefix, depth + 1);
                }
                self.call(at, target.is_some(), name, args, prefix, depth);
            }
            ExprKind::Name(name) => {
                if let Some(init) = local(at.body, name) {
                    self.expression(at, init, prefix, depth + 1);
                }
            }
            ExprKind::Conditional { then, otherwise, .. } => {
                self.expression(at, *then, prefix, depth + 1);
                self.expression(at, *otherwise, prefix, depth + 1);
            }
            ExprKind::Cast { operand, .. } => self.expression(at, *operand, prefix, depth + 1),
            ExprKind::Lambda { body: LambdaBody::Expr(inner), .. } => self.expression(at, *inner, prefix, depth + 1),
            ExprKind::Lambda { body: LambdaBody::Block(block), .. } => self.statements(at, *block, prefix),
            ExprKind::MethodRef { .. } => {
                if let Some(member) = self.referred(at, id) {
                    self.inlined.insert(member);
                    self.member(member, prefix);
                }
            }
            _ => {}
        }
    }

    fn call(&mut self, at: In<'_>, has_target: bool, name: &str, args: &[ExprId], prefix: &str, depth: usize) {
        if let (Some(verb), true) = (Method::parse(name).filter(|verb| verb.as_str() == name), has_target) {
            if let Some(handler) = self.handler(at, args) {
                let mut predicate = self.path_of(at, args.first().copied());
                for arg in args.iter().filter(|arg| **arg != handler).skip(1) {
                    let more = self.predicate(at, *arg, 0);
                    predicate.path = join(&predicate.path, &more.path);
                    predicate.is_odd |= more.is_odd;
                }
                predicate.methods = vec![verb];
                self.route(at, &predicate, handler, prefix);
            }
            return;
        }
        match (name, args) {
            ("route" | "andRoute", [first, handler, ..]) => {
                let predicate = self.predicate(at, *first, 0);
                let handler = self.handler(at, &args[1..]).unwrap_or(*handler);
                self.route(at, &predicate, handler, prefix);
            }
            ("nest" | "andNest" | "path", [first, rest @ ..]) if !rest.is_empty() => {
                let predicate = self.predicate(at, *first, 0);
                let mut within = predicate.path;
                if within.is_empty() {
                    within = self.path_of(at, Some(*first)).path;
                }
                if within.is_empty() && self.names_path(at, *first) {
                    let line = at.body.expr(*first).span.line;
                    let message = "the path of a nested router function has no value that can be known".to_owned();
                    self.warnings.push(self.inputs.warn("path-not-constant", message, at.member.ty, line));
                }
                self.is_odd |= predicate.is_odd && within.is_empty() || !predicate.methods.is_empty();
                let within = join(prefix, &within);
                self.expression(at, rest[0], &within, depth + 1);
            }
            ("add" | "and" | "andOther", args) => {
                for arg in args {
                    self.expression(at, *arg, prefix, depth + 1);
                }
            }
            ("filter" | "before" | "after" | "onError" | "resources" | "resource", _) => self.is_odd = true,
            _ if !has_target => {
                let project = self.inputs.project;
                let called = project.find_method(at.member.ty, name, args.len());
                let maker = called.into_iter().find(|member| {
                    project.member(*member).ty.as_ref().is_some_and(|ty| ty.simple() == "RouterFunction")
                });
                if let Some(maker) = maker {
                    self.inlined.insert(maker);
                    self.member(maker, prefix);
                }
            }
            _ => {}
        }
    }

    /// Whether a predicate requires a path, or is one itself.
    fn names_path(&self, at: In<'_>, id: ExprId) -> bool {
        let paths = |id: &ExprId| matches!(called(at.body, *id).as_deref(), Some("path" | "pathPrefix"));
        let is_predicate = |id: &ExprId| {
            matches!(called(at.body, *id).as_deref(), Some("accept" | "headers" | "contentType" | "method"))
        };
        let all = below(at.body, id);
        all.iter().any(paths)
            || !all.iter().any(is_predicate) && !matches!(at.body.expr(id).kind, ExprKind::Lambda { .. })
    }

    fn path_of(&self, at: In<'_>, arg: Option<ExprId>) -> Predicate {
        let project = self.inputs.project;
        let Some((path, used)) = arg.and_then(|arg| string_of(project, at.member.ty, at.body, arg)) else {
            return Predicate::default();
        };
        let path = self.inputs.properties.expand(project.path_of(at.member.ty), &path).map_or(path, |(path, _)| path);
        Predicate { path, used, ..Predicate::default() }
    }

    /// The methods and path that a request predicate requires; other conditions only set `is_odd`.
    fn predicate(&self, at: In<'_>, id: ExprId, depth: usize) -> Predicate {
        let odd = || Predicate { is_odd: true, ..Predicate::default() };
        let ExprKind::Call { target, name, args, .. } = &at.body.expr(id).kind else {
            return match &at.body.expr(id).kind {
                ExprKind::Name(name) if depth < DEPTH => {
                    local(at.body, name).map_or_else(odd, |init| self.predicate(at, init, depth + 1))
                }
                // The operation consumer of springdoc's builder.
                ExprKind::Lambda { .. } => Predicate::default(),
                _ => odd(),
            };
        };
        if let Some(verb) = Method::parse(name).filter(|verb| verb.as_str() == name) {
            let mut found = self.path_of(at, args.first().copied());
            found.methods.push(verb);
            return found;
        }
        match name.as_str() {
            "path" | "pathPrefix" => self.path_of(at, args.first().copied()),
            "method" | "methods" => {
                let names = args.iter().filter_map(|arg| dotted(at.body, *arg));
                let methods =
                    names.filter_map(|name| Method::parse(name.rsplit('.').next().unwrap_or_default())).collect();
                Predicate { methods, ..Predicate::default() }
            }
            // The test client accepts any media type.
            "accept" => Predicate::default(),
            "and" if depth < DEPTH => {
                let mut left = target.map_or_else(Predicate::default, |target| self.predicate(at, target, depth + 1));
                for arg in args {
                    let right = self.predicate(at, *arg, depth + 1);
                    left.path = join(&left.path, &right.path);
                    left.methods.extend(right.methods);
                    left.used.extend(right.used);
                    left.is_odd |= right.is_odd;
                }
                left
            }
            _ => odd(),
        }
    }

    /// The handler among the arguments of a route: a method reference, else a lambda, else a call or name that is not a
    /// path or predicate.
    fn handler(&self, at: In<'_>, args: &[ExprId]) -> Option<ExprId> {
        let kind = |id: &ExprId| &at.body.expr(*id).kind;
        let reference = args.iter().find(|id| matches!(kind(id), ExprKind::MethodRef { .. }));
        let lambda = args.iter().find(|id| matches!(kind(id), ExprKind::Lambda { .. }));
        let other = || {
            args.iter().skip(1).rev().find(|id| {
                matches!(
                    kind(id),
                    ExprKind::Name(_) | ExprKind::Call { .. } | ExprKind::New { .. } | ExprKind::Field { .. }
                )
            })
        };
        reference.or(lambda).or_else(other).copied()
    }

    /// The project member that a method reference refers to.
    fn referred(&self, at: In<'_>, id: ExprId) -> Option<MemberId> {
        let project = self.inputs.project;
        let ExprKind::MethodRef { target: Some(target), name, .. } = &at.body.expr(id).kind else { return None };
        let ty = self.type_of(at, *target)?;
        let found = (0..=2).rev().flat_map(|arity| project.find_method(ty, name, arity)).collect::<Vec<_>>();
        let takes_request = |member: &MemberId| project.member(*member).params.len() == 1;
        found.iter().copied().find(takes_request).or_else(|| found.first().copied())
    }

    /// For an interface method with only one implementing class, the implementation.
    fn implemented(&self, member: MemberId) -> MemberId {
        let project = self.inputs.project;
        let mut classes = project.all_subtypes(member.ty).into_iter().filter(|ty| is_concrete(project, *ty));
        let (false, Some(only), None) = (is_concrete(project, member.ty), classes.next(), classes.next()) else {
            return member;
        };
        let facts = project.member(member);
        project.find_method(only, &facts.name, facts.params.len()).first().copied().unwrap_or(member)
    }

    fn type_of(&self, at: In<'_>, target: ExprId) -> Option<TypeId> {
        let project = self.inputs.project;
        match &at.body.expr(target).kind {
            ExprKind::This(_) => Some(at.member.ty),
            ExprKind::New { ty, .. } => match project.resolve(at.member.ty, &ty.name) {
                Named::Project(id) => Some(id),
                _ => None,
            },
            _ => {
                let name = dotted(at.body, target)?;
                let (named, scope) = match declared_type(project, at.member, at.body, &name) {
                    Some((ty, scope)) => (ty.name.to_string(), scope),
                    None => (name, at.member.ty),
                };
                match project.resolve(scope, &named) {
                    Named::Project(id) => Some(id),
                    _ => None,
                }
            }
        }
    }

    fn route(&mut self, at: In<'_>, predicate: &Predicate, handler: ExprId, prefix: &str) {
        let inputs = self.inputs;
        let referred = self.referred(at, handler).map(|member| self.implemented(member));
        let entry = referred.unwrap_or(at.member);
        let raw = paths::join(prefix, &predicate.path);
        let (path, _) = paths::template(&raw);
        let (file, line) = inputs.place(entry);
        let (context_path, files) = super::prefix::context_path(inputs, inputs.project.path_of(at.member.ty));
        let all = super::routes::ANY;
        // A route without a method, or with a handler that is not a method, is not followed.
        let is_plain = !predicate.is_odd && !predicate.methods.is_empty() && !raw.contains('*');
        let lambda = matches!(at.body.expr(handler).kind, ExprKind::Lambda { .. }).then_some(handler);
        let params = match (referred, lambda) {
            (Some(_), _) if is_plain => reads(inputs, entry, &raw),
            (None, Some(lambda)) if is_plain => reads_of_lambda(inputs, (at.member, at.body, lambda), &raw),
            _ => Vec::new(),
        };
        let methods = if predicate.methods.is_empty() { &all[..] } else { &predicate.methods };
        let mut rests_on: Vec<MemberId> =
            self.open.iter().copied().chain(predicate.used.iter().copied()).filter(|member| *member != entry).collect();
        rests_on.sort_unstable();
        rests_on.dedup();
        for method in methods {
            self.found.push(Endpoint {
                method: *method,
                path: path.clone(),
                raw_path: raw.clone(),
                context_path: context_path.clone(),
                entry,
                receiver: entry.ty,
                framework: Framework(&ROUTER_FUNCTIONS),
                how: format!("router function of {}", inputs.project.symbol(at.member)),
                rests_on: rests_on.clone(),
                rests_on_files: files.clone(),
                file: file.clone(),
                line,
                consumes: Vec::new(),
                produces: Vec::new(),
                params: params.clone(),
                returns: Returns::Response,
                success_status: None,
                any_method: predicate.methods.is_empty(),
                lambda: lambda.filter(|_| referred.is_none()),
                made_from: None,
            });
        }
    }
}

/// Joins two parts of a path; an empty part adds nothing, not even a slash.
fn join(prefix: &str, path: &str) -> String {
    match (prefix.is_empty(), path.is_empty()) {
        (true, _) => path.to_owned(),
        (_, true) => prefix.to_owned(),
        _ => paths::join(prefix, path),
    }
}
