//! Models `java.math.MathContext` and `RoundingMode`.

use super::decimal::{Precision, Rounding};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, int, native, reference, settle, throw_with};
use crate::interpret::values::scalar::{ClassRef, Prim, Scalar};
use crate::interpret::values::value::{Contents, Heap, Native, Type, Value};

/// The class name.
pub const CONTEXT: &str = "java.math.MathContext";

/// The class name of rounding modes.
pub const ROUNDING: &str = "java.math.RoundingMode";

impl Native for Precision {
    native_state!(leaf);

    fn contents(&self, _: &Heap) -> Option<Contents> {
        Some(Contents::Text(context_text(*self)))
    }

    fn is_frozen(&self) -> bool {
        true
    }

    fn is_value(&self) -> bool {
        true
    }
}

fn context_text(precision: Precision) -> String {
    format!("precision={} roundingMode={}", precision.digits, mode_name(precision.rounding))
}

fn mode_name(mode: Rounding) -> &'static str {
    match mode {
        Rounding::Up => "UP",
        Rounding::Down => "DOWN",
        Rounding::Ceiling => "CEILING",
        Rounding::Floor => "FLOOR",
        Rounding::HalfUp => "HALF_UP",
        Rounding::HalfDown => "HALF_DOWN",
        Rounding::HalfEven => "HALF_EVEN",
        Rounding::Unnecessary => "UNNECESSARY",
    }
}

/// A constant of `MathContext`.
pub fn context(name: &str) -> Option<Precision> {
    let (digits, rounding) = match name {
        "UNLIMITED" => (0, Rounding::HalfUp),
        "DECIMAL32" => (7, Rounding::HalfEven),
        "DECIMAL64" => (16, Rounding::HalfEven),
        "DECIMAL128" => (34, Rounding::HalfEven),
        _ => return None,
    };
    Some(Precision { digits, rounding })
}

/// The rounding mode of an enum constant.
pub fn mode(value: &Value) -> Option<Rounding> {
    match value {
        Value::Scalar(Scalar::Enum(ClassRef::Library(fqn), name)) if &**fqn == ROUNDING => Rounding::of_name(name),
        _ => None,
    }
}

/// The precision of a `MathContext` argument.
pub fn precision_of(machine: &Machine<'_>, value: &Value) -> Option<Precision> {
    machine.native::<Precision>(reference(value)?).copied()
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if call.fqn != CONTEXT {
        return None;
    }
    let answer = on_context(machine, call.receiver, call)?;
    Some(settle(machine, call, answer))
}

fn on_context(machine: &mut Machine<'_>, receiver: Option<&Value>, call: &LibraryCall<'_>) -> Option<Answer> {
    let Some(receiver) = receiver else {
        let (digits, rounding) = match (call.name, call.args) {
            ("<init>", [digits]) => (int(digits)?, Rounding::HalfUp),
            ("<init>", [digits, by]) => (int(digits)?, mode(by)?),
            _ => return None,
        };
        return Some(match u32::try_from(digits) {
            Ok(digits) => Ok(native(machine, CONTEXT, Precision { digits, rounding })),
            Err(_) => Err(throw_with(machine, "IllegalArgumentException", Value::text("Digits < 0"))),
        });
    };
    let own = precision_of(machine, receiver)?;
    Some(match (call.name, call.args) {
        ("getPrecision", []) => Ok(Value::int(i32::try_from(own.digits).ok()?)),
        ("getRoundingMode", []) => {
            Ok(Value::Scalar(Scalar::Enum(ClassRef::library(ROUNDING), mode_name(own.rounding).into())))
        }
        ("equals", [other]) => match other {
            Value::Ref(_) => Ok(Value::bool(precision_of(machine, other) == Some(own))),
            Value::Scalar(_) => Ok(Value::bool(false)),
            _ => return None,
        },
        ("hashCode", []) => Ok(machine.unknown("the identity hash of an enum constant", Type::Prim(Prim::Int))),
        ("toString", []) => Ok(machine.fresh_text(&context_text(own))),
        _ => return None,
    })
}
