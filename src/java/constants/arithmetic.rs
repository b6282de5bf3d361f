//! Operators on constants (JLS §15.15–15.26), with binary numeric promotion, wrapping integers and IEEE floats.

use crate::ir::constant::Constant;

/// Maximum length in bytes of a concatenated string.
const MAX_TEXT: usize = 1 << 20;

/// `op operand`.
pub fn unary(op: &str, operand: Constant) -> Constant {
    use Constant::{Bool, Double, Float, Int, Long, Unknown};
    match (op, promote(operand)) {
        (_, Unknown(why)) => Unknown(why),
        ("+", value @ (Int(_) | Long(_) | Float(_) | Double(_))) => value,
        ("-", Int(n)) => Int(n.wrapping_neg()),
        ("-", Long(n)) => Long(n.wrapping_neg()),
        ("-", Float(n)) => Float(-n),
        ("-", Double(n)) => Double(-n),
        ("~", Int(n)) => Int(!n),
        ("~", Long(n)) => Long(!n),
        ("!", Bool(value)) => Bool(!value),
        _ => Unknown(format!("operator {op} does not apply")),
    }
}

/// `left op right`.
pub fn binary(op: &str, left: Constant, right: Constant) -> Constant {
    use Constant::{Bool, Int, Long, Str, Unknown};
    match (op, &left, &right) {
        ("&&", Bool(false), _) => return Bool(false),
        ("||", Bool(true), _) => return Bool(true),
        (_, Unknown(why), _) | (_, _, Unknown(why)) => return Unknown(why.clone()),
        ("+", Str(_), _) | ("+", _, Str(_)) => return concat(&left, &right),
        ("==", Str(a), Str(b)) => return Bool(a == b),
        ("!=", Str(a), Str(b)) => return Bool(a != b),
        (_, Bool(a), Bool(b)) => return logic(op, *a, *b),
        _ => {}
    }
    let (left, right) = (promote(left), promote(right));
    if matches!(op, "<<" | ">>" | ">>>") {
        return match (left, right.as_i64()) {
            (Int(a), Some(by)) => Int(shift_int(op, a, by)),
            (Long(a), Some(by)) => Long(shift_long(op, a, by)),
            _ => unfit(op),
        };
    }
    match (&left, &right) {
        (Constant::Double(_), _) | (_, Constant::Double(_)) => match (left.as_f64(), right.as_f64()) {
            (Some(a), Some(b)) => floating(op, a, b),
            _ => unfit(op),
        },
        (Constant::Float(_), _) | (_, Constant::Float(_)) => match (single(&left), single(&right)) {
            (Some(a), Some(b)) => match floating(op, f64::from(a), f64::from(b)) {
                // One float operation computed in double and then rounded to float gives the correctly rounded
                // result.
                Constant::Double(value) => Constant::Float(value as f32),
                other => other,
            },
            _ => unfit(op),
        },
        (Long(_), _) | (_, Long(_)) => match (left.as_i64(), right.as_i64()) {
            (Some(a), Some(b)) => long(op, a, b),
            _ => unfit(op),
        },
        (Int(a), Int(b)) => int(op, *a, *b),
        _ => unfit(op),
    }
}

/// `(ty) value`, also used for the assignment conversion to a variable of the primitive type `ty`. Other types leave
/// the value unchanged.
pub fn cast(ty: &str, value: Constant) -> Constant {
    use Constant::{Bool, Char, Double, Float, Int, Long, Unknown};
    if matches!(value, Unknown(_)) {
        return value;
    }
    // A float is converted to a narrow integer through `int`, and saturates there.
    let whole = match &value {
        Float(n) if ty != "long" => Some(i64::from(*n as i32)),
        Double(n) if ty != "long" => Some(i64::from(*n as i32)),
        Float(n) => Some(*n as i64),
        Double(n) => Some(*n as i64),
        _ => value.as_i64(),
    };
    let found = match ty {
        "int" => whole.map(|n| Int(n as i32)),
        "short" => whole.map(|n| Int(i32::from(n as i16))),
        "byte" => whole.map(|n| Int(i32::from(n as i8))),
        "char" => whole.map(|n| Char(n as u16)),
        "long" => whole.map(Long),
        "float" => single(&value).map(Float),
        "double" => value.as_f64().map(Double),
        "boolean" => value.as_bool().map(Bool),
        _ => return value,
    };
    found.unwrap_or_else(|| Unknown(format!("cannot become a {ty}")))
}

fn single(value: &Constant) -> Option<f32> {
    match value {
        Constant::Float(n) => Some(*n),
        Constant::Double(n) => Some(*n as f32),
        _ => value.as_i64().map(|n| n as f32),
    }
}

fn promote(value: Constant) -> Constant {
    if let Constant::Char(unit) = value { Constant::Int(i32::from(unit)) } else { value }
}

fn unfit(op: &str) -> Constant {
    Constant::Unknown(format!("operator {op} does not apply"))
}

fn concat(left: &Constant, right: &Constant) -> Constant {
    match (left.text(), right.text()) {
        (Some(mut text), Some(end)) if text.len() + end.len() <= MAX_TEXT => {
            text.push_str(&end);
            Constant::Str(text)
        }
        (Some(_), Some(_)) => Constant::Unknown("the text is too long".to_owned()),
        _ => Constant::Unknown("part of the text is no constant".to_owned()),
    }
}

fn logic(op: &str, a: bool, b: bool) -> Constant {
    Constant::Bool(match op {
        "&" | "&&" => a && b,
        "|" | "||" => a || b,
        "^" | "!=" => a != b,
        "==" => a == b,
        _ => return unfit(op),
    })
}

fn shift_int(op: &str, a: i32, by: i64) -> i32 {
    let by = (by & 31) as u32;
    match op {
        "<<" => a.wrapping_shl(by),
        ">>" => a.wrapping_shr(by),
        _ => (a as u32).wrapping_shr(by) as i32,
    }
}

fn shift_long(op: &str, a: i64, by: i64) -> i64 {
    let by = (by & 63) as u32;
    match op {
        "<<" => a.wrapping_shl(by),
        ">>" => a.wrapping_shr(by),
        _ => (a as u64).wrapping_shr(by) as i64,
    }
}

fn int(op: &str, a: i32, b: i32) -> Constant {
    // For every operator here, wrapping at 64 bits and truncating to 32 equals wrapping at 32 bits.
    match long(op, i64::from(a), i64::from(b)) {
        Constant::Long(value) => Constant::Int(value as i32),
        other => other,
    }
}

fn long(op: &str, a: i64, b: i64) -> Constant {
    if matches!(op, "/" | "%") && b == 0 {
        return Constant::Unknown("division by zero".to_owned());
    }
    Constant::Long(match op {
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "/" => a.wrapping_div(b),
        "%" => a.wrapping_rem(b),
        "&" => a & b,
        "|" => a | b,
        "^" => a ^ b,
        _ => return compare(op, a.partial_cmp(&b)),
    })
}

fn floating(op: &str, a: f64, b: f64) -> Constant {
    Constant::Double(match op {
        "+" => a + b,
        "-" => a - b,
        "*" => a * b,
        "/" => a / b,
        "%" => a % b,
        _ => return compare(op, a.partial_cmp(&b)),
    })
}

fn compare(op: &str, order: Option<std::cmp::Ordering>) -> Constant {
    use std::cmp::Ordering::{Equal, Greater, Less};
    Constant::Bool(match op {
        "<" => order == Some(Less),
        "<=" => matches!(order, Some(Less | Equal)),
        ">" => order == Some(Greater),
        ">=" => matches!(order, Some(Greater | Equal)),
        "==" => order == Some(Equal),
        "!=" => order != Some(Equal),
        _ => return unfit(op),
    })
}
