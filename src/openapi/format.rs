//! The gateway to JSON and YAML: turns the bytes of a file into one `serde_json::Value`, with a warning for every
//! tolerated defect.
//!
//! Both formats go through one visitor. It keeps key order, joins duplicate keys, applies YAML merge keys (`<<`), reads
//! scalar keys of any kind as text (`200:`), and counts the nodes that it builds, so that alias bombs end in an error.

use std::cell::RefCell;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::error::OpenApiError;
use super::place::{DocumentLocation, escape};
use mastor_types::Warning;

/// How many nodes a file may expand to beyond its own size; ordinary use of anchors stays far below.
const EXTRA_NODES: usize = 500_000;
const TOO_LARGE: &str = "aliases expand to more than the document may hold";

/// Parses a JSON or YAML file; returns the value and warnings about tolerated defects.
pub(super) fn parse(path: &str, bytes: &[u8]) -> Result<(Value, Vec<Warning>), OpenApiError> {
    let (text, _, malformed) = encoding_rs::UTF_8.decode(bytes);
    let mut warnings = Vec::new();
    if malformed {
        warnings.push(Warning::new("not-utf8", "the file is not UTF-8; unreadable bytes were replaced", Some(path)));
    }
    let is_json = |text: &str| text.trim_start().starts_with(['{', '[']);
    // JSON viewers save the address of a document as a comment before it.
    let begins_as_json = is_json(&text) || text.trim_start().starts_with('/') && is_json(&blank_extras(&text));
    let (value, more) = if begins_as_json { json_then_yaml(path, &text)? } else { yaml(path, &text)? };
    warnings.extend(more);
    Ok((value, warnings))
}

/// Tries strict JSON, then JSON without comments and trailing commas, then YAML flow style; returns the first error if
/// all fail.
fn json_then_yaml(path: &str, text: &str) -> Result<(Value, Vec<Warning>), OpenApiError> {
    let strict = match json(path, text) {
        Ok(read) => return Ok(read),
        Err(error) => error,
    };
    if matches!(strict, OpenApiError::TooLarge { .. }) {
        return Err(strict);
    }
    let lenient = json(path, &blank_extras(text)).or_else(|_| yaml(path, text));
    let Ok((value, mut warnings)) = lenient else { return Err(strict) };
    let mut warning = Warning::new("not-strict-json", format!("not strict JSON, read leniently: {strict}"), Some(path));
    if let OpenApiError::Syntax { line, .. } = strict {
        warning = warning.at(line);
    }
    warnings.insert(0, warning);
    Ok((value, warnings))
}

fn json(path: &str, text: &str) -> Result<(Value, Vec<Warning>), OpenApiError> {
    let notes = ParseState::new(path, text);
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let read = Node(&notes).deserialize(&mut deserializer).and_then(|value| deserializer.end().map(|()| value));
    match read {
        Ok(value) => Ok((value, notes.warnings.into_inner())),
        Err(error) => {
            let message = error.to_string();
            let what = message.split(" at line ").next().unwrap_or(&message).to_owned();
            Err(failure(path, error.line(), error.column(), what))
        }
    }
}

fn yaml(path: &str, text: &str) -> Result<(Value, Vec<Warning>), OpenApiError> {
    let notes = ParseState::new(path, text);
    let mut documents = yaml_serde::Deserializer::from_str(text);
    let Some(first) = documents.next() else {
        return Err(failure(path, 1, 1, "the file is empty".to_owned()));
    };
    let value = Node(&notes).deserialize(first).map_err(|error| yaml_failure(path, text, &error))?;
    let mut warnings = notes.warnings.into_inner();
    if documents.next().is_some() {
        warnings.push(Warning::new(
            "several-documents",
            "the file holds several YAML documents; only the first is read",
            Some(path),
        ));
    }
    Ok((value, warnings))
}

fn yaml_failure(path: &str, text: &str, error: &yaml_serde::Error) -> OpenApiError {
    let (line, column) = error.location().map_or((1, 1), |at| (at.line(), at.column()));
    let message = error.to_string();
    let what = message.split(" at line ").next().unwrap_or(&message).to_owned();
    if what.contains("repetition limit") {
        return failure(path, line, column, TOO_LARGE.to_owned());
    }
    let offending = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    let indent = &offending[..offending.len() - offending.trim_start().len()];
    if indent.contains('\t') {
        return failure(path, line, column, format!("a tab where YAML wants spaces: {what}"));
    }
    failure(path, line, column, what)
}

fn failure(path: &str, line: usize, column: usize, what: String) -> OpenApiError {
    if what.contains(TOO_LARGE) {
        return OpenApiError::TooLarge { file: path.to_owned(), what: TOO_LARGE.to_owned() };
    }
    let number = |n: usize| u32::try_from(n.max(1)).unwrap_or(u32::MAX);
    OpenApiError::Syntax { file: path.to_owned(), line: number(line), column: number(column), what }
}

/// The same text with comments and trailing commas replaced by spaces, so that positions do not move.
fn blank_extras(text: &str) -> String {
    let mut out = text.as_bytes().to_vec();
    let (mut i, mut comma) = (0, None);
    while i < out.len() {
        match (out[i], out.get(i + 1)) {
            (b'"', _) => {
                i += 1;
                while i < out.len() && out[i] != b'"' {
                    i += if out[i] == b'\\' { 2 } else { 1 };
                }
                comma = None;
            }
            (b'/', Some(b'/')) => {
                while i < out.len() && out[i] != b'\n' {
                    out[i] = b' ';
                    i += 1;
                }
                continue;
            }
            (b'/', Some(b'*')) => {
                let end = text[i + 2..].find("*/").map_or(out.len(), |at| i + 2 + at + 2);
                for byte in &mut out[i..end] {
                    if *byte != b'\n' {
                        *byte = b' ';
                    }
                }
                i = end;
                continue;
            }
            (b',', _) => comma = Some(i),
            (b'}' | b']', _) => {
                if let Some(at) = comma.take() {
                    out[at] = b' ';
                }
            }
            (byte, _) if byte.is_ascii_whitespace() => {}
            _ => comma = None,
        }
        i += 1;
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

/// The visitor's state while it reads one file.
struct ParseState {
    path: String,
    pointer: RefCell<Vec<String>>,
    warnings: RefCell<Vec<Warning>>,
    left: RefCell<usize>,
}

impl ParseState {
    fn new(path: &str, text: &str) -> Self {
        Self {
            path: path.to_owned(),
            pointer: RefCell::default(),
            warnings: RefCell::default(),
            left: RefCell::new(EXTRA_NODES + text.len()),
        }
    }

    /// Subtracts one node and its text from what the file may still expand to.
    fn spend<E: serde::de::Error>(&self, bytes: usize) -> Result<(), E> {
        let mut left = self.left.borrow_mut();
        *left = left.checked_sub(1 + bytes / 16).ok_or_else(|| E::custom(TOO_LARGE))?;
        Ok(())
    }

    fn warn(&self, code: &str, what: &str) {
        let pointer: String = self.pointer.borrow().iter().map(|key| format!("/{}", escape(key))).collect();
        self.warnings.borrow_mut().push(DocumentLocation { file: self.path.clone(), pointer }.warn(code, what));
    }
}

/// Deserialises one node of either format.
struct Node<'n>(&'n ParseState);

impl<'de> DeserializeSeed<'de> for Node<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("any JSON or YAML value")
    }

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<Value, E> {
        self.0.spend(0)?;
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Value, E> {
        self.0.spend(0)?;
        Ok(value.into())
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Value, E> {
        self.0.spend(0)?;
        Ok(value.into())
    }

    fn visit_i128<E: serde::de::Error>(self, value: i128) -> Result<Value, E> {
        self.visit_f64(value as f64)
    }

    fn visit_u128<E: serde::de::Error>(self, value: u128) -> Result<Value, E> {
        self.visit_f64(value as f64)
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        self.0.spend(0)?;
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Value, E> {
        self.0.spend(value.len())?;
        Ok(Value::String(value.to_owned()))
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<Value, E> {
        self.0.spend(0)?;
        Ok(Value::Null)
    }

    fn visit_none<E: serde::de::Error>(self) -> Result<Value, E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Value, A::Error> {
        let (_tag, variant): (Text, _) = data.variant()?;
        variant.newtype_variant_seed(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        self.0.spend(0)?;
        let mut all = Vec::new();
        loop {
            self.0.pointer.borrow_mut().push(all.len().to_string());
            let item = items.next_element_seed(Node(self.0))?;
            self.0.pointer.borrow_mut().pop();
            match item {
                Some(item) => all.push(item),
                None => return Ok(Value::Array(all)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        self.0.spend(0)?;
        let (mut map, mut merged) = (Map::new(), Vec::new());
        while let Some(Text(key)) = entries.next_key::<Text>()? {
            self.0.spend(key.len())?;
            self.0.pointer.borrow_mut().push(key.clone());
            let value = entries.next_value_seed(Node(self.0))?;
            if key == "<<" && (value.is_object() || value.is_array()) {
                merged.push(value);
            } else {
                self.insert(&mut map, key, value);
            }
            self.0.pointer.borrow_mut().pop();
        }
        let sources = merged.into_iter().flat_map(|value| match value {
            Value::Array(list) => list,
            one => vec![one],
        });
        for source in sources {
            let Value::Object(source) = source else {
                self.0.warn("bad-merge-key", "a merge key (<<) names something that is no mapping; left out");
                continue;
            };
            for (key, value) in source {
                map.entry(key).or_insert(value);
            }
        }
        Ok(Value::Object(map))
    }
}

impl Node<'_> {
    /// Inserts a member. A repeated key replaces the earlier value, but two objects are merged, so that no operation is
    /// lost.
    fn insert(&self, map: &mut Map<String, Value>, key: String, value: Value) {
        let Some(earlier) = map.get_mut(&key) else {
            map.insert(key, value);
            return;
        };
        match (earlier, value) {
            (Value::Object(earlier), Value::Object(later)) => {
                self.0.warn("duplicate-key", "the key stands twice; both objects are joined");
                earlier.extend(later);
            }
            (earlier, later) => {
                self.0.warn("duplicate-key", "the key stands twice; the last one counts");
                *earlier = later;
            }
        }
    }
}

/// A key: the text of any scalar.
struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextVisitor;
        impl Visitor<'_> for TextVisitor {
            type Value = Text;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a scalar key")
            }

            fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Text, E> {
                Ok(Text(value.to_owned()))
            }

            fn visit_unit<E: serde::de::Error>(self) -> Result<Text, E> {
                Ok(Text("null".to_owned()))
            }
        }
        deserializer.deserialize_str(TextVisitor)
    }
}
