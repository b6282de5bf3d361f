//! Resolving one body: a walk over its statements that knows which variables are in scope.

use super::body::{Body, ExprId, LambdaBody, Pattern, Root, StmtId, StmtKind, SwitchArm};
use super::calls::{Locals, Resolved, Target};
use super::facts::{MemberKind, TypeRef};
use super::ids::{MemberId, TypeId};
use super::ty::Ty;
use super::typing::Types;

/// A body while it is being resolved.
pub(super) struct Walk<'r, 'p> {
    pub(super) types: &'r Types<'p>,
    pub(super) body: &'r Body,
    pub(super) member: MemberId,
    pub(super) locals: Locals,
    /// How many of the locals belong to bodies around this one.
    pub(super) captured: usize,
    /// What `return` should give, innermost body last, and what was returned there.
    pub(super) returns: Vec<(Ty, Option<Ty>)>,
    /// What `yield` should give, innermost switch last, and what it gave.
    pub(super) yields: Vec<(Ty, Option<Ty>)>,
    /// How many more times arguments may be typed again once it is known what they are for.
    pub(super) retries: usize,
    pub(super) out: Resolved,
}

impl<'r, 'p> Walk<'r, 'p> {
    /// A walk over the body of `member`, with the variables of the bodies around it.
    pub(super) fn new(types: &'r Types<'p>, member: MemberId, body: &'r Body, around: Locals) -> Self {
        let mut locals = around;
        let captured = locals.len();
        let signature = types.signature(member);
        let facts = types.project.member(member);
        for (param, ty) in facts.params.iter().zip(&signature.params) {
            let ty = if param.varargs { Ty::Array(Box::new(ty.clone())) } else { ty.clone() };
            locals.push((param.name.clone(), ty));
        }
        let out = Resolved { types: vec![Ty::Unknown; body.exprs.len()], ..Resolved::default() };
        let returns = vec![(signature.ret.clone(), None)];
        let retries = body.exprs.len() * 4 + 16;
        Self { types, body, member, locals, captured, returns, yields: Vec::new(), retries, out }
    }

    /// The result.
    pub(super) fn run(mut self) -> Resolved {
        match self.body.root {
            Some(Root::Stmt(id)) => self.stmt(id),
            Some(Root::Expr(id)) => {
                let expected = match self.types.project.member(self.member).kind {
                    MemberKind::Field => self.types.signature(self.member).ret.clone(),
                    _ => Ty::Unknown,
                };
                self.expr(id, &expected);
            }
            None => {}
        }
        for ty in std::mem::take(&mut self.out.types) {
            self.note_missing(&ty);
            self.out.types.push(ty);
        }
        let mut touched = Vec::new();
        self.out.types.iter().for_each(|ty| ty.projects(&mut touched));
        self.out.touched.extend(touched);
        self.out.unresolved.sort();
        self.out.unresolved.dedup();
        self.out
    }

    /// The type in which the body stands.
    pub(super) fn scope(&self) -> TypeId {
        self.member.ty
    }

    /// The types around the body, innermost first.
    pub(super) fn scopes(&self) -> Vec<TypeId> {
        std::iter::successors(Some(self.scope()), |id| self.types.project.outer(*id)).collect()
    }

    /// What a written type means here.
    pub(super) fn read(&mut self, r: &TypeRef) -> Ty {
        let ty = self.types.read(self.scope(), Some(self.member), r);
        let mut found = Vec::new();
        ty.projects(&mut found);
        self.out.touched.extend(found);
        self.note_missing(&ty);
        ty
    }

    /// Notes type names that nothing declares.
    pub(super) fn note_missing(&mut self, ty: &Ty) {
        match ty {
            Ty::Library { fqn, args } => {
                if self.types.is_missing(fqn) {
                    self.out.missing.insert(fqn.trim_start_matches('?').to_owned());
                }
                args.iter().for_each(|arg| self.note_missing(arg));
            }
            Ty::Project { args, .. } => args.iter().for_each(|arg| self.note_missing(arg)),
            Ty::Array(element) => self.note_missing(element),
            _ => {}
        }
    }

    fn scoped(&mut self, inner: impl FnOnce(&mut Self)) {
        let mark = self.locals.len();
        inner(self);
        self.locals.truncate(mark);
    }

    fn declare(&mut self, name: &str, ty: Ty) {
        self.locals.push((name.to_owned(), ty));
    }

    pub(super) fn stmt(&mut self, id: StmtId) {
        let body = self.body;
        match &body.stmt(id).kind {
            StmtKind::Block(inner) => self.scoped(|walk| inner.iter().for_each(|stmt| walk.stmt(*stmt))),
            StmtKind::Local(locals) => {
                for local in locals {
                    let declared = self.read(&local.ty);
                    let found = local.init.map(|init| self.expr(init, &declared));
                    let ty = if local.ty.name == "var" { found.unwrap_or(Ty::Unknown) } else { declared };
                    self.declare(&local.name, ty);
                }
            }
            StmtKind::LocalType(place) => {
                self.out.captures.insert(*place, self.locals.clone());
            }
            StmtKind::Expr(expr) => {
                self.expr(*expr, &Ty::Unknown);
            }
            StmtKind::If { .. } => self.if_chain(id),
            StmtKind::While { condition, body } => {
                self.expr(*condition, &Ty::prim("boolean"));
                self.scoped(|walk| walk.stmt(*body));
            }
            StmtKind::DoWhile { body, condition } => {
                self.scoped(|walk| walk.stmt(*body));
                self.expr(*condition, &Ty::prim("boolean"));
            }
            StmtKind::For { init, condition, update, body } => self.scoped(|walk| {
                init.iter().for_each(|stmt| walk.stmt(*stmt));
                if let Some(condition) = condition {
                    walk.expr(*condition, &Ty::prim("boolean"));
                }
                walk.stmt(*body);
                update.iter().for_each(|expr| {
                    walk.expr(*expr, &Ty::Unknown);
                });
            }),
            StmtKind::ForEach { ty, name, items, body } => {
                let declared = self.read(ty);
                let items = self.expr(*items, &Ty::Unknown);
                let ty = if ty.name == "var" { self.element(&items) } else { declared };
                self.scoped(|walk| {
                    walk.declare(name, ty);
                    walk.stmt(*body);
                });
            }
            StmtKind::Return(value) => {
                let expected = self.returns.last().map_or(Ty::Unknown, |(expected, _)| expected.clone());
                if let Some(value) = value {
                    let found = self.expr(*value, &expected);
                    if let Some((_, returned)) = self.returns.last_mut() {
                        *returned = Some(better(returned.take(), found));
                    }
                }
            }
            StmtKind::Yield(value) => {
                let expected = self.yields.last().map_or(Ty::Unknown, |(expected, _)| expected.clone());
                let found = self.expr(*value, &expected);
                if let Some((_, given)) = self.yields.last_mut() {
                    *given = Some(better(given.take(), found));
                }
            }
            StmtKind::Throw(value) => {
                self.expr(*value, &Ty::Unknown);
            }
            StmtKind::Try { resources, body, catches, finally } => {
                self.scoped(|walk| {
                    resources.iter().for_each(|stmt| walk.stmt(*stmt));
                    walk.stmt(*body);
                });
                for catch in catches {
                    let types: Vec<Ty> = catch.types.iter().map(|ty| self.read(ty)).collect();
                    let ty = if let [only] = types.as_slice() { only.clone() } else { self.either(&types) };
                    self.scoped(|walk| {
                        walk.declare(&catch.name, ty);
                        walk.stmt(catch.body);
                    });
                }
                if let Some(finally) = finally {
                    self.stmt(*finally);
                }
            }
            StmtKind::Switch { selector, arms } => {
                let selector = self.expr(*selector, &Ty::Unknown);
                self.arms(&selector, arms);
            }
            StmtKind::Labeled { body, .. } => self.stmt(*body),
            StmtKind::Synchronized { lock, body } => {
                self.expr(*lock, &Ty::Unknown);
                self.stmt(*body);
            }
            StmtKind::Assert { condition, message } => {
                self.expr(*condition, &Ty::prim("boolean"));
                if let Some(message) = message {
                    self.expr(*message, &Ty::Unknown);
                }
            }
            StmtKind::ConstructorCall { is_super, outer, args } => {
                if let Some(outer) = outer {
                    self.expr(*outer, &Ty::Unknown);
                }
                let ty = if *is_super { self.super_type() } else { self.types.this_type(self.scope()) };
                let target = self.construct(&ty, args, false, &Ty::Unknown).0;
                self.out.constructor_calls.insert(id, target);
            }
            StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Empty | StmtKind::Unknown(_) => {}
        }
    }

    fn if_chain(&mut self, id: StmtId) {
        let body = self.body;
        let mut at = Some(id);
        while let Some(id) = at {
            let StmtKind::If { condition, then, otherwise } = &body.stmt(id).kind else { return self.stmt(id) };
            // Pattern variables of the condition stay in scope: `if (!(x instanceof A a)) return; a.b();`.
            self.expr(*condition, &Ty::prim("boolean"));
            self.scoped(|walk| walk.stmt(*then));
            at = *otherwise;
        }
    }

    /// The arms of a switch over a value of this type.
    pub(super) fn arms(&mut self, selector: &Ty, arms: &[SwitchArm]) {
        let mark = self.locals.len();
        for arm in arms {
            for label in &arm.labels {
                self.label(selector, *label);
            }
            for pattern in &arm.patterns {
                self.pattern(pattern, selector);
            }
            if let Some(guard) = arm.guard {
                self.expr(guard, &Ty::prim("boolean"));
            }
            arm.body.iter().for_each(|stmt| self.stmt(*stmt));
            if arm.arrow {
                self.locals.truncate(mark);
            }
        }
        self.locals.truncate(mark);
    }

    /// A label is a constant of the selector's enum, or an expression.
    fn label(&mut self, selector: &Ty, label: ExprId) {
        if let super::body::ExprKind::Name(name) = &self.body.expr(label).kind
            && let Some((field, ty)) = self.types.field(selector, name)
            && self.types.project.member(field).kind == MemberKind::EnumConstant
        {
            self.out.targets.insert(label, Target::Field(field));
            self.out.types[label.0 as usize] = ty;
            return;
        }
        self.expr(label, selector);
    }

    /// Declares the variables of a pattern.
    pub(super) fn pattern(&mut self, pattern: &Pattern, value: &Ty) {
        match pattern {
            Pattern::Type { ty, name } => {
                let read = self.read(ty);
                let ty = if ty.name == "var" { value.clone() } else { read };
                if let Some(name) = name {
                    self.declare(name, ty);
                }
            }
            Pattern::Record { ty, parts } => {
                let mut ty = self.read(ty);
                if self.types.supers_of(value).first().is_some_and(|own| own.erased() == ty.erased()) {
                    ty = value.clone();
                }
                let components = self.components(&ty);
                for (index, part) in parts.iter().enumerate() {
                    self.pattern(part, components.get(index).unwrap_or(&Ty::Unknown));
                }
            }
            Pattern::Any => {}
        }
    }

    fn components(&self, record: &Ty) -> Vec<Ty> {
        let Some(id) = record.as_project() else { return Vec::new() };
        let project = self.types.project;
        project
            .members(id)
            .filter(|member| project.member(*member).kind == MemberKind::RecordComponent)
            .filter_map(|member| self.types.field(record, &project.member(member).name).map(|(_, ty)| ty))
            .collect()
    }

    /// The type of the elements that a loop over this value gives.
    pub(super) fn element(&self, items: &Ty) -> Ty {
        match items {
            Ty::Array(element) => (**element).clone(),
            Ty::Opaque(_) => items.clone(),
            Ty::Var(name) => self.element(&self.types.bound(self.scope(), Some(self.member), name)),
            _ => {
                let supers = self.types.supers_of(items);
                let found = supers.iter().find_map(|base| match base {
                    Ty::Library { fqn, args } if &**fqn == "java.lang.Iterable" => args.first().cloned(),
                    _ => None,
                });
                found.unwrap_or_else(|| self.carried(std::slice::from_ref(items)))
            }
        }
    }

    /// One of several types: what they have in common is not worked out.
    pub(super) fn either(&self, types: &[Ty]) -> Ty {
        let mut known: Vec<&Ty> = types.iter().filter(|ty| !matches!(ty, Ty::Null)).collect();
        known.dedup();
        match known.as_slice() {
            [] => Ty::Null,
            [only] => (*only).clone(),
            [one, other] if self.types.fit(one, other) == super::typing::Fit::Strict => (*other).clone(),
            [one, other] if self.types.fit(other, one) == super::typing::Fit::Strict => (*one).clone(),
            _ if known.iter().any(|ty| ty.is_unknown()) => Ty::Unknown,
            _ => self.carried(types),
        }
    }

    /// A lambda whose parameters have these types; gives the type of its result.
    pub(super) fn lambda(&mut self, id: ExprId, params: &[Ty], expected: &Ty) -> Ty {
        let body = self.body;
        let super::body::ExprKind::Lambda { params: declared, body: inner } = &body.expr(id).kind else {
            return Ty::Unknown;
        };
        let mark = self.locals.len();
        for (index, param) in declared.iter().enumerate() {
            let written = self.read(&param.ty);
            let given = params.get(index).cloned().unwrap_or(Ty::Unknown);
            self.declare(&param.name, if param.ty.name == "var" { given } else { written });
        }
        let found = match inner {
            LambdaBody::Expr(expr) => self.expr(*expr, expected),
            LambdaBody::Block(block) => {
                self.returns.push((expected.clone(), None));
                self.stmt(*block);
                self.returns.pop().and_then(|(_, returned)| returned).unwrap_or(Ty::prim("void"))
            }
        };
        self.locals.truncate(mark);
        found
    }

    /// What `super` is here.
    pub(super) fn super_type(&self) -> Ty {
        let extends = !self.types.project.ty(self.scope()).extends.is_empty();
        let supers = &self.types.members_of(self.scope()).supers;
        supers.first().filter(|_| extends).cloned().unwrap_or_else(|| Ty::library("java.lang.Object"))
    }
}

/// The better known of two types that one body returns.
fn better(known: Option<Ty>, found: Ty) -> Ty {
    match known {
        Some(known) if matches!(found, Ty::Null) || (found.is_partial() && !matches!(known, Ty::Null)) => known,
        _ => found,
    }
}
