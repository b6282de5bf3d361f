//! Models the clock. The time at which a test runs is unknown, but it lies between two known dates. A comparison with
//! a time far from both therefore has a certain result: a date in 1900 is in the past, one in 2999 is not.

use std::rc::Rc;

use crate::interpret::library::time::calendar::{Date, SECOND};

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::time::old_dates::{self, Moment};
use crate::interpret::library::time::temporal::{Temporal, Zone};
use crate::interpret::values::arith::{self, Outcome};
use crate::interpret::values::scalar::{ClassRef, Prim, Scalar};
use crate::interpret::values::value::{End, Kind, Native, Object, Type, Unknown, Value};
use crate::ir::body::BinaryOp;

/// Model id.
const RULE: &str = "clock";
/// The first and the last year in which a test suite may run.
const YEARS: [i32; 2] = [2025, 2045];

/// The current time when a test runs, as a value of a type; `why` says why it is unknown.
pub fn now(why: &str, ty: Type) -> Value {
    let ends = YEARS.map(|year| end(&ty, Date { year, month: 1, day: 1 }));
    let value = Value::unknowable(why, ty);
    match (value, ends) {
        (Value::Unknown(unknown), [Some(first), Some(last)]) => with_ends(&unknown, [first, last]),
        (value, _) => value,
    }
}

fn end(ty: &Type, day: Date) -> Option<End> {
    let millis = day.epoch_day() * 86_400_000;
    let fqn = match ty {
        Type::Prim(Prim::Long) => return Some(End::Scalar(Scalar::Long(millis))),
        Type::Class(ClassRef::Library(fqn), _) => fqn,
        _ => return None,
    };
    let noon = 12 * 3600 * SECOND;
    let native: Box<dyn Native> = match &**fqn {
        "java.time.LocalDate" => Box::new(Temporal::Date(day)),
        "java.time.LocalDateTime" => Box::new(Temporal::DateTime(day, noon)),
        "java.time.OffsetDateTime" => Box::new(Temporal::OffsetDateTime(day, noon, 0)),
        "java.time.ZonedDateTime" => Box::new(Temporal::ZonedDateTime(day, noon, 0, Zone::Offset(0))),
        "java.time.Instant" => Box::new(Temporal::Instant(millis / 1000, 0)),
        "java.time.Year" => Box::new(Temporal::Year(day.year)),
        "java.time.YearMonth" => Box::new(Temporal::YearMonth(day.year, 1)),
        old_dates::FQN => Box::new(Moment::at(millis)),
        _ => return None,
    };
    Some(End::Object(fqn.clone(), native))
}

fn with_ends(unknown: &Unknown, ends: [End; 2]) -> Value {
    Value::Unknown(Rc::new(Unknown { ends: Some(Rc::new(ends)), ..unknown.clone() }))
}

/// Receiver and arguments of a call.
type Operands = (Option<Value>, Vec<Value>);

/// The operands of a call, once with the least and once with the greatest value of its one bounded operand. `None`
/// unless the result is monotone in that operand.
pub fn at_ends(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<[Operands; 2]> {
    let operands = || call.receiver.into_iter().chain(call.args);
    let is_open = |value: &&Value| matches!(value, Value::Unknown(_) | Value::Symbol(_) | Value::Cond(_));
    let mut open = operands().filter(is_open);
    let (Some(Value::Unknown(only)), None) = (open.next(), open.next()) else { return None };
    let ends = only.ends.clone().filter(|_| is_steady(call))?;
    let mut with = |end: &End| {
        let end = match end {
            End::Scalar(scalar) => Value::Scalar(scalar.clone()),
            End::Object(class, state) => {
                Value::Ref(machine.allocate(Object::new(ClassRef::library(class), Kind::Native(state.clone()))))
            }
        };
        let put = |value: &Value| if is_open(&value) { end.clone() } else { value.clone() };
        (call.receiver.map(put), call.args.iter().map(put).collect())
    };
    Some([with(&ends[0]), with(&ends[1])])
}

/// Whether the result of a call is monotone in each of its operands.
fn is_steady(call: &LibraryCall<'_>) -> bool {
    let shifts =
        call.fqn.starts_with("java.time.") && (call.name.starts_with("plus") || call.name.starts_with("minus"));
    let makes = matches!((call.fqn, call.name), ("java.time.Instant", "ofEpochMilli") | (old_dates::FQN, "<init>"));
    let parts = match call.name {
        // The months and days of a period are not monotone.
        "getYears" | "toTotalMonths" => call.fqn == "java.time.Period",
        "getValue" => call.fqn == "java.time.Year",
        _ => false,
    };
    shifts
        || makes
        || parts
        || matches!(
            call.name,
            "isBefore"
                | "isAfter"
                | "before"
                | "after"
                | "compareTo"
                | "isNegative"
                | "between"
                | "atStartOfDay"
                | "atZone"
                | "atOffset"
                | "atTime"
                | "truncatedTo"
                | "from"
                | "getTime"
                | "getYear"
                | "getSeconds"
                | "getEpochSecond"
                | "longValue"
                | "toIntExact"
                | "toLocalDate"
                | "toLocalDateTime"
                | "toInstant"
                | "toEpochDay"
                | "toEpochMilli"
                | "toEpochSecond"
                | "toDays"
                | "toHours"
                | "toMinutes"
                | "toMillis"
                | "toSeconds"
                | "withDayOfMonth"
                | "withDayOfYear"
        )
}

/// The result of a call, from its results at both ends: certain if a comparison has the same result at both,
/// otherwise bounded by the two.
pub fn bounded(
    machine: &mut Machine<'_>,
    call: &LibraryCall<'_>,
    value: Value,
    ends: Option<[Option<Eval>; 2]>,
) -> Value {
    let (Value::Unknown(unknown), Some([Some(Ok(first)), Some(Ok(last))])) = (&value, ends) else { return value };
    if let (Value::Scalar(a), Value::Scalar(b)) = (&first, &last) {
        if a.prim() == Some(Prim::Bool) {
            return if a == b { decided(machine, first) } else { value };
        }
        // Only the sign of a comparison is monotone.
        let sign = |scalar: &Scalar| scalar.as_long().map(i64::signum);
        if call.name == "compareTo" && (sign(a) != sign(b) || sign(a) == Some(0)) {
            return value;
        }
    }
    let end = |value: &Value| match value {
        Value::Scalar(scalar) if scalar.as_long().is_some() => Some(End::Scalar(scalar.clone())),
        Value::Ref(id) => match (&machine.object(*id).class, &machine.object(*id).kind) {
            (ClassRef::Library(class), Kind::Native(state)) => Some(End::Object(class.clone(), state.clone())),
            _ => None,
        },
        _ => None,
    };
    match (end(&first), end(&last)) {
        (Some(first), Some(last)) => with_ends(unknown, [first, last]),
        _ => value,
    }
}

fn decided(machine: &mut Machine<'_>, value: Value) -> Value {
    machine.models.insert(RULE);
    value
}

/// The result of an operator on one bounded and one known number.
pub fn operated(op: BinaryOp, left: &Value, right: &Value) -> Option<Value> {
    use BinaryOp::{Add, Div, Ge, Gt, Le, Lt, Mul, Sub};
    let is_positive = |value: &Scalar| value.as_long().is_some_and(|number| number > 0);
    let (unknown, at): (&Unknown, [Outcome; 2]) = match (left, right) {
        (Value::Unknown(unknown), Value::Scalar(known))
            if matches!(op, Add | Sub | Lt | Le | Gt | Ge) || matches!(op, Mul | Div) && is_positive(known) =>
        {
            (unknown, scalars(unknown)?.map(|end| arith::binary(op, &end, known)))
        }
        (Value::Scalar(known), Value::Unknown(unknown))
            if matches!(op, Add | Sub | Lt | Le | Gt | Ge) || op == Mul && is_positive(known) =>
        {
            (unknown, scalars(unknown)?.map(|end| arith::binary(op, known, &end)))
        }
        _ => return None,
    };
    let [Outcome::Value(first), Outcome::Value(last)] = at else { return None };
    let [a, b] = scalars(unknown)?;
    let known = left.scalar().or(right.scalar())?;
    if leaves_range(op, &a, known, &first) || leaves_range(op, &b, known, &last) {
        return None;
    }
    let prim = first.prim()?;
    if prim == Prim::Bool {
        return (first == last).then_some(Value::Scalar(first));
    }
    let of = Unknown { ty: Type::Prim(prim), present: true, ends: None, reasons: unknown.reasons.clone() };
    Some(with_ends(&of, [End::Scalar(first), End::Scalar(last)]))
}

/// Whether an operation on whole numbers overflowed: its result `given` is then not monotone. A subtraction may have either order of operands.
fn leaves_range(op: BinaryOp, end: &Scalar, known: &Scalar, given: &Scalar) -> bool {
    let (Some(a), Some(b), Some(given)) = (end.as_long(), known.as_long(), given.as_long()) else { return false };
    let (a, b) = (i128::from(a), i128::from(b));
    match op {
        BinaryOp::Add => a + b != i128::from(given),
        BinaryOp::Sub => (a - b).abs() != i128::from(given).abs(),
        BinaryOp::Mul => a * b != i128::from(given),
        _ => false,
    }
}

fn scalars(unknown: &Unknown) -> Option<[Scalar; 2]> {
    match &**unknown.ends.as_ref()? {
        [End::Scalar(first), End::Scalar(last)] => Some([first.clone(), last.clone()]),
        _ => None,
    }
}

/// The bounds of a number converted to another type, if both are in its range.
pub fn converted(unknown: &Unknown, to: Prim) -> Option<Rc<[End; 2]>> {
    let [first, last] = scalars(unknown)?.map(|end| {
        let converted = arith::convert(&end, to)?;
        (converted.as_long() == end.as_long()).then_some(End::Scalar(converted))
    });
    Some(Rc::new([first?, last?]))
}
