//! The text and tokens of one file, shared by the readers of declarations.

use crate::ir::facts::Span;
use crate::syntax::tokens::Tokens;
pub use crate::syntax::tree::parts;
use crate::syntax::tree::{self, Node};

/// Maximum nesting of types, and of expressions in annotation arguments; deeper ones are cut and reported.
pub const MAX_DEPTH: usize = 60;

/// Text and tokens of one file.
pub struct Source<'t> {
    /// The text.
    pub text: &'t str,
    /// Its tokens.
    pub tokens: Tokens<'t>,
}

impl<'t> Source<'t> {
    /// Tokenises a text.
    pub fn of(text: &'t str) -> Self {
        Self { text, tokens: Tokens::of(text) }
    }

    /// Text of a node as written.
    pub fn raw(&self, node: Node<'_>) -> &'t str {
        tree::text(node, self.text)
    }

    /// The tokens of a node, concatenated: a dotted name without white space and comments inside it.
    pub fn joined(&self, node: Node<'_>) -> String {
        let raw = self.raw(node);
        if raw.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$')) {
            return raw.to_owned();
        }
        self.tokens.joined(node.start_byte(), node.end_byte())
    }
}

/// The span from the start of one node to the end of another.
pub fn between(first: Node<'_>, last: Node<'_>) -> Span {
    let (first, last) = (tree::span(first), tree::span(last));
    Span { start: first.start, end: last.end, line: first.line, end_line: last.end_line }
}

/// All children of a node.
pub fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).collect()
}
