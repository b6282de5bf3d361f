//! Data that a change loads from a file of separated values.

use super::texts::{beside, quoted};
use crate::frameworks::resources::Resources;
use crate::frameworks::xml::Element;

/// Rows that are followed, at most.
const MOST: usize = 600;

/// The rows of a file as insertions; `None` where they are not plain.
pub(super) fn rows(change: &Element, table: &str, (resources, at): (&Resources, &str)) -> Option<Vec<String>> {
    let text = beside(change, change.attribute("file")?, resources, at)?;
    let separator = match change.attribute("separator") {
        None => ',',
        Some(one) => {
            let mut chars = one.chars();
            let (only, None) = (chars.next()?, chars.next()) else { return None };
            only
        }
    };
    if change.attribute("quotchar").is_some_and(|mark| mark != "\"" && mark != "'") || text.contains("${") {
        return None;
    }
    let mark = change.attribute("quotchar").and_then(|mark| mark.chars().next()).unwrap_or('"');
    let mut lines = text.lines().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    let names: Vec<String> = cells(lines.next()?, separator, mark)?.into_iter().map(|(name, _)| name).collect();
    let types: Vec<Option<String>> = names.iter().map(|name| type_of(change, name)).collect();
    let mut found = Vec::new();
    for line in lines {
        let cells = cells(line, separator, mark)?;
        if cells.len() != names.len() || found.len() >= MOST {
            return None;
        }
        let values: Option<Vec<String>> =
            cells.iter().zip(&types).map(|((text, is_quoted), ty)| value(text, *is_quoted, ty.as_deref())).collect();
        found.push(format!("insert into {table} ({}) values ({})", names.join(", "), values?.join(", ")));
    }
    Some(found)
}

/// What a change says of the type of a column of the file; nothing where it says nothing.
fn type_of(change: &Element, name: &str) -> Option<String> {
    let named =
        change.all("column").find(|one| one.attribute("name") == Some(name) || one.attribute("header") == Some(name));
    named?.attribute("type").map(str::to_lowercase)
}

/// A cell as SQL writes it. What stands for nothing differs by release where it is empty.
fn value(text: &str, is_quoted: bool, ty: Option<&str>) -> Option<String> {
    if text.eq_ignore_ascii_case("null") && !is_quoted {
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

/// The cells of a line, each with whether it stands in marks.
fn cells(line: &str, separator: char, mark: char) -> Option<Vec<(String, bool)>> {
    let mut out = vec![(String::new(), false)];
    let mut chars = line.chars().peekable();
    let mut within = false;
    while let Some(c) = chars.next() {
        let last = out.last_mut()?;
        if c == mark && within && chars.peek() == Some(&mark) {
            chars.next();
            last.0.push(mark);
        } else if c == mark {
            within = !within;
            last.1 = true;
        } else if c == separator && !within {
            out.push((String::new(), false));
        } else {
            last.0.push(c);
        }
    }
    let trimmed = |(text, is_quoted): (String, bool)| match is_quoted {
        true => (text, true),
        false => (text.trim().to_owned(), false),
    };
    (!within).then(|| out.into_iter().map(trimmed).collect())
}
