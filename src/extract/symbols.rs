//! Names of members and types as manifests write them, made once: many operations share them.

use std::sync::Arc;

use rayon::prelude::*;

use crate::java::ids::{MemberId, TypeId};
use crate::java::project::Project;
use crate::types::Hash;
use crate::types::manifest::{Input, InputClass, Manifest};

/// Every name with its place in their order.
pub struct Symbols<'p> {
    project: &'p Project,
    /// All names in order.
    names: Vec<Arc<str>>,
    /// For each type its own place, and those of its members.
    places: Vec<(u32, Vec<u32>)>,
}

impl<'p> Symbols<'p> {
    /// Of a project.
    pub fn of(project: &'p Project) -> Self {
        let types: Vec<TypeId> = project.types().collect();
        let written: Vec<(Arc<str>, Vec<Arc<str>>)> = types
            .par_iter()
            .map(|ty| {
                let members = project.members(*ty).map(|member| project.symbol(member).into()).collect();
                (project.fqn(*ty).into(), members)
            })
            .collect();
        let mut order: Vec<(&Arc<str>, u32, u32)> = Vec::new();
        for (at, (ty, members)) in written.iter().enumerate() {
            order.push((ty, at as u32, 0));
            order.extend(members.iter().zip(1..).map(|(member, index)| (member, at as u32, index)));
        }
        order.par_sort_unstable();
        let mut places: Vec<(u32, Vec<u32>)> = written.iter().map(|(_, members)| (0, vec![0; members.len()])).collect();
        let mut names: Vec<Arc<str>> = Vec::with_capacity(order.len());
        for (name, ty, index) in order {
            if names.last() != Some(name) {
                names.push(name.clone());
            }
            let place = names.len() as u32 - 1;
            let (own, members) = &mut places[ty as usize];
            match index {
                0 => *own = place,
                index => members[index as usize - 1] = place,
            }
        }
        Self { project, names, places }
    }

    /// No inputs yet.
    pub fn inputs(&self) -> Inputs<'_> {
        Inputs { symbols: self, code: Vec::new(), others: Vec::new() }
    }
}

/// The inputs of one operation, on their way to its manifest.
pub struct Inputs<'s> {
    symbols: &'s Symbols<'s>,
    code: Vec<(u32, Hash)>,
    others: Vec<Input>,
}

impl Inputs<'_> {
    /// Adds a member.
    pub fn member(&mut self, id: MemberId) {
        let place = self.symbols.places[id.ty.0 as usize].1[id.index as usize];
        self.code.push((place, self.symbols.project.member(id).tokens));
    }

    /// Adds the head of a type.
    pub fn ty(&mut self, id: TypeId) {
        let place = self.symbols.places[id.0 as usize].0;
        self.code.push((place, self.symbols.project.ty(id).header));
    }

    /// Adds anything else.
    pub fn other(&mut self, name: impl Into<Arc<str>>, class: InputClass, hash: Hash) {
        self.others.push((name.into(), class, hash));
    }

    /// All of them.
    pub fn manifest(mut self) -> Manifest {
        self.code.sort_by_key(|(place, _)| *place);
        let names = &self.symbols.names;
        let code = self.code.into_iter().map(|(place, hash)| (names[place as usize].clone(), InputClass::Code, hash));
        let mut all: Vec<Input> = code.collect();
        all.extend(self.others);
        Manifest::of(all)
    }
}
