//! Finds all mutations of a body, in the order in which the compiler would emit its code.

use std::collections::BTreeSet;

use super::kinds::{Change, Mutation, Mutator, Returned};
use crate::interpret::linking::code::{Code, Link, On};
use crate::interpret::values::java_type::Type;
use crate::interpret::values::scalar::{ClassRef, Prim, Scalar};
use crate::interpret::values::types::known_type;
use crate::ir::body::{BinaryOp, ExprId, ExprKind, LambdaBody, Root, StmtId, StmtKind, UnaryOp};

/// Packages of logging libraries; their calls are not mutated.
const LOGGING: &[&str] =
    &["org.slf4j.", "java.util.logging.", "org.apache.log4j.", "org.apache.logging.", "org.apache.commons.logging."];

/// All mutations of a body.
pub fn mutations(code: &Code) -> Vec<Mutation> {
    let mut finder = Finder { code, line: 0, result: code.result.clone(), logged: BTreeSet::new(), found: Vec::new() };
    match code.body.root {
        Some(Root::Stmt(id)) => finder.stmt(id),
        Some(Root::Expr(id)) => {
            finder.line = code.body.expr(id).span.line;
            finder.expr(id);
        }
        None => {}
    }
    let Finder { logged, mut found, .. } = finder;
    found.retain(|mutation| !logged.contains(&mutation.line));
    found
}

struct Finder<'c> {
    code: &'c Code,
    /// The line number of the code that is being visited.
    line: u32,
    /// The result type of the body, or of the enclosing lambda.
    result: Type,
    /// Lines with calls of a logger.
    logged: BTreeSet<u32>,
    found: Vec<Mutation>,
}

impl Finder<'_> {
    fn add(&mut self, mutator: Mutator, change: Change) {
        let (member, line, at) = (self.code.member, self.line, change.at());
        self.found.push(Mutation { member, mutator, line, at, change });
    }

    fn kind(&self, id: ExprId) -> &ExprKind {
        &self.code.body.expr(id).kind
    }

    fn ty(&self, id: ExprId) -> Type {
        known_type(self.code.resolved.ty(id))
    }

    fn is_constant(&self, id: ExprId) -> bool {
        matches!(self.code.link(id), Link::Const(..))
    }

    fn stmts(&mut self, ids: &[StmtId]) {
        ids.iter().for_each(|id| self.stmt(*id));
    }

    fn stmt(&mut self, id: StmtId) {
        let code = self.code;
        let stmt = code.body.stmt(id);
        self.line = stmt.span.line;
        match &stmt.kind {
            StmtKind::Block(inner) => self.stmts(inner),
            StmtKind::Local(locals) => locals.iter().filter_map(|local| local.init).for_each(|init| self.expr(init)),
            StmtKind::Expr(expr) => self.effect(*expr),
            StmtKind::If { condition, then, otherwise } => {
                self.condition(*condition, false);
                self.stmt(*then);
                otherwise.iter().for_each(|id| self.stmt(*id));
            }
            StmtKind::While { condition, body } => {
                self.line = code.body.expr(*condition).span.line;
                self.condition(*condition, false);
                self.stmt(*body);
            }
            StmtKind::DoWhile { body, condition } => {
                self.stmt(*body);
                self.line = code.body.expr(*condition).span.line;
                self.condition(*condition, true);
            }
            StmtKind::For { init, condition, update, body } => {
                self.stmts(init);
                if let Some(condition) = condition {
                    self.line = code.body.expr(*condition).span.line;
                    self.condition(*condition, false);
                }
                self.stmt(*body);
                for step in update {
                    self.line = code.body.expr(*step).span.line;
                    let before = self.found.len();
                    self.effect(*step);
                    if self.is_endless(*condition, *step) {
                        self.found.truncate(before);
                    }
                }
            }
            StmtKind::ForEach { items, body, .. } => {
                self.expr(*items);
                self.stmt(*body);
            }
            StmtKind::Return(Some(value)) => {
                self.expr(*value);
                self.line = stmt.span.line;
                let result = self.result.clone();
                for (mutator, returned) in self.returned(&result, *value) {
                    self.add(mutator, Change::Return(id, *value, returned));
                }
            }
            StmtKind::Throw(value) | StmtKind::Yield(value) => self.expr(*value),
            StmtKind::Try { resources, body, catches, finally } => {
                self.stmts(resources);
                self.stmt(*body);
                catches.iter().for_each(|catch| self.stmt(catch.body));
                finally.iter().for_each(|id| self.stmt(*id));
            }
            StmtKind::Switch { selector, arms } => {
                self.expr(*selector);
                arms.iter().for_each(|arm| self.stmts(&arm.body));
            }
            StmtKind::Labeled { body, .. } => self.stmt(*body),
            StmtKind::Synchronized { lock, body } => {
                self.expr(*lock);
                self.stmt(*body);
            }
            StmtKind::ConstructorCall { args, .. } => args.iter().for_each(|arg| self.expr(*arg)),
            StmtKind::Return(None)
            | StmtKind::LocalType(_)
            | StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Assert { .. }
            | StmtKind::Empty
            | StmtKind::Unknown(_) => {}
        }
    }

    /// Whether a loop with a bound that is not constant might never end if its counter counted down.
    fn is_endless(&self, condition: Option<ExprId>, step: ExprId) -> bool {
        let bound = condition.and_then(|condition| match self.kind(condition) {
            ExprKind::Binary { right, .. } => Some(*right),
            _ => None,
        });
        let is_plain = |bound| match self.kind(bound) {
            ExprKind::Name(_) | ExprKind::Field { .. } | ExprKind::Call { .. } => !self.is_constant(bound),
            _ => false,
        };
        matches!(self.kind(step), ExprKind::IncDec { .. }) && bound.is_some_and(is_plain)
    }

    /// Visits an expression whose value is discarded.
    fn effect(&mut self, id: ExprId) {
        self.expr(id);
        let (ExprKind::Call { args, .. }, Link::Call(call)) = (self.kind(id), self.code.link(id)) else { return };
        if call.result == Type::Void {
            let on = match call.on {
                On::Value(target) => Some(target),
                _ => None,
            };
            let parts = on.into_iter().chain(args.iter().copied()).collect();
            self.add(Mutator::VoidMethodCall, Change::Uncalled(id, parts));
        }
    }

    /// Visits a condition that compiles to a jump; `jumps_on` is the value for which it jumps.
    fn condition(&mut self, id: ExprId, jumps_on: bool) {
        if self.is_constant(id) {
            return;
        }
        let code = self.code;
        match &code.body.expr(id).kind {
            ExprKind::Binary { op: BinaryOp::And, left, right } => {
                self.condition(*left, false);
                self.condition(*right, jumps_on);
            }
            ExprKind::Binary { op: BinaryOp::Or, left, right } => {
                self.condition(*left, true);
                self.condition(*right, jumps_on);
            }
            ExprKind::Unary { op: UnaryOp::Not, operand } => self.condition(*operand, !jumps_on),
            ExprKind::Conditional { condition, then, otherwise } => {
                self.condition(*condition, false);
                self.line = code.body.expr(*then).span.line;
                self.condition(*then, jumps_on);
                self.line = code.body.expr(*otherwise).span.line;
                self.condition(*otherwise, jumps_on);
            }
            ExprKind::Binary { op, left, right } if is_comparison(*op) => {
                self.expr(*left);
                self.expr(*right);
                self.jump(id, *op, (*left, *right), jumps_on);
            }
            ExprKind::Switch { .. } | ExprKind::Lambda { .. } => self.expr(id),
            _ => {
                self.value(id);
                self.jump(id, BinaryOp::Eq, (id, id), jumps_on);
            }
        }
    }

    /// Adds the mutations of one jump.
    fn jump(&mut self, id: ExprId, op: BinaryOp, (left, right): (ExprId, ExprId), jumps_on: bool) {
        let moved = match op {
            BinaryOp::Lt => Some(BinaryOp::Le),
            BinaryOp::Le => Some(BinaryOp::Lt),
            BinaryOp::Gt => Some(BinaryOp::Ge),
            BinaryOp::Ge => Some(BinaryOp::Gt),
            _ => None,
        };
        if let Some(op) = moved {
            self.add(Mutator::ConditionalsBoundary, Change::Replace(id, ExprKind::Binary { op, left, right }));
        }
        let (always, never) = match moved {
            Some(_) => (Mutator::OrderElse, Mutator::OrderIf),
            None => (Mutator::EqualElse, Mutator::EqualIf),
        };
        self.add(always, Change::Always(id, jumps_on));
        self.add(never, Change::Always(id, !jumps_on));
    }

    /// Visits an expression whose value is used.
    fn expr(&mut self, id: ExprId) {
        if self.is_constant(id) {
            return;
        }
        match self.kind(id) {
            ExprKind::Binary { op, .. } if is_comparison(*op) || matches!(op, BinaryOp::And | BinaryOp::Or) => {
                self.condition(id, false);
            }
            ExprKind::Unary { op: UnaryOp::Not, .. } => self.condition(id, false),
            _ => self.value(id),
        }
    }

    fn exprs(&mut self, ids: &[ExprId]) {
        ids.iter().for_each(|id| self.expr(*id));
    }

    /// Visits the operands of an expression, then the expression itself.
    fn value(&mut self, id: ExprId) {
        let code = self.code;
        let expr = code.body.expr(id);
        match &expr.kind {
            ExprKind::Binary { op, left, right } => {
                self.exprs(&[*left, *right]);
                // An operation that is not certainly a concatenation is arithmetic if one side is a number.
                let is_text = match code.link(id) {
                    Link::Binary { text, .. } => text.unwrap_or_else(|| {
                        let sides = [self.ty(*left), self.ty(*right)];
                        *op == BinaryOp::Add && !sides.iter().any(|ty| matches!(ty, Type::Prim(_) | Type::Boxed(_)))
                    }),
                    _ => true,
                };
                if let Some(op) = swapped(*op).filter(|_| !is_text) {
                    let (left, right) = (*left, *right);
                    self.add(Mutator::Math, Change::Replace(id, ExprKind::Binary { op, left, right }));
                }
            }
            ExprKind::Unary { op, operand } => {
                self.expr(*operand);
                match op {
                    UnaryOp::Minus => self.add(Mutator::InvertNegs, Change::Operand(id, *operand)),
                    UnaryOp::BitNot => self.add(Mutator::Math, Change::Operand(id, *operand)),
                    UnaryOp::Plus | UnaryOp::Not => {}
                }
            }
            ExprKind::Assign { op, target, value } => {
                self.place(*target);
                self.expr(*value);
                if let Some(op) = op {
                    self.assigned(id, *op, *target, *value);
                }
            }
            ExprKind::IncDec { increment, prefix, target } => {
                self.place(*target);
                let mutator = if self.is_counter(*target) { Mutator::Increments } else { Mutator::Math };
                let other = ExprKind::IncDec { increment: !increment, prefix: *prefix, target: *target };
                self.add(mutator, Change::Replace(id, other));
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.line = code.body.expr(*condition).span.line;
                self.condition(*condition, false);
                self.line = code.body.expr(*then).span.line;
                self.expr(*then);
                self.line = code.body.expr(*otherwise).span.line;
                self.expr(*otherwise);
            }
            ExprKind::Call { target, args, .. } => {
                target.iter().for_each(|target| self.expr(*target));
                self.exprs(args);
                let first = args.first().map(|arg| code.body.expr(*arg).span.line);
                self.line = first.unwrap_or(expr.span.end_line).min(expr.span.end_line);
                if let Link::Call(call) = code.link(id)
                    && call.library.as_deref().is_some_and(|class| LOGGING.iter().any(|of| class.starts_with(of)))
                {
                    self.logged.insert(self.line);
                }
            }
            ExprKind::New { outer, args, .. } => {
                outer.iter().for_each(|outer| self.expr(*outer));
                self.exprs(args);
                self.line = expr.span.line;
            }
            ExprKind::Lambda { body, .. } => self.lambda(id, *body),
            ExprKind::Switch { selector, arms } => {
                self.expr(*selector);
                arms.iter().for_each(|arm| self.stmts(&arm.body));
            }
            ExprKind::Field { target, .. } => {
                if !matches!(code.link(*target), Link::Type(_)) {
                    self.expr(*target);
                }
            }
            ExprKind::Index { target, index } => self.exprs(&[*target, *index]),
            ExprKind::NewArray { lengths, init, .. } => {
                self.exprs(lengths);
                init.iter().for_each(|init| self.expr(*init));
            }
            ExprKind::ArrayInit(items) => self.exprs(items),
            ExprKind::Cast { operand, .. } | ExprKind::InstanceOf { operand, .. } => self.expr(*operand),
            ExprKind::MethodRef { target, .. } => {
                let value = target.filter(|target| !matches!(code.link(*target), Link::Type(_)));
                value.iter().for_each(|target| self.expr(*target));
            }
            ExprKind::Lit(_)
            | ExprKind::Name(_)
            | ExprKind::This(_)
            | ExprKind::Super(_)
            | ExprKind::ClassLit(_)
            | ExprKind::Unknown(_) => {}
        }
    }

    /// Visits an assignment target: only its own operands are evaluated.
    fn place(&mut self, id: ExprId) {
        match self.kind(id) {
            ExprKind::Name(_) => {}
            _ => self.value(id),
        }
    }

    /// `target op= value`.
    fn assigned(&mut self, id: ExprId, op: BinaryOp, target: ExprId, value: ExprId) {
        let numeric = |ty: Type| matches!(ty, Type::Prim(_) | Type::Boxed(_));
        let Some(other) = swapped(op).filter(|_| numeric(self.ty(target))) else { return };
        let counts = matches!(op, BinaryOp::Add | BinaryOp::Sub)
            && self.is_counter(target)
            && matches!(self.code.link(value), Link::Const(Scalar::Int(n), _) if i16::try_from(*n).is_ok());
        let mutator = if counts { Mutator::Increments } else { Mutator::Math };
        self.add(mutator, Change::Replace(id, ExprKind::Assign { op: Some(other), target, value }));
    }

    /// Whether this is a variable that the JVM increments with an instruction of its own (`iinc`).
    fn is_counter(&self, id: ExprId) -> bool {
        let Link::Local(slot) = self.code.link(id) else { return false };
        self.code.locals.get(*slot as usize) == Some(&Type::Prim(Prim::Int))
    }

    /// Visits a lambda, which is compiled to a method of its own.
    fn lambda(&mut self, id: ExprId, body: LambdaBody) {
        let Link::Lambda(_, _, result) = self.code.link(id) else { return };
        let (line, around) = (self.line, std::mem::replace(&mut self.result, result.clone()));
        match body {
            LambdaBody::Block(stmt) => self.stmt(stmt),
            LambdaBody::Expr(value) => {
                self.line = self.code.body.expr(value).span.line;
                let result = self.result.clone();
                if result == Type::Void {
                    self.effect(value);
                } else {
                    self.expr(value);
                    for (mutator, returned) in self.returned(&result, value) {
                        self.add(mutator, Change::Lambda(id, value, returned));
                    }
                }
            }
        }
        (self.line, self.result) = (line, around);
    }

    /// The values that mutants return instead of a value.
    fn returned(&self, result: &Type, value: ExprId) -> Vec<(Mutator, Returned)> {
        let constant = match self.code.link(value) {
            Link::Const(value, _) => Some(value),
            _ => None,
        };
        let is = |other: &Scalar| constant == Some(other);
        let empty = |class, method| vec![(Mutator::EmptyObjectReturnVals, Returned::Library(class, method))];
        let all = match result {
            Type::Void | Type::Unknown => Vec::new(),
            Type::Prim(Prim::Bool) | Type::Boxed(Prim::Bool) => [
                (Mutator::BooleanFalseReturnVals, Returned::Constant(Scalar::Bool(false))),
                (Mutator::BooleanTrueReturnVals, Returned::Constant(Scalar::Bool(true))),
            ]
            .into(),
            Type::Prim(prim) => vec![(Mutator::PrimitiveReturns, Returned::Constant(prim.zero()))],
            Type::Boxed(prim) => vec![(Mutator::EmptyObjectReturnVals, Returned::Constant(prim.zero()))],
            Type::Str => vec![(Mutator::EmptyObjectReturnVals, Returned::Constant(Scalar::pooled("")))],
            Type::Class(ClassRef::Library(fqn), _) => match &**fqn {
                "java.util.List" | "java.util.Collection" | "java.lang.Iterable" => {
                    empty("java.util.Collections", "emptyList")
                }
                "java.util.Set" => empty("java.util.Collections", "emptySet"),
                "java.util.Map" => empty("java.util.Collections", "emptyMap"),
                "java.util.Optional" => empty("java.util.Optional", "empty"),
                "java.util.stream.Stream" => empty("java.util.stream.Stream", "empty"),
                _ => vec![(Mutator::NullReturnVals, Returned::Constant(Scalar::Null))],
            },
            Type::Class(..) | Type::Array(_) => vec![(Mutator::NullReturnVals, Returned::Constant(Scalar::Null))],
        };
        // The code of a condition ends in a constant `false`, so returning `false` would change nothing there.
        let is_asked = match self.kind(value) {
            ExprKind::Binary { op, .. } => is_comparison(*op) || matches!(op, BinaryOp::And | BinaryOp::Or),
            ExprKind::Unary { op, .. } => *op == UnaryOp::Not,
            _ => false,
        };
        let same = |returned: &Returned| match returned {
            Returned::Constant(Scalar::Bool(false)) if is_asked => true,
            Returned::Constant(other) => is(other),
            Returned::Library(class, method) => self.calls(value, class, method),
        };
        all.into_iter().filter(|(_, returned)| !same(returned)).collect()
    }

    /// Whether an expression calls this static method of a library.
    fn calls(&self, id: ExprId, class: &str, method: &str) -> bool {
        matches!(self.kind(id), ExprKind::Call { name, args, .. } if name == method && args.is_empty())
            && matches!(self.code.link(id), Link::Call(call) if call.library.as_deref() == Some(class))
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne)
}

/// The operator that replaces another one.
fn swapped(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Add => BinaryOp::Sub,
        BinaryOp::Sub => BinaryOp::Add,
        BinaryOp::Mul => BinaryOp::Div,
        BinaryOp::Div | BinaryOp::Rem => BinaryOp::Mul,
        BinaryOp::Shl => BinaryOp::Shr,
        BinaryOp::Shr | BinaryOp::UShr => BinaryOp::Shl,
        BinaryOp::BitAnd => BinaryOp::BitOr,
        BinaryOp::BitOr | BinaryOp::BitXor => BinaryOp::BitAnd,
        _ => return None,
    })
}
