//! The contents of library objects, for code that writes them: as JSON, or for comparison with the output of a JVM.

use crate::interpret::values::scalar::ClassRef;
pub use crate::interpret::values::value::Contents;
use crate::interpret::values::value::{Heap, Kind, ObjId};

/// The contents of an object; `None` if no model knows them.
pub fn contents(heap: &Heap, id: ObjId) -> Option<Contents> {
    let object = heap.get(id)?;
    let ClassRef::Library(fqn) = &object.class else { return None };
    match &object.kind {
        Kind::List { items, .. } if &**fqn == "array" => Some(Contents::Array(items.clone())),
        Kind::List { items, .. } if is_loose(heap, id) && items.len() > 1 => Some(Contents::Bag(items.clone())),
        Kind::List { items, .. } if matches!(&**fqn, "java.util.ArrayDeque" | "java.util.PriorityQueue") => {
            Some(Contents::Collection(items.clone()))
        }
        Kind::List { items, .. } => Some(Contents::List(items.clone())),
        Kind::Modelled if fqn.starts_with("java.util.Optional") => {
            object.parts.get("value").cloned().map(Contents::Optional)
        }
        Kind::Native(native) => native.contents(heap),
        _ => None,
    }
}

/// The part of a list that marks its order as uncertain.
pub const LOOSE: &str = "loose";

/// Whether the order of a list's elements is uncertain: they came from an unordered collection and were not sorted
/// since.
pub fn is_loose(heap: &Heap, id: ObjId) -> bool {
    heap.get(id).is_some_and(|object| object.parts.contains_key(LOOSE))
}
