//! String comparison in the service's database: by its product, as far as its URL or driver shows it.

use std::collections::BTreeMap;

use super::initial::Files;
use mastor_java::interpret::stores::data::{Entity, Texts};
use mastor_java::ir::ids::TypeId;

/// How strings are compared. H2 compares exactly unless its URL sets another collation, and PostgreSQL distinguishes
/// all strings; other databases use a collation.
pub fn compared(files: &Files<'_>, entities: &BTreeMap<TypeId, Entity>) -> Texts {
    if !entities.is_empty() && entities.values().all(|entity| entity.is_document) {
        return Texts::Exactly;
    }
    let url = files.url().unwrap_or_default().to_lowercase();
    let is_h2 = if url.is_empty() { files.uses("h2") } else { url.starts_with("jdbc:h2:") };
    match is_h2 {
        true if url.contains("ignorecase") || url.contains("collation") => Texts::Open,
        true => Texts::Exactly,
        false if url.starts_with("jdbc:postgresql:") => Texts::Apart,
        false => Texts::Open,
    }
}
