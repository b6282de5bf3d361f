//! References: the values of all files of a document, and the lookup of a `$ref`'s target in them.

use std::collections::{BTreeMap, BTreeSet};

use percent_encoding::percent_decode_str;
use serde_json::Value;

use super::error::OpenApiError;
use super::files::Files;
use super::format;
use super::place::{DocumentLocation, escape, unescape};
use super::walk::{Role, reference};
use mastor_types::Warning;

/// Most files that are loaded, so that a generated tree of references terminates.
const MAX_FILES: usize = 2_000;

/// The parsed files of one document, by path.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Sources(BTreeMap<String, Value>);

/// Longest chain of references that is followed.
const MAX_CHAIN: usize = 100;

/// Why a `$ref` has no target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DeadReference {
    Remote(String),
    Missing(String),
    Cycle(String),
}

impl DeadReference {
    /// The warning at the location of the reference.
    pub(super) fn warning(&self, at: &DocumentLocation) -> Warning {
        match self {
            Self::Remote(text) => {
                at.warn("remote-ref", format_args!("`$ref` {text} leads to another host and is not fetched"))
            }
            Self::Missing(text) => at.warn("missing-ref", format_args!("`$ref` {text} has no target")),
            Self::Cycle(text) => at.warn("cyclic-ref", format_args!("`$ref` {text} leads back to itself, or too far")),
        }
    }
}

impl Sources {
    /// Reads the document and every file that it references, directly or indirectly. Only the root must be readable.
    pub(super) fn load(files: &dyn Files, root: &str) -> Result<(Self, Vec<Warning>), OpenApiError> {
        let bytes = files.read(root).ok_or_else(|| OpenApiError::Missing { file: root.to_owned() })?;
        let (value, mut warnings) = format::parse(root, &bytes)?;
        let mut wanted = wanted_files(root, &value);
        let mut sources = Self(BTreeMap::from([(root.to_owned(), value)]));
        let mut seen = BTreeSet::from([root.to_owned()]);
        while let Some(path) = wanted.pop_first() {
            if !seen.insert(path.clone()) {
                continue;
            }
            if sources.0.len() >= MAX_FILES {
                let what = format!("the document refers to more than {MAX_FILES} files; the others are left out");
                warnings.push(Warning::new("too-many-files", what, Some(root)));
                break;
            }
            let Some(bytes) = files.read(&path) else { continue };
            match format::parse(&path, &bytes) {
                Ok((value, more)) => {
                    warnings.extend(more);
                    wanted.extend(wanted_files(&path, &value));
                    sources.0.insert(path, value);
                }
                Err(error) => warnings.push(Warning::new("unreadable-file", error.to_string(), Some(&path))),
            }
        }
        Ok((sources, warnings))
    }

    /// The values by path, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(path, value)| (path.as_str(), value))
    }

    /// The value at a location; references are not followed.
    pub(super) fn get(&self, at: &DocumentLocation) -> Option<&Value> {
        self.0.get(&at.file)?.pointer(&at.pointer)
    }

    /// The location and value that `at` leads to when every `$ref` on the way is followed.
    pub(super) fn follow(&self, at: &DocumentLocation) -> Result<(DocumentLocation, &Value), DeadReference> {
        let mut at = at.clone();
        let mut value = self.get(&at).ok_or_else(|| DeadReference::Missing(format!("#{}", at.pointer)))?;
        let mut seen = BTreeSet::new();
        while let Some(text) = reference(Role::Keywords, value) {
            if !seen.insert(at.clone()) || seen.len() > MAX_CHAIN {
                return Err(DeadReference::Cycle(text.to_owned()));
            }
            (at, value) = self.target(&at.file, text)?;
        }
        Ok((at, value))
    }

    /// The location that the reference `text` in `file` names.
    pub(super) fn target(&self, file: &str, text: &str) -> Result<(DocumentLocation, &Value), DeadReference> {
        let missing = || DeadReference::Missing(text.to_owned());
        let (path, fragment) = text.split_once('#').unwrap_or((text, ""));
        if is_remote(path) {
            return Err(DeadReference::Remote(text.to_owned()));
        }
        let target = if path.is_empty() { Some(file.to_owned()) } else { resolve_path(file, path) };
        if let Some((key, value)) = target.and_then(|target| self.0.get_key_value(&target)) {
            return within(key, value, fragment).ok_or_else(missing);
        }
        // A bare schema name, as old documents write it.
        let root = self.0.get_key_value(file).filter(|_| !text.contains(['#', '/', '.'])).ok_or_else(missing)?;
        named(root.0, root.1, text).ok_or_else(missing)
    }
}

/// The location that a fragment names inside one file: a pointer as written or %-decoded, a schema name with unescaped
/// slashes, or an anchor.
fn within<'v>(file: &str, root: &'v Value, fragment: &str) -> Option<(DocumentLocation, &'v Value)> {
    let decoded = percent_decode(fragment);
    for pointer in [fragment, decoded.as_str()] {
        if let Some(value) = root.pointer(pointer) {
            return Some((DocumentLocation::new(file, pointer), value));
        }
    }
    for parent in ["/definitions", "/components/schemas"] {
        if let Some(name) = decoded.strip_prefix(parent).and_then(|rest| rest.strip_prefix('/')) {
            let value = root.pointer(parent)?.get(unescape(name))?;
            return Some((DocumentLocation::new(file, parent).at(&unescape(name)), value));
        }
    }
    if decoded.is_empty() || decoded.starts_with('/') {
        return None;
    }
    let (at, schemas) =
        (DocumentLocation::new(file, "/components/schemas"), root.pointer("/components/schemas")?.as_object()?);
    let anchored = schemas.iter().find(|(_, schema)| schema.get("$anchor").and_then(Value::as_str) == Some(&decoded));
    anchored.map(|(name, schema)| (at.at(name), schema))
}

fn named<'v>(file: &str, root: &'v Value, name: &str) -> Option<(DocumentLocation, &'v Value)> {
    ["/definitions", "/components/schemas"].into_iter().find_map(|parent| {
        let value = root.pointer(parent)?.get(name)?;
        Some((DocumentLocation::new(file, &format!("{parent}/{}", escape(name))), value))
    })
}

fn is_remote(path: &str) -> bool {
    path.starts_with("//") || path.split_once(':').is_some_and(|(scheme, _)| scheme.len() > 1 && !scheme.contains('/'))
}

/// `relative` resolved against `file`; `None` if it leaves the repository.
fn resolve_path(file: &str, relative: &str) -> Option<String> {
    let relative = percent_decode(relative).replace('\\', "/");
    let base = if relative.starts_with('/') { "" } else { file.rsplit_once('/').map_or("", |(folder, _)| folder) };
    let mut parts: Vec<&str> = Vec::new();
    for part in base.split('/').chain(relative.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Decodes `%2F` and the like; the text stays as it is if the result is not UTF-8.
fn percent_decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8().map_or_else(|_| text.to_owned(), |text| text.into_owned())
}

/// Calls `visit` with the place and text of every reference in `value`.
pub(super) fn each_reference(at: &DocumentLocation, value: &Value, visit: &mut dyn FnMut(&DocumentLocation, &str)) {
    fn walk(at: &DocumentLocation, value: &Value, role: Role, visit: &mut dyn FnMut(&DocumentLocation, &str)) {
        if let Some(text) = reference(role, value) {
            visit(at, text);
        }
        match value {
            Value::Object(map) => {
                for (key, child) in map.iter().filter(|(_, child)| child.is_object() || child.is_array()) {
                    match role.child(key, child) {
                        Role::Data => {}
                        role => walk(&at.at(key), child, role, visit),
                    }
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    walk(&at.at(&index.to_string()), item, role, visit);
                }
            }
            _ => {}
        }
    }
    walk(at, value, Role::Keywords, visit);
}

fn wanted_files(file: &str, value: &Value) -> BTreeSet<String> {
    let mut wanted = BTreeSet::new();
    each_reference(&DocumentLocation::new(file, ""), value, &mut |_, text| {
        let path = text.split_once('#').map_or(text, |(path, _)| path);
        if !path.is_empty() && !is_remote(path) {
            wanted.extend(resolve_path(file, path));
        }
    });
    wanted
}
