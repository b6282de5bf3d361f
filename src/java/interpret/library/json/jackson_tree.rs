//! Models Jackson's trees: `ObjectNode`, `ArrayNode` and the nodes of values.

use super::document::{Doc, Style, write};
use super::jackson::missing;
use super::tree::{
    Dialect, JACKSON_BOOLEAN, Node, Tree, document, grown, is_null, node, null, of, push, set_member, single,
    single_of, tree_mut,
};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, boolean, int, open, reference, settle, size, text, text_of};
use crate::interpret::library::collections::iterators;
use crate::interpret::values::scalar::{Prim, Scalar};
use crate::interpret::values::value::{ObjId, Type, Value};

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let receiver = call.receiver?;
    let answer = if let Some(single) = single_of(receiver) {
        let single = single.to_owned();
        on_single(machine, receiver, &single, call)?
    } else {
        let id = reference(receiver)?;
        let own = machine.native::<Node>(id)?.clone();
        if own.dialect != Dialect::Jackson {
            return None;
        }
        match &own.tree {
            Tree::Object(members) => on_object(machine, receiver, id, members.clone(), call),
            Tree::Array(items) => on_array(machine, receiver, id, items.clone(), call),
            Tree::Leaf(value) => on_leaf(machine, value, call),
            Tree::Read(_) => None,
        }
        .or_else(|| on_node(machine, receiver, &own, call))?
    };
    Some(settle(machine, call, answer))
}

/// A value as a node; null becomes `NullNode`.
fn leaf(machine: &mut Machine<'_>, value: &Value) -> Option<Value> {
    Some(match value {
        Value::Scalar(Scalar::Null) => null(Dialect::Jackson),
        Value::Scalar(Scalar::Bool(value)) => single(JACKSON_BOOLEAN, if *value { "true" } else { "false" }),
        Value::Scalar(Scalar::Enum(..) | Scalar::Char(_) | Scalar::Byte(_)) => return None,
        Value::Scalar(_) => node(machine, Dialect::Jackson, Tree::Leaf(value.clone())),
        Value::Symbol(_) | Value::Unknown(_) | Value::Cond(_) => {
            node(machine, Dialect::Jackson, Tree::Leaf(value.clone()))
        }
        _ => return None,
    })
}

/// A value that is already a node; null becomes `NullNode`.
fn element(machine: &Machine<'_>, value: &Value) -> Option<Value> {
    if value.is_null() {
        return Some(null(Dialect::Jackson));
    }
    (single_of(value).is_some() || of(machine, value).is_some()).then(|| value.clone())
}

fn on_object(
    machine: &mut Machine<'_>,
    receiver: &Value,
    id: ObjId,
    members: Vec<(String, Value)>,
    call: &LibraryCall<'_>,
) -> Option<Answer> {
    let find = |name: &str| members.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone());
    Some(match (call.name, call.args) {
        ("put", [name, value]) => {
            let name = text(name)?.to_owned();
            let value = leaf(machine, value)?;
            set_member(machine, id, &name, value).map(|()| receiver.clone())
        }
        ("putNull", [name]) => {
            let name = text(name)?.to_owned();
            set_member(machine, id, &name, null(Dialect::Jackson)).map(|()| receiver.clone())
        }
        ("set", [name, value]) => {
            let name = text(name)?.to_owned();
            let value = element(machine, value)?;
            set_member(machine, id, &name, value).map(|()| receiver.clone())
        }
        ("putObject" | "putArray", [name]) => {
            let name = text(name)?.to_owned();
            let tree = if call.name == "putObject" { Tree::Object(Vec::new()) } else { Tree::Array(Vec::new()) };
            let made = node(machine, Dialect::Jackson, tree);
            set_member(machine, id, &name, made.clone()).map(|()| made)
        }
        ("get", [name]) if text(name).is_some() => Ok(find(text(name)?).unwrap_or(Value::NULL)),
        ("get", [at]) if int(at).is_some() => Ok(Value::NULL),
        ("path", [name]) if text(name).is_some() => Ok(find(text(name)?).unwrap_or_else(missing)),
        ("has", [name]) if text(name).is_some() => Ok(Value::bool(find(text(name)?).is_some())),
        ("hasNonNull", [name]) if text(name).is_some() => {
            Ok(Value::bool(find(text(name)?).is_some_and(|value| !is_null(&value))))
        }
        ("remove", [name]) if text(name).is_some() => {
            let name = text(name)?.to_owned();
            let Some(removed) = find(&name) else { return Some(Ok(Value::NULL)) };
            tree_mut(machine, id, true).map(|tree| {
                if let Tree::Object(members) = tree {
                    members.retain(|(own, _)| *own != name);
                }
                removed
            })
        }
        ("size", []) => Ok(size(members.len())),
        ("isEmpty", []) => Ok(Value::bool(members.is_empty())),
        ("fieldNames", []) => {
            machine.native_mut::<Node>(id)?.shown = true;
            let names = members.iter().map(|(name, _)| machine.fresh_text(name)).collect();
            Ok(iterators::over(machine, names))
        }
        ("elements" | "iterator", []) => {
            machine.native_mut::<Node>(id)?.shown = true;
            Ok(iterators::over(machine, members.into_iter().map(|(_, value)| value).collect()))
        }
        _ => return None,
    })
}

fn on_array(
    machine: &mut Machine<'_>,
    receiver: &Value,
    id: ObjId,
    items: Vec<Value>,
    call: &LibraryCall<'_>,
) -> Option<Answer> {
    let at = |value: &Value| Some(usize::try_from(int(value)?).ok().and_then(|at| items.get(at)).cloned());
    Some(match (call.name, call.args) {
        ("add", [value]) => {
            let value = match element(machine, value) {
                Some(value) => value,
                None => leaf(machine, value)?,
            };
            push(machine, id, value).map(|()| receiver.clone())
        }
        ("addObject" | "addArray", []) => {
            let tree = if call.name == "addObject" { Tree::Object(Vec::new()) } else { Tree::Array(Vec::new()) };
            let made = node(machine, Dialect::Jackson, tree);
            push(machine, id, made.clone()).map(|()| made)
        }
        ("addNull", []) => push(machine, id, null(Dialect::Jackson)).map(|()| receiver.clone()),
        ("get", [place]) if int(place).is_some() => Ok(at(place)?.unwrap_or(Value::NULL)),
        ("get", [name]) if text(name).is_some() => Ok(Value::NULL),
        ("path", [place]) if int(place).is_some() => Ok(at(place)?.unwrap_or_else(missing)),
        ("has", [place]) if int(place).is_some() => Ok(Value::bool(at(place)?.is_some())),
        ("size", []) => Ok(size(items.len())),
        ("isEmpty", []) => Ok(Value::bool(items.is_empty())),
        ("elements" | "iterator", []) => {
            machine.native_mut::<Node>(id)?.shown = true;
            Ok(iterators::over(machine, items))
        }
        _ => return None,
    })
}

fn on_leaf(machine: &mut Machine<'_>, value: &Value, call: &LibraryCall<'_>) -> Option<Answer> {
    let Value::Scalar(scalar) = value else {
        // The content is unknown, but it is certain to be a value node.
        return match (call.name, call.args) {
            ("asText" | "textValue", []) if matches!(value, Value::Symbol(symbol) if symbol.ty == Type::Str) => {
                Some(Ok(value.clone()))
            }
            _ => None,
        };
    };
    let prim = scalar.prim();
    let given = text(value).map(str::to_owned);
    Some(Ok(match (call.name, call.args) {
        ("asText", []) => match &given {
            Some(_) => value.clone(),
            None => return Some(text_of(machine, value).map(|text| machine.fresh_text(&text))),
        },
        ("textValue", []) => {
            if given.is_some() {
                value.clone()
            } else {
                Value::NULL
            }
        }
        ("isTextual", []) => Value::bool(prim.is_none()),
        ("isNumber", []) => Value::bool(prim.is_some()),
        ("isInt", []) => Value::bool(prim == Some(Prim::Int)),
        ("isLong", []) => Value::bool(prim == Some(Prim::Long)),
        ("isDouble", []) => Value::bool(prim == Some(Prim::Double)),
        ("isIntegralNumber", []) => Value::bool(prim.is_some_and(Prim::is_integral)),
        ("isFloatingPointNumber", []) => Value::bool(matches!(prim, Some(Prim::Double | Prim::Float))),
        ("asInt" | "asLong" | "asDouble" | "intValue" | "longValue" | "doubleValue", rest) => {
            let to = match call.name {
                "asInt" | "intValue" => Prim::Int,
                "asLong" | "longValue" => Prim::Long,
                _ => Prim::Double,
            };
            match (prim, &given) {
                (Some(_), _) => machine.convert(value.clone(), &Type::Prim(to)),
                (None, _) if call.name.ends_with("Value") => Value::Scalar(to.zero()),
                (None, Some(text)) if to != Prim::Double && rest.len() < 2 => match text.parse::<i64>() {
                    Ok(n) if to == Prim::Long => Value::Scalar(Scalar::Long(n)),
                    Ok(n) if i32::try_from(n).is_ok() => Value::int(n as i32),
                    _ => return Some(open("a text as a number")),
                },
                _ => return Some(open("a text as a number")),
            }
        }
        ("booleanValue", []) => Value::bool(false),
        ("asBoolean", []) => match (&given, prim) {
            (Some(text), _) => Value::bool(text.trim_matches(|c| c <= ' ') == "true"),
            (None, Some(Prim::Int | Prim::Long)) => Value::bool(scalar.as_long()? != 0),
            _ => return Some(open("a value as a boolean")),
        },
        ("hashCode", []) => return Some(open("the hash of a node")),
        _ => return None,
    }))
}

/// Models the methods of all nodes.
fn on_node(machine: &mut Machine<'_>, receiver: &Value, own: &Node, call: &LibraryCall<'_>) -> Option<Answer> {
    let (object, array) = (matches!(own.tree, Tree::Object(_)), matches!(own.tree, Tree::Array(_)));
    Some(match (call.name, call.args) {
        ("isObject", []) => Ok(Value::bool(object)),
        ("isArray", []) => Ok(Value::bool(array)),
        ("isContainerNode", []) => Ok(Value::bool(object || array)),
        ("isValueNode", []) => Ok(Value::bool(!object && !array)),
        ("isNull" | "isMissingNode" | "isBoolean", []) => Ok(Value::bool(false)),
        ("isTextual" | "isNumber" | "isInt" | "isLong" | "isDouble", []) if object || array => Ok(Value::bool(false)),
        ("asText", []) if object || array => Ok(Value::text("")),
        ("asBoolean" | "booleanValue", []) if object || array => Ok(Value::bool(false)),
        ("asInt" | "intValue", []) if object || array => Ok(Value::int(0)),
        ("asLong" | "longValue", []) if object || array => Ok(Value::Scalar(Scalar::Long(0))),
        ("asDouble" | "doubleValue", []) if object || array => Ok(Value::Scalar(Scalar::Double(0.0))),
        ("textValue", []) if object || array => Ok(Value::NULL),
        ("get", [_]) if !object && !array => Ok(Value::NULL),
        ("path", [_]) if !object && !array => Ok(missing()),
        ("has" | "hasNonNull", [_]) if !object && !array => Ok(Value::bool(false)),
        ("size", []) if !object && !array => Ok(size(0)),
        ("toString", []) => document(machine, receiver, 0).map(|doc| {
            let text = write(&doc, Style { jackson: true, ..Style::default() });
            machine.fresh_text(&text)
        }),
        ("deepCopy", []) => document(machine, receiver, 0).and_then(|doc| {
            // The copy parses numbers again, so it is exact only if they keep their kinds.
            if keeps(machine, receiver, 0) { grown(machine, Dialect::Jackson, &doc) } else { open("a copy of numbers") }
        }),
        ("equals", [other]) if reference(other).is_some() && reference(other) == reference(receiver) => {
            Ok(Value::bool(true))
        }
        ("equals", [other]) if other.is_null() => Ok(Value::bool(false)),
        ("hashCode", []) => open("the hash of a node"),
        _ => return None,
    })
}

/// Whether all numbers of a tree have the kinds that parsing results in.
fn keeps(machine: &Machine<'_>, value: &Value, depth: usize) -> bool {
    if depth > 60 {
        return false;
    }
    match of(machine, value).map(|node| &node.tree) {
        Some(Tree::Object(members)) => members.iter().all(|(_, value)| keeps(machine, value, depth + 1)),
        Some(Tree::Array(items)) => items.iter().all(|value| keeps(machine, value, depth + 1)),
        Some(Tree::Leaf(Value::Scalar(scalar))) => matches!(scalar, Scalar::Str(_) | Scalar::Int(_) | Scalar::Bool(_)),
        Some(_) => false,
        None => single_of(value).is_some(),
    }
}

fn on_single(machine: &mut Machine<'_>, receiver: &Value, single: &str, call: &LibraryCall<'_>) -> Option<Answer> {
    let doc = match single {
        "true" => Some(Doc::Bool(true)),
        "false" => Some(Doc::Bool(false)),
        "null" => Some(Doc::Null),
        _ => None,
    };
    let truth = matches!(doc, Some(Doc::Bool(true)));
    let is_boolean = matches!(doc, Some(Doc::Bool(_)));
    Some(Ok(match (call.name, call.args) {
        ("isNull", []) => Value::bool(single == "null"),
        ("isMissingNode", []) => Value::bool(doc.is_none()),
        ("isBoolean", []) => Value::bool(is_boolean),
        (
            "isObject" | "isArray" | "isTextual" | "isNumber" | "isInt" | "isLong" | "isDouble" | "isContainerNode",
            [],
        ) => Value::bool(false),
        ("isValueNode", []) => Value::bool(doc.is_some()),
        ("asText", []) => machine.fresh_text(single),
        ("asText", [other]) if doc.is_none() || single == "null" => other.clone(),
        ("textValue", []) => Value::NULL,
        ("toString", []) => machine.fresh_text(single),
        ("asBoolean" | "booleanValue", []) => Value::bool(truth),
        ("asBoolean", [other]) if boolean(other).is_some() && !is_boolean => other.clone(),
        ("asInt" | "intValue", []) => Value::int(i32::from(truth && call.name == "asInt")),
        ("asInt", [other]) if !is_boolean => other.clone(),
        ("asLong" | "longValue", []) => Value::Scalar(Scalar::Long(i64::from(truth && call.name == "asLong"))),
        ("asDouble" | "doubleValue", []) => {
            Value::Scalar(Scalar::Double(if truth && call.name == "asDouble" { 1.0 } else { 0.0 }))
        }
        ("get", [_]) => Value::NULL,
        ("path", [_]) => missing(),
        ("has" | "hasNonNull", [_]) => Value::bool(false),
        ("size", []) => size(0),
        ("iterator" | "elements" | "fieldNames", []) => iterators::over(machine, Vec::new()),
        ("equals", [other]) => match single_of(other) {
            Some(other) => Value::bool(other == single),
            None if matches!(other, Value::Ref(_) | Value::Scalar(_)) => Value::bool(false),
            None => return None,
        },
        ("deepCopy", []) => receiver.clone(),
        ("hashCode", []) => return Some(open("the hash of a node")),
        _ => return None,
    }))
}
