//! The layout of a text: its indentation, the column of list dashes, and the quotes around strings.

use super::super::write::Style;
use super::tree::{Kind, Node};
use super::{json_tree, yaml_tree};

/// The layout of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextLayout {
    /// Whether it is JSON.
    pub is_json: bool,
    /// Indentation and quotes.
    pub style: Style,
    /// Whether JSON is indented by tabs.
    pub has_tabs: bool,
}

impl TextLayout {
    /// Detects the layout of a text; where the text does not show it, the common default.
    pub fn of(text: &str) -> Self {
        if let Ok(root) = json_tree::read(text) {
            let mut style = Style::default();
            let inner = steps(text, &root);
            style.step = inner.first().copied().unwrap_or(2).clamp(1, 8);
            return Self { is_json: true, style, has_tabs: text.contains("\n\t") };
        }
        let mut style = Style::default();
        if let Ok(root) = yaml_tree::read(text) {
            style.step = most(&steps(text, &root)).unwrap_or(2).clamp(1, 8);
            let mut dashes = Vec::new();
            dash_columns(text, &root, &mut dashes);
            style.dash = most(&dashes).unwrap_or(style.step);
        }
        style.quote = if text.matches('\'').count() > text.matches('"').count() { '\'' } else { '"' };
        Self { is_json: false, style, has_tabs: false }
    }
}

/// The column of a byte.
pub(super) fn column(text: &str, at: usize) -> usize {
    let before = &text[..at];
    before[before.rfind('\n').map_or(0, |end| end + 1)..].chars().count()
}

/// The indentation of nested members relative to the object around them, once for each object.
fn steps(text: &str, node: &Node) -> Vec<usize> {
    let mut found = Vec::new();
    if let Kind::Map { entries, .. } = &node.kind {
        let own = entries.first().map(|entry| column(text, entry.start));
        // A JSON object on one line shows no indentation.
        if let (true, Some(own)) = (text[node.start..].starts_with('{'), own) {
            found.extend(text[node.start..node.end].contains('\n').then_some(own));
        }
        for entry in entries {
            let inner = match &entry.value.kind {
                Kind::Map { entries, is_flow: false } => entries.first().map(|first| column(text, first.start)),
                _ => None,
            };
            found.extend(inner.zip(own).and_then(|(inner, own)| inner.checked_sub(own)));
            found.extend(steps(text, &entry.value).into_iter().filter(|_| !text[node.start..].starts_with('{')));
        }
    }
    found
}

/// The indentation of list dashes relative to the keys of their lists.
fn dash_columns(text: &str, node: &Node, found: &mut Vec<usize>) {
    match &node.kind {
        Kind::Map { entries, is_flow: false } => {
            for entry in entries {
                if let Kind::List { items, is_flow: false } = &entry.value.kind {
                    let dash = items.first().and_then(|item| dash_of(text, item.start));
                    let (key, dash) = (column(text, entry.start), dash.map(|dash| column(text, dash)));
                    found.extend(dash.and_then(|dash| dash.checked_sub(key)));
                }
                dash_columns(text, &entry.value, found);
            }
        }
        Kind::List { items, is_flow: false } => items.iter().for_each(|item| dash_columns(text, item, found)),
        _ => {}
    }
}

/// The dash before an item that begins at this byte.
pub(super) fn dash_of(text: &str, item: usize) -> Option<usize> {
    let before = text[..item].trim_end_matches([' ', '\t']);
    before.ends_with('-').then(|| before.len() - 1)
}

fn most(all: &[usize]) -> Option<usize> {
    let count = |value: &usize| all.iter().filter(|other| *other == value).count();
    all.iter().max_by_key(|value| (count(value), usize::MAX - **value)).copied()
}
