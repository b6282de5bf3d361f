//! Small documents: every version is read, and every defect gives a warning or an error.

mod defects;
mod edits;
mod properties;
mod versions;

use super::{Document, MemoryFiles, OpenApiError, read};

/// Reads the document in `text`, which must be readable.
fn document(text: &str) -> Document {
    try_read(text).unwrap()
}

fn try_read(text: &str) -> Result<Document, OpenApiError> {
    read(&MemoryFiles::default().with("api.yaml", text), "api.yaml")
}

/// Codes of the warnings, without duplicates.
fn codes(document: &Document) -> Vec<&str> {
    let mut codes: Vec<&str> = document.warnings.iter().map(|warning| warning.code.as_str()).collect();
    codes.dedup();
    codes
}
