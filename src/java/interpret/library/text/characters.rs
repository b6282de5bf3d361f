//! Models `java.lang.Character`, for ASCII and for properties that no Unicode release has changed.

use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, int, open};
use crate::interpret::values::scalar::Scalar;
use crate::interpret::values::value::Value;

/// The code point of a character argument, and whether it was given as a `char`.
fn point(value: &Value) -> Option<(u32, bool)> {
    match value {
        Value::Scalar(Scalar::Char(unit)) => Some((u32::from(*unit), true)),
        Value::Scalar(Scalar::Int(point)) => u32::try_from(*point).ok().map(|point| (point, false)),
        _ => None,
    }
}

/// Models the static methods of `Character`.
pub fn statics(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    if let ("forDigit", [digit, radix]) = (call.name, call.args) {
        let (digit, radix) = (int(digit)?, int(radix)?);
        let c = if (2..=36).contains(&radix) {
            u32::try_from(digit).ok().and_then(|digit| char::from_digit(digit, radix as u32))
        } else {
            None
        };
        return Some(Ok(Value::Scalar(Scalar::Char(c.map_or(0, |c| c as u16)))));
    }
    let (point, is_char) = point(call.args.first()?)?;
    let units = |n: i32| Some(Ok(Value::int(n)));
    match (call.name, call.args) {
        ("compare", [a, b]) => return units(int(a)? - int(b)?),
        ("hashCode", [a]) => return units(int(a)?),
        ("valueOf", [a]) => return Some(Ok(a.clone())),
        ("charCount", [_]) => return units(if point >= 0x10000 { 2 } else { 1 }),
        ("isSupplementaryCodePoint", [_]) => return Some(Ok(Value::bool((0x10000..0x11_0000).contains(&point)))),
        ("isHighSurrogate", [_]) => return Some(Ok(Value::bool((0xd800..0xdc00).contains(&point)))),
        ("isLowSurrogate", [_]) => return Some(Ok(Value::bool((0xdc00..0xe000).contains(&point)))),
        ("isSurrogate", [_]) => return Some(Ok(Value::bool((0xd800..0xe000).contains(&point)))),
        ("isISOControl", [_]) => return Some(Ok(Value::bool(point < 0x20 || (0x7f..0xa0).contains(&point)))),
        _ => {}
    }
    let Some(c) = char::from_u32(point) else { return Some(open("half a character")) };
    if matches!(call.name, "toString" | "toChars") {
        if call.name == "toChars" {
            let mut buffer = [0; 2];
            let items = c.encode_utf16(&mut buffer).iter().map(|unit| Value::Scalar(Scalar::Char(*unit))).collect();
            return Some(Ok(crate::interpret::library::base::support::array(
                machine,
                items,
                crate::interpret::library::base::support::prim(crate::interpret::values::scalar::Prim::Char),
            )));
        }
        return Some(Ok(machine.fresh_text(&c.to_string())));
    }
    if matches!(call.name, "toUpperCase" | "toLowerCase") {
        let upper = call.name == "toUpperCase";
        if point >= 0x180 || matches!(c, 'İ' | 'ı' | 'ſ' | 'ŉ' | 'µ') {
            return Some(open("letters of other scripts"));
        }
        let changed: Vec<char> = if upper { c.to_uppercase().collect() } else { c.to_lowercase().collect() };
        let to = if let [only] = changed.as_slice() { *only } else { c };
        return Some(Ok(if is_char { Value::Scalar(Scalar::Char(to as u16)) } else { Value::int(to as i32) }));
    }
    if point >= 0x250 && !matches!(call.name, "digit" | "getNumericValue") {
        return Some(open("characters of other scripts"));
    }
    let letter = c.is_alphabetic() && !matches!(c, 'ª' | 'º') || matches!(c, 'ª' | 'º');
    let digit = c.is_ascii_digit();
    let value = match (call.name, call.args) {
        ("isDigit", [_]) => Value::bool(digit),
        ("isLetter" | "isAlphabetic", [_]) => Value::bool(letter),
        ("isLetterOrDigit", [_]) => Value::bool(letter || digit),
        ("isUpperCase", [_]) => Value::bool(c.is_uppercase()),
        ("isLowerCase", [_]) => Value::bool(c.is_lowercase()),
        ("isWhitespace", [_]) => Value::bool(super::texts::is_whitespace(c)),
        ("isSpaceChar", [_]) => Value::bool(matches!(c, ' ' | '\u{a0}')),
        ("isJavaIdentifierStart", [_]) if point < 0x80 => {
            Value::bool(c.is_ascii_alphabetic() || matches!(c, '_' | '$'))
        }
        ("isJavaIdentifierPart", [_]) if point < 0x80 => {
            let ignorable = point <= 8 || (0xe..=0x1b).contains(&point) || point == 0x7f;
            Value::bool(c.is_ascii_alphanumeric() || matches!(c, '_' | '$') || ignorable)
        }
        ("getNumericValue", [_]) if c.is_ascii() => Value::int(c.to_digit(36).map_or(-1, |digit| digit as i32)),
        ("digit", [_, radix]) if c.is_ascii() => {
            let radix = int(radix)?;
            let digit = if (2..=36).contains(&radix) { c.to_digit(radix as u32) } else { None };
            Value::int(digit.map_or(-1, |digit| digit as i32))
        }
        _ => return Some(open("characters of other scripts")),
    };
    Some(Ok(value))
}
