//! Stereotypes: annotations that make a class a bean, directly or as meta-annotations of the project's annotations.

use mastor_java::ir::facts::{Annotation, TypeKind};
use mastor_java::ir::ids::TypeId;
use mastor_java::ir::named::Named;
use mastor_java::project::index::Project;

/// Simple names of the stereotypes of CDI, EJB and JSR 330, which several containers share.
const SHARED: [&str; 9] = [
    "Named",
    "Singleton",
    "ApplicationScoped",
    "RequestScoped",
    "SessionScoped",
    "ConversationScoped",
    "Dependent",
    "Stateless",
    "Stateful",
];

/// Greatest depth of meta-annotations.
const DEPTH: u32 = 8;

/// Whether an annotation of a class makes it a bean.
pub fn is_component(project: &Project, ty: TypeId) -> bool {
    stereotype(project, ty).is_some()
}

/// The annotation of a class that makes it a bean, as written.
pub fn stereotype(project: &Project, ty: TypeId) -> Option<&Annotation> {
    project.ty(ty).annotations.iter().find(|annotation| is_stereotype(project, ty, annotation, DEPTH))
}

fn is_stereotype(project: &Project, scope: TypeId, annotation: &Annotation, depth: u32) -> bool {
    let simple = annotation.simple();
    let is_known = SHARED.contains(&simple) || project.brought().is_stereotype(simple);
    // A name that no project type has is a library annotation.
    if project.by_simple(simple).is_empty() {
        return is_known;
    }
    let Named::Project(composed) = project.resolve(scope, &annotation.name) else {
        return is_known;
    };
    let facts = project.ty(composed);
    depth > 0
        && facts.kind == TypeKind::Annotation
        && facts.annotations.iter().any(|above| is_stereotype(project, composed, above, depth - 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{FRAMEWORKS, brought};

    #[test]
    fn an_annotation_that_carries_a_stereotype_is_one_and_a_namesake_of_the_project_is_not() {
        let project = Project::from_sources(&[(
            "a/A.java",
            "package a; import org.springframework.stereotype.Component; @Component @interface UseCase {} @UseCase @interface Deep {} \
             @interface Service {} @Component class A {} @UseCase class B {} @Deep class C {} @Service class D {} class E {}",
        )])
        .with_brought(brought(FRAMEWORKS));
        let is = |name: &str| is_component(&project, project.by_fqn(&format!("a.{name}")).unwrap());
        assert_eq!(["A", "B", "C", "D", "E"].map(is), [true, true, true, false, false]);
    }
}
