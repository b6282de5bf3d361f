//! The state of a publisher: the source of its elements and the steps applied to them.

use std::rc::Rc;

use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::support::{native, numbered};
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::value::{Native, ObjId, Type, Value};

/// The class of publishers of at most one element.
pub const MONO: &str = "reactor.core.publisher.Mono";
/// The class of publishers of any number of elements.
pub const FLUX: &str = "reactor.core.publisher.Flux";

/// The name of the part of a publisher that is the exception with which it fails.
pub const FAILURE: &str = "the exception of a publisher";
/// The name of the part of a publisher that is the publisher to which its last step is applied.
pub const SOURCE: &str = "the source of a publisher";

/// The source of a publisher's elements.
#[derive(Debug, Clone)]
pub enum Step {
    /// Known elements.
    Items(Vec<Value>),
    /// A collection that is read on subscription.
    Later(Value),
    /// An exception.
    Error(Value),
    /// An exception that a supplier returns.
    ErrorBy(Value),
    /// A publisher that a supplier returns.
    Defer(Value),
    /// The result of a function without arguments, with the name of its method; null counts as no element.
    Call(Value, &'static str),
    /// Several publishers, one after the other.
    Concat(Vec<Value>),
    /// One element of each publisher, combined into one.
    Zip(Vec<Value>, Option<Value>),
    /// A method applied to another publisher, with its arguments.
    Of(Value, &'static str, Vec<Value>),
}

/// The state of a publisher.
#[derive(Debug, Clone)]
pub struct Publisher(pub Step);

impl Native for Publisher {
    native_state!();

    fn children(&self) -> Vec<Value> {
        match &self.0 {
            Step::Items(items) | Step::Concat(items) => items.clone(),
            Step::Later(value)
            | Step::Error(value)
            | Step::ErrorBy(value)
            | Step::Defer(value)
            | Step::Call(value, _) => vec![value.clone()],
            Step::Zip(items, by) => items.iter().chain(by).cloned().collect(),
            Step::Of(source, _, args) => std::iter::once(source).chain(args).cloned().collect(),
        }
    }

    fn parts(&self) -> Option<Vec<(Rc<str>, Value)>> {
        Some(match &self.0 {
            Step::Items(items) => numbered("element", items),
            Step::Later(items) => vec![(Rc::from("elements"), items.clone())],
            Step::Error(thrown) => vec![(Rc::from(FAILURE), thrown.clone())],
            Step::ErrorBy(by) => vec![(Rc::from(FAILURE), by.clone())],
            // What a function gives may be an element, or fail.
            Step::Defer(by) => supplied("element", by),
            Step::Call(by, _) => supplied("element", by),
            Step::Concat(of) => numbered("concat", of),
            Step::Zip(of, by) => {
                let combined = by.iter().map(|by| (Rc::from("zip by"), by.clone()));
                numbered("zip", of).into_iter().chain(combined).collect()
            }
            Step::Of(source, name, args) => step_behind(source, name, args),
        })
    }

    fn is_frozen(&self) -> bool {
        true
    }
}

/// The parts of a publisher whose element, or failure, a function gives.
pub(in crate::interpret::library) fn supplied(element: &str, by: &Value) -> Vec<(Rc<str>, Value)> {
    vec![(Rc::from(element), by.clone()), (Rc::from(FAILURE), by.clone())]
}

/// The parts of a step behind another publisher. A step without arguments differs from its source all the same.
pub(in crate::interpret::library) fn step_behind(source: &Value, name: &str, args: &[Value]) -> Vec<(Rc<str>, Value)> {
    let step = if args.is_empty() { numbered(name, &[Value::NULL]) } else { numbered(name, args) };
    std::iter::once((Rc::from(SOURCE), source.clone())).chain(step).collect()
}

/// A publisher of known elements.
pub fn of(machine: &mut Machine<'_>, class: &str, items: Vec<Value>) -> Value {
    publisher(machine, class, Step::Items(items))
}

/// A publisher that fails with this exception.
pub fn failing(machine: &mut Machine<'_>, thrown: Value) -> Value {
    publisher(machine, MONO, Step::Error(thrown))
}

/// The class of a modelled publisher.
pub fn class(machine: &Machine<'_>, value: &Value) -> Option<&'static str> {
    let Value::Ref(id) = value else { return None };
    machine.native::<Publisher>(*id)?;
    let class = crate::interpret::library::base::support::class_of(machine, value)?;
    Some(if class == FLUX { FLUX } else { MONO })
}

/// A publisher with this source.
pub fn publisher(machine: &mut Machine<'_>, class: &str, step: Step) -> Value {
    native(machine, class, Publisher(step))
}

/// The source of a publisher's elements.
pub fn state<'m>(machine: &'m Machine<'_>, id: ObjId) -> Option<&'m Step> {
    machine.native::<Publisher>(id).map(|publisher| &publisher.0)
}

/// The type of the value written for a returned publisher: its element, or the list of its elements.
pub fn written(ty: &Type) -> Option<Type> {
    written_by(ty, (MONO, FLUX))
}

/// The type of the value written for a returned publisher of the class `one`, which has at most one element, or `many`.
pub fn written_by(ty: &Type, (one, many): (&str, &str)) -> Option<Type> {
    let Type::Class(ClassRef::Library(fqn), args) = ty else { return None };
    let of = args.first().cloned().unwrap_or(Type::Unknown);
    match &**fqn {
        fqn if fqn == one => Some(match of.library() {
            Some("java.lang.Void") => Type::Void,
            _ => of,
        }),
        fqn if fqn == many => Some(Type::Class(ClassRef::library("java.util.List"), vec![of])),
        _ => None,
    }
}
