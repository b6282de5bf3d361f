//! Translates changes to SQL statements; a change that is not followed only names its tables.

use super::data::rows;
use super::texts::{beside, quoted};
use crate::files::resources::Resources;
use crate::files::xml::Element;

/// Changes with no effect on rows or on the values that they may have.
const QUIET: &[&str] = &[
    "alterSequence",
    "createProcedure",
    "createSequence",
    "createView",
    "dropIndex",
    "dropSequence",
    "dropView",
    "empty",
    "output",
    "renameSequence",
    "renameView",
    "setColumnRemarks",
    "setTableRemarks",
    "stop",
    "tagDatabase",
];

/// The statements for a change; the error is the name of a change that is not followed and names no table.
pub(super) fn change(change: &Element, beside: (&Resources, &str)) -> Result<Vec<String>, String> {
    let name = change.name.as_str();
    if QUIET.contains(&name) {
        return Ok(Vec::new());
    }
    let table = change.attribute("tableName").or_else(|| change.attribute("baseTableName"));
    let known = match (name, table) {
        ("sql", _) => return sql(change),
        ("sqlFile", _) => return sql_file(change, beside),
        (_, None) => None,
        ("createTable", Some(table)) => create(change, table),
        ("insert", Some(table)) => insert(change, table),
        ("loadData", Some(table)) => rows(change, table, beside),
        ("addColumn", Some(table)) => add_columns(change, table),
        ("dropTable", Some(table)) => Some(vec![format!("drop table {table}")]),
        ("createIndex", Some(table)) => index(change, table),
        ("addPrimaryKey" | "addUniqueConstraint", Some(table)) => {
            let kind = if name == "addPrimaryKey" { "primary key" } else { "unique" };
            change.attribute("columnNames").map(|columns| vec![format!("alter table {table} add {kind} ({columns})")])
        }
        ("addForeignKeyConstraint", Some(table)) => foreign_key(change, table),
        ("delete", Some(table)) => Some(vec![format!("delete from {table}{}", condition(change))]),
        ("update", Some(table)) => update(change, table),
        _ => None,
    };
    match (known, table) {
        (Some(statements), _) => Ok(statements),
        (None, Some(table)) => Ok(vec![unfollowed(change, table)]),
        (None, None) => Err(name.to_owned()),
    }
}

/// A statement that no database understands, with all attributes of the change.
fn unfollowed(change: &Element, table: &str) -> String {
    let said: Vec<String> = change
        .walk()
        .iter()
        .flat_map(|one| one.attributes.iter().map(|(key, value)| format!("{key}={}", value.replace(['\'', ';'], " "))))
        .collect();
    format!("unfollowed {} table {table} {}", change.name, said.join(" "))
}

fn sql(change: &Element) -> Result<Vec<String>, String> {
    let odd = ["dbms", "endDelimiter"].iter().any(|name| change.attribute(name).is_some());
    let text = change.attribute("sql").unwrap_or(&change.text);
    if odd || change.attribute("splitStatements") == Some("false") || text.is_empty() {
        return Err("sql".to_owned());
    }
    Ok(vec![text.to_owned()])
}

fn sql_file(change: &Element, (resources, at): (&Resources, &str)) -> Result<Vec<String>, String> {
    let odd = ["dbms", "endDelimiter"].iter().any(|name| change.attribute(name).is_some());
    let text = change.attribute("path").and_then(|path| beside(change, path, resources, at));
    match text {
        Some(text) if !odd && change.attribute("splitStatements") != Some("false") => Ok(vec![text.to_owned()]),
        _ => Err("sqlFile".to_owned()),
    }
}

/// The value of a column as SQL; a computed value or a placeholder becomes an expression with an unknown value.
fn value(column: &Element, prefix: &str) -> Option<String> {
    let of = |kind: &str| {
        let name = if prefix.is_empty() { format!("value{kind}") } else { format!("{prefix}Value{kind}") };
        column.attribute(&name).map(str::to_owned)
    };
    let known = |text: &str| !text.contains("${");
    if let Some(text) = of("") {
        return Some(if known(&text) { quoted(&text) } else { "unknown()".to_owned() });
    }
    if let Some(number) = of("Numeric") {
        let plain = number.parse::<f64>().is_ok();
        return Some(if plain { number } else { "unknown()".to_owned() });
    }
    if let Some(flag) = of("Boolean") {
        let flag = flag.to_lowercase();
        return Some(match flag.as_str() {
            "true" | "1" => "true".to_owned(),
            "false" | "0" => "false".to_owned(),
            _ => "unknown()".to_owned(),
        });
    }
    let odd = ["Computed", "Date", "SequenceNext", "SequenceCurrent", "BlobFile", "ClobFile"];
    odd.iter().any(|kind| of(kind).is_some()).then(|| "unknown()".to_owned())
}

fn is_true(element: &Element, name: &str) -> bool {
    element.attribute(name).is_some_and(|value| value.eq_ignore_ascii_case("true"))
}

/// A column definition as SQL.
fn column(column: &Element, is_key: bool) -> Option<String> {
    let ty = column.attribute("type")?.trim().trim_start_matches("java.sql.Types.").to_owned();
    let ty = if ty.contains("${") { "unknown".to_owned() } else { ty };
    let mut text = format!("{} {ty}", column.attribute("name")?);
    if is_true(column, "autoIncrement") {
        text += " auto_increment";
    }
    if let Some(default) = value(column, "default") {
        text += &format!(" default {default}");
    }
    let Some(constraints) = column.child("constraints") else { return Some(text) };
    let is_primary = is_true(constraints, "primaryKey");
    if is_primary && is_key {
        text += " primary key";
    }
    let refuses = constraints.attribute("nullable").is_some_and(|value| value.eq_ignore_ascii_case("false"));
    if refuses || is_primary && !is_key {
        text += " not null";
    }
    if is_true(constraints, "unique") {
        text += " unique";
    }
    let target = constraints.attribute("references").map(str::to_owned).or_else(|| {
        let table = constraints.attribute("referencedTableName")?;
        Some(format!("{table}({})", constraints.attribute("referencedColumnNames")?))
    });
    if let Some(target) = target {
        text += &format!(" references {target}");
        if is_true(constraints, "deleteCascade") {
            text += " on delete cascade";
        }
    }
    Some(text)
}

fn create(change: &Element, table: &str) -> Option<Vec<String>> {
    let is_primary =
        |one: &&Element| one.child("constraints").is_some_and(|constraints| is_true(constraints, "primaryKey"));
    let keys: Vec<&str> = change.all("column").filter(is_primary).filter_map(|one| one.attribute("name")).collect();
    let parts: Option<Vec<String>> = change.all("column").map(|one| column(one, keys.len() == 1)).collect();
    let mut parts = parts?;
    if keys.len() > 1 {
        parts.push(format!("primary key ({})", keys.join(", ")));
    }
    let optional = if is_true(change, "ifNotExists") { "if not exists " } else { "" };
    Some(vec![format!("create table {optional}{table} ({})", parts.join(", "))])
}

fn insert(change: &Element, table: &str) -> Option<Vec<String>> {
    let mut names = Vec::new();
    let mut values = Vec::new();
    for one in change.all("column") {
        names.push(one.attribute("name")?.to_owned());
        // In XML, a value may be the element's text.
        let within = (!one.text.is_empty()).then(|| quoted(&one.text));
        values.push(value(one, "").or(within).unwrap_or_else(|| "null".to_owned()));
    }
    (!names.is_empty())
        .then(|| vec![format!("insert into {table} ({}) values ({})", names.join(", "), values.join(", "))])
}

fn add_columns(change: &Element, table: &str) -> Option<Vec<String>> {
    let odd = ["value", "valueNumeric", "valueBoolean", "valueComputed", "valueDate"];
    let one = |one: &Element| {
        let is_filled = odd.iter().any(|name| one.attribute(name).is_some());
        (!is_filled).then(|| column(one, true)).flatten().map(|made| format!("alter table {table} add column {made}"))
    };
    change.all("column").map(one).collect()
}

fn index(change: &Element, table: &str) -> Option<Vec<String>> {
    if !is_true(change, "unique") {
        return Some(Vec::new());
    }
    let names: Option<Vec<&str>> = change.all("column").map(|one| one.attribute("name")).collect();
    Some(vec![format!("alter table {table} add unique ({})", names?.join(", "))])
}

fn foreign_key(change: &Element, table: &str) -> Option<Vec<String>> {
    let columns = change.attribute("baseColumnNames")?;
    let target = change.attribute("referencedTableName")?;
    let others = change.attribute("referencedColumnNames")?;
    let mut text = format!("alter table {table} add foreign key ({columns}) references {target} ({others})");
    match change.attribute("onDelete").or_else(|| is_true(change, "deleteCascade").then_some("CASCADE")) {
        Some(what) if what.eq_ignore_ascii_case("cascade") => text += " on delete cascade",
        Some(what) if what.to_uppercase().starts_with("SET") => text += " on delete set null",
        _ => {}
    }
    Some(vec![text])
}

fn condition(change: &Element) -> String {
    let text = change.child_text("where").or_else(|| change.attribute("where"));
    text.map(|text| format!(" where {text}")).unwrap_or_default()
}

fn update(change: &Element, table: &str) -> Option<Vec<String>> {
    let mut set = Vec::new();
    for one in change.all("column") {
        set.push(format!("{} = {}", one.attribute("name")?, value(one, "").unwrap_or_else(|| "null".to_owned())));
    }
    (!set.is_empty()).then(|| vec![format!("update {table} set {}{}", set.join(", "), condition(change))])
}
