//! Names of members and types as manifests write them, made once, since many operations share them.

use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::library_meanings::LibraryMeanings;
use super::others::Others;
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;
use mastor_types::Hash;
use mastor_types::manifest::{Input, InputClass, Manifest, joined, merged};
use mastor_types::places::IndexSet;

/// Every name with its position in the sorted order.
pub struct Symbols<'p> {
    project: &'p Project,
    /// The library types that names in code refer to.
    meanings: &'p LibraryMeanings,
    /// All names, sorted.
    names: Vec<Arc<str>>,
    /// For each type, the position of its name, and the positions of its members' names.
    places: Vec<(u32, Vec<u32>)>,
    /// By position: the hash of the symbol; `None` if several symbols with different hashes have the name.
    hashes: Vec<Option<Hash>>,
    /// Inputs that are not symbols.
    others: Others,
}

impl<'p> Symbols<'p> {
    /// The symbols of a project.
    pub fn of(project: &'p Project, meanings: &'p LibraryMeanings) -> Self {
        let types: Vec<TypeId> = project.types().collect();
        let written: Vec<(Arc<str>, Vec<Arc<str>>)> = types
            .par_iter()
            .map(|ty| {
                let members = project.members(*ty).map(|member| project.symbol(member).into()).collect();
                (project.fqn(*ty).into(), members)
            })
            .collect();
        // A type's members follow it directly, since `#` sorts before all characters of names. Types with the same name
        // are mixed.
        let mut by_name: Vec<u32> = (0..written.len() as u32).collect();
        by_name.sort_unstable_by_key(|at| (&written[*at as usize].0, *at));
        let rows = by_name.into_par_iter().flat_map_iter(|at| {
            let (ty, members) = &written[at as usize];
            let mut rows: Vec<(&Arc<str>, u32, u32)> = vec![(ty, at, 0)];
            rows.extend(members.iter().zip(1..).map(|(member, index)| (member, at, index)));
            rows.sort_unstable();
            rows
        });
        let mut order: Vec<(&Arc<str>, u32, u32)> = rows.collect();
        order.sort();
        let mut places: Vec<(u32, Vec<u32>)> = written.iter().map(|(_, members)| (0, vec![0; members.len()])).collect();
        let mut names: Vec<Arc<str>> = Vec::with_capacity(order.len());
        let mut hashes: Vec<Option<Hash>> = Vec::with_capacity(order.len());
        for (name, ty, index) in order {
            let id = TypeId(ty);
            let hash = match index.checked_sub(1) {
                Some(index) => meanings.of_member(project, MemberId { ty: id, index }),
                None => meanings.of_type(project, id),
            };
            if names.last() == Some(name) {
                if let Some(last) = hashes.last_mut() {
                    *last = last.filter(|known| *known == hash);
                }
            } else {
                names.push(name.clone());
                hashes.push(Some(hash));
            }
            let place = names.len() as u32 - 1;
            let (own, members) = &mut places[ty as usize];
            match index {
                0 => *own = place,
                index => members[index as usize - 1] = place,
            }
        }
        Self { project, meanings, names, places, hashes, others: Others::default() }
    }

    /// Inputs that are not symbols.
    pub fn others(&self) -> &Others {
        &self.others
    }

    /// An empty list of inputs.
    pub fn inputs(&self) -> Inputs<'_> {
        Inputs { symbols: self, code: Code::default(), others: Vec::new() }
    }

    /// An empty list of code.
    pub fn code(&self) -> CodeInputs<'_> {
        CodeInputs { symbols: self, code: Code::default() }
    }
}

/// Symbols on which an operation depends.
#[derive(Default, Clone)]
pub struct Code {
    /// Positions of their names.
    plain: IndexSet,
    /// Position and hash of symbols with ambiguous names, in order of insertion.
    odd: Vec<(u32, Hash)>,
}

/// Collects symbols for [`Inputs`].
pub struct CodeInputs<'s> {
    symbols: &'s Symbols<'s>,
    code: Code,
}

impl CodeInputs<'_> {
    /// Adds a member.
    pub fn member(&mut self, id: MemberId) {
        let place = self.symbols.places[id.ty.0 as usize].1[id.index as usize];
        let Symbols { project, meanings, .. } = self.symbols;
        self.add(place, || meanings.of_member(project, id));
    }

    /// Adds the header of a type.
    pub fn ty(&mut self, id: TypeId) {
        let place = self.symbols.places[id.0 as usize].0;
        let Symbols { project, meanings, .. } = self.symbols;
        self.add(place, || meanings.of_type(project, id));
    }

    fn add(&mut self, place: u32, hash: impl FnOnce() -> Hash) {
        match self.symbols.hashes[place as usize] {
            Some(_) => self.code.plain.insert(place),
            None => self.code.odd.push((place, hash())),
        }
    }

    /// The collected symbols.
    pub fn finish(self) -> Code {
        self.code
    }
}

/// Collects the inputs of one operation for its manifest.
pub struct Inputs<'s> {
    symbols: &'s Symbols<'s>,
    code: Code,
    others: Vec<Input>,
}

impl Inputs<'_> {
    /// Adds symbols.
    pub fn code(&mut self, code: &Code) {
        self.code.plain.join(&code.plain);
        self.code.odd.extend_from_slice(&code.odd);
    }

    /// Adds inputs that are not symbols, by number.
    pub fn others(&mut self, numbers: &[u32]) {
        self.others.extend(self.symbols.others.of(numbers));
    }

    /// Adds any other input.
    pub fn other(&mut self, name: impl Into<Arc<str>>, class: InputClass, hash: Hash) {
        self.others.push((name.into(), class, hash));
    }

    /// The collected inputs, with one entry for each name.
    pub fn gathered(self) -> Gathered {
        let (Symbols { names, hashes, others: kept, .. }, Code { mut plain, mut odd }) = (self.symbols, self.code);
        odd.sort_by_key(|(place, _)| *place);
        let mut several: Vec<(u32, InputClass, Hash)> = Vec::with_capacity(odd.len());
        for (place, hash) in odd {
            match several.last_mut() {
                Some(last) if last.0 == place => (last.1, last.2) = merged((last.1, last.2), InputClass::Code, hash),
                _ => several.push((place, InputClass::Code, hash)),
            }
        }
        let mut others = joined(self.others);
        // An input with the name of a symbol is merged with that symbol. Both lists are sorted.
        let mut place = 0;
        others.retain(|(name, class, hash)| {
            if names.get(place).is_some_and(|next| next < name) {
                place += names[place..].partition_point(|next| next < name);
            }
            if names.get(place) != Some(name) {
                return true;
            }
            let own = plain
                .remove(place as u32)
                .then_some(hashes[place])
                .flatten()
                .map(|hash| (place as u32, InputClass::Code, hash));
            let at = several.partition_point(|(known, ..)| *known < place as u32);
            several.splice(at..at, own);
            match several.get_mut(at).filter(|known| known.0 == place as u32) {
                Some(known) => (known.1, known.2) = merged((known.1, known.2), *class, *hash),
                None => several.insert(at, (place as u32, *class, *hash)),
            }
            false
        });
        Gathered { plain, several, others: kept.numbers(others).into_iter().collect() }
    }
}

/// The inputs of one operation: symbols by the position of their names, and others, with one entry for each name.
pub struct Gathered {
    /// Symbols with the hash that [`Symbols`] has for them.
    plain: IndexSet,
    /// All other symbols, with class and hash.
    several: Vec<(u32, InputClass, Hash)>,
    /// Inputs that are not symbols, by number.
    others: IndexSet,
}

impl Gathered {
    fn code<'g>(&'g self, symbols: &'g Symbols<'_>) -> impl Iterator<Item = (u32, InputClass, Hash)> + 'g {
        let own = |place: u32| Some((place, InputClass::Code, symbols.hashes[place as usize]?));
        self.plain.iter().filter_map(own).chain(self.several.iter().copied())
    }
}

impl Symbols<'_> {
    /// The manifests of all operations, which share one list of inputs.
    pub fn manifests(&self, gathered: &[&Gathered]) -> Vec<Manifest> {
        // Nearly every symbol has the same hash in all operations; only symbols that several modules declare have more.
        let mut first: Vec<Option<(InputClass, Hash)>> = vec![None; self.names.len()];
        let mut rows: Vec<Input> = Vec::new();
        let (mut plain, mut others) = (IndexSet::default(), IndexSet::default());
        for operation in gathered {
            plain.join(&operation.plain);
            others.join(&operation.others);
        }
        for place in plain.iter() {
            first[place as usize] = self.hashes[place as usize].map(|hash| (InputClass::Code, hash));
        }
        for operation in gathered {
            for (place, class, hash) in operation.several.iter().copied() {
                match &first[place as usize] {
                    None => first[place as usize] = Some((class, hash)),
                    Some(known) if *known == (class, hash) => {}
                    Some(_) => rows.push((self.names[place as usize].clone(), class, hash)),
                }
            }
        }
        let others: Vec<u32> = others.iter().collect();
        let beside = self.others.of(&others);
        rows.extend_from_slice(&beside);
        let known = first.iter().zip(&self.names).filter_map(|(first, name)| Some((name, (*first)?)));
        rows.extend(known.map(|(name, (class, hash))| (name.clone(), class, hash)));
        // Most rows are in order already.
        rows.sort();
        rows.dedup();
        let all: Arc<[Input]> = rows.into();
        // Maps the first hash of each symbol, and each other input, to its index in `all`.
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
        let others: FxHashMap<u32, u32> = others.into_iter().zip(beside.iter().map(found)).collect();
        let manifest = |operation: &&Gathered| {
            let code = operation.code(self).map(|(place, class, hash)| match &first[place as usize] {
                Some(known) if *known == (class, hash) => places[place as usize],
                _ => found(&(self.names[place as usize].clone(), class, hash)),
            });
            let beside = operation.others.iter().filter_map(|number| others.get(&number).copied());
            Manifest::within(&all, code.chain(beside).collect())
        };
        gathered.par_iter().map(manifest).collect()
    }
}
