//! Reads the parts of declarations from the syntax tree: modifiers, type parameters, parameters and lists of types.

use super::read_values;
use super::source::{Source, parts};
use crate::ir::facts::{Annotation, Modifiers, PLACE, Param, TypeParam, TypeRef, Value};
use crate::syntax::tree::{self, Ask, Node};
use crate::syntax::type_refs::{dims, is_type, type_ref};

/// The types of `extends`, `implements`, `permits` or `throws`.
pub fn type_list(source: &Source<'_>, node: Node<'_>) -> Vec<TypeRef> {
    let mut found = Vec::new();
    for part in parts(node) {
        if part.kind_name() == "type_list" {
            found.extend(parts(part).into_iter().filter(|t| is_type(t.kind_name())).map(|t| type_ref(t, source.text)));
        } else if is_type(part.kind_name()) {
            found.push(type_ref(part, source.text));
        }
    }
    found
}

/// The type parameters of a generic declaration.
pub fn type_params(source: &Source<'_>, node: Option<Node<'_>>) -> Vec<TypeParam> {
    let Some(node) = node else { return Vec::new() };
    let mut found = Vec::new();
    for param in parts(node).into_iter().filter(|part| part.kind_name() == "type_parameter") {
        let mut one = TypeParam { name: String::new(), bounds: Vec::new() };
        for part in parts(param) {
            match part.kind_name() {
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
    let varargs = node.kind_name() == "spread_parameter";
    if !varargs && node.kind_name() != "formal_parameter" {
        return None;
    }
    let inside = parts(node);
    let (mut annotations, mut of_elements) = (Vec::new(), Vec::new());
    let (mut ty, mut name, mut extra) = (TypeRef::default(), String::new(), 0);
    for part in inside {
        match part.kind_name() {
            "modifiers" => annotations.extend(modifiers(source, Some(part)).1),
            "variable_declarator" => {
                name = part.by_field("name").map(|n| source.joined(n)).unwrap_or_default();
                extra = dims_in(source, part.by_field("dimensions"));
            }
            "identifier" | "underscore_pattern" => name = source.joined(part),
            "dimensions" => extra = dims_in(source, Some(part)),
            _ if is_type(part.kind_name()) => {
                ty = type_ref(part, source.text);
                of_elements = element_annotations(source, part);
            }
            _ => {}
        }
    }
    ty.dims = ty.dims.saturating_add(extra);
    Some(Param { name, ty, varargs, annotations, of_elements, span: tree::span(node) })
}

/// The annotations on the type arguments of a type, at any depth. Of those that are not on the last argument of the type
/// itself, the place is kept as an argument named [`PLACE`].
pub fn element_annotations(source: &Source<'_>, ty: Node<'_>) -> Vec<Annotation> {
    let mut found = Vec::new();
    // A node, and the numbers of the arguments that lead to it, counted from the last one.
    let mut open: Vec<(Node<'_>, Vec<usize>)> = vec![(ty, Vec::new())];
    while let Some((node, places)) = open.pop() {
        let is_annotated = !places.is_empty() && node.kind_name() == "annotated_type";
        let inside: Vec<Node<'_>> = parts(node).into_iter().collect();
        for (at, part) in inside.iter().enumerate() {
            if is_annotation(*part) {
                if is_annotated {
                    let mut annotation = read_values::annotation(source, *part);
                    if places != [0] {
                        let place: Vec<String> = places.iter().map(ToString::to_string).collect();
                        annotation.args.push((PLACE.to_owned(), Value::Str(place.join("."))));
                    }
                    found.push(annotation);
                }
                continue;
            }
            let mut places = places.clone();
            if node.kind_name() == "type_arguments" {
                places.push(inside.len() - 1 - at);
            }
            open.push((*part, places));
        }
    }
    found.sort_by_key(|one: &Annotation| one.span.start);
    found
}

/// Modifiers and annotations of a declaration.
pub fn modifiers(source: &Source<'_>, node: Option<Node<'_>>) -> (Modifiers, Vec<Annotation>) {
    let mut flags = Modifiers::default();
    let mut annotations = Vec::new();
    for part in node.map(parts).into_iter().flatten() {
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

/// Whether a node is an annotation.
pub fn is_annotation(node: Node<'_>) -> bool {
    matches!(node.kind_name(), "annotation" | "marker_annotation")
}

/// Number of `[]` after a name.
pub fn dims_in(source: &Source<'_>, node: Option<Node<'_>>) -> u8 {
    node.map_or(0, |node| dims(node, source.text))
}
