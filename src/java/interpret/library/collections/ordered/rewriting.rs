//! Replacing all elements of lists and arrays, and binary search in them.

use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::support::{Answer, compare, open, reference, throw_with};
use crate::interpret::library::collections::views::SubList;
use crate::interpret::values::value::{Kind, Value};

/// Replaces the elements of a list by the same number of others.
pub fn rewrite(machine: &mut Machine<'_>, target: &Value, new: Vec<Value>) -> Answer<()> {
    let Some(id) = reference(target) else { return open("a list is not known") };
    let (list, from, length) = match machine.native::<SubList>(id) {
        Some(part) => (part.list, part.from, part.length),
        None => (id, 0, new.len()),
    };
    match &mut machine.object_mut(list).kind {
        Kind::List { items, fixed: false } => {
            items.splice(from..from + length, new);
            Ok(())
        }
        Kind::List { fixed: true, .. } => Err(throw_with(machine, "UnsupportedOperationException", Value::NULL)),
        _ => open("a list is not known"),
    }
}

/// Models `binarySearch`.
pub fn search(machine: &mut Machine<'_>, items: &[Value], key: &Value, by: Option<&Value>) -> Answer {
    let (mut low, mut high) = (0_i32, i32::try_from(items.len()).unwrap_or(i32::MAX) - 1);
    while low <= high {
        let mid = (low + high) >> 1;
        let item = usize::try_from(mid).ok().and_then(|at| items.get(at)).cloned().unwrap_or(Value::NULL);
        let order = compare(machine, by, &item, key)?;
        match order {
            0 => return Ok(Value::int(mid)),
            n if n < 0 => low = mid + 1,
            _ => high = mid - 1,
        }
    }
    Ok(Value::int(-(low + 1)))
}
