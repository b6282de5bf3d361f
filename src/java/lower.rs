//! Lowering: from the syntax tree of a file to the [`Body`] of each of its members.
//!
//! Recursion is bounded: chains that code makes long (`a + b + …`, `x.a().b()…`, `else if`, `? : ? :`) are walked in loops, and what is nested
//! deeper than [`MAX_DEPTH`] otherwise becomes `Unknown`.

use std::cell::Cell;
use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::body::{Body, Expr, ExprId, ExprKind, Root, Stmt, StmtId, StmtKind};
use super::facts::{FileFacts, MemberFacts, MemberKind, Nesting, Span, TypeFacts, TypeRef, Word};
use super::syntax::{self, Ask, Node};
use super::type_refs::children;

/// How deep expressions and statements may nest; people stay far below, and every walker of a [`Body`] may recurse this far.
pub const MAX_DEPTH: u32 = 160;

/// What stands in the place of code beyond [`MAX_DEPTH`].
pub const TOO_DEEP: &str = "nesting too deep";

/// Lowers every body of a file: by type and by member, in the order of its facts. `None` where a member has nothing that runs.
pub fn lower_file(text: &str, facts: &FileFacts) -> Vec<Vec<Option<Body>>> {
    match syntax::parse(text) {
        Some(tree) => lower_tree(tree.root_node(), text, facts),
        None => facts.types.iter().map(|ty| vec![None; ty.members.len()]).collect(),
    }
}

/// Lowers every body of a file that has been parsed.
pub fn lower_tree(root: Node<'_>, text: &str, facts: &FileFacts) -> Vec<Vec<Option<Body>>> {
    let types = type_indexes(facts);
    let mut lower = Lower { text, types: &types, body: ROOM.take(), unknown: BTreeSet::new(), says_super: false };
    let mut of_type = |ty: &TypeFacts| ty.members.iter().map(|member| lower.member(root, ty, member)).collect();
    let bodies = facts.types.iter().map(&mut of_type).collect();
    if lower.body.exprs.capacity() <= MAX_ROOM {
        ROOM.set(lower.body);
    }
    bodies
}

thread_local! {
    /// Room in which this thread makes bodies; empty between files.
    static ROOM: Cell<Body> = Cell::default();
}

/// Room for more expressions is not kept from one file to the next.
const MAX_ROOM: usize = 1 << 14;

/// Local and anonymous types by where they start and end, so that bodies can refer to them.
fn type_indexes(facts: &FileFacts) -> FxHashMap<(u32, u32), u32> {
    let inner = |ty: &TypeFacts| matches!(ty.nesting, Nesting::Local | Nesting::Anonymous);
    let found = facts.types.iter().enumerate().filter(|(_, ty)| inner(ty));
    found.map(|(index, ty)| ((ty.span.start, ty.span.end), index as u32)).collect()
}

/// The nearest node of a kind around a place.
fn covering<'t>(root: Node<'t>, span: Span, kind: &str) -> Option<Node<'t>> {
    let mut node = root.descendant_for_byte_range(span.start as usize, span.end as usize)?;
    while node.kind_name() != kind {
        node = node.parent()?;
    }
    Some(node)
}

/// The bodies of a file on their way, one after the other.
pub(super) struct Lower<'a> {
    /// Source text of the file.
    pub(super) text: &'a str,
    /// Local and anonymous types of the file by start and end.
    types: &'a FxHashMap<(u32, u32), u32>,
    body: Body,
    unknown: BTreeSet<String>,
    /// Whether the word `super` stands anywhere in the body.
    pub(super) says_super: bool,
}

impl Lower<'_> {
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
        self.says_super = syntax::text(node, self.text).contains("super");
        let start = match node.kind_name() {
            _ if is_constant => Root::Expr(self.enum_constant(node, &ty.name)),
            "block" | "constructor_body" => Root::Stmt(self.stmt(node, 0)),
            "annotation" | "marker_annotation" | "element_value_array_initializer" => return None,
            _ => Root::Expr(self.expr(node, 0)),
        };
        Some(self.finish(start, node))
    }

    /// Takes the body out, no larger than it is; the room that it was made in is for the next one.
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
    pub(super) fn add(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.body.exprs.push(Expr { kind, span });
        ExprId(self.body.exprs.len() as u32 - 1)
    }

    /// Adds a statement.
    pub(super) fn add_stmt(&mut self, kind: StmtKind, span: Span) -> StmtId {
        self.body.stmts.push(Stmt { kind, span });
        StmtId(self.body.stmts.len() as u32 - 1)
    }

    /// Adds an expression that was not understood.
    pub(super) fn unknown(&mut self, what: &str, span: Span) -> ExprId {
        self.unknown.insert(what.to_owned());
        self.add(ExprKind::Unknown(what.to_owned()), span)
    }

    /// Adds a statement that was not understood.
    pub(super) fn unknown_stmt(&mut self, what: &str, span: Span) -> StmtId {
        self.unknown.insert(what.to_owned());
        self.add_stmt(StmtKind::Unknown(what.to_owned()), span)
    }

    /// Text of a node.
    pub(super) fn str(&self, node: Node<'_>) -> String {
        syntax::text(node, self.text).to_owned()
    }

    /// A name.
    pub(super) fn word(&self, node: Node<'_>) -> Word {
        syntax::text(node, self.text).into()
    }

    /// The file's index of the type declared by this node.
    pub(super) fn type_index(&self, node: Node<'_>) -> Option<u32> {
        self.types.get(&(node.start_byte() as u32, node.end_byte() as u32)).copied()
    }

    /// The file's index of the anonymous class that `creation` (or an enum constant) makes with this class body.
    pub(super) fn anonymous(&self, creation: Node<'_>, class_body: Option<Node<'_>>) -> Option<u32> {
        let class_body = class_body?;
        self.type_index(class_body).or_else(|| self.type_index(creation))
    }

    /// `A(args) {…}` is `new TheEnum(args) {…}`.
    fn enum_constant(&mut self, node: Node<'_>, ty: &str) -> ExprId {
        let args = node.by_field("arguments").map(|list| self.args(list, 0)).unwrap_or_default();
        let anonymous = self.anonymous(node, node.by_field("body"));
        let ty = TypeRef::named(ty);
        self.add(ExprKind::New { ty, diamond: false, outer: None, args, anonymous }, syntax::span(node))
    }

    /// Lowers the expressions of an argument list.
    pub(super) fn args(&mut self, list: Node<'_>, depth: u32) -> Vec<ExprId> {
        children(list).into_iter().map(|arg| self.expr(arg, depth + 1)).collect()
    }
}

#[cfg(test)]
#[path = "lower_tests.rs"]
mod tests;
