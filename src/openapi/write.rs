//! Writes values as YAML that versions 1.1 and 1.2 read alike, in the layout of an existing document.

use serde_json::{Map, Value};

/// The layout of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Indentation of nested members, in columns.
    pub step: usize,
    /// Indentation of list dashes relative to the list's key, in columns.
    pub dash: usize,
    /// The quote character for strings that need quotes.
    pub quote: char,
}

impl Default for Style {
    fn default() -> Self {
        Self { step: 2, dash: 2, quote: '"' }
    }
}

/// A value as a whole document.
pub fn yaml(value: &Value, style: Style) -> String {
    match value {
        Value::Object(map) if !map.is_empty() => entries(map, 0, style),
        Value::Array(items) if !items.is_empty() => list(items, 0, style),
        other => format!("{}\n", scalar(other, style.quote)),
    }
}

/// The lines of a mapping entry whose key begins at this column.
pub fn entry(key: &str, value: &Value, column: usize, style: Style) -> String {
    let key = format!("{}{}:", " ".repeat(column), text(key, style.quote));
    match value {
        Value::Object(map) if !map.is_empty() => format!("{key}\n{}", entries(map, column + style.step, style)),
        Value::Array(items) if !items.is_empty() => format!("{key}\n{}", list(items, column + style.dash, style)),
        Value::String(text) if is_block(text) => format!("{key} {}", block(text, column + style.step)),
        other => format!("{key} {}\n", scalar(other, style.quote)),
    }
}

/// The lines of a list item whose dash is at this column.
pub fn item(value: &Value, column: usize, style: Style) -> String {
    let dash = format!("{}- ", " ".repeat(column));
    // The content after the dash begins two columns to its right.
    let inner = match value {
        Value::Object(map) if !map.is_empty() => entries(map, column + 2, style),
        Value::Array(items) if !items.is_empty() => list(items, column + 2, style),
        Value::String(text) if is_block(text) => return format!("{dash}{}", block(text, column + 2)),
        other => return format!("{dash}{}\n", scalar(other, style.quote)),
    };
    format!("{dash}{}", &inner[column + 2..])
}

fn entries(map: &Map<String, Value>, column: usize, style: Style) -> String {
    map.iter().map(|(key, value)| entry(key, value, column, style)).collect()
}

fn list(items: &[Value], column: usize, style: Style) -> String {
    items.iter().map(|value| item(value, column, style)).collect()
}

/// A value on one line: a scalar, or an empty list or object.
pub fn scalar(value: &Value, quote: char) -> String {
    match value {
        Value::String(value) => text(value, quote),
        other => other.to_string(),
    }
}

/// Whether a string can be written as a literal block.
fn is_block(text: &str) -> bool {
    let is_plain = |line: &str| !line.starts_with([' ', '\t']) && !line.ends_with([' ', '\t']);
    text.contains('\n')
        && !text.starts_with('\n')
        && !text.ends_with('\n')
        && text.lines().all(is_plain)
        && !text.chars().any(|c| c != '\n' && is_odd(c))
}

fn block(text: &str, column: usize) -> String {
    let mut out = "|-\n".to_owned();
    for line in text.split('\n') {
        if !line.is_empty() {
            out.push_str(&" ".repeat(column));
            out.push_str(line);
        }
        out.push('\n');
    }
    out
}

/// A string, with quotes only if it needs them.
pub fn text(value: &str, quote: char) -> String {
    if is_plain(value) {
        return value.to_owned();
    }
    if quote == '\'' && !value.chars().any(is_odd) {
        return format!("'{}'", value.replace('\'', "''"));
    }
    let mut out = "\"".to_owned();
    for c in value.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if is_odd(c) && u32::from(c) <= 0xffff => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Characters that end lines or are invisible.
fn is_odd(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// Whether every version of YAML reads the unquoted text as this string.
fn is_plain(value: &str) -> bool {
    const WORDS: &[&str] = &["null", "true", "false", "yes", "no", "on", "off", "y", "n"];
    let begins = |c: char| c.is_alphabetic() || matches!(c, '/' | '_' | '$');
    let Some(first) = value.chars().next() else { return false };
    begins(first)
        && !value.ends_with([' ', ':'])
        && !value.contains(": ")
        && !value.contains(" #")
        && !value.chars().any(|c| is_odd(c) || matches!(c, '{' | '}' | '[' | ']' | ',') && !value.starts_with('/'))
        && !WORDS.iter().any(|word| word.eq_ignore_ascii_case(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn a_document_reads_as_people_write_it() {
        let value = json!({"/orders/{id}": {"get": {"tags": ["a", "b"], "responses": {"200": {"description": "x: y"}}}}, "d": "one\n\n- two", "e": {}});
        let expected = "/orders/{id}:\n  get:\n    tags:\n      - a\n      - b\n    responses:\n      \"200\":\n        description: \"x: y\"\nd: |-\n  one\n\n  - two\ne: {}\n";
        assert_eq!(yaml(&value, Style::default()), expected);
    }

    #[test]
    fn what_yaml_would_take_for_something_else_is_quoted() {
        for odd in ["no", "2024-01-15", "1e3", "*/*", "- a", "a: b", "a #b", "", "~", "Null", "0x1f", " a", "a,b"] {
            assert!(text(odd, '\'').starts_with('\''), "{odd}");
        }
        for plain in ["application/json", "/orders/{id}", "$ref", "Not Found", "x-a"] {
            assert_eq!(text(plain, '\''), plain);
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(words in proptest::collection::vec("\\PC{0,12}|[a-z:#\\-\\[\\]{},\n\t\"' ]{0,12}", 1..5), quote in prop_oneof![Just('"'), Just('\'')], dash in 0..3_usize) {
            let list: Vec<Value> = words.iter().map(|word| json!({word: [word, {"inner": word}]})).collect();
            let value = json!({"list": list, words[0].clone(): words[0]});
            let text = yaml(&value, Style { step: 2, dash, quote });
            let read: Value = yaml_serde::from_str(&text).unwrap();
            prop_assert_eq!(read, value, "{}", text);
        }
    }
}
