//! Seeds: the first row that the SQL files of a service insert, for each repository's table.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use super::files::resources::Resources;
use super::persistence::liquibase::scripts;
use super::spring::rest_repositories::entity_of;
use super::sql::entities;
use mastor_java::ir::facts::TypeKind;
use mastor_java::project::index::Project;
use mastor_sql::{Row, inserted, statements};
use mastor_types::Hash;
use mastor_types::suite::evidence::Evidence;

/// First words of statements that change no existing row: they add rows, create tables and columns, or drop what is
/// created again.
const ADDS: [&str; 4] = ["insert", "create", "alter", "drop"];

/// A row that exists when the service starts.
#[derive(Debug, Clone, PartialEq)]
pub struct Seed {
    /// Its table, in lower case.
    pub table: String,
    /// Simple name of the entity of the table.
    pub entity: String,
    /// The columns whose values are literals.
    pub row: Row,
    /// The file that inserts it.
    pub evidence: Evidence,
}

/// Seeds by the simple name of the repository of the table.
#[derive(Debug, Clone, Default)]
pub struct Seeds {
    by_repository: BTreeMap<String, Seed>,
}

impl Seeds {
    /// Reads a revision. Tables that a statement changes after they are filled are left out, since their final content
    /// is not known.
    pub fn of(project: &Project, resources: &Resources) -> Self {
        let mut rows: BTreeMap<String, (Row, Evidence)> = BTreeMap::new();
        let mut changed: BTreeSet<String> = BTreeSet::new();
        for (path, text) in scripts(resources) {
            for statement in statements(&text) {
                if let Some((table, inserted)) = statement.tree.as_ref().and_then(inserted) {
                    let first = inserted.into_iter().next().filter(|row| !row.is_empty());
                    if let (Some(row), Entry::Vacant(entry)) = (first, rows.entry(table)) {
                        // Computed once for each table: a large script has many statements.
                        let tokens_sha256 = Hash::of(resources.text(path).unwrap_or_default().as_bytes());
                        entry.insert((row, Evidence { symbol: path.to_owned(), tokens_sha256 }));
                    }
                } else if !ADDS.contains(&first_word(&statement.text).as_str()) && !statement.is_inert() {
                    changed.extend(statement.tables());
                }
            }
        }
        let mut seeds = Self::default();
        if rows.is_empty() {
            return seeds;
        }
        let tables = entities(project);
        for ty in project.types().filter(|ty| project.ty(*ty).kind == TypeKind::Interface) {
            let Some(entity) = entity_of(project, ty) else { continue };
            let own = tables.iter().filter(|(table, of)| of.contains(&entity) && !changed.contains(*table));
            let seeded = own.into_iter().find_map(|(table, _)| Some((table, rows.get(table)?)));
            if let Some((table, (row, evidence))) = seeded {
                let (entity, evidence) = (project.ty(entity).name.clone(), evidence.clone());
                let seed = Seed { table: table.clone(), entity, row: row.clone(), evidence };
                seeds.by_repository.insert(project.ty(ty).name.clone(), seed);
            }
        }
        seeds
    }

    /// All seeds, sorted by repository name.
    pub fn all(&self) -> impl Iterator<Item = &Seed> {
        self.by_repository.values()
    }

    /// The first row of a repository's table.
    pub fn of_repository(&self, name: &str) -> Option<&Seed> {
        self.by_repository.get(name)
    }
}

fn first_word(statement: &str) -> String {
    statement.split_whitespace().next().unwrap_or_default().to_ascii_lowercase()
}
