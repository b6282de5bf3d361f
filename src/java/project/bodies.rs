//! Loads the bodies of a project's members lazily, one file at a time, from the cache if possible, and keeps them.

use std::sync::Arc;

use super::index::Project;
use crate::files::held::FileBodies;
use crate::ir::body::Body;
use crate::ir::ids::{FileId, MemberId};
use crate::lower::members;

impl Project {
    /// The body of a member; `None` if the member has no code, or its file can no longer be read.
    pub fn body(&self, id: MemberId) -> Option<Arc<Body>> {
        let file = self.file_of(id.ty);
        let bodies = self.held[file.0 as usize].bodies.get_or_init(|| self.lower(file));
        bodies.get(self.place_of(id.ty) as usize)?.get(id.index as usize)?.clone()
    }

    fn lower(&self, id: FileId) -> FileBodies {
        let file = self.file(id);
        let packs = self.held[id.0 as usize].known().map_or(&self.packs, |read| &read.packs);
        if let Some(bodies) = packs.get(file.blob) {
            return bodies;
        }
        let Some(text) = self.text(id) else { return FileBodies::new() };
        let lowered = members::lower_file(&text, &file.facts);
        let bodies: FileBodies =
            lowered.into_iter().map(|ty| ty.into_iter().map(|body| body.map(Arc::new)).collect()).collect();
        packs.put(file.blob, &bodies);
        bodies
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::layout::Scope;
    use crate::ir::body::{ExprKind, Root};
    use mastor_revision::SourceTree;
    use mastor_store::Cache;

    #[test]
    fn bodies_are_found_by_member_and_come_back_from_the_cache() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Arc::new(Cache::open(dir.path()));
        let load = || {
            let tree = SourceTree::from_memory([(
                "A.java",
                "enum A { X { int g() { return 1; } }; int a = 1; void f() { new A() { }; class L { } } abstract void h(); }",
            )]);
            Project::load(&tree, Some(&cache), &Scope::default())
        };
        let mut seen = Vec::new();
        for _ in 0..2 {
            let project = load();
            let body = |symbol: &str| project.body(project.by_symbol(symbol).unwrap());
            assert!(body("A.1#g()").is_some());
            assert!(matches!(body("A#a").unwrap().root, Some(Root::Expr(_))));
            let constant = body("A#X").unwrap();
            let anonymous = constant.exprs.iter().any(|e| matches!(e.kind, ExprKind::New { anonymous: Some(1), .. }));
            assert!(anonymous);
            let inner = body("A#f()").unwrap();
            assert!(inner.exprs.iter().any(|e| matches!(e.kind, ExprKind::New { anonymous: Some(2), .. })));
            assert!(body("A#h()").is_none());
            seen.push(inner);
        }
        assert_eq!(seen[0], seen[1]);
    }
}
