//! Annotations of Bean Validation on parameters.

use crate::java::ir::facts::Annotation;

/// Whether the fields of the value are validated too.
pub fn is_validated(annotations: &[Annotation]) -> bool {
    annotations.iter().any(|annotation| matches!(annotation.simple(), "Valid" | "Validated"))
}
