//! Liquibase: changelogs in XML, YAML, JSON and formatted SQL as the statements that they stand for. The rule `liquibase`.
//!
//! What is not followed stands as a statement that no database understands and that names its table, so that this table is open.

mod changes;
mod data;
mod run;
mod sets;
mod texts;
mod tree;

use std::borrow::Cow;

use super::sql_run::Database;
use crate::frameworks::resources::{Resources, is_aside, is_changelog};
use run::Run;
use sets::Reader;

/// Where the changelog stands unless a setting says otherwise.
const DEFAULT: &str = "db/changelog/db.changelog-master.yaml";

/// All SQL of a revision: scripts as they stand, and changelogs as the statements that they stand for.
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
/// The reason why what it leaves is not known.
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
