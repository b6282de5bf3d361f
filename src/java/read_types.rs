//! Reads type references, type parameters, parameters and modifiers off the syntax tree.

use super::facts::{Annotation, Modifiers, Param, TypeParam, TypeRef};
use super::read_values;
use super::source::{MAX_DEPTH, Source, children, parts};
use super::syntax::{self, Node};

/// The type that `node` refers to.
pub fn type_ref(source: &Source<'_>, node: Node<'_>) -> TypeRef {
    type_ref_within(source, node, 0)
}

fn type_ref_within(source: &Source<'_>, node: Node<'_>, depth: usize) -> TypeRef {
    if depth > MAX_DEPTH {
        return TypeRef::named("?");
    }
    match node.kind() {
        "generic_type" => {
            let mut found = TypeRef::default();
            for part in parts(node) {
                if part.kind() == "type_arguments" {
                    found.args = type_args(source, part, depth + 1);
                } else {
                    found.name = type_ref_within(source, part, depth + 1).name;
                }
            }
            found
        }
        "scoped_type_identifier" => {
            if !source.raw(node).contains(['<', '@']) {
                return TypeRef::named(source.joined(node));
            }
            let names: Vec<String> = parts(node)
                .into_iter()
                .filter(|part| !is_annotation(*part))
                .map(|part| type_ref_within(source, part, depth + 1).name)
                .collect();
            TypeRef::named(names.join("."))
        }
        "array_type" => {
            let mut found = node
                .child_by_field_name("element")
                .map(|element| type_ref_within(source, element, depth + 1))
                .unwrap_or_default();
            found.dims = found.dims.saturating_add(dims(node.child_by_field_name("dimensions")));
            found
        }
        "annotated_type" => parts(node)
            .into_iter()
            .find(|part| !is_annotation(*part))
            .map(|part| type_ref_within(source, part, depth + 1))
            .unwrap_or_default(),
        "wildcard" => {
            let inside = children(node);
            let upper = inside.iter().any(|child| child.kind() == "extends");
            let bound = inside.iter().rfind(|child| is_type(**child)).filter(|_| upper);
            TypeRef {
                name: "?".to_owned(),
                args: bound.map(|bound| type_ref_within(source, *bound, depth + 1)).into_iter().collect(),
                dims: 0,
            }
        }
        _ => TypeRef::named(source.joined(node)),
    }
}

fn type_args(source: &Source<'_>, node: Node<'_>, depth: usize) -> Vec<TypeRef> {
    parts(node).into_iter().filter(|part| is_type(*part)).map(|part| type_ref_within(source, part, depth)).collect()
}

/// The types of `extends`, `implements`, `permits` or `throws`.
pub fn type_list(source: &Source<'_>, node: Node<'_>) -> Vec<TypeRef> {
    let mut found = Vec::new();
    for part in parts(node) {
        if part.kind() == "type_list" {
            found.extend(parts(part).into_iter().filter(|t| is_type(*t)).map(|t| type_ref(source, t)));
        } else if is_type(part) {
            found.push(type_ref(source, part));
        }
    }
    found
}

/// The parameters of a generic declaration.
pub fn type_params(source: &Source<'_>, node: Option<Node<'_>>) -> Vec<TypeParam> {
    let Some(node) = node else { return Vec::new() };
    let mut found = Vec::new();
    for param in parts(node).into_iter().filter(|part| part.kind() == "type_parameter") {
        let mut one = TypeParam { name: String::new(), bounds: Vec::new() };
        for part in parts(param) {
            match part.kind() {
                "type_identifier" | "identifier" => one.name = source.joined(part),
                "type_bound" => one.bounds = type_list(source, part),
                _ => {}
            }
        }
        found.push(one);
    }
    found
}

/// Formal parameters of a method, constructor, record or lambda, without a receiver parameter.
pub fn params(source: &Source<'_>, node: Option<Node<'_>>) -> Vec<Param> {
    let Some(node) = node else { return Vec::new() };
    parts(node).into_iter().filter_map(|part| param(source, part)).collect()
}

fn param(source: &Source<'_>, node: Node<'_>) -> Option<Param> {
    let varargs = node.kind() == "spread_parameter";
    if !varargs && node.kind() != "formal_parameter" {
        return None;
    }
    let inside = parts(node);
    let mut annotations = Vec::new();
    let (mut ty, mut name, mut extra) = (TypeRef::default(), String::new(), 0);
    for part in inside {
        match part.kind() {
            "modifiers" => annotations.extend(modifiers(source, Some(part)).1),
            "variable_declarator" => {
                name = part.child_by_field_name("name").map(|n| source.joined(n)).unwrap_or_default();
                extra = dims(part.child_by_field_name("dimensions"));
            }
            "identifier" | "underscore_pattern" => name = source.joined(part),
            "dimensions" => extra = dims(Some(part)),
            _ if is_type(part) => ty = type_ref(source, part),
            _ => {}
        }
    }
    ty.dims = ty.dims.saturating_add(extra);
    Some(Param { name, ty, varargs, annotations, span: syntax::span(node) })
}

/// Modifiers and annotations of a declaration.
pub fn modifiers(source: &Source<'_>, node: Option<Node<'_>>) -> (Modifiers, Vec<Annotation>) {
    let mut flags = Modifiers::default();
    let mut annotations = Vec::new();
    for part in node.map(parts).unwrap_or_default() {
        if is_annotation(part) {
            annotations.push(read_values::annotation(source, part));
            continue;
        }
        flags.0 |= match source.raw(part) {
            "public" => Modifiers::PUBLIC,
            "protected" => Modifiers::PROTECTED,
            "private" => Modifiers::PRIVATE,
            "static" => Modifiers::STATIC,
            "final" => Modifiers::FINAL,
            "abstract" => Modifiers::ABSTRACT,
            "default" => Modifiers::DEFAULT,
            "synchronized" => Modifiers::SYNCHRONIZED,
            "native" => Modifiers::NATIVE,
            "transient" => Modifiers::TRANSIENT,
            "volatile" => Modifiers::VOLATILE,
            "sealed" => Modifiers::SEALED,
            "strictfp" => Modifiers::STRICTFP,
            _ => 0,
        };
    }
    (flags, annotations)
}

/// Number of `[]` in a node.
pub fn dims(node: Option<Node<'_>>) -> u8 {
    let count = node.map_or(0, |node| children(node).iter().filter(|child| child.kind() == "[").count());
    u8::try_from(count).unwrap_or(u8::MAX)
}

/// Whether a node is an annotation.
pub fn is_annotation(node: Node<'_>) -> bool {
    matches!(node.kind(), "annotation" | "marker_annotation")
}

/// Whether a node refers to a type.
pub fn is_type(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "type_identifier"
            | "scoped_type_identifier"
            | "generic_type"
            | "array_type"
            | "annotated_type"
            | "void_type"
            | "integral_type"
            | "floating_point_type"
            | "boolean_type"
            | "wildcard"
    )
}
