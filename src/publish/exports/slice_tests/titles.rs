//! Names of test methods, made from the descriptions of oracles.

use crate::exports::names::camel;
use mastor_types::suite::oracle::Oracle;

/// Maximum length of a method name, so that it fits on one line.
const NAME: usize = 66;

/// A method name such as `answers404GivenFindByIdFindsNoNote`.
pub(super) fn method_name(oracle: &Oracle) -> String {
    let mut text = oracle.description.clone();
    for (sign, word) in [
        (">=", " at least "),
        ("<=", " at most "),
        ("==", " is "),
        ("!=", " is not "),
        (">", " over "),
        ("<", " under "),
    ] {
        text = text.replace(sign, word);
    }
    // Calls and fields are reduced to their last name.
    let mut plain = String::with_capacity(text.len());
    let mut depth = 0_usize;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let goes_on = chars.peek().is_some_and(char::is_ascii_alphanumeric);
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            '.' if goes_on && plain.ends_with(|c: char| c.is_ascii_alphanumeric()) => {
                let from = plain.rfind(' ').map_or(0, |at| at + 1);
                plain.truncate(from);
            }
            c => plain.push(c),
        }
    }
    let mut name = String::new();
    for word in plain.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        let word = camel(word);
        if name.len() + word.len() > NAME {
            break;
        }
        name.push_str(&word);
    }
    let mut letters = name.chars();
    letters.next().map(|first| format!("{}{}", first.to_ascii_lowercase(), letters.as_str())).unwrap_or_default()
}
