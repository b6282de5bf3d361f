//! Types and bounds of a parameter that are declared in both code and document, and differ.

use mastor_openapi::{Bound, JsonType, Schema};
use mastor_types::suite::source_context::{ConstraintKind, RequestParam};

/// The difference of the types in words; `None` if the document declares none, or one that includes the code's values.
pub(super) fn type_differs(param: &RequestParam, schema: &Schema) -> Option<String> {
    if schema.types.is_empty() || !schema.values.is_empty() || !schema.one_of.is_empty() || !schema.any_of.is_empty() {
        return None;
    }
    let ty = param.ty.rsplit('.').next().unwrap_or(&param.ty);
    let (is, fits): (&str, &[JsonType]) = match ty {
        "int" | "long" | "short" | "byte" | "Integer" | "Long" | "Short" | "Byte" => ("integer", &[JsonType::Integer]),
        "float" | "double" | "Float" | "Double" => ("number", &[JsonType::Number, JsonType::Integer]),
        "boolean" | "Boolean" => ("boolean", &[JsonType::Boolean]),
        "String" => ("string", &[JsonType::String, JsonType::Integer, JsonType::Number, JsonType::Boolean]),
        _ => return None,
    };
    // The code also accepts a narrower type of the document.
    if schema.types.iter().any(|said| fits.contains(said) || is == "integer" && *said == JsonType::Number) {
        return None;
    }
    let said: Vec<String> = schema.types.iter().map(|said| format!("{said:?}").to_lowercase()).collect();
    Some(format!("{} is of type {} in the document and {is} in the code", param.name, said.join(" or ")))
}

/// The difference of the bounds in words; `None` if one side declares none.
pub(super) fn bounds_differ(param: &RequestParam, schema: &Schema) -> Option<String> {
    let differ = |what: &str, says: String, is: String| {
        Some(format!("{} has {what} {says} in the document and {is} in the code", param.name))
    };
    for constraint in &param.constraints {
        let found = match &constraint.kind {
            ConstraintKind::Range { min, max, exclusive_min, exclusive_max } => {
                let end = |bound: &Option<Bound>, own: &Option<String>, excluded: bool| {
                    let (bound, own) = (bound.as_ref()?, own.as_ref()?);
                    let (says, is) = (bound.value.as_f64()?, own.parse::<f64>().ok()?);
                    (says != is || bound.exclusive != excluded).then(|| (bound.value.to_string(), own.clone()))
                };
                let low = end(&schema.minimum, min, *exclusive_min);
                let high = end(&schema.maximum, max, *exclusive_max);
                low.and_then(|(says, is)| differ("a minimum of", says, is))
                    .or_else(|| high.and_then(|(says, is)| differ("a maximum of", says, is)))
            }
            ConstraintKind::Length { min, max } => {
                let end = |says: Option<u64>, own: Option<i64>| {
                    let (says, own) = (says?, own?);
                    (u64::try_from(own) != Ok(says)).then(|| (says.to_string(), own.to_string()))
                };
                let low = end(schema.min_length.or(schema.min_items), *min);
                let high = end(schema.max_length.or(schema.max_items), *max);
                low.and_then(|(says, is)| differ("a least length of", says, is))
                    .or_else(|| high.and_then(|(says, is)| differ("a greatest length of", says, is)))
            }
            _ => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}
