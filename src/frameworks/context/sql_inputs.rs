//! SQL seeds and migrations as inputs, by table: for the operations that use the table's entity, or name the entity or
//! the table.
//!
//! A store that loads an object touches all entities that the object refers to. If the operation uses nothing of such
//! an entity, and its own code does not name it, an answer can only show whether the rows exist: a change of its table
//! gives a recheck.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::input::{GlobalInput, ReachedCode};
use super::sql_loaded::ScriptReferences;
use crate::files::resources::UNREAD;
use crate::persistence::liquibase::scripts;
use crate::routing::Inputs;
use crate::sql::entities;
use mastor_java::ir::ids::TypeId;
use mastor_java::project::index::Project;
use mastor_sql::statements;
use mastor_types::Hash;
use mastor_types::manifest::InputClass;
use mastor_types::places::IndexSet;

/// The statements of one file about one table.
struct Part {
    input: GlobalInput,
    table: String,
    entities: Vec<TypeId>,
    /// Indices of the literals that name the table.
    named_by: Vec<u32>,
}

/// All seeds and migrations of a revision.
pub(super) struct SqlInputs {
    parts: Vec<Part>,
    /// For each type that is not an entity: the entities with a table that its file names.
    named_in: FxHashMap<TypeId, Vec<TypeId>>,
    /// The supertypes and subtypes of a type that are entities with a table.
    family: FxHashMap<TypeId, Vec<TypeId>>,
}

impl SqlInputs {
    pub(super) fn of(inputs: &Inputs<'_>) -> Self {
        let entities = entities(inputs.project);
        let mut parts = Vec::new();
        let scripts: Vec<_> = scripts(inputs.resources).collect();
        let named = (!scripts.is_empty()).then(|| ScriptReferences::of(inputs));
        let is_loaded = |path: &str| !path.ends_with(".sql") || named.as_ref().is_none_or(|named| named.may_load(path));
        for (path, text) in scripts.into_iter().filter(|(path, _)| is_loaded(path)) {
            let mut tables: BTreeMap<String, Vec<String>> = BTreeMap::new();
            for statement in statements(&text) {
                let named = statement.tables();
                for table in if named.is_empty() { BTreeSet::from([String::new()]) } else { named } {
                    tables.entry(table).or_default().push(statement.text.clone());
                }
            }
            for (table, statements) in tables {
                let id =
                    if table.is_empty() { format!("global:{path}") } else { format!("global:{path} table {table}") };
                let hash = Hash::of(statements.join(";\n").as_bytes());
                let entities = match statements.first() {
                    Some(only) if only.starts_with(UNREAD) => entities.values().flatten().copied().collect(),
                    _ => entities.get(&table).cloned().unwrap_or_default(),
                };
                let input = GlobalInput { id: id.into(), file: path.into(), class: InputClass::Environment, hash };
                parts.push(Part { input, table, entities, named_by: Vec::new() });
            }
        }
        let project = inputs.project;
        let tabled: BTreeSet<TypeId> = parts.iter().flat_map(|part: &Part| part.entities.iter().copied()).collect();
        let mut family: FxHashMap<TypeId, Vec<TypeId>> = FxHashMap::default();
        for entity in &tabled {
            for other in project.all_supers(*entity).into_iter().chain(project.all_subtypes(*entity)) {
                family.entry(other).or_default().push(*entity);
            }
        }
        Self { named_in: named_in(project, &tabled), family, parts }
    }

    /// Records which literals of a project name which table.
    pub(super) fn index(&mut self, literals: &[&str]) {
        if self.parts.iter().all(|part| part.table.is_empty()) {
            return;
        }
        let lower: Vec<(String, u32)> =
            literals.iter().zip(0..).map(|(text, at)| (text.to_ascii_lowercase(), at)).collect();
        // In a literal without spaces, only the last part can be a table.
        let mut queries: Vec<&(String, u32)> = Vec::new();
        let mut words: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
        for literal in &lower {
            if literal.0.trim().contains(char::is_whitespace) {
                queries.push(literal);
            } else {
                words.entry(last_part(&literal.0)).or_default().push(literal.1);
            }
        }
        let tables = self.parts.iter().map(|part| &part.table).filter(|table| is_word(table));
        let said = said(&queries, tables.cloned());
        self.parts.par_iter_mut().filter(|part| !part.table.is_empty()).for_each(|part| {
            let (alone, table) = (part.entities.is_empty(), part.table.as_str());
            let mut naming: Vec<u32> = match is_word(table) {
                true => said.get(table).into_iter().flatten().map(|at| queries[*at].1).collect(),
                false => {
                    queries.iter().filter(|(lower, _)| names_table(lower, table, alone)).map(|(_, at)| *at).collect()
                }
            };
            naming.extend(words.get(table).filter(|_| alone).into_iter().flatten());
            part.named_by = naming;
        });
    }

    pub(super) fn inputs_for(&self, touched: &ReachedCode<'_>) -> Vec<GlobalInput> {
        let used = self.used(touched);
        let one = |part: &Part| {
            let read = part.entities.iter().any(|ty| used.has(ty.0)) || touched.has_any(&part.named_by);
            // The table of an entity that is not reached does not concern the operation; a table without a known entity
            // may concern any.
            let loaded = part.entities.is_empty() || part.entities.iter().any(|ty| touched.has_type(*ty));
            let class = if read { InputClass::Code } else { InputClass::Environment };
            (read || loaded).then(|| GlobalInput { class, ..part.input.clone() })
        };
        self.parts.iter().filter_map(one).collect()
    }

    /// The entities that an operation uses or that its code names, with their supertypes and subtypes, which share
    /// their tables.
    fn used(&self, touched: &ReachedCode<'_>) -> IndexSet {
        let named = touched.types.iter().filter_map(|ty| self.named_in.get(ty)).flatten();
        let used: IndexSet = named.chain(touched.used).map(|ty| ty.0).collect();
        let near = used.iter().filter_map(|ty| self.family.get(&TypeId(ty))).flatten();
        let near: IndexSet = near.map(|ty| ty.0).collect();
        let mut all = used;
        all.join(&near);
        all
    }
}

/// For each type that is not one of these entities, the entities that its file names.
fn named_in(project: &Project, entities: &BTreeSet<TypeId>) -> FxHashMap<TypeId, Vec<TypeId>> {
    let names: BTreeSet<&str> = entities.iter().map(|ty| project.ty(*ty).name.as_str()).collect();
    let mut found = FxHashMap::default();
    for file in project.files().filter(|_| !entities.is_empty()) {
        let words = project.file(file).facts.type_words.iter();
        let words: Vec<&String> =
            words.filter(|word| names.contains(word.rsplit('.').next().unwrap_or(word))).collect();
        for ty in project.types_of(file).filter(|ty| !words.is_empty() && !entities.contains(ty)) {
            let named = words.iter().filter_map(|word| project.resolve(ty, word).project());
            let named: Vec<TypeId> = named.filter(|named| entities.contains(named)).collect();
            if !named.is_empty() {
                found.insert(ty, named);
            }
        }
    }
    found
}

/// Whether a lower-case text is, or can be part of, a query of a table. Paths do not count, nor does a single word
/// unless the table has no entity (`alone`).
fn names_table(lower: &str, table: &str, alone: bool) -> bool {
    let text = lower.trim();
    let query = text.contains(char::is_whitespace) && mentions(text, table);
    query || (alone && last_part(text) == table)
}

/// The indices of the queries that contain each table's name as a word.
fn said(queries: &[&(String, u32)], tables: impl Iterator<Item = String>) -> FxHashMap<String, Vec<usize>> {
    let mut said: FxHashMap<String, Vec<usize>> = tables.map(|table| (table, Vec::new())).collect();
    for (at, (lower, _)) in queries.iter().enumerate() {
        for word in lower.split(|c| !is_word_part(c)) {
            if let Some(places) = said.get_mut(word)
                && places.last() != Some(&at)
            {
                places.push(at);
            }
        }
    }
    said
}

fn is_word_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether a table's name consists of word characters only.
fn is_word(table: &str) -> bool {
    !table.is_empty() && table.chars().all(is_word_part)
}

/// `orders` for `shop."orders"`.
fn last_part(text: &str) -> &str {
    text.trim().rsplit('.').next().unwrap_or_default().trim_matches(['"', '`', '[', ']'])
}

/// Whether a lower-case text contains a table's name as a word.
fn mentions(lower: &str, table: &str) -> bool {
    lower
        .match_indices(table)
        .any(|(at, _)| !lower[..at].ends_with(is_word_part) && !lower[at + table.len()..].starts_with(is_word_part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_named_as_a_word() {
        assert!(mentions("select * from orders o", "orders"));
        assert!(!mentions("select * from reorders", "orders"));
        assert!(names_table(" orders o where o.id = ", "orders", false));
        assert!(names_table("shop.\"orders\"", "orders", true));
        assert!(!names_table("orders", "orders", false));
        assert!(!names_table("/orders/{id}", "orders", true));
    }
}
