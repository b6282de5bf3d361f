//! What the reader makes of small documents: each version, and each defect that it forgives or names.

mod defects;
mod edits;
mod properties;
mod versions;

use super::{Document, MemoryFiles, OpenApiError, read};

/// The document in `text`, which must be readable.
fn document(text: &str) -> Document {
    try_read(text).unwrap()
}

fn try_read(text: &str) -> Result<Document, OpenApiError> {
    read(&MemoryFiles::default().with("api.yaml", text), "api.yaml")
}

/// Codes of the warnings, each once.
fn codes(document: &Document) -> Vec<&str> {
    let mut codes: Vec<&str> = document.warnings.iter().map(|warning| warning.code.as_str()).collect();
    codes.dedup();
    codes
}
