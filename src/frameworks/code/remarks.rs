//! Remarks: parameter annotations that do not affect how a framework finds the value, such as constraints,
//! documentation and nullness.

use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::named::Named;
use mastor_java::project::index::Project;

/// Packages of such annotations.
const PACKAGES: &[&str] = &[
    "com.fasterxml.jackson.",
    "com.google.errorprone.",
    "edu.umd.cs.findbugs.",
    "io.micrometer.",
    "io.micronaut.core.annotation.",
    "io.micronaut.serde.",
    "io.micronaut.validation.",
    "io.swagger.",
    "jakarta.annotation.",
    "jakarta.validation.",
    "java.lang.",
    "javax.annotation.",
    "javax.validation.",
    "lombok.",
    "org.checkerframework.",
    "org.eclipse.jdt.",
    "org.eclipse.microprofile.openapi.",
    "org.hibernate.validator.",
    "org.jetbrains.annotations.",
    "org.jspecify.",
    "org.springdoc.",
    "org.springframework.data.repository.query.",
    "org.springframework.data.web.",
    "org.springframework.format.",
    "org.springframework.lang.",
    "org.springframework.security.core.parameters.",
    "org.springframework.validation.",
    "springfox.",
];

/// Simple names of such annotations, for wildcard imports that leave the package open.
const SIMPLE: &[&str] = &[
    "ApiIgnore",
    "ApiParam",
    "DateTimeFormat",
    "DecimalMax",
    "DecimalMin",
    "Digits",
    "Email",
    "Future",
    "Length",
    "Max",
    "Min",
    "Negative",
    "NonNull",
    "NotBlank",
    "NotEmpty",
    "NotNull",
    "Nullable",
    "NumberFormat",
    "PageableDefault",
    "Parameter",
    "Past",
    "Pattern",
    "Positive",
    "PositiveOrZero",
    "Range",
    "Schema",
    "Size",
    "SortDefault",
    "SuppressWarnings",
    "Valid",
    "Validated",
];

/// Whether an annotation, by its name in the scope of a type, is a remark.
pub fn is_remark(project: &Project, scope: TypeId, name: &str) -> bool {
    let fqn = match project.resolve(scope, name) {
        // A constraint of the project is a remark; any other annotation of the project may select an argument resolver.
        Named::Project(id) => {
            return project.ty(id).annotations.iter().any(|one| one.simple() == "Constraint");
        }
        Named::Library(fqn) | Named::Unknown(fqn) => fqn,
        _ => return false,
    };
    match fqn.contains('.') {
        true => PACKAGES.iter().any(|package| fqn.starts_with(package)),
        false => SIMPLE.contains(&fqn.as_str()),
    }
}

/// Whether a parameter of a declaration has an annotation that is not a remark.
pub fn has_other_than_remarks(project: &Project, declared: MemberId, index: usize) -> bool {
    let param = project.member(declared).params.get(index);
    param.is_some_and(|param| param.annotations.iter().any(|one| !is_remark(project, declared.ty, &one.name)))
}
