//! The state of a `Uni` or `Multi`, and of the groups of methods that lead from one to the next.

use std::rc::Rc;

use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::support::{class_of, native, numbered};
use crate::interpret::library::frameworks::reactive::state::{FAILURE, step_behind, supplied, written_by};
use crate::interpret::values::value::{Native, ObjId, Type, Value};

/// The class of one item, which may be null.
pub const UNI: &str = "io.smallrye.mutiny.Uni";
/// The class of any number of items.
pub const MULTI: &str = "io.smallrye.mutiny.Multi";
/// The prefix of the classes that group methods.
pub const GROUPS: &str = "io.smallrye.mutiny.groups.";

/// Where the items come from.
#[derive(Debug, Clone)]
pub enum Step {
    /// Known items; a `Uni` has one.
    Items(Vec<Value>),
    /// A collection that is read on subscription.
    Later(Value),
    /// What a supplier gives; null counts as the item of a `Uni`.
    Supplied(Value),
    /// An exception, or a supplier of one.
    Failed(Value),
    /// The `Uni` that a supplier gives.
    Deferred(Value),
    /// A step behind another `Uni` or `Multi`, with its arguments.
    Of(Value, &'static str, Vec<Value>),
}

/// A `Uni` or `Multi`.
#[derive(Debug, Clone)]
pub struct Stream(pub Step);

impl Native for Stream {
    native_state!();

    fn children(&self) -> Vec<Value> {
        match &self.0 {
            Step::Items(items) => items.clone(),
            Step::Later(value) | Step::Supplied(value) | Step::Failed(value) | Step::Deferred(value) => {
                vec![value.clone()]
            }
            Step::Of(source, _, args) => std::iter::once(source).chain(args).cloned().collect(),
        }
    }

    fn parts(&self) -> Option<Vec<(Rc<str>, Value)>> {
        Some(match &self.0 {
            Step::Items(items) => numbered("item", items),
            Step::Later(items) => vec![(Rc::from("items"), items.clone())],
            Step::Failed(thrown) => vec![(Rc::from(FAILURE), thrown.clone())],
            Step::Supplied(by) | Step::Deferred(by) => supplied("item", by),
            Step::Of(source, name, args) => step_behind(source, name, args),
        })
    }

    fn is_frozen(&self) -> bool {
        true
    }
}

/// A group of methods: `uni.onItem()`, `uni.onItem().ifNull()`, `uni.onFailure(…)`.
#[derive(Debug, Clone)]
pub struct Group {
    /// Its source; `None` for `createFrom()`.
    pub source: Option<Value>,
    /// The exceptions that `onFailure` selects, by class or predicate.
    pub only: Option<Value>,
}

impl Native for Group {
    native_state!();

    fn children(&self) -> Vec<Value> {
        self.source.iter().chain(&self.only).cloned().collect()
    }

    fn is_frozen(&self) -> bool {
        true
    }
}

/// A `Uni` or `Multi` with this source.
pub fn stream(machine: &mut Machine<'_>, class: &str, step: Step) -> Value {
    native(machine, class, Stream(step))
}

/// A group of methods of this class.
pub fn group(machine: &mut Machine<'_>, class: &str, source: Option<Value>, only: Option<Value>) -> Value {
    native(machine, &format!("{GROUPS}{class}"), Group { source, only })
}

/// The class of a modelled `Uni` or `Multi`.
pub fn class(machine: &Machine<'_>, value: &Value) -> Option<&'static str> {
    let Value::Ref(id) = value else { return None };
    machine.native::<Stream>(*id)?;
    Some(if class_of(machine, value)? == MULTI { MULTI } else { UNI })
}

/// The source of a `Uni` or `Multi`.
pub fn state<'m>(machine: &'m Machine<'_>, id: ObjId) -> Option<&'m Step> {
    machine.native::<Stream>(id).map(|stream| &stream.0)
}

/// The type of the value written for a returned `Uni` or `Multi`: its item, or the list of its items.
pub fn written(ty: &Type) -> Option<Type> {
    written_by(ty, (UNI, MULTI))
}
