//! Formats numbers as `String.format` does.

use num_bigint::BigInt;
use num_traits::Signed;

use super::format_specs::Spec;
use crate::interpret::library::numeric::decimal::{Decimal, Precision, Rounding};
use crate::interpret::values::decimal_text;

/// A text padded to the width of a specifier.
pub fn padded(spec: &Spec, text: String) -> String {
    let count = text.encode_utf16().count();
    let missing = spec.width.unwrap_or_default().saturating_sub(count);
    if spec.has('-') { text + &" ".repeat(missing) } else { " ".repeat(missing) + &text }
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

/// Adds sign, zeros and padding to the digits of a number; `zeros` says whether zero padding is allowed.
fn signed(spec: &Spec, negative: bool, prefix: &str, digits: &str, zeros: bool) -> String {
    let before = match negative {
        true if spec.has('(') => "(",
        true => "-",
        false if spec.has('+') => "+",
        false if spec.has(' ') => " ",
        false => "",
    };
    let after = if negative && spec.has('(') { ")" } else { "" };
    let length = before.len() + prefix.len() + digits.len() + after.len();
    let fill = if zeros && spec.has('0') { spec.width.unwrap_or_default().saturating_sub(length) } else { 0 };
    let shown = format!("{before}{prefix}{}{digits}{after}", "0".repeat(fill));
    padded(spec, if spec.upper { shown.to_ascii_uppercase() } else { shown })
}

/// Formats `%d`.
pub fn whole(spec: &Spec, value: &BigInt) -> String {
    let digits = value.abs().to_string();
    let digits = if spec.has(',') { grouped(&digits) } else { digits };
    signed(spec, value.is_negative(), "", &digits, true)
}

/// Formats `%x` and `%o` of a `BigInteger`, which are signed.
pub fn big_radix(spec: &Spec, value: &BigInt) -> String {
    let (radix, prefix) = if spec.kind == 'x' { (16, "0x") } else { (8, "0") };
    let prefix = if spec.has('#') { prefix } else { "" };
    signed(spec, value.is_negative(), prefix, &value.abs().to_str_radix(radix), true)
}

/// Formats `%x` and `%o` of a primitive, from its bits.
pub fn radix(spec: &Spec, bits: u64) -> String {
    let (digits, prefix) = if spec.kind == 'x' { (format!("{bits:x}"), "0x") } else { (format!("{bits:o}"), "0") };
    signed(spec, false, if spec.has('#') { prefix } else { "" }, &digits, true)
}

/// Digits before and after the decimal point, with grouping and decimal point as the flags require.
fn plain(spec: &Spec, whole: &str, fraction: &str) -> String {
    let whole = if spec.has(',') { grouped(whole) } else { whole.to_owned() };
    if fraction.is_empty() && !spec.has('#') { whole } else { format!("{whole}.{fraction}") }
}

/// A decimal number rounded half up to `places` digits after the decimal point.
fn fixed(spec: &Spec, number: &Decimal, places: usize) -> Option<String> {
    let scaled = number.with_scale(i32::try_from(places).ok()?, Rounding::HalfUp).ok()?;
    let digits = scaled.to_plain()?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
    Some(plain(spec, whole, fraction))
}

/// Scientific notation `d.ddde+xx`.
fn scientific(spec: &Spec, number: &Decimal, places: usize, big: bool) -> Option<String> {
    let to = Precision { digits: u32::try_from(places + 1).ok()?, rounding: Rounding::HalfUp };
    let rounded = number.rounded(to).ok()?;
    let digits = rounded.unscaled.to_string();
    let exponent = digits.len() as i64 - 1 - i64::from(rounded.scale);
    let (first, rest) = digits.split_at(1);
    let mantissa = plain(spec, first, &format!("{rest:0<places$}"));
    let sign = if exponent < 0 { '-' } else { '+' };
    // A whole `BigDecimal` of ten digits gets an exponent of one digit.
    let width = if big && rounded.scale == 0 && digits.len() == 10 { 1 } else { 2 };
    Some(format!("{mantissa}e{sign}{:0width$}", exponent.unsigned_abs()))
}

/// Formats `%f`, `%e` and `%g` of a number that is not negative; `big` if it is a `BigDecimal`.
fn digits_of(spec: &Spec, number: &Decimal, big: bool) -> Option<String> {
    let places = spec.precision.unwrap_or(6);
    if places > 10_000 {
        return None;
    }
    match spec.kind {
        'f' => fixed(spec, number, places),
        'e' => scientific(spec, number, places, big),
        _ => {
            let places = places.max(1);
            let to = Precision { digits: u32::try_from(places).ok()?, rounding: Rounding::HalfUp };
            let rounded = number.rounded(to).ok()?;
            if rounded.signum() == 0 && rounded.scale == 0 {
                return fixed(spec, &rounded, places - 1);
            }
            let exponent = rounded.precision() - 1 - i64::from(rounded.scale);
            if rounded.signum() == 0 || exponent < -4 || exponent >= places as i64 {
                return scientific(spec, &rounded, places - 1, big);
            }
            fixed(spec, &rounded, usize::try_from(places as i64 - 1 - exponent).ok()?)
        }
    }
}

/// Formats a `BigDecimal`.
pub fn decimal(spec: &Spec, number: &Decimal) -> Option<String> {
    let positive = Decimal { unscaled: number.unscaled.abs(), scale: number.scale };
    Some(signed(spec, number.signum() < 0, "", &digits_of(spec, &positive, true)?, true))
}

/// Formats a `double`; `None` if its digits differ between releases.
pub fn floating(spec: &Spec, x: f64) -> Option<String> {
    if x.is_nan() {
        return Some(padded(spec, if spec.upper { "NAN" } else { "NaN" }.to_owned()));
    }
    let negative = x.is_sign_negative();
    if x.is_infinite() {
        return Some(signed(spec, negative, "", "Infinity", false));
    }
    let number = if x == 0.0 {
        Decimal::new(0, 0)
    } else {
        let (digits, point) = decimal_text::digits(x)?;
        let text: String = digits.iter().map(|digit| char::from(b'0' + digit)).collect();
        let scale = i32::try_from(text.len()).ok()? - point;
        Decimal { unscaled: text.parse().ok()?, scale }
    };
    Some(signed(spec, negative, "", &digits_of(spec, &number, false)?, true))
}
