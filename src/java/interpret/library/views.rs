//! The states of views, entries and iterators of collections, and what can be told of them without asking any code.

use super::contents::{contents, is_loose};
use super::support::reference;
use super::table::Table;
use crate::java::interpret::machine::Machine;
use crate::java::interpret::scalar::Scalar;
use crate::java::interpret::value::{Contents, Heap, Kind, Native, ObjId, Value};

/// Which part of a map a view shows.
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
    /// What it shows.
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

/// An entry of a map, or one that stands alone.
#[derive(Debug, Clone)]
pub struct MapEntry {
    /// The map that it belongs to.
    pub map: Option<ObjId>,
    /// Key.
    pub key: Value,
    /// Value.
    pub value: Value,
    /// Whether it refuses changes.
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

/// A view that refuses changes: `Collections.unmodifiableList` and its kin.
#[derive(Debug, Clone)]
pub struct Wrapper {
    /// What is shown.
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

/// A part of a list.
#[derive(Debug, Clone)]
pub struct SubList {
    /// The list.
    pub list: ObjId,
    /// Where it starts.
    pub from: usize,
    /// How long it is.
    pub length: usize,
    /// Changes of the list that it knows of.
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

/// What an iterator goes over.
#[derive(Debug, Clone)]
pub enum Source {
    /// A list, by index.
    List(ObjId),
    /// Keys of a map or set, and what is shown of each.
    Keys(ObjId, Vec<Value>, Option<Part>),
    /// Values that nothing changes.
    Values(Vec<Value>),
}

/// An iterator.
#[derive(Debug, Clone)]
pub struct Iter {
    /// What it goes over.
    pub source: Source,
    /// Place of the next element.
    pub at: usize,
    /// Place of the last one given, as long as it can be removed.
    pub last: Option<usize>,
    /// Changes of what it goes over that it knows of.
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

/// How often the structure of a list changed.
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

/// Whether a collection or map is known but Java does not fix its order.
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
