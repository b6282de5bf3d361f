//! Caches the initialisation of classes whose static initialisers have the same result on every path: a class is
//! initialised in a separate machine, and if nothing depended on a path, later paths take over its state.
//! A cached initialisation looks to a path as if it had run: its steps, cells, members and calls are counted, and
//! bounds on depth apply. A class that forks, fails, changes another class or is part of an initialisation cycle is
//! never cached. A path that changes cached state runs the initialisers of dependent classes itself.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::snapshots::{Initialised, Recording, Snapshot, Stage};
use crate::interpret::engine::machine::{Eval, Machine, Stop};
use crate::interpret::language::eval::MAX_NESTING;
use crate::interpret::paths::path::Bound;
use crate::ir::ids::TypeId;

/// Maximum number of restarts of a class because another one must be initialised first.
const MAX_TRIES: usize = 32;

/// Minimum remaining stack before a class is initialised separately, and by how much the stack grows.
const RED_ZONE: usize = 1 << 20;
const GROWTH: usize = 8 << 20;

impl Machine<'_> {
    /// Takes over the cached initialisation of a class; `false` if the class must still be initialised.
    pub(in crate::interpret) fn recall(&mut self, ty: TypeId) -> Eval<bool> {
        let stage = self.cx.snapshots().borrow().stage(ty);
        if let Some(recording) = &mut self.recording {
            match stage {
                Some(Stage::Kept(_)) => {}
                Some(Stage::Never | Stage::Recording) => recording.is_spoiled = true,
                Some(Stage::SeenOnce) | None => recording.wants = Some(ty),
            }
            if recording.is_spoiled || recording.wants.is_some() {
                return Err(Stop::Cut(Bound::Depth));
            }
        }
        match stage {
            None => self.cx.snapshots().borrow_mut().note(ty, Stage::SeenOnce),
            // This path started with the older heap, so only the next path finds the class in the cache.
            Some(Stage::SeenOnce) => self.record(ty),
            Some(Stage::Kept(snapshot)) => {
                let is_taken = self.take_over(ty, &snapshot);
                return match &mut self.recording {
                    Some(recording) if !is_taken => {
                        recording.is_spoiled = true;
                        Err(Stop::Cut(Bound::Depth))
                    }
                    _ => Ok(is_taken),
                };
            }
            Some(Stage::Recording | Stage::Never) => {}
        }
        Ok(false)
    }

    /// Initialises a class separately, and caches the result if no path can change it.
    fn record(&self, ty: TypeId) {
        let snapshots = self.cx.snapshots();
        snapshots.borrow_mut().note(ty, Stage::Recording);
        let mut stage = Stage::Never;
        for _ in 0..MAX_TRIES {
            let mut apart = Machine::apart(self.cx);
            let result = stacker::maybe_grow(RED_ZONE, GROWTH, || apart.run_class(ty));
            let wants = apart.recording.as_ref().and_then(|recording| recording.wants);
            match (wants, result) {
                (Some(first), _) => self.record(first),
                (None, Ok(())) => {
                    stage = apart.kept_class(ty).map_or(Stage::Never, |snapshot| Stage::Kept(Rc::new(snapshot)));
                    break;
                }
                (None, Err(_)) => break,
            }
        }
        snapshots.borrow_mut().note(ty, stage);
    }

    /// The state that this machine leaves after it initialised one class; `None` if a path could change the result.
    fn kept_class(self, ty: TypeId) -> Option<Snapshot> {
        let is_open = self.at > 0 || !self.conditions.is_empty() || !self.effects.is_empty() || self.is_disturbed();
        if is_open || self.codes.is_too_deep() {
            return None;
        }
        let initialised = self.classes.get(&ty).copied().filter(|stage| *stage != Initialised::Running)?;
        let Recording { uses, taken_over, doubts, is_spoiled: false, .. } = self.recording? else { return None };
        let shared = self.heap.shared() as u32;
        let upto = self.cx.snapshots().borrow_mut().keep(self.heap.into_own(), self.made);
        Some(Snapshot {
            initialised,
            uses,
            upto,
            statics: self.statics.into_iter().filter(|(field, _)| field.ty == ty).collect(),
            lasting: self.store.lasting,
            singles: self.singles.into_iter().filter(|(_, id)| id.0 >= shared).collect(),
            constants: self.constants.into_iter().filter(|(_, id)| id.0 >= shared).collect(),
            members: self.members,
            models: self.models,
            library_calls: self.library_calls,
            unknowns: self.unknowns,
            doubts: &self.doubts - &doubts,
            steps: self.steps - taken_over.0,
            cells: self.cells - taken_over.1,
            calling: self.calling,
            argument_types: self.argument_types,
            frames: self.deepest.0,
            nesting: self.deepest.1,
        })
    }

    /// Whether cached state was changed since it was taken over.
    fn is_disturbed(&self) -> bool {
        self.is_disturbed || !self.heap.is_undisturbed()
    }

    fn take_over(&mut self, ty: TypeId, snapshot: &Rc<Snapshot>) -> bool {
        let mut missing = Vec::new();
        if !self.missing(ty, snapshot, &mut BTreeSet::new(), &mut missing) || !self.has_room(&missing) {
            return false;
        }
        for (ty, snapshot) in missing {
            self.take(ty, &snapshot);
        }
        true
    }

    /// Collects the class and the classes it uses that are not initialised yet, dependencies first; returns `false` if the result would
    /// differ on this path.
    fn missing(
        &self,
        ty: TypeId,
        snapshot: &Rc<Snapshot>,
        seen: &mut BTreeSet<TypeId>,
        found: &mut Vec<(TypeId, Rc<Snapshot>)>,
    ) -> bool {
        if !seen.insert(ty) {
            return true;
        }
        if self.classes.contains_key(&ty) {
            return self.recalled.contains(&ty) && !self.is_disturbed();
        }
        let uses = snapshot.uses.iter().all(|used| {
            let stage = self.cx.snapshots().borrow().stage(*used);
            matches!(stage, Some(Stage::Kept(below)) if self.missing(*used, &below, seen, found))
        });
        found.push((ty, snapshot.clone()));
        uses
    }

    fn has_room(&self, missing: &[(TypeId, Rc<Snapshot>)]) -> bool {
        let cells: usize = missing.iter().map(|(_, snapshot)| snapshot.cells).sum();
        let fits = |snapshot: &Snapshot| {
            snapshot.upto <= self.heap.shared()
                && self.frames.len() + snapshot.frames <= self.cx.bounds.depth
                && self.nesting + snapshot.nesting <= MAX_NESTING
                && !snapshot.singles.iter().any(|(key, _)| self.singles.contains_key(key))
                && !snapshot.constants.iter().any(|(key, _)| self.constants.contains_key(key))
        };
        let alone = |at: usize| {
            let keys =
                |snapshot: &Snapshot| -> BTreeSet<_> { snapshot.singles.iter().map(|(key, _)| key.clone()).collect() };
            let own = keys(&missing[at].1);
            let constants: BTreeSet<_> = missing[at].1.constants.iter().map(|(key, _)| key).collect();
            missing[..at].iter().all(|(_, before)| {
                keys(before).is_disjoint(&own) && !before.constants.iter().any(|(key, _)| constants.contains(key))
            })
        };
        self.cells + cells <= self.cx.bounds.cells
            && !self.codes.is_too_deep()
            && missing.iter().all(|(_, snapshot)| fits(snapshot))
            && (0..missing.len()).all(alone)
    }

    fn take(&mut self, ty: TypeId, snapshot: &Snapshot) {
        self.classes.insert(ty, snapshot.initialised);
        self.recalled.insert(ty);
        self.statics.extend(snapshot.statics.iter().cloned());
        self.store.lasting.extend(snapshot.lasting.iter().cloned());
        self.singles.extend(snapshot.singles.iter().cloned());
        self.constants.extend(snapshot.constants.iter().cloned());
        self.members.extend(&snapshot.members);
        self.models.extend(&snapshot.models);
        for (fqn, names) in &snapshot.library_calls {
            names.iter().for_each(|(name, modelled)| self.note_library_call(fqn, name, *modelled));
        }
        self.unknowns.extend(snapshot.unknowns.iter().cloned());
        self.doubts.extend(snapshot.doubts.iter().cloned());
        self.calling = snapshot.calling.or(self.calling);
        if !snapshot.library_calls.is_empty() {
            self.argument_types.clone_from(&snapshot.argument_types);
        }
        self.steps += snapshot.steps;
        self.budget = self.budget.saturating_add(snapshot.steps);
        self.cells += snapshot.cells;
        self.deepest.0 = self.deepest.0.max(self.frames.len() + snapshot.frames);
        self.deepest.1 = self.deepest.1.max(self.nesting + snapshot.nesting);
        if let Some(recording) = &mut self.recording {
            recording.uses.push(ty);
            recording.taken_over.0 += snapshot.steps;
            recording.taken_over.1 += snapshot.cells;
            recording.doubts.extend(snapshot.doubts.iter().cloned());
        }
    }
}
