//! Annotations of Bean Validation on parameters.

use mastor_java::ir::facts::Annotation;

/// Whether the fields of the value are validated too.
pub fn is_validated(annotations: &[Annotation]) -> bool {
    annotations.iter().any(|annotation| matches!(annotation.simple(), "Valid" | "Validated"))
}

/// Annotations of parameters that say how a request is read, and not that the value is checked.
const READING: &[&str] = &[
    "AuthenticationPrincipal",
    "BeanParam",
    "Body",
    "Context",
    "CookieValue",
    "FormParam",
    "HeaderParam",
    "ModelAttribute",
    "Nullable",
    "Parameter",
    "ParameterObject",
    "PathParam",
    "PathVariable",
    "QueryParam",
    "RequestBody",
    "RequestHeader",
    "RequestParam",
    "RequestPart",
];

/// Whether the annotations of a parameter may have its value checked: any but those that say how a request is read.
pub fn may_be_checked_for(annotations: &[Annotation]) -> bool {
    annotations.iter().any(|one| !READING.contains(&one.simple()))
}
