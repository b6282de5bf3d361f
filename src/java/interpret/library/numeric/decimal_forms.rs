//! Text forms of decimal numbers: `BigDecimal.toString` and related methods, and the text that its constructor
//! parses.

use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use super::decimal::Decimal;

/// The notation of the exponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Scientific: one digit before the decimal point.
    Scientific,
    /// Engineering: the exponent is a multiple of three.
    Engineering,
}

impl Decimal {
    /// Models `toString` and `toEngineeringString`.
    pub fn to_text(&self, form: Form) -> String {
        let digits = self.unscaled.abs().to_string();
        let sign = if self.unscaled.is_negative() { "-" } else { "" };
        if self.scale == 0 {
            return format!("{sign}{digits}");
        }
        let length = digits.len() as i64;
        let scale = i64::from(self.scale);
        let mut exponent = length - 1 - scale;
        if scale >= 0 && exponent >= -6 {
            return format!("{sign}{}", pointed(&digits, scale));
        }
        let mut out = sign.to_owned();
        if form == Form::Scientific {
            out.push_str(&digits[..1]);
            if digits.len() > 1 {
                out.push('.');
                out.push_str(&digits[1..]);
            }
        } else {
            let mut before = exponent.rem_euclid(3);
            exponent -= before;
            before += 1;
            if self.unscaled.is_zero() {
                match before {
                    2 => {
                        out.push_str("0.00");
                        exponent += 3;
                    }
                    3 => {
                        out.push_str("0.0");
                        exponent += 3;
                    }
                    _ => out.push('0'),
                }
            } else if before >= length {
                out.push_str(&digits);
                out.push_str(&"0".repeat((before - length) as usize));
            } else {
                let (whole, rest) = digits.split_at(before as usize);
                out.push_str(whole);
                out.push('.');
                out.push_str(rest);
            }
        }
        if exponent != 0 {
            out.push_str(&format!("E{exponent:+}"));
        }
        out
    }

    /// Models `toPlainString`; `None` if the text would be very long.
    pub fn to_plain(&self) -> Option<String> {
        let digits = self.unscaled.abs().to_string();
        let sign = if self.unscaled.is_negative() { "-" } else { "" };
        if self.scale.unsigned_abs() > 100_000 {
            return None;
        }
        Some(if self.scale >= 0 {
            format!("{sign}{}", pointed(&digits, self.scale.into()))
        } else if self.unscaled.is_zero() {
            "0".to_owned()
        } else {
            format!("{sign}{digits}{}", "0".repeat(self.scale.unsigned_abs() as usize))
        })
    }

    /// Models `new BigDecimal(text)`; `None` if the constructor throws.
    pub fn read(text: &str) -> Option<Self> {
        let (negative, rest) = match text.as_bytes().first()? {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        let (number, exponent) = match rest.find(['e', 'E']) {
            Some(at) => (&rest[..at], Some(&rest[at + 1..])),
            None => (rest, None),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let all = format!("{whole}{fraction}");
        if all.is_empty() || !all.bytes().all(|c| c.is_ascii_digit()) {
            return None;
        }
        let exponent = match exponent {
            None => 0,
            Some(text) => {
                let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
                if digits.is_empty() || !digits.bytes().all(|c| c.is_ascii_digit()) {
                    return None;
                }
                let significant = digits.trim_start_matches('0');
                if significant.len() > 10 {
                    return None;
                }
                let value = significant.parse::<i64>().unwrap_or(0);
                if text.starts_with('-') { -value } else { value }
            }
        };
        let scale = i32::try_from(fraction.len() as i64 - exponent).ok()?;
        let value: BigInt = all.parse().ok()?;
        Some(Self { unscaled: if negative { -value } else { value }, scale })
    }
}

/// Digits with a decimal point before the last `scale` of them.
fn pointed(digits: &str, scale: i64) -> String {
    if scale == 0 {
        return digits.to_owned();
    }
    let scale = scale as usize;
    if digits.len() > scale {
        let (whole, rest) = digits.split_at(digits.len() - scale);
        return format!("{whole}.{rest}");
    }
    format!("0.{}{digits}", "0".repeat(scale - digits.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_as_the_jdk_documents() {
        for (text, plain, engineering) in [
            ("1E+3", "1000", "1E+3"),
            ("12.50", "12.50", "12.50"),
            ("0.00", "0.00", "0.00"),
            ("1.2E-10", "0.00000000012", "120E-12"),
            ("-1.23E+5", "-123000", "-123E+3"),
            ("0E+2", "0", "0.0E+3"),
        ] {
            let number = Decimal::read(text).unwrap();
            assert_eq!(number.to_text(Form::Scientific), text);
            assert_eq!(number.to_plain().as_deref(), Some(plain));
            assert_eq!(number.to_text(Form::Engineering), engineering, "{text}");
        }
        for text in ["", "abc", "1.2.3", " 1", "1e", ".", "+-1"] {
            assert_eq!(Decimal::read(text), None, "{text}");
        }
    }
}
