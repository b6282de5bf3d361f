//! The part of a document that one operation depends on, as canonical bytes: they change only if generated oracles can
//! change.
//!
//! The part contains the operation, the shared members of its path item, the security schemes in force and,
//! transitively, everything that is referenced. It omits texts for readers (`description`, `summary`, `externalDocs`,
//! `tags`). Keys are sorted, and files are named relative to the document's folder, so that moving all files together
//! changes nothing.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::document::{Document, Operation};
use super::place::DocumentLocation;
use super::version::SpecVersion;
use super::walk::{Role, reference};
use mastor_types::Hash;

/// Canonical bytes of the operation's part of the document.
pub fn operation_part(document: &Document, operation: &Operation) -> Vec<u8> {
    part(document, operation, true)
}

/// The hash of the operation's part without examples: an example promises nothing.
pub fn operation_promise_hash(document: &Document, operation: &Operation) -> Hash {
    Hash::of(&part(document, operation, false))
}

fn part(document: &Document, operation: &Operation, examples: bool) -> Vec<u8> {
    let mut collector = Collector { document, examples, places: BTreeSet::new(), wanted: Vec::new() };
    let mut part = Map::new();
    part.insert("base".into(), operation.base_paths.as_ref().unwrap_or(&document.base_paths).clone().into());
    part.insert("method".into(), operation.method.as_str().into());
    part.insert("path".into(), operation.path.clone().into());
    for (name, value) in own_values(document, operation) {
        let value = collector.canonical(&value.0.file, value.1, value.2);
        part.insert(name, value);
    }
    let mut referenced = BTreeMap::new();
    while let Some(place) = collector.wanted.pop() {
        if let Some(value) = document.sources.get(&place) {
            let value = collector.canonical(&place.file, value, Role::Keywords);
            referenced.insert(collector.id(&place), value);
        }
    }
    part.insert("referenced".into(), Value::Object(referenced.into_iter().collect()));
    part.sort_keys();
    Value::Object(part).to_string().into_bytes()
}

/// The hash of [`operation_part`].
pub fn operation_part_hash(document: &Document, operation: &Operation) -> Hash {
    Hash::of(&operation_part(document, operation))
}

/// Every location that the operation references, directly or indirectly, in order.
pub fn referenced(document: &Document, operation: &Operation) -> Vec<DocumentLocation> {
    let mut collector = Collector { document, examples: true, places: BTreeSet::new(), wanted: Vec::new() };
    for (_, (place, value, role)) in own_values(document, operation) {
        collector.collect(&place.file, value, role);
    }
    while let Some(place) = collector.wanted.pop() {
        if let Some(value) = document.sources.get(&place) {
            collector.collect(&place.file, value, Role::Keywords);
        }
    }
    collector.places.into_iter().collect()
}

/// Names of the component schemas that the operation uses, directly or indirectly, sorted.
pub fn schemas_used(document: &Document, operation: &Operation) -> Vec<String> {
    let names: BTreeSet<String> =
        referenced(document, operation).iter().filter_map(DocumentLocation::schema_name).collect();
    names.into_iter().collect()
}

type Part<'d> = (DocumentLocation, &'d Value, Role);

/// The named values of the operation, before references are followed.
fn own_values<'d>(document: &'d Document, operation: &Operation) -> Vec<(String, Part<'d>)> {
    let mut found = Vec::new();
    let mut add = |name: &str, place: DocumentLocation, role: Role| {
        if let Some(value) = document.sources.get(&place) {
            found.push((name.to_owned(), (place, value, role)));
        }
    };
    let root = DocumentLocation::new(&document.path, "");
    add("operation", operation.at.clone(), Role::Keywords);
    add("path parameters", operation.path_item.at("parameters"), Role::Keywords);
    let item = document.sources.get(&operation.path_item).and_then(Value::as_object);
    for key in item.into_iter().flat_map(Map::keys).filter(|key| key.starts_with("x-")) {
        add(&format!("path {key}"), operation.path_item.at(key), Role::Data);
    }
    let own = document.sources.get(&operation.at);
    let says = |key: &str| own.is_some_and(|own| own.get(key).is_some());
    let inherited: &[&str] =
        if document.version == SpecVersion::V20 { &["security", "consumes", "produces"] } else { &["security"] };
    for key in inherited.iter().filter(|key| !says(key)) {
        add(&format!("document {key}"), root.at(key), Role::Data);
    }
    let names: BTreeSet<&String> = operation.security.alternatives.iter().flatten().map(|(name, _)| name).collect();
    for scheme in document.security_schemes.iter().filter(|scheme| names.contains(&scheme.name)) {
        add(&format!("scheme {}", scheme.name), scheme.at.clone(), Role::Keywords);
    }
    found
}

struct Collector<'d> {
    document: &'d Document,
    /// Whether examples are included.
    examples: bool,
    places: BTreeSet<DocumentLocation>,
    wanted: Vec<DocumentLocation>,
}

impl Collector<'_> {
    /// Records the target of a reference, to be visited once; `None` if there is no target.
    fn want(&mut self, file: &str, text: &str) -> Option<DocumentLocation> {
        let (place, _) = self.document.sources.target(file, text).ok()?;
        if self.places.insert(place.clone()) {
            self.wanted.push(place.clone());
        }
        Some(place)
    }

    fn id(&self, place: &DocumentLocation) -> String {
        let folder = self.document.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let file = match place.file.strip_prefix(folder) {
            _ if place.file == self.document.path => "",
            Some(rest) => rest.trim_start_matches('/'),
            None => &place.file,
        };
        format!("{file}#{}", place.pointer)
    }

    /// The value without texts for readers, with sorted keys and references named by their targets. Records those
    /// targets.
    fn canonical(&mut self, file: &str, value: &Value, role: Role) -> Value {
        match value {
            Value::Object(map) => {
                let mut sorted: Vec<(String, Value)> = Vec::with_capacity(map.len());
                for (key, child) in map.iter().filter(|(key, child)| !is_prose(role, key, child)) {
                    if !self.examples && is_example(role, key, child) {
                        continue;
                    }
                    let target =
                        reference(role, value).filter(|_| key == "$ref").and_then(|text| self.want(file, text));
                    let child = match target {
                        Some(target) => Value::String(self.id(&target)),
                        None => self.canonical(file, child, role.child(key, child)),
                    };
                    sorted.push((key.clone(), child));
                }
                self.want_mapping(file, map, role);
                sorted.sort_by(|one, other| one.0.cmp(&other.0));
                Value::Object(sorted.into_iter().collect())
            }
            Value::Array(items) => items.iter().map(|item| self.canonical(file, item, role)).collect(),
            scalar => scalar.clone(),
        }
    }

    /// Records the targets of all references in the value.
    fn collect(&mut self, file: &str, value: &Value, role: Role) {
        if let Some(text) = reference(role, value) {
            self.want(file, text);
        }
        match value {
            Value::Object(map) => {
                self.want_mapping(file, map, role);
                for (key, child) in map {
                    match role.child(key, child) {
                        Role::Data => {}
                        role => self.collect(file, child, role),
                    }
                }
            }
            Value::Array(items) if role != Role::Data => items.iter().for_each(|item| self.collect(file, item, role)),
            _ => {}
        }
    }

    /// Records the schemas that a discriminator's mapping names without `$ref`.
    fn want_mapping(&mut self, file: &str, map: &Map<String, Value>, role: Role) {
        if role != Role::Keywords || !map.contains_key("propertyName") {
            return;
        }
        for text in
            map.get("mapping").and_then(Value::as_object).into_iter().flat_map(Map::values).filter_map(Value::as_str)
        {
            self.want(file, text);
        }
    }
}

fn is_prose(role: Role, key: &str, value: &Value) -> bool {
    role == Role::Keywords
        && match key {
            "description" | "summary" => value.is_string(),
            "externalDocs" | "tags" => true,
            _ => false,
        }
}

/// Whether a keyword holds examples. In a map of names, `example` is just a name.
fn is_example(role: Role, key: &str, value: &Value) -> bool {
    role == Role::Keywords
        && match key {
            "example" => true,
            "examples" => value.is_array() || value.is_object(),
            _ => false,
        }
}
