//! Reads annotations and constant expressions from the syntax tree, unevaluated.

use super::source::{MAX_DEPTH, Source, children, parts};
use crate::ir::body::Lit;
use crate::ir::facts::{Annotation, TypeRef, Value};
use crate::syntax::literals;
use crate::syntax::tree::{self, Ask, Node};
use crate::syntax::type_refs::{is_type, type_ref};

/// One annotation with its arguments.
pub fn annotation(source: &Source<'_>, node: Node<'_>) -> Annotation {
    annotation_within(source, node, 0)
}

fn annotation_within(source: &Source<'_>, node: Node<'_>, depth: usize) -> Annotation {
    let name = node.by_field("name").map(|name| source.joined(name)).unwrap_or_default();
    let mut args = Vec::new();
    for part in node.by_field("arguments").map(parts).into_iter().flatten() {
        if part.kind_name() == "element_value_pair" {
            let key = part.by_field("key").map(|key| source.joined(key)).unwrap_or_default();
            let value = part.by_field("value").map_or(Value::Other, |v| value_within(source, v, depth + 1));
            args.push((key, value));
        } else if !part.is_error() {
            args.push(("value".to_owned(), value_within(source, part, depth + 1)));
        }
    }
    Annotation { name, args, span: tree::span(node) }
}

/// The constant expression at `node`; [`Value::Other`] if it does not have the form of one.
pub fn value(source: &Source<'_>, node: Node<'_>) -> Value {
    value_within(source, node, 0)
}

fn value_within(source: &Source<'_>, node: Node<'_>, depth: usize) -> Value {
    let mut node = node;
    while node.kind_name() == "parenthesized_expression" {
        match parts(node).first() {
            Some(inner) => node = *inner,
            None => return Value::Other,
        }
    }
    if depth > MAX_DEPTH {
        return Value::Other;
    }
    let inner = |name: &str| match node.by_field(name) {
        Some(child) => value_within(source, child, depth + 1),
        None => Value::Other,
    };
    if let Some(literal) = literals::literal(node.kind_name(), source.raw(node)) {
        let interpolated = children(node).iter().any(|child| child.kind_name() == "string_interpolation");
        return if interpolated { Value::Other } else { from_literal(literal) };
    }
    match node.kind_name() {
        "identifier" => Value::Name(source.joined(node)),
        "field_access" if is_dotted(node) => Value::Name(source.joined(node)),
        "class_literal" => parts(node)
            .into_iter()
            .find(|part| is_type(part.kind_name()))
            .map_or(Value::Other, |part| Value::Class(type_ref(part, source.text))),
        "element_value_array_initializer" | "array_initializer" => Value::Array(
            parts(node)
                .into_iter()
                .filter(|part| !part.is_error())
                .map(|part| value_within(source, part, depth + 1))
                .collect(),
        ),
        "annotation" | "marker_annotation" => Value::Annotation(annotation_within(source, node, depth + 1)),
        "unary_expression" => match node.by_field("operator") {
            Some(operator) => Value::Unary(source.raw(operator).to_owned(), Box::new(inner("operand"))),
            None => Value::Other,
        },
        "binary_expression" => binary(source, node, depth),
        "ternary_expression" => Value::Conditional(
            Box::new(inner("condition")),
            Box::new(inner("consequence")),
            Box::new(inner("alternative")),
        ),
        "cast_expression" => match node.by_field("type").map(|ty| type_ref(ty, source.text)) {
            Some(ty) if ty.is_primitive() || ty.simple() == "String" => Value::Cast(ty, Box::new(inner("value"))),
            _ => Value::Other,
        },
        _ => Value::Other,
    }
}

/// Wraps a literal with a suffix in a cast to the type of that suffix.
fn from_literal(literal: Lit) -> Value {
    match literal {
        Lit::Null => Value::Null,
        Lit::Bool(value) => Value::Bool(value),
        Lit::Char(unit) => Value::Char(unit),
        Lit::Int(n) => Value::Int(i64::from(n)),
        Lit::Long(n) => Value::Cast(TypeRef::named("long"), Box::new(Value::Int(n))),
        Lit::Float(n) => Value::Cast(TypeRef::named("float"), Box::new(Value::Float(f64::from(n)))),
        Lit::Double(n) => Value::Float(n),
        Lit::Str(text) => Value::Str(text),
        // An unpaired surrogate has no text representation here.
        Lit::Utf16(_) => Value::Other,
    }
}

/// `a + b + c …`: walks down the left side, so that long chains do not nest, and joins adjacent literals.
fn binary(source: &Source<'_>, node: Node<'_>, depth: usize) -> Value {
    let mut chain = Vec::new();
    let mut left = node;
    while left.kind_name() == "binary_expression" {
        let (Some(operator), Some(right), Some(next)) =
            (left.by_field("operator"), left.by_field("right"), left.by_field("left"))
        else {
            return Value::Other;
        };
        chain.push((operator, right));
        left = next;
    }
    let mut nested = 0;
    let mut value = value_within(source, left, depth + 1);
    for (operator, right) in chain.into_iter().rev() {
        if matches!(value, Value::Other) {
            return Value::Other;
        }
        let operator = source.raw(operator);
        value = match (value, value_within(source, right, depth + 1)) {
            (Value::Str(mut left), Value::Str(right)) if operator == "+" => {
                left.push_str(&right);
                Value::Str(left)
            }
            (left, right) => {
                nested += 1;
                Value::Binary(operator.to_owned(), Box::new(left), Box::new(right))
            }
        };
        if nested + depth > MAX_DEPTH {
            return Value::Other;
        }
    }
    value
}

/// Whether a field access consists only of names.
fn is_dotted(node: Node<'_>) -> bool {
    let mut node = node;
    while node.kind_name() == "field_access" {
        if node.by_field("field").is_none_or(|field| field.kind_name() != "identifier") {
            return false;
        }
        match node.by_field("object") {
            Some(object) => node = object,
            None => return false,
        }
    }
    node.kind_name() == "identifier"
}
