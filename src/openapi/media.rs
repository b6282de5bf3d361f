//! Media types of payloads, for every version.

use serde_json::{Map, Value};

use super::document::MediaType;
use super::place::DocumentLocation;
use super::reader::Reader;
use super::version::SpecVersion;

/// The media types that 2.0 declares in `consumes` or `produces`, on the operation, else on the document, else
/// `fallback`.
pub(super) fn media_names(
    reader: &mut Reader<'_>,
    at: &DocumentLocation,
    map: &Map<String, Value>,
    key: &str,
    fallback: &str,
) -> Vec<String> {
    let mut names = reader.texts(at, map, key);
    if names.is_empty() && !map.contains_key(key) && reader.version == SpecVersion::V20 {
        let root = reader.root;
        names = reader.texts(&DocumentLocation::new(&at.file, ""), root, key);
    }
    if names.is_empty() {
        names.push(fallback.to_owned());
    }
    names
}

/// One entry per media type, all with the same schema.
pub(super) fn same_schema(names: Vec<String>, schema: &Option<DocumentLocation>) -> Vec<MediaType> {
    names.into_iter().map(|name| MediaType { name, schema: schema.clone() }).collect()
}
