//! Forms that Jackson annotations select for dates and times of `java.time`.

use serde_json::{Value as Json, json};

use mastor_java::interpret::library::time::formats::date_formats::written;
use mastor_java::interpret::library::time::formats::date_patterns::Format;
use mastor_java::interpret::library::time::formats::date_reading::read;
use mastor_java::interpret::values::scalar::ClassRef;
use mastor_java::interpret::values::value::Type;
use mastor_java::ir::facts::{Annotation, Value as Arg};

/// How a property's value is written and read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// Jackson's default form.
    Plain,
    /// A pattern of `DateTimeFormatter`.
    Pattern(String),
    /// Not modelled.
    Open,
}

/// The form that `@JsonFormat` selects for a value of a type (`JSR310DateTimeDeserializerBase` and
/// `JSR310FormattedSerializerBase`). A pattern is modelled only for types without a zone. Strings keep the plain
/// form.
pub fn form(annotations: &[Annotation], ty: &Type) -> Form {
    let format = annotations.iter().find(|annotation| annotation.simple() == "JsonFormat");
    let Some(annotation) = format.filter(|_| *ty != Type::Str) else { return Form::Plain };
    let Some(class) = local(ty) else { return Form::Open };
    let mut pattern = None;
    for (element, value) in &annotation.args {
        match (element.as_str(), value) {
            ("pattern", Arg::Str(text)) if !text.is_empty() => pattern = Some(text),
            ("shape", Arg::Name(name)) if matches!(name.rsplit('.').next(), Some("STRING" | "ANY")) => {}
            _ => return Form::Open,
        }
    }
    match pattern.map(|text| (text, sample(text, class, &json!("2024-01-15T10:30:15")))) {
        None => Form::Plain,
        // The sample shows that the pattern can parse its own output.
        Some((text, Some(_))) => Form::Pattern(text.clone()),
        Some((_, None)) => Form::Open,
    }
}

/// The simple name of a date or time type without a zone.
fn local(ty: &Type) -> Option<&'static str> {
    let Type::Class(ClassRef::Library(fqn), _) = ty else { return None };
    ["LocalDate", "LocalDateTime", "LocalTime"].into_iter().find(|name| fqn.strip_prefix("java.time.") == Some(*name))
}

/// Converts a date or time from its plain form to another one; returns any other value unchanged.
pub fn formed(form: &Form, ty: &Type, value: Json) -> Json {
    match (form, local(ty)) {
        (Form::Pattern(pattern), Some(class)) => sample(pattern, class, &value).map_or(value, Json::String),
        _ => value,
    }
}

/// Formats a moment (ISO 8601, or the part of it that the class has) by a pattern; `None` if the pattern cannot
/// format it, or cannot read the result back.
fn sample(pattern: &str, class: &str, moment: &Json) -> Option<String> {
    let text = moment.as_str()?;
    let part = match class {
        "LocalDate" => text.split('T').next()?,
        "LocalTime" => text.rsplit('T').next()?,
        _ => text,
    };
    let value = read(&Format::of_class(class)?, part, class).ok()?;
    let format = Format::of_pattern(pattern).ok()?;
    let text = written(&format, &value).ok()?;
    read(&format, &text, class).is_ok().then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_written_by_patterns_that_read_it_again() {
        let date = |pattern| sample(pattern, "LocalDate", &json!("2024-03-15"));
        assert_eq!(date("dd-MM-yyyy").as_deref(), Some("15-03-2024"));
        assert_eq!(date("yyyyMMdd").as_deref(), Some("20240315"));
        // A month alone is not a date, and a date has no hours.
        assert_eq!(date("MM"), None);
        assert_eq!(date("dd-MM-yyyy HH"), None);
        let time = sample("HH:mm", "LocalTime", &json!("10:30:15"));
        assert_eq!(time.as_deref(), Some("10:30"));
        let both = sample("dd/MM/yyyy HH:mm:ss", "LocalDateTime", &json!("2024-03-15T10:30:15"));
        assert_eq!(both.as_deref(), Some("15/03/2024 10:30:15"));
    }
}
