//! The syntax tree of a Java file: the only gateway to tree-sitter.

use std::sync::OnceLock;

pub use tree_sitter::{Node, Query, QueryCursor, StreamingIterator, Tree, TreeCursor};

use crate::ir::facts::Span;
use crate::ir::few::SmallList;

thread_local! {
    static PARSER: std::cell::RefCell<Option<tree_sitter::Parser>> = const { std::cell::RefCell::new(None) };
}

/// Parses one file. Always returns a tree for text under 4 GiB: text that is not Java becomes error nodes. `None` if
/// the grammar cannot be loaded, which only a broken build of this binary can cause.
pub fn parse(text: &str) -> Option<Tree> {
    PARSER.with(|cell| {
        let mut slot = cell.borrow_mut();
        if slot.is_none() {
            let mut parser = tree_sitter::Parser::new();
            parser.set_language(&tree_sitter_java::LANGUAGE.into()).ok()?;
            *slot = Some(parser);
        }
        slot.as_mut()?.parse(text, None)
    })
}

/// The grammar's highlight query. `None` if it does not fit the grammar, which only a broken build of this binary can
/// cause.
pub fn highlights() -> Option<&'static Query> {
    static QUERY: OnceLock<Option<Query>> = OnceLock::new();
    let language = || LANGUAGE.get_or_init(|| tree_sitter_java::LANGUAGE.into());
    QUERY.get_or_init(|| Query::new(language(), tree_sitter_java::HIGHLIGHTS_QUERY).ok()).as_ref()
}

/// Numbers of the grammar's kinds and fields. tree-sitter's lookup by name compares with every name, for every node.
struct Grammar {
    kinds: Vec<&'static str>,
    /// Sorted by name.
    fields: Vec<(&'static str, u16)>,
    /// By [`slot`] of the name: a field without a collision is found at once.
    slots: Vec<(&'static str, u16)>,
}

static LANGUAGE: OnceLock<tree_sitter::Language> = OnceLock::new();
static GRAMMAR: OnceLock<Grammar> = OnceLock::new();

impl Grammar {
    fn get() -> &'static Self {
        GRAMMAR.get_or_init(|| {
            let language = LANGUAGE.get_or_init(|| tree_sitter_java::LANGUAGE.into());
            let kinds = 0..language.node_kind_count() as u16;
            let fields = 1..=language.field_count() as u16;
            let mut fields: Vec<(&str, u16)> =
                fields.filter_map(|id| Some((language.field_name_for_id(id)?, id))).collect();
            fields.sort_unstable();
            let mut slots = vec![("", 0); SLOTS];
            fields.iter().for_each(|field| slots[slot(field.0)] = *field);
            Self { kinds: kinds.map(|id| language.node_kind_for_id(id).unwrap_or_default()).collect(), fields, slots }
        })
    }
}

impl Grammar {
    /// The number of a field whose slot another field occupies.
    #[cold]
    fn field(&self, name: &str) -> Option<u16> {
        let place = self.fields.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
        self.fields.get(place).map(|(_, id)| *id)
    }
}

const SLOTS: usize = 256;

/// A hash below [`SLOTS`] of a field name.
#[inline(always)]
fn slot(name: &str) -> usize {
    let bytes = name.as_bytes();
    let byte = |at: usize| bytes.get(at).map_or(0, |byte| usize::from(*byte));
    (byte(0) + byte(2) * 3 + byte(bytes.len().saturating_sub(1)) * 7 + bytes.len() * 17) % SLOTS
}

/// Fast queries on a node.
pub trait Ask: Sized {
    /// The name of its kind.
    fn kind_name(&self) -> &'static str;
    /// The child in this field.
    fn by_field(&self, name: &str) -> Option<Self>;
}

impl Ask for Node<'_> {
    #[inline]
    fn kind_name(&self) -> &'static str {
        // Error nodes have a kind number outside the table.
        Grammar::get().kinds.get(usize::from(self.kind_id())).copied().unwrap_or("ERROR")
    }

    // Always inlined: callers pass constant names, so the slot is computed at compile time and the comparison is
    // fast.
    #[inline(always)]
    fn by_field(&self, name: &str) -> Option<Self> {
        let grammar = Grammar::get();
        match grammar.slots.get(slot(name)) {
            Some((known, id)) if *known == name => self.child_by_field_id(*id),
            _ => self.child_by_field_id(grammar.field(name)?),
        }
    }
}

/// A short list of nodes.
pub type Parts<'t> = SmallList<Node<'t>>;

/// Up to this many children, access by index costs less than a cursor.
const ONE_BY_ONE: usize = 8;

/// The named children of a node without comments.
pub fn parts(node: Node<'_>) -> Parts<'_> {
    let count = node.named_child_count();
    let mut found = SmallList::none(node);
    if count <= ONE_BY_ONE {
        let children = (0..count as u32).filter_map(|at| node.named_child(at));
        children.filter(|child| !is_comment(*child)).for_each(|child| found.push(child));
        return found;
    }
    let mut cursor = node.walk();
    let mut left = count;
    let mut more = cursor.goto_first_child();
    while more {
        let child = cursor.node();
        if child.is_named() {
            left -= 1;
            if !is_comment(child) {
                found.push(child);
            }
        }
        // Only brackets follow the last named child.
        more = left > 0 && cursor.goto_next_sibling();
    }
    found
}

/// Whether a node is a comment.
pub fn is_comment(node: Node<'_>) -> bool {
    // Besides comments, only errors can occur anywhere in the tree.
    node.is_extra() && matches!(node.kind_name(), "line_comment" | "block_comment")
}

/// The source span of a node.
pub fn span(node: Node<'_>) -> Span {
    Span {
        start: node.start_byte() as u32,
        end: node.end_byte() as u32,
        line: node.start_position().row as u32 + 1,
        end_line: node.end_position().row as u32 + 1,
    }
}

/// Source text of a node.
pub fn text<'a>(node: Node<'_>, source: &'a str) -> &'a str {
    source.get(node.byte_range()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_has_a_slot_to_itself() {
        let Grammar { fields, slots, .. } = Grammar::get();
        for field in fields {
            assert_eq!(slots[slot(field.0)], *field);
        }
        assert!(fields.len() > 30);
    }
}
