//! What a publisher is: where its elements come from, and the steps that they go through.

use crate::java::interpret::library::support::native;
use crate::java::interpret::machine::Machine;
use crate::java::interpret::scalar::ClassRef;
use crate::java::interpret::value::{Native, ObjId, Type, Value};

/// None or one.
pub const MONO: &str = "reactor.core.publisher.Mono";
/// Any number.
pub const FLUX: &str = "reactor.core.publisher.Flux";

/// Where the elements of a publisher come from.
#[derive(Debug, Clone)]
pub enum Step {
    /// Known elements.
    Items(Vec<Value>),
    /// A collection, read when somebody subscribes.
    Later(Value),
    /// An exception.
    Error(Value),
    /// What a supplier says: an exception.
    ErrorBy(Value),
    /// What a supplier says: a publisher.
    Defer(Value),
    /// What a function without arguments gives, by its name; null is nothing.
    Call(Value, &'static str),
    /// One publisher after the other.
    Concat(Vec<Value>),
    /// One of each, as one.
    Zip(Vec<Value>, Option<Value>),
    /// What a method makes of another publisher, with its arguments.
    Of(Value, &'static str, Vec<Value>),
}

/// A publisher.
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

    fn is_frozen(&self) -> bool {
        true
    }
}

/// A publisher of known elements.
pub fn of(machine: &mut Machine<'_>, class: &str, items: Vec<Value>) -> Value {
    publisher(machine, class, Step::Items(items))
}

/// A publisher that fails.
pub fn failing(machine: &mut Machine<'_>, thrown: Value) -> Value {
    publisher(machine, MONO, Step::Error(thrown))
}

/// The class of a publisher that is followed.
pub fn class(machine: &Machine<'_>, value: &Value) -> Option<&'static str> {
    let Value::Ref(id) = value else { return None };
    machine.native::<Publisher>(*id)?;
    let class = crate::java::interpret::library::support::class_of(machine, value)?;
    Some(if class == FLUX { FLUX } else { MONO })
}

/// A publisher.
pub fn publisher(machine: &mut Machine<'_>, class: &str, step: Step) -> Value {
    native(machine, class, Publisher(step))
}

/// What a publisher does.
pub fn state<'m>(machine: &'m Machine<'_>, id: ObjId) -> Option<&'m Step> {
    machine.native::<Publisher>(id).map(|publisher| &publisher.0)
}

/// The type of what is written where a method returns a publisher that ran: of its element, or the list of them.
pub fn written(ty: &Type) -> Option<Type> {
    let Type::Class(ClassRef::Library(fqn), args) = ty else { return None };
    let of = args.first().cloned().unwrap_or(Type::Unknown);
    match &**fqn {
        MONO => Some(match of.library() {
            Some("java.lang.Void") => Type::Void,
            _ => of,
        }),
        FLUX => Some(Type::Class(ClassRef::library("java.util.List"), vec![of])),
        _ => None,
    }
}
