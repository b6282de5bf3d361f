//! Plain values of types, and texts that patterns match.

use super::signature::{Signature, element};
use crate::java::facts::Annotation;
use crate::java::interpret::library::regex_samples::samples;
use crate::java::interpret::scalar::{ClassRef, Prim};
use crate::java::interpret::value::Type;
use serde_json::{Value as Json, json};

/// A number as JSON, whole where it is.
pub fn number(value: f64) -> Json {
    if value.fract() == 0.0 && value.abs() < 1e15 { json!(value as i64) } else { json!(value) }
}

/// Text of a length.
pub fn filler(length: usize) -> String {
    "abcdefghijklmnopqrstuvwxyz".chars().cycle().take(length).collect()
}

/// Plain values of a type, the most usual first.
pub fn plain(_signature: &Signature, ty: &Type, constants: Option<&[std::rc::Rc<str>]>, name: &str) -> Vec<Json> {
    if let Some(constants) = constants {
        return constants.iter().map(|name| json!(&**name)).collect();
    }
    match ty {
        Type::Prim(Prim::Bool) | Type::Boxed(Prim::Bool) => vec![json!(true), json!(false)],
        Type::Prim(Prim::Double | Prim::Float) | Type::Boxed(Prim::Double | Prim::Float) => {
            vec![json!(1.5), json!(0), json!(-1.5), json!(3)]
        }
        Type::Prim(_) | Type::Boxed(_) => [1, 0, -1, 2, 3, 4, 7].map(|n| json!(n)).to_vec(),
        Type::Str => vec![json!(sample_text(name)), json!("a")],
        Type::Class(ClassRef::Library(_), _) if element(ty).is_some() => vec![json!([])],
        _ => Vec::new(),
    }
}

/// A plain text for a parameter or field of this name.
pub fn sample_text(name: &str) -> &'static str {
    if name.to_lowercase().contains("mail") { "ada@example.com" } else { "sample" }
}

/// A value that satisfies constraints, where they are plain.
pub fn constrained(ty: &Type, annotations: &[Annotation], name: &str) -> Option<Json> {
    use super::validation::{int_arg, text_arg};
    let find = |wanted: &str| annotations.iter().find(|a| a.simple() == wanted);
    match ty {
        Type::Str => {
            if let Some(regex) = find("Pattern").and_then(|a| text_arg(a, "regexp")) {
                return samples(regex).into_iter().next().map(Json::String);
            }
            let mut text = sample_text(name).to_owned();
            if let Some(size) = find("Size").or_else(|| find("Length")) {
                let min = int_arg(size, "min").and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
                let max = int_arg(size, "max").and_then(|n| usize::try_from(n).ok()).unwrap_or(usize::MAX);
                if text.len() < min || text.len() > max {
                    text = filler(min.max(1).min(max).min(300));
                }
            }
            Some(json!(text))
        }
        Type::Prim(prim) | Type::Boxed(prim) if prim.is_integral() => {
            let min = find("Min").and_then(|a| int_arg(a, "value"));
            let max = find("Max").and_then(|a| int_arg(a, "value"));
            Some(json!(1.max(min.unwrap_or(1)).min(max.unwrap_or(i64::MAX))))
        }
        _ => None,
    }
}

/// A decimal number with an exponent in the place of its point; `None` where it has none.
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
