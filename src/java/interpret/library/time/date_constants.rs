//! Models the constants for months, days of the week and units of time.

use super::calendar::{SECOND, days_of};
use super::date_values::{constant_of, enum_constant, int_of, known, long_of, made, needed};
use super::temporal::Temporal;
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, boolean, long, open};
use crate::interpret::library::language::enums;
use crate::interpret::values::value::Value;

/// Models calls on months, days of the week, units and fields.
pub fn on_constant(machine: &mut Machine<'_>, fqn: &str, name: &str, call: &LibraryCall<'_>) -> Option<Answer> {
    let class = fqn.strip_prefix("java.time.")?;
    let number = || enums::ordinal(fqn, name).and_then(|at| i64::try_from(at).ok());
    if class == "temporal.ChronoUnit" {
        return match (call.name, call.args) {
            ("between", [from, to]) => Some(match (needed(machine, from), needed(machine, to)) {
                (Ok(from), Ok(to)) => {
                    let between = known(machine, from.until(&to, name));
                    between.and_then(long_of)
                }
                (Err(fail), _) | (_, Err(fail)) => Err(fail),
            }),
            ("isDateBased", []) => Some(Ok(Value::bool((7..15).contains(&number()?)))),
            ("isTimeBased", []) => Some(Ok(Value::bool(number()? < 7))),
            ("getDuration", []) => {
                let nanos = super::temporal_fields::nanos_of(name)?;
                Some(made(machine, Ok(Temporal::Duration(nanos / SECOND, nanos % SECOND))))
            }
            _ => None,
        };
    }
    if !matches!(class, "Month" | "DayOfWeek") {
        return None;
    }
    let number = number()? + 1;
    let most = if class == "Month" { 12 } else { 7 };
    let month = u8::try_from(number).ok()?;
    Some(match (call.name, call.args) {
        ("getValue", []) => int_of(number),
        ("plus" | "minus", [by]) => {
            let by = long(by)? % most;
            let by = if call.name == "plus" { by } else { -by };
            Ok(enum_constant(class, (number - 1 + by).rem_euclid(most) + 1)?)
        }
        ("getDisplayName", [style, locale]) => {
            if !crate::interpret::library::text::formatting::locales::is_english(machine, locale) {
                return Some(open("names in another language"));
            }
            let full = match constant_of(style, "format.TextStyle")? {
                "FULL" => true,
                "SHORT" => false,
                _ => return Some(open("a style of names")),
            };
            let field = if class == "Month" { "MONTH_OF_YEAR" } else { "DAY_OF_WEEK" };
            let text = super::formats::date_formats::english(field, number, full)?;
            Ok(machine.fresh_text(&text))
        }
        ("length", [leap]) => int_of(days_of(if boolean(leap)? { 2000 } else { 2001 }, month).into()),
        ("minLength", []) => int_of(days_of(2001, month).into()),
        ("maxLength", []) => int_of(days_of(2000, month).into()),
        ("firstMonthOfQuarter", []) => Ok(enum_constant("Month", (number - 1) / 3 * 3 + 1)?),
        _ => return None,
    })
}
