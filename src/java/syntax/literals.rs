//! Decodes the tokens of number, character, string and text block literals exactly (JLS §3.3 and §3.10).

use crate::ir::body::Lit;

/// The value of a literal token of this syntax kind; `None` if the token is not a literal that Java accepts.
pub fn literal(kind: &str, token: &str) -> Option<Lit> {
    match kind {
        "decimal_integer_literal" | "hex_integer_literal" | "octal_integer_literal" | "binary_integer_literal" => {
            integer(token)
        }
        "decimal_floating_point_literal" => decimal_float(token),
        "hex_floating_point_literal" => hex_float(token),
        "true" => Some(Lit::Bool(true)),
        "false" => Some(Lit::Bool(false)),
        "null_literal" => Some(Lit::Null),
        "character_literal" => character(token).map(Lit::Char),
        "string_literal" => {
            plain(token).map(|text| Lit::Str(text.to_owned())).or_else(|| string(token).map(text_literal))
        }
        _ => None,
    }
}

/// The text of a string literal without escapes and line ends.
fn plain(token: &str) -> Option<&str> {
    let inner = token.strip_prefix('"')?.strip_suffix('"')?;
    (!inner.starts_with('"') && !inner.bytes().any(|byte| byte == b'\\')).then_some(inner)
}

/// A literal of these UTF-16 units: a string if they are well-formed.
fn text_literal(units: Vec<u16>) -> Lit {
    match String::from_utf16(&units) {
        Ok(text) => Lit::Str(text),
        Err(_) => Lit::Utf16(units),
    }
}

/// An integer literal in any radix, with or without `L`. `2147483648` reads as `Integer.MIN_VALUE`, so that its
/// negation is correct.
pub fn integer(token: &str) -> Option<Lit> {
    let is_plain = matches!(token.as_bytes(), [b'1'..=b'9', ..] | b"0");
    if let (true, Ok(value)) = (is_plain, token.parse()) {
        return Some(Lit::Int(value));
    }
    let digits: String = token.chars().filter(|c| *c != '_').collect();
    let (digits, long) = match digits.strip_suffix(['l', 'L']) {
        Some(rest) => (rest, true),
        None => (digits.as_str(), false),
    };
    let lower = digits.to_ascii_lowercase();
    let (body, radix) = if let Some(hex) = lower.strip_prefix("0x") {
        (hex, 16)
    } else if let Some(binary) = lower.strip_prefix("0b") {
        (binary, 2)
    } else if lower.len() > 1 && lower.starts_with('0') {
        (&lower[1..], 8)
    } else {
        (lower.as_str(), 10)
    };
    let value = u64::from_str_radix(body, radix).ok()?;
    let limit = match (long, radix) {
        (true, 10) => 1 << 63,
        (true, _) => u64::MAX,
        (false, 10) => 1 << 31,
        (false, _) => u64::from(u32::MAX),
    };
    if value > limit {
        return None;
    }
    Some(if long { Lit::Long(value as i64) } else { Lit::Int(value as u32 as i32) })
}

fn decimal_float(token: &str) -> Option<Lit> {
    let digits: String = token.chars().filter(|c| *c != '_').collect();
    if let Some(single) = digits.strip_suffix(['f', 'F']) {
        return single.parse().ok().map(Lit::Float);
    }
    digits.strip_suffix(['d', 'D']).unwrap_or(&digits).parse().ok().map(Lit::Double)
}

/// Decodes `0x1.8p3`. The digits are kept to 60 bits and a sticky bit, which rounds like the exact value.
fn hex_float(token: &str) -> Option<Lit> {
    let lower: String = token.chars().filter(|c| *c != '_').collect::<String>().to_ascii_lowercase();
    let (mantissa, exponent) = lower.strip_prefix("0x")?.split_once('p')?;
    let (exponent, single) = match exponent.strip_suffix('f') {
        Some(rest) => (rest, true),
        None => (exponent.strip_suffix('d').unwrap_or(exponent), false),
    };
    let mut power: i64 = exponent.strip_prefix('+').unwrap_or(exponent).parse().ok()?;
    let (mut value, mut after_point) = (0u64, false);
    for c in mantissa.chars() {
        if c == '.' {
            after_point = true;
            continue;
        }
        let digit = u64::from(c.to_digit(16)?);
        if value >> 56 == 0 {
            value = value << 4 | digit;
            power -= if after_point { 4 } else { 0 };
        } else {
            value |= u64::from(digit != 0);
            power += if after_point { 0 } else { 4 };
        }
    }
    let power = power.clamp(-5000, 5000) as i32;
    Some(if single {
        Lit::Float(scale(f64::from(value as f32), power) as f32)
    } else {
        Lit::Double(scale(value as f64, power))
    })
}

/// `value · 2^power`, in steps that do not overflow or underflow early.
fn scale(mut value: f64, mut power: i32) -> f64 {
    while power != 0 && value != 0.0 && value.is_finite() {
        let step = power.clamp(-1000, 1000);
        value *= 2f64.powi(step);
        power -= step;
    }
    value
}

/// The UTF-16 unit of `'c'`.
pub fn character(token: &str) -> Option<u16> {
    let units = unicode_escapes(token);
    let inner = units.strip_prefix(&[QUOTE])?.strip_suffix(&[QUOTE])?;
    match escapes(inner).as_slice() {
        [unit] => Some(*unit),
        _ => None,
    }
}

/// The UTF-16 units of a string literal or a text block; `token` includes the quotes.
pub fn string(token: &str) -> Option<Vec<u16>> {
    if let Some(rest) = token.strip_prefix("\"\"\"") {
        let units = unicode_escapes(rest.strip_suffix("\"\"\"")?);
        return Some(escapes(&without_indentation(&units)?));
    }
    let units = unicode_escapes(token.strip_prefix('"')?.strip_suffix('"')?);
    Some(escapes(&units))
}

const BACKSLASH: u16 = b'\\' as u16;
const QUOTE: u16 = b'\'' as u16;
const LF: u16 = b'\n' as u16;
const CR: u16 = b'\r' as u16;

/// Decodes `\uXXXX` (JLS §3.3): a backslash starts an escape only after an even number of backslashes.
fn unicode_escapes(text: &str) -> Vec<u16> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut out = Vec::with_capacity(units.len());
    let mut at = 0;
    while at < units.len() {
        if units[at] != BACKSLASH {
            out.push(units[at]);
            at += 1;
            continue;
        }
        let us = units[at + 1..].iter().take_while(|unit| **unit == u16::from(b'u')).count();
        let digits = units.get(at + 1 + us..at + 5 + us).and_then(|hex| {
            u16::from_str_radix(&String::from_utf16(hex).ok()?, 16).ok().filter(|_| hex[0] != u16::from(b'+'))
        });
        if let (true, Some(unit)) = (us > 0, digits) {
            out.push(unit);
            at += 5 + us;
        } else {
            out.push(BACKSLASH);
            at += 1;
            // The second of two backslashes does not start an escape.
            if units.get(at) == Some(&BACKSLASH) {
                out.push(BACKSLASH);
                at += 1;
            }
        }
    }
    out
}

/// Decodes escape sequences (JLS §3.10.7).
fn escapes(units: &[u16]) -> Vec<u16> {
    let mut out = Vec::with_capacity(units.len());
    let mut at = 0;
    while at < units.len() {
        let unit = units[at];
        at += 1;
        let Some(&next) = units.get(at).filter(|_| unit == BACKSLASH) else {
            out.push(unit);
            continue;
        };
        at += 1;
        match u8::try_from(next).unwrap_or(b'?') {
            b'b' => out.push(8),
            b't' => out.push(9),
            b'n' => out.push(10),
            b'f' => out.push(12),
            b'r' => out.push(13),
            b's' => out.push(32),
            b'\n' => {}
            b'\r' => at += usize::from(units.get(at) == Some(&LF)),
            first @ b'0'..=b'7' => {
                let most = if first <= b'3' { 2 } else { 1 };
                let mut value = u16::from(first - b'0');
                for _ in 0..most {
                    match units.get(at) {
                        Some(&digit) if (0x30..=0x37).contains(&digit) => {
                            value = value * 8 + digit - 0x30;
                            at += 1;
                        }
                        _ => break,
                    }
                }
                out.push(value);
            }
            _ => out.push(next),
        }
    }
    out
}

/// The content of a text block without incidental white space (JLS §3.10.6), with its escapes not yet decoded.
fn without_indentation(content: &[u16]) -> Option<Vec<u16>> {
    let mut normal = Vec::with_capacity(content.len());
    for (at, unit) in content.iter().enumerate() {
        match *unit {
            CR if content.get(at + 1) == Some(&LF) => {}
            CR => normal.push(LF),
            other => normal.push(other),
        }
    }
    let first = normal.iter().position(|unit| *unit == LF)?;
    let lines: Vec<&[u16]> = normal[first + 1..].split(|unit| *unit == LF).collect();
    let indentation = lines
        .iter()
        .enumerate()
        .filter(|(at, line)| *at + 1 == lines.len() || line.iter().any(|unit| !is_white(*unit)))
        .map(|(_, line)| line.iter().take_while(|unit| is_white(**unit)).count())
        .min()
        .unwrap_or(0);
    let mut out = Vec::with_capacity(normal.len());
    for (at, line) in lines.iter().enumerate() {
        if at > 0 {
            out.push(LF);
        }
        let end = line.iter().rposition(|unit| !is_white(*unit)).map_or(0, |last| last + 1);
        out.extend_from_slice(line.get(indentation..end).unwrap_or_default());
    }
    Some(out)
}

/// Whether `Character.isWhitespace` is true, for the units that occur in source files.
fn is_white(unit: u16) -> bool {
    matches!(unit, 9..=13 | 28..=32 | 0x1680 | 0x2000..=0x2006 | 0x2008..=0x200a | 0x2028 | 0x2029 | 0x205f | 0x3000)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(token: &str) -> String {
        String::from_utf16(&string(token).unwrap()).unwrap()
    }

    #[test]
    fn integers_in_every_radix() {
        for (token, value) in [
            ("0", Lit::Int(0)),
            ("1_000", Lit::Int(1000)),
            ("0x7fff_ffff", Lit::Int(i32::MAX)),
            ("0xFFFFFFFF", Lit::Int(-1)),
            ("017", Lit::Int(15)),
            ("0_17", Lit::Int(15)),
            ("0b101", Lit::Int(5)),
            ("2147483648", Lit::Int(i32::MIN)),
            ("9223372036854775808L", Lit::Long(i64::MIN)),
            ("0xFFFFFFFFFFFFFFFFl", Lit::Long(-1)),
        ] {
            assert_eq!(integer(token), Some(value), "{token}");
        }
        assert_eq!(integer("2147483649"), None);
    }

    #[test]
    fn floats_in_both_forms() {
        for (token, value) in [("1.", 1.0), (".5", 0.5), ("1e3", 1000.0), ("1_0.5d", 10.5), ("3D", 3.0)] {
            assert_eq!(decimal_float(token), Some(Lit::Double(value)), "{token}");
        }
        assert_eq!(decimal_float("1.1f"), Some(Lit::Float(1.1)));
        assert_eq!(hex_float("0x1.8p1"), Some(Lit::Double(3.0)));
        assert_eq!(hex_float("0x0.0000000000001P-1022"), Some(Lit::Double(f64::from_bits(1))));
        assert_eq!(hex_float("0x1.fffffeP+127f"), Some(Lit::Float(f32::MAX)));
    }

    #[test]
    fn characters_and_escapes() {
        assert_eq!(character("'a'"), Some(97));
        assert_eq!(character(r"'\n'"), Some(10));
        assert_eq!(character(r"'\''"), Some(39));
        assert_eq!(character(r"'\u00e9'"), Some(0xe9));
        assert_eq!(character(r"'\377'"), Some(255));
        assert_eq!(text(r#""a\tb\"c\\u0041\u0041\uuu0042\08""#), "a\tb\"c\\u0041AB\0".to_owned() + "8");
        assert_eq!(text(r#""\ud83d\ude00""#), "\u{1f600}");
        assert_eq!(string(r#""\ud83d""#), Some(vec![0xd83d]));
    }

    #[test]
    fn text_blocks_lose_their_indentation() {
        assert_eq!(text("\"\"\"\n    a\n      b  \n    \"\"\""), "a\n  b\n");
        assert_eq!(text("\"\"\"  \r\n   a\r\n\r\n   b\"\"\""), "a\n\nb");
        assert_eq!(text("\"\"\"\n   a \\\n   b\\s\n  \"\"\""), " a  b \n");
    }
}
