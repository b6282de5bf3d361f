//! The enums that a generator creates, as Java source.

use serde_json::Value;

use super::style::Style;
use super::values::quoted;

/// An enum with these values; `None` if the names of its constants are not known.
pub fn text(style: &Style, name: &str, values: &[Value]) -> Option<String> {
    let texts: Option<Vec<&str>> = values.iter().map(Value::as_str).collect();
    let texts = texts?;
    let constants: Option<Vec<String>> = texts.iter().map(|text| constant(text)).collect();
    let constants = constants?;
    let mut unique = constants.clone();
    unique.sort();
    unique.dedup();
    if unique.len() != constants.len() || (style.version < (7, 0) && has_common_prefix(&texts)) {
        return None;
    }
    let lines: Vec<String> =
        constants.iter().zip(&texts).map(|(constant, text)| format!("    {constant}({})", quoted(text))).collect();
    Some(format!(
        "public enum {name} {{\n{};\n\n    private final String value;\n\n    {name}(String value) {{\n      this.value = value;\n    }}\n\n    \
         @JsonValue\n    public String getValue() {{\n      return value;\n    }}\n\n    @Override\n    public String toString() {{\n      \
         return String.valueOf(value);\n    }}\n\n    @JsonCreator\n    public static {name} fromValue(String value) {{\n      \
         for ({name} b : {name}.values()) {{\n        if (b.value.equals(value)) {{\n          return b;\n        }}\n      }}\n      \
         throw new IllegalArgumentException(\"Unexpected value '\" + value + \"'\");\n    }}\n}}\n",
        lines.join(",\n")
    ))
}

/// The constant name for a text; `None` if it is not known.
pub fn constant(text: &str) -> Option<String> {
    if !text.chars().any(|c| c.is_ascii_alphanumeric()) || !text.is_ascii() {
        return None;
    }
    let mut name = String::new();
    let mut between = false;
    for c in text.chars() {
        let is_word = c.is_ascii_alphanumeric() || c == '_';
        match is_word {
            true => name.push(c.to_ascii_uppercase()),
            false if !between => name.push('_'),
            false => {}
        }
        between = !is_word;
    }
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, '_');
    }
    Some(name)
}

/// Whether all values share a prefix that contains a separator: earlier releases omit such a prefix from the constants.
fn has_common_prefix(texts: &[&str]) -> bool {
    let [first, rest @ ..] = texts else { return false };
    let shared = |other: &&str| first.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let length = rest.iter().map(shared).min().unwrap_or(0);
    !rest.is_empty() && first.as_bytes()[..length].iter().any(|byte| !byte.is_ascii_alphanumeric())
}
