//! The `@Mapping` annotations of one method.

use super::mapper::last_name;
use mastor_java::ir::facts::{Annotation, MemberFacts, Value};

/// The source of a property's value.
#[derive(Debug, Clone, PartialEq)]
pub enum From {
    /// None: the property is ignored.
    Nothing,
    /// A path in the source; `None` means the property with the same name.
    Path(Option<Vec<String>>),
    /// A constant, as a string.
    Constant(String),
    /// A Java expression.
    Expression(String),
}

/// One `@Mapping`.
#[derive(Debug, Clone, PartialEq)]
pub struct Mapping {
    /// Path of the target property.
    pub target: Vec<String>,
    /// Source of its value.
    pub from: From,
    /// The value to use for null.
    pub default: Option<String>,
    /// Qualifier name of the method that converts it.
    pub by_name: Option<String>,
    /// Whether null leaves the property unchanged.
    pub keeps_on_null: Option<bool>,
    /// Whether the source is checked for null before the property is set.
    pub always_checks: Option<bool>,
    /// A date pattern.
    pub date_format: Option<String>,
}

/// The mapping annotations of a method.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mappings {
    /// The annotations, one for each target property.
    pub all: Vec<Mapping>,
    /// Whether only the annotated properties are mapped.
    pub only_said: bool,
    /// Whether null leaves properties unchanged.
    pub keeps_on_null: Option<bool>,
}

impl Mappings {
    /// Reads the annotations of a method; the error says what is not followed.
    pub fn of(facts: &MemberFacts) -> Result<Self, String> {
        let mut found = Self::default();
        for annotation in &facts.annotations {
            match annotation.simple() {
                "Mapping" => found.all.push(mapping(annotation)?),
                "Mappings" => match annotation.arg("value") {
                    Some(Value::Array(items)) => {
                        for item in items {
                            let Value::Annotation(inner) = item else { return Err("@Mappings is not followed".into()) };
                            found.all.push(mapping(inner)?);
                        }
                    }
                    Some(Value::Annotation(inner)) => found.all.push(mapping(inner)?),
                    _ => return Err("@Mappings is not followed".to_owned()),
                },
                "BeanMapping" => {
                    for (name, value) in &annotation.args {
                        match (name.as_str(), last_name(value).as_deref()) {
                            ("ignoreByDefault", Some("true")) => found.only_said = true,
                            ("ignoreByDefault", Some("false")) => {}
                            ("nullValuePropertyMappingStrategy", Some("IGNORE")) => found.keeps_on_null = Some(true),
                            ("nullValuePropertyMappingStrategy", Some("SET_TO_NULL")) => {
                                found.keeps_on_null = Some(false);
                            }
                            ("unmappedTargetPolicy" | "unmappedSourcePolicy" | "ignoreUnmappedSourceProperties", _) => {
                            }
                            (name, _) => return Err(format!("{name} of @BeanMapping is not followed")),
                        }
                    }
                }
                "Override" | "Deprecated" | "SuppressWarnings" | "Named" | "NonNull" | "Nullable" | "NotNull" => {}
                other => return Err(format!("@{other} is not followed")),
            }
        }
        Ok(found)
    }
}

fn mapping(annotation: &Annotation) -> Result<Mapping, String> {
    let mut found = Mapping {
        target: Vec::new(),
        from: From::Path(None),
        default: None,
        by_name: None,
        keeps_on_null: None,
        always_checks: None,
        date_format: None,
    };
    let path = |text: &str| text.split('.').map(|part| part.trim().to_owned()).collect::<Vec<String>>();
    for (name, value) in &annotation.args {
        let text = match value {
            Value::Str(text) => Some(text.clone()),
            _ => None,
        };
        match (name.as_str(), text, last_name(value).as_deref()) {
            ("target", Some(text), _) => found.target = path(&text),
            ("source", Some(text), _) => found.from = From::Path(Some(path(&text))),
            ("ignore", _, Some("true")) => found.from = From::Nothing,
            ("ignore", _, Some("false")) => {}
            ("constant", Some(text), _) => found.from = From::Constant(text),
            ("expression", Some(text), _) => {
                let inner = text.trim().strip_prefix("java(").and_then(|rest| rest.strip_suffix(')'));
                found.from = From::Expression(inner.ok_or("an expression cannot be read")?.trim().to_owned());
            }
            ("defaultValue", Some(text), _) => found.default = Some(text),
            ("qualifiedByName", Some(text), _) => found.by_name = Some(text),
            ("dateFormat", Some(text), _) => found.date_format = Some(text),
            ("nullValuePropertyMappingStrategy", _, Some("IGNORE")) => found.keeps_on_null = Some(true),
            ("nullValuePropertyMappingStrategy", _, Some("SET_TO_NULL")) => found.keeps_on_null = Some(false),
            ("nullValueCheckStrategy", _, Some("ALWAYS")) => found.always_checks = Some(true),
            ("nullValueCheckStrategy", _, Some("ON_IMPLICIT_CONVERSION")) => found.always_checks = Some(false),
            (name, ..) => return Err(format!("{name} of @Mapping is not followed")),
        }
    }
    let odd = |part: &String| part.is_empty() || part == "." || part.contains(['[', '$']);
    if found.target.is_empty() || found.target.iter().any(odd) || found.target == ["*"] {
        return Err("a target of @Mapping is not followed".to_owned());
    }
    Ok(found)
}
