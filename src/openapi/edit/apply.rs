//! Applies an edit to the text of a document.

use super::change::{Act, Change, Edit, EditError, Edited};
use super::manner::TextLayout;
use super::tree::{Kind, Node};
use super::{block, flow, json_tree, yaml_tree};

/// Applies an edit to a text of JSON or YAML.
///
/// # Errors
/// The text cannot be parsed, or the edited place is missing or is written elsewhere, behind an alias or a merge key.
pub fn apply(text: &str, edit: &Edit, manner: TextLayout) -> Result<Edited, EditError> {
    let root = if manner.is_json { json_tree::read(text)? } else { yaml_tree::read(text)? };
    let elsewhere = || EditError::Elsewhere(edit.at.join("/"));
    let change = match &edit.act {
        Act::Remove => removal(text, &root, &edit.at).ok_or_else(elsewhere)?,
        Act::Set { key, value, after } => {
            let node = root.find(&edit.at).ok_or_else(elsewhere)?;
            let Kind::Map { entries, is_flow } = &node.kind else { return Err(elsewhere()) };
            match entries.iter().find(|entry| entry.key == *key) {
                Some(entry) if matches!(entry.value.kind, Kind::Alias) => return Err(elsewhere()),
                Some(entry) if *is_flow => flow::replaced(text, entry, value, manner),
                Some(entry) => block::replaced(text, entry, value, manner),
                None if *is_flow => flow::member(text, node, (key, value), after, manner),
                None => block::member(text, entries, (key, value), after, manner),
            }
        }
        Act::Append(value) => {
            let node = root.find(&edit.at).ok_or_else(elsewhere)?;
            match &node.kind {
                Kind::List { is_flow: true, .. } => flow::item(text, node, value, manner),
                Kind::List { items, is_flow: false } => block::item(text, items, value, manner),
                _ => return Err(elsewhere()),
            }
        }
    };
    Ok(change.applied(text))
}

/// The change that removes a node. If its list or object has no other part, that is removed too.
fn removal(text: &str, root: &Node, at: &[String]) -> Option<Change> {
    let (last, above) = at.split_last()?;
    let holder = root.find(above)?;
    let (index, count, is_flow) = match &holder.kind {
        Kind::List { items, is_flow } => (last.parse().ok()?, items.len(), *is_flow),
        Kind::Map { entries, is_flow } => {
            (entries.iter().position(|entry| entry.key == *last)?, entries.len(), *is_flow)
        }
        _ => return None,
    };
    if count == 1 && !above.is_empty() {
        return removal(text, root, above);
    }
    let spans = holder.spans();
    let span = spans.get(index)?;
    Some(if is_flow { flow::removed(text, &spans, index) } else { block::removed(text, *span) })
}
