//! Models `TemporalAdjusters` and the adjusters that `with(adjuster)` accepts.

use super::calendar::{Date, Outcome, Refusal, WEEKDAYS, days_of};
use super::date_values::{ask, constant_of, given, known, made};
use super::temporal::Temporal;
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, int, native, open, reference, throw};
use crate::interpret::values::scalar::{ClassRef, Scalar};
use crate::interpret::values::value::{Native, Value};

/// A temporal adjuster.
#[derive(Debug, Clone)]
enum Adjuster {
    /// An adjuster without arguments, by its method name.
    Plain(&'static str),
    /// An adjuster to a day of the week: method name and day.
    Weekday(&'static str, i64),
    /// `dayOfWeekInMonth`: an occurrence of a day of the week within a month.
    InMonth(i64, i64),
}

impl Native for Adjuster {
    native_state!(leaf);

    fn is_frozen(&self) -> bool {
        true
    }

    fn is_value(&self) -> bool {
        true
    }
}

const PLAIN: [&str; 6] = [
    "firstDayOfMonth",
    "lastDayOfMonth",
    "firstDayOfNextMonth",
    "firstDayOfYear",
    "lastDayOfYear",
    "firstDayOfNextYear",
];

const OF_WEEK: [&str; 4] = ["next", "nextOrSame", "previous", "previousOrSame"];

fn weekday(value: &Value) -> Option<i64> {
    let name = constant_of(value, "DayOfWeek")?;
    let at = WEEKDAYS.iter().position(|day| *day == name)?;
    i64::try_from(at + 1).ok()
}

/// Models the static methods of `TemporalAdjusters`.
pub fn made_by(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    let adjuster = match (call.name, call.args) {
        (name, []) => Adjuster::Plain(PLAIN.iter().find(|known| **known == name)?),
        ("firstInMonth", [day]) => Adjuster::InMonth(1, weekday(day)?),
        ("lastInMonth", [day]) => Adjuster::InMonth(-1, weekday(day)?),
        ("dayOfWeekInMonth", [at, day]) => Adjuster::InMonth(int(at)?.into(), weekday(day)?),
        (name, [day]) => Adjuster::Weekday(OF_WEEK.iter().find(|known| **known == name)?, weekday(day)?),
        _ => return None,
    };
    Some(Ok(native(machine, "java.time.temporal.TemporalAdjuster", adjuster)))
}

fn moved(adjuster: &Adjuster, date: Date) -> Outcome<Date> {
    let year = i64::from(date.year);
    let first = |month: u8| Date { month, day: 1, ..date };
    let last = |month: u8| Date { month, day: days_of(year, month), ..date };
    match adjuster {
        Adjuster::Plain(name) => match *name {
            "firstDayOfMonth" => Ok(first(date.month)),
            "lastDayOfMonth" => Ok(last(date.month)),
            "firstDayOfNextMonth" => first(date.month).plus_months(1),
            "firstDayOfYear" => Ok(first(1)),
            "lastDayOfYear" => Ok(last(12)),
            _ => first(1).plus_months(12),
        },
        Adjuster::Weekday(name, day) => {
            let own = date.weekday();
            let forward = (day - own).rem_euclid(7);
            let back = (own - day).rem_euclid(7);
            match *name {
                "next" => date.plus_days(if forward == 0 { 7 } else { forward }),
                "nextOrSame" => date.plus_days(forward),
                "previous" => date.plus_days(-(if back == 0 { 7 } else { back })),
                _ => date.plus_days(-back),
            }
        }
        Adjuster::InMonth(at, day) if *at >= 0 => {
            let first = first(date.month);
            first.plus_days((day - first.weekday()).rem_euclid(7) + (at - 1) * 7)
        }
        Adjuster::InMonth(at, day) => {
            let last = last(date.month);
            let mut by = day - last.weekday();
            if by > 0 {
                by -= 7;
            }
            last.plus_days(by - (-at - 1) * 7)
        }
    }
}

/// Models `own.with(adjuster)`.
pub fn adjusted(machine: &mut Machine<'_>, own: &Temporal, adjuster: &Value) -> Answer {
    if adjuster.is_null() {
        return Err(throw(machine, "NullPointerException"));
    }
    if let Value::Scalar(Scalar::Enum(ClassRef::Library(_), _)) = adjuster {
        if let Some(day) = weekday(adjuster) {
            return made(machine, own.with("DAY_OF_WEEK", day));
        }
        if let Some(name) = constant_of(adjuster, "Month")
            && let Some(at) = super::calendar::MONTHS.iter().position(|month| *month == name)
        {
            return made(machine, own.with("MONTH_OF_YEAR", at as i64 + 1));
        }
        return open("an adjuster");
    }
    if let Some(other) = given(machine, adjuster) {
        let rebuilt = match (&other, own.date(), own.time()) {
            (Temporal::Date(date), Some(_), time) => own.rebuilt(*date, time.unwrap_or(0)),
            (Temporal::Time(time), date, Some(_)) => {
                own.rebuilt(date.unwrap_or(Date { year: 1970, month: 1, day: 1 }), *time)
            }
            (Temporal::DateTime(date, time), Some(_), Some(_)) => own.rebuilt(*date, *time),
            _ => None,
        };
        return match rebuilt {
            Some(value) => made(machine, Ok(value)),
            None => open("an adjuster"),
        };
    }
    match reference(adjuster).and_then(|id| machine.native::<Adjuster>(id)).cloned() {
        Some(adjuster) => {
            let Some(date) = own.date() else { return open("an adjuster") };
            let date = known(machine, moved(&adjuster, date))?;
            made(machine, own.rebuilt(date, own.time().unwrap_or(0)).ok_or(Refusal::Open("an adjuster")))
        }
        None => match adjuster {
            Value::Lambda(_) | Value::Ref(_) => ask(machine, adjuster, own),
            _ => open("an adjuster"),
        },
    }
}

/// Models `adjuster.adjustInto(value)`.
pub fn on_adjuster(machine: &mut Machine<'_>, receiver: &Value, call: &LibraryCall<'_>) -> Option<Answer> {
    match (call.name, call.args) {
        ("adjustInto", [value]) => {
            let own = given(machine, value)?;
            machine.native::<Adjuster>(reference(receiver)?)?;
            Some(adjusted(machine, &own, receiver))
        }
        _ => None,
    }
}
