//! How the database of a service compares texts: by its product, as far as its address or its driver says which one it is.

use std::collections::BTreeMap;

use super::initial::Files;
use crate::java::ids::TypeId;
use crate::java::interpret::stores::data::{Entity, Texts};

/// How texts are compared. H2 does it letter by letter unless its address says otherwise, PostgreSQL tells all texts apart; others go by a collation.
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
