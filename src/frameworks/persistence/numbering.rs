//! Generated row numbers: who generates them, and whether they continue after a number that a script has set.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::initial::Files;
use mastor_java::interpret::stores::data::{Cell, Entity, KeyGenerator, Keys, Table};
use mastor_java::ir::ids::TypeId;

/// Databases whose numbering continues after a number that a script has set, by driver name and by URL.
const GOING_ON: &[&str] = &["hsqldb", "mysql", "mariadb", "sqlite"];

/// Modes of H2 from version 2 in which numbering also continues, as in the databases that they imitate.
const MODES: &[&str] = &["legacy", "hsqldb", "mssqlserver", "mysql", "mariadb"];

/// Whether a numbering column continues after a number that a script has set.
pub fn goes_on(files: &Files<'_>) -> bool {
    let url = files.url().unwrap_or_default().to_lowercase();
    let is_h2 = if url.is_empty() { files.uses("h2") } else { url.starts_with("jdbc:h2") };
    if is_h2 {
        let mode = url.split(';').find_map(|part| part.strip_prefix("mode=")).unwrap_or_default();
        let version = files.build.version(files.near, "com.h2database:h2");
        let by_boot = || files.build.boot(files.near).is_some_and(|boot| boot < (2, 7));
        return MODES.contains(&mode) || version.map_or_else(by_boot, |version| version.0 < 2);
    }
    GOING_ON.iter().any(|name| if url.is_empty() { files.uses(name) } else { url.contains(&format!(":{name}:")) })
}

/// Whether the column generates numbers if an entity does not say how: later releases use a sequence.
pub fn by_column(files: &Files<'_>) -> bool {
    files.build.boot(files.near).is_some_and(|(major, _)| major < 2)
}

/// Fills in the keys of rows that scripts insert without one, in tables that are created from entities. If the column
/// generates numbers and no row sets its own, the keys are numbers from one; else they are unknown.
pub fn number(tables: &mut BTreeMap<String, Table>, entities: &BTreeMap<TypeId, Entity>, by_column: bool) {
    for entity in entities.values().filter(|entity| entity.keys == Keys::Generated && entity.parts.is_empty()) {
        let Some(column) = entity.field_of(entity.id) else { continue };
        let Some(table) = tables.get_mut(&entity.table).filter(|table| table.columns.is_empty()) else { continue };
        let is_made = |cell: Option<&Cell>| cell.is_none_or(|cell| *cell == Cell::Null);
        if !table.rows.iter().any(|row| is_made(row.get(column))) {
            continue;
        }
        let counts = entity.numbered == KeyGenerator::Column || entity.numbered == KeyGenerator::Open && by_column;
        let counts = counts && table.rows.iter().all(|row| is_made(row.get(column)));
        for (number, row) in (1..).zip(&mut table.rows).filter(|(_, row)| is_made(row.get(column))) {
            row.insert(column.to_owned(), if counts { Cell::Value(Json::from(number)) } else { Cell::Unknown });
        }
        if counts {
            table.counted = i64::try_from(table.rows.len()).unwrap_or(i64::MAX);
            table.restarts = Some(table.counted.saturating_add(1));
        }
    }
}
