//! Liquibase: changelogs in XML, YAML, JSON and formatted SQL, translated to SQL statements. The rule `liquibase`.
//!
//! Comes in: changelogs and the files that they name. Goes out: SQL statements, and the tables of a database after its
//! change sets. Never here: a connection to a database.
//!
//! A change that is not followed becomes a statement that no database understands and that names its table, so that the
//! table's content counts as unknown.

mod changes;
mod data;
mod run;
mod sets;
mod texts;
mod tree;

use std::borrow::Cow;

use super::sql_run::Database;
use crate::files::resources::{Resources, is_aside, is_changelog};
use run::Run;
use sets::Reader;

/// Default path of the changelog.
const DEFAULT: &str = "db/changelog/db.changelog-master.yaml";

/// All SQL of a revision: scripts as they are, and changelogs translated to statements.
pub fn scripts(resources: &Resources) -> impl Iterator<Item = (&str, Cow<'_, str>)> {
    resources.iter().filter(|(path, _)| !is_aside(path)).filter_map(|(path, text)| {
        if path.ends_with(".sql") {
            return Some((path, Cow::Borrowed(text)));
        }
        if !is_changelog(path) {
            return None;
        }
        let root = tree::parse(path, text)?;
        let items = Reader { resources, at: path, properties: Vec::new() }.items(&root);
        let all: Vec<String> = items.into_iter().filter_map(|item| item.set()).map(|set| set.script()).collect();
        (!all.is_empty()).then(|| (path, Cow::Owned(all.join(";\n"))))
    })
}

/// Runs the changelog of a service.
///
/// # Errors
/// The reason why its result is not known.
pub(super) fn migrate(
    (resources, near): (&Resources, &str),
    (location, contexts): (Option<String>, bool),
    kind: Option<&str>,
    database: &mut Database,
    sources: &mut Vec<String>,
) -> Result<(), String> {
    let location = location.unwrap_or_else(|| DEFAULT.to_owned());
    let tail = location.trim_start_matches("classpath*:").trim_start_matches("classpath:").trim_start_matches('/');
    let mut run = Run { resources, near, contexts, kind, database, sources, properties: Vec::new() };
    run.file(tail, 0)
}
