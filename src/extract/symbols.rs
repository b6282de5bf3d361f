//! Names of members and types as manifests write them, made once: many operations share them.

use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::java::ids::{MemberId, TypeId};
use crate::java::project::Project;
use crate::types::Hash;
use crate::types::manifest::{Input, InputClass, Manifest, joined, merged};

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

    /// All of them, each name once.
    pub fn gathered(mut self) -> Gathered {
        let names = &self.symbols.names;
        self.code.sort_by_key(|(place, _)| *place);
        let mut code: Vec<(u32, InputClass, Hash)> = Vec::with_capacity(self.code.len());
        for (place, hash) in self.code {
            match code.last_mut() {
                Some(last) if last.0 == place => (last.1, last.2) = merged((last.1, last.2), InputClass::Code, hash),
                _ => code.push((place, InputClass::Code, hash)),
            }
        }
        let mut others = joined(self.others);
        // What is named as a symbol is one.
        others.retain(|(name, class, hash)| {
            let Ok(place) = names.binary_search(name) else { return true };
            match code.binary_search_by_key(&(place as u32), |(known, ..)| *known) {
                Ok(at) => (code[at].1, code[at].2) = merged((code[at].1, code[at].2), *class, *hash),
                Err(at) => code.insert(at, (place as u32, *class, *hash)),
            }
            false
        });
        Gathered { code, others }
    }
}

/// The inputs of one operation: symbols by the place of their names, and others, each name once.
pub struct Gathered {
    code: Vec<(u32, InputClass, Hash)>,
    others: Vec<Input>,
}

impl Symbols<'_> {
    /// The manifests of all operations, over one list of inputs that they share.
    pub fn manifests(&self, gathered: &[&Gathered]) -> Vec<Manifest> {
        // Nearly every symbol has one hash in all operations; only what several modules declare under one name has more.
        let mut first: Vec<Option<(InputClass, Hash)>> = vec![None; self.names.len()];
        let mut rows: Vec<Input> = Vec::new();
        let mut others: FxHashSet<&Input> = FxHashSet::default();
        for operation in gathered {
            for (place, class, hash) in &operation.code {
                match &first[*place as usize] {
                    None => first[*place as usize] = Some((*class, *hash)),
                    Some(known) if *known == (*class, *hash) => {}
                    Some(_) => rows.push((self.names[*place as usize].clone(), *class, *hash)),
                }
            }
            others.extend(&operation.others);
        }
        rows.extend(others.iter().map(|input| (*input).clone()));
        let known = first.iter().zip(&self.names).filter_map(|(first, name)| Some((name, (*first)?)));
        rows.extend(known.map(|(name, (class, hash))| (name.clone(), class, hash)));
        rows.par_sort_unstable();
        rows.dedup();
        let all: Arc<[Input]> = rows.into();
        // Where each symbol's first hash stands, and each of the others.
        let mut at = 0;
        let mut place_of = |input: (&Arc<str>, InputClass, Hash)| {
            while all.get(at).is_some_and(|(name, class, hash)| (name, *class, *hash) < input) {
                at += 1;
            }
            at as u32
        };
        let symbols = first.iter().zip(&self.names);
        let places: Vec<u32> =
            symbols.map(|(first, name)| first.map_or(0, |(class, hash)| place_of((name, class, hash)))).collect();
        let found = |input: &Input| all.binary_search(input).unwrap_or_default() as u32;
        let others: FxHashMap<&Input, u32> = others.into_iter().map(|input| (input, found(input))).collect();
        let manifest = |operation: &&Gathered| {
            let code = operation.code.iter().map(|(place, class, hash)| match &first[*place as usize] {
                Some(known) if *known == (*class, *hash) => places[*place as usize],
                _ => found(&(self.names[*place as usize].clone(), *class, *hash)),
            });
            let mut lines: Vec<u32> = Vec::with_capacity(operation.code.len() + operation.others.len());
            lines.extend(code);
            lines.extend(operation.others.iter().filter_map(|input| others.get(input).copied()));
            lines.sort();
            Manifest::within(&all, lines)
        };
        gathered.par_iter().map(manifest).collect()
    }
}
