//! Headers that code sets on a response: their names, and their values as far as known.

use std::collections::BTreeMap;

use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::support::{reference, text};
use crate::interpret::values::function::Function;
use crate::interpret::values::scalar::Scalar;
use crate::interpret::values::term::Term;
use crate::interpret::values::value::{Kind, ObjId, Value};

/// The part of an object that holds its headers.
const PART: &str = "named headers";

/// The part that lists the recorded calls that set headers or write to the response.
pub const SAID: &str = "what was set";

/// Stands in a text for an unknown part without a slash.
pub const OPEN: &str = "{}";

/// Prefix of an address that is relative to the request.
pub const ORIGIN: &str = "from";

/// Headers by lower-case name; `None` for an unknown value.
pub type Named = BTreeMap<String, Option<String>>;

/// Records a call that sets a header or writes to a response, with its arguments, for the comparison of base and
/// head. Calls that set headers are sorted by header name; calls of one kind stay in order.
pub fn said(machine: &mut Machine<'_>, object: &Value, (name, args): (&str, &[Value])) {
    let Some(id) = reference(object).filter(|_| machine.is_opaque()) else { return };
    let header =
        args.first().and_then(text).filter(|_| matches!(name, "set" | "add") || name.to_lowercase().contains("header"));
    let key = header.map_or_else(|| name.to_owned(), |header| format!("{name} {}", header.to_lowercase()));
    let mut items = match machine.object(id).parts.get(SAID).and_then(reference).map(|list| &machine.object(list).kind)
    {
        Some(Kind::List { items, .. }) => items.clone(),
        _ => Vec::new(),
    };
    let mut one = vec![Value::text(&key)];
    one.extend(args.iter().cloned());
    let one = machine.list(one, "list");
    let is_before = |item: &Value| match reference(item).map(|item| &machine.object(item).kind) {
        Some(Kind::List { items, .. }) => items.first().and_then(text).is_some_and(|own| *own <= *key),
        _ => true,
    };
    let at = items.partition_point(is_before);
    items.insert(at, one);
    let list = machine.list(items, "list");
    machine.object_mut(id).parts.insert(SAID, list);
}

/// Records a header.
pub fn note(machine: &mut Machine<'_>, object: &Value, name: &str, value: Option<String>) {
    let Some(id) = reference(object) else { return };
    let mut named = of(machine, id).unwrap_or_default();
    let name = name.to_lowercase();
    // A header with several values gets an unknown value.
    let value = value.filter(|value| !value.contains(['\n', '\r']) && !named.contains_key(&name));
    named.insert(name, value);
    keep(machine, id, Some(&named));
}

/// Records a header, replacing an earlier value.
pub fn put(machine: &mut Machine<'_>, object: &Value, name: &str, value: Option<String>) {
    let Some(id) = reference(object) else { return };
    let mut named = of(machine, id).unwrap_or_default();
    named.insert(name.to_lowercase(), value.filter(|value| !value.contains(['\n', '\r'])));
    keep(machine, id, Some(&named));
}

/// Records that headers with unknown names are set.
pub fn note_open(machine: &mut Machine<'_>, object: &Value) {
    if let Some(id) = reference(object) {
        keep(machine, id, None);
    }
}

/// `Last-Modified` for `last-modified`.
pub fn titled(name: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    };
    name.split('-').map(word).collect::<Vec<String>>().join("-")
}

/// Adds all headers of a headers object.
pub fn take(machine: &mut Machine<'_>, object: &Value, from: &Value) {
    let given = reference(from).filter(|id| matches!(machine.object(*id).kind, Kind::Modelled));
    match given.and_then(|id| of(machine, id)) {
        Some(named) => named.into_iter().for_each(|(name, value)| note(machine, object, &name, value)),
        None => note_open(machine, object),
    }
}

/// Copies the headers of one object to another.
pub fn copy(machine: &mut Machine<'_>, from: ObjId, to: ObjId) {
    match machine.object(from).parts.get(PART).cloned() {
        Some(kept) => machine.object_mut(to).parts.insert(PART, kept),
        None => machine.object_mut(to).parts.remove(PART),
    };
}

/// The headers set on an object; `None` if the name of one is unknown.
pub fn of(machine: &Machine<'_>, id: ObjId) -> Option<Named> {
    let Some(kept) = machine.object(id).parts.get(PART) else { return Some(Named::new()) };
    let lines = text(kept)?.lines();
    let line = |line: &str| {
        let (name, value) = line.split_once('\t').unwrap_or((line, ""));
        (name.to_owned(), value.strip_prefix('=').map(str::to_owned))
    };
    Some(lines.map(line).collect())
}

/// Stores the headers of an object. `None` means that the name of one is unknown; no later call undoes that.
pub fn keep(machine: &mut Machine<'_>, id: ObjId, named: Option<&Named>) {
    let Some(named) = named else {
        machine.object_mut(id).parts.insert(PART, Value::NULL);
        return;
    };
    if matches!(machine.object(id).parts.get(PART), Some(kept) if kept.is_null()) {
        return;
    }
    let line = |(name, value): (&String, &Option<String>)| match value {
        Some(value) => format!("{name}\t={value}"),
        None => name.clone(),
    };
    let lines: Vec<String> = named.iter().map(line).collect();
    machine.object_mut(id).parts.insert(PART, Value::text(&lines.join("\n")));
}

/// The headers of a response object together with those set on the container's response; the value of a header set on
/// both is unknown.
pub fn with_response(machine: &Machine<'_>, own: Option<Named>) -> Option<Named> {
    let Some((_, response)) = machine.exchange else { return own };
    let mut all = own?;
    for (name, value) in of(machine, response)? {
        let both = all.contains_key(&name);
        all.insert(name, value.filter(|_| !both));
    }
    Some(all)
}

/// Makes the values of headers set on a response since `before` unknown: they may be set too late.
pub fn leave_open(machine: &mut Machine<'_>, response: ObjId, before: Option<&Named>) {
    let now = of(machine, response);
    let (Some(before), Some(now)) = (before, &now) else {
        keep(machine, response, None);
        return;
    };
    let sure =
        |name: &String, value: &Option<String>| if before.get(name) == Some(value) { value.clone() } else { None };
    let named: Named = now.iter().map(|(name, value)| (name.clone(), sure(name, value))).collect();
    keep(machine, response, Some(&named));
}

/// A text, with [`OPEN`] for its symbolic parts.
pub fn shown(value: &Value) -> Option<String> {
    match value {
        // The effect of null differs between containers.
        Value::Scalar(scalar) if !value.is_null() => scalar.to_java_string(),
        Value::Symbol(symbol) => match &*symbol.term {
            Term::Apply(Function::Concat, parts) => {
                let part = |part: &std::rc::Rc<Term>| match &**part {
                    Term::Const(Scalar::Str(text)) => text.text.to_string(),
                    _ => OPEN.to_owned(),
                };
                Some(parts.iter().map(part).collect())
            }
            _ => None,
        },
        _ => None,
    }
}

/// The text of a single value, passed alone or as variable arguments.
pub fn only(machine: &Machine<'_>, given: &Value) -> Option<String> {
    match reference(given).map(|id| &machine.object(id).kind) {
        Some(Kind::List { items, .. }) => match items.as_slice() {
            [only] => shown(only),
            _ => None,
        },
        Some(_) => None,
        None => shown(given),
    }
}

/// The text of an address object.
pub fn place(machine: &Machine<'_>, value: &Value) -> Option<String> {
    let parts = &machine.object(reference(value)?).parts;
    parts.get("shown").and_then(text).map(str::to_owned).or_else(|| shown(parts.get("text")?))
}

/// Whether two texts may be equal; an unknown part may be any text without a slash.
pub fn may_be_same(a: &str, b: &str) -> bool {
    let (one, other): (Vec<&str>, Vec<&str>) = (a.split('/').collect(), b.split('/').collect());
    // An address relative to the request may equal any other address.
    if one.first() != other.first() && (a.starts_with(ORIGIN) || b.starts_with(ORIGIN)) {
        return true;
    }
    let fits = |(x, y): (&&str, &&str)| x == y || x.contains(OPEN) || y.contains(OPEN);
    one.len() == other.len() && one.iter().zip(&other).all(fits)
}
