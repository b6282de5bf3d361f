//! Models boxed numbers, booleans and characters: `Integer`, `Long`, `Double`, `Boolean` and related classes.

use super::math::{extreme, math, of_unknown};
use super::number_texts::{decode, digits, in_radix, number, of_double, of_long, parse, parse_floating};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{
    Answer, boolean, compare_doubles, compare_scalars, double, double_bits, float_bits, int, long, scalar_hash,
    scalars_equal, settle, text, throw,
};
use crate::interpret::values::scalar::{Prim, Scalar};
use crate::interpret::values::value::{Type, Value};

fn known(values: &[Value]) -> Option<Vec<Scalar>> {
    values.iter().map(|value| value.scalar().cloned()).collect()
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let class = call.fqn.strip_prefix("java.lang.")?;
    if matches!(class, "Math" | "StrictMath")
        && call.receiver.is_none()
        && let Some(value) = of_unknown(call)
    {
        return Some(Ok(value));
    }
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
                crate::interpret::library::base::support::text_of(machine, &Value::Scalar(own.clone()))
                    .map(|text| machine.fresh_text(&text)),
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

/// The primitive type of a number class, and its number of bits.
fn width(class: &str) -> Option<(Prim, u32)> {
    Some(match class {
        "Integer" => (Prim::Int, 32),
        "Long" => (Prim::Long, 64),
        "Short" => (Prim::Short, 16),
        "Byte" => (Prim::Byte, 8),
        _ => return None,
    })
}

fn statics(machine: &mut Machine<'_>, class: &str, call: &LibraryCall<'_>) -> Option<Answer> {
    if let Some((prim, bits)) = width(class) {
        return integral(machine, class, prim, bits, call);
    }
    match class {
        "Double" | "Float" => floating(machine, class == "Float", call),
        "Boolean" => booleans(machine, call),
        "Character" => crate::interpret::library::text::characters::statics(machine, call),
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
            return Some(
                crate::interpret::library::base::support::text_of(machine, &x).map(|text| machine.fresh_text(&text)),
            );
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
