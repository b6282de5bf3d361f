//! Reading a document: its version, base paths, security and operations.

use serde_json::{Map, Value};

use super::document::{Document, Operation};
use super::error::OpenApiError;
use super::files::Files;
use super::lint;
use super::operations;
use super::place::DocumentLocation;
use super::reader::Reader;
use super::refs::Sources;
use super::version::SpecVersion;
use mastor_types::Warning;

/// Reads the document at `path` with all files that it references.
///
/// # Errors
/// The document is unusable as a whole: the file is missing, is neither JSON nor YAML, expands too far, or has no
/// `paths`.
pub fn read(files: &dyn Files, path: &str) -> Result<Document, OpenApiError> {
    let (sources, mut warnings) = Sources::load(files, path)?;
    let not = |pointer: &str, what: &str| OpenApiError::NotADocument {
        file: path.to_owned(),
        pointer: pointer.to_owned(),
        what: what.to_owned(),
    };
    let at = DocumentLocation::new(path, "");
    let root = sources.get(&at).and_then(Value::as_object).ok_or_else(|| not("", "the document is not an object"))?;
    let version = version(root, &at, &mut warnings);
    let paths = match root.get("paths") {
        Some(Value::Object(paths)) => Some(paths),
        Some(Value::Null) => None,
        Some(_) => return Err(not("/paths", "`paths` is not an object")),
        None => return Err(not("", "the document has no `paths`")),
    };
    if paths.is_none_or(Map::is_empty) {
        warnings.push(at.at("paths").warn("no-paths", "`paths` is empty"));
    }
    let title = root.get("info").and_then(|info| info.get("title")).and_then(Value::as_str).map(str::to_owned);
    let mut reader = Reader { sources: &sources, version, root, warnings };
    let base_paths = reader.base_paths(&at);
    let security_schemes = reader.security_schemes(&at);
    let operations: Vec<Operation> =
        paths.map(|paths| operations::read(&mut reader, &at.at("paths"), paths)).unwrap_or_default();
    let mut warnings = reader.warnings;
    lint::check(&sources, version, &operations, &security_schemes, &mut warnings);
    warnings.sort();
    warnings.dedup();
    Ok(Document { path: path.to_owned(), version, title, base_paths, operations, security_schemes, warnings, sources })
}

/// The version that `swagger` or `openapi` declares, else a guess from the document's content.
fn version(root: &Map<String, Value>, at: &DocumentLocation, warnings: &mut Vec<Warning>) -> SpecVersion {
    let said = |key: &str| match root.get(key)? {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let guess = if root.contains_key("definitions") || root.contains_key("basePath") {
        SpecVersion::V20
    } else {
        SpecVersion::V30
    };
    let (text, version) = match (said("openapi"), said("swagger")) {
        (Some(text), _) if text.starts_with("3.0") || text == "3" => return SpecVersion::V30,
        (Some(text), _) if text.starts_with("3.1") => return SpecVersion::V31,
        (_, Some(text)) if text.starts_with('2') => return SpecVersion::V20,
        (Some(text), _) if text.starts_with('3') => (text, SpecVersion::V31),
        (Some(text), _) | (_, Some(text)) => (text, guess),
        (None, None) => {
            warnings.push(
                at.warn("no-version", format_args!("neither `openapi` nor `swagger` says a version; read as {guess}")),
            );
            return guess;
        }
    };
    warnings.push(at.warn("unknown-version", format_args!("version {text} is not known; read as {version}")));
    version
}
