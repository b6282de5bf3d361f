//! Models Gson's trees: `JsonObject`, `JsonArray`, `JsonPrimitive` and `JsonNull`.

use super::document::{Style, write};
use super::tree::{Dialect, Node, Tree, document, is_null, node, null, of, push, set_member, single_of, tree_mut};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{
    Answer, int, invoke, native, open, reference, settle, size, text, throw, truth,
};
use crate::interpret::library::collections::iterators;
use crate::interpret::library::collections::keyed::entries::put;
use crate::interpret::library::collections::keyed::map_makers::entry;
use crate::interpret::library::collections::keyed::table::{Insert, Order, Table};
use crate::interpret::library::collections::ordered::list_changes::immutable;
use crate::interpret::values::scalar::{Prim, Scalar};
use crate::interpret::values::value::{ObjId, Type, Value};

const OBJECT: &str = "com.google.gson.JsonObject";
const ARRAY: &str = "com.google.gson.JsonArray";
const PRIMITIVE: &str = "com.google.gson.JsonPrimitive";

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let answer = match call.receiver {
        None => made(machine, call)?,
        Some(receiver) if single_of(receiver).is_some() => on_null(machine, call)?,
        Some(receiver) => {
            let id = reference(receiver)?;
            let own = machine.native::<Node>(id)?.clone();
            if own.dialect != Dialect::Gson {
                return None;
            }
            match &own.tree {
                Tree::Object(members) => on_object(machine, id, members.clone(), call),
                Tree::Array(items) => on_array(machine, id, items.clone(), call),
                leaf => on_leaf(machine, leaf, call),
            }
            .or_else(|| on_element(machine, receiver, &own, call))?
        }
    };
    Some(settle(machine, call, answer))
}

fn made(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    if call.name != "<init>" {
        return None;
    }
    Some(Ok(match (call.fqn, call.args) {
        (OBJECT, []) => node(machine, Dialect::Gson, Tree::Object(Vec::new())),
        (ARRAY, []) => node(machine, Dialect::Gson, Tree::Array(Vec::new())),
        (ARRAY, [capacity]) if int(capacity).is_some_and(|n| n >= 0) => {
            node(machine, Dialect::Gson, Tree::Array(Vec::new()))
        }
        (PRIMITIVE, [value]) if value.is_null() => return Some(Err(throw(machine, "NullPointerException"))),
        (PRIMITIVE, [value]) => return leaf(machine, value),
        _ => return None,
    }))
}

/// A text, number, boolean or character as a primitive; null as `JsonNull`.
fn leaf(machine: &mut Machine<'_>, value: &Value) -> Option<Answer> {
    Some(match value {
        Value::Scalar(Scalar::Null) => Ok(null(Dialect::Gson)),
        Value::Scalar(Scalar::Char(_)) => {
            let text = value.scalar()?.to_java_string()?;
            let text = machine.fresh_text(&text);
            Ok(node(machine, Dialect::Gson, Tree::Leaf(text)))
        }
        Value::Scalar(Scalar::Enum(..)) => return None,
        Value::Scalar(_) => Ok(node(machine, Dialect::Gson, Tree::Leaf(value.clone()))),
        Value::Symbol(_) | Value::Unknown(_) | Value::Cond(_) => {
            // Null becomes `JsonNull`.
            let absent = machine.is_null(value);
            match truth(machine, &absent) {
                Ok(true) => Ok(null(Dialect::Gson)),
                Ok(false) => Ok(node(machine, Dialect::Gson, Tree::Leaf(value.clone()))),
                Err(_) => Ok(node(machine, Dialect::Gson, Tree::Leaf(value.clone()))),
            }
        }
        _ => return None,
    })
}

/// A value as an element of a tree: null becomes `JsonNull`, an element stays itself.
fn element(value: &Value) -> Value {
    if value.is_null() { null(Dialect::Gson) } else { value.clone() }
}

fn is_element(machine: &Machine<'_>, value: &Value) -> bool {
    value.is_null() || single_of(value).is_some() || of(machine, value).is_some()
}

fn on_object(
    machine: &mut Machine<'_>,
    id: ObjId,
    members: Vec<(String, Value)>,
    call: &LibraryCall<'_>,
) -> Option<Answer> {
    let find = |name: &str| members.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone());
    Some(match (call.name, call.args) {
        ("add" | "addProperty", [name, _]) if name.is_null() => Err(throw(machine, "NullPointerException")),
        ("add", [name, value]) => {
            let name = text(name)?.to_owned();
            if !is_element(machine, value) && !matches!(value, Value::Unknown(_)) {
                return None;
            }
            set_member(machine, id, &name, element(value)).map(|()| Value::NULL)
        }
        ("addProperty", [name, value]) => {
            let name = text(name)?.to_owned();
            leaf(machine, value)?.and_then(|value| set_member(machine, id, &name, value)).map(|()| Value::NULL)
        }
        ("has", [name]) => Ok(Value::bool(find(text(name)?).is_some())),
        ("get", [name]) => Ok(find(text(name)?).unwrap_or(Value::NULL)),
        ("getAsJsonObject" | "getAsJsonArray" | "getAsJsonPrimitive", [name]) => match find(text(name)?) {
            None => Ok(Value::NULL),
            Some(value) => {
                let fits = match (call.name, of(machine, &value).map(|node| &node.tree)) {
                    (_, None) if single_of(&value).is_none() => return Some(open("a part of a tree is not known")),
                    ("getAsJsonObject", tree) => matches!(tree, Some(Tree::Object(_))),
                    ("getAsJsonArray", tree) => matches!(tree, Some(Tree::Array(_))),
                    (_, tree) => matches!(tree, Some(Tree::Leaf(_) | Tree::Read(_))),
                };
                if fits { Ok(value) } else { Err(throw(machine, "ClassCastException")) }
            }
        },
        ("remove", [name]) => {
            let name = text(name)?.to_owned();
            let removed = find(&name).unwrap_or(Value::NULL);
            if removed.is_null() {
                return Some(Ok(removed));
            }
            tree_mut(machine, id, true).map(|tree| {
                if let Tree::Object(members) = tree {
                    members.retain(|(own, _)| *own != name);
                }
                removed
            })
        }
        ("size", []) => Ok(size(members.len())),
        ("entrySet", []) => {
            machine.native_mut::<Node>(id)?.shown = true;
            let mut entries = Vec::new();
            for (name, value) in &members {
                let name = machine.fresh_text(name);
                let made = entry(machine, name, value.clone(), true);
                // The entry is live: setting its value changes the tree.
                machine.object_mut(reference(&made)?).parts.insert("live", Value::bool(true));
                entries.push(made);
            }
            immutable(machine, entries, true)
        }
        ("keySet", []) => {
            machine.native_mut::<Node>(id)?.shown = true;
            let made = native(machine, "java.util.Set", Table::new(Order::Linked, true));
            let own = reference(&made)?;
            for (name, _) in &members {
                let name = machine.fresh_text(name);
                if let Err(fail) = put(machine, own, name, Value::NULL, Insert::Put) {
                    return Some(Err(fail));
                }
            }
            machine.native_mut::<Table>(own)?.fixed = true;
            Ok(made)
        }
        _ => return None,
    })
}

fn on_array(machine: &mut Machine<'_>, id: ObjId, items: Vec<Value>, call: &LibraryCall<'_>) -> Option<Answer> {
    let at = |value: &Value| int(value).map(|at| usize::try_from(at).ok().filter(|at| *at < items.len()));
    Some(match (call.name, call.args) {
        ("add", [value]) => {
            let value = if is_element(machine, value) { Ok(element(value)) } else { leaf(machine, value)? };
            value.and_then(|value| push(machine, id, value)).map(|()| Value::NULL)
        }
        ("addAll", [other]) => {
            let more = super::tree::items(machine, other)?;
            let mut done = Ok(());
            for item in more {
                done = done.and_then(|()| push(machine, id, item));
            }
            done.map(|()| Value::NULL)
        }
        ("get", [place]) => match at(place)? {
            Some(at) => Ok(items[at].clone()),
            None => Err(throw(machine, "IndexOutOfBoundsException")),
        },
        ("set", [place, value]) if is_element(machine, value) => match at(place)? {
            Some(at) => {
                let value = element(value);
                tree_mut(machine, id, false).map(|tree| match tree {
                    Tree::Array(items) => std::mem::replace(&mut items[at], value),
                    _ => Value::NULL,
                })
            }
            None => Err(throw(machine, "IndexOutOfBoundsException")),
        },
        ("remove", [place]) if call.is_primitive(0) == Some(true) => match at(place)? {
            Some(at) => tree_mut(machine, id, true).map(|tree| match tree {
                Tree::Array(items) => items.remove(at),
                _ => Value::NULL,
            }),
            None => Err(throw(machine, "IndexOutOfBoundsException")),
        },
        ("size", []) => Ok(size(items.len())),
        ("isEmpty", []) => Ok(Value::bool(items.is_empty())),
        ("iterator", []) => {
            machine.native_mut::<Node>(id)?.shown = true;
            Ok(iterators::over(machine, items))
        }
        ("forEach", [action]) => {
            for item in items {
                if let Err(fail) = invoke(machine, action, "accept", vec![item]) {
                    return Some(Err(fail));
                }
            }
            Ok(Value::NULL)
        }
        (name, []) if name.starts_with("getAs") && !name.starts_with("getAsJson") => match items.as_slice() {
            [only] => machine.call_method(only.clone(), name, Vec::new()).map_err(Into::into),
            _ => Err(throw(machine, "IllegalStateException")),
        },
        _ => return None,
    })
}

/// Models the conversions of primitives to numbers, texts and booleans.
fn on_leaf(machine: &mut Machine<'_>, leaf: &Tree, call: &LibraryCall<'_>) -> Option<Answer> {
    let value = match leaf {
        Tree::Leaf(value) => value.clone(),
        Tree::Read(text) => return on_read(machine, text, call),
        _ => return None,
    };
    let prim = value.prim();
    let is_known = matches!(value, Value::Scalar(_));
    Some(Ok(match (call.name, call.args) {
        ("isString", []) if is_known => Value::bool(prim.is_none()),
        ("isNumber", []) if is_known => Value::bool(prim.is_some_and(|prim| prim != Prim::Bool)),
        ("isBoolean", []) if is_known => Value::bool(prim == Some(Prim::Bool)),
        ("getAsString", []) => return Some(machine.text_of(&value).map_err(Into::into)),
        ("getAsBoolean", []) if prim == Some(Prim::Bool) => value,
        ("getAsBoolean", []) if is_known => {
            Value::bool(text(&value).is_some_and(|text| text.eq_ignore_ascii_case("true")))
        }
        ("getAsInt" | "getAsLong" | "getAsDouble" | "getAsFloat" | "getAsShort" | "getAsByte", []) => {
            let to = match call.name {
                "getAsInt" => Prim::Int,
                "getAsLong" => Prim::Long,
                "getAsDouble" => Prim::Double,
                "getAsFloat" => Prim::Float,
                "getAsShort" => Prim::Short,
                _ => Prim::Byte,
            };
            match prim {
                Some(Prim::Bool) => return Some(Err(throw(machine, "NumberFormatException"))),
                Some(_) => machine.convert(value, &Type::Prim(to)),
                None => return Some(parsed(machine, &value, to)),
            }
        }
        ("getAsNumber", []) if prim.is_some_and(|prim| prim != Prim::Bool) => value,
        ("hashCode", _) => return Some(open("the hash of a primitive of a tree")),
        _ => return None,
    }))
}

/// Parses a text as a number with the parse method of the box class.
fn parsed(machine: &mut Machine<'_>, value: &Value, to: Prim) -> Answer {
    let (class, name) = match to {
        Prim::Int => ("java.lang.Integer", "parseInt"),
        Prim::Long => ("java.lang.Long", "parseLong"),
        Prim::Double => ("java.lang.Double", "parseDouble"),
        Prim::Float => ("java.lang.Float", "parseFloat"),
        Prim::Short => ("java.lang.Short", "parseShort"),
        _ => ("java.lang.Byte", "parseByte"),
    };
    Ok(machine.call_library(class, name, None, vec![value.clone()])?)
}

/// Models calls on a number that was parsed from a document.
fn on_read(machine: &mut Machine<'_>, read: &str, call: &LibraryCall<'_>) -> Option<Answer> {
    let whole = read.parse::<i64>().ok();
    Some(Ok(match (call.name, call.args) {
        ("isNumber", []) => Value::bool(true),
        ("isString" | "isBoolean", []) => Value::bool(false),
        ("getAsString", []) => machine.fresh_text(read),
        ("getAsInt", []) => match whole {
            Some(n) => Value::int(n as i32),
            None => return Some(open("a number with a fraction as a whole one")),
        },
        ("getAsLong", []) => match whole {
            Some(n) => Value::Scalar(Scalar::Long(n)),
            None => return Some(open("a number with a fraction as a whole one")),
        },
        ("getAsDouble" | "getAsFloat", []) => {
            let text = machine.fresh_text(read);
            return Some(parsed(machine, &text, if call.name == "getAsDouble" { Prim::Double } else { Prim::Float }));
        }
        ("getAsBoolean", []) => Value::bool(false),
        ("hashCode", _) => return Some(open("the hash of a primitive of a tree")),
        _ => return None,
    }))
}

/// Models the methods of all elements.
fn on_element(machine: &mut Machine<'_>, receiver: &Value, own: &Node, call: &LibraryCall<'_>) -> Option<Answer> {
    let (object, array) = (matches!(own.tree, Tree::Object(_)), matches!(own.tree, Tree::Array(_)));
    Some(match (call.name, call.args) {
        ("isJsonObject", []) => Ok(Value::bool(object)),
        ("isJsonArray", []) => Ok(Value::bool(array)),
        ("isJsonPrimitive", []) => Ok(Value::bool(!object && !array)),
        ("isJsonNull", []) => Ok(Value::bool(false)),
        ("getAsJsonObject", []) if object => Ok(receiver.clone()),
        ("getAsJsonArray", []) if array => Ok(receiver.clone()),
        ("getAsJsonPrimitive", []) if !object && !array => Ok(receiver.clone()),
        ("getAsJsonObject" | "getAsJsonArray" | "getAsJsonPrimitive" | "getAsJsonNull", []) => {
            Err(throw(machine, "IllegalStateException"))
        }
        (name, []) if name.starts_with("getAs") && object => Err(throw(machine, "UnsupportedOperationException")),
        ("toString", []) => {
            document(machine, receiver, 0).map(|doc| machine.fresh_text(&write(&doc, Style::default())))
        }
        ("deepCopy", []) => match document(machine, receiver, 0) {
            Ok(_) => copy(machine, receiver),
            Err(fail) => Err(fail),
        },
        ("equals", [other]) => equal(machine, receiver, other),
        ("hashCode", []) => open("the hash of a tree"),
        _ => return None,
    })
}

fn copy(machine: &mut Machine<'_>, value: &Value) -> Answer {
    let Some(own) = of(machine, value).cloned() else { return Ok(value.clone()) };
    let tree = match own.tree {
        Tree::Object(members) => {
            let mut out = Vec::new();
            for (name, value) in members {
                out.push((name, copy(machine, &value)?));
            }
            Tree::Object(out)
        }
        Tree::Array(items) => {
            let mut out = Vec::new();
            for item in items {
                out.push(copy(machine, &item)?);
            }
            Tree::Array(out)
        }
        _ => return Ok(value.clone()),
    };
    Ok(node(machine, Dialect::Gson, tree))
}

/// Equality of trees, decided by their documents; unknown for numbers of different kinds.
fn equal(machine: &mut Machine<'_>, a: &Value, b: &Value) -> Answer {
    if reference(a) == reference(b) && reference(a).is_some() {
        return Ok(Value::bool(true));
    }
    if b.is_null() || matches!(b, Value::Scalar(_)) {
        return Ok(Value::bool(false));
    }
    if of(machine, b).is_none() {
        return open("what a tree is compared with");
    }
    let (x, y) = (document(machine, a, 0)?, document(machine, b, 0)?);
    if has_number(&x) && has_number(&y) {
        return open("numbers of trees are compared");
    }
    Ok(Value::bool(same(&x, &y)))
}

fn has_number(doc: &super::document::Doc) -> bool {
    use super::document::Doc;
    match doc {
        Doc::Number(_) => true,
        Doc::Array(items) => items.iter().any(has_number),
        Doc::Object(members) => members.iter().any(|(_, value)| has_number(value)),
        _ => false,
    }
}

fn same(a: &super::document::Doc, b: &super::document::Doc) -> bool {
    use super::document::Doc;
    match (a, b) {
        (Doc::Object(x), Doc::Object(y)) => {
            x.len() == y.len()
                && x.iter().all(|(name, value)| y.iter().any(|(own, other)| own == name && same(value, other)))
        }
        (Doc::Array(x), Doc::Array(y)) => x.len() == y.len() && x.iter().zip(y).all(|(a, b)| same(a, b)),
        _ => a == b,
    }
}

fn on_null(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    Some(match (call.name, call.args) {
        ("isJsonNull", []) => Ok(Value::bool(true)),
        ("isJsonObject" | "isJsonArray" | "isJsonPrimitive", []) => Ok(Value::bool(false)),
        ("getAsJsonNull" | "deepCopy", []) => Ok(null(Dialect::Gson)),
        ("getAsJsonObject" | "getAsJsonArray" | "getAsJsonPrimitive", []) => {
            Err(throw(machine, "IllegalStateException"))
        }
        (name, []) if name.starts_with("getAs") => Err(throw(machine, "UnsupportedOperationException")),
        ("toString", []) => Ok(Value::text("null")),
        ("equals", [other]) if is_null(other) => Ok(Value::bool(true)),
        ("equals", [Value::Ref(_) | Value::Scalar(_)]) => Ok(Value::bool(false)),
        _ => return None,
    })
}
