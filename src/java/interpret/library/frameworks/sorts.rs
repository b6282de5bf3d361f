//! Spring Data's `Sort`: by which properties, and whether downwards.

use crate::java::interpret::library::LibraryCall;
use crate::java::interpret::library::support::{reference, spread, text};
use crate::java::interpret::machine::{Eval, Machine};
use crate::java::interpret::scalar::{ClassRef, Scalar};
use crate::java::interpret::value::Value;

/// `Sort`.
pub const SORT: &str = "org.springframework.data.domain.Sort";
/// Its direction, whose constants the enums of the library know.
pub const DIRECTION: &str = "org.springframework.data.domain.Sort.Direction";
const ORDER: &str = "org.springframework.data.domain.Sort.Order";

/// The part that holds the properties, each behind its sign, one a line.
const BY: &str = "by";

/// The model.
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
        (SORT, Some(own), "ascending" | "descending", []) => {
            let down = call.name == "descending";
            orders_of(machine, own)?.into_iter().map(|(name, _)| (name, down)).collect()
        }
        (SORT, Some(own), "and", [other]) => [orders_of(machine, own)?, orders_of(machine, other)?].concat(),
        (ORDER, None, "asc" | "by" | "desc", [name]) => vec![(text(name)?.to_owned(), call.name == "desc")],
        (ORDER, None, "<init>", [direction, name]) => vec![(text(name)?.to_owned(), is_down(direction)?)],
        _ => return None,
    };
    let signed: Vec<String> =
        made.iter().map(|(name, down)| format!("{}{name}", if *down { '-' } else { '+' })).collect();
    let class = if call.fqn == ORDER { ORDER } else { SORT };
    Some(Ok(machine.modelled(class, &[(BY, Value::text(&signed.join("\n")))])))
}

/// The properties that a `Sort` sorts by, each with whether downwards; `None` for anything else.
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
