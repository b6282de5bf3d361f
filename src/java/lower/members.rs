//! Lowering: translates the syntax tree of a file to a [`Body`] for each of its members.
//!
//! Recursion is bounded: chains that code makes long (`a + b + …`, `x.a().b()…`, `else if`, `? : ? :`) are walked in
//! loops, and other code nested deeper than [`MAX_DEPTH`] becomes `Unknown`.

use std::cell::Cell;
use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::ir::body::{Body, Expr, ExprId, ExprKind, Root, Stmt, StmtId, StmtKind};
use crate::ir::facts::{FileFacts, MemberFacts, MemberKind, Nesting, Span, TypeFacts, TypeRef, Word};
use crate::syntax::tree::{self, Ask, Node};
use crate::syntax::type_refs::children;

/// Maximum nesting depth of expressions and statements. Hand-written code stays far below; every walker of a [`Body`]
/// may recurse this far.
pub const MAX_DEPTH: u32 = 160;

/// The kind of the `Unknown` node that replaces code beyond [`MAX_DEPTH`].
pub const TOO_DEEP: &str = "nesting too deep";

/// Lowers every body of a file: by type and by member, in the order of its facts. `None` for a member without code.
pub fn lower_file(text: &str, facts: &FileFacts) -> Vec<Vec<Option<Body>>> {
    match tree::parse(text) {
        Some(tree) => lower_tree(tree.root_node(), text, facts),
        None => facts.types.iter().map(|ty| vec![None; ty.members.len()]).collect(),
    }
}

/// Lowers every body of a parsed file.
pub fn lower_tree(root: Node<'_>, text: &str, facts: &FileFacts) -> Vec<Vec<Option<Body>>> {
    let types = type_indexes(facts);
    let mut lower = BodyLowerer { text, types: &types, body: ROOM.take(), unknown: BTreeSet::new(), says_super: false };
    let mut of_type = |ty: &TypeFacts| ty.members.iter().map(|member| lower.member(root, ty, member)).collect();
    let bodies = facts.types.iter().map(&mut of_type).collect();
    if lower.body.exprs.capacity() <= MAX_ROOM {
        ROOM.set(lower.body);
    }
    bodies
}

thread_local! {
    /// Reusable buffers in which this thread builds bodies; empty between files.
    static ROOM: Cell<Body> = Cell::default();
}

/// Larger expression buffers are not kept from one file to the next.
const MAX_ROOM: usize = 1 << 14;

/// Indexes of local and anonymous types by start and end offset, for references from bodies.
fn type_indexes(facts: &FileFacts) -> FxHashMap<(u32, u32), u32> {
    let inner = |ty: &TypeFacts| matches!(ty.nesting, Nesting::Local | Nesting::Anonymous);
    let found = facts.types.iter().enumerate().filter(|(_, ty)| inner(ty));
    found.map(|(index, ty)| ((ty.span.start, ty.span.end), index as u32)).collect()
}

/// The innermost node of a kind that encloses a span.
fn covering<'t>(root: Node<'t>, span: Span, kind: &str) -> Option<Node<'t>> {
    let mut node = root.descendant_for_byte_range(span.start as usize, span.end as usize)?;
    while node.kind_name() != kind {
        node = node.parent()?;
    }
    Some(node)
}

/// State of lowering the bodies of one file.
pub(crate) struct BodyLowerer<'a> {
    /// Source text of the file.
    pub(crate) text: &'a str,
    /// Local and anonymous types of the file by start and end.
    types: &'a FxHashMap<(u32, u32), u32>,
    body: Body,
    unknown: BTreeSet<String>,
    /// Whether the body contains the word `super`.
    pub(crate) says_super: bool,
}

impl BodyLowerer<'_> {
    fn member(&mut self, root: Node<'_>, ty: &TypeFacts, member: &MemberFacts) -> Option<Body> {
        let (node, is_constant) = match member.kind {
            MemberKind::EnumConstant => (covering(root, member.name_span, "enum_constant")?, true),
            _ => {
                let span = member.body?;
                let node = root.descendant_for_byte_range(span.start as usize, span.end as usize)?;
                if node.start_byte() != span.start as usize || node.end_byte() != span.end as usize {
                    return None;
                }
                (node, false)
            }
        };
        self.says_super = tree::text(node, self.text).contains("super");
        let start = match node.kind_name() {
            _ if is_constant => Root::Expr(self.enum_constant(node, &ty.name)),
            "block" | "constructor_body" => Root::Stmt(self.stmt(node, 0)),
            "annotation" | "marker_annotation" | "element_value_array_initializer" => return None,
            _ => Root::Expr(self.expr(node, 0)),
        };
        Some(self.finish(start, node))
    }

    /// Copies the finished body out at its exact size and leaves the buffers for the next one.
    fn finish(&mut self, root: Root, node: Node<'_>) -> Body {
        if node.has_error() {
            self.unknown.insert("ERROR".into());
        }
        Body {
            exprs: self.body.exprs.drain(..).collect(),
            stmts: self.body.stmts.drain(..).collect(),
            root: Some(root),
            unknown: std::mem::take(&mut self.unknown).into_iter().collect(),
        }
    }

    /// Adds an expression.
    pub(crate) fn add(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.body.exprs.push(Expr { kind, span });
        ExprId(self.body.exprs.len() as u32 - 1)
    }

    /// Adds a statement.
    pub(super) fn add_stmt(&mut self, kind: StmtKind, span: Span) -> StmtId {
        self.body.stmts.push(Stmt { kind, span });
        StmtId(self.body.stmts.len() as u32 - 1)
    }

    /// Adds an expression that could not be lowered.
    pub(crate) fn unknown(&mut self, what: &str, span: Span) -> ExprId {
        self.unknown.insert(what.to_owned());
        self.add(ExprKind::Unknown(what.to_owned()), span)
    }

    /// Adds a statement that could not be lowered.
    pub(super) fn unknown_stmt(&mut self, what: &str, span: Span) -> StmtId {
        self.unknown.insert(what.to_owned());
        self.add_stmt(StmtKind::Unknown(what.to_owned()), span)
    }

    /// The source text of a node.
    pub(crate) fn str(&self, node: Node<'_>) -> String {
        tree::text(node, self.text).to_owned()
    }

    /// The source text of a node as a name.
    pub(crate) fn word(&self, node: Node<'_>) -> Word {
        tree::text(node, self.text).into()
    }

    /// The index in the file of the type that this node declares.
    pub(super) fn type_index(&self, node: Node<'_>) -> Option<u32> {
        self.types.get(&(node.start_byte() as u32, node.end_byte() as u32)).copied()
    }

    /// The index in the file of the anonymous class that `creation` (or an enum constant) declares with this class
    /// body.
    pub(crate) fn anonymous(&self, creation: Node<'_>, class_body: Option<Node<'_>>) -> Option<u32> {
        let class_body = class_body?;
        self.type_index(class_body).or_else(|| self.type_index(creation))
    }

    /// Lowers `A(args) {…}` as `new TheEnum(args) {…}`.
    fn enum_constant(&mut self, node: Node<'_>, ty: &str) -> ExprId {
        let args = node.by_field("arguments").map(|list| self.args(list, 0)).unwrap_or_default();
        let anonymous = self.anonymous(node, node.by_field("body"));
        let ty = TypeRef::named(ty);
        self.add(ExprKind::New { ty, diamond: false, outer: None, args, anonymous }, tree::span(node))
    }

    /// Lowers the expressions of an argument list.
    pub(crate) fn args(&mut self, list: Node<'_>, depth: u32) -> Vec<ExprId> {
        children(list).into_iter().map(|arg| self.expr(arg, depth + 1)).collect()
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
