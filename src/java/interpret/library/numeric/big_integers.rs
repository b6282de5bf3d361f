//! Models `java.math.BigInteger`.

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::decimal::MAX_BITS;
use super::integer_math::{bit_length, hash, is_prime};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{
    Answer, array, array_items, int, library_type, long, native, open, reference, settle, text, throw, throw_with,
};
use crate::interpret::values::scalar::{Prim, Scalar};
use crate::interpret::values::value::{Contents, Heap, Native, Type, Value};

/// The class name.
pub const FQN: &str = "java.math.BigInteger";

/// The state of a `BigInteger`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Whole(pub BigInt);

impl Native for Whole {
    native_state!(leaf);

    fn contents(&self, _: &Heap) -> Option<Contents> {
        Some(Contents::Integer(self.0.to_string()))
    }

    fn is_frozen(&self) -> bool {
        true
    }

    fn is_value(&self) -> bool {
        true
    }
}

/// A new `BigInteger`.
pub fn made(machine: &mut Machine<'_>, value: BigInt) -> Answer {
    if value.bits() > MAX_BITS {
        return open("a number is too large");
    }
    Ok(native(machine, FQN, Whole(value)))
}

/// A constant of the class.
pub fn constant(name: &str) -> Option<Whole> {
    Some(Whole(BigInt::from(match name {
        "ZERO" => 0,
        "ONE" => 1,
        "TWO" => 2,
        "TEN" => 10,
        _ => return None,
    })))
}

/// The number passed as an argument.
pub fn given(machine: &mut Machine<'_>, value: &Value) -> Answer<BigInt> {
    if value.is_null() {
        return Err(throw(machine, "NullPointerException"));
    }
    match reference(value).and_then(|id| machine.native::<Whole>(id)) {
        Some(whole) => Ok(whole.0.clone()),
        None => open("a number is not known"),
    }
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if call.fqn != FQN {
        return None;
    }
    let answer = match call.receiver {
        None if call.name == "<init>" => constructed(machine, call.args)?,
        None => match (call.name, call.args) {
            ("valueOf", [value]) => match long(value) {
                Some(value) => made(machine, BigInt::from(value)),
                None => open("a number is not known"),
            },
            _ => return None,
        },
        Some(receiver) => match given(machine, receiver) {
            Ok(own) => on_number(machine, receiver, &own, call)?,
            Err(fail) => Err(fail),
        },
    };
    Some(settle(machine, call, answer))
}

fn constructed(machine: &mut Machine<'_>, args: &[Value]) -> Option<Answer> {
    let (given, radix) = match args {
        [given] if array_items(machine, given).is_some() => {
            let bytes = bytes_of(machine, given)?;
            if bytes.is_empty() {
                return Some(malformed(machine, Value::text("Zero length BigInteger")));
            }
            return Some(made(machine, BigInt::from_signed_bytes_be(&bytes)));
        }
        [sign, given] if array_items(machine, given).is_some() => {
            let (sign, bytes) = (int(sign)?, bytes_of(machine, given)?);
            let magnitude = BigInt::from_bytes_be(Sign::Plus, &bytes);
            return Some(match sign {
                1 => made(machine, magnitude),
                -1 => made(machine, -magnitude),
                0 if magnitude.is_zero() => made(machine, magnitude),
                _ => malformed(machine, Value::unknown("message of a library exception", Type::Str)),
            });
        }
        [given] => (given, 10),
        [given, radix] if text(given).is_some() || given.is_null() => (given, int(radix)?),
        _ => return Some(open("a number is not known")),
    };
    if given.is_null() {
        return Some(Err(throw(machine, "NullPointerException")));
    }
    let Some(own) = text(given).map(ToOwned::to_owned) else { return Some(open("a number is not known")) };
    if !(2..=36).contains(&radix) {
        return Some(malformed(machine, Value::text("Radix out of range")));
    }
    if own.is_empty() {
        return Some(malformed(machine, Value::text("Zero length BigInteger")));
    }
    if !own.is_ascii() {
        return Some(open("digits of other scripts"));
    }
    let digits = own.strip_prefix(['-', '+']).unwrap_or(&own);
    let read = digits
        .bytes()
        .all(|c| char::from(c).is_digit(radix as u32))
        .then(|| BigInt::parse_bytes(digits.as_bytes(), radix as u32))
        .flatten();
    Some(match read {
        Some(value) => made(machine, if own.starts_with('-') { -value } else { value }),
        None if digits.is_empty() => malformed(machine, Value::text("Zero length BigInteger")),
        None => malformed(machine, Value::unknown("message of a library exception", Type::Str)),
    })
}

fn malformed(machine: &mut Machine<'_>, message: Value) -> Answer {
    Err(throw_with(machine, "NumberFormatException", message))
}

fn bytes_of(machine: &Machine<'_>, value: &Value) -> Option<Vec<u8>> {
    array_items(machine, value)?
        .iter()
        .map(|item| match item {
            Value::Scalar(Scalar::Byte(byte)) => Some(*byte as u8),
            _ => None,
        })
        .collect()
}

fn arithmetic<T>(machine: &mut Machine<'_>, message: &str) -> Answer<T> {
    Err(throw_with(machine, "ArithmeticException", Value::text(message)))
}

fn on_number(machine: &mut Machine<'_>, receiver: &Value, own: &BigInt, call: &LibraryCall<'_>) -> Option<Answer> {
    Some(match (call.name, call.args) {
        (
            "add" | "subtract" | "multiply" | "divide" | "remainder" | "mod" | "gcd" | "and" | "or" | "xor" | "andNot"
            | "divideAndRemainder" | "modInverse" | "compareTo" | "max" | "min",
            [other],
        ) => match given(machine, other) {
            Ok(number) => with(machine, (receiver, own), (other, &number), call.name),
            Err(fail) => Err(fail),
        },
        ("equals", [other]) => match reference(other).map(|id| machine.native::<Whole>(id)) {
            Some(Some(Whole(other))) => Ok(Value::bool(own == other)),
            Some(None) => Ok(Value::bool(false)),
            None if matches!(other, Value::Scalar(_)) => Ok(Value::bool(false)),
            None => open("a number is not known"),
        },
        ("pow", [n]) => {
            let n = int(n)?;
            match u32::try_from(n) {
                Err(_) => arithmetic(machine, "Negative exponent"),
                Ok(n) if own.bits().saturating_mul(n.into()) > MAX_BITS && own.bits() > 1 => {
                    open("a number is too large")
                }
                Ok(n) => made(machine, own.pow(n)),
            }
        }
        ("modPow", [by, modulus]) => match (given(machine, by), given(machine, modulus)) {
            (Ok(by), Ok(modulus)) => mod_power(machine, own, &by, &modulus),
            (Err(fail), _) | (_, Err(fail)) => Err(fail),
        },
        ("negate", []) => made(machine, -own),
        ("abs", []) => {
            if own.is_negative() {
                made(machine, -own)
            } else {
                Ok(receiver.clone())
            }
        }
        ("not", []) => made(machine, -own - 1),
        ("signum", []) => Ok(Value::int(own.signum().to_i32()?)),
        ("sqrt", []) => {
            if own.is_negative() {
                return Some(arithmetic(machine, "Negative BigInteger"));
            }
            made(machine, own.sqrt())
        }
        ("isProbablePrime", [certainty]) => {
            if int(certainty)? <= 0 {
                return Some(Ok(Value::bool(true)));
            }
            match own.abs().to_u64() {
                Some(n) => Ok(Value::bool(is_prime(n))),
                None => open("whether so large a number is prime"),
            }
        }
        ("nextProbablePrime", []) => match own.to_u64() {
            None if own.is_negative() => Err(throw(machine, "ArithmeticException")),
            Some(n) if n < u64::MAX / 2 => {
                let prime = (n + 1..).find(|n| is_prime(*n)).unwrap_or_default();
                made(machine, BigInt::from(prime))
            }
            _ => open("the next prime of a large number"),
        },
        ("hashCode", []) => Ok(Value::int(hash(own))),
        ("toString", []) => Ok(machine.fresh_text(&own.to_string())),
        ("toString", [radix]) => {
            let radix = int(radix)?;
            let radix = if (2..=36).contains(&radix) { radix as u32 } else { 10 };
            Ok(machine.fresh_text(&own.to_str_radix(radix)))
        }
        ("toByteArray", []) => {
            let bytes =
                own.to_signed_bytes_be().into_iter().map(|byte| Value::Scalar(Scalar::Byte(byte as i8))).collect();
            Ok(array(machine, bytes, Type::Prim(Prim::Byte)))
        }
        _ => return bits(machine, own, call).or_else(|| narrowed(machine, own, call.name, call.args)),
    })
}

fn with(
    machine: &mut Machine<'_>,
    (receiver, a): (&Value, &BigInt),
    (other, b): (&Value, &BigInt),
    name: &str,
) -> Answer {
    match name {
        "divide" | "remainder" | "divideAndRemainder" if b.is_zero() => {
            return arithmetic(machine, "BigInteger divide by zero");
        }
        "mod" | "modInverse" if !b.is_positive() => {
            return arithmetic(machine, "BigInteger: modulus not positive");
        }
        "multiply" if a.bits() + b.bits() > MAX_BITS => return open("a number is too large"),
        _ => {}
    }
    let result = match name {
        "add" => a + b,
        "subtract" => a - b,
        "multiply" => a * b,
        "divide" => a / b,
        "remainder" => a % b,
        "mod" => a.mod_floor(b),
        "gcd" => a.gcd(b),
        "and" => a & b,
        "or" => a | b,
        "xor" => a ^ b,
        "andNot" => a & (-b - BigInt::one()),
        "modInverse" if b.is_one() => BigInt::zero(),
        "modInverse" => match a.modinv(b) {
            Some(inverse) => inverse,
            None => return arithmetic(machine, "BigInteger not invertible."),
        },
        "divideAndRemainder" => {
            let (quotient, rest) = a.div_rem(b);
            let parts = vec![made(machine, quotient)?, made(machine, rest)?];
            return Ok(array(machine, parts, library_type(FQN)));
        }
        "compareTo" => return Ok(Value::int(a.cmp(b) as i32)),
        "max" => return Ok(if a >= b { receiver.clone() } else { other.clone() }),
        _ => return Ok(if a <= b { receiver.clone() } else { other.clone() }),
    };
    made(machine, result)
}

fn mod_power(machine: &mut Machine<'_>, own: &BigInt, by: &BigInt, modulus: &BigInt) -> Answer {
    if !modulus.is_positive() {
        return arithmetic(machine, "BigInteger: modulus not positive");
    }
    if modulus.bits() > 4096 || by.bits() > 4096 {
        return open("a number is too large");
    }
    let base = own.mod_floor(modulus);
    if !by.is_negative() {
        return made(machine, base.modpow(by, modulus));
    }
    match base.modinv(modulus) {
        Some(inverse) => made(machine, inverse.modpow(&by.abs(), modulus)),
        None => arithmetic(machine, "BigInteger not invertible."),
    }
}

fn bits(machine: &mut Machine<'_>, own: &BigInt, call: &LibraryCall<'_>) -> Option<Answer> {
    let at = |machine: &mut Machine<'_>, value: &Value| -> Option<Answer<u64>> {
        let at = int(value)?;
        Some(match u64::try_from(at) {
            Ok(at) if at > MAX_BITS => open("a number is too large"),
            Ok(at) => Ok(at),
            Err(_) => arithmetic(machine, "Negative bit address"),
        })
    };
    Some(match (call.name, call.args) {
        ("bitLength", []) => Ok(Value::int(i32::try_from(bit_length(own)).ok()?)),
        ("bitCount", []) => {
            let positive = if own.is_negative() { -own - BigInt::one() } else { own.clone() };
            let count: u32 = positive.iter_u32_digits().map(u32::count_ones).sum();
            Ok(Value::int(i32::try_from(count).ok()?))
        }
        ("getLowestSetBit", []) => Ok(Value::int(own.trailing_zeros().map_or(-1, |at| at as i32))),
        ("shiftLeft" | "shiftRight", [by]) => {
            let by = i64::from(int(by)?) * if call.name == "shiftLeft" { 1 } else { -1 };
            if by > MAX_BITS as i64 {
                return Some(open("a number is too large"));
            }
            let shifted = if by >= 0 { own << by as u64 } else { own >> by.unsigned_abs() };
            made(machine, shifted)
        }
        ("testBit", [bit]) => match at(machine, bit)? {
            Ok(at) => Ok(Value::bool(own.bit(at))),
            Err(fail) => Err(fail),
        },
        ("setBit" | "clearBit" | "flipBit", [bit]) => match at(machine, bit)? {
            Ok(at) => {
                let mut changed = own.clone();
                let set = match call.name {
                    "setBit" => true,
                    "clearBit" => false,
                    _ => !own.bit(at),
                };
                changed.set_bit(at, set);
                made(machine, changed)
            }
            Err(fail) => Err(fail),
        },
        _ => return None,
    })
}

/// `intValue`, `longValueExact` and related conversions.
pub fn narrowed(machine: &mut Machine<'_>, own: &BigInt, name: &str, args: &[Value]) -> Option<Answer> {
    if !args.is_empty() {
        return None;
    }
    let low = || -> i64 {
        let digits = own.iter_u64_digits().next().unwrap_or_default() as i64;
        if own.is_negative() { digits.wrapping_neg() } else { digits }
    };
    let exact = own.to_i64();
    let fits = |prim: Prim| match prim {
        Prim::Byte => own.to_i8().is_some(),
        Prim::Short => own.to_i16().is_some(),
        Prim::Int => own.to_i32().is_some(),
        _ => exact.is_some(),
    };
    let (prim, must_fit) = match name {
        "intValue" => (Prim::Int, false),
        "longValue" => (Prim::Long, false),
        "shortValue" => (Prim::Short, false),
        "byteValue" => (Prim::Byte, false),
        "intValueExact" => (Prim::Int, true),
        "longValueExact" => (Prim::Long, true),
        "shortValueExact" => (Prim::Short, true),
        "byteValueExact" => (Prim::Byte, true),
        "doubleValue" => {
            return Some(
                own.to_string().parse().map_or_else(|_| open("a number"), |x| Ok(Value::Scalar(Scalar::Double(x)))),
            );
        }
        "floatValue" => {
            return Some(
                own.to_string().parse().map_or_else(|_| open("a number"), |x| Ok(Value::Scalar(Scalar::Float(x)))),
            );
        }
        _ => return None,
    };
    if must_fit && !fits(prim) {
        return Some(arithmetic(machine, &format!("BigInteger out of {} range", prim.keyword())));
    }
    let low = low();
    Some(Ok(Value::Scalar(match prim {
        Prim::Byte => Scalar::Byte(low as i8),
        Prim::Short => Scalar::Short(low as i16),
        Prim::Int => Scalar::Int(low as i32),
        _ => Scalar::Long(low),
    })))
}
