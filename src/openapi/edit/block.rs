//! Edits of block-style YAML, where every member and item has its own lines.

use serde_json::Value;

use super::super::write;
use super::change::{After, Change};
use super::manner::{TextLayout, column, dash_of};
use super::tree::{Entry, Kind, Node};

/// The byte after the end of the line that contains `at`; the text's length on the last line.
fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |end| at + end + 1)
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

/// Inserts lines at a byte that begins a line. If the text has no final line end, one is added first.
fn inserted(text: &str, at: usize, lines: String) -> Change {
    let is_open = at == text.len() && !text.is_empty() && !text.ends_with('\n');
    let with = if is_open { format!("\n{}", lines.trim_end_matches('\n')) } else { lines };
    Change { start: at, end: at, with }
}

/// Adds a member to an object.
pub(super) fn member(
    text: &str,
    entries: &[Entry],
    (key, value): (&str, &Value),
    after: &After,
    manner: TextLayout,
) -> Change {
    let first = entries.first().map_or(0, |entry| entry.start);
    let lines = write::entry(key, value, column(text, first), manner.style);
    let before = match after {
        After::All => entries.last(),
        After::These(keys) => entries.iter().rfind(|entry| keys.contains(&entry.key)),
    };
    match before {
        Some(entry) => inserted(text, line_end(text, entry.value.end), lines),
        // The first member may follow a dash on the same line.
        None if text[line_start(text, first)..first].trim().is_empty() => {
            inserted(text, line_start(text, first), lines)
        }
        None => {
            let column = column(text, first);
            let own = lines.trim_start().to_owned() + &" ".repeat(column);
            Change { start: first, end: first, with: own }
        }
    }
}

/// Replaces the value of a member.
pub(super) fn replaced(text: &str, entry: &Entry, value: &Value, manner: TextLayout) -> Change {
    let plain = !matches!(value, Value::Object(map) if !map.is_empty())
        && !matches!(value, Value::Array(all) if !all.is_empty());
    if matches!(entry.value.kind, Kind::Scalar) && plain && entry.value.start > entry.key_end {
        let is_block = text[entry.value.start..].starts_with(['|', '>']);
        let with = write::scalar(value, manner.style.quote);
        if !is_block && !with.contains('\n') {
            return Change { start: entry.value.start, end: entry.value.end, with };
        }
    }
    let lines = write::entry(&entry.key, value, column(text, entry.start), manner.style);
    let end = entry.value.end.max(entry.key_end + 1);
    Change { start: entry.start, end, with: lines.trim_start().trim_end_matches('\n').to_owned() }
}

/// Appends an item to a list.
pub(super) fn item(text: &str, items: &[Node], value: &Value, manner: TextLayout) -> Change {
    let Some(last) = items.last() else { return Change { start: 0, end: 0, with: String::new() } };
    let dash = dash_of(text, last.start).map_or(0, |dash| column(text, dash));
    inserted(text, line_end(text, last.end), write::item(value, dash, manner.style))
}

/// Removes the lines of a member or item.
pub(super) fn removed(text: &str, (start, end): (usize, usize)) -> Change {
    let start = dash_of(text, start).unwrap_or(start);
    let line = line_start(text, start);
    if text[line..start].trim().is_empty() {
        return Change { start: line, end: line_end(text, end), with: String::new() };
    }
    // The removed part follows a dash or another key on its line; the text after it moves to its place.
    let rest = &text[line_end(text, end)..];
    let next = line_end(text, end) + rest.len() - rest.trim_start().len();
    Change { start, end: next, with: String::new() }
}
