//! Models `Math` for known numbers.

use super::number_texts::{number, of_double, of_long};
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, double, double_bits, long, open, throw_with};
use crate::interpret::values::scalar::{Prim, Scalar};
use crate::interpret::values::value::{Type, Unknown, Value};

/// `Math.max` and `Math.min`.
pub fn extreme(a: f64, b: f64, max: bool) -> f64 {
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

fn promoted(args: &[Value]) -> Option<Prim> {
    let mut prim = Prim::Int;
    for arg in args {
        prim = crate::interpret::values::arith::promoted(prim, arg.prim()?)?;
    }
    Some(prim)
}

fn overflow(machine: &mut Machine<'_>, prim: Prim) -> crate::interpret::library::base::support::Fail {
    let message = if prim == Prim::Long { "long overflow" } else { "integer overflow" };
    throw_with(machine, "ArithmeticException", Value::text(message))
}

fn exact(machine: &mut Machine<'_>, prim: Prim, n: i128) -> Answer {
    let fits = if prim == Prim::Long { i64::try_from(n).is_ok() } else { i32::try_from(n).is_ok() };
    if fits { Ok(number(prim, n as i64)) } else { Err(overflow(machine, prim)) }
}

/// Models the static methods of `Math`.
pub fn math(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
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
            // Older releases divide before they multiply.
            let (new, old) = (x * 0.017_453_292_519_943_295, x / 180.0 * std::f64::consts::PI);
            if double_bits(new) != double_bits(old) {
                return Some(Ok(machine.unknown("the last digit of an angle", Type::Prim(Prim::Double))));
            }
            of_double(new)
        }
        ("toDegrees", None) => {
            let (new, old) = (x * 57.295_779_513_082_32, x * 180.0 / std::f64::consts::PI);
            if double_bits(new) != double_bits(old) {
                return Some(Ok(machine.unknown("the last digit of an angle", Type::Prim(Prim::Double))));
            }
            of_double(new)
        }
        ("copySign", Some(y)) if !single => of_double(x.copysign(y)),
        ("pow", Some(y)) => match power(x, y) {
            Some(power) => of_double(power),
            None => machine.unknown("the last digit of a power", Type::Prim(Prim::Double)),
        },
        ("sin" | "tan" | "atan" | "asin" | "sinh" | "expm1" | "log1p" | "cbrt", None) if x == 0.0 || x.is_nan() => {
            of_double(x)
        }
        ("cos" | "exp" | "cosh", None) if x == 0.0 => of_double(1.0),
        ("log" | "log10", None) if x == 1.0 => of_double(0.0),
        ("log" | "log10", None) if x == 0.0 => of_double(f64::NEG_INFINITY),
        ("log" | "log10", None) if x < 0.0 || x.is_nan() => of_double(f64::NAN),
        ("IEEEremainder", Some(y)) => of_double(remainder(x, y)),
        ("cbrt", None) if cube_root(x).is_some() => of_double(cube_root(x)?),
        ("hypot", Some(y)) if hypotenuse(x, y).is_some() => of_double(hypotenuse(x, y)?),
        ("log10", None) if power_of_ten(x).is_some() => of_double(power_of_ten(x)?),
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

/// The result of `Math` for an unknown number, if the function accepts every number and never throws.
pub fn of_unknown(call: &LibraryCall<'_>) -> Option<Value> {
    let open = |arg: &Value| match arg {
        Value::Unknown(unknown) if matches!(unknown.ty, Type::Prim(_)) => Some(unknown.reasons.clone()),
        _ => None,
    };
    let reasons = call.args.iter().find_map(open)?;
    let ty = Type::Prim(total(call.name, promoted(call.args)?)?);
    Some(Value::Unknown(std::rc::Rc::new(Unknown { reasons, ty, present: true, ends: None })))
}

/// The result type of a function that accepts every number and never throws.
fn total(name: &str, prim: Prim) -> Option<Prim> {
    Some(match name {
        "abs" | "max" | "min" => prim,
        "signum" | "copySign" if prim == Prim::Float => prim,
        "round" if prim == Prim::Float => Prim::Int,
        "round" => Prim::Long,
        "sqrt" | "floor" | "ceil" | "rint" | "signum" | "copySign" | "toRadians" | "toDegrees" | "pow" | "sin"
        | "cos" | "tan" | "asin" | "acos" | "atan" | "atan2" | "exp" | "log" | "log10" | "cbrt" | "sinh" | "cosh"
        | "tanh" | "hypot" | "expm1" | "log1p" => Prim::Double,
        _ => return None,
    })
}

/// `Math.round` of a `double`.
fn round(x: f64) -> i64 {
    if x.is_nan() {
        return 0;
    }
    let floor = x.floor();
    (if x - floor >= 0.5 { floor + 1.0 } else { floor }) as i64
}

/// Models `Math.IEEEremainder`: the remainder for the quotient rounded to the nearest integer, ties to even.
fn remainder(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() || x.is_infinite() || y == 0.0 {
        return f64::NAN;
    }
    if y.is_infinite() {
        return x;
    }
    let by = y.abs();
    // The remainder by twice the divisor removes even quotients; if doubling overflows, there is nothing to remove.
    let mut left = if by + by < f64::INFINITY { (x % (by + by)).abs() } else { x.abs() };
    if by < f64::MIN_POSITIVE * 2.0 {
        if left + left > by {
            left -= by;
            if left + left >= by {
                left -= by;
            }
        }
    } else {
        let half = by * 0.5;
        if left > half {
            left -= by;
            if left >= half {
                left -= by;
            }
        }
    }
    if x.is_sign_negative() { -left } else { left }
}

/// The cube root if it is a whole number: the documented error of less than one unit in the last place then leaves
/// only the exact result.
fn cube_root(x: f64) -> Option<f64> {
    let root = x.cbrt().round();
    (x != 0.0 && root.abs() < 1e5 && root * root * root == x).then_some(root)
}

fn hypotenuse(x: f64, y: f64) -> Option<f64> {
    let small = |n: f64| n.fract() == 0.0 && n.abs() < 1e7;
    let square = x * x + y * y;
    let root = square.sqrt().round();
    (small(x) && small(y) && square != 0.0 && root * root == square).then_some(root)
}

/// The logarithm of a power of ten, for which the documentation guarantees the exact result.
fn power_of_ten(x: f64) -> Option<f64> {
    (0..=22).find(|power| 10_f64.powi(*power) == x).map(f64::from)
}

/// `Math.pow` if it is exact: special cases, and whole exponents whose result is representable.
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
    // The reciprocal of a power of two is exact.
    if (-64.0..0.0).contains(&y) && y.fract() == 0.0 && x.fract() == 0.0 && x != 0.0 && x.abs() < 65536.0 {
        let base = x.abs() as u64;
        return base.is_power_of_two().then(|| 1.0 / x.powi(-y as i32)).filter(|x| x.is_normal());
    }
    if x.fract() == 0.0 && x.abs() < 9e15 && y.fract() == 0.0 && (1.0..=64.0).contains(&y) {
        let (base, mut all) = (x as i128, 1_i128);
        for _ in 0..(y as u32) {
            all = all.checked_mul(base)?;
            if all.unsigned_abs() > 1 << 53 {
                // Powers of two remain exact beyond 53 bits.
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
            // `floorMod(long, int)` returns an `int` since Java 9.
            if prim == Prim::Long && narrow { open("the type of a remainder") } else { Ok(make(r as i64)) }
        }
        _ => return None,
    })
}
