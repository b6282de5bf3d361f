//! Names for generated code: unique identifiers made from any text.

use std::collections::BTreeSet;

use mastor_java::syntax::keywords::KEYWORDS;

/// Names that a generated class or `Object` already has, and contextual keywords of Java.
const TAKEN: &[&str] = &[
    "_",
    "call",
    "clone",
    "equals",
    "finalize",
    "getclass",
    "hashcode",
    "notify",
    "notifyall",
    "tostring",
    "wait",
    "yield",
    "mastor",
];

/// Maximum length of a name, so that file names fit every file system.
const LONGEST: usize = 90;

/// Hands out unique names. Case is ignored, because some file systems ignore it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names(BTreeSet<String>);

impl Names {
    /// `wanted` as an identifier, with a number appended if it is taken.
    pub fn take(&mut self, wanted: &str) -> String {
        let base = identifier(wanted);
        let mut name = base.clone();
        let mut n = 2;
        let is_taken = |name: &str| TAKEN.contains(&name) || KEYWORDS.contains(&name);
        while is_taken(&name.to_ascii_lowercase()) || !self.0.insert(name.to_ascii_lowercase()) {
            name = format!("{base}_{n}");
            n += 1;
        }
        name
    }
}

/// Replaces everything but ASCII letters and digits by `_`; never empty, never starting with a digit.
fn identifier(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars().take(LONGEST) {
        match c {
            c if c.is_ascii_alphanumeric() => out.push(c),
            _ if out.ends_with('_') => {}
            _ => out.push('_'),
        }
    }
    let trimmed = out.trim_end_matches('_');
    match trimmed.chars().next() {
        None => "unnamed".to_owned(),
        Some(c) if c.is_ascii_digit() => format!("n{trimmed}"),
        Some(_) => trimmed.to_owned(),
    }
}

/// Converts `GET /orders/{id}` to `GetOrdersId`.
pub(super) fn camel(text: &str) -> String {
    let mut out = String::new();
    for word in text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        let word =
            if word.chars().all(|c| c.is_ascii_uppercase()) { word.to_ascii_lowercase() } else { word.to_owned() };
        let (first, rest) = word.split_at(1);
        out.push_str(&first.to_ascii_uppercase());
        out.push_str(rest);
    }
    out.truncate(80);
    out
}

/// Prefix of the settings with a user's credentials.
pub(super) fn user_prefix(names: &mut Names, user: &str) -> String {
    format!("MASTOR_USER_{}", names.take(user).to_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_identifiers_and_unique() {
        let mut names = Names::default();
        assert_eq!(names.take("fi_code_too_short"), "fi_code_too_short");
        assert_eq!(names.take("FI code too-short"), "FI_code_too_short_2");
        assert_eq!(names.take("class"), "class_2");
        assert_eq!(names.take("7 é*/"), "n7");
        assert_eq!(names.take(""), "unnamed");
        assert_eq!(camel("GET /orders/{id}"), "GetOrdersId");
    }
}
