//! Database scripts: what those of base and head say of a table, and which differences an operation can meet.
//!
//! Statements that both revisions have, in whichever file, say nothing new. A column that may be empty matters to code that
//! reads it, and that code is compared; constraints matter where rows are written.

use std::collections::{BTreeMap, BTreeSet};

use crate::compare::objects::handed::{handed, handles, makes};
use crate::compare::objects::holders::holders;
use crate::compare::objects::reads_only::{may_delete, may_write, uses_repository};
use crate::compare::sides::revision::TableStatement;
use crate::compare::sides::side::Side;
use mastor_frameworks::persistence::liquibase::scripts;
use mastor_frameworks::sql::{column, entities};
use mastor_java::ir::facts::MemberKind;
use mastor_java::ir::ids::TypeId;
use mastor_sql::{Definition, statements};

/// A difference in what scripts say of a table.
pub(in crate::compare) struct TableChange {
    /// The difference, as a sentence without a full stop.
    pub(in crate::compare) what: String,
    /// The script of the base, and of the head, that says it.
    pub(in crate::compare) files: [Option<String>; 2],
}

/// Whether a changed input is a script's part about a table without an effect on the operation.
pub(super) fn says_alike((old, new): (&Side<'_>, &Side<'_>), input: &str) -> bool {
    let Some((_, table)) = input.strip_prefix("global:").and_then(|name| name.split_once(" table ")) else {
        return false;
    };
    let is_read = [old, new].iter().any(|side| of_scripts(side).contains_key(table));
    is_read && table_changes((old, new), table).is_empty()
}

/// The differences between base and head in what scripts say of a table, as far as the operation can meet them.
pub(in crate::compare) fn table_changes((old, new): (&Side<'_>, &Side<'_>), table: &str) -> Vec<TableChange> {
    if ![old, new].into_iter().any(|side| uses_rows(side, table)) {
        return Vec::new();
    }
    let [gone, come] =
        only_on_one_side([old, new].map(|side| of_scripts(side).get(table).map_or(&[][..], Vec::as_slice)));
    let [was, is] = [&gone, &come].map(|all| {
        let mut said = Definition::default();
        all.iter().for_each(|one| said.add(&one.statement, table));
        said
    });
    let files = [&gone, &come].map(|all| all.first().map(|one| one.file.clone()));
    let all = TableDifference { old, new, table, was, is }.all();
    all.into_iter().map(|what| TableChange { what, files: files.clone() }).collect()
}

/// What only base's scripts, and what only head's scripts say of a table.
struct TableDifference<'d> {
    old: &'d Side<'d>,
    new: &'d Side<'d>,
    table: &'d str,
    was: Definition,
    is: Definition,
}

impl TableDifference<'_> {
    /// All differences that the operation can meet, in words.
    fn all(&self) -> Vec<String> {
        let Self { table, was, is, .. } = self;
        let mut found = self.columns();
        found.extend(self.constraints());
        found.extend(self.references());
        if was.is_made && !is.is_made {
            found.push(format!("scripts no longer create the table `{table}`"));
        }
        match (was.changes_rows, is.changes_rows) {
            (false, false) => {}
            (false, true) => found.push(format!("scripts change rows of the table `{table}` that they did not")),
            (true, false) => found.push(format!("scripts no longer change rows of the table `{table}` as they did")),
            (true, true) => found.push(format!("scripts change rows of the table `{table}` otherwise")),
        }
        if was.is_open || is.is_open {
            found.push(format!("scripts say something else of the table `{table}`"));
        }
        found
    }

    /// Whether scripts of one revision alone create the table: it comes or goes with the code that uses it.
    fn is_of_one_revision(&self) -> bool {
        self.was.is_made != self.is.is_made
    }

    /// Whether the operation may insert or change rows of the table.
    fn writes(&self) -> bool {
        [self.old, self.new].into_iter().any(|side| writes_rows(side, self.table))
    }

    fn columns(&self) -> Vec<String> {
        let Self { table, was, is, .. } = self;
        let names: BTreeSet<&String> =
            [was, is].into_iter().flat_map(|said| said.columns.keys().chain(&said.dropped)).collect();
        let names = names.into_iter().filter(|_| !self.is_of_one_revision());
        let mut found: Vec<String> = names.flat_map(|name| self.column(name)).collect();
        for (name, ty) in changed(&was.retyped, &is.retyped) {
            if self.writes() || is_mapped(self.new, table, name) {
                found.push(match ty {
                    Some(ty) => format!("the column `{name}` of the table `{table}` becomes `{ty}`"),
                    None => format!("scripts no longer change the type of the column `{name}` of the table `{table}`"),
                });
            }
        }
        found
    }

    /// The differences of a column that one side declares or drops.
    fn column(&self, name: &str) -> Vec<String> {
        let Self { old, new, table, was, is } = self;
        let [was_dropped, is_dropped] = [was, is].map(|said| said.dropped.contains(name));
        let mut found = Vec::new();
        match (was.columns.get(name), is.columns.get(name)) {
            (Some(before), Some(after)) => {
                let (of_base, of_head) = (&before.ty, &after.ty);
                if of_base != of_head && (self.writes() || kind(of_base) != kind(of_head)) {
                    found.push(format!(
                        "the column `{name}` of the table `{table}` is `{of_head}` where it was `{of_base}`"
                    ));
                }
                if before.is_required != after.is_required && self.writes() {
                    found.push(required(table, name, after.is_required));
                }
            }
            (None, Some(after)) if after.is_required && !after.is_filled => {
                if !is_dropped && self.writes() && is_inserted((old, new), table) {
                    found.push(format!("the table `{table}` has the new column `{name}`, which must not be null"));
                }
            }
            (None, Some(_)) => {
                if !is_dropped && is_mapped(old, table, name) {
                    found.push(format!("the table `{table}` has the column `{name}`, which scripts did not create"));
                }
            }
            (Some(_), None) => {
                if !was_dropped && is_mapped(new, table, name) {
                    found.push(format!("the table `{table}` no longer has the column `{name}`"));
                }
            }
            (None, None) => {
                if is_dropped && !was_dropped && is_mapped(new, table, name) {
                    found.push(format!("the table `{table}` no longer has the column `{name}`"));
                }
                if was_dropped && !is_dropped && is_mapped(new, table, name) {
                    found.push(format!("the table `{table}` keeps the column `{name}`, which scripts dropped"));
                }
            }
        }
        found
    }

    /// The constraints that come and go, where rows are written.
    fn constraints(&self) -> Vec<String> {
        let Self { table, was, is, .. } = self;
        if !self.writes() {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (name, is_required) in changed(&was.required, &is.required) {
            found.push(required(table, name, is_required.copied().unwrap_or_else(|| !was.required[name])));
        }
        if self.is_of_one_revision() {
            return found;
        }
        // Code that was there before leaves a new column empty.
        let is_of_new_columns = |constraint: &&String| {
            let columns = constraint.split_once('(').and_then(|(_, rest)| rest.split_once(')'));
            columns.is_some_and(|(columns, _)| {
                columns.split(", ").all(|name| is.columns.contains_key(name) && !was.columns.contains_key(name))
            })
        };
        for constraint in is.constraints.difference(&was.constraints).filter(|one| !is_of_new_columns(one)) {
            found.push(format!("the table `{table}` has the new constraint `{constraint}`"));
        }
        for constraint in was.constraints.difference(&is.constraints) {
            found.push(format!("the table `{table}` no longer has the constraint `{constraint}`"));
        }
        found
    }

    /// The tables that come to refer to this one or no longer do, where its rows are deleted.
    fn references(&self) -> Vec<String> {
        let Self { table, was, is, .. } = self;
        if ![self.old, self.new].into_iter().any(|side| deletes_rows(side, table)) {
            return Vec::new();
        }
        let come = is.referring.difference(&was.referring);
        let come =
            come.map(|by| format!("rows of the table `{by}` that refer to `{table}` keep its rows from being deleted"));
        let gone = was.referring.difference(&is.referring);
        let gone = gone.map(|by| {
            format!("rows of the table `{by}` that refer to `{table}` no longer keep its rows from being deleted")
        });
        come.chain(gone).collect()
    }
}

fn required(table: &str, column: &str, is_required: bool) -> String {
    let may = if is_required { "must not" } else { "may" };
    format!("the column `{column}` of the table `{table}` {may} be null")
}

/// The entries that differ between two maps, with their values in the second one.
fn changed<'m, V: PartialEq>(
    was: &'m BTreeMap<String, V>,
    is: &'m BTreeMap<String, V>,
) -> impl Iterator<Item = (&'m String, Option<&'m V>)> {
    let names: BTreeSet<&String> = was.keys().chain(is.keys()).collect();
    names.into_iter().filter(|name| was.get(*name) != is.get(*name)).map(|name| (name, is.get(name)))
}

/// The kind of a column type, without its length.
fn kind(ty: &str) -> &str {
    ty.split('(').next().unwrap_or(ty).trim()
}

/// The statements that only base, and only head, has.
fn only_on_one_side<'s>(both: [&'s [TableStatement]; 2]) -> [Vec<&'s TableStatement>; 2] {
    let count = |all: &'s [TableStatement]| {
        let mut found: BTreeMap<&str, usize> = BTreeMap::new();
        all.iter().for_each(|one| *found.entry(&one.text).or_default() += 1);
        found
    };
    let mut counts = both.map(count);
    counts.reverse();
    let mut others = counts.into_iter();
    both.map(|all| {
        let mut other = others.next().unwrap_or_default();
        let is_on_both = |one: &&TableStatement| match other.get_mut(one.text.as_str()) {
            Some(left) if *left > 0 => {
                *left -= 1;
                false
            }
            _ => true,
        };
        all.iter().filter(is_on_both).collect()
    })
}

/// The statements of all scripts of a revision, by table.
fn of_scripts<'s>(side: &'s Side<'_>) -> &'s BTreeMap<String, Vec<TableStatement>> {
    side.revision.scripts.get_or_init(|| {
        let mut found: BTreeMap<String, Vec<TableStatement>> = BTreeMap::new();
        for (file, text) in scripts(side.bench.subject.shared.resources) {
            for statement in statements(&text) {
                let text = statement.tree.as_ref().map_or_else(|| statement.text.clone(), ToString::to_string);
                for table in statement.tables() {
                    let one =
                        TableStatement { file: file.to_owned(), text: text.clone(), statement: statement.clone() };
                    found.entry(table).or_default().push(one);
                }
            }
        }
        found
    })
}

/// Whether scripts of a revision change rows.
pub(super) fn fills_tables(side: &Side<'_>) -> bool {
    of_scripts(side).iter().any(|(table, all)| {
        let mut said = Definition::default();
        all.iter().for_each(|one| said.add(&one.statement, table));
        said.changes_rows
    })
}

/// The entities of a table.
fn of_table<'s>(side: &'s Side<'_>, table: &str) -> &'s [TypeId] {
    let tables = side.revision.tables.get_or_init(|| entities(side.bench.subject.project));
    tables.get(table).map(Vec::as_slice).unwrap_or_default()
}

/// Whether an entity of the table has a field that is stored in this column, or whether that is unknown since no entity
/// of the table is.
fn is_mapped(side: &Side<'_>, table: &str, name: &str) -> bool {
    let project = side.bench.subject.project;
    let entities = of_table(side, table);
    let mut open: Vec<TypeId> =
        entities.iter().flat_map(|ty| std::iter::once(*ty).chain(project.all_supers(*ty))).collect();
    let mut seen: BTreeSet<TypeId> = open.iter().copied().collect();
    let mut is_found = entities.is_empty();
    while let Some(ty) = open.pop() {
        let fields = project.members(ty).map(|id| project.member(id)).filter(|facts| facts.kind == MemberKind::Field);
        for facts in fields {
            let own = column(facts);
            let has = |names: &[&str]| facts.annotations.iter().any(|one| names.contains(&one.simple()));
            is_found |= own == name || format!("{own}_id") == name && has(&["ManyToOne", "OneToOne", "JoinColumn"]);
            let part = facts.ty.as_ref().filter(|_| has(&["Embedded", "EmbeddedId"]));
            let part = part.and_then(|part| project.resolve(ty, &part.name).project());
            open.extend(part.filter(|part| seen.insert(*part)));
        }
    }
    is_found
}

/// Whether code of the operation may load, write or answer with rows of a table, directly or as parts of others.
fn uses_rows(side: &Side<'_>, table: &str) -> bool {
    let entities = of_table(side, table);
    let is_met = |ty: &TypeId| handles(side, *ty) || !holders(side, *ty).is_disjoint(&handed(side).hands.met);
    entities.is_empty() || entities.iter().any(is_met)
}

/// Whether the operation may insert rows of a table.
fn is_inserted((old, new): (&Side<'_>, &Side<'_>), table: &str) -> bool {
    [old, new].iter().any(|side| {
        let entities = of_table(side, table);
        entities.is_empty() || entities.iter().any(|ty| makes(side, *ty))
    })
}

/// Whether the operation may insert or change rows of a table: it writes rows, and creates an object of an entity of the
/// table or uses a repository of one.
fn writes_rows(side: &Side<'_>, table: &str) -> bool {
    let entities = of_table(side, table);
    may_write(side) && (entities.is_empty() || entities.iter().any(|ty| makes(side, *ty) || uses_repository(side, *ty)))
}

/// Whether the operation may delete rows of a table.
fn deletes_rows(side: &Side<'_>, table: &str) -> bool {
    let entities = of_table(side, table);
    may_delete(side) && (entities.is_empty() || entities.iter().any(|ty| uses_repository(side, *ty)))
}
