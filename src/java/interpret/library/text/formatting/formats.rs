//! Models `String.format` and `MessageFormat.format`.

use num_bigint::BigInt;

use super::format_numbers::{big_radix, decimal, floating, padded, radix, whole};
use super::format_specs::{Part, Spec, read};
use super::locales;
use crate::interpret::engine::machine::{Eval, MAX_TEXT, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{
    Answer, Fail, long, open, reference, settle, spread, text, text_of, throw, throw_with,
};
use crate::interpret::library::numeric::decimal::Decimal;
use crate::interpret::library::numeric::{big_decimals, big_integers};
use crate::interpret::library::time::formats::date_formats;
use crate::interpret::library::time::temporal::Temporal;
use crate::interpret::values::scalar::{ClassRef, Prim, Scalar};
use crate::interpret::values::value::{Type, Value};
use crate::ir::body::BinaryOp;

/// Models `String.format(…)`, with or without a leading locale.
pub fn format(machine: &mut Machine<'_>, args: &[Value]) -> Option<Answer> {
    let (pattern, rest, english) = match args {
        [first, rest @ ..] if text(first).is_some() => (text(first)?.to_owned(), rest, false),
        // A locale whose number format is that of English.
        [locale, pattern, rest @ ..] if locales::is_plain(machine, locale) => {
            (text(pattern)?.to_owned(), rest, locales::is_english(machine, locale))
        }
        _ => return None,
    };
    let values = spread(machine, rest);
    Some(match formatted(machine, &pattern, &values, english) {
        Ok(text) => Ok(machine.fresh_text(&text)),
        Err(Fail::Open(_)) if machine.is_opaque() && is_plain(&pattern, &values) => joined(machine, &pattern, values),
        // These specifiers accept any text, so formatting cannot fail.
        Err(Fail::Open(why)) if is_plain(&pattern, &values) => Ok(Value::unknowable(&why, Type::Str)),
        Err(fail) => Err(fail),
    })
}

/// The text of a format that only inserts values unchanged, as the concatenation that it is.
fn joined(machine: &mut Machine<'_>, pattern: &str, values: Vec<Value>) -> Answer {
    let mut values = values.into_iter();
    let mut out = Value::text("");
    for part in read(pattern).unwrap_or_default() {
        let piece = match part {
            Part::Text(text) => Value::text(&text),
            Part::Spec(spec) if spec.kind == 'n' => Value::text("\n"),
            Part::Spec(spec) if spec.kind == '%' => Value::text("%"),
            Part::Spec(spec) => match values.next() {
                Some(value) if !spec.upper && spec.width.is_none() => value,
                _ => return open("a format with more than texts"),
            },
        };
        out = machine.binary(BinaryOp::Add, out, piece)?;
    }
    Ok(out)
}

/// Whether a format only inserts texts, numbers and booleans unchanged, one per specifier: that never fails, whatever
/// their values.
fn is_plain(pattern: &str, values: &[Value]) -> bool {
    let Ok(parts) = read(pattern) else { return false };
    let place = |part| match part {
        Part::Spec(spec) if !matches!(spec.kind, 'n' | '%') => Some(spec),
        _ => None,
    };
    let specs: Vec<Spec> = parts.into_iter().filter_map(place).collect();
    let fits = |(spec, value): (&Spec, &Value)| {
        let ty = match value {
            Value::Scalar(Scalar::Null) => return matches!(spec.kind, 's' | 'd'),
            Value::Scalar(scalar) => scalar.prim().map_or(Type::Str, Type::Prim),
            Value::Unknown(unknown) => unknown.ty.clone(),
            Value::Symbol(symbol) => symbol.ty.clone(),
            _ => return false,
        };
        match (spec.kind, ty) {
            ('s', Type::Str | Type::Prim(_) | Type::Boxed(_)) => true,
            ('d', Type::Prim(prim) | Type::Boxed(prim)) => prim.is_integral() && prim != Prim::Char,
            _ => false,
        }
    };
    let is_bare = |spec: &Spec| {
        !spec.date && !spec.previous && spec.index.is_none() && spec.flags.is_empty() && spec.precision.is_none()
    };
    specs.len() == values.len() && specs.iter().all(is_bare) && specs.iter().zip(values).all(fits)
}

fn formatted(machine: &mut Machine<'_>, pattern: &str, values: &[Value], english: bool) -> Answer<String> {
    let parts = match read(pattern) {
        Ok(parts) => parts,
        Err((class, message)) => {
            let class = format!("java.util.{class}");
            return Err(match message {
                Some(message) => throw_with(machine, &class, Value::text(&message)),
                None => throw(machine, &class),
            });
        }
    };
    let mut out = String::new();
    let (mut next, mut last) = (0, None);
    for part in parts {
        let spec = match part {
            Part::Text(text) => {
                out.push_str(&text);
                continue;
            }
            Part::Spec(spec) => spec,
        };
        match spec.kind {
            '%' => {
                out.push_str(&padded(&spec, "%".to_owned()));
                continue;
            }
            'n' if !spec.date => {
                out.push('\n');
                continue;
            }
            _ => {}
        }
        if spec.width.max(spec.precision).is_some_and(|wide| wide > MAX_TEXT) {
            return open("a text is too long");
        }
        let index = match (spec.index, spec.previous, last) {
            (_, true, Some(last)) => Some(last),
            (_, true, None) => None,
            (Some(index), ..) if index > 0 => Some(index - 1),
            (Some(_), ..) => return open("a format"),
            _ => {
                next += 1;
                Some(next - 1)
            }
        };
        last = index;
        let Some(value) = index.and_then(|index| values.get(index)) else {
            let class = "java.util.MissingFormatArgumentException";
            return Err(match spec.text() {
                Some(text) => throw_with(machine, class, Value::text(&format!("Format specifier '{text}'"))),
                None => throw(machine, class),
            });
        };
        out.push_str(&one(machine, &spec, value, english)?);
    }
    Ok(out)
}

/// Throws the exception for a value that the specifier does not accept.
fn wrong_kind<T>(machine: &mut Machine<'_>, spec: &Spec, value: &Value) -> Answer<T> {
    let class = "java.util.IllegalFormatConversionException";
    let name = match value {
        Value::Scalar(Scalar::Str(_)) => "java.lang.String".to_owned(),
        Value::Scalar(scalar) => match scalar.prim() {
            Some(prim) => format!("java.lang.{}", prim.box_name()),
            None => return Err(throw(machine, class)),
        },
        Value::Ref(id) => match &machine.object(*id).class {
            ClassRef::Library(fqn) if matches!(&**fqn, big_decimals::FQN | big_integers::FQN) => fqn.to_string(),
            _ => return Err(throw(machine, class)),
        },
        Value::Class(_) | Value::Lambda(_) => return Err(throw(machine, class)),
        _ => return open("what is formatted"),
    };
    Err(throw_with(machine, class, Value::text(&format!("{} != {name}", spec.kind))))
}

fn one(machine: &mut Machine<'_>, spec: &Spec, value: &Value, english: bool) -> Answer<String> {
    if spec.date {
        return date(machine, spec, value, english);
    }
    let shown = match spec.kind {
        'd' | 'o' | 'x' if !value.is_null() => return integral(machine, spec, value),
        'e' | 'f' | 'g' | 'a' if !value.is_null() => return real(machine, spec, value),
        'h' if !value.is_null() => {
            format!("{:x}", crate::interpret::library::base::support::sure_hash(machine, value)?)
        }
        'b' => match value {
            Value::Scalar(Scalar::Null) => "false".to_owned(),
            Value::Scalar(Scalar::Bool(value)) => value.to_string(),
            Value::Scalar(_) | Value::Ref(_) | Value::Class(_) | Value::Lambda(_) => "true".to_owned(),
            _ => return open("what is formatted"),
        },
        'c' if !value.is_null() => character(machine, spec, value)?,
        _ => {
            if spec.has('#') && spec.kind == 's' {
                let message = Value::text("Conversion = s, Flags = #");
                return Err(throw_with(machine, "java.util.FormatFlagsConversionMismatchException", message));
            }
            text_of(machine, value)?
        }
    };
    let shown = match spec.precision {
        Some(_) if !shown.is_ascii() => return open("a format"),
        Some(most) => shown.chars().take(most).collect(),
        None => shown,
    };
    if spec.upper && !shown.is_ascii() {
        return open("letters whose case depends on the language");
    }
    Ok(padded(spec, if spec.upper { shown.to_ascii_uppercase() } else { shown }))
}

fn character(machine: &mut Machine<'_>, spec: &Spec, value: &Value) -> Answer<String> {
    let point = match value {
        Value::Scalar(Scalar::Char(unit)) => match String::from_utf16(&[*unit]) {
            Ok(text) => return Ok(text),
            Err(_) => return open("half a character"),
        },
        Value::Scalar(Scalar::Int(point)) => *point,
        Value::Scalar(Scalar::Byte(point)) => i32::from(*point),
        Value::Scalar(Scalar::Short(point)) => i32::from(*point),
        _ => return wrong_kind(machine, spec, value),
    };
    match u32::try_from(point) {
        Ok(point) if point <= 0x10_ffff => match char::from_u32(point) {
            Some(c) => Ok(c.to_string()),
            None => open("half a character"),
        },
        _ => Err(throw(machine, "java.util.IllegalFormatCodePointException")),
    }
}

fn big_integer(machine: &Machine<'_>, value: &Value) -> Option<BigInt> {
    machine.native::<big_integers::Whole>(reference(value)?).map(|whole| whole.0.clone())
}

fn integral(machine: &mut Machine<'_>, spec: &Spec, value: &Value) -> Answer<String> {
    if let Some(value) = big_integer(machine, value) {
        return Ok(if spec.kind == 'd' { whole(spec, &value) } else { big_radix(spec, &value) });
    }
    let prim = value.scalar().and_then(Scalar::prim).filter(|prim| *prim != Prim::Char);
    let (Some(n), Some(prim)) = (long(value), prim) else { return wrong_kind(machine, spec, value) };
    if spec.kind == 'd' {
        return Ok(whole(spec, &BigInt::from(n)));
    }
    let signs: String = spec.flags.chars().filter(|flag| matches!(flag, '+' | ' ' | '(')).collect();
    if !signs.is_empty() {
        let class = "java.util.FormatFlagsConversionMismatchException";
        if signs.len() > 1 {
            return Err(throw(machine, class));
        }
        let message = format!("Conversion = {}, Flags = {signs}", spec.kind);
        return Err(throw_with(machine, class, Value::text(&message)));
    }
    let bits: u64 = match prim {
        Prim::Byte => u64::from(n as u8),
        Prim::Short => u64::from(n as u16),
        Prim::Int => u64::from(n as u32),
        _ => n as u64,
    };
    Ok(radix(spec, bits))
}

fn real(machine: &mut Machine<'_>, spec: &Spec, value: &Value) -> Answer<String> {
    let shown = match value {
        _ if spec.kind == 'a' => return open("a hexadecimal floating-point number"),
        Value::Scalar(Scalar::Double(x)) => floating(spec, *x),
        Value::Scalar(Scalar::Float(x)) => floating(spec, f64::from(*x)),
        _ => match reference(value).and_then(|id| machine.native::<Decimal>(id)) {
            Some(number) => decimal(spec, number),
            None => return wrong_kind(machine, spec, value),
        },
    };
    match shown {
        Some(shown) => Ok(shown),
        None => open("the digits of a number"),
    }
}

fn date(machine: &mut Machine<'_>, spec: &Spec, value: &Value, english: bool) -> Answer<String> {
    if value.is_null() {
        let shown = if spec.upper { "NULL" } else { "null" };
        return Ok(padded(spec, shown.to_owned()));
    }
    let Some(own) = reference(value).and_then(|id| machine.native::<Temporal>(id)).cloned() else {
        return match value {
            Value::Scalar(Scalar::Long(_)) | Value::Ref(_) | Value::Unknown(_) | Value::Symbol(_) => {
                open("the default time zone")
            }
            _ => wrong_kind(machine, spec, value),
        };
    };
    let shown = match date_text(&own, spec.kind, english) {
        Ok(Some(shown)) => shown,
        Ok(None) => return open("a part of a date in a format"),
        Err(_) => {
            let message = Value::text(&format!("{} != {}", spec.kind, own.class()));
            return Err(throw_with(machine, "java.util.IllegalFormatConversionException", message));
        }
    };
    Ok(padded(spec, if spec.upper { shown.to_uppercase() } else { shown }))
}

/// The text of a date; `None` for what depends on the locale, and for rarely used conversions.
fn date_text(
    own: &Temporal,
    kind: char,
    english: bool,
) -> crate::interpret::library::time::calendar::Outcome<Option<String>> {
    let field = |name: &str| own.long_field(name);
    let hour12 = |hour: i64| if hour % 12 == 0 { 12 } else { hour % 12 };
    let name = |field: &str, value: i64, full: bool| {
        if english { date_formats::english(field, value, full) } else { None }
    };
    Ok(Some(match kind {
        'H' => format!("{:02}", field("HOUR_OF_DAY")?),
        'k' => field("HOUR_OF_DAY")?.to_string(),
        'I' => format!("{:02}", hour12(field("HOUR_OF_DAY")?)),
        'l' => hour12(field("HOUR_OF_DAY")?).to_string(),
        'M' => format!("{:02}", field("MINUTE_OF_HOUR")?),
        'S' => format!("{:02}", field("SECOND_OF_MINUTE")?),
        'L' => format!("{:03}", field("MILLI_OF_SECOND")?),
        'N' => format!("{:09}", field("NANO_OF_SECOND")?),
        'Y' => format!("{:04}", field("YEAR_OF_ERA")?),
        'y' => format!("{:02}", field("YEAR_OF_ERA")? % 100),
        'C' => format!("{:02}", field("YEAR_OF_ERA")? / 100),
        'j' => format!("{:03}", field("DAY_OF_YEAR")?),
        'm' => format!("{:02}", field("MONTH_OF_YEAR")?),
        'd' => format!("{:02}", field("DAY_OF_MONTH")?),
        'e' => field("DAY_OF_MONTH")?.to_string(),
        'R' => format!("{:02}:{:02}", field("HOUR_OF_DAY")?, field("MINUTE_OF_HOUR")?),
        'T' => {
            format!("{:02}:{:02}:{:02}", field("HOUR_OF_DAY")?, field("MINUTE_OF_HOUR")?, field("SECOND_OF_MINUTE")?)
        }
        'D' => {
            format!("{:02}/{:02}/{:02}", field("MONTH_OF_YEAR")?, field("DAY_OF_MONTH")?, field("YEAR_OF_ERA")? % 100)
        }
        'F' => format!("{:04}-{:02}-{:02}", field("YEAR_OF_ERA")?, field("MONTH_OF_YEAR")?, field("DAY_OF_MONTH")?),
        'B' => return Ok(name("MONTH_OF_YEAR", field("MONTH_OF_YEAR")?, true)),
        'b' | 'h' => return Ok(name("MONTH_OF_YEAR", field("MONTH_OF_YEAR")?, false)),
        'A' => return Ok(name("DAY_OF_WEEK", field("DAY_OF_WEEK")?, true)),
        'a' => return Ok(name("DAY_OF_WEEK", field("DAY_OF_WEEK")?, false)),
        _ => return Ok(None),
    }))
}

/// Models `MessageFormat.format`, for placeholders without a format of their own.
pub fn message(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if call.fqn != "java.text.MessageFormat" || call.name != "format" || call.receiver.is_some() {
        return None;
    }
    let [pattern, rest @ ..] = call.args else { return None };
    let pattern = text(pattern)?.to_owned();
    let values = spread(machine, rest);
    let answer = filled(machine, &pattern, &values).map(|text| machine.fresh_text(&text));
    Some(settle(machine, call, answer))
}

fn filled(machine: &mut Machine<'_>, pattern: &str, values: &[Value]) -> Answer<String> {
    let mut out = String::new();
    let mut rest = pattern;
    let mut quoted = false;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '\'' if rest.starts_with('\'') => {
                out.push('\'');
                rest = &rest[1..];
            }
            '\'' => quoted = !quoted,
            '{' if !quoted => {
                let Some((inner, after)) = rest.split_once('}') else {
                    return Err(throw(machine, "IllegalArgumentException"));
                };
                let Ok(index) = inner.trim().parse::<usize>() else { return open("a part of a message format") };
                rest = after;
                match values.get(index) {
                    None => out.push_str(&format!("{{{index}}}")),
                    Some(Value::Scalar(Scalar::Str(text))) => out.push_str(&text.text),
                    Some(Value::Scalar(Scalar::Null)) => out.push_str("null"),
                    Some(Value::Scalar(Scalar::Bool(value))) => out.push_str(&value.to_string()),
                    Some(value) => match long(value) {
                        Some(number) if number.abs() < 1000 && value.prim() != Some(Prim::Char) => {
                            out.push_str(&number.to_string());
                        }
                        _ => return open("a number in a message format"),
                    },
                }
            }
            c => out.push(c),
        }
    }
    Ok(out)
}
