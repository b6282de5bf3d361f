//! The states of collection views, entries and iterators, and queries on them that run no code.

use super::keyed::table::Table;
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::contents::{contents, is_loose};
use crate::interpret::library::base::support::reference;
use crate::interpret::values::scalar::Scalar;
use crate::interpret::values::value::{Contents, Heap, Kind, Native, ObjId, Value};

/// The part of a map that a view shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// `keySet()`.
    Keys,
    /// `values()`.
    Values,
    /// `entrySet()`.
    Entries,
}

/// A view of a map.
#[derive(Debug, Clone)]
pub struct View {
    /// The map.
    pub map: ObjId,
    /// The part that it shows.
    pub part: Part,
}

impl Native for View {
    native_state!();

    fn children(&self) -> Vec<Value> {
        vec![Value::Ref(self.map)]
    }

    fn contents(&self, heap: &Heap) -> Option<Contents> {
        let (entries, fixed) = match contents(heap, self.map)? {
            Contents::Map(entries) => (entries, true),
            Contents::Pairs(entries) => (entries, false),
            Contents::Unknown(why) => return Some(Contents::Unknown(why)),
            _ => return None,
        };
        let shown = |of: fn((Value, Value)) -> Value| entries.into_iter().map(of).collect();
        Some(match (self.part, fixed) {
            (Part::Keys, true) => Contents::Set(shown(|(key, _)| key)),
            (Part::Keys, false) => Contents::Bag(shown(|(key, _)| key)),
            (Part::Values, true) => Contents::Collection(shown(|(_, value)| value)),
            (Part::Values, false) => Contents::Bag(shown(|(_, value)| value)),
            (Part::Entries, _) => return None,
        })
    }
}

/// An entry of a map, or one that belongs to no map.
#[derive(Debug, Clone)]
pub struct MapEntry {
    /// The map that it belongs to.
    pub map: Option<ObjId>,
    /// Key.
    pub key: Value,
    /// Value.
    pub value: Value,
    /// Whether it is unmodifiable.
    pub fixed: bool,
}

impl Native for MapEntry {
    native_state!();

    fn children(&self) -> Vec<Value> {
        let mut all = vec![self.key.clone(), self.value.clone()];
        all.extend(self.map.map(Value::Ref));
        all
    }

    fn contents(&self, _heap: &Heap) -> Option<Contents> {
        Some(Contents::Entry(self.key.clone(), self.value.clone()))
    }
}

/// An unmodifiable view: `Collections.unmodifiableList` and related methods.
#[derive(Debug, Clone)]
pub struct Wrapper {
    /// The underlying collection.
    pub inner: Value,
}

impl Native for Wrapper {
    native_state!();

    fn children(&self) -> Vec<Value> {
        vec![self.inner.clone()]
    }

    fn contents(&self, heap: &Heap) -> Option<Contents> {
        contents(heap, reference(&self.inner)?)
    }
}

/// A sub-list.
#[derive(Debug, Clone)]
pub struct SubList {
    /// The list.
    pub list: ObjId,
    /// Start index in the list.
    pub from: usize,
    /// Number of elements.
    pub length: usize,
    /// The list's modification count as of the sub-list's last change.
    pub mods: i32,
}

impl Native for SubList {
    native_state!();

    fn children(&self) -> Vec<Value> {
        vec![Value::Ref(self.list)]
    }

    fn contents(&self, heap: &Heap) -> Option<Contents> {
        match &heap.get(self.list)?.kind {
            Kind::List { items, .. } => Some(Contents::List(items.get(self.from..self.from + self.length)?.to_vec())),
            _ => None,
        }
    }
}

/// The source of an iterator.
#[derive(Debug, Clone)]
pub enum Source {
    /// A list, by index.
    List(ObjId),
    /// Keys of a map or set, and the part shown for each.
    Keys(ObjId, Vec<Value>, Option<Part>),
    /// A fixed list of values.
    Values(Vec<Value>),
}

/// An iterator.
#[derive(Debug, Clone)]
pub struct Iter {
    /// The source.
    pub source: Source,
    /// Index of the next element.
    pub at: usize,
    /// Index of the last returned element, while it can be removed.
    pub last: Option<usize>,
    /// The source's modification count that the iterator expects.
    pub mods: i64,
}

impl Native for Iter {
    native_state!();

    fn children(&self) -> Vec<Value> {
        match &self.source {
            Source::List(id) => vec![Value::Ref(*id)],
            Source::Keys(id, keys, _) => keys.iter().cloned().chain([Value::Ref(*id)]).collect(),
            Source::Values(values) => values.clone(),
        }
    }
}

/// Modification count of a list.
pub fn list_mods(machine: &Machine<'_>, id: ObjId) -> i32 {
    match machine.object(id).parts.get("mods") {
        Some(Value::Scalar(Scalar::Int(mods))) => *mods,
        _ => 0,
    }
}

/// The items of a list object.
pub fn list_items<'a>(machine: &'a Machine<'_>, id: ObjId) -> Option<&'a Vec<Value>> {
    match &machine.object(id).kind {
        Kind::List { items, .. } => Some(items),
        _ => None,
    }
}

/// Whether a collection or map is known, but without an order fixed by Java.
pub fn is_unordered(machine: &Machine<'_>, value: &Value) -> bool {
    let Some(id) = reference(value) else { return false };
    if is_loose(&machine.heap, id) {
        return true;
    }
    if let Some(table) = machine.native::<Table>(id) {
        return table.sequence().is_none();
    }
    if let Some(view) = machine.native::<View>(id) {
        return is_unordered(machine, &Value::Ref(view.map));
    }
    if let Some(wrapped) = machine.native::<Wrapper>(id) {
        return is_unordered(machine, &wrapped.inner);
    }
    false
}
