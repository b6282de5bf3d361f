//! The Java types that generators choose for schemas.

use std::collections::BTreeSet;

use serde_json::Value;

use super::names::camel;
use super::style::Style;
use mastor_openapi::{Additional, Document, JsonType, Schema, SchemaRef};

/// The kind of Java type for a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A class with properties.
    Class,
    /// An enum, with its values.
    Enum(Vec<Value>),
    /// No class of its own: references to it use its target type.
    Alias,
    /// A class in a form that is not followed.
    Odd,
}

/// The Java type of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ty {
    /// Source text of the type.
    pub text: String,
    /// Form of the type.
    pub form: Form,
}

/// The form of a value's type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// A string, number, boolean or byte array.
    Plain,
    /// Any value.
    Any,
    /// Another scalar, which is validated as an object: a date, a decimal.
    Whole,
    /// A generated class.
    Model,
    /// An enum nested in the class that has the property.
    Inner(Vec<Value>),
    /// A list with this element type.
    List(Box<Ty>),
    /// A set with this element type.
    Set(Box<Ty>),
    /// A map from strings to this type.
    Map(Box<Ty>),
}

/// The types of a document's schemas, in one style.
pub struct Types<'a> {
    /// The document.
    pub document: &'a Document,
    /// The style.
    pub style: &'a Style,
}

impl Types<'_> {
    /// The kind of the schema at a location, if it were named.
    pub fn kind(&self, at: &SchemaRef) -> Kind {
        if self.is_odd(at, &mut BTreeSet::new()) {
            return Kind::Odd;
        }
        let view = self.document.resolve(at);
        if !view.properties.is_empty() {
            let plain = view.types.is_empty() || view.types == [JsonType::Object];
            return if plain && view.values.is_empty() { Kind::Class } else { Kind::Odd };
        }
        match view.types.as_slice() {
            [JsonType::Object] if view.additional == Additional::Forbidden => Kind::Odd,
            [JsonType::String] if !view.values.is_empty() => Kind::Enum(view.values),
            [JsonType::Integer | JsonType::Number | JsonType::Boolean] if !view.values.is_empty() => Kind::Odd,
            [_] | [] => Kind::Alias,
            _ => Kind::Odd,
        }
    }

    /// Whether a schema uses alternatives, discriminators or inheritance.
    fn is_odd(&self, at: &SchemaRef, seen: &mut BTreeSet<SchemaRef>) -> bool {
        const MOST: usize = 200;
        let Some((at, Value::Object(raw))) = self.document.follow(at) else { return true };
        if !seen.insert(at.clone()) {
            return false;
        }
        if ["oneOf", "anyOf", "not", "discriminator", "x-parent", "x-implements", "x-class-extra-annotation"]
            .iter()
            .any(|key| raw.contains_key(*key))
        {
            return true;
        }
        let parts = raw.get("allOf").and_then(Value::as_array).map_or(0, Vec::len);
        let within = at.at("allOf");
        seen.len() > MOST || (0..parts).any(|index| self.is_odd(&within.at(&index.to_string()), seen))
    }

    /// The type of a value; `owner` and `property` name inline enums and classes. `None` if it is not followed.
    pub fn ty(&self, at: &SchemaRef, owner: &str, property: &str) -> Option<Ty> {
        self.ty_within(at, owner, property, 0)
    }

    fn ty_within(&self, at: &SchemaRef, owner: &str, property: &str, depth: usize) -> Option<Ty> {
        if depth > 10 {
            return None;
        }
        let view = self.document.resolve(at);
        if let Some(named) = self.named(at) {
            return match self.kind(&named) {
                Kind::Alias => self.ty_within(&named, owner, property, depth + 1),
                _ => {
                    let class = self.style.class(&named.last()?);
                    let class = self.style.mapped(&class).map_or(class, str::to_owned);
                    Some(Ty { text: class, form: Form::Model })
                }
            };
        }
        match self.kind(at) {
            Kind::Enum(values) => {
                let name = format!("{}Enum", camel(property, true));
                return Some(Ty { text: name, form: Form::Inner(values) });
            }
            // A class that is generated for an inline schema.
            Kind::Class => {
                let name = view.title.clone().unwrap_or_else(|| format!("{owner}_{property}"));
                return Some(Ty { text: self.style.class(&name), form: Form::Model });
            }
            Kind::Odd => return None,
            Kind::Alias => {}
        }
        let plain = |name: &str| Some(Ty { text: self.name(name), form: Form::Plain });
        let whole = |name: &str| Some(Ty { text: self.name(name), form: Form::Whole });
        match view.types.as_slice() {
            [] => Some(Ty { text: self.name("Object"), form: Form::Any }),
            [JsonType::String] => match view.format.as_deref() {
                Some("date") => whole(self.style.dates?.0),
                Some("date-time") => whole(self.style.dates?.1),
                Some("uuid") => whole("java.util.UUID"),
                Some("uri" | "URI") => whole("java.net.URI"),
                Some("byte") => plain("byte[]"),
                Some("binary") => None,
                Some("decimal" | "bigdecimal") => whole("java.math.BigDecimal"),
                _ => plain("String"),
            },
            [JsonType::Integer] => plain(if view.format.as_deref() == Some("int64") { "Long" } else { "Integer" }),
            [JsonType::Number] => match view.format.as_deref() {
                Some("float") => plain("Float"),
                Some("double") => plain("Double"),
                _ => whole("java.math.BigDecimal"),
            },
            [JsonType::Boolean] => plain("Boolean"),
            [JsonType::Array] => {
                let item = self.ty_within(view.items.as_ref()?, owner, property, depth + 1)?;
                let valid = if item.form == Form::Model && self.style.validates { "@Valid " } else { "" };
                let name = if view.unique_items { "Set" } else { "List" };
                let text = format!("{name}<{valid}{}>", item.text);
                let form = if view.unique_items { Form::Set(Box::new(item)) } else { Form::List(Box::new(item)) };
                Some(Ty { text, form })
            }
            [JsonType::Object] => match &view.additional {
                Additional::Schema(of) => {
                    let item = self.ty_within(of, owner, property, depth + 1)?;
                    Some(Ty { text: format!("Map<String, {}>", item.text), form: Form::Map(Box::new(item)) })
                }
                Additional::Any => {
                    let any = Ty { text: "Object".to_owned(), form: Form::Any };
                    Some(Ty { text: "Map<String, Object>".to_owned(), form: Form::Map(Box::new(any)) })
                }
                Additional::Unsaid => Some(Ty { text: self.name("Object"), form: Form::Plain }),
                Additional::Forbidden => None,
            },
            _ => None,
        }
    }

    /// The named schema that a schema only refers to.
    fn named(&self, at: &SchemaRef) -> Option<SchemaRef> {
        let raw = self.document.value(at)?.as_object()?;
        let single = |part: &SchemaRef| {
            let (to, _) = self.document.follow(part)?;
            (self.document.value(part)?.get("$ref").is_some() && to.schema_name().is_some()).then_some(to)
        };
        if raw.contains_key("$ref") {
            return single(at);
        }
        let says_more = ["properties", "type", "enum", "items", "additionalProperties"];
        match raw.get("allOf").and_then(Value::as_array) {
            Some(parts) if parts.len() == 1 && !says_more.iter().any(|key| raw.contains_key(*key)) => {
                single(&at.at("allOf").at("0"))
            }
            _ => None,
        }
    }

    /// The name of a type, or the name that the build configures instead.
    fn name(&self, name: &str) -> String {
        let simple = name.rsplit('.').next().unwrap_or(name);
        self.style.mapped(simple).unwrap_or(name).to_owned()
    }

    /// The constraint annotations of a value of this type, as generators write them.
    pub fn constraints(&self, view: &Schema, ty: &Ty) -> Vec<String> {
        let mut found = Vec::new();
        let name = ty.text.rsplit('.').next().unwrap_or(&ty.text);
        let text = name == "String";
        if let [pattern] = view.patterns.as_slice()
            && text
        {
            found.push(format!("@Pattern(regexp = {})", quoted(pattern)));
        }
        let size = |min: Option<u64>, max: Option<u64>| match (min, max) {
            (Some(min), Some(max)) => Some(format!("@Size(min = {min}, max = {max})")),
            (Some(min), None) => Some(format!("@Size(min = {min})")),
            (None, Some(max)) => Some(format!("@Size(max = {max})")),
            (None, None) => None,
        };
        if matches!(name, "String" | "byte[]") {
            found.extend(size(view.min_length, view.max_length));
        }
        match ty.form {
            Form::List(_) | Form::Set(_) => found.extend(size(view.min_items, view.max_items)),
            Form::Map(_) => found.extend(size(view.min_properties, view.max_properties)),
            _ => {}
        }
        if text && view.format.as_deref() == Some("email") {
            found.push("@Email".to_owned());
        }
        for (bound, plain, decimal) in [(&view.minimum, "Min", "DecimalMin"), (&view.maximum, "Max", "DecimalMax")] {
            let Some(bound) = bound else { continue };
            found.extend(match name {
                "Integer" | "Long" => Some(format!("@{plain}(value = {})", bound.value)),
                "BigDecimal" | "Double" | "Float" if bound.exclusive => {
                    Some(format!("@{decimal}(value = \"{}\", inclusive = false)", bound.value))
                }
                "BigDecimal" | "Double" | "Float" => Some(format!("@{decimal}(value = \"{}\")", bound.value)),
                _ => None,
            });
        }
        found
    }
}

/// A string as a Java literal.
pub fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
