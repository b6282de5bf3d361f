//! Pure library functions: exact on scalars, and terms on symbolic operands.

use super::arith;
use super::scalar::{Prim, Scalar};
use crate::ir::body::BinaryOp;

/// A pure function: equal operands always give equal results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "named for the Java method")]
pub enum Function {
    Length,
    IsEmpty,
    IsBlank,
    Equals,
    EqualsIgnoreCase,
    /// A regular expression matches the whole text.
    Matches,
    StartsWith,
    EndsWith,
    Contains,
    IndexOf,
    Trim,
    ToLowerCase,
    ToUpperCase,
    CharAt,
    Substring,
    CompareTo,
    Concat,
    /// Number of elements of a list in the request body.
    Size,
    ParseInt,
    ParseLong,
    ParseBoolean,
    Abs,
    Max,
    Min,
    Sqrt,
    Floor,
    Ceil,
    IsNaN,
    IsInfinite,
    IsDigit,
    IsLetter,
    Name,
}

/// The result of applying a function.
#[derive(Debug, Clone, PartialEq)]
pub enum Applied {
    /// A value.
    Value(Scalar),
    /// An exception of this class, with its message if that is certain.
    Throws(&'static str, Option<String>),
    /// Unknown.
    Unknown,
}

/// `Character.isWhitespace` for ASCII; `None` for other characters.
fn ascii_blank(text: &str) -> Option<bool> {
    if text.is_ascii() {
        Some(text.bytes().all(|b| matches!(b, 9..=13 | 28..=32)))
    } else if text.chars().any(|c| c.is_alphanumeric()) {
        Some(false)
    } else {
        None
    }
}

impl Function {
    /// Applies the function to scalars. A receiver comes first and is not null.
    pub fn apply(self, args: &[Scalar]) -> Applied {
        let done = |value: Scalar| Applied::Value(value);
        let result = match (self, args) {
            (Self::Equals, [a, b]) => equals(a, b).map(|same| done(Scalar::Bool(same))),
            (Self::Concat, [a, b]) => match (a.to_java_string(), b.to_java_string()) {
                (Some(a), Some(b)) => Some(done(Scalar::text(&(a + &b)))),
                _ => None,
            },
            (Self::Name, [Scalar::Enum(_, name)]) => Some(done(Scalar::pooled(name))),
            (Self::IsDigit | Self::IsLetter, [Scalar::Char(unit)]) if *unit < 128 => {
                let c = *unit as u8;
                Some(done(Scalar::Bool(if self == Self::IsDigit {
                    c.is_ascii_digit()
                } else {
                    c.is_ascii_alphabetic()
                })))
            }
            (Self::ParseInt, [Scalar::Null]) => Some(Applied::Throws("java.lang.NumberFormatException", None)),
            (Self::ParseBoolean, [Scalar::Null]) => Some(done(Scalar::Bool(false))),
            (_, [Scalar::Str(text), rest @ ..]) => self.on_text(&text.text, rest),
            _ => self.on_numbers(args),
        };
        result.unwrap_or(Applied::Unknown)
    }

    fn on_text(self, text: &str, rest: &[Scalar]) -> Option<Applied> {
        let units = || text.encode_utf16();
        let null = || Some(Applied::Throws("java.lang.NullPointerException", None));
        let value = match (self, rest) {
            (Self::Length, []) => Scalar::Int(i32::try_from(units().count()).ok()?),
            (Self::IsEmpty, []) => Scalar::Bool(text.is_empty()),
            (Self::IsBlank, []) => Scalar::Bool(ascii_blank(text)?),
            (Self::EqualsIgnoreCase, [Scalar::Null]) => Scalar::Bool(false),
            (Self::EqualsIgnoreCase, [Scalar::Str(other)]) if text.is_ascii() && other.text.is_ascii() => {
                Scalar::Bool(text.eq_ignore_ascii_case(&other.text))
            }
            (Self::StartsWith | Self::EndsWith | Self::Contains | Self::CompareTo | Self::IndexOf, [Scalar::Null]) => {
                return null();
            }
            (Self::Matches, [Scalar::Str(pattern)]) => {
                let chars: Vec<char> = text.chars().collect();
                let regex = crate::interpret::library::text::matching::regex_read::compile(&pattern.text, 0).ok()?;
                Scalar::Bool(regex.at(&chars, 0, true).ok()?.is_some())
            }
            (Self::StartsWith, [Scalar::Str(other)]) => Scalar::Bool(text.starts_with(&*other.text)),
            (Self::EndsWith, [Scalar::Str(other)]) => Scalar::Bool(text.ends_with(&*other.text)),
            (Self::Contains, [Scalar::Str(other)]) => Scalar::Bool(text.contains(&*other.text)),
            (Self::IndexOf, [Scalar::Str(other)]) => Scalar::Int(match text.find(&*other.text) {
                Some(at) => i32::try_from(text.get(..at)?.encode_utf16().count()).ok()?,
                None => -1,
            }),
            (Self::IndexOf, [Scalar::Char(unit)]) => {
                Scalar::Int(units().position(|u| u == *unit).map_or(Some(-1), |at| i32::try_from(at).ok())?)
            }
            // `trim` removes all characters up to U+0020.
            (Self::Trim, []) => Scalar::text(text.trim_matches(|c: char| c <= ' ')),
            (Self::ToLowerCase, []) if text.is_ascii() => Scalar::text(&text.to_ascii_lowercase()),
            (Self::ToUpperCase, []) if text.is_ascii() => Scalar::text(&text.to_ascii_uppercase()),
            (Self::CharAt, [index]) => match usize::try_from(index.as_int()?).ok().and_then(|at| units().nth(at)) {
                Some(unit) => Scalar::Char(unit),
                None => return Some(Applied::Throws("java.lang.StringIndexOutOfBoundsException", None)),
            },
            (Self::Substring, [from, to @ ..]) => return substring(text, from.as_int()?, to.first()),
            (Self::CompareTo, [Scalar::Str(other)]) => Scalar::Int(compare(text, &other.text)?),
            (Self::ParseInt, []) => match parse_integer(text).and_then(|x| i32::try_from(x).ok()) {
                Some(x) => Scalar::Int(x),
                None if text.is_ascii() => return Some(not_a_number(text)),
                None => return None,
            },
            (Self::ParseLong, []) => match parse_integer(text).and_then(|x| i64::try_from(x).ok()) {
                Some(x) => Scalar::Long(x),
                None if text.is_ascii() => return Some(not_a_number(text)),
                None => return None,
            },
            (Self::ParseBoolean, []) => Scalar::Bool(text.eq_ignore_ascii_case("true")),
            _ => return None,
        };
        Some(Applied::Value(value))
    }

    fn on_numbers(self, args: &[Scalar]) -> Option<Applied> {
        let value = match (self, args) {
            (Self::Abs, [x]) => match arith::convert(x, arith::promoted(x.prim()?, Prim::Int)?)? {
                Scalar::Int(x) => Scalar::Int(x.wrapping_abs()),
                Scalar::Long(x) => Scalar::Long(x.wrapping_abs()),
                Scalar::Float(x) => Scalar::Float(x.abs()),
                Scalar::Double(x) => Scalar::Double(x.abs()),
                _ => return None,
            },
            (Self::Max | Self::Min, [a, b]) => {
                let prim = arith::promoted(a.prim()?, b.prim()?)?;
                let (a, b) = (arith::convert(a, prim)?, arith::convert(b, prim)?);
                extreme(self == Self::Max, a, b)?
            }
            // IEEE 754 requires correctly rounded results here; the other functions of `Math` allow deviations.
            (Self::Sqrt, [x]) => Scalar::Double(x.as_double()?.sqrt()),
            (Self::Floor, [x]) => Scalar::Double(x.as_double()?.floor()),
            (Self::Ceil, [x]) => Scalar::Double(x.as_double()?.ceil()),
            (Self::IsNaN, [x]) => Scalar::Bool(x.as_double()?.is_nan()),
            (Self::IsInfinite, [x]) => Scalar::Bool(x.as_double()?.is_infinite()),
            _ => return None,
        };
        Some(Applied::Value(value))
    }

    /// A readable form of the function applied to its operands.
    pub fn describe(self, args: &[String]) -> String {
        let arg = |i: usize| args.get(i).map_or("?", String::as_str);
        match self {
            Self::Length => format!("length of {}", arg(0)),
            Self::Size => format!("number of {}", arg(0)),
            Self::IsEmpty => format!("{} is empty", arg(0)),
            Self::IsBlank => format!("{} is blank", arg(0)),
            Self::Equals => format!("{} equals {}", arg(0), arg(1)),
            Self::EqualsIgnoreCase => format!("{} equals {} in any letter case", arg(0), arg(1)),
            Self::Matches => format!("{} matches {}", arg(0), arg(1)),
            Self::StartsWith => format!("{} starts with {}", arg(0), arg(1)),
            Self::EndsWith => format!("{} ends with {}", arg(0), arg(1)),
            Self::Contains => format!("{} contains {}", arg(0), arg(1)),
            // An empty text in front only makes a text of the value.
            Self::Concat if arg(0) == "\"\"" => arg(1).to_owned(),
            Self::Concat => format!("{} + {}", arg(0), arg(1)),
            Self::CharAt => format!("character {} of {}", arg(1), arg(0)),
            Self::Name => arg(0).to_owned(),
            Self::IsNaN => format!("{} is not a number", arg(0)),
            other => {
                let name = format!("{other:?}");
                format!("{}{}({})", name[..1].to_lowercase(), &name[1..], args.join(", "))
            }
        }
    }

    /// A readable form of the negated function, if there is a better one than `not …`.
    pub fn describe_negated(self, args: &[String]) -> Option<String> {
        let arg = |i: usize| args.get(i).map_or("?", String::as_str);
        Some(match self {
            Self::IsEmpty => format!("{} is not empty", arg(0)),
            Self::IsBlank => format!("{} is not blank", arg(0)),
            Self::Equals => format!("{} is not {}", arg(0), arg(1)),
            Self::Matches => format!("{} does not match {}", arg(0), arg(1)),
            Self::StartsWith => format!("{} does not start with {}", arg(0), arg(1)),
            Self::EndsWith => format!("{} does not end with {}", arg(0), arg(1)),
            Self::Contains => format!("{} does not contain {}", arg(0), arg(1)),
            _ => return None,
        })
    }
}

/// `a.equals(b)` on scalars: boxed numbers of different types are never equal.
pub fn equals(a: &Scalar, b: &Scalar) -> Option<bool> {
    Some(match (a, b) {
        // `Double.equals` compares bits, with all NaNs made equal.
        (Scalar::Double(x), Scalar::Double(y)) => (x.is_nan() && y.is_nan()) || x.to_bits() == y.to_bits(),
        (Scalar::Float(x), Scalar::Float(y)) => (x.is_nan() && y.is_nan()) || x.to_bits() == y.to_bits(),
        _ => a == b,
    })
}

fn extreme(max: bool, a: Scalar, b: Scalar) -> Option<Scalar> {
    Some(match (&a, &b) {
        (Scalar::Double(x), Scalar::Double(y)) => {
            if x.is_nan() || y.is_nan() {
                Scalar::Double(f64::NAN)
            } else if *x == 0.0 && *y == 0.0 {
                // Zeros have signs: the maximum is +0 unless both are -0.
                Scalar::Double(if x.is_sign_negative() == max { *y } else { *x })
            } else {
                Scalar::Double(if (x > y) == max { *x } else { *y })
            }
        }
        (Scalar::Float(_), _) => return None,
        _ => {
            if (a.as_long()? >= b.as_long()?) == max {
                a
            } else {
                b
            }
        }
    })
}

fn substring(text: &str, from: i32, to: Option<&Scalar>) -> Option<Applied> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let to = match to {
        Some(to) => to.as_int()?,
        None => i32::try_from(units.len()).ok()?,
    };
    let cut = usize::try_from(from).ok().zip(usize::try_from(to).ok()).and_then(|(from, to)| units.get(from..to));
    Some(match cut {
        Some(cut) => Applied::Value(Scalar::text(&String::from_utf16(cut).ok()?)),
        None => Applied::Throws("java.lang.StringIndexOutOfBoundsException", None),
    })
}

/// `String.compareTo`: the difference of the first units that differ, else of the lengths.
fn compare(a: &str, b: &str) -> Option<i32> {
    let (a, b): (Vec<u16>, Vec<u16>) = (a.encode_utf16().collect(), b.encode_utf16().collect());
    for (x, y) in a.iter().zip(&b) {
        if x != y {
            return Some(i32::from(*x) - i32::from(*y));
        }
    }
    Some(i32::try_from(a.len()).ok()? - i32::try_from(b.len()).ok()?)
}

fn not_a_number(text: &str) -> Applied {
    Applied::Throws("java.lang.NumberFormatException", Some(format!("For input string: \"{text}\"")))
}

/// Parses as `Integer.parseInt` and `Long.parseLong` do: a sign and ASCII digits (other digits are left unknown).
fn parse_integer(text: &str) -> Option<i128> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) || digits.len() > 30 {
        return None;
    }
    text.parse().ok()
}

/// Compares two scalars.
pub fn compare_scalars(op: BinaryOp, a: &Scalar, b: &Scalar) -> Option<bool> {
    match arith::binary(op, a, b) {
        arith::Outcome::Value(Scalar::Bool(result)) => Some(result),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_count_utf16_units() {
        let apply = |f: Function, args: &[Scalar]| f.apply(args);
        assert_eq!(apply(Function::Length, &[Scalar::text("a😀")]), Applied::Value(Scalar::Int(3)));
        assert_eq!(apply(Function::CharAt, &[Scalar::text("ab"), Scalar::Int(1)]), Applied::Value(Scalar::Char(98)));
        assert!(matches!(
            apply(Function::CharAt, &[Scalar::text("ab"), Scalar::Int(2)]),
            Applied::Throws("java.lang.StringIndexOutOfBoundsException", _)
        ));
        assert_eq!(apply(Function::Substring, &[Scalar::text("a😀"), Scalar::Int(2)]), Applied::Unknown);
        assert_eq!(apply(Function::CompareTo, &[Scalar::text("b"), Scalar::text("a")]), Applied::Value(Scalar::Int(1)));
        assert!(matches!(apply(Function::ParseInt, &[Scalar::text("2147483648")]), Applied::Throws(..)));
        assert_eq!(apply(Function::ParseInt, &[Scalar::text("+12")]), Applied::Value(Scalar::Int(12)));
        assert_eq!(
            apply(Function::Max, &[Scalar::Double(-0.0), Scalar::Double(0.0)]),
            Applied::Value(Scalar::Double(0.0))
        );
        assert_eq!(apply(Function::Equals, &[Scalar::Int(1), Scalar::Long(1)]), Applied::Value(Scalar::Bool(false)));
    }
}
