//! Resolves one body: walks over its statements and tracks the variables in scope.

use std::rc::Rc;

use super::flow;
use crate::ir::body::{Body, ExprId, LambdaBody, Root, StmtId, StmtKind};
use crate::ir::calls::{ByExpr, Declares, Locals, Resolved, Variable};
use crate::ir::facts::{MemberKind, TypeRef};
use crate::ir::ids::{MemberId, TypeId};
use crate::ir::name::Name;
use crate::ir::ty::Ty;
use crate::types::typing::Types;

/// State of resolving a body.
pub(super) struct BodyResolver<'r, 'p> {
    pub(crate) types: &'r Types<'p>,
    pub(crate) body: &'r Body,
    pub(crate) member: MemberId,
    scopes: Rc<[TypeId]>,
    pub(crate) locals: Locals,
    /// How many of the locals belong to enclosing bodies.
    pub(crate) captured: usize,
    /// The node that declares the current pattern variables, and how many it has declared so far.
    pub(crate) patterns: (Declares, u32),
    /// Per enclosing body, innermost last: the expected type of `return`, and the type returned so far.
    pub(crate) returns: Vec<(Ty, Option<Ty>)>,
    /// Per enclosing switch, innermost last: the expected type of `yield`, and the type yielded so far.
    pub(crate) yields: Vec<(Ty, Option<Ty>)>,
    /// Library type names already checked for being missing.
    noted: Vec<Name>,
    /// How many more times arguments may be typed again once their parameter types are known.
    pub(crate) retries: usize,
    pub(crate) out: Resolved,
}

impl<'r, 'p> BodyResolver<'r, 'p> {
    /// A walk over the body of `member`, with the variables of the enclosing bodies.
    pub(crate) fn new(types: &'r Types<'p>, member: MemberId, body: &'r Body, around: Locals) -> Self {
        let mut locals = around;
        locals.iter_mut().for_each(|variable| variable.slot = None);
        let captured = locals.len();
        let signature = types.signature(member);
        let count = body.exprs.len();
        let targets = ByExpr::with_room(count, count * 3 / 4);
        let out = Resolved { types: vec![Ty::Unknown; count], targets, ..Resolved::default() };
        let returns = vec![(signature.ret.clone(), None)];
        let retries = body.exprs.len() * 4 + 16;
        let patterns = (Declares::Body, 0);
        let scopes = std::iter::successors(Some(member.ty), |id| types.project.outer(*id)).collect();
        let (yields, noted) = (Vec::new(), Vec::new());
        let mut walk =
            Self { types, body, member, scopes, locals, captured, patterns, returns, yields, noted, retries, out };
        let facts = types.project.member(member);
        for (index, (param, ty)) in facts.params.iter().zip(&signature.params).enumerate() {
            let ty = if param.varargs { Ty::array(ty.clone()) } else { ty.clone() };
            walk.declare((Declares::Body, index as u32), &param.name, ty);
        }
        walk
    }

    /// Runs the walk and returns the result.
    pub(crate) fn run(mut self) -> Resolved {
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
        let types = std::mem::take(&mut self.out.types);
        types.iter().for_each(|ty| self.note_missing(ty));
        self.out.types = types;
        let mut touched = Vec::new();
        self.out.types.iter().for_each(|ty| ty.projects(&mut touched));
        touched.sort_unstable();
        touched.dedup();
        self.out.touched.extend(touched);
        self.out.unresolved.sort();
        self.out.unresolved.dedup();
        self.out
    }

    /// The type that contains the body.
    pub(crate) fn scope(&self) -> TypeId {
        self.member.ty
    }

    /// The enclosing types of the body, innermost first.
    pub(super) fn scopes(&self) -> Rc<[TypeId]> {
        self.scopes.clone()
    }

    /// Resolves a written type.
    pub(crate) fn read(&mut self, r: &TypeRef) -> Ty {
        let ty = self.types.read(self.scope(), Some(self.member), r);
        let mut found = Vec::new();
        ty.projects(&mut found);
        self.out.touched.extend(found);
        self.note_missing(&ty);
        ty
    }

    /// Records type names that have no declaration.
    pub(super) fn note_missing(&mut self, ty: &Ty) {
        match ty {
            Ty::Library { fqn, args } => {
                if !self.noted.contains(fqn) {
                    self.noted.push(*fqn);
                    if self.types.is_missing(fqn) {
                        self.out.missing.insert(fqn.trim_start_matches('?').to_owned());
                    }
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

    /// Brings a variable into scope. It keeps its index even if its declaration is walked several times.
    pub(super) fn declare(&mut self, at: (Declares, u32), name: &str, ty: Ty) {
        let next = self.out.locals.len() as u32;
        let slot = *self.out.slots.entry(at).or_insert(next);
        let variable = Variable { name: name.to_owned(), ty, slot: Some(slot) };
        match self.out.locals.get_mut(slot as usize) {
            Some(known) => *known = variable.clone(),
            None => self.out.locals.push(variable.clone()),
        }
        self.locals.push(variable);
    }

    /// Resolves an expression and drops its pattern variables from the scope.
    fn lone(&mut self, id: ExprId, expected: &Ty) -> Ty {
        let mark = self.locals.len();
        let ty = self.expr(id, expected);
        self.locals.truncate(mark);
        ty
    }

    /// Resolves the condition of a statement; returns its pattern variables without leaving them in scope.
    fn condition(&mut self, id: ExprId) -> Locals {
        let mark = self.locals.len();
        self.expr(id, &Ty::prim("boolean"));
        self.locals.split_off(mark)
    }

    /// Runs `inner` with those variables of the condition in scope that are bound when it evaluates to `truth` (JLS
    /// §6.3.1).
    fn with_bound(&mut self, condition: ExprId, truth: bool, found: &Locals, inner: impl FnOnce(&mut Self)) {
        let mark = self.locals.len();
        let bound = self.bound(condition, truth, found);
        self.locals.extend(bound);
        inner(self);
        self.locals.truncate(mark);
    }

    fn bound(&self, condition: ExprId, truth: bool, found: &Locals) -> Locals {
        let mut owners = Vec::new();
        flow::binds(self.body, condition, truth, &mut owners);
        let mut slots: Vec<u32> = Vec::new();
        for owner in owners {
            let from = (Declares::Expr(owner), 0);
            let to = (Declares::Expr(owner), u32::MAX);
            slots.extend(self.out.slots.range(from..=to).map(|(_, slot)| *slot));
        }
        found.iter().filter(|variable| variable.slot.is_some_and(|slot| slots.contains(&slot))).cloned().collect()
    }

    pub(crate) fn stmt(&mut self, id: StmtId) {
        let body = self.body;
        match &body.stmt(id).kind {
            StmtKind::Block(inner) => self.scoped(|walk| inner.iter().for_each(|stmt| walk.stmt(*stmt))),
            StmtKind::Local(locals) => {
                for (index, local) in locals.iter().enumerate() {
                    let declared = self.read(&local.ty);
                    let found = local.init.map(|init| self.lone(init, &declared));
                    let ty = if local.ty.name == "var" { found.unwrap_or(Ty::Unknown) } else { declared };
                    self.declare((Declares::Stmt(id), index as u32), &local.name, ty);
                }
            }
            StmtKind::LocalType(place) => {
                self.out.captures.insert(*place, self.locals.clone());
            }
            StmtKind::Expr(expr) => {
                self.lone(*expr, &Ty::Unknown);
            }
            StmtKind::If { .. } => self.if_chain(id),
            StmtKind::While { condition, body } => {
                let found = self.condition(*condition);
                self.with_bound(*condition, true, &found, |walk| walk.stmt(*body));
                if !flow::breaks(self.body, *body) {
                    let bound = self.bound(*condition, false, &found);
                    self.locals.extend(bound);
                }
            }
            StmtKind::DoWhile { body, condition } => {
                self.scoped(|walk| walk.stmt(*body));
                let found = self.condition(*condition);
                if !flow::breaks(self.body, *body) {
                    let bound = self.bound(*condition, false, &found);
                    self.locals.extend(bound);
                }
            }
            StmtKind::For { init, condition, update, body } => {
                let mut after = Vec::new();
                self.scoped(|walk| {
                    init.iter().for_each(|stmt| walk.stmt(*stmt));
                    let found = condition.map(|condition| (condition, walk.condition(condition)));
                    let bound = found.as_ref().map(|(condition, found)| walk.bound(*condition, true, found));
                    walk.locals.extend(bound.unwrap_or_default());
                    walk.stmt(*body);
                    update.iter().for_each(|expr| {
                        walk.lone(*expr, &Ty::Unknown);
                    });
                    if let Some((condition, found)) = &found
                        && !flow::breaks(walk.body, *body)
                    {
                        after = walk.bound(*condition, false, found);
                    }
                });
                self.locals.extend(after);
            }
            StmtKind::ForEach { ty, name, items, body } => {
                let declared = self.read(ty);
                let items = self.lone(*items, &Ty::Unknown);
                let ty = if ty.name == "var" { self.element(&items) } else { declared };
                self.scoped(|walk| {
                    walk.declare((Declares::Stmt(id), 0), name, ty);
                    walk.stmt(*body);
                });
            }
            StmtKind::Return(value) => {
                let expected = self.returns.last().map_or(Ty::Unknown, |(expected, _)| expected.clone());
                if let Some(value) = value {
                    let found = self.lone(*value, &expected);
                    if let Some((_, returned)) = self.returns.last_mut() {
                        *returned = Some(better(returned.take(), found));
                    }
                }
            }
            StmtKind::Yield(value) => {
                let expected = self.yields.last().map_or(Ty::Unknown, |(expected, _)| expected.clone());
                let found = self.lone(*value, &expected);
                if let Some((_, given)) = self.yields.last_mut() {
                    *given = Some(better(given.take(), found));
                }
            }
            StmtKind::Throw(value) => {
                self.lone(*value, &Ty::Unknown);
            }
            StmtKind::Try { resources, body, catches, finally } => {
                self.scoped(|walk| {
                    resources.iter().for_each(|stmt| walk.stmt(*stmt));
                    walk.stmt(*body);
                });
                for (index, catch) in catches.iter().enumerate() {
                    let types: Vec<Ty> = catch.types.iter().map(|ty| self.read(ty)).collect();
                    let ty = if let [only] = types.as_slice() { only.clone() } else { self.either(&types) };
                    self.scoped(|walk| {
                        walk.declare((Declares::Stmt(id), index as u32), &catch.name, ty);
                        walk.stmt(catch.body);
                    });
                }
                if let Some(finally) = finally {
                    self.stmt(*finally);
                }
            }
            StmtKind::Switch { selector, arms } => {
                let selector = self.lone(*selector, &Ty::Unknown);
                self.arms(Declares::Stmt(id), &selector, arms);
            }
            StmtKind::Labeled { body, .. } => self.stmt(*body),
            StmtKind::Synchronized { lock, body } => {
                self.lone(*lock, &Ty::Unknown);
                self.stmt(*body);
            }
            StmtKind::Assert { condition, message } => {
                self.lone(*condition, &Ty::prim("boolean"));
                if let Some(message) = message {
                    self.lone(*message, &Ty::Unknown);
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

    /// `if … else if … else …`. Variables of a pattern stay in scope after `if (!(x instanceof A a)) return;` (JLS
    /// §6.3.2.2).
    fn if_chain(&mut self, id: StmtId) {
        let body = self.body;
        let mark = self.locals.len();
        let mut at = id;
        loop {
            let StmtKind::If { condition, then, otherwise } = &body.stmt(at).kind else {
                self.scoped(|walk| walk.stmt(at));
                break;
            };
            let found = self.condition(*condition);
            self.with_bound(*condition, true, &found, |walk| walk.stmt(*then));
            let bound = self.bound(*condition, false, &found);
            match otherwise {
                Some(next) => {
                    self.locals.extend(bound);
                    at = *next;
                }
                None => {
                    if at == id && !flow::completes(body, *then) {
                        self.locals.extend(bound);
                        return;
                    }
                    break;
                }
            }
        }
        self.locals.truncate(mark);
    }

    /// The element type of a loop over a value of this type.
    pub(crate) fn element(&self, items: &Ty) -> Ty {
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

    /// The type of a value that has one of several types. Their common supertype is not computed.
    pub(super) fn either(&self, types: &[Ty]) -> Ty {
        let mut known: Vec<&Ty> = types.iter().filter(|ty| !matches!(ty, Ty::Null)).collect();
        known.dedup();
        match known.as_slice() {
            [] => Ty::Null,
            [only] => (*only).clone(),
            [one, other] if self.types.fit(one, other) == crate::types::typing::Fit::Strict => (*other).clone(),
            [one, other] if self.types.fit(other, one) == crate::types::typing::Fit::Strict => (*one).clone(),
            _ if known.iter().any(|ty| ty.is_unknown()) => Ty::Unknown,
            _ => self.carried(types),
        }
    }

    /// Resolves a lambda with these parameter types; returns its result type.
    pub(crate) fn lambda(&mut self, id: ExprId, params: &[Ty], expected: &Ty) -> Ty {
        let body = self.body;
        let crate::ir::body::ExprKind::Lambda { params: declared, body: inner } = &body.expr(id).kind else {
            return Ty::Unknown;
        };
        let mark = self.locals.len();
        for (index, param) in declared.iter().enumerate() {
            let written = self.read(&param.ty);
            let given = params.get(index).cloned().unwrap_or(Ty::Unknown);
            let at = (Declares::Expr(id), index as u32);
            self.declare(at, &param.name, if param.ty.name == "var" { given } else { written });
        }
        let found = match inner {
            LambdaBody::Expr(expr) => self.lone(*expr, expected),
            LambdaBody::Block(block) => {
                self.returns.push((expected.clone(), None));
                self.stmt(*block);
                self.returns.pop().and_then(|(_, returned)| returned).unwrap_or(Ty::prim("void"))
            }
        };
        self.locals.truncate(mark);
        found
    }

    /// The type of `super`.
    pub(super) fn super_type(&self) -> Ty {
        let extends = !self.types.project.ty(self.scope()).extends.is_empty();
        let supers = &self.types.members_of(self.scope()).supers;
        supers.first().filter(|_| extends).cloned().unwrap_or_else(|| Ty::library("java.lang.Object"))
    }
}

/// The better known of two result types of one body.
fn better(known: Option<Ty>, found: Ty) -> Ty {
    match known {
        Some(known) if matches!(found, Ty::Null) || (found.is_partial() && !matches!(known, Ty::Null)) => known,
        _ => found,
    }
}
