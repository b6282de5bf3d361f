//! Who numbers new rows, and whether that goes on behind a number that a script gave to a row.

use super::initial::Files;

/// Databases that go on behind it, by the names of their drivers and in their addresses.
const GOING_ON: &[&str] = &["hsqldb", "mysql", "mariadb", "sqlite"];

/// Modes in which later releases of H2 do as other databases do, which go on.
const MODES: &[&str] = &["legacy", "hsqldb", "mssqlserver", "mysql", "mariadb"];

/// Whether a column that numbers rows goes on behind a number that a script gave.
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

/// Whether the column numbers rows where an entity says nothing of it: later, the framework asks a sequence.
pub fn by_column(files: &Files<'_>) -> bool {
    files.build.boot(files.near).is_some_and(|(major, _)| major < 2)
}
