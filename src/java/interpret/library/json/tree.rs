//! The nodes of JSON trees, and the conversion between trees and documents.

use super::document::Doc;
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::support::{Answer, native, open, reference};
use crate::interpret::values::scalar::{ClassRef, Prim, Scalar};
use crate::interpret::values::value::{Native, ObjId, Value};

/// The class of Gson's null, a singleton.
pub const GSON_NULL: &str = "com.google.gson.JsonNull";
/// The class of Jackson's null.
pub const JACKSON_NULL: &str = "com.fasterxml.jackson.databind.node.NullNode";
/// The class of Jackson's booleans.
pub const JACKSON_BOOLEAN: &str = "com.fasterxml.jackson.databind.node.BooleanNode";
/// The class of Jackson's node for an absent member.
pub const JACKSON_MISSING: &str = "com.fasterxml.jackson.databind.node.MissingNode";

/// The library of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Gson.
    Gson,
    /// Jackson.
    Jackson,
}

/// The content of a node.
#[derive(Debug, Clone)]
pub enum Tree {
    /// Members in order.
    Object(Vec<(String, Value)>),
    /// Elements.
    Array(Vec<Value>),
    /// A text, number or boolean: a scalar or an unknown value.
    Leaf(Value),
    /// A number from a parsed document; it keeps its text.
    Read(String),
}

/// A node.
#[derive(Debug, Clone)]
pub struct Node {
    /// Its content.
    pub tree: Tree,
    /// Its library.
    pub dialect: Dialect,
    /// Whether code has iterated over it: an iterator might detect a later structural change.
    pub shown: bool,
}

impl Native for Node {
    native_state!();

    // Jackson shares one node for some equal values.
    fn is_value(&self) -> bool {
        self.dialect == Dialect::Jackson && matches!(self.tree, Tree::Leaf(_))
    }

    fn children(&self) -> Vec<Value> {
        match &self.tree {
            Tree::Object(members) => members.iter().map(|(_, value)| value.clone()).collect(),
            Tree::Array(items) => items.clone(),
            Tree::Leaf(value) => vec![value.clone()],
            Tree::Read(_) => Vec::new(),
        }
    }
}

/// A constant of a class with one object per name.
pub fn single(class: &str, name: &str) -> Value {
    Value::Scalar(Scalar::Enum(ClassRef::library(class), name.into()))
}

/// The null node of a library.
pub fn null(dialect: Dialect) -> Value {
    single(if dialect == Dialect::Gson { GSON_NULL } else { JACKSON_NULL }, "null")
}

/// The name of a constant node: null, a boolean, or the absent member.
pub fn single_of(value: &Value) -> Option<&str> {
    match value {
        Value::Scalar(Scalar::Enum(ClassRef::Library(class), name))
            if matches!(&**class, GSON_NULL | JACKSON_NULL | JACKSON_BOOLEAN | JACKSON_MISSING) =>
        {
            Some(name)
        }
        _ => None,
    }
}

/// Whether a value is the null node of a tree.
pub fn is_null(value: &Value) -> bool {
    single_of(value) == Some("null")
}

/// A new node.
pub fn node(machine: &mut Machine<'_>, dialect: Dialect, tree: Tree) -> Value {
    let class = match (dialect, &tree) {
        (Dialect::Gson, Tree::Object(_)) => "com.google.gson.JsonObject",
        (Dialect::Gson, Tree::Array(_)) => "com.google.gson.JsonArray",
        (Dialect::Gson, _) => "com.google.gson.JsonPrimitive",
        (Dialect::Jackson, Tree::Object(_)) => "com.fasterxml.jackson.databind.node.ObjectNode",
        (Dialect::Jackson, Tree::Array(_)) => "com.fasterxml.jackson.databind.node.ArrayNode",
        (Dialect::Jackson, Tree::Leaf(value)) => match value.prim() {
            None => "com.fasterxml.jackson.databind.node.TextNode",
            Some(Prim::Long) => "com.fasterxml.jackson.databind.node.LongNode",
            Some(Prim::Double) => "com.fasterxml.jackson.databind.node.DoubleNode",
            Some(Prim::Float) => "com.fasterxml.jackson.databind.node.FloatNode",
            Some(Prim::Short) => "com.fasterxml.jackson.databind.node.ShortNode",
            Some(_) => "com.fasterxml.jackson.databind.node.IntNode",
        },
        (Dialect::Jackson, Tree::Read(_)) => "com.fasterxml.jackson.databind.node.NumericNode",
    };
    native(machine, class, Node { tree, dialect, shown: false })
}

/// The node of a reference.
pub fn of<'m>(machine: &'m Machine<'_>, value: &Value) -> Option<&'m Node> {
    machine.native::<Node>(reference(value)?)
}

/// The elements of an array node, for iteration.
pub fn items(machine: &mut Machine<'_>, value: &Value) -> Option<Vec<Value>> {
    let node = machine.native_mut::<Node>(reference(value)?)?;
    match &node.tree {
        Tree::Array(items) => {
            node.shown = true;
            Some(items.clone())
        }
        Tree::Object(members) if node.dialect == Dialect::Jackson => {
            node.shown = true;
            Some(members.iter().map(|(_, value)| value.clone()).collect())
        }
        _ => None,
    }
}

/// The content of a node for modification; a structural change is unknown if code has iterated over the node.
pub fn tree_mut<'m>(machine: &'m mut Machine<'_>, id: ObjId, structure: bool) -> Answer<&'m mut Tree> {
    match machine.native_mut::<Node>(id) {
        Some(node) if structure && node.shown => open("a tree changes after something went over it"),
        Some(node) => Ok(&mut node.tree),
        None => open("a tree is not known"),
    }
}

/// Sets a member of an object node.
pub fn set_member(machine: &mut Machine<'_>, id: ObjId, name: &str, value: Value) -> Answer<()> {
    let there = matches!(machine.native::<Node>(id).map(|node| &node.tree),
        Some(Tree::Object(members)) if members.iter().any(|(own, _)| own == name));
    if let Tree::Object(members) = tree_mut(machine, id, !there)? {
        set(members, name, value);
    }
    Ok(())
}

/// Adds an element to an array node.
pub fn push(machine: &mut Machine<'_>, id: ObjId, value: Value) -> Answer<()> {
    if let Tree::Array(items) = tree_mut(machine, id, true)? {
        items.push(value);
    }
    Ok(())
}

/// A tree as a document.
pub fn document(machine: &Machine<'_>, value: &Value, depth: usize) -> Answer<Doc> {
    if depth > 60 {
        return open("a tree is too deep");
    }
    match single_of(value) {
        Some("null") => return Ok(Doc::Null),
        Some("true") => return Ok(Doc::Bool(true)),
        Some("false") => return Ok(Doc::Bool(false)),
        Some(_) => return open("a missing node is written"),
        None => {}
    }
    let Some(node) = of(machine, value) else { return open("a part of a tree is not known") };
    Ok(match &node.tree {
        Tree::Object(members) => {
            let mut out = Vec::new();
            for (name, value) in members {
                out.push((name.clone(), document(machine, value, depth + 1)?));
            }
            Doc::Object(out)
        }
        Tree::Array(items) => {
            let mut out = Vec::new();
            for item in items {
                out.push(document(machine, item, depth + 1)?);
            }
            Doc::Array(out)
        }
        Tree::Leaf(value) => match leaf(value) {
            Some(doc) => doc,
            None => return open("a value of a tree is not known"),
        },
        Tree::Read(text) => Doc::Number(text.clone()),
    })
}

/// A known text, number or boolean as a document.
pub fn leaf(value: &Value) -> Option<Doc> {
    let Value::Scalar(scalar) = value else { return None };
    Some(match scalar {
        Scalar::Null => Doc::Null,
        Scalar::Bool(value) => Doc::Bool(*value),
        Scalar::Str(text) => Doc::Text(text.text.to_string()),
        Scalar::Char(_) => Doc::Text(scalar.to_java_string()?),
        Scalar::Enum(..) => return None,
        Scalar::Double(x) if !x.is_finite() => return None,
        Scalar::Float(x) if !x.is_finite() => return None,
        number => Doc::Number(number.to_java_string()?),
    })
}

/// A document as a tree; of several members with one name, the last value is used at the position of the first.
pub fn grown(machine: &mut Machine<'_>, dialect: Dialect, doc: &Doc) -> Answer {
    machine.step()?;
    Ok(match doc {
        Doc::Null => null(dialect),
        Doc::Bool(value) if dialect == Dialect::Jackson => {
            single(JACKSON_BOOLEAN, if *value { "true" } else { "false" })
        }
        Doc::Bool(value) => node(machine, dialect, Tree::Leaf(Value::bool(*value))),
        Doc::Text(text) => {
            let text = machine.fresh_text(text);
            node(machine, dialect, Tree::Leaf(text))
        }
        Doc::Number(text) if dialect == Dialect::Jackson => {
            let leaf = if text.contains(['.', 'e', 'E']) {
                match text.parse::<f64>() {
                    Ok(x) if x.is_finite() => Scalar::Double(x),
                    _ => return open("a number that is too large"),
                }
            } else if let Ok(n) = text.parse::<i32>() {
                Scalar::Int(n)
            } else if let Ok(n) = text.parse::<i64>() {
                Scalar::Long(n)
            } else {
                return open("a number that is too large");
            };
            node(machine, dialect, Tree::Leaf(Value::Scalar(leaf)))
        }
        Doc::Number(text) => node(machine, dialect, Tree::Read(text.clone())),
        Doc::Array(items) => {
            let mut out = Vec::new();
            for item in items {
                out.push(grown(machine, dialect, item)?);
            }
            node(machine, dialect, Tree::Array(out))
        }
        Doc::Object(members) => {
            let mut out: Vec<(String, Value)> = Vec::new();
            for (name, value) in members {
                let value = grown(machine, dialect, value)?;
                set(&mut out, name, value);
            }
            node(machine, dialect, Tree::Object(out))
        }
    })
}

/// Sets a member at its position, or at the end if it is new.
pub fn set(members: &mut Vec<(String, Value)>, name: &str, value: Value) {
    match members.iter_mut().find(|(own, _)| own == name) {
        Some((_, old)) => *old = value,
        None => members.push((name.to_owned(), value)),
    }
}
