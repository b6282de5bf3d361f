//! Models `Properties`: a table of texts, filled by code or from a known file.

use super::entries::{get, put};
use super::table::{Insert, Order, Table};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, native, open, reference, settle, text};
use crate::interpret::library::text::input_text;
use crate::interpret::values::value::Value;

const FQN: &str = "java.util.Properties";

/// Models a library call; methods shared with maps are left to their model.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if call.fqn != FQN {
        return None;
    }
    let answer = match call.receiver {
        None => {
            let ("<init>", []) = (call.name, call.args) else { return None };
            let mut table = Table::new(Order::Open, false);
            table.no_null = true;
            Ok(native(machine, FQN, table))
        }
        Some(receiver) => {
            let id = reference(receiver)?;
            machine.native::<Table>(id)?;
            match (call.name, call.args) {
                ("getProperty", [key, other @ ..]) => {
                    text(key)?;
                    get(machine, id, key).map(|found| match found {
                        Some(value)
                            if text(&value).is_some() || matches!(value, Value::Unknown(_) | Value::Symbol(_)) =>
                        {
                            value
                        }
                        _ => other.first().cloned().unwrap_or(Value::NULL),
                    })
                }
                ("setProperty", [key, value]) => {
                    put(machine, id, key.clone(), value.clone(), Insert::Put).map(|old| old.unwrap_or(Value::NULL))
                }
                ("load", [from]) => {
                    let given = input_text::rest(machine, from)?;
                    load(machine, id, &given)
                }
                ("stringPropertyNames", []) => {
                    let view = machine.call_method(receiver.clone(), "keySet", Vec::new());
                    view.map_err(Into::into)
                }
                _ => return None,
            }
        }
    };
    Some(settle(machine, call, answer))
}

/// Loads lines of the form `key=value`; escapes and continuation lines are not supported.
fn load(machine: &mut Machine<'_>, id: crate::interpret::values::value::ObjId, given: &str) -> Answer {
    if given.contains('\\') || !given.is_ascii() {
        return open("escapes of a properties file");
    }
    for line in given.lines() {
        let line = line.trim_start_matches([' ', '\t', '\u{c}']);
        if line.is_empty() || line.starts_with(['#', '!']) {
            continue;
        }
        let blank = |c: char| matches!(c, ' ' | '\t' | '\u{c}');
        let end = line.find(|c| blank(c) || matches!(c, '=' | ':')).unwrap_or(line.len());
        let (key, rest) = line.split_at(end);
        let rest = rest.trim_start_matches(blank);
        let rest = rest.strip_prefix(['=', ':']).unwrap_or(rest).trim_start_matches(blank);
        let (key, value) = (machine.fresh_text(key), machine.fresh_text(rest));
        put(machine, id, key, value, Insert::Put)?;
    }
    Ok(Value::NULL)
}
