//! The text of floating-point numbers as `Double.toString` writes it.
//!
//! Since Java 19 it is the shortest decimal that reads back as the number (the nearest of them, with at least two
//! digits). Earlier releases sometimes wrote longer or less close decimals. Only texts on which all releases agree
//! are returned.

/// The result of `Double.toString` in every release; `None` if releases differ, or may differ.
pub fn double_text(x: f64) -> Option<String> {
    if let Some(text) = special(x.is_nan(), x.is_infinite(), x == 0.0, x.is_sign_negative()) {
        return Some(text);
    }
    let (digits, exponent) = shortest(&format!("{x:e}"))?;
    let certain = digits.len() <= 15 && (1e-6..1e16).contains(&x.abs());
    certain.then(|| layout(x < 0.0, &digits, exponent))
}

/// The result of `Float.toString` in every release; `None` if releases differ, or may differ.
pub fn float_text(x: f32) -> Option<String> {
    if let Some(text) = special(x.is_nan(), x.is_infinite(), x == 0.0, x.is_sign_negative()) {
        return Some(text);
    }
    let (digits, exponent) = shortest(&format!("{x:e}"))?;
    let certain = digits.len() <= 6 && (1e-4..1e7).contains(&x.abs());
    certain.then(|| layout(x < 0.0, &digits, exponent))
}

fn special(nan: bool, infinite: bool, zero: bool, negative: bool) -> Option<String> {
    Some(
        match (nan, infinite, zero, negative) {
            (true, ..) => "NaN",
            (_, true, _, false) => "Infinity",
            (_, true, _, true) => "-Infinity",
            (_, _, true, false) => "0.0",
            (_, _, true, true) => "-0.0",
            _ => return None,
        }
        .to_owned(),
    )
}

/// Splits `-1.5e-7` into digits and decimal exponent: `15` and `-7`.
fn shortest(text: &str) -> Option<(String, i32)> {
    let (mantissa, exponent) = text.split_once('e')?;
    let digits = mantissa.chars().filter(char::is_ascii_digit).collect();
    Some((digits, exponent.parse().ok()?))
}

/// The notation of `Double.toString`: plain from 10⁻³ up to 10⁷, else with an exponent.
fn layout(negative: bool, digits: &str, exponent: i32) -> String {
    let sign = if negative { "-" } else { "" };
    if !(-3..7).contains(&exponent) {
        let (first, rest) = digits.split_at(1);
        let rest = if rest.is_empty() { "0" } else { rest };
        return format!("{sign}{first}.{rest}E{exponent}");
    }
    if exponent < 0 {
        let zeros = "0".repeat(usize::try_from(-exponent - 1).unwrap_or_default());
        return format!("{sign}0.{zeros}{digits}");
    }
    let whole = usize::try_from(exponent + 1).unwrap_or_default();
    if digits.len() <= whole {
        return format!("{sign}{digits}{}.0", "0".repeat(whole - digits.len()));
    }
    format!("{sign}{}.{}", &digits[..whole], &digits[whole..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_java_writes_them() {
        let all = [
            (1.0, "1.0"),
            (-0.5, "-0.5"),
            (100.0, "100.0"),
            (1234567.0, "1234567.0"),
            (1e7, "1.0E7"),
            (12345678.9, "1.23456789E7"),
            (0.001, "0.001"),
            (0.0001, "1.0E-4"),
            (0.1 + 0.2, ""),
            (f64::NAN, "NaN"),
            (-0.0, "-0.0"),
        ];
        for (x, text) in all {
            assert_eq!(double_text(x).unwrap_or_default(), text);
        }
        assert_eq!(double_text(2e23), None);
        assert_eq!(float_text(0.1), Some("0.1".to_owned()));
        assert_eq!(float_text(3.3333333), None);
    }
}
