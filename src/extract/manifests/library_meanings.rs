//! Resolves the library types that names in code refer to: replacing an import changes what code does, though none of
//! its tokens differs. Names of the project are followed instead, and a project type that moves to another package
//! stays the same type.

use std::sync::Arc;

use rayon::prelude::*;

use mastor_java::ir::facts::MemberKind;
use mastor_java::ir::ids::{FileId, MemberId, TypeId};
use mastor_java::project::index::Project;
use mastor_types::Hash;

/// Libraries whose types do not affect behaviour: annotations for documentation, loggers.
const INERT: [&str; 3] = ["lombok.extern.", "io.swagger.", "org.eclipse.microprofile.openapi."];

/// For each file, by the index of a name among its words, the library type that the name refers to.
pub struct LibraryMeanings {
    by_file: Vec<Vec<Option<Arc<str>>>>,
}

impl LibraryMeanings {
    /// Resolves the names of all files of a project.
    pub fn of(project: &Project) -> Self {
        let files: Vec<FileId> = project.files().collect();
        Self { by_file: files.into_par_iter().map(|file| meanings(project, file)).collect() }
    }

    /// The hash of a member's tokens and of the library types that its names refer to; the hash of the tokens alone if
    /// there are none. That of an enum's constant also says which constant stands before it, so that the order counts.
    pub fn of_member(&self, project: &Project, id: MemberId) -> Hash {
        let member = project.member(id);
        let tokens = match constant_before(project, id) {
            Some(before) => Hash::of_parts([member.tokens.as_bytes().as_slice(), before.as_bytes()]),
            None => member.tokens,
        };
        self.hash(project, id.ty, tokens, &member.named)
    }

    /// As [`Self::of_member`], for the header of a type.
    pub fn of_type(&self, project: &Project, id: TypeId) -> Hash {
        let facts = project.ty(id);
        self.hash(project, id, facts.header, &facts.named)
    }

    fn hash(&self, project: &Project, ty: TypeId, tokens: Hash, named: &[u32]) -> Hash {
        let words = self.by_file.get(project.file_of(ty).0 as usize);
        let meaning = |place: &u32| words.and_then(|words| words.get(*place as usize)).and_then(Option::as_deref);
        let mut found = named.iter().filter_map(meaning).peekable();
        if found.peek().is_none() {
            return tokens;
        }
        Hash::of_parts(std::iter::once(tokens.as_bytes().as_slice()).chain(found.map(str::as_bytes)))
    }
}

/// The name of the constant before this one, if the member is a constant of an enum and not the first.
fn constant_before(project: &Project, id: MemberId) -> Option<&str> {
    let of = project.member(id).kind;
    let mut before = (0..id.index).rev().map(|index| project.member(MemberId { index, ..id }));
    let is_constant = of == MemberKind::EnumConstant;
    before.find(|one| is_constant && one.kind == MemberKind::EnumConstant).map(|one| one.name.as_str())
}

fn meanings(project: &Project, file: FileId) -> Vec<Option<Arc<str>>> {
    let facts = &project.file(file).facts;
    let Some(scope) = project.types_of(file).next() else { return Vec::new() };
    let of_types = || facts.imports.iter().filter(|import| !import.is_static);
    let has_wildcard = of_types().any(|import| import.wildcard);
    let mean = |word: &String| {
        let single = of_types().filter(|import| !import.wildcard);
        let single = single.map(|import| &import.path).find(|path| path.rsplit('.').next() == Some(word));
        match single {
            Some(path) => project.by_fqn_all(path).is_empty().then(|| path.as_str().into()),
            None if !has_wildcard || word.contains('.') => None,
            None => {
                let resolved = project.resolve(scope, word);
                let library =
                    resolved.library().filter(|name| name.rsplit_once('.').is_some_and(|(of, _)| of != "java.lang"));
                library.map(Into::into)
            }
        }
    };
    let decides = |meaning: &Arc<str>| !INERT.iter().any(|start| meaning.starts_with(start));
    facts.type_words.iter().map(|word| mean(word).filter(decides)).collect()
}
