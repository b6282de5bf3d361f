//! Models Spring's sorting of beans by a property: `MutableSortDefinition` and `PropertyComparator`.

use crate::interpret::engine::machine::{Eval, Machine, Stop};
use crate::interpret::library::LibraryCall;
use crate::interpret::library::base::support::{Answer, Fail, boolean, compare, open, reference, settle, text};
use crate::interpret::values::scalar::{ClassRef, Scalar};
use crate::interpret::values::value::Value;

const DEFINITION: &str = "org.springframework.beans.support.MutableSortDefinition";
const COMPARATOR: &str = "org.springframework.beans.support.PropertyComparator";

/// The parts of a sort definition: property name, whether case is ignored, whether the order is ascending.
const PROPERTY: &str = "property";
const IGNORES_CASE: &str = "ignores-case";
const ASCENDING: &str = "ascending";

/// A sort order of beans.
struct Order {
    property: String,
    ignores_case: bool,
    ascending: bool,
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let answer = match (call.fqn, call.receiver, call.name, call.args) {
        (DEFINITION, None, "<init>", [property, case, up]) => {
            text(property)?;
            boolean(case)?;
            boolean(up)?;
            let parts = [(PROPERTY, property.clone()), (IGNORES_CASE, case.clone()), (ASCENDING, up.clone())];
            Ok(machine.modelled(DEFINITION, &parts))
        }
        (COMPARATOR, None, "<init>", [by]) => {
            order_of(machine, by)?;
            let parts = machine.object(reference(by)?).parts.clone();
            Ok(machine.modelled(COMPARATOR, &parts.into_iter().collect::<Vec<_>>()))
        }
        (COMPARATOR, None, "sort", [list, by]) => {
            let order = order_of(machine, by)?;
            sort(machine, list, by, &order)
        }
        (COMPARATOR, Some(this), "compare", [one, other]) => {
            let order = order_of(machine, this)?;
            compared(machine, &order, one, other).map(Value::int)
        }
        _ => return None,
    };
    Some(settle(machine, call, answer))
}

/// The sort order of a definition or comparator; `None` for any other value, and for nested properties.
fn order_of(machine: &Machine<'_>, value: &Value) -> Option<Order> {
    let object = machine.object(reference(value)?);
    let ClassRef::Library(fqn) = &object.class else { return None };
    if **fqn != *DEFINITION && **fqn != *COMPARATOR {
        return None;
    }
    let part = |name: &str| object.parts.get(name);
    let property = text(part(PROPERTY)?)?.to_owned();
    let is_plain = property.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let order = Order { property, ignores_case: boolean(part(IGNORES_CASE)?)?, ascending: boolean(part(ASCENDING)?)? };
    is_plain.then_some(order)
}

fn sort(machine: &mut Machine<'_>, list: &Value, by: &Value, order: &Order) -> Answer {
    if order.property.is_empty() {
        return Ok(Value::NULL);
    }
    let parts = reference(by).map(|id| machine.object(id).parts.clone()).unwrap_or_default();
    let comparator = machine.modelled(COMPARATOR, &parts.into_iter().collect::<Vec<_>>());
    Ok(machine.call_method(list.clone(), "sort", vec![comparator])?)
}

/// Compares two beans; null is last in ascending order. Values that cannot be compared are left unknown.
fn compared(machine: &mut Machine<'_>, order: &Order, one: &Value, other: &Value) -> Answer<i32> {
    let (one, other) = (property(machine, order, one)?, property(machine, order, other)?);
    let up = match (one.is_null(), other.is_null()) {
        (true, true) => 0,
        (true, false) => 1,
        (false, true) => -1,
        (false, false) => match compare(machine, None, &one, &other) {
            Err(Fail::Stop(Stop::Throw(_))) => return open("beans that cannot be compared"),
            order => order?,
        },
    };
    Ok(if order.ascending { up } else { -up })
}

/// The value of the sort property of a bean.
fn property(machine: &mut Machine<'_>, order: &Order, bean: &Value) -> Answer {
    let mut letters = order.property.chars();
    let Some(first) = letters.next() else { return open("a property without a name") };
    let getter = format!("get{}{}", first.to_ascii_uppercase(), letters.as_str());
    let value = match machine.call_method(bean.clone(), &getter, Vec::new()) {
        Err(Stop::Throw(_)) => return open("a property that cannot be read"),
        value => value?,
    };
    match &value {
        Value::Scalar(Scalar::Str(_)) if order.ignores_case => {
            Ok(machine.call_method(value.clone(), "toLowerCase", Vec::new())?)
        }
        Value::Scalar(_) | Value::Ref(_) => Ok(value),
        _ => open("a property that is not known"),
    }
}
