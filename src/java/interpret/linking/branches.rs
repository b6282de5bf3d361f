//! Branches of a body: the outcomes of its conditions and switches.

use super::code::Code;
use crate::interpret::mutation::mutations;
use crate::ir::body::{BinaryOp, ExprId, ExprKind, LambdaBody, StmtKind, SwitchArm};
use crate::ir::ids::MemberId;

/// The outcome of a condition or a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Way {
    /// The condition has this value.
    Holds(bool),
    /// The switch runs this arm.
    Arm(usize),
    /// The switch runs no arm.
    NoArm,
}

/// One branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Branch {
    /// The member whose body contains it.
    pub member: MemberId,
    /// The line number in compiled code, from 1.
    pub line: u32,
    /// The condition, or the switch's selector.
    pub at: ExprId,
    /// The outcome.
    pub way: Way,
}

/// All branches of a body.
pub fn branches(code: &Code) -> Vec<Branch> {
    let mut found: Vec<Branch> = Vec::new();
    let mut add = |line, at, way| {
        let branch = Branch { member: code.member, line, at, way };
        if !found.contains(&branch) {
            found.push(branch);
        }
    };
    for jump in mutations(code).iter().filter(|mutation| mutation.is_jump()) {
        [true, false].into_iter().for_each(|holds| add(jump.line, jump.at, Way::Holds(holds)));
    }
    let mut switch = |selector: ExprId, arms: &[SwitchArm]| {
        let line = code.body.expr(selector).span.line;
        (0..arms.len()).for_each(|arm| add(line, selector, Way::Arm(arm)));
        if !arms.iter().any(|arm| arm.default) {
            add(line, selector, Way::NoArm);
        }
    };
    for stmt in &code.body.stmts {
        if let StmtKind::Switch { selector, arms } = &stmt.kind {
            switch(*selector, arms);
        }
    }
    for expr in &code.body.exprs {
        if let ExprKind::Switch { selector, arms } = &expr.kind {
            switch(*selector, arms);
        }
    }
    found
}

/// An expression that runs whenever the enclosing statement or lambda runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Executed {
    /// Its line, from 1.
    pub line: u32,
    /// The expression.
    pub at: ExprId,
}

/// The operands of an expression: those that it always needs, and those that it may do without (a part behind `&&`, the
/// name of a class before a dot).
pub(super) fn operands(kind: &ExprKind) -> (Vec<ExprId>, Vec<ExprId>) {
    match kind {
        ExprKind::Field { target, .. } => (Vec::new(), vec![*target]),
        ExprKind::Index { target, index } => (vec![*target, *index], Vec::new()),
        ExprKind::Call { target, args, .. } => (args.clone(), target.iter().copied().collect()),
        ExprKind::New { outer, args, .. } => (args.clone(), outer.iter().copied().collect()),
        ExprKind::NewArray { lengths, init, .. } => (lengths.clone(), init.iter().copied().collect()),
        ExprKind::ArrayInit(parts) => (parts.clone(), Vec::new()),
        ExprKind::Unary { operand, .. } | ExprKind::Cast { operand, .. } | ExprKind::InstanceOf { operand, .. } => {
            (vec![*operand], Vec::new())
        }
        ExprKind::Binary { op: BinaryOp::And | BinaryOp::Or, left, right } => (vec![*left], vec![*right]),
        ExprKind::Binary { left, right, .. } => (vec![*left, *right], Vec::new()),
        ExprKind::Assign { target, value, .. } => (vec![*value], vec![*target]),
        ExprKind::IncDec { target, .. } => (Vec::new(), vec![*target]),
        ExprKind::Conditional { condition, then, otherwise } => (vec![*condition], vec![*then, *otherwise]),
        ExprKind::MethodRef { target, .. } => (Vec::new(), target.iter().copied().collect()),
        ExprKind::Switch { selector, .. } => (vec![*selector], Vec::new()),
        ExprKind::Lit(_)
        | ExprKind::Name(_)
        | ExprKind::Lambda { .. }
        | ExprKind::This(_)
        | ExprKind::Super(_)
        | ExprKind::ClassLit(_)
        | ExprKind::Unknown(_) => (Vec::new(), Vec::new()),
    }
}

/// The first expression of each statement and lambda of a body, to tell whether that one ran.
pub fn executed(code: &Code) -> Vec<Executed> {
    let body = &code.body;
    let of_statement = |kind: &StmtKind| match kind {
        StmtKind::Local(locals) => locals.iter().find_map(|local| local.init),
        StmtKind::Expr(at) | StmtKind::Throw(at) | StmtKind::Yield(at) => Some(*at),
        StmtKind::If { condition, .. } | StmtKind::While { condition, .. } | StmtKind::DoWhile { condition, .. } => {
            Some(*condition)
        }
        StmtKind::For { condition, .. } => *condition,
        StmtKind::ForEach { items, .. } => Some(*items),
        StmtKind::Return(value) => *value,
        StmtKind::Switch { selector, .. } => Some(*selector),
        StmtKind::Synchronized { lock, .. } => Some(*lock),
        StmtKind::ConstructorCall { args, .. } => args.first().copied(),
        _ => None,
    };
    let statements = body.stmts.iter().filter_map(|stmt| of_statement(&stmt.kind));
    let lambdas = body.exprs.iter().filter_map(|expr| match &expr.kind {
        ExprKind::Lambda { body: LambdaBody::Expr(at), .. } => Some(*at),
        _ => None,
    });
    statements.chain(lambdas).map(|at| Executed { line: body.expr(at).span.line, at }).collect()
}
