//! The syntax tree of a Java file: the only file that knows tree-sitter.

pub use tree_sitter::{Node, Tree, TreeCursor};

use super::facts::Span;

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
            parser.set_language(&tree_sitter_java_orchard::LANGUAGE.into()).ok()?;
            *slot = Some(parser);
        }
        slot.as_mut()?.parse(text, None)
    })
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
