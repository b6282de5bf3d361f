//! Sanitises text written by a model: one line, limited length, no control characters.

/// Maximum length of a name or value, in characters.
const LINE: usize = 200;
/// Maximum length of a sentence, in characters.
const SENTENCE: usize = 400;
/// Maximum length of a test name, in characters.
const NAME: usize = 80;

/// One line of limited length.
pub fn line(text: &str) -> String {
    bounded(text, LINE)
}

/// One sentence of limited length.
pub fn sentence(text: &str) -> String {
    bounded(text, SENTENCE)
}

fn bounded(text: &str, most: usize) -> String {
    let clean: String = text.chars().map(|c| if disturbs(c) { ' ' } else { c }).collect();
    let clean = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    match clean.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &clean[..end]),
        None => clean,
    }
}

/// Control characters, and characters that change the direction or appearance of text.
fn disturbs(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// A test id of lower-case letters, digits and `_`, starting with its strategy.
pub fn test_id(text: &str, prefix: &str) -> String {
    let lower: String =
        text.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    let name: Vec<&str> = lower.split('_').filter(|part| !part.is_empty()).collect();
    let name = name.join("_");
    let rest = name.strip_prefix(prefix).unwrap_or(&name).trim_start_matches('_');
    let rest: String = rest.chars().take(NAME).collect();
    let rest = rest.trim_end_matches('_');
    if rest.is_empty() { format!("{prefix}_case") } else { format!("{prefix}_{rest}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_lines_of_models_are_made_plain() {
        assert_eq!(test_id("FV: a `weird`  Name/../x", "fv"), "fv_a_weird_name_x");
        assert_eq!(test_id("fi_code_too_short", "fi"), "fi_code_too_short");
        assert_eq!(test_id("../../etc", "bv"), "bv_etc");
        assert_eq!(test_id("…", "bi"), "bi_case");
        assert_eq!(line("a\nb\u{202e}c\u{0}"), "a b c");
        assert_eq!(line(&"x".repeat(500)).chars().count(), LINE + 1);
    }
}
