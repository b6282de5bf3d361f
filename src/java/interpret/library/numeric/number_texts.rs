//! Conversion between numbers and text: digits in a radix, `Integer.parseInt`, `Double.parseDouble` and related
//! methods.

use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::support::{Answer, open, text, throw, throw_with};
use crate::interpret::values::scalar::{Prim, Scalar};
use crate::interpret::values::value::Value;

/// A `double` value.
pub fn of_double(x: f64) -> Value {
    Value::Scalar(Scalar::Double(x))
}

/// A `long` value.
pub fn of_long(x: i64) -> Value {
    Value::Scalar(Scalar::Long(x))
}

/// Digits of an unsigned number in a radix.
pub fn digits(mut n: u128, radix: u32) -> String {
    if n == 0 {
        return "0".to_owned();
    }
    let mut out = Vec::new();
    while n > 0 {
        let digit = u32::try_from(n % u128::from(radix)).unwrap_or_default();
        out.push(char::from_digit(digit, radix).unwrap_or('?'));
        n /= u128::from(radix);
    }
    out.iter().rev().collect()
}

/// A signed number in a radix.
pub fn in_radix(n: i64, radix: i32) -> String {
    let radix = u32::try_from(radix).ok().filter(|radix| (2..=36).contains(radix)).unwrap_or(10);
    let text = digits(n.unsigned_abs().into(), radix);
    if n < 0 { format!("-{text}") } else { text }
}

/// A number of a primitive type.
pub fn number(prim: Prim, n: i64) -> Value {
    Value::Scalar(match prim {
        Prim::Byte => Scalar::Byte(n as i8),
        Prim::Short => Scalar::Short(n as i16),
        Prim::Long => Scalar::Long(n),
        _ => Scalar::Int(n as i32),
    })
}

fn malformed(
    machine: &mut Machine<'_>,
    text: &str,
    radix: i32,
    stable: bool,
) -> crate::interpret::library::base::support::Fail {
    if radix == 10 && stable {
        return throw_with(machine, "NumberFormatException", Value::text(&format!("For input string: \"{text}\"")));
    }
    throw(machine, "NumberFormatException")
}

/// Models `Integer.parseInt` and related methods.
pub fn parse(machine: &mut Machine<'_>, prim: Prim, bits: u32, given: &Value, radix: i32) -> Option<Answer> {
    if given.is_null() {
        return Some(Err(throw(machine, "NumberFormatException")));
    }
    let own = text(given)?.to_owned();
    if !(2..=36).contains(&radix) {
        return Some(Err(throw(machine, "NumberFormatException")));
    }
    if !own.is_ascii() {
        return Some(open("digits of other scripts"));
    }
    let (negative, rest) = match own.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, own.strip_prefix('+').unwrap_or(&own)),
    };
    let stable = matches!(prim, Prim::Int | Prim::Long);
    let mut n: i128 = 0;
    let limit = 1_i128 << (bits - 1);
    if rest.is_empty() {
        return Some(Err(malformed(machine, &own, radix, stable)));
    }
    for c in rest.chars() {
        let Some(digit) = c.to_digit(radix as u32) else { return Some(Err(malformed(machine, &own, radix, stable))) };
        n = n * i128::from(radix) + i128::from(digit);
        if n > limit {
            return Some(Err(malformed(machine, &own, radix, stable)));
        }
    }
    let n = if negative { -n } else { n };
    if n >= limit {
        return Some(Err(malformed(machine, &own, radix, stable)));
    }
    Some(Ok(number(prim, n as i64)))
}

/// Models `Double.parseDouble` and `Float.parseFloat`.
pub fn parse_floating(machine: &mut Machine<'_>, given: &Value, single: bool) -> Option<Answer> {
    if given.is_null() {
        return Some(Err(throw(machine, "NullPointerException")));
    }
    let own = text(given)?.to_owned();
    let trimmed = own.trim_matches(|c: char| c <= ' ');
    if trimmed.is_empty() {
        return Some(Err(throw_with(machine, "NumberFormatException", Value::text("empty String"))));
    }
    let (sign, rest) = match trimmed.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, trimmed.strip_prefix('+').unwrap_or(trimmed)),
    };
    let special = match rest {
        "NaN" => Some(f64::NAN),
        "Infinity" => Some(f64::INFINITY * sign),
        _ => None,
    };
    if let Some(x) = special {
        return Some(Ok(if single { Value::Scalar(Scalar::Float(x as f32)) } else { of_double(x) }));
    }
    if rest.starts_with("0x") || rest.starts_with("0X") {
        return Some(open("a hexadecimal floating-point number"));
    }
    let digits = rest.strip_suffix(['f', 'F', 'd', 'D']).unwrap_or(rest);
    let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (digits, None),
    };
    let plain = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let good = plain(whole)
        && plain(fraction)
        && !(whole.is_empty() && fraction.is_empty())
        && exponent.is_none_or(|e| {
            let e = e.strip_prefix(['-', '+']).unwrap_or(e);
            !e.is_empty() && plain(e)
        });
    if !good {
        let message = format!("For input string: \"{own}\"");
        let same = own == trimmed;
        return Some(Err(if same {
            throw_with(machine, "NumberFormatException", Value::text(&message))
        } else {
            throw(machine, "NumberFormatException")
        }));
    }
    let normal = format!(
        "{}{}.{}{}",
        if sign < 0.0 { "-" } else { "" },
        if whole.is_empty() { "0" } else { whole },
        if fraction.is_empty() { "0" } else { fraction },
        exponent.map(|e| format!("e{e}")).unwrap_or_default()
    );
    Some(Ok(if single { Value::Scalar(Scalar::Float(normal.parse().ok()?)) } else { of_double(normal.parse().ok()?) }))
}

/// Models `Integer.decode` and related methods.
pub fn decode(machine: &mut Machine<'_>, prim: Prim, bits: u32, own: &str) -> Option<Answer> {
    let (sign, rest) = match own.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", own.strip_prefix('+').unwrap_or(own)),
    };
    let (radix, rest) = if let Some(rest) =
        rest.strip_prefix("0x").or_else(|| rest.strip_prefix("0X")).or_else(|| rest.strip_prefix('#'))
    {
        (16, rest)
    } else if rest.len() > 1 && rest.starts_with('0') {
        (8, &rest[1..])
    } else {
        (10, rest)
    };
    match parse(machine, prim, bits, &Value::text(&format!("{sign}{rest}")), radix)? {
        Ok(value) => Some(Ok(value)),
        Err(_) => Some(Err(throw(machine, "NumberFormatException"))),
    }
}
