//! The resolver: resolves the bodies of a project on first use, and keeps the results.

use std::sync::{Arc, OnceLock};

use super::resolve_body::BodyResolver;
use crate::ir::body::Body;
use crate::ir::calls::{Locals, Resolved};
use crate::ir::facts::Nesting;
use crate::ir::ids::{MemberId, TypeId};
use crate::project::index::Project;
use crate::types::typing::Types;

/// Resolves bodies of one project; shared by all threads.
pub struct Resolver<'p> {
    /// Types of the project.
    pub types: Types<'p>,
    /// For each type, the index of its first member in `resolved`.
    offsets: Vec<u32>,
    resolved: Vec<OnceLock<Arc<Resolved>>>,
}

impl<'p> Resolver<'p> {
    /// A resolver without results yet.
    pub fn new(project: &'p Project) -> Self {
        let mut offsets = Vec::with_capacity(project.all_types().len());
        let mut count = 0;
        for id in project.all_types() {
            offsets.push(count);
            count += project.ty(id).members.len() as u32;
        }
        Self { types: Types::new(project), offsets, resolved: (0..count).map(|_| OnceLock::new()).collect() }
    }

    /// The project.
    pub fn project(&self) -> &'p Project {
        self.types.project
    }

    /// A dense number for each member.
    pub fn dense(&self, id: MemberId) -> usize {
        self.offsets[id.ty.0 as usize] as usize + id.index as usize
    }

    /// How many members there are.
    pub fn member_count(&self) -> usize {
        self.resolved.len()
    }

    /// The results, so that the caller can free them.
    pub fn into_resolved(self) -> Vec<OnceLock<Arc<Resolved>>> {
        self.resolved
    }

    /// The body of a member; `None` if it has no code.
    pub fn body(&self, id: MemberId) -> Option<Arc<Body>> {
        self.project().body(id)
    }

    /// The resolved body of a member; empty if it has none.
    pub fn resolve(&self, id: MemberId) -> &Arc<Resolved> {
        self.resolved[self.dense(id)].get_or_init(|| Arc::new(self.read(id)))
    }

    /// [`Resolver::resolve`] for a single use: the result is kept only if types within the body will need it.
    pub fn resolve_once(&self, id: MemberId) -> Arc<Resolved> {
        let slot = &self.resolved[self.dense(id)];
        if let Some(known) = slot.get() {
            return known.clone();
        }
        let resolved = Arc::new(self.read(id));
        if !resolved.captures.is_empty() {
            slot.get_or_init(|| resolved.clone());
        }
        resolved
    }

    fn read(&self, id: MemberId) -> Resolved {
        match self.body(id) {
            Some(body) => BodyResolver::new(&self.types, id, &body, self.captured(id.ty)).run(),
            None => Resolved::default(),
        }
    }

    /// The captured variables of a local or anonymous type, or of a type nested in one.
    fn captured(&self, id: TypeId) -> Locals {
        let project = self.project();
        let mut at = Some(id);
        while let Some(ty) = at {
            if matches!(project.ty(ty).nesting, Nesting::Local | Nesting::Anonymous) {
                let Some(within) = project.within(ty) else { return Vec::new() };
                let captures = &self.resolve(within).captures;
                return captures.get(&project.place_of(ty)).cloned().unwrap_or_default();
            }
            at = project.outer(ty);
        }
        Vec::new()
    }
}

#[cfg(test)]
#[path = "resolver_tests.rs"]
mod tests;
