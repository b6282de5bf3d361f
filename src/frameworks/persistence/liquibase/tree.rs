//! A changelog as a tree of elements, for all of its formats.

use yaml_serde::Value;

use crate::files::xml::{self, Element};

/// Lists of YAML and JSON that have no element of their own in XML.
const LISTS: &[&str] = &["changes", "columns", "databaseChangeLog"];

/// Parses a changelog; `None` for any other file.
pub(super) fn parse(path: &str, text: &str) -> Option<Element> {
    let root = if path.ends_with(".xml") {
        xml::parse(text)?
    } else if [".yaml", ".yml", ".json"].iter().any(|ending| path.ends_with(ending)) {
        let value: Value = yaml_serde::from_str(text).ok()?;
        element("databaseChangeLog", value.get("databaseChangeLog")?)
    } else {
        return None;
    };
    (root.name == "databaseChangeLog").then_some(root)
}

/// Converts a named value to an element.
fn element(name: &str, value: &Value) -> Element {
    let mut made = Element { name: name.to_owned(), ..Element::default() };
    match value {
        Value::Mapping(map) => {
            for (key, value) in map {
                let Some(key) = key.as_str() else { continue };
                match scalar(value) {
                    Some(text) => made.attributes.push((key.to_owned(), text)),
                    None => add(&mut made, element(key, value)),
                }
            }
        }
        Value::Sequence(items) => {
            for item in items {
                if let Value::Mapping(map) = item {
                    for (key, value) in map {
                        if let Some(key) = key.as_str() {
                            add(&mut made, element(key, value));
                        }
                    }
                }
            }
        }
        other => made.text = scalar(other).unwrap_or_default(),
    }
    made
}

fn add(parent: &mut Element, child: Element) {
    if LISTS.contains(&child.name.as_str()) {
        parent.children.extend(child.children);
    } else {
        parent.children.push(child);
    }
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(value) => Some(value.to_string()),
        _ => None,
    }
}
