//! Where mutants are: files and lines of the members that operations reach, and of those that a change touches.

use std::collections::{BTreeMap, BTreeSet};

use crate::pipeline::repository::comparison::Comparison;
use mastor_extract::Analysis;
use mastor_revision::SourceTree;
use mastor_strength::MutantLookups;
use mastor_types::OpId;
use mastor_types::results::plan::State;
use mastor_types::results::strength::Near;

/// First and last line of a member, and the operations that reach it.
type Reached = (u32, u32, BTreeSet<OpId>);

/// The members of a revision that operations reach.
#[derive(Debug, Default)]
pub struct Places {
    /// Path of each file, by package folder and file name, as class files name it.
    files: BTreeMap<String, String>,
    /// Members, by the same name of their file.
    members: BTreeMap<String, Vec<Reached>>,
    /// Full names of the outermost classes.
    classes: BTreeSet<String>,
    /// Names of the members that the sources declare, by the full name of their type.
    written: BTreeMap<String, BTreeSet<String>>,
}

/// Lines of a file, by package folder and name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lines {
    /// Package folder and name.
    pub file: String,
    /// First line.
    pub first: u32,
    /// Last line.
    pub last: u32,
}

impl Places {
    /// The members that the operations in `of` reach; of all operations if it is `None`.
    pub fn of(analysis: &Analysis, of: Option<&BTreeSet<OpId>>) -> Self {
        let project = &analysis.surface.project;
        let mut places = Self::default();
        for ty in project.types() {
            if project.origin(ty).is_none() {
                let path = project.path_of(ty);
                places.files.insert(known_as(project.package_of(ty), path), path.to_owned());
                let names = project.members(ty).map(|member| project.member(member).name.clone());
                places.written.entry(project.fqn(ty).to_owned()).or_default().extend(names);
            }
        }
        let mut members: BTreeMap<(String, u32, u32), BTreeSet<OpId>> = BTreeMap::new();
        for (op_id, closure) in &analysis.closures {
            if of.is_some_and(|of| !of.contains(op_id)) {
                continue;
            }
            for member in closure.members.keys() {
                let ty = member.ty;
                if project.origin(ty).is_some() {
                    continue;
                }
                let mut outer = ty;
                while let Some(around) = project.outer(outer) {
                    outer = around;
                }
                places.classes.insert(project.fqn(outer).to_owned());
                let span = project.member(*member).span;
                let file = known_as(project.package_of(ty), project.path_of(ty));
                members.entry((file, span.line, span.end_line)).or_default().insert(op_id.clone());
            }
        }
        for ((file, first, last), of) in members {
            places.members.entry(file).or_default().push((first, last, of));
        }
        places
    }

    /// One line for each type: its full name and the members that the sources declare. Every other member of a class
    /// file was made by a tool (Lombok, MapStruct, a generated client).
    pub fn written(&self) -> Vec<String> {
        let line = |(name, members): (&String, &BTreeSet<String>)| {
            let members: String = members.iter().map(|member| format!(" {member}")).collect();
            format!("{name}{members}")
        };
        self.written.iter().map(line).collect()
    }

    /// The classes to mutate, as PITest names them, with all nested classes.
    pub fn classes(&self) -> Vec<String> {
        self.classes.iter().flat_map(|name| [name.clone(), format!("{name}$*")]).collect()
    }
}

/// Maps names in mutants and tests to files, lines and oracles of the repository.
pub struct Named<'a> {
    /// Members that operations reach.
    pub places: &'a Places,
    /// The files.
    pub tree: &'a SourceTree,
    /// Oracle or sequence of each test.
    pub tests: &'a BTreeMap<String, Near>,
}

impl MutantLookups for Named<'_> {
    fn test(&self, test: &str) -> Option<Near> {
        self.tests.get(test).cloned()
    }

    fn file(&self, path: &str) -> Option<String> {
        self.places.files.get(path).cloned()
    }

    fn code(&self, file: &str, line: u32) -> String {
        let Ok(text) = self.tree.text(file) else { return String::new() };
        let at = usize::try_from(line).unwrap_or_default().saturating_sub(1);
        text.text.lines().nth(at).unwrap_or_default().trim().to_owned()
    }

    fn reaching(&self, path: &str, line: u32) -> Vec<OpId> {
        let members = self.places.members.get(path).into_iter().flatten();
        let around = members.filter(|(first, last, _)| (*first..=*last).contains(&line));
        let all: BTreeSet<&OpId> = around.flat_map(|(_, _, of)| of).collect();
        all.into_iter().cloned().collect()
    }
}

/// The lines of the members that a change touched or added, and that operations of the head reach.
pub fn changed(comparison: &Comparison) -> Vec<Lines> {
    let head = &comparison.head;
    let project = &head.surface.project;
    let mut lines = BTreeSet::new();
    let mut add = |symbol: &str| {
        let Some(member) = project.by_symbol(symbol) else { return };
        let span = project.member(member).span;
        let file = known_as(project.package_of(member.ty), project.path_of(member.ty));
        lines.insert(Lines { file, first: span.line, last: span.end_line });
    };
    for planned in &comparison.plan.operations {
        let Some(new) = head.manifest(&planned.op_id) else { continue };
        match planned.state {
            State::Affected => {
                let old = comparison.base.manifest(planned.was.as_ref().unwrap_or(&planned.op_id));
                if let Some(old) = old {
                    new.diff(old).iter().for_each(|change| add(&change.input));
                }
            }
            State::New => {
                let old = &comparison.base.surface.project;
                new.iter().filter(|(input, ..)| old.by_symbol(input).is_none()).for_each(|(input, ..)| add(input));
            }
            State::Recheck | State::Inherited | State::Retired => {}
        }
    }
    lines.into_iter().collect()
}

/// The name of a file in class files: package folder and file name.
pub(in crate::pipeline) fn known_as(package: &str, path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    if package.is_empty() { name.to_owned() } else { format!("{}/{name}", package.replace('.', "/")) }
}
