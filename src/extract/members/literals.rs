//! String literals of members and types: they show which configuration keys, tables and files code refers to.

use std::collections::BTreeSet;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::closure::Closure;
use mastor_java::ir::facts::{Annotation, PLACE, Value};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;
use mastor_types::places::IndexSet;

/// Literals by member and type, for everything that any closure reaches.
pub struct Literals<'p> {
    /// All distinct literals, sorted.
    all: Vec<&'p str>,
    /// Indices into `all`, by the numbers of members. `having` lists the members that have any.
    members: FxHashMap<u32, Vec<u32>>,
    having: IndexSet,
    types: FxHashMap<TypeId, Vec<u32>>,
    /// Every member and type that a closure reaches, sorted.
    reached: (Vec<MemberId>, Vec<TypeId>),
}

/// Annotations of types that a framework creates and runs, whether or not code refers to them.
const RUN: [&str; 6] =
    ["Configuration", "SpringBootApplication", "Component", "Service", "EnableAutoConfiguration", "AutoConfiguration"];

impl<'p> Literals<'p> {
    /// The literals of these closures; `all` lists the members of the project by number.
    pub fn of<'a>(project: &'p Project, all: &[MemberId], closures: impl Iterator<Item = &'a Closure>) -> Self {
        let (mut members, mut types) = (IndexSet::default(), IndexSet::default());
        for closure in closures {
            members.join(closure.members.numbers());
            closure.types.iter().for_each(|ty| types.insert(ty.0));
        }
        let (numbers, members): (Vec<u32>, Vec<MemberId>) =
            members.iter().filter_map(|number| Some((number, *all.get(number as usize)?))).unzip();
        members.iter().for_each(|member| types.insert(member.ty.0));
        let reached: (Vec<MemberId>, Vec<TypeId>) = (members, types.iter().map(TypeId).collect());
        let of_members = numbers.par_iter().zip(&reached.0);
        let of_members = of_members.map(|(number, member)| (*number, of_member(project, *member)));
        let of_members: Vec<_> = of_members.filter(|(_, found)| !found.is_empty()).collect();
        let of_types = reached.1.iter().map(|ty| (*ty, of_annotations(&project.ty(*ty).annotations)));
        let of_types: Vec<_> = of_types.filter(|(_, found)| !found.is_empty()).collect();
        let words = of_members.iter().flat_map(|(_, found)| found).chain(of_types.iter().flat_map(|(_, found)| found));
        let unique: FxHashSet<&str> = words.copied().collect();
        let mut all: Vec<&str> = unique.into_iter().collect();
        all.par_sort_unstable();
        let places: FxHashMap<&str, u32> = all.iter().enumerate().map(|(at, word)| (*word, at as u32)).collect();
        let ids = |found: &[&str]| found.iter().map(|word| places[word]).collect();
        let members = of_members.par_iter().map(|(number, found)| (*number, ids(found))).collect();
        let having = of_members.iter().map(|(number, _)| *number).collect();
        let types = of_types.iter().map(|(ty, found)| (*ty, ids(found))).collect();
        Self { all, members, having, types, reached }
    }

    /// Literals outside all closures that a framework may still read: in annotations, and in bodies of types that a
    /// framework creates.
    pub fn beside(&self, project: &'p Project) -> Vec<&'p str> {
        let (members, types) = &self.reached;
        let of_type = |ty: TypeId| {
            let annotations = &project.ty(ty).annotations;
            let runs = annotations.iter().any(|annotation| RUN.contains(&annotation.simple()));
            let mut found = if types.binary_search(&ty).is_ok() { Vec::new() } else { of_annotations(annotations) };
            for member in project.members(ty).filter(|member| members.binary_search(member).is_err()) {
                let facts = project.member(member);
                match runs {
                    true => found.extend(of_member(project, member)),
                    false => found.extend(of_annotations(facts.every_annotation())),
                }
            }
            found
        };
        let all: Vec<TypeId> = project.types().collect();
        let found: BTreeSet<&str> = all.into_par_iter().flat_map_iter(of_type).collect();
        found.into_iter().collect()
    }

    /// All distinct literals, sorted.
    pub fn all(&self) -> &[&'p str] {
        &self.all
    }

    /// For each literal in [`Self::all`], whether it occurs in these members (given by number) or types.
    pub fn within(&self, members: &IndexSet, types: &[TypeId]) -> Vec<bool> {
        let of_members = members.common(&self.having).filter_map(|number| self.members.get(&number));
        let of_types = types.iter().filter_map(|ty| self.types.get(ty));
        let mut found = vec![false; self.all.len()];
        of_members.chain(of_types).flatten().for_each(|at| found[*at as usize] = true);
        found
    }
}

fn of_member(project: &Project, member: MemberId) -> Vec<&str> {
    let facts = project.member(member);
    let mut found = of_annotations(facts.every_annotation());
    if let Some(value) = &facts.value {
        of_value(value, &mut found);
    }
    found.extend(facts.literals.iter().map(String::as_str));
    found
}

fn of_annotations<'a>(annotations: impl IntoIterator<Item = &'a Annotation>) -> Vec<&'a str> {
    let mut found = Vec::new();
    for annotation in annotations {
        for (_, value) in annotation.args.iter().filter(|(name, _)| name != PLACE) {
            of_value(value, &mut found);
        }
    }
    found
}

fn of_value<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
    match value {
        Value::Str(text) => found.push(text),
        Value::Array(items) => items.iter().for_each(|item| of_value(item, found)),
        Value::Annotation(inner) => found.extend(of_annotations(std::slice::from_ref(inner))),
        Value::Binary(_, left, right) => {
            of_value(left, found);
            of_value(right, found);
        }
        Value::Conditional(_, then, otherwise) => {
            of_value(then, found);
            of_value(otherwise, found);
        }
        _ => {}
    }
}
