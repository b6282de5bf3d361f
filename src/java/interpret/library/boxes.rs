//! Boxes and `Math` on known numbers.

use super::invocation::LibraryCall;
use super::support::{
    Answer, boolean, compare_doubles, compare_scalars, double, double_bits, float_bits, int, long, open, scalar_hash,
    scalars_equal, settle, text, throw, throw_with,
};
use crate::java::interpret::machine::{Eval, Machine};
use crate::java::interpret::scalar::{Prim, Scalar};
use crate::java::interpret::value::{Type, Value};

fn of_double(x: f64) -> Value {
    Value::Scalar(Scalar::Double(x))
}

fn of_long(x: i64) -> Value {
    Value::Scalar(Scalar::Long(x))
}

fn known(values: &[Value]) -> Option<Vec<Scalar>> {
    values.iter().map(|value| value.scalar().cloned()).collect()
}

/// The model.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let class = call.fqn.strip_prefix("java.lang.")?;
    known(call.args)?;
    let answer = match call.receiver {
        None if matches!(class, "Math" | "StrictMath") => math(machine, call)?,
        None => statics(machine, class, call)?,
        Some(receiver) => {
            Prim::of_box(call.fqn)?;
            on_box(machine, receiver.scalar()?, call)?
        }
    };
    Some(settle(machine, call, answer))
}

fn on_box(machine: &mut Machine<'_>, own: &Scalar, call: &LibraryCall<'_>) -> Option<Answer> {
    let prim = own.prim()?;
    Some(Ok(match (call.name, call.args) {
        ("hashCode", []) => Value::int(scalar_hash(own)?),
        ("equals", [other]) => Value::bool(other.scalar().is_some_and(|other| scalars_equal(own, other))),
        ("compareTo" | "compare", [other]) => {
            if other.is_null() {
                return Some(Err(throw(machine, "NullPointerException")));
            }
            Value::int(compare_scalars(own, other.scalar()?)?)
        }
        ("toString", []) => {
            return Some(
                super::support::text_of(machine, &Value::Scalar(own.clone())).map(|text| machine.fresh_text(&text)),
            );
        }
        ("isNaN", []) => Value::bool(own.as_double()?.is_nan()),
        ("isInfinite", []) => Value::bool(own.as_double()?.is_infinite()),
        (name, []) => {
            let to = match name {
                "intValue" => Prim::Int,
                "longValue" => Prim::Long,
                "doubleValue" => Prim::Double,
                "floatValue" => Prim::Float,
                "shortValue" => Prim::Short,
                "byteValue" => Prim::Byte,
                "booleanValue" if prim == Prim::Bool => Prim::Bool,
                "charValue" if prim == Prim::Char => Prim::Char,
                _ => return None,
            };
            machine.convert(Value::Scalar(own.clone()), &Type::Prim(to))
        }
        _ => return None,
    }))
}

/// Digits of an unsigned number in a radix.
fn digits(mut n: u128, radix: u32) -> String {
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

fn in_radix(n: i64, radix: i32) -> String {
    let radix = u32::try_from(radix).ok().filter(|radix| (2..=36).contains(radix)).unwrap_or(10);
    let text = digits(n.unsigned_abs().into(), radix);
    if n < 0 { format!("-{text}") } else { text }
}

/// What a number class is, and its bits.
fn width(class: &str) -> Option<(Prim, u32)> {
    Some(match class {
        "Integer" => (Prim::Int, 32),
        "Long" => (Prim::Long, 64),
        "Short" => (Prim::Short, 16),
        "Byte" => (Prim::Byte, 8),
        _ => return None,
    })
}

fn number(prim: Prim, n: i64) -> Value {
    Value::Scalar(match prim {
        Prim::Byte => Scalar::Byte(n as i8),
        Prim::Short => Scalar::Short(n as i16),
        Prim::Long => Scalar::Long(n),
        _ => Scalar::Int(n as i32),
    })
}

fn malformed(machine: &mut Machine<'_>, text: &str, radix: i32, stable: bool) -> super::support::Fail {
    if radix == 10 && stable {
        return throw_with(machine, "NumberFormatException", Value::text(&format!("For input string: \"{text}\"")));
    }
    throw(machine, "NumberFormatException")
}

/// `Integer.parseInt` and its kin.
fn parse(machine: &mut Machine<'_>, prim: Prim, bits: u32, given: &Value, radix: i32) -> Option<Answer> {
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

/// `Double.parseDouble` and `Float.parseFloat`.
fn parse_floating(machine: &mut Machine<'_>, given: &Value, single: bool) -> Option<Answer> {
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

fn statics(machine: &mut Machine<'_>, class: &str, call: &LibraryCall<'_>) -> Option<Answer> {
    if let Some((prim, bits)) = width(class) {
        return integral(machine, class, prim, bits, call);
    }
    match class {
        "Double" | "Float" => floating(machine, class == "Float", call),
        "Boolean" => booleans(machine, call),
        "Character" => super::characters::statics(machine, call),
        _ => None,
    }
}

fn booleans(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    Some(Ok(match (call.name, call.args) {
        ("parseBoolean" | "valueOf", [value]) if boolean(value).is_none() => {
            Value::bool(text(value).is_some_and(|text| text.eq_ignore_ascii_case("true")))
        }
        ("valueOf", [value]) => value.clone(),
        ("toString", [value]) => {
            let text = boolean(value)?.to_string();
            Value::Scalar(Scalar::pooled(&text))
        }
        ("hashCode", [value]) => Value::int(scalar_hash(value.scalar()?)?),
        ("compare", [a, b]) => Value::int(i32::from(boolean(a)?) - i32::from(boolean(b)?)),
        ("logicalAnd", [a, b]) => Value::bool(boolean(a)? & boolean(b)?),
        ("logicalOr", [a, b]) => Value::bool(boolean(a)? | boolean(b)?),
        ("logicalXor", [a, b]) => Value::bool(boolean(a)? ^ boolean(b)?),
        _ => {
            let _ = machine;
            return None;
        }
    }))
}

fn floating(machine: &mut Machine<'_>, single: bool, call: &LibraryCall<'_>) -> Option<Answer> {
    if let ("parseDouble" | "parseFloat" | "valueOf", [value]) = (call.name, call.args)
        && (text(value).is_some() || value.is_null())
    {
        return parse_floating(machine, value, single);
    }
    let to = if single { Prim::Float } else { Prim::Double };
    let x = call.args.first()?;
    let d = |value: &Value| double(value);
    Some(Ok(match (call.name, call.args) {
        ("valueOf", [_]) => machine.convert(x.clone(), &Type::Prim(to)),
        ("toString", [_]) => {
            let x = machine.convert(x.clone(), &Type::Prim(to));
            return Some(super::support::text_of(machine, &x).map(|text| machine.fresh_text(&text)));
        }
        ("isNaN", [_]) => Value::bool(d(x)?.is_nan()),
        ("isInfinite", [_]) => Value::bool(d(x)?.is_infinite()),
        ("isFinite", [_]) => Value::bool(d(x)?.is_finite()),
        ("compare", [_, y]) => Value::int(compare_doubles(d(x)?, d(y)?)),
        ("hashCode", [_]) => {
            let x = machine.convert(x.clone(), &Type::Prim(to));
            Value::int(scalar_hash(x.scalar()?)?)
        }
        ("doubleToLongBits" | "doubleToRawLongBits", [_]) => of_long(double_bits(d(x)?) as i64),
        ("floatToIntBits" | "floatToRawIntBits", [_]) => Value::int(float_bits(d(x)? as f32) as i32),
        ("longBitsToDouble", [_]) => of_double(f64::from_bits(long(x)? as u64)),
        ("intBitsToFloat", [_]) => Value::Scalar(Scalar::Float(f32::from_bits(int(x)? as u32))),
        ("max" | "min" | "sum", [_, y]) if !single => {
            let (a, b) = (d(x)?, d(y)?);
            of_double(match call.name {
                "sum" => a + b,
                name => extreme(a, b, name == "max"),
            })
        }
        _ => return None,
    }))
}

fn extreme(a: f64, b: f64, max: bool) -> f64 {
    if a.is_nan() || b.is_nan() {
        f64::NAN
    } else if a == 0.0 && b == 0.0 {
        if a.is_sign_negative() == max { b } else { a }
    } else if (a > b) == max {
        a
    } else {
        b
    }
}

fn integral(machine: &mut Machine<'_>, class: &str, prim: Prim, bits: u32, call: &LibraryCall<'_>) -> Option<Answer> {
    let first = call.args.first()?;
    match (call.name, call.args) {
        ("parseInt" | "parseLong" | "parseShort" | "parseByte" | "valueOf", [value])
            if text(value).is_some() || value.is_null() =>
        {
            return parse(machine, prim, bits, value, 10);
        }
        ("parseInt" | "parseLong" | "parseShort" | "parseByte" | "valueOf", [value, radix]) => {
            return parse(machine, prim, bits, value, int(radix)?);
        }
        ("decode", [value]) => return decode(machine, prim, bits, text(value)?),
        _ => {}
    }
    let n = long(first)?;
    let second = call.args.get(1).and_then(long);
    let mask = if bits == 64 { u128::from(u64::MAX) } else { (1_u128 << bits) - 1 };
    let unsigned = (n as i128 as u128) & mask;
    let made = |machine: &mut Machine<'_>, text: String| Some(Ok(machine.fresh_text(&text)));
    match (call.name, call.args.len()) {
        ("toString", 1) => return made(machine, n.to_string()),
        ("toString", 2) => return made(machine, in_radix(n, i32::try_from(second?).ok()?)),
        ("toHexString", 1) => return made(machine, digits(unsigned, 16)),
        ("toBinaryString", 1) => return made(machine, digits(unsigned, 2)),
        ("toOctalString", 1) => return made(machine, digits(unsigned, 8)),
        ("toUnsignedString", 1) => return made(machine, unsigned.to_string()),
        _ => {}
    }
    let wide = class == "Long";
    let (as_int, as_long) = (n as i32, n);
    let pick = |narrow: i64, wide_value: i64| {
        number(if wide { Prim::Long } else { Prim::Int }, if wide { wide_value } else { narrow })
    };
    Some(Ok(match (call.name, second) {
        ("valueOf", None) => number(prim, n),
        ("hashCode", None) => Value::int(scalar_hash(number(prim, n).scalar()?)?),
        ("compare", Some(m)) if matches!(prim, Prim::Byte | Prim::Short) => Value::int((n - m) as i32),
        ("compare", Some(m)) => Value::int(n.cmp(&m) as i32),
        ("compareUnsigned", Some(m)) => Value::int(unsigned.cmp(&((m as i128 as u128) & mask)) as i32),
        ("max", Some(m)) => pick(n.max(m), n.max(m)),
        ("min", Some(m)) => pick(n.min(m), n.min(m)),
        ("sum", Some(m)) => pick(n.wrapping_add(m), n.wrapping_add(m)),
        ("signum", None) => Value::int(n.signum() as i32),
        ("bitCount", None) => Value::int(unsigned.count_ones() as i32),
        ("numberOfLeadingZeros", None) => {
            Value::int(if wide { as_long.leading_zeros() } else { as_int.leading_zeros() } as i32)
        }
        ("numberOfTrailingZeros", None) => {
            Value::int(if wide { as_long.trailing_zeros() } else { as_int.trailing_zeros() } as i32)
        }
        ("reverse", None) => pick(as_int.reverse_bits().into(), as_long.reverse_bits()),
        ("reverseBytes", None) if bits >= 32 => pick(as_int.swap_bytes().into(), as_long.swap_bytes()),
        ("rotateLeft", Some(by)) => {
            pick(as_int.rotate_left((by & 31) as u32).into(), as_long.rotate_left((by & 63) as u32))
        }
        ("rotateRight", Some(by)) => {
            pick(as_int.rotate_right((by & 31) as u32).into(), as_long.rotate_right((by & 63) as u32))
        }
        ("highestOneBit", None) => {
            let top = |zeros: u32, bits: u32| if zeros == bits { 0 } else { 1_i64 << (bits - 1 - zeros) };
            pick(top(as_int.leading_zeros(), 32) as i32 as i64, top(as_long.leading_zeros(), 64))
        }
        ("lowestOneBit", None) => pick((as_int & as_int.wrapping_neg()).into(), as_long & as_long.wrapping_neg()),
        ("toUnsignedLong", None) => of_long(unsigned as i64),
        ("toUnsignedInt", None) => Value::int(unsigned as i32),
        ("divideUnsigned" | "remainderUnsigned", Some(m)) => {
            let m = (m as i128 as u128) & mask;
            if m == 0 {
                return Some(Err(throw(machine, "ArithmeticException")));
            }
            let result = if call.name == "divideUnsigned" { unsigned / m } else { unsigned % m };
            pick(result as i32 as i64, result as i64)
        }
        _ => return None,
    }))
}

fn decode(machine: &mut Machine<'_>, prim: Prim, bits: u32, own: &str) -> Option<Answer> {
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

fn promoted(args: &[Value]) -> Option<Prim> {
    let mut prim = Prim::Int;
    for arg in args {
        prim = crate::java::interpret::arith::promoted(prim, arg.prim()?)?;
    }
    Some(prim)
}

fn overflow(machine: &mut Machine<'_>, prim: Prim) -> super::support::Fail {
    let message = if prim == Prim::Long { "long overflow" } else { "integer overflow" };
    throw_with(machine, "ArithmeticException", Value::text(message))
}

fn exact(machine: &mut Machine<'_>, prim: Prim, n: i128) -> Answer {
    let fits = if prim == Prim::Long { i64::try_from(n).is_ok() } else { i32::try_from(n).is_ok() };
    if fits { Ok(number(prim, n as i64)) } else { Err(overflow(machine, prim)) }
}

fn math(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    if call.args.iter().any(Value::is_null) {
        return None;
    }
    let prim = promoted(call.args)?;
    if matches!(prim, Prim::Int | Prim::Long)
        && let Some(answer) = math_integral(machine, prim, call)
    {
        return Some(answer);
    }
    let x = double(call.args.first()?)?;
    let y = call.args.get(1).and_then(double);
    let single = prim == Prim::Float;
    let back = |x: f64| if single { Value::Scalar(Scalar::Float(x as f32)) } else { of_double(x) };
    Some(Ok(match (call.name, y) {
        ("abs", None) => back(x.abs()),
        ("max", Some(y)) => back(extreme(x, y, true)),
        ("min", Some(y)) => back(extreme(x, y, false)),
        ("sqrt", None) => of_double(x.sqrt()),
        ("floor", None) => of_double(x.floor()),
        ("ceil", None) => of_double(x.ceil()),
        ("rint", None) => of_double(x.round_ties_even()),
        ("round", None) if single => {
            let f = x as f32;
            Value::int((f64::from(f) + 0.5).floor() as i32)
        }
        ("round", None) => of_long(round(x)),
        ("signum", None) => back(if x.is_nan() || x == 0.0 { x } else { x.signum() }),
        ("toRadians", None) => {
            // Older releases divide first.
            let (new, old) = (x * 0.017_453_292_519_943_295, x / 180.0 * std::f64::consts::PI);
            if double_bits(new) != double_bits(old) {
                return Some(open("the last digit of an angle"));
            }
            of_double(new)
        }
        ("toDegrees", None) => {
            let (new, old) = (x * 57.295_779_513_082_32, x * 180.0 / std::f64::consts::PI);
            if double_bits(new) != double_bits(old) {
                return Some(open("the last digit of an angle"));
            }
            of_double(new)
        }
        ("copySign", Some(y)) if !single => of_double(x.copysign(y)),
        ("pow", Some(y)) => match power(x, y) {
            Some(power) => of_double(power),
            None => return Some(open("the last digit of a power")),
        },
        ("sin" | "tan" | "atan" | "asin" | "sinh" | "expm1" | "log1p" | "cbrt", None) if x == 0.0 || x.is_nan() => {
            of_double(x)
        }
        ("cos" | "exp" | "cosh", None) if x == 0.0 => of_double(1.0),
        ("log" | "log10", None) if x == 1.0 => of_double(0.0),
        ("log" | "log10", None) if x == 0.0 => of_double(f64::NEG_INFINITY),
        ("log" | "log10", None) if x < 0.0 || x.is_nan() => of_double(f64::NAN),
        (
            "sin" | "cos" | "tan" | "asin" | "acos" | "atan" | "exp" | "log" | "log10" | "cbrt" | "sinh" | "cosh"
            | "tanh" | "hypot" | "expm1" | "log1p" | "atan2",
            _,
        ) => {
            return Some(Ok(machine.unknown("the last digit of a transcendental function", Type::Prim(Prim::Double))));
        }
        _ => return None,
    }))
}

/// `Math.round` of a `double`.
fn round(x: f64) -> i64 {
    if x.is_nan() {
        return 0;
    }
    let floor = x.floor();
    (if x - floor >= 0.5 { floor + 1.0 } else { floor }) as i64
}

/// `Math.pow` where it is exact: special cases, and whole exponents whose result fits.
fn power(x: f64, y: f64) -> Option<f64> {
    if y == 0.0 {
        return Some(1.0);
    }
    if y.is_nan() || x.is_nan() {
        return Some(f64::NAN);
    }
    if y == 1.0 {
        return Some(x);
    }
    if x.fract() == 0.0 && x.abs() < 9e15 && y.fract() == 0.0 && (1.0..=64.0).contains(&y) {
        let (base, mut all) = (x as i128, 1_i128);
        for _ in 0..(y as u32) {
            all = all.checked_mul(base)?;
            if all.unsigned_abs() > 1 << 53 {
                // Powers of two are exact beyond that.
                return (base.unsigned_abs().is_power_of_two()).then(|| x.powi(y as i32));
            }
        }
        return if x == 0.0 { None } else { Some(all as f64) };
    }
    None
}

fn math_integral(machine: &mut Machine<'_>, prim: Prim, call: &LibraryCall<'_>) -> Option<Answer> {
    let a = long(call.args.first()?)?;
    let b = call.args.get(1).and_then(long);
    let (x, y) = (i128::from(a), b.map(i128::from));
    let make = |n: i64| number(prim, n);
    Some(match (call.name, b) {
        ("abs", None) if prim == Prim::Int => Ok(Value::int((a as i32).wrapping_abs())),
        ("abs", None) => Ok(make(a.wrapping_abs())),
        ("max", Some(b)) => Ok(make(a.max(b))),
        ("min", Some(b)) => Ok(make(a.min(b))),
        ("addExact", Some(_)) => exact(machine, prim, x + y?),
        ("subtractExact", Some(_)) => exact(machine, prim, x - y?),
        ("multiplyExact", Some(_)) => exact(machine, prim, x * y?),
        ("negateExact", None) => exact(machine, prim, -x),
        ("incrementExact", None) => exact(machine, prim, x + 1),
        ("decrementExact", None) => exact(machine, prim, x - 1),
        ("toIntExact", None) => exact(machine, Prim::Int, x),
        ("floorDiv" | "floorMod", Some(0)) => Err(throw_with(machine, "ArithmeticException", Value::text("/ by zero"))),
        ("floorDiv", Some(_)) => {
            let m = y?;
            let floor = if x % m != 0 && (x % m < 0) != (m < 0) { x / m - 1 } else { x / m };
            Ok(make(floor as i64))
        }
        ("floorMod", Some(_)) => {
            let m = y?;
            let r = x % m;
            let r = if r != 0 && (r < 0) != (m < 0) { r + m } else { r };
            let narrow = matches!(call.args.get(1)?.prim()?, Prim::Int | Prim::Short | Prim::Byte);
            // `floorMod(long, int)` is an `int` since Java 9.
            if prim == Prim::Long && narrow { open("the type of a remainder") } else { Ok(make(r as i64)) }
        }
        _ => return None,
    })
}
