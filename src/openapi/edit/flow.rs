//! Edits of JSON and of flow-style YAML, where parts are written in braces and brackets.

use serde_json::Value;

use super::change::{After, Change};
use super::manner::{TextLayout, column};
use super::tree::{Entry, Kind, Node};

/// A value as JSON: on one line, or over several lines whose first is indented to the given column.
fn written(value: &Value, lines_from: Option<usize>, manner: TextLayout) -> String {
    let Some(column) = lines_from else { return in_one_line(value) };
    let (unit, start) = match manner.has_tabs {
        true => ("\t".to_owned(), "\t".repeat(column)),
        false => (" ".repeat(manner.style.step), " ".repeat(column)),
    };
    pretty(value, &unit, &start)
}

fn in_one_line(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let members: Vec<String> = map
                .iter()
                .map(|(key, inner)| format!("{}: {}", Value::from(key.as_str()), in_one_line(inner)))
                .collect();
            format!("{{{}}}", members.join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(in_one_line).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

fn pretty(value: &Value, unit: &str, start: &str) -> String {
    let inner = format!("{start}{unit}");
    match value {
        Value::Object(map) if !map.is_empty() => {
            let members: Vec<String> = map
                .iter()
                .map(|(key, value)| format!("{inner}{}: {}", Value::from(key.as_str()), pretty(value, unit, &inner)))
                .collect();
            format!("{{\n{}\n{start}}}", members.join(",\n"))
        }
        Value::Array(items) if !items.is_empty() => {
            let items: Vec<String> =
                items.iter().map(|item| format!("{inner}{}", pretty(item, unit, &inner))).collect();
            format!("[\n{}\n{start}]", items.join(",\n"))
        }
        other => other.to_string(),
    }
}

/// The column of the first part if the parts are on lines of their own.
fn own_lines(text: &str, node: &Node) -> Option<usize> {
    let (first, _) = *node.spans().first()?;
    text[node.start..first].contains('\n').then(|| column(text, first))
}

/// Adds a part after the one with this index, or before all others.
fn added(
    text: &str,
    node: &Node,
    before: Option<usize>,
    part: &dyn Fn(Option<usize>) -> String,
    manner: TextLayout,
) -> Change {
    let spans = node.spans();
    let lines = own_lines(text, node);
    if spans.is_empty() {
        // An empty object or list of JSON with line breaks is expanded, and indented relative to its own line.
        let line = &text[text[..node.start].rfind('\n').map_or(0, |end| end + 1)..node.start];
        let own = line.chars().take_while(|c| c.is_whitespace()).count();
        let is_laid_out = manner.is_json && text.contains('\n');
        let (open, close) = (&text[node.start..=node.start], &text[node.end - 1..node.end]);
        let with = match is_laid_out {
            false => format!("{open}{}{close}", part(None)),
            true => {
                let step = if manner.has_tabs { 1 } else { manner.style.step };
                let indent = |columns: usize| if manner.has_tabs { "\t".repeat(columns) } else { " ".repeat(columns) };
                format!("{open}\n{}{}\n{}{close}", indent(own + step), part(Some(own + step)), indent(own))
            }
        };
        return Change { start: node.start, end: node.end, with };
    }
    let indent = |columns: usize| if manner.has_tabs { "\t".repeat(columns) } else { " ".repeat(columns) };
    match (before.and_then(|index| spans.get(index)), lines) {
        (Some((_, end)), Some(columns)) => {
            Change { start: *end, end: *end, with: format!(",\n{}{}", indent(columns), part(lines)) }
        }
        (Some((_, end)), None) => Change { start: *end, end: *end, with: format!(", {}", part(None)) },
        (None, _) => {
            let first = spans.first().map_or(node.start + 1, |(start, _)| *start);
            let gap = lines.map_or_else(|| " ".to_owned(), |columns| format!("\n{}", indent(columns)));
            Change { start: first, end: first, with: format!("{},{gap}", part(lines)) }
        }
    }
}

/// Adds a member to an object.
pub(super) fn member(
    text: &str,
    node: &Node,
    (key, value): (&str, &Value),
    after: &After,
    manner: TextLayout,
) -> Change {
    let Kind::Map { entries, .. } = &node.kind else { return Change { start: 0, end: 0, with: String::new() } };
    let before = match after {
        After::All => entries.len().checked_sub(1),
        After::These(keys) => entries.iter().rposition(|entry| keys.contains(&entry.key)),
    };
    let part = |lines: Option<usize>| format!("{}: {}", Value::from(key), written(value, lines, manner));
    added(text, node, before, &part, manner)
}

/// Appends an item to a list.
pub(super) fn item(text: &str, node: &Node, value: &Value, manner: TextLayout) -> Change {
    let before = node.spans().len().checked_sub(1);
    added(text, node, before, &|lines| written(value, lines, manner), manner)
}

/// Replaces the value of a member.
pub(super) fn replaced(text: &str, entry: &Entry, value: &Value, manner: TextLayout) -> Change {
    let lines = (manner.is_json && text.contains('\n')).then(|| column(text, entry.start));
    Change { start: entry.value.start, end: entry.value.end, with: written(value, lines, manner) }
}

/// Removes a part and the comma between it and its neighbour.
pub(super) fn removed(text: &str, spans: &[(usize, usize)], index: usize) -> Change {
    let none = Change { start: 0, end: 0, with: String::new() };
    let Some((start, end)) = spans.get(index).copied() else { return none };
    let (start, end) = match (index.checked_sub(1).and_then(|before| spans.get(before)), spans.get(index + 1)) {
        (Some((_, before)), _) => (*before, end),
        (None, Some((next, _))) => (start, *next),
        (None, None) => (start, end),
    };
    debug_assert!(end <= text.len());
    Change { start, end, with: String::new() }
}
