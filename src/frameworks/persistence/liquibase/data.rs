//! Data that a change loads from a CSV file.

use super::texts::{beside, quoted};
use crate::files::resources::Resources;
use crate::files::xml::Element;

/// Largest number of rows that is followed.
const MOST: usize = 600;

/// The rows of a file as insert statements; `None` if they are not plain.
pub(super) fn rows(change: &Element, table: &str, (resources, at): (&Resources, &str)) -> Option<Vec<String>> {
    let text = beside(change, change.attribute("file")?, resources, at)?;
    let sign = |name: &str, usual: u8| match change.attribute(name).map(str::as_bytes) {
        None => Some(usual),
        Some([only]) => Some(*only),
        Some(_) => None,
    };
    if text.contains("${") {
        return None;
    }
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(sign("separator", b',')?)
        .quote(sign("quotchar", b'"')?)
        .comment(Some(b'#'))
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let names: Vec<String> = reader.headers().ok()?.iter().map(str::to_owned).collect();
    let types: Vec<Option<String>> = names.iter().map(|name| type_of(change, name)).collect();
    let mut found = Vec::new();
    // The reader reports a line with too many or too few cells as an error.
    for line in reader.records() {
        let line = line.ok().filter(|_| found.len() < MOST)?;
        let values: Option<Vec<String>> =
            line.iter().zip(&types).map(|(text, ty)| value(text, ty.as_deref())).collect();
        found.push(format!("insert into {table} ({}) values ({})", names.join(", "), values?.join(", ")));
    }
    Some(found)
}

/// The type that a change declares for a column of the file, if any.
fn type_of(change: &Element, name: &str) -> Option<String> {
    let named =
        change.all("column").find(|one| one.attribute("name") == Some(name) || one.attribute("header") == Some(name));
    named?.attribute("type").map(str::to_lowercase)
}

/// A cell as SQL. Empty cells are not followed: their meaning differs between releases.
fn value(text: &str, ty: Option<&str>) -> Option<String> {
    if text.eq_ignore_ascii_case("null") {
        return Some("null".to_owned());
    }
    if text.is_empty() {
        return None;
    }
    match ty {
        None | Some("string") => Some(quoted(text)),
        Some("numeric") => text.parse::<f64>().is_ok().then(|| text.to_owned()),
        Some("boolean") => match text.to_lowercase().as_str() {
            "true" | "1" | "t" => Some("true".to_owned()),
            "false" | "0" | "f" => Some("false".to_owned()),
            _ => None,
        },
        Some(ty) if ty.contains("char") || ty.contains("uuid") => Some(quoted(text)),
        Some(ty) if ["int", "bigint", "decimal", "double", "number"].contains(&ty) => {
            text.parse::<f64>().is_ok().then(|| text.to_owned())
        }
        Some("date" | "datetime" | "timestamp" | "time") => Some(quoted(text)),
        Some("skip") | Some(_) => None,
    }
}
