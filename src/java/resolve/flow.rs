//! Control flow of statements without running them: which statements cannot complete normally, and which pattern
//! variables a condition binds (JLS §6.3, §14.22).

use crate::ir::body::{BinaryOp, Body, ExprId, ExprKind, Lit, StmtId, StmtKind, UnaryOp};

/// The `instanceof` expressions whose variables are bound when a condition evaluates to `truth`.
pub(super) fn binds(body: &Body, condition: ExprId, truth: bool, into: &mut Vec<ExprId>) {
    let mut open = vec![(condition, truth)];
    while let Some((id, truth)) = open.pop() {
        match &body.expr(id).kind {
            ExprKind::InstanceOf { .. } if truth => into.push(id),
            ExprKind::Unary { op: UnaryOp::Not, operand } => open.push((*operand, !truth)),
            ExprKind::Binary { op: BinaryOp::And, left, right } if truth => {
                open.extend([(*left, true), (*right, true)])
            }
            ExprKind::Binary { op: BinaryOp::Or, left, right } if !truth => {
                open.extend([(*left, false), (*right, false)]);
            }
            _ => {}
        }
    }
}

/// Whether a statement can complete normally; `true` if that is not obvious.
pub(super) fn completes(body: &Body, id: StmtId) -> bool {
    match &body.stmt(id).kind {
        StmtKind::Return(_) | StmtKind::Throw(_) | StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Yield(_) => {
            false
        }
        StmtKind::Block(inner) => inner.iter().all(|stmt| completes(body, *stmt)),
        StmtKind::If { .. } => chain_completes(body, id),
        StmtKind::While { condition, body: inner } => !is_true(body, *condition) || breaks(body, *inner),
        StmtKind::For { condition, body: inner, .. } => {
            condition.is_some_and(|condition| !is_true(body, condition)) || breaks(body, *inner)
        }
        StmtKind::DoWhile { condition, body: inner } => !is_true(body, *condition) || breaks(body, *inner),
        StmtKind::Try { body: inner, catches, finally, .. } => {
            finally.is_none_or(|finally| completes(body, finally))
                && (completes(body, *inner) || catches.iter().any(|catch| completes(body, catch.body)))
        }
        StmtKind::Synchronized { body: inner, .. } => completes(body, *inner),
        _ => true,
    }
}

fn chain_completes(body: &Body, id: StmtId) -> bool {
    let mut at = id;
    while let StmtKind::If { then, otherwise, .. } = &body.stmt(at).kind {
        match otherwise {
            Some(next) if !completes(body, *then) => at = *next,
            _ => return true,
        }
    }
    completes(body, at)
}

fn is_true(body: &Body, condition: ExprId) -> bool {
    matches!(body.expr(condition).kind, ExprKind::Lit(Lit::Bool(true)))
}

/// Whether a `break` may leave a loop with this body: an unlabelled one that belongs to the loop, or any labelled
/// one.
pub(super) fn breaks(body: &Body, inner: StmtId) -> bool {
    let mut open = vec![inner];
    while let Some(id) = open.pop() {
        match &body.stmt(id).kind {
            StmtKind::Break(_) => return true,
            StmtKind::Block(inner) => open.extend(inner),
            StmtKind::If { then, otherwise, .. } => open.extend([Some(*then), *otherwise].into_iter().flatten()),
            StmtKind::Labeled { body: inner, .. } | StmtKind::Synchronized { body: inner, .. } => open.push(*inner),
            StmtKind::Try { body: inner, catches, finally, .. } => {
                open.push(*inner);
                open.extend(catches.iter().map(|catch| catch.body));
                open.extend(finally);
            }
            // An unlabelled `break` in these loops and switches leaves only them; a labelled one may lead further
            // out.
            StmtKind::While { body: inner, .. }
            | StmtKind::DoWhile { body: inner, .. }
            | StmtKind::For { body: inner, .. }
            | StmtKind::ForEach { body: inner, .. }
                if labelled(body, *inner) =>
            {
                return true;
            }
            StmtKind::Switch { arms, .. }
                if arms.iter().flat_map(|arm| &arm.body).any(|stmt| labelled(body, *stmt)) =>
            {
                return true;
            }
            _ => {}
        }
    }
    false
}

/// Whether a statement contains a labelled `break`.
fn labelled(body: &Body, inner: StmtId) -> bool {
    // Nested statements have smaller indexes than their parent: the scan ends at the first statement outside its
    // span.
    let span = body.stmt(inner).span;
    body.stmts.iter().any(|stmt| {
        matches!(stmt.kind, StmtKind::Break(Some(_))) && stmt.span.start >= span.start && stmt.span.end <= span.end
    })
}
