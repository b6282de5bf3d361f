//! Constraints of the code as schema keywords; a constraint that a schema cannot express becomes a sentence.

use openapiv3::{
    AnySchema, ArrayType, IntegerType, NumberType, ObjectType, ReferenceOr, Schema, SchemaKind, StringFormat,
    StringType, Type, VariantOrUnknownOrEmpty,
};

use mastor_types::suite::source_context::ConstraintKind;

/// Adds constraints to a schema.
pub fn limit<'c>(schema: &mut ReferenceOr<Schema>, kinds: impl Iterator<Item = &'c ConstraintKind>) {
    let mut words: Vec<String> = Vec::new();
    for kind in kinds {
        let said = match schema {
            ReferenceOr::Item(schema) => said(&mut schema.schema_kind, kind),
            ReferenceOr::Reference { .. } => matches!(kind, ConstraintKind::NotNull),
        };
        if !said {
            words.push(kind.to_string());
        }
    }
    if let (ReferenceOr::Item(schema), false) = (schema, words.is_empty()) {
        words.dedup();
        schema.schema_data.description = Some(format!("Must be: {}.", words.join("; ")));
    }
}

/// Adds a constraint to a schema; returns whether the schema can express it.
fn said(schema: &mut SchemaKind, kind: &ConstraintKind) -> bool {
    match schema {
        SchemaKind::Type(Type::String(text)) => of_text(text, kind),
        SchemaKind::Type(Type::Integer(number)) => of_integer(number, kind),
        SchemaKind::Type(Type::Number(number)) => of_number(number, kind),
        SchemaKind::Type(Type::Array(list)) => of_list(list, kind),
        SchemaKind::Type(Type::Object(object)) => of_object(object, kind),
        _ => matches!(kind, ConstraintKind::NotNull),
    }
}

fn of_text(text: &mut StringType, kind: &ConstraintKind) -> bool {
    match kind {
        ConstraintKind::NotNull => {}
        ConstraintKind::NotEmpty => text.min_length = text.min_length.max(Some(1)),
        ConstraintKind::NotBlank => {
            text.min_length = text.min_length.max(Some(1));
            if text.pattern.is_some() {
                return false;
            }
            text.pattern = Some(r"\S".to_owned());
        }
        ConstraintKind::Length { min, max } => {
            text.min_length = text.min_length.max(min.and_then(|min| usize::try_from(min).ok()));
            text.max_length = least(text.max_length, max.and_then(|max| usize::try_from(max).ok()));
        }
        ConstraintKind::Pattern { regex } => match ecma(regex) {
            Some(pattern) if text.pattern.is_none() || text.pattern.as_deref() == Some(r"\S") => {
                text.pattern = Some(pattern);
            }
            _ => return false,
        },
        ConstraintKind::Email if text.format.is_empty() => {
            text.format = VariantOrUnknownOrEmpty::Unknown("email".to_owned());
        }
        ConstraintKind::OneOf { values } if text.enumeration.is_empty() => {
            text.enumeration = values.iter().map(|value| Some(value.clone())).collect();
        }
        _ => return false,
    }
    true
}

fn of_integer(number: &mut IntegerType, kind: &ConstraintKind) -> bool {
    let ConstraintKind::Range { min, max, exclusive_min, exclusive_max } = kind else {
        return matches!(kind, ConstraintKind::NotNull);
    };
    let read = |text: &Option<String>| text.as_ref().map(|text| text.parse::<i64>());
    let (Ok(min), Ok(max)) = (read(min).transpose(), read(max).transpose()) else { return false };
    // An exclusive bound of an integer becomes the next integer.
    let min = min.map(|min| if *exclusive_min { min.saturating_add(1) } else { min });
    let max = max.map(|max| if *exclusive_max { max.saturating_sub(1) } else { max });
    number.minimum = number.minimum.max(min);
    number.maximum = least(number.maximum, max);
    true
}

fn of_number(number: &mut NumberType, kind: &ConstraintKind) -> bool {
    let ConstraintKind::Range { min, max, exclusive_min, exclusive_max } = kind else {
        return matches!(kind, ConstraintKind::NotNull);
    };
    let read = |text: &Option<String>| text.as_ref().map(|text| text.parse::<f64>());
    let (Ok(min), Ok(max)) = (read(min).transpose(), read(max).transpose()) else { return false };
    if let Some(min) = min.filter(|min| number.minimum.is_none_or(|known| *min > known)) {
        (number.minimum, number.exclusive_minimum) = (Some(min), *exclusive_min);
    }
    if let Some(max) = max.filter(|max| number.maximum.is_none_or(|known| *max < known)) {
        (number.maximum, number.exclusive_maximum) = (Some(max), *exclusive_max);
    }
    true
}

fn of_list(list: &mut ArrayType, kind: &ConstraintKind) -> bool {
    match kind {
        ConstraintKind::NotNull => {}
        ConstraintKind::NotEmpty => list.min_items = list.min_items.max(Some(1)),
        ConstraintKind::Length { min, max } => {
            list.min_items = list.min_items.max(min.and_then(|min| usize::try_from(min).ok()));
            list.max_items = least(list.max_items, max.and_then(|max| usize::try_from(max).ok()));
        }
        _ => return false,
    }
    true
}

fn of_object(object: &mut ObjectType, kind: &ConstraintKind) -> bool {
    match kind {
        ConstraintKind::NotNull => {}
        ConstraintKind::NotEmpty => object.min_properties = object.min_properties.max(Some(1)),
        ConstraintKind::Length { min, max } => {
            object.min_properties = object.min_properties.max(min.and_then(|min| usize::try_from(min).ok()));
            object.max_properties = least(object.max_properties, max.and_then(|max| usize::try_from(max).ok()));
        }
        _ => return false,
    }
    true
}

fn least<T: Ord>(known: Option<T>, other: Option<T>) -> Option<T> {
    match (known, other) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// Converts a Java regular expression, which must match a whole string, to an ECMAScript one, which matches a part.
/// `None` if the dialects may differ.
pub fn ecma(regex: &str) -> Option<String> {
    const OWN: &[&str] = &["(?i", "(?s", "(?m", "(?x", "(?u", "(?d", "(?-", "(?>", "(?<", "&&", "++", "*+", "?+", "}+"];
    if OWN.iter().any(|own| regex.contains(own)) {
        return None;
    }
    let (mut escaped, mut in_class) = (false, false);
    for c in regex.chars() {
        match c {
            _ if escaped => {
                escaped = false;
                let is_shared = matches!(c, 'd' | 'D' | 'w' | 'W' | 's' | 'S' | 'b' | 'B' | 'n' | 'r' | 't')
                    || !c.is_alphanumeric();
                if !is_shared {
                    return None;
                }
            }
            '\\' => escaped = true,
            // Nested character classes exist in Java only.
            '[' if in_class => return None,
            '[' => in_class = true,
            ']' => in_class = false,
            _ => {}
        }
    }
    let is_whole = regex.starts_with('^') && regex.ends_with('$') && !regex.ends_with("\\$") && !regex.contains('|');
    let is_one = !regex.contains('|');
    Some(match (is_whole, is_one) {
        (true, _) => regex.to_owned(),
        (_, true) => format!("^{}$", inner(regex)),
        _ => format!("^(?:{regex})$"),
    })
}

/// The expression without anchors at its ends.
fn inner(regex: &str) -> &str {
    let regex = regex.strip_prefix('^').unwrap_or(regex);
    regex.strip_suffix('$').filter(|rest| !rest.ends_with('\\')).unwrap_or(regex)
}

/// A schema without constraints.
pub fn any() -> Schema {
    of_kind(SchemaKind::Any(AnySchema::default()))
}

/// A schema of one kind.
pub fn of_kind(schema_kind: SchemaKind) -> Schema {
    Schema { schema_data: openapiv3::SchemaData::default(), schema_kind }
}

/// A string schema.
pub fn text(format: Option<&str>) -> Schema {
    let format = match format {
        None => VariantOrUnknownOrEmpty::Empty,
        Some("date") => VariantOrUnknownOrEmpty::Item(StringFormat::Date),
        Some("date-time") => VariantOrUnknownOrEmpty::Item(StringFormat::DateTime),
        Some("binary") => VariantOrUnknownOrEmpty::Item(StringFormat::Binary),
        Some("byte") => VariantOrUnknownOrEmpty::Item(StringFormat::Byte),
        Some(other) => VariantOrUnknownOrEmpty::Unknown(other.to_owned()),
    };
    of_kind(SchemaKind::Type(Type::String(StringType { format, ..StringType::default() })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_of_java_matches_the_whole_text() {
        assert_eq!(ecma("[A-Z]{3}").as_deref(), Some("^[A-Z]{3}$"));
        assert_eq!(ecma("^[a-z]+$").as_deref(), Some("^[a-z]+$"));
        assert_eq!(ecma("a|b").as_deref(), Some("^(?:a|b)$"));
        assert_eq!(ecma(r"price\$").as_deref(), Some(r"^price\$$"));
    }

    #[test]
    fn what_only_java_reads_is_no_pattern() {
        for own in ["(?i)abc", r"\p{Alpha}+", "[a-z&&[^b]]", "a++", r"\Aabc\z", "[a[b]]"] {
            assert_eq!(ecma(own), None, "{own}");
        }
    }

    #[test]
    fn what_a_schema_cannot_say_is_a_sentence() {
        let mut schema = ReferenceOr::Item(text(None));
        let kinds = [
            ConstraintKind::Length { min: Some(2), max: Some(3) },
            ConstraintKind::Condition { text: "@Isbn".to_owned() },
        ];
        limit(&mut schema, kinds.iter());
        let value = serde_json::to_value(&schema).unwrap();
        let expected =
            serde_json::json!({"description": "Must be: @Isbn.", "type": "string", "minLength": 2, "maxLength": 3});
        assert_eq!(value, expected);
    }
}
