//! `String.format`: the conversions whose output is the same in every release and language.

use super::support::{Answer, long, open, spread, text, text_of, throw};
use crate::java::interpret::decimal_text;
use crate::java::interpret::machine::Machine;
use crate::java::interpret::scalar::{Prim, Scalar};
use crate::java::interpret::value::Value;

/// One `%…`.
#[derive(Default)]
struct Spec {
    index: Option<usize>,
    previous: bool,
    flags: String,
    width: Option<usize>,
    precision: Option<usize>,
    kind: char,
}

/// `String.format(…)`, with or without a language first.
pub fn format(machine: &mut Machine<'_>, args: &[Value]) -> Option<Answer> {
    let (pattern, rest) = match args {
        [first, rest @ ..] if text(first).is_some() => (text(first)?.to_owned(), rest),
        // A language: those in which numbers look as in English.
        [Value::Scalar(Scalar::Enum(_, name)), pattern, rest @ ..]
            if matches!(&**name, "ROOT" | "US" | "ENGLISH" | "UK") =>
        {
            (text(pattern)?.to_owned(), rest)
        }
        _ => return None,
    };
    let values = spread(machine, rest);
    Some(formatted(machine, &pattern, &values).map(|text| machine.fresh_text(&text)))
}

fn read(chars: &[char], mut at: usize) -> Option<(Spec, usize)> {
    let mut spec = Spec::default();
    let number = |at: &mut usize| -> Option<usize> {
        let from = *at;
        while chars.get(*at).is_some_and(char::is_ascii_digit) {
            *at += 1;
        }
        chars[from..*at].iter().collect::<String>().parse().ok()
    };
    let mark = at;
    match number(&mut at) {
        Some(index) if chars.get(at) == Some(&'$') && chars[mark] != '0' => {
            spec.index = Some(index);
            at += 1;
        }
        _ => at = mark,
    }
    if chars.get(at) == Some(&'<') {
        spec.previous = true;
        at += 1;
    }
    while let Some(c) = chars.get(at).filter(|c| matches!(c, '-' | '#' | '+' | ' ' | '0' | ',' | '(')) {
        if spec.flags.contains(*c) {
            return None;
        }
        spec.flags.push(*c);
        at += 1;
    }
    spec.width = number(&mut at);
    if chars.get(at) == Some(&'.') {
        at += 1;
        spec.precision = Some(number(&mut at)?);
    }
    spec.kind = *chars.get(at)?;
    Some((spec, at + 1))
}

fn formatted(machine: &mut Machine<'_>, pattern: &str, values: &[Value]) -> Answer<String> {
    let chars: Vec<char> = pattern.chars().collect();
    let mut out = String::new();
    let (mut at, mut next, mut last) = (0, 0, None);
    while let Some(c) = chars.get(at) {
        at += 1;
        if *c != '%' {
            out.push(*c);
            continue;
        }
        let Some((spec, after)) = read(&chars, at) else { return open("a format") };
        at = after;
        match spec.kind {
            '%' if spec.width.is_none() && spec.flags.is_empty() => {
                out.push('%');
                continue;
            }
            'n' if spec.width.is_none() && spec.flags.is_empty() => {
                out.push('\n');
                continue;
            }
            '%' | 'n' => return open("a format"),
            's' | 'S' | 'd' | 'x' | 'X' | 'c' | 'C' | 'b' | 'B' | 'f' | 'o' | 'h' => {}
            c if c.is_ascii_alphabetic() && !matches!(c, 'e' | 'E' | 'g' | 'G' | 'a' | 'A' | 't' | 'T' | 'H') => {
                return Err(throw(machine, "java.util.UnknownFormatConversionException"));
            }
            _ => return open("a format"),
        }
        let index = match (spec.index, spec.previous, last) {
            (_, true, Some(last)) => last,
            (_, true, None) => return open("a format"),
            (Some(index), ..) if index > 0 => index - 1,
            (Some(_), ..) => return open("a format"),
            _ => {
                next += 1;
                next - 1
            }
        };
        last = Some(index);
        let Some(value) = values.get(index) else {
            return Err(throw(machine, "java.util.MissingFormatArgumentException"));
        };
        out.push_str(&one(machine, &spec, value)?);
    }
    Ok(out)
}

fn padded(spec: &Spec, text: String) -> String {
    let count = text.encode_utf16().count();
    let missing = spec.width.unwrap_or_default().saturating_sub(count);
    if spec.flags.contains('-') { text + &" ".repeat(missing) } else { " ".repeat(missing) + &text }
}

fn one(machine: &mut Machine<'_>, spec: &Spec, value: &Value) -> Answer<String> {
    let plain = spec.flags.chars().all(|flag| flag == '-') && !(spec.flags.contains('-') && spec.width.is_none());
    let upper = spec.kind.is_ascii_uppercase();
    match spec.kind {
        's' | 'S' | 'b' | 'B' | 'c' | 'C' | 'h' => {
            if !plain {
                return open("a format");
            }
            let shown = match spec.kind {
                's' | 'S' => text_of(machine, value)?,
                'h' => {
                    if value.is_null() {
                        "null".to_owned()
                    } else {
                        format!("{:x}", super::support::sure_hash(machine, value)?)
                    }
                }
                'b' | 'B' => match value {
                    Value::Scalar(Scalar::Null) => "false".to_owned(),
                    Value::Scalar(Scalar::Bool(value)) => value.to_string(),
                    Value::Scalar(_) | Value::Ref(_) => "true".to_owned(),
                    _ => return open("what is formatted"),
                },
                _ => match value {
                    Value::Scalar(Scalar::Null) => "null".to_owned(),
                    Value::Scalar(Scalar::Char(unit)) => match String::from_utf16(&[*unit]) {
                        Ok(text) => text,
                        Err(_) => return open("half a character"),
                    },
                    Value::Scalar(Scalar::Int(point)) => match u32::try_from(*point).ok().and_then(char::from_u32) {
                        Some(c) => c.to_string(),
                        None => return open("a code point that is none"),
                    },
                    Value::Scalar(_) => return Err(throw(machine, "java.util.IllegalFormatConversionException")),
                    _ => return open("what is formatted"),
                },
            };
            let shown = match spec.precision {
                Some(_) if matches!(spec.kind, 'c' | 'C') => return open("a format"),
                Some(_) if !shown.is_ascii() => return open("a format"),
                Some(most) => shown.chars().take(most).collect(),
                None => shown,
            };
            if upper && !shown.is_ascii() {
                return open("letters whose case depends on the language");
            }
            Ok(padded(spec, if upper { shown.to_ascii_uppercase() } else { shown }))
        }
        'd' | 'x' | 'X' | 'o' => whole(machine, spec, value),
        _ => floating(machine, spec, value),
    }
}

fn grouped(digits: &str) -> String {
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Sign, zeros and width around the digits of a number.
fn signed(spec: &Spec, negative: bool, digits: String) -> Answer<String> {
    let has = |flag: char| spec.flags.contains(flag);
    if (has('-') && has('0')) || (has('+') && has(' ')) || ((has('-') || has('0')) && spec.width.is_none()) || has('#')
    {
        return open("a format");
    }
    let before = match negative {
        true if has('(') => "(",
        true => "-",
        false if has('+') => "+",
        false if has(' ') => " ",
        false => "",
    };
    let after = if negative && has('(') { ")" } else { "" };
    let length = before.len() + digits.len() + after.len();
    let zeros = if has('0') { spec.width.unwrap_or_default().saturating_sub(length) } else { 0 };
    Ok(padded(spec, format!("{before}{}{digits}{after}", "0".repeat(zeros))))
}

fn whole(machine: &mut Machine<'_>, spec: &Spec, value: &Value) -> Answer<String> {
    if value.is_null() {
        return if spec.flags.is_empty() && spec.precision.is_none() {
            Ok(padded(spec, "null".to_owned()))
        } else {
            open("a format")
        };
    }
    let prim = value.scalar().and_then(Scalar::prim);
    let (Some(n), Some(prim)) = (long(value), prim) else {
        return match value {
            Value::Scalar(_) => Err(throw(machine, "java.util.IllegalFormatConversionException")),
            _ => open("what is formatted"),
        };
    };
    if prim == Prim::Char {
        return Err(throw(machine, "java.util.IllegalFormatConversionException"));
    }
    if spec.precision.is_some() {
        return open("a format");
    }
    if spec.kind == 'd' {
        let digits = n.unsigned_abs().to_string();
        return signed(spec, n < 0, if spec.flags.contains(',') { grouped(&digits) } else { digits });
    }
    if spec.flags.chars().any(|flag| !matches!(flag, '-' | '0')) {
        return open("a format");
    }
    let bits: u64 = match prim {
        Prim::Byte => u64::from(n as u8),
        Prim::Short => u64::from(n as u16),
        Prim::Int => u64::from(n as u32),
        _ => n as u64,
    };
    let digits = match spec.kind {
        'x' => format!("{bits:x}"),
        'X' => format!("{bits:X}"),
        _ => format!("{bits:o}"),
    };
    signed(spec, false, digits)
}

fn floating(machine: &mut Machine<'_>, spec: &Spec, value: &Value) -> Answer<String> {
    let x = match value {
        Value::Scalar(Scalar::Double(x)) => *x,
        // The digits of a `float` are its own.
        Value::Scalar(Scalar::Float(x)) => match decimal_text::of_float(*x).and_then(|text| text.parse().ok()) {
            Some(x) => x,
            None => return open("the digits of a number"),
        },
        Value::Scalar(Scalar::Null) => return open("a format"),
        Value::Scalar(_) => return Err(throw(machine, "java.util.IllegalFormatConversionException")),
        _ => return open("what is formatted"),
    };
    if x.is_nan() || x.is_infinite() {
        return open("a format of what is no number");
    }
    let places = spec.precision.unwrap_or(6);
    let negative = x.is_sign_negative();
    let (digits, point) = if x == 0.0 {
        (vec![0], 1)
    } else {
        match decimal_text::digits(x) {
            Some(digits) => digits,
            None => return open("the digits of a number"),
        }
    };
    // Digits before and after the point, then rounded half up.
    let at = |place: i32| -> u8 {
        usize::try_from(place).ok().and_then(|place| digits.get(place).copied()).unwrap_or_default()
    };
    let wanted = point + i32::try_from(places).unwrap_or_default();
    let lead = usize::try_from(point.max(1)).unwrap_or(1);
    let mut all = Vec::with_capacity(lead + places + 1);
    all.push(0_u8);
    // The digit in front of the point stands at `lead`.
    for place in 0..lead + places {
        let place = i32::try_from(place).unwrap_or_default() - i32::try_from(lead).unwrap_or_default() + point;
        all.push(if place < 0 { 0 } else { at(place) });
    }
    if wanted >= 0 && at(wanted) >= 5 {
        for digit in all.iter_mut().rev() {
            if *digit < 9 {
                *digit += 1;
                break;
            }
            *digit = 0;
        }
    }
    let text: String = all.iter().map(|digit| char::from(b'0' + digit)).collect();
    let (whole, fraction) = text.split_at(text.len() - places);
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let whole = if spec.flags.contains(',') { grouped(whole) } else { whole.to_owned() };
    let shown = if places == 0 { whole } else { format!("{whole}.{fraction}") };
    signed(spec, negative, shown)
}
