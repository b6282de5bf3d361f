//! Replies that were cut at their limit: what they say in whole, and whether more room would help.

/// Bytes that must repeat before it counts.
const REPEATED: usize = 240;
/// The longest part that is looked for at the end of a text, in bytes.
const PERIOD: usize = 1200;

/// Whether the end of a text says the same again and again: at least three times, as models do that have lost the thread.
pub(super) fn runs_in_circles(text: &str) -> bool {
    let bytes = text.as_bytes();
    let repeats = |period: usize| {
        let same = bytes.iter().rev().zip(bytes.iter().rev().skip(period)).take_while(|(a, b)| a == b).count();
        same >= (2 * period).max(REPEATED)
    };
    (1..=PERIOD.min(bytes.len() / 3)).any(repeats)
}

/// The whole elements of the outermost lists, closed behind the last of them; none where not one is whole.
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
        let list: String = (0..80).map(|n| format!("{{\"n\": {n}, \"status\": 200}}, ")).collect();
        assert!(!runs_in_circles(&list));
        assert!(!runs_in_circles("short"));
    }
}
