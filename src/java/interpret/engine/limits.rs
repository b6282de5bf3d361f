//! Limits on the size of a path's objects, and on the nesting of objects during `toString`, `hashCode` and `equals`.
//! They are counted, so that they are the same on every machine.

use super::machine::{Eval, Machine, Stop};
use super::walked::Walked;
use crate::interpret::paths::path::Bound;
use crate::interpret::values::value::{Kind, ObjId, Value};

/// Maximum nesting of objects during `toString`, `hashCode` or `equals`.
const MAX_WALK_DEPTH: usize = 1_500;
/// Maximum number of times that one object occurs within itself during one of these calls. Project code may detect the repetition and stop;
/// a library does not.
const MAX_REPEATS: usize = 8;

impl Machine<'_> {
    /// Counts elements that the path creates.
    ///
    /// # Errors
    /// The path has too many elements.
    pub(in crate::interpret) fn hold(&mut self, cells: usize) -> Eval<()> {
        self.cells += cells;
        if self.cells > self.cx.bounds.cells { Err(Stop::Cut(Bound::Memory)) } else { Ok(()) }
    }

    /// Checks whether the path may create this many more elements.
    ///
    /// # Errors
    /// The path has too many elements.
    pub(super) fn would_hold(&self, cells: usize) -> Eval<()> {
        if self.cells + cells > self.cx.bounds.cells { Err(Stop::Cut(Bound::Memory)) } else { Ok(()) }
    }

    /// Number of elements of a list or set.
    pub(super) fn elements_of(&self, value: Option<&Value>) -> Option<usize> {
        let Some(Value::Ref(id)) = value else { return None };
        match &self.object(*id).kind {
            Kind::List { items, .. } => Some(items.len()),
            _ => None,
        }
    }

    /// Runs a walk into an object's contents. If an object contains itself, the walk never ends: Java's stack
    /// overflows.
    ///
    /// # Errors
    /// `StackOverflowError`, or the bound on depth if objects are nested too deeply to decide.
    pub(super) fn walk_into(&mut self, walked: Walked, id: ObjId, run: impl FnOnce(&mut Self) -> Eval) -> Eval {
        let key = (walked, id);
        if self.walking.iter().filter(|known| **known == key).count() >= MAX_REPEATS {
            return Err(self.throw("java.lang.StackOverflowError", Value::NULL));
        }
        if self.walking.len() >= MAX_WALK_DEPTH {
            return Err(Stop::Cut(Bound::Depth));
        }
        self.walking.push(key);
        let result = stacker::maybe_grow(1 << 20, 8 << 20, || run(self));
        self.walking.pop();
        result
    }
}
