//! Source files that the build generates. They are not in the repository, but `mastor` knows their text and what they
//! are generated from.

use std::sync::Arc;

use rayon::prelude::*;

use super::index::{Project, ProjectFile};
use crate::build::origin::Origin;
use crate::declarations::extract_facts::facts_with;
use crate::declarations::outline::outline;
use crate::files::held::{FileBodies, SharedFile};
use crate::files::read_files::keep_literals;
use crate::ir::facts::MemberFacts;
use crate::ir::ids::{MemberId, TypeId};
use crate::lower::members::lower_tree;
use mastor_revision::SourceTree;
use mastor_types::Hash;

/// A source file that the build generates.
#[derive(Debug, Clone)]
pub struct GeneratedSource {
    /// Path of the generated file, relative to the repository's root.
    pub path: String,
    /// Its text.
    pub text: String,
    /// The declaration or document that it is generated from.
    pub origin: Origin,
}

impl Project {
    /// Adds generated sources to the project, except at paths that the repository contains.
    #[must_use]
    pub fn with_made(mut self, made: Vec<GeneratedSource>) -> Self {
        if made.is_empty() {
            return self;
        }
        let tree = self.tree.with(made.iter().map(|one| (one.path.clone(), one.text.clone())));
        let layout = self.layout.clone();
        let new = made.into_par_iter().filter_map(|one| file(&tree, &layout, one));
        let held = std::mem::take(&mut self.held);
        let own = std::mem::take(&mut self.files).into_iter().zip(held).take(self.own.0 as usize);
        let mut files: Vec<(ProjectFile, Arc<SharedFile>)> = own.collect();
        files.extend(new.collect::<Vec<_>>());
        files.sort_by(|(a, _), (b, _)| a.path.cmp(&b.path));
        files.dedup_by(|(a, _), (b, _)| a.path == b.path);
        let (files, held) = files.into_iter().unzip();
        let brought = self.brought.clone();
        let mut made = Self::build(tree, layout, files, std::mem::take(&mut self.opaque), (self.packs.clone(), held));
        made.brought = brought;
        made
    }

    /// The origin of a type in a generated file.
    pub fn origin(&self, ty: TypeId) -> Option<&Origin> {
        self.file(self.file_of(ty)).origin.as_deref()
    }

    /// The declaration that a member of a generated type implements, in the type that it is generated from.
    pub fn made_from(&self, member: MemberId) -> Option<MemberId> {
        let origin = self.origin(member.ty)?;
        let signature = self.member(member).signature();
        let from = self.by_fqn(&origin.symbol)?;
        let mut types = vec![from];
        types.extend(self.all_supers(from));
        types.into_iter().flat_map(|ty| self.members(ty)).find(|other| self.member(*other).signature() == signature)
    }

    /// Symbol and hash by which evidence cites a member: its own, or for a generated member those of its origin.
    pub fn cited(&self, member: MemberId) -> (String, Hash) {
        let own = |member: MemberId| {
            let facts: &MemberFacts = self.member(member);
            (self.symbol(member), facts.tokens)
        };
        match (self.origin(member.ty), self.made_from(member)) {
            (None, _) => own(member),
            (Some(_), Some(declared)) => own(declared),
            (Some(origin), None) => (origin.symbol.clone(), origin.tokens),
        }
    }

    /// The file and line shown for a line of a type; for a generated type, those of its origin.
    pub fn shown(&self, ty: TypeId, line: u32) -> (String, u32) {
        match self.origin(ty) {
            Some(origin) => (origin.file.clone(), origin.line),
            None => (self.path_of(ty).to_owned(), line),
        }
    }

    /// The hash of the origin with this symbol.
    pub fn origin_hash(&self, symbol: &str) -> Option<Hash> {
        let origins = self.files.iter().filter_map(|file| file.origin.as_deref());
        origins.into_iter().find(|origin| origin.symbol == symbol).map(|origin| origin.tokens)
    }
}

fn file(
    tree: &SourceTree,
    layout: &crate::build::layout::Layout,
    made: GeneratedSource,
) -> Option<(ProjectFile, Arc<SharedFile>)> {
    let GeneratedSource { path, text, origin } = made;
    let mut lowered = Vec::new();
    let mut facts = facts_with(&text, |facts, root| lowered = lower_tree(root, &text, facts));
    keep_literals(&mut facts, &lowered);
    let shared = |ty: Vec<Option<crate::ir::body::Body>>| ty.into_iter().map(|body| body.map(Arc::new)).collect();
    let bodies: FileBodies = lowered.into_iter().map(shared).collect();
    let blob = tree.get(&path)?.blob;
    let (outline, module) = (outline(&facts), layout.module_of(&path));
    let file = ProjectFile { path, blob, facts: Arc::new(facts), outline, module, origin: Some(Arc::new(origin)) };
    Some((file, SharedFile::own(None, Some(bodies))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_made_class_is_part_of_the_project_and_cited_by_what_it_is_made_from() {
        let project = Project::from_sources(&[
            ("a/M.java", "package a; interface M { Dto map(String s); }"),
            ("a/Z.java", "package a; class Z { int z() { return new Dto().x; } }"),
        ]);
        let z = project.by_symbol("a.Z#z()").unwrap();
        assert!(project.body(z).is_some());
        let origin = |symbol: &str, file: &str| Origin {
            symbol: symbol.to_owned(),
            tokens: Hash::of(symbol.as_bytes()),
            file: file.to_owned(),
            line: 7,
        };
        let project = project.with_made(vec![
            GeneratedSource {
                path: "b/Dto.java".to_owned(),
                text: "package a; class Dto { int x = 1; int x() { return x; } }".to_owned(),
                origin: origin("api.yml#/components/schemas/Dto", "api.yml"),
            },
            GeneratedSource {
                path: "b/MImpl.java".to_owned(),
                text: "package a; class MImpl implements M { public Dto map(String s) { return new Dto(); } }"
                    .to_owned(),
                origin: origin("a.M", "a/M.java"),
            },
        ]);
        let member = |symbol: &str| project.by_symbol(symbol).unwrap();
        assert!(project.body(member("a.Z#z()")).is_some() && project.body(member("a.Dto#x()")).is_some());
        let (symbol, tokens) = project.cited(member("a.Dto#x()"));
        assert_eq!(symbol, "api.yml#/components/schemas/Dto");
        assert_eq!(project.origin_hash(&symbol), Some(tokens));
        assert_eq!(project.cited(member("a.MImpl#map(String)")).0, "a.M#map(String)");
        assert_eq!(project.shown(member("a.Dto#x()").ty, 1), ("api.yml".to_owned(), 7));
        assert_eq!(project.shown(member("a.Z#z()").ty, 1), ("a/Z.java".to_owned(), 1));
    }
}
