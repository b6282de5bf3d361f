//! Loads a project: reads the facts of all files in parallel, from the cache if possible, and builds the index.

use std::sync::{Arc, Mutex, OnceLock};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::index::{Index, Project, ProjectFile};
use super::languages::{languages, other_language};
use super::names::direct_supers;
use crate::build::layout::{Layout, ModuleId, Scope, SourceSet};
use crate::files::held::{SharedFile, hold};
use crate::files::packs::Packs;
use crate::files::read_files::Store;
use crate::ir::facts::{FileFacts, MemberKind, Nesting};
use crate::ir::ids::{FileId, MemberId, TypeId};
use crate::models::sources::models;
use mastor_revision::{FileEntry, SourceTree};
use mastor_store::Cache;
use mastor_types::Warning;

impl Project {
    /// Loads the Java files of `tree` that are in `scope`.
    pub fn load(tree: &SourceTree, cache: Option<&Arc<Cache>>, scope: &Scope) -> Self {
        let layout = Layout::of(tree);
        let entries: Vec<&FileEntry> =
            tree.files().filter(|e| e.path.ends_with(".java") && layout.is_in(scope, &e.path)).collect();
        let store = Store::open(cache);
        let held = hold(cache, entries.iter().map(|entry| entry.blob));
        // Tasks of one file each: one file can take as long as a hundred others. Files that another project is
        // reading are waited for only in the second pass.
        let files = || entries.par_iter().zip(&held).with_max_len(1);
        files().for_each(|(entry, held)| held.read_first(|| store.read(tree, entry)));
        let read: Vec<(ProjectFile, Arc<SharedFile>)> = files()
            .map(|(entry, held)| {
                let (facts, outline, held) = store.facts(tree, entry, held);
                let (module, path) = (layout.module_of(&entry.path), entry.path.clone());
                (ProjectFile { path, blob: entry.blob, facts, outline, module, origin: None }, held)
            })
            .collect();
        let (files, held): (Vec<ProjectFile>, Vec<_>) = read.into_iter().unzip();
        let bodies = store.bodies;
        // Written now, so that the next revision finds them.
        bodies.flush();
        let opaque = tree.files().filter(|entry| is_opaque(&layout, scope, &entry.path));
        let opaque: Vec<String> = opaque.map(|entry| entry.path.clone()).collect();
        let opaque = with_hidden_code(opaque, &files);
        Self::build(tree.clone(), layout, files, opaque, (bodies, held))
    }

    /// Builds a project from sources given as (path, text).
    pub fn from_sources(sources: &[(&str, &str)]) -> Self {
        let tree = SourceTree::from_memory(sources.iter().map(|(path, text)| (*path, *text)));
        Self::load(&tree, None, &Scope::default())
    }

    pub(crate) fn build(
        tree: SourceTree,
        layout: Layout,
        files: Vec<ProjectFile>,
        opaque: Vec<String>,
        (packs, held): (Arc<Packs>, Vec<Arc<SharedFile>>),
    ) -> Self {
        let warnings = warnings(&files, &opaque);
        let (mut files, mut held) = (files, held);
        let own_files = files.len();
        for model in models() {
            files.push(ProjectFile {
                path: model.path.to_owned(),
                blob: model.blob,
                facts: model.facts.clone(),
                outline: model.outline,
                module: ModuleId(0),
                origin: None,
            });
            held.push(SharedFile::own(None, Some(model.bodies.clone())));
        }
        let index = Index::of(&files, own_files);
        let own = (own_files as u32, index.first_type.get(own_files).copied().unwrap_or(index.types.len() as u32));
        let count = index.types.len();
        let imported = files.iter().map(|_| Mutex::default()).collect();
        let mut project = Self {
            tree,
            layout,
            files,
            opaque,
            warnings,
            index,
            own,
            supers: Vec::new(),
            subtypes: vec![Vec::new(); count],
            above: (0..count).map(|_| OnceLock::new()).collect(),
            extenders: FxHashMap::default(),
            imported,
            packs,
            held,
            brought: Arc::default(),
            has_inert_constraints: false,
        };
        project.supers = direct_supers(&project);
        for id in project.all_types() {
            let is_model = project.is_model(id);
            for found in &project.supers[id.0 as usize] {
                if let Some(above) = found.named.project() {
                    project.subtypes[above.0 as usize].push(id);
                } else if let Some(library) = found.named.library().filter(|_| !is_model) {
                    project.extenders.entry(library.to_owned()).or_default().push(id);
                }
            }
        }
        project.subtypes.iter_mut().for_each(Vec::dedup);
        project
    }
}

fn is_opaque(layout: &Layout, scope: &Scope, path: &str) -> bool {
    other_language(path).is_some()
        && layout.is_in(scope, path)
        && layout.source_set(path) == SourceSet::Main
        && !path.starts_with("buildSrc/")
}

/// Adds the files that encode line ends as Unicode escapes: the parser reads code after them as part of a comment.
fn with_hidden_code(mut opaque: Vec<String>, files: &[ProjectFile]) -> Vec<String> {
    opaque.extend(files.iter().filter(|file| file.facts.escapes_line_ends).map(|file| file.path.clone()));
    opaque.sort();
    opaque
}

fn warnings(files: &[ProjectFile], opaque: &[String]) -> Vec<Warning> {
    let mut found = Vec::new();
    for file in files {
        if let Some(line) = file.facts.error_lines.first() {
            let places = file.facts.error_lines.len();
            let message =
                format!("not all of it could be parsed ({places} place{})", if places == 1 { "" } else { "s" });
            found.push(Warning::new("parse-error", message, Some(&file.path)).at(*line));
        }
        if let Some(line) = file.facts.cut_lines.first() {
            let message = "nested too deep or too large, read no further";
            found.push(Warning::new("nested-too-deep", message, Some(&file.path)).at(*line));
        }
    }
    for path in opaque.iter().filter(|path| path.ends_with(".java")) {
        let message = "an escape such as \\u000a ends a line: code may stand where a comment seems to be";
        found.push(Warning::new("escaped-line-end", message, Some(path)));
    }
    for (language, first, count) in languages(opaque) {
        let (own, are, it) = match count {
            1 => (language.to_owned(), "is", "this file"),
            _ => (format!("{language}, as in {} more", count - 1), "are", "one of them"),
        };
        let message = format!(
            "{own}, which {are} not read: operations declared there are missing, what calls them is not followed, and a \
             change of {it} leaves every operation of its application undecided"
        );
        found.push(Warning::new("opaque-language", message, Some(first)));
    }
    found
}

impl Index {
    /// Indexes these files; the first `own` belong to the project, the rest are models.
    fn of(files: &[ProjectFile], own: usize) -> Self {
        let (mut index, by_method) = rayon::join(|| Self::of_types(files, own), || methods(files));
        index.by_method = by_method;
        index
    }

    fn of_types(files: &[ProjectFile], own: usize) -> Self {
        let mut index = Self::default();
        for (at, file) in files.iter().enumerate() {
            let id = FileId(at as u32);
            index.first_type.push(index.types.len() as u32);
            if at < own {
                index.packages.entry(file.facts.package.clone()).or_default().push(id);
            }
            index.add_types(id, &file.facts, at >= own);
        }
        index.inner = vec![Vec::new(); index.types.len()];
        for at in 0..index.types.len() {
            let (file, place, _) = index.types[at];
            let outer = files[file.0 as usize].facts.types[place as usize].outer;
            if let Some(outer) = outer {
                let outer = index.first_type[file.0 as usize] + outer;
                index.inner[outer as usize].push(TypeId(at as u32));
            }
        }
        index
    }

    fn add_types(&mut self, file: FileId, facts: &FileFacts, is_model: bool) {
        let first = self.types.len();
        // Anonymous types are numbered per enclosing type, local types per enclosing type and simple name.
        let mut counts: FxHashMap<(u32, &str), u32> = FxHashMap::default();
        for (place, ty) in facts.types.iter().enumerate() {
            let id = TypeId(self.types.len() as u32);
            let around = match ty.outer {
                Some(outer) => self.types[first + outer as usize].2.as_str(),
                None => facts.package.as_str(),
            };
            let mut count = || {
                let count = counts.entry((ty.outer.unwrap_or(0), ty.name.as_str())).or_default();
                *count += 1;
                *count
            };
            let name = match ty.nesting {
                Nesting::Top | Nesting::Member => ty.name.clone(),
                Nesting::Local => format!("{}{}", count(), ty.name),
                Nesting::Anonymous => count().to_string(),
            };
            let fqn = if around.is_empty() { name } else { format!("{around}.{name}") };
            let named = if is_model { &mut self.models } else { &mut self.by_fqn };
            named.entry(fqn.clone()).or_default().push(id);
            if !ty.name.is_empty() && !is_model {
                self.by_simple.entry(ty.name.clone()).or_default().push(id);
            }
            self.types.push((file, place as u32, fqn));
        }
    }
}

/// All methods by name.
fn methods(files: &[ProjectFile]) -> FxHashMap<String, Vec<MemberId>> {
    let mut found: FxHashMap<String, Vec<MemberId>> = FxHashMap::default();
    for (ty, facts) in (0..).map(TypeId).zip(files.iter().flat_map(|file| &file.facts.types)) {
        for (index, member) in (0..).zip(&facts.members).filter(|(_, member)| member.kind == MemberKind::Method) {
            let id = MemberId { ty, index };
            match found.get_mut(&member.name) {
                Some(list) => list.push(id),
                None => {
                    found.insert(member.name.clone(), vec![id]);
                }
            }
        }
    }
    found
}

#[cfg(test)]
#[path = "load_tests.rs"]
mod tests;
