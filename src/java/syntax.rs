//! The syntax tree of a Java file: the only file that knows tree-sitter.

use std::sync::OnceLock;

pub use tree_sitter::{Node, Query, QueryCursor, StreamingIterator, Tree, TreeCursor};

use super::facts::Span;
use super::few::Few;

thread_local! {
    static PARSER: std::cell::RefCell<Option<tree_sitter::Parser>> = const { std::cell::RefCell::new(None) };
}

/// Parses one file. Always gives a tree for text under 4 GiB: what is not Java becomes error nodes. `None` where the grammar
/// cannot be loaded, which only a broken build of this binary can cause.
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

/// The grammar's own query of what to highlight. `None` where it does not fit the grammar, which only a broken build of this binary can cause.
pub fn highlights() -> Option<&'static Query> {
    static QUERY: OnceLock<Option<Query>> = OnceLock::new();
    let language = || LANGUAGE.get_or_init(|| tree_sitter_java::LANGUAGE.into());
    QUERY.get_or_init(|| Query::new(language(), tree_sitter_java::HIGHLIGHTS_QUERY).ok()).as_ref()
}

/// What the grammar calls kinds and fields, by number: asking by name compares it with each of them, for every node.
struct Grammar {
    kinds: Vec<&'static str>,
    /// By name.
    fields: Vec<(&'static str, u16)>,
    /// By [`slot`] of the name: where one has it to itself, it is found at once.
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
    /// The number of a field that shares its slot.
    #[cold]
    fn field(&self, name: &str) -> Option<u16> {
        let place = self.fields.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
        self.fields.get(place).map(|(_, id)| *id)
    }
}

const SLOTS: usize = 256;

/// A number below [`SLOTS`] for the name of a field.
#[inline(always)]
fn slot(name: &str) -> usize {
    let bytes = name.as_bytes();
    let byte = |at: usize| bytes.get(at).map_or(0, |byte| usize::from(*byte));
    (byte(0) + byte(2) * 3 + byte(bytes.len().saturating_sub(1)) * 7 + bytes.len() * 17) % SLOTS
}

/// What is asked of every node.
pub trait Ask: Sized {
    /// The name of its kind.
    fn kind_name(&self) -> &'static str;
    /// The child in this field.
    fn by_field(&self, name: &str) -> Option<Self>;
}

impl Ask for Node<'_> {
    #[inline]
    fn kind_name(&self) -> &'static str {
        // The kind of errors is in no table.
        Grammar::get().kinds.get(usize::from(self.kind_id())).copied().unwrap_or("ERROR")
    }

    // Names are written where they are asked for: in line their places are known, and they are compared at once.
    #[inline(always)]
    fn by_field(&self, name: &str) -> Option<Self> {
        let grammar = Grammar::get();
        match grammar.slots.get(slot(name)) {
            Some((known, id)) if *known == name => self.child_by_field_id(*id),
            _ => self.child_by_field_id(grammar.field(name)?),
        }
    }
}

/// Some nodes.
pub type Parts<'t> = Few<Node<'t>>;

/// Up to so many children are looked for one by one: that costs less than a cursor.
const ONE_BY_ONE: usize = 8;

/// Named children of a node that are no comments.
pub fn parts(node: Node<'_>) -> Parts<'_> {
    let count = node.named_child_count();
    let mut found = Few::none(node);
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
        // Behind the last one stand brackets, which are not looked at.
        more = left > 0 && cursor.goto_next_sibling();
    }
    found
}

/// Whether a node is a comment.
pub fn is_comment(node: Node<'_>) -> bool {
    // Nothing else may stand anywhere but errors.
    node.is_extra() && matches!(node.kind_name(), "line_comment" | "block_comment")
}

/// Where a node stands.
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
