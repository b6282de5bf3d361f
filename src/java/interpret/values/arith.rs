//! Java's arithmetic on scalars: promotion, wrap-around, division by zero, IEEE doubles, conversions (JLS §4.2, §5.1,
//! §15.17–15.22).

use super::scalar::{Prim, Scalar};
use crate::ir::body::{BinaryOp, UnaryOp};

/// The result of an operation.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// A value.
    Value(Scalar),
    /// `ArithmeticException: / by zero`.
    DivisionByZero,
    /// Not defined for such operands; the code was misread.
    Undefined,
}

/// The type to which both operands of a numeric operator are converted (JLS §5.6).
pub fn promoted(left: Prim, right: Prim) -> Option<Prim> {
    if left == Prim::Bool || right == Prim::Bool {
        return None;
    }
    Some(if left == Prim::Double || right == Prim::Double {
        Prim::Double
    } else if left == Prim::Float || right == Prim::Float {
        Prim::Float
    } else if left == Prim::Long || right == Prim::Long {
        Prim::Long
    } else {
        Prim::Int
    })
}

/// A cast or an assignment conversion to a primitive type (JLS §5.1.2, §5.1.3).
pub fn convert(value: &Scalar, to: Prim) -> Option<Scalar> {
    if let Scalar::Bool(x) = value {
        return (to == Prim::Bool).then_some(Scalar::Bool(*x));
    }
    if let Some(x) = value.as_long() {
        return Some(match to {
            Prim::Bool => return None,
            Prim::Byte => Scalar::Byte(x as i8),
            Prim::Short => Scalar::Short(x as i16),
            Prim::Char => Scalar::Char(x as u16),
            Prim::Int => Scalar::Int(x as i32),
            Prim::Long => Scalar::Long(x),
            Prim::Float => Scalar::Float(x as f32),
            Prim::Double => Scalar::Double(x as f64),
        });
    }
    let x = value.as_double()?;
    Some(match to {
        Prim::Bool => return None,
        // Narrowing from floating point goes through `int` (JLS §5.1.3). Rust's casts saturate and map NaN to 0, as
        // Java's do.
        Prim::Byte => Scalar::Byte(x as i32 as i8),
        Prim::Short => Scalar::Short(x as i32 as i16),
        Prim::Char => Scalar::Char(x as i32 as u16),
        Prim::Int => Scalar::Int(x as i32),
        Prim::Long => Scalar::Long(x as i64),
        Prim::Float => Scalar::Float(if let Scalar::Float(y) = value { *y } else { x as f32 }),
        Prim::Double => Scalar::Double(x),
    })
}

/// Applies a unary operator.
pub fn unary(op: UnaryOp, value: &Scalar) -> Outcome {
    let wide = match value.prim() {
        Some(Prim::Bool) => None,
        Some(prim) => promoted(prim, Prim::Int),
        None => return Outcome::Undefined,
    };
    let result = match (op, wide.and_then(|prim| convert(value, prim)), value) {
        (UnaryOp::Not, _, Scalar::Bool(x)) => Scalar::Bool(!x),
        (UnaryOp::Plus, Some(x), _) => x,
        (UnaryOp::Minus, Some(Scalar::Int(x)), _) => Scalar::Int(x.wrapping_neg()),
        (UnaryOp::Minus, Some(Scalar::Long(x)), _) => Scalar::Long(x.wrapping_neg()),
        (UnaryOp::Minus, Some(Scalar::Float(x)), _) => Scalar::Float(-x),
        (UnaryOp::Minus, Some(Scalar::Double(x)), _) => Scalar::Double(-x),
        (UnaryOp::BitNot, Some(Scalar::Int(x)), _) => Scalar::Int(!x),
        (UnaryOp::BitNot, Some(Scalar::Long(x)), _) => Scalar::Long(!x),
        _ => return Outcome::Undefined,
    };
    Outcome::Value(result)
}

/// Applies an operator to two `int`s; `None` for operators handled by the general case.
#[inline]
pub fn ints(op: BinaryOp, a: i32, b: i32) -> Option<Scalar> {
    use BinaryOp as B;
    Some(match op {
        B::Add => Scalar::Int(a.wrapping_add(b)),
        B::Sub => Scalar::Int(a.wrapping_sub(b)),
        B::Mul => Scalar::Int(a.wrapping_mul(b)),
        B::Div if b != 0 => Scalar::Int(a.wrapping_div(b)),
        B::Rem if b != 0 => Scalar::Int(a.wrapping_rem(b)),
        B::Lt => Scalar::Bool(a < b),
        B::Le => Scalar::Bool(a <= b),
        B::Gt => Scalar::Bool(a > b),
        B::Ge => Scalar::Bool(a >= b),
        B::BitAnd => Scalar::Int(a & b),
        B::BitOr => Scalar::Int(a | b),
        B::BitXor => Scalar::Int(a ^ b),
        B::Shl => Scalar::Int(a.wrapping_shl(b as u32)),
        B::Shr => Scalar::Int(a.wrapping_shr(b as u32)),
        B::UShr => Scalar::Int((a as u32).wrapping_shr(b as u32) as i32),
        _ => return None,
    })
}

/// Applies an operator to two `double`s; `None` for operators handled by the general case.
#[inline]
pub fn doubles(op: BinaryOp, a: f64, b: f64) -> Option<Scalar> {
    use BinaryOp as B;
    Some(match op {
        B::Add => Scalar::Double(a + b),
        B::Sub => Scalar::Double(a - b),
        B::Mul => Scalar::Double(a * b),
        B::Div => Scalar::Double(a / b),
        B::Lt => Scalar::Bool(a < b),
        B::Le => Scalar::Bool(a <= b),
        B::Gt => Scalar::Bool(a > b),
        B::Ge => Scalar::Bool(a >= b),
        _ => return None,
    })
}

/// Applies a binary operator to primitives (no concatenation, no references).
pub fn binary(op: BinaryOp, left: &Scalar, right: &Scalar) -> Outcome {
    use BinaryOp as B;
    if let (Scalar::Bool(a), Scalar::Bool(b)) = (left, right) {
        return Outcome::Value(Scalar::Bool(match op {
            B::And | B::BitAnd => *a && *b,
            B::Or | B::BitOr => *a || *b,
            B::BitXor | B::Ne => a != b,
            B::Eq => a == b,
            _ => return Outcome::Undefined,
        }));
    }
    let (Some(lp), Some(rp)) = (left.prim(), right.prim()) else { return Outcome::Undefined };
    if matches!(op, B::Shl | B::Shr | B::UShr) {
        return shift(op, left, right, lp);
    }
    let Some(prim) = promoted(lp, rp) else { return Outcome::Undefined };
    let (Some(a), Some(b)) = (convert(left, prim), convert(right, prim)) else { return Outcome::Undefined };
    match (a, b) {
        (Scalar::Int(a), Scalar::Int(b)) => integral(op, a.into(), b.into(), |x| Scalar::Int(x as i32)),
        (Scalar::Long(a), Scalar::Long(b)) => integral(op, a, b, Scalar::Long),
        (Scalar::Float(a), Scalar::Float(b)) => match op {
            B::Add => Outcome::Value(Scalar::Float(a + b)),
            B::Sub => Outcome::Value(Scalar::Float(a - b)),
            B::Mul => Outcome::Value(Scalar::Float(a * b)),
            B::Div => Outcome::Value(Scalar::Float(a / b)),
            B::Rem => Outcome::Value(Scalar::Float(a % b)),
            _ => compared(op, a.partial_cmp(&b)),
        },
        (Scalar::Double(a), Scalar::Double(b)) => match op {
            B::Add => Outcome::Value(Scalar::Double(a + b)),
            B::Sub => Outcome::Value(Scalar::Double(a - b)),
            B::Mul => Outcome::Value(Scalar::Double(a * b)),
            B::Div => Outcome::Value(Scalar::Double(a / b)),
            B::Rem => Outcome::Value(Scalar::Double(a % b)),
            _ => compared(op, a.partial_cmp(&b)),
        },
        _ => Outcome::Undefined,
    }
}

/// `int` operands are widened first: the low 32 bits of the 64-bit result are the 32-bit result.
fn integral(op: BinaryOp, a: i64, b: i64, make: impl Fn(i64) -> Scalar) -> Outcome {
    use BinaryOp as B;
    Outcome::Value(make(match op {
        B::Add => a.wrapping_add(b),
        B::Sub => a.wrapping_sub(b),
        B::Mul => a.wrapping_mul(b),
        B::Div | B::Rem if b == 0 => return Outcome::DivisionByZero,
        B::Div => a.wrapping_div(b),
        B::Rem => a.wrapping_rem(b),
        B::BitAnd => a & b,
        B::BitOr => a | b,
        B::BitXor => a ^ b,
        _ => return compared(op, Some(a.cmp(&b))),
    }))
}

fn shift(op: BinaryOp, left: &Scalar, right: &Scalar, prim: Prim) -> Outcome {
    let Some(distance) = right.as_long() else { return Outcome::Undefined };
    Outcome::Value(match (promoted(prim, Prim::Int).and_then(|wide| convert(left, wide)), op) {
        (Some(Scalar::Int(x)), BinaryOp::Shl) => Scalar::Int(x.wrapping_shl((distance & 31) as u32)),
        (Some(Scalar::Int(x)), BinaryOp::Shr) => Scalar::Int(x >> (distance & 31)),
        (Some(Scalar::Int(x)), BinaryOp::UShr) => Scalar::Int(((x as u32) >> (distance & 31)) as i32),
        (Some(Scalar::Long(x)), BinaryOp::Shl) => Scalar::Long(x.wrapping_shl((distance & 63) as u32)),
        (Some(Scalar::Long(x)), BinaryOp::Shr) => Scalar::Long(x >> (distance & 63)),
        (Some(Scalar::Long(x)), BinaryOp::UShr) => Scalar::Long(((x as u64) >> (distance & 63)) as i64),
        _ => return Outcome::Undefined,
    })
}

fn compared(op: BinaryOp, order: Option<std::cmp::Ordering>) -> Outcome {
    use BinaryOp as B;
    Outcome::Value(Scalar::Bool(match op {
        B::Lt => order.is_some_and(|o| o.is_lt()),
        B::Le => order.is_some_and(|o| o.is_le()),
        B::Gt => order.is_some_and(|o| o.is_gt()),
        B::Ge => order.is_some_and(|o| o.is_ge()),
        B::Eq => order.is_some_and(|o| o.is_eq()),
        B::Ne => !order.is_some_and(|o| o.is_eq()),
        _ => return Outcome::Undefined,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calc(op: BinaryOp, a: Scalar, b: Scalar) -> Outcome {
        binary(op, &a, &b)
    }

    #[test]
    fn int_arithmetic_wraps_and_divides_as_java_does() {
        use Scalar::{Bool, Char, Double, Int, Long};
        assert_eq!(calc(BinaryOp::Add, Int(i32::MAX), Int(1)), Outcome::Value(Int(i32::MIN)));
        assert_eq!(calc(BinaryOp::Mul, Int(65536), Int(65536)), Outcome::Value(Int(0)));
        assert_eq!(calc(BinaryOp::Div, Int(-7), Int(2)), Outcome::Value(Int(-3)));
        assert_eq!(calc(BinaryOp::Rem, Int(-7), Int(2)), Outcome::Value(Int(-1)));
        assert_eq!(calc(BinaryOp::Div, Int(i32::MIN), Int(-1)), Outcome::Value(Int(i32::MIN)));
        assert_eq!(calc(BinaryOp::Div, Int(1), Int(0)), Outcome::DivisionByZero);
        assert_eq!(calc(BinaryOp::Div, Long(1), Int(0)), Outcome::DivisionByZero);
        assert_eq!(calc(BinaryOp::Div, Double(1.0), Int(0)), Outcome::Value(Double(f64::INFINITY)));
        assert_eq!(calc(BinaryOp::Eq, Double(f64::NAN), Double(f64::NAN)), Outcome::Value(Bool(false)));
        assert_eq!(calc(BinaryOp::Ne, Double(f64::NAN), Double(f64::NAN)), Outcome::Value(Bool(true)));
        assert_eq!(calc(BinaryOp::Add, Char(65), Int(1)), Outcome::Value(Int(66)));
        assert_eq!(calc(BinaryOp::Shl, Int(1), Int(33)), Outcome::Value(Int(2)));
        assert_eq!(calc(BinaryOp::UShr, Int(-1), Int(28)), Outcome::Value(Int(15)));
    }

    #[test]
    fn narrowing_from_floating_point_saturates_through_int() {
        assert_eq!(convert(&Scalar::Double(1e20), Prim::Int), Some(Scalar::Int(i32::MAX)));
        assert_eq!(convert(&Scalar::Double(f64::NAN), Prim::Long), Some(Scalar::Long(0)));
        assert_eq!(convert(&Scalar::Double(300.7), Prim::Byte), Some(Scalar::Byte(44)));
        assert_eq!(convert(&Scalar::Int(70000), Prim::Char), Some(Scalar::Char(4464)));
    }
}
