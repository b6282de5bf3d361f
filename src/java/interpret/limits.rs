//! Limits of what one path may hold, and of how deeply objects may hold each other while their text, hash or equality is worked out: counted, so
//! that they are the same on every machine.

use super::machine::{Eval, Machine, Stop};
use super::path::Bound;
use super::value::{Kind, ObjId, Value};
use super::walked::Walked;

/// How deeply objects may stand within each other there.
const DEEPEST: usize = 1_500;
/// How often one object may stand within itself there. Code may notice that it is asked again and end it; a library does not.
const AGAIN: usize = 8;

impl Machine<'_> {
    /// Counts that the path holds so many more elements.
    ///
    /// # Errors
    /// The bound on what a path holds.
    pub(super) fn hold(&mut self, cells: usize) -> Eval<()> {
        self.cells += cells;
        if self.cells > self.cx.bounds.cells { Err(Stop::Cut(Bound::Memory)) } else { Ok(()) }
    }

    /// Looks whether the path may hold so many more elements.
    ///
    /// # Errors
    /// The bound on what a path holds.
    pub(super) fn would_hold(&self, cells: usize) -> Eval<()> {
        if self.cells + cells > self.cx.bounds.cells { Err(Stop::Cut(Bound::Memory)) } else { Ok(()) }
    }

    /// Number of elements that a value's object holds, where it is a list or a set.
    pub(super) fn elements_of(&self, value: Option<&Value>) -> Option<usize> {
        let Some(Value::Ref(id)) = value else { return None };
        match &self.object(*id).kind {
            Kind::List { items, .. } => Some(items.len()),
            _ => None,
        }
    }

    /// Works something out of an object by what it holds. What holds itself is worked out within itself again and again: Java's stack overflows.
    ///
    /// # Errors
    /// `StackOverflowError`, or the bound on depth where objects stand within each other too deeply to tell.
    pub(super) fn walk_into(&mut self, walked: Walked, id: ObjId, run: impl FnOnce(&mut Self) -> Eval) -> Eval {
        let key = (walked, id);
        if self.walking.iter().filter(|known| **known == key).count() >= AGAIN {
            return Err(self.throw("java.lang.StackOverflowError", Value::NULL));
        }
        if self.walking.len() >= DEEPEST {
            return Err(Stop::Cut(Bound::Depth));
        }
        self.walking.push(key);
        let result = stacker::maybe_grow(1 << 20, 8 << 20, || run(self));
        self.walking.pop();
        result
    }
}
