//! Folds constant expressions (JLS §15.29) while linking: they are inlined, and their strings are interned.

use super::code::Link;
use super::linker::Linker;
use crate::interpret::values::arith::{self, Outcome};
use crate::interpret::values::java_type::Type;
use crate::interpret::values::scalar::{Identity, JStr, Prim, Scalar};
use crate::interpret::values::types::known_type;
use crate::ir::body::{BinaryOp, ExprId, ExprKind, Lit};
use crate::ir::calls::Target;
use crate::ir::facts::MemberKind;
use crate::ir::ids::MemberId;

/// Maximum length of a folded string.
const MAX_TEXT: usize = 100_000;

/// The value of a literal; `None` for a string with unpaired surrogates.
pub fn literal(lit: &Lit) -> Option<Scalar> {
    Some(match lit {
        Lit::Utf16(_) => return None,
        Lit::Null => Scalar::Null,
        Lit::Bool(x) => Scalar::Bool(*x),
        Lit::Char(x) => Scalar::Char(*x),
        Lit::Int(x) => Scalar::Int(*x),
        Lit::Long(x) => Scalar::Long(*x),
        Lit::Float(x) => Scalar::Float(*x),
        Lit::Double(x) => Scalar::Double(*x),
        Lit::Str(x) => Scalar::pooled(x),
    })
}

/// The value of a constant expression whose operands are linked; also of `null` and of enum constants.
pub(in crate::interpret) fn fold(linker: &Linker<'_, '_>, id: ExprId) -> Option<Scalar> {
    let value = |id: ExprId| match linker.links.get(id.0 as usize)? {
        Link::Const(Scalar::Null, _) => None,
        Link::Const(value, _) => Some(value.clone()),
        _ => None,
    };
    match &linker.body.expr(id).kind {
        ExprKind::Lit(lit) => literal(lit),
        ExprKind::Name(_) | ExprKind::Field { .. } => match linker.resolved.targets.get(&id)? {
            Target::Local(slot) => linker.constants.get(slot).cloned(),
            Target::Field(field) => {
                let facts = linker.resolver.project().member(*field);
                if facts.kind == MemberKind::EnumConstant {
                    return Some(Scalar::Enum(
                        crate::interpret::values::scalar::ClassRef::Project(field.ty),
                        std::rc::Rc::from(facts.name.as_str()),
                    ));
                }
                // `x.LIMIT` evaluates `x`; only qualified names are constant expressions.
                let by_name = match &linker.body.expr(id).kind {
                    ExprKind::Field { target, .. } => {
                        matches!(linker.resolved.targets.get(target), Some(Target::Type(_)))
                    }
                    _ => true,
                };
                if by_name { (linker.constant)(*field).map(|(value, _)| value) } else { None }
            }
            _ => None,
        },
        ExprKind::Unary { op, operand } => done(arith::unary(*op, &primitive(value(*operand)?)?)),
        ExprKind::Binary { op, left, right } => binary(*op, &value(*left)?, &value(*right)?),
        ExprKind::Conditional { condition, then, otherwise } => {
            let Scalar::Bool(holds) = value(*condition)? else { return None };
            let (a, b) = (constant(value(*then)?)?, constant(value(*otherwise)?)?);
            let chosen = if holds { a } else { b };
            match conditional(linker, *then, *otherwise) {
                Some(prim) => arith::convert(&chosen, prim),
                None => Some(chosen),
            }
        }
        ExprKind::Cast { ty, operand } => {
            let ty = known_type(&linker.read(ty));
            let operand = constant(value(*operand)?)?;
            match (&ty, &operand) {
                (Type::Prim(prim), operand) => arith::convert(operand, *prim),
                (Type::Str, Scalar::Str(_)) => Some(operand),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The fields that a constant expression uses, directly or indirectly.
pub(in crate::interpret) fn used(linker: &Linker<'_, '_>, id: ExprId) -> Vec<MemberId> {
    let operands: &[&ExprId] = match &linker.body.expr(id).kind {
        ExprKind::Unary { operand, .. } | ExprKind::Cast { operand, .. } => &[operand],
        ExprKind::Binary { left, right, .. } => &[left, right],
        ExprKind::Conditional { condition, then, otherwise } => &[condition, then, otherwise],
        _ => {
            return match linker.resolved.targets.get(&id) {
                Some(Target::Field(field)) => {
                    (linker.constant)(*field).map(|(_, used)| used.to_vec()).unwrap_or_default()
                }
                _ => Vec::new(),
            };
        }
    };
    let mut found: Vec<MemberId> = Vec::new();
    for operand in operands {
        if let Some(Link::Const(_, Some(used))) = linker.links.get(operand.0 as usize) {
            found.extend(used.iter());
        }
    }
    found.sort();
    found.dedup();
    found
}

fn binary(op: BinaryOp, left: &Scalar, right: &Scalar) -> Option<Scalar> {
    if let (Scalar::Str(_), _) | (_, Scalar::Str(_)) = (left, right) {
        let (left, right) = (constant(left.clone())?, constant(right.clone())?);
        return match (op, &left, &right) {
            (BinaryOp::Add, ..) => {
                let text = left.to_java_string()? + &right.to_java_string()?;
                (text.len() <= MAX_TEXT).then(|| Scalar::pooled(&text))
            }
            (BinaryOp::Eq, Scalar::Str(a), Scalar::Str(b)) => Some(Scalar::Bool(a.text == b.text)),
            (BinaryOp::Ne, Scalar::Str(a), Scalar::Str(b)) => Some(Scalar::Bool(a.text != b.text)),
            _ => None,
        };
    }
    done(arith::binary(op, &primitive(left.clone())?, &primitive(right.clone())?))
}

fn done(outcome: Outcome) -> Option<Scalar> {
    match outcome {
        Outcome::Value(value) => Some(value),
        Outcome::DivisionByZero | Outcome::Undefined => None,
    }
}

fn primitive(value: Scalar) -> Option<Scalar> {
    value.prim().is_some().then_some(value)
}

/// A primitive value or string; enum constants and `null` are not constant expressions.
fn constant(value: Scalar) -> Option<Scalar> {
    (value.prim().is_some() || value.as_text().is_some()).then_some(value)
}

/// The constant value of a final variable of this type, from its initialiser.
pub(super) fn as_constant(value: &Scalar, ty: &Type) -> Option<Scalar> {
    match (ty, value) {
        (Type::Prim(prim), value) => arith::convert(value, *prim),
        (Type::Str, Scalar::Str(text)) => {
            Some(Scalar::Str(JStr { text: text.text.clone(), identity: Identity::Pooled }))
        }
        // The type is `var`.
        (Type::Unknown, value) => constant(value.clone()),
        _ => None,
    }
}

/// The primitive type to which both branches of `? :` are converted (JLS §15.25); `None` if they are not converted.
pub(in crate::interpret) fn conditional(linker: &Linker<'_, '_>, then: ExprId, otherwise: ExprId) -> Option<Prim> {
    let (a, b) = (known_type(linker.resolved.ty(then)), known_type(linker.resolved.ty(otherwise)));
    let (p, q) = match (&a, &b) {
        (Type::Boxed(p), Type::Boxed(q)) if p == q => return None,
        (Type::Prim(p) | Type::Boxed(p), Type::Prim(q) | Type::Boxed(q)) => (*p, *q),
        _ => return None,
    };
    if p == q {
        return Some(p);
    }
    let fits = |id: ExprId, to: Prim| match linker.links.get(id.0 as usize) {
        Some(Link::Const(value @ Scalar::Int(_), _)) => {
            arith::convert(value, to).and_then(|narrow| Some(narrow.as_long()? == value.as_long()?)).unwrap_or(false)
        }
        _ => false,
    };
    let small = |prim: Prim| matches!(prim, Prim::Byte | Prim::Short | Prim::Char);
    if small(p) && q == Prim::Int && matches!(b, Type::Prim(_)) && fits(otherwise, p) {
        return Some(p);
    }
    if small(q) && p == Prim::Int && matches!(a, Type::Prim(_)) && fits(then, q) {
        return Some(q);
    }
    if matches!((p, q), (Prim::Byte, Prim::Short) | (Prim::Short, Prim::Byte)) {
        return Some(Prim::Short);
    }
    arith::promoted(p, q)
}
