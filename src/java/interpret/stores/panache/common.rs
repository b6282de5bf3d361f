//! What a Panache query is described by: `Sort`, `Parameters` and `Page`.

use std::rc::Rc;

use crate::interpret::engine::machine::Machine;
use crate::interpret::library::LibraryCall;
use crate::interpret::library::base::contents::{Contents, contents};
use crate::interpret::library::base::support::{Answer, int, native, reference, spread, text};
use crate::interpret::values::scalar::Scalar;
use crate::interpret::values::value::{Native, Value};

const SORT: &str = "io.quarkus.panache.common.Sort";
const PARAMETERS: &str = "io.quarkus.panache.common.Parameters";
const PAGE: &str = "io.quarkus.panache.common.Page";

/// The fields to sort by, each with whether it is descending.
#[derive(Debug, Clone)]
struct Sort(Vec<(String, bool)>);

impl Native for Sort {
    native_state!(leaf);
}

/// Named parameters.
#[derive(Debug, Clone)]
struct Parameters(Vec<(String, Value)>);

impl Native for Parameters {
    native_state!();

    fn children(&self) -> Vec<Value> {
        self.0.iter().map(|(_, value)| value.clone()).collect()
    }

    fn parts(&self) -> Option<Vec<(Rc<str>, Value)>> {
        Some(self.0.iter().map(|(name, value)| (Rc::from(name.as_str()), value.clone())).collect())
    }
}

/// The index of a page, and its size.
#[derive(Debug, Clone)]
struct Page(usize, usize);

impl Native for Page {
    native_state!(leaf);
}

/// The order that a value describes.
pub fn order_of(machine: &Machine<'_>, value: &Value) -> Option<Vec<(String, bool)>> {
    machine.native::<Sort>(reference(value)?).map(|sort| sort.0.clone())
}

/// The parameters that a value names: `Parameters`, or a map with texts as keys.
pub fn parameters_of(machine: &Machine<'_>, value: &Value) -> Option<Vec<(String, Value)>> {
    let id = reference(value)?;
    if let Some(own) = machine.native::<Parameters>(id) {
        return Some(own.0.clone());
    }
    let entries = match contents(&machine.heap, id)? {
        Contents::Map(entries) | Contents::Pairs(entries) => entries,
        _ => return None,
    };
    entries.into_iter().map(|(key, value)| Some((text(&key)?.to_owned(), value))).collect()
}

/// The index and size of a page that a value describes.
pub fn page_of(machine: &Machine<'_>, value: &Value) -> Option<(usize, usize)> {
    machine.native::<Page>(reference(value)?).map(|page| (page.0, page.1))
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    match call.fqn {
        SORT => sort(machine, call),
        PARAMETERS => parameters(machine, call),
        PAGE if call.receiver.is_none() => {
            let number = |value: &Value| usize::try_from(int(value)?).ok();
            let (index, size) = match (call.name, call.args) {
                ("of", [index, size]) => (number(index)?, number(size)?),
                ("ofSize", [size]) => (0, number(size)?),
                _ => return None,
            };
            Some(Ok(native(machine, PAGE, Page(index, size))))
        }
        _ => None,
    }
}

fn sort(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    let named = |machine: &Machine<'_>, down: bool| {
        let names = spread(machine, call.args);
        names.iter().map(|name| Some((text(name)?.to_owned(), down))).collect::<Option<Vec<_>>>()
    };
    let directed = |direction: &Value| match direction {
        Value::Scalar(Scalar::Enum(_, name)) => Some(&**name == "Descending"),
        _ => None,
    };
    let order = match (call.receiver, call.name, call.args) {
        (None, "empty", []) => Vec::new(),
        (None, "by", [name, direction @ Value::Scalar(Scalar::Enum(..))]) => {
            vec![(text(name)?.to_owned(), directed(direction)?)]
        }
        (None, "by" | "ascending", _) => named(machine, false)?,
        (None, "descending", _) => named(machine, true)?,
        (Some(own), "and", [name]) => [order_of(machine, own)?, vec![(text(name)?.to_owned(), false)]].concat(),
        (Some(own), "and", [name, direction @ Value::Scalar(Scalar::Enum(..))]) => {
            [order_of(machine, own)?, vec![(text(name)?.to_owned(), directed(direction)?)]].concat()
        }
        (Some(own), "descending" | "ascending", []) => {
            let down = call.name == "descending";
            order_of(machine, own)?.into_iter().map(|(name, _)| (name, down)).collect()
        }
        _ => return None,
    };
    Some(Ok(native(machine, SORT, Sort(order))))
}

fn parameters(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    let [name, value] = call.args else { return None };
    let added = (text(name)?.to_owned(), value.clone());
    let all = match (call.receiver, call.name) {
        (None, "with") => vec![added],
        (Some(own), "and") => {
            let mut all = machine.native::<Parameters>(reference(own)?)?.0.clone();
            all.push(added);
            all
        }
        _ => return None,
    };
    Some(Ok(native(machine, PARAMETERS, Parameters(all))))
}
