//! Models `DateTimeFormatter` objects.

use super::date_formats::written;
use super::date_patterns::{Defect, Format};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, native, open, reference, settle, text, throw, throw_with};
use crate::interpret::library::text::formatting::locales;
use crate::interpret::library::time::date_values::{constant_of, known};
use crate::interpret::library::time::temporal::Temporal;
use crate::interpret::values::value::{Native, Value};

/// The class name.
pub const FQN: &str = "java.time.format.DateTimeFormatter";

impl Native for Format {
    native_state!(leaf);

    fn is_frozen(&self) -> bool {
        true
    }

    fn is_value(&self) -> bool {
        true
    }
}

/// The format passed as an argument.
pub fn given(machine: &mut Machine<'_>, value: &Value) -> Answer<Format> {
    if value.is_null() {
        return Err(throw(machine, "NullPointerException"));
    }
    match reference(value).and_then(|id| machine.native::<Format>(id)) {
        Some(format) => Ok(format.clone()),
        None => open("a format is not known"),
    }
}

/// Models `value.format(formatter)`.
pub fn format(machine: &mut Machine<'_>, format: &Value, own: &Temporal) -> Option<Answer> {
    let format = match given(machine, format) {
        Ok(format) => format,
        Err(fail) => return Some(Err(fail)),
    };
    let text = known(machine, written(&format, own));
    Some(text.map(|text| machine.fresh_text(&text)))
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if call.fqn != FQN {
        return None;
    }
    let answer = match call.receiver {
        None => match (call.name, call.args) {
            ("ofPattern", [pattern]) => of_pattern(machine, pattern, false)?,
            ("ofPattern", [pattern, locale]) => {
                let english = locales::is_english(machine, locale);
                of_pattern(machine, pattern, english)?
            }
            _ => return None,
        },
        Some(receiver) => match given(machine, receiver) {
            Ok(own) => on_format(machine, own, call)?,
            Err(fail) => Err(fail),
        },
    };
    Some(settle(machine, call, answer))
}

fn of_pattern(machine: &mut Machine<'_>, pattern: &Value, english: bool) -> Option<Answer> {
    if pattern.is_null() {
        return Some(Err(throw_with(machine, "NullPointerException", Value::text("pattern"))));
    }
    let Some(pattern) = text(pattern).map(ToOwned::to_owned) else { return Some(open("a pattern is not known")) };
    Some(match Format::of_pattern(&pattern) {
        Ok(format) => Ok(native(machine, FQN, Format { english, ..format })),
        Err(Defect::Illegal(Some(message))) => {
            Err(throw_with(machine, "IllegalArgumentException", Value::text(&message)))
        }
        Err(Defect::Illegal(None)) => Err(throw(machine, "IllegalArgumentException")),
        Err(Defect::Open) => open("a letter of a pattern"),
    })
}

fn on_format(machine: &mut Machine<'_>, own: Format, call: &LibraryCall<'_>) -> Option<Answer> {
    Some(match (call.name, call.args) {
        ("format", [value]) => match crate::interpret::library::time::date_values::needed(machine, value) {
            Ok(value) => {
                let text = known(machine, written(&own, &value));
                text.map(|text| machine.fresh_text(&text))
            }
            Err(fail) => Err(fail),
        },
        ("withLocale", [locale]) => {
            let english = locales::is_english(machine, locale);
            Ok(native(machine, FQN, Format { english, ..own }))
        }
        ("withZone", [zone]) => match crate::interpret::library::time::date_values::given(machine, zone) {
            Some(Temporal::Zone(zone)) => Ok(native(machine, FQN, Format { zone: Some(zone), ..own })),
            _ => open("a zone"),
        },
        ("withResolverStyle", [style]) => match constant_of(style, "format.ResolverStyle")? {
            "STRICT" => Ok(native(machine, FQN, Format { strict: true, ..own })),
            "SMART" => Ok(native(machine, FQN, Format { strict: false, ..own })),
            _ => open("lenient dates"),
        },
        _ => return None,
    })
}
