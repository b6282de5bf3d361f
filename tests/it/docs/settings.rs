//! `docs/reference/settings.md`, generated from the JSON Schema of `mastor.toml`.

use std::fmt::Write as _;

use serde_json::Value;

use super::markdown::{cell, sentence};
use super::{is_as_made, text};

const PAGE: &str = "docs/reference/settings.md";

/// One key of the schema.
#[derive(Debug, PartialEq)]
struct Key {
    /// The table header in the file: `[service]`, `[[ignore]]`.
    table: String,
    /// Its full name, such as `service.ready.url`.
    name: String,
    /// The kind of value.
    kind: String,
    /// Its description.
    means: String,
}

/// A part of the schema with references resolved and without the alternative `null`.
fn resolved<'s>(schema: &'s Value, part: &'s Value) -> &'s Value {
    if let Some(name) = part["$ref"].as_str() {
        return resolved(schema, schema.pointer(name.trim_start_matches('#')).unwrap());
    }
    let real = part["anyOf"].as_array().map(|all| all.iter().filter(|one| one["type"] != "null").collect::<Vec<_>>());
    match real.as_deref() {
        Some([one]) => resolved(schema, one),
        _ => part,
    }
}

/// The kind of a value in words.
fn kind(schema: &Value, part: &Value) -> String {
    let part = resolved(schema, part);
    let one = |value: &Value| format!("`{value}`");
    if let Some(values) = part["oneOf"].as_array().filter(|all| all.iter().all(|one| one["const"].is_string())) {
        return values.iter().map(|value| one(&value["const"])).collect::<Vec<_>>().join(", ");
    }
    if let Some(values) = part["enum"].as_array() {
        return values.iter().map(one).collect::<Vec<_>>().join(", ");
    }
    if let Some(all) = part["anyOf"].as_array() {
        return all.iter().map(|one| kind(schema, one)).collect::<Vec<_>>().join(", or ");
    }
    let types: Vec<&str> = match &part["type"] {
        Value::String(one) => vec![one],
        Value::Array(all) => all.iter().filter_map(Value::as_str).filter(|one| *one != "null").collect(),
        other => panic!("no type: {other} in {part}"),
    };
    let word = |name: &&str| match *name {
        "string" if part["examples"][0].is_string() => format!("text such as `{}`", part["examples"][0]),
        "string" => "text".to_owned(),
        "integer" => "whole number".to_owned(),
        "number" => "number".to_owned(),
        "boolean" => "`true`, `false`".to_owned(),
        "array" => format!("list of: {}", kind(schema, &part["items"])),
        "object" if part["properties"].is_object() => "table, below".to_owned(),
        "object" => format!("table of names with: {}", kind(schema, &part["additionalProperties"])),
        other => panic!("no word for {other}"),
    };
    types.iter().map(word).collect::<Vec<_>>().join(", or ")
}

/// The description of a key, and of each of its values if these have descriptions.
fn means(schema: &Value, part: &Value) -> String {
    let inner = resolved(schema, part);
    let said = part["description"].as_str().or(inner["description"].as_str()).unwrap_or_default();
    let mut out = cell(&sentence(said));
    let listed =
        if inner["type"] == "array" || inner["items"].is_object() { resolved(schema, &inner["items"]) } else { inner };
    for value in listed["oneOf"].as_array().into_iter().flatten() {
        let text = value["description"].as_str().unwrap_or_default();
        write!(out, "<br>`{}`: {}", value["const"], cell(&sentence(text))).unwrap();
    }
    out
}

/// The tables that a value may be, each with its header in the file.
fn tables<'s>(schema: &'s Value, name: &str, part: &'s Value) -> Vec<(String, &'s Value)> {
    let part = resolved(schema, part);
    if part["properties"].is_object() {
        return vec![(format!("[{name}]"), part)];
    }
    if part["items"].is_object() {
        let items = resolved(schema, &part["items"]);
        return if items["properties"].is_object() { vec![(format!("[[{name}]]"), items)] } else { Vec::new() };
    }
    part["anyOf"].as_array().into_iter().flatten().flat_map(|one| tables(schema, name, one)).collect()
}

/// Every key of the schema, table by table.
fn keys(schema: &Value) -> Vec<Key> {
    fn below(schema: &Value, table: &str, name: &str, part: &Value, out: &mut Vec<Key>) {
        let properties = part["properties"].as_object().unwrap();
        let full = |key: &str| if name.is_empty() { key.to_owned() } else { format!("{name}.{key}") };
        let is_list = |value: &Value| resolved(schema, value)["items"].is_object();
        for (key, value) in properties {
            let inner = tables(schema, &full(key), value);
            // A top-level section is listed by its keys only; a list of tables also by itself, since it can be written inline.
            if inner.is_empty() || !table.is_empty() || is_list(value) {
                let required = part["required"].as_array().is_some_and(|all| all.contains(&Value::from(key.as_str())));
                let means = means(schema, value) + if required { " Required." } else { "" };
                out.push(Key { table: table.to_owned(), name: full(key), kind: kind(schema, value), means });
            }
        }
        for (key, value) in properties {
            for (table, inner) in tables(schema, &full(key), value) {
                below(schema, &table, &full(key), inner, out);
            }
        }
    }
    let mut out = Vec::new();
    below(schema, "", "", schema, &mut out);
    out
}

fn schema() -> Value {
    serde_json::to_value(mastor::config::json_schema()).unwrap()
}

/// The page.
fn page(schema: &Value) -> String {
    let mut out = String::from(
        "# Settings\n\n\
         <!-- made from the JSON Schema of `mastor.toml` by a test, `MASTOR_BLESS=1 cargo nextest run docs`: do not edit -->\n\n\
         What may stand in `mastor.toml`, one for each service, in the service's folder. Everything may be left out. `mastor init` writes one, \
         `mastor config show` prints what is in force and where it came from, `mastor schema config` prints the schema that this page is made from, \
         for editors. An unknown key is an error that names the nearest known one.\n\n\
         In CI some keys count only as the base revision has them: the last column, explained in [trust](../trust.md).\n",
    );
    let mut table = None;
    for key in keys(schema) {
        if table.as_ref() != Some(&key.table) {
            let heading = if key.table.is_empty() { "At the top".to_owned() } else { format!("`{}`", key.table) };
            write!(out, "\n## {heading}\n\n| Key | Value | Means | In CI |\n|---|---|---|---|\n").unwrap();
            table = Some(key.table.clone());
        }
        let decides =
            mastor::config::trust::decides(&key.name).map(mastor::config::trust::Decides::words).unwrap_or_default();
        let name = key.name.rsplit('.').next().unwrap();
        writeln!(out, "| `{name}` | {} | {} | {decides} |", key.kind, key.means).unwrap();
    }
    out
}

#[test]
fn the_reference_of_settings_is_as_the_schema_is() {
    is_as_made(PAGE, &page(&schema()));
}

#[test]
fn every_key_is_in_the_reference_with_what_it_means() {
    let keys = keys(&schema());
    assert!(keys.len() > 55, "{}", keys.len());
    let page = text(PAGE);
    for key in &keys {
        let section = page.split("\n## ").find(|section| section.starts_with(&format!("`{}`\n", key.table)));
        let section = section.or_else(|| page.split("\n## ").find(|_| key.table.is_empty())).unwrap();
        let name = key.name.rsplit('.').next().unwrap();
        assert!(key.table.is_empty() || section.contains(&format!("| `{name}` |")), "{key:?}");
        assert!(key.means.len() > 4, "the schema does not say what `{}` means", key.name);
    }
    for name in
        ["api.openapi", "service.ready.url", "service.reset.post", "model.challenger.price.input", "ignore.until"]
    {
        assert!(keys.iter().any(|key| key.name == name), "{name}");
    }
}

#[test]
fn every_key_is_met_in_a_page_that_a_person_wrote() {
    let prose: String =
        super::pages().iter().filter(|page| !page.contains("/reference/")).map(|page| text(page)).collect();
    let is_met = |key: &Key| {
        let name = key.name.rsplit('.').next().unwrap();
        let said = [format!("`{name}`"), format!("\n{name} ="), format!(" {name} ="), format!("`{}", key.name)];
        said.iter().any(|form| prose.contains(form.as_str()))
    };
    let missing: Vec<String> = keys(&schema()).into_iter().filter(|key| !is_met(key)).map(|key| key.name).collect();
    assert!(missing.is_empty(), "no page but the reference speaks of {missing:?}");
}

#[test]
fn every_operator_of_assertions_is_in_the_page_of_the_suite() {
    let schema = serde_json::to_value(schemars::schema_for!(mastor::types::suite::assertion::FieldOp)).unwrap();
    let operators: Vec<&str> =
        schema["oneOf"].as_array().unwrap().iter().map(|one| one["const"].as_str().unwrap()).collect();
    let page = text("docs/suite.md");
    let missing: Vec<&&str> = operators.iter().filter(|one| !page.contains(&format!("`{one}`"))).collect();
    assert!(operators.len() > 15 && missing.is_empty(), "{missing:?}");
}
