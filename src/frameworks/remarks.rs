//! Remarks: annotations on parameters by which no framework finds a value, such as constraints, documentation and null-ness.

use crate::java::ids::TypeId;
use crate::java::named::Named;
use crate::java::project::Project;

/// Packages whose annotations say something about a value that is found otherwise.
const PACKAGES: &[&str] = &[
    "com.fasterxml.jackson.",
    "com.google.errorprone.",
    "edu.umd.cs.findbugs.",
    "io.micrometer.",
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

/// Names that are a remark's, where imports of whole packages leave open whose they are.
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

/// Whether an annotation, by its name in the scope of a type, leaves open to nobody how the value of a parameter is found.
pub fn is_remark(project: &Project, scope: TypeId, name: &str) -> bool {
    let fqn = match project.resolve(scope, name) {
        // A constraint of the project's own; anything else of its own may be what a resolver looks for.
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
