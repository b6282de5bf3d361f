//! Models Spring Data's `Sort`: sort properties and their directions.

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::LibraryCall;
use crate::interpret::library::base::support::{reference, spread, text};
use crate::interpret::values::scalar::{ClassRef, Scalar};
use crate::interpret::values::value::{Kind, Object, Value};

/// The class `Sort`.
pub const SORT: &str = "org.springframework.data.domain.Sort";
/// The enum of sort directions; its constants are among the library enums.
pub const DIRECTION: &str = "org.springframework.data.domain.Sort.Direction";
const ORDER: &str = "org.springframework.data.domain.Sort.Order";

const LIST: &str = "java.util.ArrayList";

/// The part that holds the sort properties, one per line, each after the sign of its direction.
const BY: &str = "by";

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if call.fqn != SORT && call.fqn != ORDER {
        return None;
    }
    let made = match (call.fqn, call.receiver, call.name, call.args) {
        (SORT, None, "unsorted", []) => Vec::new(),
        (SORT, None, "by", args) => match args {
            [direction @ Value::Scalar(Scalar::Enum(..)), names @ ..] => {
                properties(machine, names, is_down(direction)?)?
            }
            [Value::Ref(_), ..] => {
                let orders = spread(machine, args);
                let each: Option<Vec<Vec<(String, bool)>>> =
                    orders.iter().map(|order| orders_of(machine, order)).collect();
                match each {
                    Some(each) => each.concat(),
                    None => properties(machine, args, false)?,
                }
            }
            names => properties(machine, names, false)?,
        },
        (SORT, Some(own), "isSorted" | "isUnsorted" | "isEmpty", []) => {
            let is_sorted = !orders_of(machine, own)?.is_empty();
            return Some(Ok(Value::bool(is_sorted == (call.name == "isSorted"))));
        }
        (SORT | ORDER, Some(own), "toString", []) => {
            let shown: Vec<String> =
                orders_of(machine, own)?.iter().map(|(name, down)| format!("{name}: {}", word(*down))).collect();
            let text = if shown.is_empty() { "UNSORTED".to_owned() } else { shown.join(",") };
            return Some(Ok(machine.fresh_text(&text)));
        }
        (SORT, Some(own), "iterator" | "stream" | "forEach" | "toList", args) => {
            let orders = each(machine, own)?;
            let object = Object::new(ClassRef::library(LIST), Kind::List { items: orders, fixed: false });
            let list = Value::Ref(machine.allocate(object));
            return match call.name {
                "toList" => Some(Ok(list)),
                name => Some(machine.call_library(LIST, name, Some(list), args.to_vec())),
            };
        }
        (ORDER, Some(own), "getProperty", []) => {
            let (name, _) = orders_of(machine, own)?.into_iter().next()?;
            return Some(Ok(machine.fresh_text(&name)));
        }
        (ORDER, Some(own), "getDirection", []) => {
            let (_, down) = orders_of(machine, own)?.into_iter().next()?;
            return Some(Ok(Value::Scalar(Scalar::Enum(ClassRef::library(DIRECTION), word(down).into()))));
        }
        (ORDER, Some(own), "isAscending" | "isDescending", []) => {
            let (_, down) = orders_of(machine, own)?.into_iter().next()?;
            return Some(Ok(Value::bool(down == (call.name == "isDescending"))));
        }
        (SORT, Some(own), "ascending" | "descending", []) => {
            let down = call.name == "descending";
            orders_of(machine, own)?.into_iter().map(|(name, _)| (name, down)).collect()
        }
        (SORT, Some(own), "and", [other]) => [orders_of(machine, own)?, orders_of(machine, other)?].concat(),
        (ORDER, None, "asc" | "by" | "desc", [name]) => vec![(text(name)?.to_owned(), call.name == "desc")],
        (ORDER, None, "<init>", [direction, name]) => vec![(text(name)?.to_owned(), is_down(direction)?)],
        _ => return None,
    };
    Some(Ok(holding(machine, if call.fqn == ORDER { ORDER } else { SORT }, &made)))
}

fn holding(machine: &mut Machine<'_>, class: &str, order: &[(String, bool)]) -> Value {
    let signed: Vec<String> =
        order.iter().map(|(name, down)| format!("{}{name}", if *down { '-' } else { '+' })).collect();
    machine.modelled(class, &[(BY, Value::text(&signed.join("\n")))])
}

/// The orders of a `Sort`.
pub fn each(machine: &mut Machine<'_>, value: &Value) -> Option<Vec<Value>> {
    let orders = orders_of(machine, value)?;
    Some(orders.into_iter().map(|one| holding(machine, ORDER, &[one])).collect())
}

fn word(down: bool) -> &'static str {
    if down { "DESC" } else { "ASC" }
}

/// A `Sort` by properties, each with whether it is descending.
pub fn of(machine: &mut Machine<'_>, order: &[(String, bool)]) -> Value {
    holding(machine, SORT, order)
}

/// The sort properties that a direction and property names specify.
pub fn by(machine: &Machine<'_>, direction: &Value, names: &[Value]) -> Option<Vec<(String, bool)>> {
    properties(machine, names, is_down(direction)?)
}

/// The sort properties of a `Sort`, each with whether it is descending; `None` for any other value.
pub fn orders_of(machine: &Machine<'_>, value: &Value) -> Option<Vec<(String, bool)>> {
    let object = machine.object(reference(value)?);
    let ClassRef::Library(fqn) = &object.class else { return None };
    if **fqn != *SORT && **fqn != *ORDER {
        return None;
    }
    let signed = text(object.parts.get(BY)?)?;
    Some(signed.lines().map(|line| (line[1..].to_owned(), line.starts_with('-'))).collect())
}

fn properties(machine: &Machine<'_>, names: &[Value], down: bool) -> Option<Vec<(String, bool)>> {
    let names = spread(machine, names);
    if names.is_empty() {
        return None;
    }
    names.iter().map(|name| text(name).filter(|name| !name.is_empty()).map(|name| (name.to_owned(), down))).collect()
}

fn is_down(direction: &Value) -> Option<bool> {
    match direction {
        Value::Scalar(Scalar::Enum(_, name)) => Some(&**name == "DESC"),
        _ => None,
    }
}
