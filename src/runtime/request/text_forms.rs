//! Conversion of parameter texts: numbers, booleans and enum constants in every framework, and library types that
//! Spring parses: UUIDs, big numbers, moments, and dates with a `@DateTimeFormat`. The rule `text-forms`.

use std::rc::Rc;

use mastor_frameworks::Framework;
use mastor_java::interpret::values::scalar::{ClassRef, Prim, Scalar};
use mastor_java::interpret::values::value::Type;
use mastor_java::ir::facts::{Annotation, Value as Arg};

/// How the text of a library type is parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextForm {
    /// `UUID.fromString`, with 36 characters.
    Identifier,
    /// `new BigDecimal`, with digits and an optional decimal point.
    Decimal,
    /// `new BigInteger`, with digits.
    Whole,
    /// `Instant.parse`: `2024-01-15T10:30:15Z`.
    Instant,
    /// `LocalDate.parse`: `2024-01-15`.
    Date,
    /// `LocalDateTime.parse`: `2024-01-15T10:30:15`.
    DateTime,
    /// `LocalTime.parse`: `10:30:15`.
    Time,
}

/// How a text fits a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    /// The canonical form of a value.
    Plain,
    /// Not a value, even for a lenient parser.
    No,
    /// Unknown.
    Open,
}

impl TextForm {
    /// The form of a parameter; `None` if the framework's conversion is not modelled.
    pub fn of(framework: Framework, ty: &Type, annotations: &[Annotation]) -> Option<Self> {
        if !framework.binding.converts_texts {
            return None;
        }
        let fqn = ty.library()?;
        let said = annotations.iter().find(|annotation| annotation.simple() == "DateTimeFormat");
        let is_iso = framework.binding.iso_dates && annotations.iter().all(|one| one.simple() != "DateFormat");
        Some(match (fqn, said) {
            ("java.time.LocalDate", None) if is_iso => Self::Date,
            ("java.time.LocalDateTime", None) if is_iso => Self::DateTime,
            ("java.time.LocalTime", None) if is_iso => Self::Time,
            ("java.util.UUID", _) => Self::Identifier,
            ("java.math.BigDecimal", None) if annotations.iter().all(|one| one.simple() != "NumberFormat") => {
                Self::Decimal
            }
            ("java.math.BigInteger", None) if annotations.iter().all(|one| one.simple() != "NumberFormat") => {
                Self::Whole
            }
            ("java.time.Instant", None) => Self::Instant,
            ("java.time.LocalDate", Some(said)) if says(said, "DATE", "yyyy-MM-dd") => Self::Date,
            ("java.time.LocalDateTime", Some(said)) if says(said, "DATE_TIME", "yyyy-MM-dd'T'HH:mm:ss") => {
                Self::DateTime
            }
            ("java.time.LocalTime", Some(said)) if says(said, "TIME", "HH:mm:ss") => Self::Time,
            _ => return None,
        })
    }

    /// The name of the class's method that parses the text.
    pub fn maker(self) -> &'static str {
        match self {
            Self::Identifier => "fromString",
            Self::Decimal | Self::Whole => "<init>",
            Self::Instant | Self::Date | Self::DateTime | Self::Time => "parse",
        }
    }

    /// How a text fits the form.
    pub fn fit(self, text: &str) -> Fit {
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            return Fit::No;
        }
        let layout = match self {
            Self::Identifier => "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx",
            Self::Instant => "0000-00-00T00:00:00Z",
            Self::Date => "0000-00-00",
            Self::DateTime => "0000-00-00T00:00:00",
            Self::Time => "00:00:00",
            Self::Decimal | Self::Whole => {
                let number = text.strip_prefix('-').unwrap_or(text);
                let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
                let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
                let fits = digits(whole) && digits(fraction) && (self == Self::Decimal || !number.contains('.'));
                return if fits && number.len() < 30 { Fit::Plain } else { Fit::Open };
            }
        };
        let fits = |(is, wanted): (u8, u8)| match wanted {
            b'x' => is.is_ascii_digit() || (b'a'..=b'f').contains(&is),
            b'0' => is.is_ascii_digit(),
            other => is == other,
        };
        let is_plain = text.len() == layout.len() && text.bytes().zip(layout.bytes()).all(fits);
        if is_plain { Fit::Plain } else { Fit::Open }
    }
}

/// Whether an annotation selects only this ISO form, or the pattern equal to it.
fn says(annotation: &Annotation, iso: &str, pattern: &str) -> bool {
    if annotation.arg("style").is_some() || annotation.arg("fallbackPatterns").is_some() {
        return false;
    }
    match (annotation.arg("iso"), annotation.arg("pattern")) {
        (Some(Arg::Name(name)), None) => name.rsplit('.').next() == Some(iso),
        (None, Some(Arg::Str(text))) => text == pattern,
        _ => false,
    }
}

/// The result of converting a text.
#[derive(Debug, Clone, PartialEq)]
pub enum Converted {
    /// A value.
    Value(Scalar),
    /// The library class parses the text, and may still refuse it.
    Made,
    /// Refused.
    Refused,
    /// Unknown.
    Unknown,
}

/// Converts the text of a parameter, if the result is the same in every version of the framework.
pub fn convert(text: &str, ty: &Type, constants: impl Fn() -> Option<Vec<Rc<str>>>) -> Converted {
    let plain = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphabetic());
    match ty {
        Type::Str => Converted::Value(Scalar::text(text)),
        Type::Prim(prim) | Type::Boxed(prim) => match prim {
            Prim::Byte | Prim::Short | Prim::Int | Prim::Long => {
                let digits = text.strip_prefix('-').unwrap_or(text);
                // Leading zeros may mean octal if the framework uses `decode`.
                let canonical = !digits.is_empty()
                    && digits.bytes().all(|b| b.is_ascii_digit())
                    && (digits.len() == 1 || !digits.starts_with('0'))
                    && text != "-0";
                if plain(text) {
                    return Converted::Refused;
                }
                if !canonical {
                    return Converted::Unknown;
                }
                let Ok(value) = text.parse::<i64>() else { return Converted::Refused };
                let narrowed = match prim {
                    Prim::Byte => i8::try_from(value).ok().map(Scalar::Byte),
                    Prim::Short => i16::try_from(value).ok().map(Scalar::Short),
                    Prim::Int => i32::try_from(value).ok().map(Scalar::Int),
                    _ => Some(Scalar::Long(value)),
                };
                narrowed.map_or(Converted::Refused, Converted::Value)
            }
            Prim::Double | Prim::Float => {
                let numeric = text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'.' | b'e' | b'E'))
                    && text.bytes().any(|b| b.is_ascii_digit());
                if plain(text) && !matches!(text, "NaN" | "Infinity") && !text.ends_with(['d', 'f', 'D', 'F']) {
                    return Converted::Refused;
                }
                match (numeric, prim) {
                    (true, Prim::Double) => {
                        text.parse().map_or(Converted::Unknown, |x| Converted::Value(Scalar::Double(x)))
                    }
                    (true, _) => text.parse().map_or(Converted::Unknown, |x| Converted::Value(Scalar::Float(x))),
                    _ => Converted::Unknown,
                }
            }
            Prim::Bool => match text {
                "true" => Converted::Value(Scalar::Bool(true)),
                "false" => Converted::Value(Scalar::Bool(false)),
                _ => Converted::Unknown,
            },
            Prim::Char => Converted::Unknown,
        },
        Type::Class(ClassRef::Project(ty), _) => match constants() {
            Some(constants) => {
                if let Some(name) = constants.iter().find(|name| ***name == *text) {
                    return Converted::Value(Scalar::Enum(ClassRef::Project(*ty), name.clone()));
                }
                // A converter may ignore letter case.
                if plain(text) && !constants.iter().any(|name| name.eq_ignore_ascii_case(text)) {
                    return Converted::Refused;
                }
                Converted::Unknown
            }
            None => Converted::Unknown,
        },
        _ => Converted::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_way_of_writing_is_certain() {
        let id = "3f2504e0-4f89-41d3-9a0c-0305e82c3300";
        let fits = [
            (TextForm::Identifier, id, Fit::Plain),
            (TextForm::Identifier, "1-1-1-1-1", Fit::Open),
            (TextForm::Identifier, "abc", Fit::No),
            (TextForm::Decimal, "-1.50", Fit::Plain),
            (TextForm::Decimal, "1e5", Fit::Open),
            (TextForm::Whole, "15", Fit::Plain),
            (TextForm::Whole, "1.5", Fit::Open),
            (TextForm::Date, "2024-01-15", Fit::Plain),
            (TextForm::Date, "15.01.2024", Fit::Open),
            (TextForm::DateTime, "2024-01-15T10:30:15", Fit::Plain),
            (TextForm::Time, "10:30:15", Fit::Plain),
            (TextForm::Instant, "2024-01-15T10:30:15Z", Fit::Plain),
            (TextForm::Instant, "now", Fit::No),
        ];
        for (form, text, expected) in fits {
            assert_eq!(form.fit(text), expected, "{form:?} {text}");
        }
    }
}
