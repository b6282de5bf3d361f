//! Finds annotations on declarations by their resolved names, including those brought by the project's composed
//! annotations.

use super::index::Project;
use crate::ir::facts::Annotation;
use crate::ir::ids::{MemberId, TypeId};
use crate::ir::named::Named;

/// Maximum depth of composed annotations.
const MAX_DEPTH: usize = 8;

/// A declaration that can carry annotations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Annotated {
    /// A type.
    Type(TypeId),
    /// A member.
    Member(MemberId),
}

impl From<TypeId> for Annotated {
    fn from(id: TypeId) -> Self {
        Self::Type(id)
    }
}

impl From<MemberId> for Annotated {
    fn from(id: MemberId) -> Self {
        Self::Member(id)
    }
}

/// A match of an annotation lookup.
#[derive(Debug, Clone)]
pub struct AnnotationUse<'p> {
    /// The annotation.
    pub annotation: &'p Annotation,
    /// The type in whose scope the annotation's arguments are resolved.
    pub scope: TypeId,
    /// The composed annotations that led to it, the one on the declaration first, each with its scope; empty where
    /// the annotation is written directly on the declaration.
    pub through: Vec<(&'p Annotation, TypeId)>,
    /// The project's annotation types that carry it, in the same order. The match depends on them.
    pub composed: Vec<TypeId>,
}

impl Project {
    /// The annotations of a declaration, and the type in whose scope their arguments are resolved.
    pub fn annotations_of(&self, of: impl Into<Annotated>) -> (&[Annotation], TypeId) {
        match of.into() {
            Annotated::Type(id) => (&self.ty(id).annotations, id),
            Annotated::Member(id) => (&self.member(id).annotations, id.ty),
        }
    }

    /// Whether an annotation in `scope` has the type `name`. A simple name matches in any package.
    pub fn annotation_is(&self, annotation: &Annotation, scope: TypeId, name: &str) -> bool {
        let simple = name.rsplit('.').next().unwrap_or(name);
        if annotation.simple() != simple {
            return false;
        }
        if simple == name {
            return true;
        }
        match self.resolve(scope, &annotation.name) {
            Named::Project(id) => self.fqn(id) == name,
            Named::Library(fqn) => fqn == name,
            _ => !annotation.name.contains('.') || annotation.name == name,
        }
    }

    /// The first annotation whose type is one of `names`.
    pub fn annotation<'a>(
        &self,
        annotations: &'a [Annotation],
        scope: TypeId,
        names: &[&str],
    ) -> Option<&'a Annotation> {
        annotations.iter().find(|annotation| names.iter().any(|name| self.annotation_is(annotation, scope, name)))
    }

    /// All uses of the annotation `name` on a declaration, including uses through composed annotations of the
    /// project.
    pub fn annotated_with(&self, of: impl Into<Annotated>, name: &str) -> Vec<AnnotationUse<'_>> {
        let (annotations, scope) = self.annotations_of(of);
        self.uses_among(annotations, scope, name)
    }

    /// All uses of the annotation `name` in a list of annotations written in `scope`, such as those of a parameter.
    pub fn uses_among<'p>(
        &'p self,
        annotations: &'p [Annotation],
        scope: TypeId,
        name: &str,
    ) -> Vec<AnnotationUse<'p>> {
        let mut found = Vec::new();
        let start = AnnotationUse { annotation: &NONE, scope, through: Vec::new(), composed: Vec::new() };
        self.collect(annotations, &start, name, &mut found);
        found
    }

    fn collect<'p>(
        &'p self,
        annotations: &'p [Annotation],
        above: &AnnotationUse<'p>,
        name: &str,
        found: &mut Vec<AnnotationUse<'p>>,
    ) {
        for annotation in annotations {
            if self.annotation_is(annotation, above.scope, name) {
                found.push(AnnotationUse { annotation, ..above.clone() });
                continue;
            }
            let Some(ty) = self.resolve(above.scope, &annotation.name).project() else { continue };
            if above.composed.contains(&ty) || above.composed.len() >= MAX_DEPTH {
                continue;
            }
            let mut next = AnnotationUse { scope: ty, ..above.clone() };
            next.through.push((annotation, above.scope));
            next.composed.push(ty);
            self.collect(&self.ty(ty).annotations, &next, name, found);
        }
    }
}

/// Placeholder before the first annotation is visited.
static NONE: Annotation = Annotation {
    name: String::new(),
    args: Vec::new(),
    span: crate::ir::facts::Span { start: 0, end: 0, line: 0, end_line: 0 },
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_are_known_by_what_their_names_mean() {
        let project = Project::from_sources(&[
            (
                "A.java",
                "import org.x.Get; class A { @Get void f() {} @Mine void g() {} @p.Get void h() {} @Loop void i() {} }",
            ),
            ("Mine.java", "@Other(\"a\") @interface Mine {}"),
            ("Other.java", "@org.x.Get(\"b\") @interface Other {}"),
            ("Loop.java", "@Loop2 @interface Loop {} @Loop @interface Loop2 {}"),
        ]);
        let uses = |symbol: &str| project.annotated_with(project.by_symbol(symbol).unwrap(), "org.x.Get");
        assert_eq!(uses("A#f()").len(), 1);
        let through = uses("A#g()");
        assert_eq!(through[0].annotation.args.len(), 1);
        assert_eq!(through[0].through.iter().map(|(a, _)| a.name.as_str()).collect::<Vec<_>>(), ["Mine", "Other"]);
        assert_eq!(through[0].scope, project.by_fqn("Other").unwrap());
        assert!(uses("A#h()").is_empty());
        assert!(uses("A#i()").is_empty());
    }
}
