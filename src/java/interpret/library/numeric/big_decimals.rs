//! Models `java.math.BigDecimal`.

use num_bigint::BigInt;

use super::big_integers::{self, Whole};
use super::decimal::{Decimal, Outcome, Refusal, Rounding};
use super::decimal_forms::Form;
use super::math_contexts::{mode, precision_of};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{
    Answer, array, array_items, int, library_type, long, native, open, reference, settle, text, throw, throw_with,
};
use crate::interpret::values::scalar::{Prim, Scalar};
use crate::interpret::values::value::{Contents, Heap, Native, Value};

/// The class name.
pub const FQN: &str = "java.math.BigDecimal";

impl Native for Decimal {
    native_state!(leaf);

    fn contents(&self, _: &Heap) -> Option<Contents> {
        Some(Contents::Decimal(self.unscaled.to_string(), self.scale))
    }

    fn is_frozen(&self) -> bool {
        true
    }

    fn is_value(&self) -> bool {
        true
    }
}

/// A constant of `BigDecimal`.
pub fn constant(name: &str) -> Option<Decimal> {
    Some(match name {
        "ZERO" => Decimal::new(0, 0),
        "ONE" => Decimal::new(1, 0),
        "TWO" => Decimal::new(2, 0),
        "TEN" => Decimal::new(10, 0),
        _ => return None,
    })
}

/// The integer constants for rounding modes that older code uses (`BigDecimal.ROUND_…`).
pub fn old_mode(name: &str) -> Option<i32> {
    Some(match name {
        "ROUND_UP" => 0,
        "ROUND_DOWN" => 1,
        "ROUND_CEILING" => 2,
        "ROUND_FLOOR" => 3,
        "ROUND_HALF_UP" => 4,
        "ROUND_HALF_DOWN" => 5,
        "ROUND_HALF_EVEN" => 6,
        "ROUND_UNNECESSARY" => 7,
        _ => return None,
    })
}

/// The number that a value holds.
pub fn given(machine: &mut Machine<'_>, value: &Value) -> Answer<Decimal> {
    if value.is_null() {
        return Err(throw(machine, "NullPointerException"));
    }
    match reference(value).and_then(|id| machine.native::<Decimal>(id)) {
        Some(number) => Ok(number.clone()),
        None => open("a number is not known"),
    }
}

fn made(machine: &mut Machine<'_>, outcome: Outcome) -> Answer {
    let number = settled(machine, outcome)?;
    Ok(native(machine, FQN, number))
}

fn settled<T>(machine: &mut Machine<'_>, outcome: Outcome<T>) -> Answer<T> {
    match outcome {
        Ok(value) => Ok(value),
        Err(Refusal::Message(message)) => Err(throw_with(machine, "ArithmeticException", Value::text(message))),
        Err(Refusal::Exception) => Err(throw(machine, "ArithmeticException")),
        Err(Refusal::TooLarge) => open("a number is too large"),
    }
}

/// A rounding mode, given as an enum constant or as an integer.
fn rounding(machine: &mut Machine<'_>, value: &Value) -> Answer<Rounding> {
    if let Some(mode) = mode(value) {
        return Ok(mode);
    }
    match int(value) {
        Some(number) => match Rounding::of_number(number) {
            Some(mode) => Ok(mode),
            None => Err(throw_with(machine, "IllegalArgumentException", Value::text("Invalid rounding mode"))),
        },
        None if value.is_null() => Err(throw(machine, "NullPointerException")),
        None => open("a rounding mode is not known"),
    }
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let answer = match (call.fqn, call.receiver) {
        (FQN, None) if call.name == "<init>" => constructed(machine, call.args)?,
        (FQN, None) if call.name == "valueOf" => value_of(machine, call.args)?,
        (FQN, Some(receiver)) => match given(machine, receiver) {
            Ok(own) => on_number(machine, receiver, &own, call)?,
            Err(fail) => Err(fail),
        },
        _ => return None,
    };
    Some(settle(machine, call, answer))
}

fn value_of(machine: &mut Machine<'_>, args: &[Value]) -> Option<Answer> {
    Some(match args {
        [Value::Scalar(scalar @ (Scalar::Double(_) | Scalar::Float(_)))] => {
            let x = scalar.as_double()?;
            if !x.is_finite() {
                return Some(Err(throw(machine, "NumberFormatException")));
            }
            match Scalar::Double(x).to_java_string() {
                Some(shown) => match Decimal::read(&shown) {
                    Some(number) => made(machine, Ok(number)),
                    None => open("a number is not known"),
                },
                None => open("text of a number differs between releases"),
            }
        }
        [whole] => match long(whole) {
            Some(whole) => made(machine, Ok(Decimal::new(whole, 0))),
            None => open("a number is not known"),
        },
        [whole, scale] => match (long(whole), int(scale)) {
            (Some(whole), Some(scale)) => made(machine, Ok(Decimal::new(whole, scale))),
            _ => open("a number is not known"),
        },
        _ => return None,
    })
}

fn constructed(machine: &mut Machine<'_>, args: &[Value]) -> Option<Answer> {
    let (args, to) = match args {
        [rest @ .., last] if precision_of(machine, last).is_some() => (rest, precision_of(machine, last)),
        all => (all, None),
    };
    let number = match args {
        [given] if given.is_null() => return Some(Err(throw(machine, "NullPointerException"))),
        [Value::Scalar(scalar @ (Scalar::Double(_) | Scalar::Float(_)))] => {
            match Decimal::of_double(scalar.as_double()?) {
                Some(number) => number,
                None => return Some(Err(throw(machine, "NumberFormatException"))),
            }
        }
        [given] if long(given).is_some() => Decimal::new(long(given)?, 0),
        [given] if text(given).is_some() => match read(machine, text(given)?.to_owned()) {
            Ok(number) => number,
            Err(fail) => return Some(Err(fail)),
        },
        [given, ..] if array_items(machine, given).is_some() => {
            let units: Option<Vec<u16>> = array_items(machine, given)?
                .iter()
                .map(|item| match item {
                    Value::Scalar(Scalar::Char(unit)) => Some(*unit),
                    _ => None,
                })
                .collect();
            let units = units?;
            let units = match &args[1..] {
                [] => &units[..],
                [from, length] => {
                    let (from, length) = (usize::try_from(int(from)?), usize::try_from(int(length)?));
                    match (from, length) {
                        (Ok(from), Ok(length)) if from.saturating_add(length) <= units.len() => {
                            &units[from..from + length]
                        }
                        _ => return Some(Err(throw(machine, "NumberFormatException"))),
                    }
                }
                _ => return None,
            };
            match read(machine, String::from_utf16_lossy(units)) {
                Ok(number) => number,
                Err(fail) => return Some(Err(fail)),
            }
        }
        [given, rest @ ..] if reference(given).is_some_and(|id| machine.native::<Whole>(id).is_some()) => {
            let whole = machine.native::<Whole>(reference(given)?)?.0.clone();
            match rest {
                [] => Decimal::new(whole, 0),
                [scale] => Decimal::new(whole, int(scale)?),
                _ => return None,
            }
        }
        _ => return Some(open("a number is not known")),
    };
    Some(match to {
        Some(to) => {
            let rounded = number.rounded(to);
            made(machine, rounded)
        }
        None => made(machine, Ok(number)),
    })
}

fn read(machine: &mut Machine<'_>, own: String) -> Answer<Decimal> {
    if !own.is_ascii() {
        return open("digits of other scripts");
    }
    match Decimal::read(&own) {
        Some(number) => Ok(number),
        None => Err(throw(machine, "NumberFormatException")),
    }
}

fn on_number(machine: &mut Machine<'_>, receiver: &Value, own: &Decimal, call: &LibraryCall<'_>) -> Option<Answer> {
    Some(match (call.name, call.args) {
        ("signum", []) => Ok(Value::int(own.signum())),
        ("scale", []) => Ok(Value::int(own.scale)),
        ("precision", []) => Ok(Value::int(i32::try_from(own.precision()).ok()?)),
        ("unscaledValue", []) => big_integers::made(machine, own.unscaled.clone()),
        ("toBigInteger", []) => {
            let whole = settled(machine, own.whole());
            whole.and_then(|whole| big_integers::made(machine, whole))
        }
        ("toBigIntegerExact", []) => {
            let whole = settled(machine, own.with_scale(0, Rounding::Unnecessary));
            whole.and_then(|whole| big_integers::made(machine, whole.unscaled))
        }
        ("negate", []) => made(machine, Ok(own.negated())),
        ("plus", []) => Ok(receiver.clone()),
        ("abs", []) if own.signum() >= 0 => Ok(receiver.clone()),
        ("abs", []) => made(machine, Ok(own.negated())),
        ("negate" | "plus" | "abs" | "round", [to]) => {
            let to = precision_of(machine, to)?;
            let flip = call.name == "negate" || call.name == "abs" && own.signum() < 0;
            let number = if flip { own.negated() } else { own.clone() };
            made(machine, number.rounded(to))
        }
        ("ulp", []) => made(machine, Ok(Decimal::new(1, own.scale))),
        ("stripTrailingZeros", []) => made(machine, Ok(own.stripped())),
        ("setScale", [scale]) => made(machine, own.with_scale(int(scale)?, Rounding::Unnecessary)),
        ("setScale", [scale, by]) => {
            let scale = int(scale)?;
            match rounding(machine, by) {
                Ok(by) => made(machine, own.with_scale(scale, by)),
                Err(fail) => Err(fail),
            }
        }
        ("movePointLeft" | "movePointRight", [by]) => match i64::from(int(by)?) {
            0 => Ok(receiver.clone()),
            by => made(machine, own.moved(if call.name == "movePointLeft" { by } else { -by })),
        },
        ("scaleByPowerOfTen", [by]) => {
            let scale = i64::from(own.scale) - i64::from(int(by)?);
            made(machine, Decimal::checked(own.unscaled.clone(), scale))
        }
        ("pow", [n]) => made(machine, own.power(int(n)?)),
        ("pow", [n, to]) => made(machine, own.power_within(int(n)?, precision_of(machine, to)?)),
        ("equals", [other]) => match reference(other).map(|id| machine.native::<Decimal>(id)) {
            Some(Some(other)) => Ok(Value::bool(own == other)),
            Some(None) => Ok(Value::bool(false)),
            None if matches!(other, Value::Scalar(_)) => Ok(Value::bool(false)),
            None => open("a number is not known"),
        },
        ("hashCode", []) => {
            Ok(Value::int(super::integer_math::hash(&own.unscaled).wrapping_mul(31).wrapping_add(own.scale)))
        }
        ("toString", []) => Ok(machine.fresh_text(&own.to_text(Form::Scientific))),
        ("toEngineeringString", []) if own.signum() == 0 && own.scale < 0 => open("zero in engineering notation"),
        ("toEngineeringString", []) => Ok(machine.fresh_text(&own.to_text(Form::Engineering))),
        ("toPlainString", []) => match own.to_plain() {
            Some(shown) => Ok(machine.fresh_text(&shown)),
            None => open("a number is too large"),
        },
        (
            "add"
            | "subtract"
            | "multiply"
            | "divide"
            | "remainder"
            | "divideToIntegralValue"
            | "divideAndRemainder"
            | "compareTo"
            | "max"
            | "min",
            [other, rest @ ..],
        ) => match given(machine, other) {
            Ok(number) => return with(machine, (receiver, own), (other, &number), call.name, rest),
            Err(fail) => Err(fail),
        },
        (name, []) => return narrowed(machine, own, name),
        _ => return None,
    })
}

fn with(
    machine: &mut Machine<'_>,
    (receiver, a): (&Value, &Decimal),
    (other, b): (&Value, &Decimal),
    name: &str,
    rest: &[Value],
) -> Option<Answer> {
    let outcome = match (name, rest) {
        ("add", []) => a.add(b),
        ("subtract", []) => a.add(&b.negated()),
        ("multiply", []) => a.multiply(b),
        ("divide", []) => a.divide_exactly(b),
        ("remainder", []) => a.remainder(b),
        ("divideToIntegralValue", []) => a.divide_to_integer(b),
        ("divideAndRemainder", []) => {
            let whole = settled(machine, a.divide_to_integer(b));
            let parts = whole.and_then(|whole| {
                let rest = whole.multiply(b).and_then(|product| a.add(&product.negated()));
                Ok(vec![made(machine, Ok(whole))?, made(machine, rest)?])
            });
            return Some(parts.map(|parts| array(machine, parts, library_type(FQN))));
        }
        ("compareTo", []) => {
            let order = settled(machine, a.compare(b));
            return Some(order.map(Value::int));
        }
        ("max" | "min", []) => {
            let order = settled(machine, a.compare(b));
            return Some(order.map(|order| {
                let own = if name == "max" { order >= 0 } else { order <= 0 };
                if own { receiver.clone() } else { other.clone() }
            }));
        }
        ("divide", [scale, by]) => match rounding(machine, by) {
            Ok(by) => a.divide_to_scale(b, int(scale)?, by),
            Err(fail) => return Some(Err(fail)),
        },
        (_, [to]) if precision_of(machine, to).is_some() => {
            let to = precision_of(machine, to)?;
            match name {
                "add" => a.add_within(b, to),
                "subtract" => a.add_within(&b.negated(), to),
                "multiply" => a.multiply(b).and_then(|product| product.rounded(to)),
                "divide" => a.divide_within(b, to),
                _ => return None,
            }
        }
        ("divide", [by]) => match rounding(machine, by) {
            Ok(by) => a.divide_to_scale(b, a.scale, by),
            Err(fail) => return Some(Err(fail)),
        },
        _ => return None,
    };
    Some(made(machine, outcome))
}

fn narrowed(machine: &mut Machine<'_>, own: &Decimal, name: &str) -> Option<Answer> {
    let exact = |prim: Prim, machine: &mut Machine<'_>| -> Answer {
        let value = settled(machine, own.exact_long())?;
        let scalar = match prim {
            Prim::Long => Some(Scalar::Long(value)),
            Prim::Int => i32::try_from(value).ok().map(Scalar::Int),
            Prim::Short => i16::try_from(value).ok().map(Scalar::Short),
            _ => i8::try_from(value).ok().map(Scalar::Byte),
        };
        match scalar {
            Some(scalar) => Ok(Value::Scalar(scalar)),
            None => Err(throw_with(machine, "ArithmeticException", Value::text("Overflow"))),
        }
    };
    Some(match name {
        "longValueExact" => exact(Prim::Long, machine),
        "intValueExact" => exact(Prim::Int, machine),
        "shortValueExact" => exact(Prim::Short, machine),
        "byteValueExact" => exact(Prim::Byte, machine),
        "doubleValue" | "floatValue" => {
            let shown = own.to_text(Form::Scientific);
            let number = if name == "doubleValue" {
                shown.parse().ok().map(Scalar::Double)
            } else {
                shown.parse().ok().map(Scalar::Float)
            };
            Ok(Value::Scalar(number?))
        }
        _ => {
            let whole: BigInt = match settled(machine, own.whole()) {
                Ok(whole) => whole,
                Err(fail) => return Some(Err(fail)),
            };
            return big_integers::narrowed(machine, &whole, name, &[]);
        }
    })
}
