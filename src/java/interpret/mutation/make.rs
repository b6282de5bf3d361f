//! Builds a mutant: the code of a member with one mutation applied.

use std::sync::Arc;

use super::kinds::{Change, Mutation, Returned};
use crate::interpret::linking::code::{Code, Link, NO_SLOT};
use crate::interpret::values::java_type::Type;
use crate::interpret::values::scalar::Scalar;
use crate::ir::body::{BinaryOp, Body, Expr, ExprId, ExprKind, LambdaBody, Lit, Stmt, StmtId, StmtKind, UnaryOp};
use crate::ir::calls::Resolved;
use crate::ir::facts::Span;

/// The code with the mutation applied.
pub fn mutant(code: &Code, mutation: &Mutation) -> Code {
    let mut made = MutantBuilder {
        body: Body::clone(&code.body),
        resolved: None,
        links: code.links.clone(),
        declared: code.declared.clone(),
    };
    made.change(code, &mutation.change);
    let MutantBuilder { body, resolved, links, declared } = made;
    Code {
        body: Arc::new(body),
        resolved: resolved.map_or_else(|| code.resolved.clone(), Arc::new),
        links,
        declared,
        ..code.clone()
    }
}

struct MutantBuilder {
    body: Body,
    resolved: Option<Resolved>,
    links: Vec<Link>,
    declared: Vec<u32>,
}

impl MutantBuilder {
    fn change(&mut self, code: &Code, change: &Change) {
        match change {
            Change::Replace(id, kind) => self.set(*id, kind.clone(), None),
            Change::Operand(id, operand) => {
                self.set(*id, ExprKind::Unary { op: UnaryOp::Plus, operand: *operand }, None);
            }
            Change::Always(id, value) => {
                let asked = self.moved(code, *id);
                let span = self.body.expr(*id).span;
                let constant = self.constant(span, Scalar::Bool(*value));
                let op = if *value { BinaryOp::BitOr } else { BinaryOp::BitAnd };
                let link = Link::Binary { text: Some(false), boxed: (None, Some(false)) };
                self.set(*id, ExprKind::Binary { op, left: asked, right: constant }, Some(link));
            }
            Change::Uncalled(id, parts) => {
                self.set(*id, ExprKind::ArrayInit(parts.clone()), Some(Link::Array(Type::Unknown)));
            }
            Change::Return(id, value, returned) => {
                let span = self.body.stmt(*id).span;
                let block = self.instead(span, *value, returned);
                self.body.stmts[id.0 as usize].kind = StmtKind::Block(block);
            }
            Change::Lambda(id, value, returned) => {
                let span = self.body.expr(*value).span;
                let block = self.instead(span, *value, returned);
                let block = self.stmt(span, StmtKind::Block(block));
                if let ExprKind::Lambda { body, .. } = &mut self.body.exprs[id.0 as usize].kind {
                    *body = LambdaBody::Block(block);
                }
            }
        }
    }

    fn set(&mut self, id: ExprId, kind: ExprKind, link: Option<Link>) {
        self.body.exprs[id.0 as usize].kind = kind;
        if let Some(link) = link {
            self.links[id.0 as usize] = link;
        }
    }

    /// Copies an expression to a new index, with its link and type.
    fn moved(&mut self, code: &Code, id: ExprId) -> ExprId {
        let Expr { kind, span } = self.body.expr(id).clone();
        let new = self.expr(span, kind, code.link(id).clone());
        let resolved = self.resolved.get_or_insert_with(|| Resolved::clone(&code.resolved));
        let ty = resolved.ty(id).clone();
        resolved.types.resize(new.0 as usize, crate::ir::ty::Ty::Unknown);
        resolved.types.push(ty);
        if let Some(target) = resolved.targets.get(&id).cloned() {
            resolved.targets.insert(new, target);
        }
        new
    }

    fn expr(&mut self, span: Span, kind: ExprKind, link: Link) -> ExprId {
        self.body.exprs.push(Expr { kind, span });
        self.links.push(link);
        ExprId((self.body.exprs.len() - 1) as u32)
    }

    fn stmt(&mut self, span: Span, kind: StmtKind) -> StmtId {
        self.body.stmts.push(Stmt { kind, span });
        self.declared.push(NO_SLOT);
        StmtId((self.body.stmts.len() - 1) as u32)
    }

    fn constant(&mut self, span: Span, value: Scalar) -> ExprId {
        self.expr(span, ExprKind::Lit(Lit::Null), Link::Const(value, None))
    }

    /// Statements that evaluate a value and return another one.
    fn instead(&mut self, span: Span, value: ExprId, returned: &Returned) -> Vec<StmtId> {
        let kind = match returned {
            Returned::Constant(_) => ExprKind::Lit(Lit::Null),
            Returned::Library(_, method) => {
                ExprKind::Call { target: None, name: (*method).into(), type_args: Vec::new(), args: Vec::new() }
            }
        };
        let other = self.expr(span, kind, returned.link());
        let first = self.stmt(span, StmtKind::Expr(value));
        vec![first, self.stmt(span, StmtKind::Return(Some(other)))]
    }
}
