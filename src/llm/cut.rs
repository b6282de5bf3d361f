//! Replies that were cut at the token limit: detects repetition, and extracts the complete part.

/// Minimum length of a repetition in bytes.
const REPEATED: usize = 240;
/// Longest period of a repetition in bytes.
const PERIOD: usize = 1200;

/// Minimum number of repeats where only numbers differ.
const COUNTED: usize = 15;

/// Whether a text ends in a loop: it repeats a part at least three times, or more often where only numbers differ
/// (`F3:41`, `F3:42`, …).
pub(super) fn runs_in_circles(text: &str) -> bool {
    repeats(text.as_bytes(), 2) || repeats(uncounted(text).as_bytes(), COUNTED)
}

/// Whether the text ends in a part that repeats the part before it at least `times` times.
fn repeats(bytes: &[u8], times: usize) -> bool {
    let repeats = |period: usize| {
        let same = bytes.iter().rev().zip(bytes.iter().rev().skip(period)).take_while(|(a, b)| a == b).count();
        same >= (times * period).max(REPEATED)
    };
    (1..=PERIOD.min(bytes.len() / (times + 1))).any(repeats)
}

/// The text with every number replaced by `0`.
fn uncounted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c.is_ascii_digit() {
            true if out.ends_with('0') => {}
            true => out.push('0'),
            false => out.push(c),
        }
    }
    out
}

/// The text up to the last complete element of its outermost list, with all brackets closed; `None` where no element is
/// complete.
pub(super) fn whole_part(text: &str) -> Option<String> {
    let start = text.find(['{', '['])?;
    let mut open: Vec<char> = Vec::new();
    let mut quoted = false;
    let mut escaped = false;
    let mut end: Option<(usize, Vec<char>)> = None;
    for (at, c) in text.get(start..)?.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '{' | '[' => open.push(c),
            '}' | ']' => {
                open.pop()?;
                let lists = open.iter().filter(|bracket| **bracket == '[').count();
                let is_element = c == '}' && lists == 1 && open.last() == Some(&'[');
                if is_element || (c == ']' && lists == 0) {
                    end = Some((at + 1, open.clone()));
                }
                if open.is_empty() {
                    break;
                }
            }
            _ => {}
        }
    }
    let (length, open) = end?;
    let closing = open.iter().rev().map(|bracket| if *bracket == '{' { '}' } else { ']' });
    Some(text.get(start..start + length)?.chars().chain(closing).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_whole_is_kept_and_closed() {
        for (text, whole) in [
            (r#"{"oracles": [{"a": 1}, {"b": [{"c": 1}, {"d"#, Some(r#"{"oracles": [{"a": 1}]}"#)),
            (r#"so: {"a": [{"x": "}]"}], "b": [{"y": 2}, {"#, Some(r#"{"a": [{"x": "}]"}], "b": [{"y": 2}]}"#)),
            (r#"{"a": [{"x": 1}], "b": "and so"#, Some(r#"{"a": [{"x": 1}]}"#)),
            (r#"[{"x": 1}, {"x"#, Some(r#"[{"x": 1}]"#)),
            (r#"{"oracles": [{"a": "on and on"#, None),
            ("]}", None),
            ("nothing", None),
        ] {
            assert_eq!(whole_part(text).as_deref(), whole, "{text}");
        }
    }

    #[test]
    fn a_text_that_repeats_its_end_runs_in_circles() {
        let circle = "The fields are present and have the correct values. ".repeat(12);
        assert!(runs_in_circles(&format!("{{\"rationale\": \"{circle}The fields")));
        assert!(runs_in_circles(&"\n".repeat(500)));
        let counting: String = (24..95).map(|line| format!("\"F3:{line}\",\n")).collect();
        assert!(runs_in_circles(&format!("{{\"evidence\": [{counting}")));
        let list: String = (0..12).map(|n| format!("{{\"n\": {n}, \"status\": 200}}, ")).collect();
        assert!(!runs_in_circles(&list));
        assert!(!runs_in_circles("short"));
    }
}
