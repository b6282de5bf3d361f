//! Replaces secrets by placeholders without changing the number of lines.

use std::borrow::Cow;
use std::ops::Range;

/// Prefix of every placeholder.
pub const PLACEHOLDER: &str = "<redacted:";

/// The text with a placeholder for each of these ranges, and their number; overlapping ranges count as one.
pub(super) fn without<'t>(text: &'t str, mut found: Vec<(Range<usize>, &'static str)>) -> (Cow<'t, str>, usize) {
    found.retain(|(range, _)| !range.is_empty());
    if found.is_empty() {
        return (Cow::Borrowed(text), 0);
    }
    found.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
    let mut whole: Vec<(Range<usize>, &'static str)> = Vec::new();
    for (range, kind) in found {
        match whole.last_mut() {
            Some((last, _)) if range.start < last.end => last.end = last.end.max(range.end),
            _ => whole.push((range, kind)),
        }
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (range, kind) in &whole {
        out.push_str(&text[at..range.start]);
        for (n, line) in text[range.clone()].split('\n').enumerate() {
            if n > 0 {
                out.push('\n');
            }
            let content = line.trim_end_matches('\r');
            if !content.trim().is_empty() {
                out.push_str(&content[..content.len() - content.trim_start().len()]);
                out.push_str(&format!("{PLACEHOLDER}{kind}>"));
            }
            out.push_str(&line[content.len()..]);
        }
        at = range.end;
    }
    out.push_str(&text[at..]);
    (Cow::Owned(out), whole.len())
}
