//! Reads type references from the syntax tree as they are written.

use super::tree::{self, Ask, Node};
use crate::ir::facts::{TypeRef, Word};

/// Type arguments nested deeper are dropped, to bound the recursion.
const MAX_DEPTH: u32 = 60;

/// Whether a node of this kind is a type.
pub fn is_type(kind: &str) -> bool {
    matches!(
        kind,
        "void_type"
            | "integral_type"
            | "floating_point_type"
            | "boolean_type"
            | "type_identifier"
            | "scoped_type_identifier"
            | "generic_type"
            | "array_type"
            | "annotated_type"
    )
}

pub use super::tree::parts as children;

/// The first of [`children`].
pub fn first_child(node: Node<'_>) -> Option<Node<'_>> {
    (0..).map_while(|at| node.named_child(at)).find(|child| !tree::is_comment(*child))
}

/// Reads a type reference.
pub fn type_ref(node: Node<'_>, source: &str) -> TypeRef {
    read(node, source, 0)
}

fn read(node: Node<'_>, source: &str, depth: u32) -> TypeRef {
    if depth > MAX_DEPTH {
        return TypeRef::named("?");
    }
    match node.kind_name() {
        "annotated_type" => {
            let inner = children(node).into_iter().find(|child| is_type(child.kind_name()));
            inner.map(|inner| read(inner, source, depth + 1)).unwrap_or_default()
        }
        "array_type" => {
            let mut ty = node.by_field("element").map(|e| read(e, source, depth + 1)).unwrap_or_default();
            ty.dims = ty.dims.saturating_add(node.by_field("dimensions").map_or(1, |d| dims(d, source)));
            ty
        }
        "generic_type" => {
            let mut ty = TypeRef::default();
            for child in children(node) {
                if child.kind_name() == "type_arguments" {
                    ty.args = type_arguments(child, source, depth + 1);
                } else {
                    ty.name = name(child, source, depth + 1);
                }
            }
            ty
        }
        "wildcard" => wildcard(node, source, depth),
        _ => TypeRef::named(name(node, source, depth)),
    }
}

/// Reads `<A, B>`.
pub fn type_arguments_of(node: Node<'_>, source: &str) -> Vec<TypeRef> {
    type_arguments(node, source, 0)
}

fn type_arguments(node: Node<'_>, source: &str, depth: u32) -> Vec<TypeRef> {
    children(node)
        .into_iter()
        .filter(|child| is_type(child.kind_name()) || child.kind_name() == "wildcard")
        .map(|child| read(child, source, depth + 1))
        .collect()
}

fn wildcard(node: Node<'_>, source: &str, depth: u32) -> TypeRef {
    let children = children(node);
    let lower = children.iter().any(|child| child.kind_name() == "super");
    let bound = children.into_iter().find(|child| is_type(child.kind_name()));
    let args = bound.filter(|_| !lower).map(|bound| read(bound, source, depth + 1)).into_iter().collect();
    TypeRef { name: "?".into(), args, dims: 0 }
}

/// Dotted name of a type, without annotations, comments and type arguments of outer types.
fn name(node: Node<'_>, source: &str, depth: u32) -> Word {
    if depth > MAX_DEPTH {
        return Word::default();
    }
    match node.kind_name() {
        "scoped_type_identifier" | "generic_type" | "scoped_identifier" | "field_access" => {
            let parts: Vec<Word> = children(node)
                .into_iter()
                .filter(|child| {
                    !matches!(child.kind_name(), "type_arguments" | "marker_annotation" | "annotation" | "ERROR")
                })
                .map(|child| name(child, source, depth + 1))
                .collect();
            parts.join(".").into()
        }
        _ => tree::text(node, source).into(),
    }
}

/// Number of `[]` in a `dimensions` node.
pub fn dims(node: Node<'_>, source: &str) -> u8 {
    let mut cursor = node.walk();
    let count = node.children(&mut cursor).filter(|child| tree::text(*child, source) == "[").count();
    count.min(255) as u8
}
