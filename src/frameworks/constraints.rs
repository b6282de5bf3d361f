//! Annotations of Bean Validation on parameters.

use crate::java::facts::Annotation;

/// Whether validation of the value's own fields is asked for.
pub fn is_validated(annotations: &[Annotation]) -> bool {
    annotations.iter().any(|annotation| matches!(annotation.simple(), "Valid" | "Validated"))
}
