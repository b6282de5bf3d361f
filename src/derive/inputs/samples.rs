//! Plain values of types, and strings that match patterns.

use mastor_java::interpret::library::text::matching::regex_samples::sample_of_length;
use mastor_java::interpret::values::scalar::{ClassRef, Prim};
use mastor_java::interpret::values::value::Type;
use mastor_java::ir::facts::Annotation;
use mastor_runtime::request::signature::element;
use serde_json::{Value as Json, json};

/// A number as JSON, an integer if it has no fraction.
pub fn number(value: f64) -> Json {
    if value.fract() == 0.0 && value.abs() < 1e15 { json!(value as i64) } else { json!(value) }
}

/// A string with this length.
pub fn filler(length: usize) -> String {
    "abcdefghijklmnopqrstuvwxyz".chars().cycle().take(length).collect()
}

/// The position of a value among values of the same type. Each position gets a different sample, so that
/// `a - b` and `b - a` differ. All identifiers get the first sample, because related records are likely to have that
/// id. Repeated inputs such as `confirmPassword` get it as well, because they must equal the input that they repeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SamplePosition(usize);

impl SamplePosition {
    /// The position of a value with this name and type, given the names and types of the values before it.
    pub fn of<'n>(name: &str, ty: &Type, before: impl Iterator<Item = (&'n str, &'n Type)>) -> Self {
        if is_alike(name) {
            return Self::default();
        }
        let kind = |ty: &Type| match ty {
            Type::Prim(prim) | Type::Boxed(prim) => Some(prim.is_integral()),
            _ => None,
        };
        let same = |other: &Type| other == ty || kind(ty).is_some() && kind(other) == kind(ty);
        Self(before.filter(|(name, other)| !is_alike(name) && same(other)).count())
    }

    /// An integer, starting at 1.
    fn whole(self) -> i64 {
        i64::try_from(self.0).unwrap_or(0) + 1
    }

    /// A fraction that is exact in binary, starting at 1.5.
    fn fraction(self) -> f64 {
        f64::from(u32::try_from(self.0).unwrap_or(0)) + 1.5
    }

    /// A string with the position as its number.
    fn text(self, name: &str) -> String {
        let number = if self.0 == 0 { String::new() } else { (self.0 + 1).to_string() };
        match name.to_lowercase().contains("mail") {
            true => format!("ada{number}@example.com"),
            false => format!("sample{number}"),
        }
    }
}

/// Whether values with this name should be equal: identifiers, repeated inputs, page numbers.
fn is_alike(name: &str) -> bool {
    let lower = name.to_lowercase();
    let names_id = lower == "id" || name.ends_with("Id") || name.ends_with("ID") || lower.ends_with("_id");
    names_id || ["confirm", "repeat", "retype", "again", "page", "size"].iter().any(|word| lower.contains(word))
}

/// A date in each of three years: one recent, one long past, one in the far future.
fn years(text: impl Fn(u16) -> String) -> Vec<Json> {
    [2024, 1900, 2999].map(|year| json!(text(year))).to_vec()
}

/// Plain values of Java library types: decimals, identifiers, dates and times.
fn of_library(fqn: &str, nth: SamplePosition) -> Vec<Json> {
    // A day in each month: later positions give later dates.
    let month = nth.0 % 12 + 1;
    match fqn {
        "java.math.BigDecimal" => vec![json!(nth.fraction())],
        "java.math.BigInteger" => vec![json!(nth.whole())],
        "java.util.UUID" => vec![json!(format!("3f2504e0-4f89-41d3-9a0c-0305e82c33{:02x}", nth.0 % 256))],
        "java.time.LocalDate" => years(|year| format!("{year}-{month:02}-15")),
        "java.time.LocalDateTime" => years(|year| format!("{year}-{month:02}-15T10:30:15")),
        "java.time.LocalTime" => vec![json!(format!("{:02}:30:15", 9 + nth.0 % 12))],
        "java.time.Instant" | "java.util.Date" => years(|year| format!("{year}-{month:02}-15T10:30:15Z")),
        _ => Vec::new(),
    }
}

/// Plain values of a type, the most usual first.
pub fn plain(ty: &Type, constants: Option<&[std::rc::Rc<str>]>, name: &str, nth: SamplePosition) -> Vec<Json> {
    if let Some(constants) = constants {
        return constants.iter().map(|name| json!(&**name)).collect();
    }
    match ty {
        Type::Prim(Prim::Bool) | Type::Boxed(Prim::Bool) => vec![json!(true), json!(false)],
        Type::Prim(Prim::Double | Prim::Float) | Type::Boxed(Prim::Double | Prim::Float) => {
            first(json!(nth.fraction()), [json!(1.5), json!(0), json!(-1.5), json!(3)])
        }
        Type::Prim(_) | Type::Boxed(_) => first(json!(nth.whole()), [1, 0, -1, 2, 3, 4, 7].map(|n| json!(n))),
        Type::Str => vec![json!(nth.text(name)), json!("a")],
        Type::Class(ClassRef::Library(_), _) if element(ty).is_some() => vec![json!([])],
        Type::Class(ClassRef::Library(fqn), _) => of_library(fqn, nth),
        _ => Vec::new(),
    }
}

/// A plain string for a parameter or field with this name.
pub fn sample_text(name: &str) -> String {
    SamplePosition::default().text(name)
}

/// A value, followed by the others that differ from it.
fn first<const N: usize>(value: Json, others: [Json; N]) -> Vec<Json> {
    let others = others.into_iter().filter(|other| *other != value).collect::<Vec<_>>();
    std::iter::once(value).chain(others).collect()
}

/// A string, an integer or a future date that satisfies constraints such as `@Size` and `@Min`.
pub fn constrained(ty: &Type, annotations: &[Annotation], name: &str, nth: SamplePosition) -> Option<Json> {
    use mastor_runtime::validation::constraints::{int_arg, text_arg};
    let find = |wanted: &str| annotations.iter().find(|a| a.simple() == wanted);
    match ty {
        Type::Str => {
            let size = find("Size").or_else(|| find("Length"));
            let of = |name: &str| size.and_then(|size| int_arg(size, name)).and_then(|n| usize::try_from(n).ok());
            let is_filled = find("NotBlank").or_else(|| find("NotEmpty")).is_some();
            let (min, max) = (of("min").unwrap_or(0).max(usize::from(is_filled)), of("max").unwrap_or(usize::MAX));
            if let Some(regex) = find("Pattern").and_then(|a| text_arg(a, "regexp")) {
                return sample_of_length(regex, min, max).map(Json::String);
            }
            let mut text = nth.text(name);
            if text.len() > max {
                text = sample_text(name);
            }
            if text.len() < min || text.len() > max {
                text = filler(min.max(1).min(max).min(300));
            }
            Some(json!(text))
        }
        Type::Prim(prim) | Type::Boxed(prim) if prim.is_integral() => {
            let min = find("Min").and_then(|a| int_arg(a, "value"));
            let max = find("Max").and_then(|a| int_arg(a, "value"));
            Some(json!(nth.whole().max(min.unwrap_or(1)).min(max.unwrap_or(i64::MAX))))
        }
        Type::Class(ClassRef::Library(fqn), _) if find("Future").or_else(|| find("FutureOrPresent")).is_some() => {
            of_library(fqn, nth).pop()
        }
        _ => None,
    }
}

/// A decimal number with an exponent instead of a decimal point; `None` if it has no point.
pub fn without_point(text: &str) -> Option<String> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    let (whole, fraction) = mantissa.split_once('.')?;
    let fraction = fraction.trim_end_matches('0');
    let digits = format!("{whole}{fraction}");
    let digits = digits.trim_start_matches('0');
    let digits = if digits.is_empty() { "0" } else { digits };
    let exponent = exponent - i64::try_from(fraction.len()).ok()?;
    Some(if exponent == 0 { format!("{sign}{digits}") } else { format!("{sign}{digits}e{exponent}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_one_type_differ_but_identifiers() {
        let (int, long, text) = (Type::Prim(Prim::Int), Type::Boxed(Prim::Long), Type::Str);
        let all = [("ownerId", &long), ("a", &int), ("petId", &long), ("b", &long), ("name", &text), ("city", &text)];
        let samples: Vec<Json> = (0..all.len())
            .map(|n| {
                plain(all[n].1, None, all[n].0, SamplePosition::of(all[n].0, all[n].1, all[..n].iter().copied()))
                    .remove(0)
            })
            .collect();
        assert_eq!(samples, [json!(1), json!(1), json!(1), json!(2), json!("sample"), json!("sample2")]);
        let numbers = plain(&int, None, "b", SamplePosition(1));
        assert_eq!(numbers, [2, 1, 0, -1, 3, 4, 7].map(|n| json!(n)));
    }

    #[test]
    fn a_number_without_its_point_is_the_same_number() {
        for (text, expected) in [
            ("1.5", Some("15e-1")),
            ("-0.25", Some("-25e-2")),
            ("3.0", Some("3")),
            ("1.5e10", Some("15e9")),
            ("0.0", Some("0")),
            ("7", None),
        ] {
            assert_eq!(without_point(text).as_deref(), expected);
            if let Some(plain) = expected {
                assert_eq!(plain.parse::<f64>(), text.parse::<f64>());
            }
        }
    }
}
