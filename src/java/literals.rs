//! Literals of Java: what the text of a string, character or number stands for (JLS §3.10).

/// Content of a string literal or text block, given with its quotes: escapes undone, text blocks stripped of their indentation.
pub fn string(text: &str) -> String {
    if text.starts_with("\"\"\"") {
        return unescape(&strip_text_block(text));
    }
    let inner = text.strip_prefix('"').unwrap_or(text);
    unescape(inner.strip_suffix('"').unwrap_or(inner))
}

/// The UTF-16 unit of a character literal, given with its quotes; `None` where it is none or more than one.
pub fn character(text: &str) -> Option<u16> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    let unescaped = unescape_utf16(inner);
    match unescaped.as_slice() {
        [unit] => Some(*unit),
        _ => None,
    }
}

/// An integer literal of any base with its sign bit as Java reads it, and whether it is a `long`. `None` where it does not fit; the
/// literals `2147483648` and `9223372036854775808L`, valid behind a minus only, are read as the number they wrap to.
pub fn integer(text: &str) -> Option<(i64, bool)> {
    let clean: String = text.chars().filter(|c| *c != '_').collect();
    let (digits, long) = match clean.strip_suffix(['l', 'L']) {
        Some(digits) => (digits, true),
        None => (clean.as_str(), false),
    };
    let lower = digits.to_ascii_lowercase();
    let (base, digits) = if let Some(rest) = lower.strip_prefix("0x") {
        (16, rest)
    } else if let Some(rest) = lower.strip_prefix("0b") {
        (2, rest)
    } else if lower.len() > 1 && lower.starts_with('0') {
        (8, &lower[1..])
    } else {
        (10, lower.as_str())
    };
    let value = u64::from_str_radix(digits, base).ok()?;
    let limit = match (base, long) {
        (10, true) => 1 << 63,
        (10, false) => 1 << 31,
        (_, true) => u64::MAX,
        (_, false) => u64::from(u32::MAX),
    };
    if value > limit {
        return None;
    }
    Some((if long { value as i64 } else { i64::from(value as u32 as i32) }, long))
}

/// A floating literal, decimal or hexadecimal, and whether it is a `float`.
pub fn floating(text: &str) -> Option<(f64, bool)> {
    let clean: String = text.chars().filter(|c| *c != '_').collect::<String>().to_ascii_lowercase();
    let hex = clean.starts_with("0x");
    let (number, single) = match clean.strip_suffix('f') {
        Some(rest) if !hex || clean.contains('p') => (rest, true),
        _ => (clean.strip_suffix('d').filter(|_| !hex || clean.contains('p')).unwrap_or(&clean), false),
    };
    if hex {
        return hexadecimal(number).map(|value| (value, single));
    }
    if single {
        return number.parse::<f32>().ok().map(|value| (f64::from(value), true));
    }
    number.parse().ok().map(|value| (value, false))
}

fn hexadecimal(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.strip_prefix("0x")?.split_once('p')?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut value = 0.0_f64;
    for digit in whole.chars() {
        value = value * 16.0 + f64::from(digit.to_digit(16)?);
    }
    let mut scale = 1.0 / 16.0;
    for digit in fraction.chars() {
        value += f64::from(digit.to_digit(16)?) * scale;
        scale /= 16.0;
    }
    Some(value * 2.0_f64.powi(exponent.parse().ok()?))
}

/// Content of a text block, given with its quotes, without incidental white space (JLS §3.10.6) and with its escapes as written.
pub fn strip_text_block(text: &str) -> String {
    let inner = text.strip_prefix("\"\"\"").unwrap_or(text);
    let inner = inner.strip_suffix("\"\"\"").unwrap_or(inner);
    let Some((_, content)) = inner.split_once('\n') else {
        return inner.to_owned();
    };
    let lines: Vec<&str> = content.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    let last = lines.len() - 1;
    let indent = lines
        .iter()
        .enumerate()
        .filter(|(index, line)| *index == last || !line.trim().is_empty())
        .map(|(_, line)| line.len() - line.trim_start_matches([' ', '\t']).len())
        .min()
        .unwrap_or(0);
    let stripped: Vec<&str> =
        lines.iter().map(|line| line.get(indent..).unwrap_or_default().trim_end_matches([' ', '\t'])).collect();
    stripped.join("\n")
}

/// Undoes escapes (JLS §3.10.7 and unicode escapes); lone surrogates become U+FFFD.
fn unescape(text: &str) -> String {
    if text.contains('\\') { String::from_utf16_lossy(&unescape_utf16(text)) } else { text.to_owned() }
}

fn unescape_utf16(text: &str) -> Vec<u16> {
    let mut units = Vec::with_capacity(text.len());
    let mut buffer = [0; 2];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            units.extend_from_slice(c.encode_utf16(&mut buffer));
            continue;
        }
        match chars.next() {
            Some('n') => units.push(10),
            Some('t') => units.push(9),
            Some('r') => units.push(13),
            Some('b') => units.push(8),
            Some('f') => units.push(12),
            Some('s') => units.push(32),
            Some('\n') => {}
            Some('u') => {
                while chars.next_if_eq(&'u').is_some() {}
                let mut unit = 0_u16;
                for _ in 0..4 {
                    let Some(digit) = chars.next_if(char::is_ascii_hexdigit).and_then(|c| c.to_digit(16)) else {
                        break;
                    };
                    unit = unit << 4 | digit as u16;
                }
                units.push(unit);
            }
            Some(first) if first.is_digit(8) => {
                let mut value = first.to_digit(8).unwrap_or(0) as u16;
                let more = if first <= '3' { 2 } else { 1 };
                for _ in 0..more {
                    let Some(digit) = chars.next_if(|c| c.is_digit(8)).and_then(|c| c.to_digit(8)) else {
                        break;
                    };
                    value = value * 8 + digit as u16;
                }
                units.push(value);
            }
            Some(other) => units.extend_from_slice(other.encode_utf16(&mut buffer)),
            None => {}
        }
    }
    units
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_lose_their_escapes() {
        assert_eq!(string(r#""a\tb\"\u0041\101\0""#), "a\tb\"AA\0");
        assert_eq!(string("\"\"\"\n    a\n      b \\\n    c\n    \"\"\""), "a\n  b c\n");
        assert_eq!(character(r"'\''"), Some(39));
        assert_eq!(character("'😀'"), None);
    }

    #[test]
    fn integers_have_java_ranges() {
        assert_eq!(integer("1_000"), Some((1000, false)));
        assert_eq!(integer("0xFFFFFFFF"), Some((-1, false)));
        assert_eq!(integer("017L"), Some((15, true)));
        assert_eq!(integer("0b101"), Some((5, false)));
        assert_eq!(integer("2147483648"), Some((i64::from(i32::MIN), false)));
        assert_eq!(integer("2147483649"), None);
        assert_eq!(integer("9223372036854775808L"), Some((i64::MIN, true)));
    }

    #[test]
    fn floats_of_both_bases() {
        assert_eq!(floating("1.5f"), Some((1.5, true)));
        assert_eq!(floating("1e3"), Some((1000.0, false)));
        assert_eq!(floating("2d"), Some((2.0, false)));
        assert_eq!(floating("0x1.8p1"), Some((3.0, false)));
    }
}
