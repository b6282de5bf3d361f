//! Evaluates the operators of assertions, as documented in `types::suite::oracle`.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use serde_json::{Number, Value};

use super::pattern;
use mastor_types::suite::assertion::FieldOp;

/// Whether `actual` (`None` where the value is absent) satisfies the operator. A missing operand counts as null.
///
/// # Errors
/// Why the operand cannot be used.
pub fn holds(op: FieldOp, actual: Option<&Value>, expected: Option<&Value>) -> Result<bool, String> {
    let null = Value::Null;
    let operand = expected.unwrap_or(&null);
    Ok(match op {
        FieldOp::Equals => actual.is_some_and(|actual| same(actual, operand)),
        FieldOp::NotNull => actual.is_some_and(|actual| !actual.is_null()),
        FieldOp::IsNull => actual.is_some_and(Value::is_null),
        FieldOp::Absent => actual.is_none(),
        FieldOp::Gte => ordered(actual, operand)?.is_some_and(Ordering::is_ge),
        FieldOp::Lte => ordered(actual, operand)?.is_some_and(Ordering::is_le),
        FieldOp::Lt => ordered(actual, operand)?.is_some_and(Ordering::is_lt),
        FieldOp::Gt => ordered(actual, operand)?.is_some_and(Ordering::is_gt),
        FieldOp::Near => {
            let part = |name: &str| needed(operand.get(name).and_then(Value::as_f64), "a number with a tolerance");
            let (value, within) = (part("value")?, part("within")?);
            matches!(actual, Some(Value::Number(number)) if number.as_f64().is_some_and(|is| (is - value).abs() <= within))
        }
        FieldOp::Sorted => {
            let wanted = match operand.as_str() {
                Some("ascending") => Ordering::Greater,
                Some("descending") => Ordering::Less,
                _ => return Err("the oracle gives no operand that is an order".to_owned()),
            };
            actual.and_then(Value::as_array).is_some_and(|items| is_sorted(items, wanted))
        }
        FieldOp::ContainsNot => match (actual, operand) {
            (Some(Value::String(text)), Value::String(part)) => !text.contains(part.as_str()),
            (Some(Value::Array(items)), _) => !items.iter().any(|item| same(item, operand)),
            _ => false,
        },
        FieldOp::Matches => match actual {
            Some(Value::String(text)) => pattern::found(needed(operand.as_str(), "a regular expression")?, text)?,
            _ => false,
        },
        FieldOp::Type => has_type(actual, needed(operand.as_str(), "a type")?)?,
        FieldOp::Contains => match (actual, operand) {
            (Some(Value::String(text)), Value::String(part)) => text.contains(part.as_str()),
            (Some(Value::Array(items)), _) => items.iter().any(|item| same(item, operand)),
            _ => false,
        },
        FieldOp::OneOf => {
            let allowed = needed(operand.as_array(), "an array")?;
            actual.is_some_and(|actual| allowed.iter().any(|item| same(item, actual)))
        }
        FieldOp::Length => {
            let wanted = needed(operand.as_f64(), "a number")?;
            #[expect(clippy::cast_precision_loss, reason = "no body is that long")]
            actual.and_then(length).is_some_and(|length| length as f64 == wanted)
        }
        FieldOp::Keys => match actual {
            Some(Value::Object(object)) => {
                let wanted = needed(operand.as_array(), "an array of keys")?;
                let wanted: BTreeSet<Option<&str>> = wanted.iter().map(Value::as_str).collect();
                object.keys().map(|key| Some(key.as_str())).collect::<BTreeSet<_>>() == wanted
            }
            _ => false,
        },
        FieldOp::SameItems => match actual {
            Some(Value::Array(items)) => same_items(items, needed(operand.as_array(), "an array")?),
            _ => false,
        },
    })
}

fn needed<T>(operand: Option<T>, what: &str) -> Result<T, String> {
    operand.ok_or_else(|| format!("the oracle gives no operand that is {what}"))
}

/// Equality of JSON values. Numbers compare by value; if one has a fraction or exponent, as the nearest doubles.
pub fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => match (integer(a), integer(b)) {
            (Some(a), Some(b)) => a == b,
            _ => a.as_f64() == b.as_f64(),
        },
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

/// The same elements in any order, as multisets.
pub fn same_items(a: &[Value], b: &[Value]) -> bool {
    let mut left: Vec<&Value> = a.iter().collect();
    a.len() == b.len()
        && b.iter().all(|item| {
            let found = left.iter().position(|other| same(item, other));
            if let Some(at) = found {
                left.swap_remove(at);
            }
            found.is_some()
        })
}

/// The value of a number without fraction and exponent.
fn integer(number: &Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

/// Compares a number or string with a bound; `None` where the value is not of the bound's type.
fn ordered(actual: Option<&Value>, bound: &Value) -> Result<Option<Ordering>, String> {
    if !matches!(bound, Value::Number(_) | Value::String(_)) {
        return Err("the oracle gives no operand that is a number or a text".to_owned());
    }
    Ok(actual.and_then(|actual| compared(actual, bound)))
}

/// The order of two numbers or two strings; `None` for anything else.
fn compared(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => match (integer(a), integer(b)) {
            (Some(a), Some(b)) => Some(a.cmp(&b)),
            _ => a.as_f64().zip(b.as_f64()).and_then(|(a, b)| a.partial_cmp(&b)),
        },
        (Value::String(a), Value::String(b)) => Some(a.encode_utf16().cmp(b.encode_utf16())),
        _ => None,
    }
}

/// Whether each element can be ordered, and none stands in this order to the one behind it.
fn is_sorted(items: &[Value], wrong: Ordering) -> bool {
    let right = |a: &Value, b: &Value| compared(a, b).is_some_and(|order| order != wrong);
    items.iter().all(|item| compared(item, item).is_some()) && items.is_sorted_by(right)
}

fn has_type(actual: Option<&Value>, wanted: &str) -> Result<bool, String> {
    Ok(match wanted {
        "string" => matches!(actual, Some(Value::String(_))),
        "number" => matches!(actual, Some(Value::Number(_))),
        "integer" => match actual {
            Some(Value::Number(number)) => {
                integer(number).is_some() || number.as_f64().is_some_and(|value| value.fract() == 0.0)
            }
            _ => false,
        },
        "boolean" => matches!(actual, Some(Value::Bool(_))),
        "array" => matches!(actual, Some(Value::Array(_))),
        "object" => matches!(actual, Some(Value::Object(_))),
        "null" => matches!(actual, Some(Value::Null)),
        other => return Err(format!("the oracle names no JSON type: {other}")),
    })
}

/// The length of a text (in UTF-16 units), an array or an object.
fn length(value: &Value) -> Option<usize> {
    match value {
        Value::String(text) => Some(text.encode_utf16().count()),
        Value::Array(items) => Some(items.len()),
        Value::Object(object) => Some(object.len()),
        _ => None,
    }
}
