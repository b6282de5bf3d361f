//! The paths that a handler distinguishes: comparisons of the request's path with strings, followed through locals,
//! substrings and calls.

use std::collections::BTreeMap;

use crate::code::expressions::{below, declared_type, dotted, held, inner, local, string_of};
use crate::routing::Inputs;
use mastor_java::ir::body::{BinaryOp, Body, ExprId, ExprKind, Lit, Root, StmtId, StmtKind, SwitchArm, UnaryOp};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::named::Named;
use mastor_types::Method;

/// Greatest depth of calls that is followed.
const DEPTH: usize = 8;

/// A path that a handler compares with.
#[derive(Debug, Clone)]
pub struct Compared {
    /// The whole path.
    pub path: String,
    /// HTTP methods that the handler requires for the path; empty if any is accepted.
    pub methods: Vec<Method>,
    /// The member that the branch calls, else the member with the comparison.
    pub entry: MemberId,
    /// Members on the call chain to the comparison.
    pub through: Vec<MemberId>,
}

/// A search through the bodies of a handler.
pub struct Compare<'i, 'a> {
    inputs: &'i Inputs<'a>,
    /// The comparisons found, in source order.
    pub found: Vec<Compared>,
    open: Vec<MemberId>,
}

/// Locals and parameters that hold the request's path, each with the prefix that was cut off.
type Paths = BTreeMap<String, String>;

/// The parts of a condition that test the request.
#[derive(Debug, Default)]
struct Condition {
    equals: Vec<String>,
    starts: Vec<String>,
    methods: Vec<Method>,
    negated: bool,
}

#[derive(Clone, Copy)]
struct At<'b> {
    body: &'b Body,
    member: MemberId,
}

impl<'i, 'a> Compare<'i, 'a> {
    /// A search that has found nothing yet.
    pub fn new(inputs: &'i Inputs<'a>) -> Self {
        Self { inputs, found: Vec::new(), open: Vec::new() }
    }

    /// Searches a handler.
    pub fn member(&mut self, member: MemberId) {
        self.enter(member, Paths::new());
    }

    fn enter(&mut self, member: MemberId, mut paths: Paths) {
        if self.open.contains(&member) || self.open.len() >= DEPTH {
            return;
        }
        let Some(body) = self.inputs.project.body(member) else { return };
        let Some(Root::Stmt(root)) = body.root else { return };
        self.open.push(member);
        self.statement(At { body: &body, member }, root, &mut paths);
        self.open.pop();
    }

    fn statement(&mut self, at: At<'_>, stmt: StmtId, paths: &mut Paths) {
        match &at.body.stmt(stmt).kind {
            StmtKind::Local(locals) => {
                for one in locals {
                    if let Some(cut) = one.init.and_then(|init| self.path(at, init, paths, 0)) {
                        paths.insert(one.name.to_string(), cut);
                    }
                }
                self.calls(at, stmt, paths);
            }
            StmtKind::If { condition, then, otherwise } => self.branch(at, *condition, *then, *otherwise, paths),
            StmtKind::Switch { selector, arms } if self.path(at, *selector, paths, 0).is_some() => {
                let cut = self.path(at, *selector, paths, 0).unwrap_or_default();
                self.arms(at, &cut, arms);
            }
            _ => {
                self.calls(at, stmt, paths);
                for next in inner(at.body, stmt) {
                    self.statement(at, next, paths);
                }
            }
        }
    }

    fn branch(&mut self, at: At<'_>, condition: ExprId, then: StmtId, otherwise: Option<StmtId>, paths: &mut Paths) {
        let said = self.condition(at, condition, paths);
        if said.equals.is_empty() || said.negated {
            let before = self.found.len();
            for path in said.equals.iter().filter(|_| said.negated) {
                self.emit(path, verbs_of(self.inputs, at.member), at.member);
            }
            self.statement(at, then, paths);
            if before == self.found.len() && !said.negated {
                let cut = said.starts.iter().filter(|_| self.calls_project(at, then).is_some());
                for start in cut.cloned().collect::<Vec<_>>() {
                    let path = if start.ends_with('/') { format!("{start}{{rest}}") } else { start };
                    self.serve(at, &path, &said.methods, then);
                }
            }
        } else {
            for path in &said.equals {
                self.serve(at, path, &said.methods, then);
            }
        }
        if let Some(otherwise) = otherwise {
            self.statement(at, otherwise, paths);
        }
    }

    fn arms(&mut self, at: At<'_>, cut: &str, arms: &[SwitchArm]) {
        let mut waiting: Vec<String> = Vec::new();
        for arm in arms {
            for label in &arm.labels {
                if let Some((text, _)) = string_of(self.inputs.project, at.member.ty, at.body, *label) {
                    waiting.push(whole(cut, &text));
                }
            }
            if let Some(first) = arm.body.first() {
                for path in waiting.drain(..) {
                    self.serve(at, &path, &[], *first);
                }
            }
        }
    }

    /// Records the entries that serve a path: one for each comparison of the HTTP method in the branch, else one for
    /// the whole branch.
    fn serve(&mut self, at: At<'_>, path: &str, methods: &[Method], branch: StmtId) {
        if methods.is_empty() {
            let mut told = false;
            for stmt in all(at.body, branch) {
                if let StmtKind::If { condition, then, .. } = &at.body.stmt(stmt).kind {
                    let said = self.condition(at, *condition, &Paths::new());
                    if !said.methods.is_empty() && !said.negated {
                        let entry = self.calls_project(at, *then).unwrap_or(at.member);
                        self.emit(path, said.methods, entry);
                        told = true;
                    }
                }
            }
            if told {
                return;
            }
        }
        let entry = self.calls_project(at, branch).unwrap_or(at.member);
        let methods = match (methods.is_empty(), entry == at.member) {
            (false, _) => methods.to_vec(),
            (true, false) => verbs_of(self.inputs, entry),
            (true, true) => verbs_in(self.inputs, at, branch),
        };
        self.emit(path, methods, entry);
    }

    fn emit(&mut self, path: &str, methods: Vec<Method>, entry: MemberId) {
        let known =
            self.found.iter().any(|known| known.path == path && known.entry == entry && known.methods == methods);
        if !known {
            self.found.push(Compared { path: path.to_owned(), methods, entry, through: self.open.clone() });
        }
    }

    /// The project method to which a branch delegates: a call that is a statement of the branch, if the branch has few
    /// statements.
    fn calls_project(&self, at: At<'_>, branch: StmtId) -> Option<MemberId> {
        let mut statements = vec![branch];
        while let [only] = statements.as_slice() {
            statements = match &at.body.stmt(*only).kind {
                StmtKind::Block(inner) => inner.clone(),
                StmtKind::Try { body, .. } => vec![*body],
                _ => break,
            };
        }
        if statements.len() > 3 {
            return None;
        }
        statements.iter().find_map(|stmt| {
            let expr = match &at.body.stmt(*stmt).kind {
                StmtKind::Expr(expr) | StmtKind::Return(Some(expr)) => *expr,
                _ => return None,
            };
            self.callee(at, expr)
        })
    }

    /// The project method that a call invokes, by the declared type of its target.
    fn callee(&self, at: At<'_>, id: ExprId) -> Option<MemberId> {
        let project = self.inputs.project;
        let ExprKind::Call { target, name, args, .. } = &at.body.expr(id).kind else { return None };
        let ty = match target {
            None => at.member.ty,
            Some(target) => self.type_of(at, *target)?,
        };
        project.find_method(ty, name, args.len()).into_iter().find(|member| project.member(*member).body.is_some())
    }

    fn type_of(&self, at: At<'_>, target: ExprId) -> Option<TypeId> {
        let project = self.inputs.project;
        let (named, scope) = match &at.body.expr(target).kind {
            ExprKind::This(None) => return Some(at.member.ty),
            ExprKind::New { ty, .. } => (ty.name.to_string(), at.member.ty),
            _ => {
                let written = dotted(at.body, target)?;
                declared_type(project, at.member, at.body, &written)
                    .map_or((written, at.member.ty), |(ty, scope)| (ty.name.to_string(), scope))
            }
        };
        match project.resolve(scope, &named) {
            Named::Project(id) => Some(id),
            _ => None,
        }
    }

    /// Follows calls that pass on the path.
    fn calls(&mut self, at: At<'_>, stmt: StmtId, paths: &Paths) {
        for expr in held(at.body, stmt) {
            for id in below(at.body, expr) {
                let ExprKind::Call { args, .. } = &at.body.expr(id).kind else { continue };
                let handed: Vec<(usize, String)> = args
                    .iter()
                    .enumerate()
                    .filter_map(|(index, arg)| Some((index, self.path(at, *arg, paths, 0)?)))
                    .collect();
                if handed.is_empty() {
                    continue;
                }
                let Some(callee) = self.callee(at, id) else { continue };
                let params = &self.inputs.project.member(callee).params;
                let within = handed
                    .into_iter()
                    .filter_map(|(index, cut)| Some((params.get(index)?.name.clone(), cut)))
                    .collect();
                self.enter(callee, within);
            }
        }
    }

    /// The prefix that was removed from the request's path to get this expression; `None` for any other expression.
    fn path(&self, at: At<'_>, id: ExprId, paths: &Paths, depth: usize) -> Option<String> {
        if depth > 16 {
            return None;
        }
        match &at.body.expr(id).kind {
            ExprKind::Name(name) => paths.get(name.as_str()).cloned(),
            ExprKind::Call { target: Some(target), name, args, .. } => {
                if let Some(cut) = self.path(at, *target, paths, depth + 1) {
                    return match (name.as_str(), args.as_slice()) {
                        ("substring", [from, ..]) => Some(cut.clone() + &self.prefix_of_length(at, *from)?),
                        ("replace" | "replaceFirst" | "replaceAll", [what, with]) => {
                            let what = string_of(self.inputs.project, at.member.ty, at.body, *what)?.0;
                            let with = string_of(self.inputs.project, at.member.ty, at.body, *with)?.0;
                            Some(if with.is_empty() && what.starts_with('/') { cut + &what } else { cut })
                        }
                        ("trim" | "toLowerCase" | "toString" | "strip" | "intern", _) => Some(cut),
                        _ => None,
                    };
                }
                let of_uri = matches!(name.as_str(), "getPath" | "getRawPath" | "toString" | "toASCIIString");
                (of_uri && self.is_uri(at, *target, 0)).then(String::new)
            }
            _ => None,
        }
    }

    fn is_uri(&self, at: At<'_>, id: ExprId, depth: usize) -> bool {
        below(at.body, id).into_iter().any(|id| match &at.body.expr(id).kind {
            ExprKind::Call { name, .. } => name == "getRequestURI",
            ExprKind::Name(name) if depth < 4 => {
                local(at.body, name).is_some_and(|init| self.is_uri(at, init, depth + 1))
            }
            _ => false,
        })
    }

    /// The string whose length an expression gives: `"/v1/".length()`, `PREFIX.length()`, or an integer that is the
    /// length of a string compared by `startsWith`.
    fn prefix_of_length(&self, at: At<'_>, id: ExprId) -> Option<String> {
        match &at.body.expr(id).kind {
            ExprKind::Call { target: Some(target), name, .. } if name == "length" => {
                string_of(self.inputs.project, at.member.ty, at.body, *target).map(|(text, _)| text)
            }
            ExprKind::Lit(Lit::Int(length)) => at.body.exprs.iter().find_map(|expr| {
                let ExprKind::Call { name, args, .. } = &expr.kind else { return None };
                let (true, [arg]) = (name == "startsWith", args.as_slice()) else { return None };
                let (text, _) = string_of(self.inputs.project, at.member.ty, at.body, *arg)?;
                (i32::try_from(text.chars().count()) == Ok(*length)).then_some(text)
            }),
            _ => None,
        }
    }

    fn condition(&self, at: At<'_>, id: ExprId, paths: &Paths) -> Condition {
        let project = self.inputs.project;
        match &at.body.expr(id).kind {
            ExprKind::Binary { op: BinaryOp::And | BinaryOp::Or, left, right } => {
                let (left, right) = (self.condition(at, *left, paths), self.condition(at, *right, paths));
                Condition {
                    equals: [left.equals, right.equals].concat(),
                    starts: [left.starts, right.starts].concat(),
                    methods: [left.methods, right.methods].concat(),
                    negated: left.negated || right.negated,
                }
            }
            ExprKind::Unary { op: UnaryOp::Not, operand } => {
                let said = self.condition(at, *operand, paths);
                Condition { negated: !said.negated, ..said }
            }
            ExprKind::Call { target: Some(target), name, args, .. } => {
                let [arg] = args.as_slice() else { return Condition::default() };
                let text = |id: ExprId| string_of(project, at.member.ty, at.body, id).map(|(text, _)| text);
                let equal = matches!(name.as_str(), "equals" | "equalsIgnoreCase" | "contentEquals");
                if let (true, Some(verb)) = (equal, verb(at.body, *target, *arg, &text)) {
                    return Condition { methods: vec![verb], ..Condition::default() };
                }
                let pair = match (self.path(at, *target, paths, 0), self.path(at, *arg, paths, 0)) {
                    (Some(cut), _) => text(*arg).map(|text| (cut, text)),
                    (None, Some(cut)) if equal => text(*target).map(|text| (cut, text)),
                    _ => None,
                };
                match pair {
                    Some((cut, text)) if equal => {
                        Condition { equals: vec![whole(&cut, &text)], ..Condition::default() }
                    }
                    Some((cut, text)) if name == "startsWith" => {
                        Condition { starts: vec![whole(&cut, &text)], ..Condition::default() }
                    }
                    _ => Condition::default(),
                }
            }
            _ => Condition::default(),
        }
    }
}

/// The full path: the prefix that was cut off, and the string that the rest is compared with.
fn whole(cut: &str, text: &str) -> String {
    format!("{cut}{text}")
}

/// All statements of a branch, nested ones included.
fn all(body: &Body, branch: StmtId) -> Vec<StmtId> {
    let mut found = vec![branch];
    let mut next = 0;
    while let Some(stmt) = found.get(next).copied() {
        found.extend(inner(body, stmt));
        next += 1;
    }
    found
}

/// The HTTP method that one of two expressions names, if the other is the request's method.
fn verb(body: &Body, one: ExprId, two: ExprId, text: &dyn Fn(ExprId) -> Option<String>) -> Option<Method> {
    let is_method = |id: ExprId| {
        below(body, id).into_iter().any(|id| match &body.expr(id).kind {
            ExprKind::Call { name, .. } => name == "getRequestMethod",
            ExprKind::Name(name) => local(body, name).is_some_and(|init| {
                below(body, init)
                    .into_iter()
                    .any(|id| matches!(&body.expr(id).kind, ExprKind::Call { name, .. } if name == "getRequestMethod"))
            }),
            _ => false,
        })
    };
    let named = if is_method(one) {
        text(two)
    } else if is_method(two) {
        text(one)
    } else {
        None
    };
    named.and_then(|name| Method::parse(&name))
}

/// The HTTP methods with which a member compares the request's, directly or in a short method that it calls first
/// (`requireGet(exchange)`).
pub fn verbs_of(inputs: &Inputs<'_>, member: MemberId) -> Vec<Method> {
    let mut found = verbs(inputs, member);
    if found.is_empty() {
        let Some(body) = inputs.project.body(member) else { return found };
        let compare = Compare::new(inputs);
        for at in 0..body.exprs.len() {
            let id = ExprId(u32::try_from(at).unwrap_or(u32::MAX));
            if let Some(callee) = compare.callee(At { body: &body, member }, id) {
                let short = inputs.project.body(callee).is_some_and(|body| body.stmts.len() <= 4);
                if short && callee != member {
                    found.extend(verbs(inputs, callee));
                }
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn verbs(inputs: &Inputs<'_>, member: MemberId) -> Vec<Method> {
    let Some(body) = inputs.project.body(member) else { return Vec::new() };
    let text = |id: ExprId| string_of(inputs.project, member.ty, &body, id).map(|(text, _)| text);
    let mut found: Vec<Method> = body
        .exprs
        .iter()
        .filter_map(|expr| match &expr.kind {
            ExprKind::Call { target: Some(target), name, args, .. }
                if matches!(name.as_str(), "equals" | "equalsIgnoreCase") =>
            {
                verb(&body, *target, *args.first()?, &text)
            }
            _ => None,
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

fn verbs_in(inputs: &Inputs<'_>, at: At<'_>, branch: StmtId) -> Vec<Method> {
    let text = |id: ExprId| string_of(inputs.project, at.member.ty, at.body, id).map(|(text, _)| text);
    let mut found = Vec::new();
    for stmt in all(at.body, branch) {
        for expr in held(at.body, stmt) {
            for id in below(at.body, expr) {
                if let ExprKind::Call { target: Some(target), name, args, .. } = &at.body.expr(id).kind
                    && matches!(name.as_str(), "equals" | "equalsIgnoreCase")
                {
                    found.extend(args.first().and_then(|arg| verb(at.body, *target, *arg, &text)));
                }
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
