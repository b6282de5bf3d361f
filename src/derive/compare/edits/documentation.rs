//! Annotations that describe code for people and tools: API documentation and nullness. They have no effect unless code
//! looks for them.

use crate::compare::sides::side::Side;
use mastor_java::ir::body::ExprKind;
use mastor_java::ir::facts::Annotation;
use mastor_java::ir::ids::TypeId;
use mastor_java::ir::named::Named;
use mastor_java::project::index::Project;

/// Packages of descriptive annotations.
const PACKAGES: &[&str] = &[
    "edu.umd.cs.findbugs.annotations.",
    "io.swagger.",
    "org.checkerframework.",
    "org.eclipse.jdt.annotation.",
    "org.eclipse.microprofile.openapi.",
    "org.jetbrains.annotations.",
    "org.jspecify.annotations.",
    "org.springdoc.",
    "springfox.",
];

/// Packages of annotations of Bean Validation, which only describe where nothing checks them.
const CONSTRAINTS: &[&str] = &[
    "javax.validation.",
    "jakarta.validation.",
    "org.hibernate.validator.constraints.",
    "org.springframework.validation.annotation.",
];

/// Whether an annotation in the scope of a type is only descriptive, and no aspect or other code looks for it.
pub(super) fn describes(side: &Side<'_>, scope: TypeId, annotation: &Annotation) -> bool {
    let project = side.bench.subject.project;
    let (Named::Library(name) | Named::Unknown(name)) = project.resolve(scope, &annotation.name) else { return false };
    let is_of = |packages: &[&str]| packages.iter().any(|package| name.starts_with(package));
    (is_of(PACKAGES) || project.has_inert_constraints() && is_of(CONSTRAINTS))
        && !is_looked_for(project, annotation.simple())
}

/// Whether an aspect names an annotation, or code uses its class literal.
fn is_looked_for(project: &Project, name: &str) -> bool {
    let says_class = |ty: TypeId| {
        project.members(ty).filter_map(|member| project.body(member)).any(|body| {
            let is_named =
                |expr: &ExprKind| matches!(expr, ExprKind::ClassLit(reference) if reference.simple() == name);
            body.exprs.iter().any(|expr| is_named(&expr.kind))
        })
    };
    let is_named_in = |ty: TypeId| {
        project.file(project.file_of(ty)).facts.type_words.binary_search_by(|word| word.as_str().cmp(name)).is_ok()
    };
    project.types().any(|ty| {
        let is_aspect = project.ty(ty).annotations.iter().any(|one| one.simple() == "Aspect");
        let names_in_text = || {
            project.members(ty).any(|member| {
                let annotations = &project.member(member).annotations;
                annotations.iter().any(|one| format!("{:?}", one.args).contains(name))
            })
        };
        is_aspect && (is_named_in(ty) || names_in_text()) || is_named_in(ty) && says_class(ty)
    })
}
