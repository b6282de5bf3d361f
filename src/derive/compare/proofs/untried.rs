//! Finds sizes that the code compares a collection or an array with and that no path tried. An opaque collection is
//! given at most two elements, or as many as a small number in the same method says. Code that asks for more elements
//! therefore takes only one of its branches, and paths that are alike do not show that base and head are the same.

use std::collections::BTreeSet;

use crate::compare::paths::asked::counted;
use crate::compare::sides::side::Side;
use mastor_java::interpret::linking::code::{Code, Link};
use mastor_java::interpret::paths::condition::Cond;
use mastor_java::interpret::values::scalar::Scalar;
use mastor_java::interpret::values::term::Term;
use mastor_java::ir::body::{BinaryOp, ExprId, ExprKind, Lit};
use mastor_java::ir::ids::MemberId;
use mastor_runtime::server::opaquely::ComparablePath;

/// The size that stands for all greater ones.
const LAST: i32 = 2;

/// A number of elements that one of these members asks for and none of the paths has; `None` if no collection on these
/// paths stands for larger ones.
pub(super) fn untried_size(side: &Side<'_>, members: &BTreeSet<MemberId>, paths: &[ComparablePath]) -> Option<i32> {
    let tried: BTreeSet<i32> =
        paths.iter().flat_map(|path| &path.conditions).filter_map(|one| size_of(&one.cond)).collect();
    if !tried.contains(&LAST) {
        return None;
    }
    let codes = members.iter().filter_map(|member| side.bench.codes.code(*member));
    codes.flat_map(|code| asked_sizes(&code)).find(|size| *size > LAST && !tried.contains(size))
}

/// The number of elements that a condition says a collection has.
fn size_of(cond: &Cond) -> Option<i32> {
    counted(cond)?;
    match cond {
        Cond::Compare(BinaryOp::Eq, _, _, number) => match &**number {
            Term::Const(Scalar::Int(number)) => Some(*number),
            _ => None,
        },
        _ => None,
    }
}

/// The constants with which code compares the size of a collection or the length of an array.
fn asked_sizes(code: &Code) -> Vec<i32> {
    let is_size = |id: ExprId| match &code.body.expr(id).kind {
        ExprKind::Call { name, args, target: Some(_), .. } => &**name == "size" && args.is_empty(),
        ExprKind::Field { name, .. } => &**name == "length",
        _ => false,
    };
    let number = |id: ExprId| match (&code.body.expr(id).kind, code.link(id)) {
        (ExprKind::Lit(Lit::Int(value)), _) | (_, Link::Const(Scalar::Int(value), _)) => Some(*value),
        _ => None,
    };
    let compares = |op: BinaryOp| {
        matches!(op, BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge)
    };
    let of = |kind: &ExprKind| match kind {
        ExprKind::Binary { op, left, right } if compares(*op) => match (is_size(*left), is_size(*right)) {
            (true, _) => number(*right),
            (_, true) => number(*left),
            _ => None,
        },
        _ => None,
    };
    code.body.exprs.iter().filter_map(|expr| of(&expr.kind)).collect()
}
