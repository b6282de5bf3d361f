//! Builds the flat view of a schema: references are followed, `allOf` is merged to its tightest constraints, and the
//! three ways to allow null are read alike.

use std::collections::BTreeSet;

use serde_json::{Map, Number, Value};

use super::place::{DocumentLocation, SchemaRef};
use super::refs::Sources;
use super::schema::{Additional, Bound, JsonType, Schema};
use super::version::SpecVersion;
use mastor_types::Warning;

/// Nested `allOf` beyond this depth is left out, with a warning.
const MAX_DEPTH: usize = 64;

/// The view of the schema at `at`; adds its defects to `warnings`.
pub(super) fn schema(sources: &Sources, version: SpecVersion, at: &SchemaRef, warnings: &mut Vec<Warning>) -> Schema {
    let mut viewer = Viewer { sources, version, warnings, open: BTreeSet::new(), merged: BTreeSet::new() };
    let mut view = Schema::default();
    viewer.add(at, &mut view, true);
    view
}

struct Viewer<'a> {
    sources: &'a Sources,
    version: SpecVersion,
    warnings: &'a mut Vec<Warning>,
    /// Schemas that are being merged, to detect cycles.
    open: BTreeSet<DocumentLocation>,
    /// Schemas already merged: one that several parts of `allOf` name is merged once.
    merged: BTreeSet<DocumentLocation>,
}

impl Viewer<'_> {
    /// Merges the schema at `at` into `view`; `outermost` is set only for the requested schema.
    fn add(&mut self, at: &SchemaRef, view: &mut Schema, outermost: bool) {
        let (target, value) = match self.sources.follow(at) {
            Ok(found) => found,
            Err(dead) => {
                self.warnings.push(dead.warning(at));
                return;
            }
        };
        if outermost {
            view.at = Some(target.clone());
            view.name = target.schema_name();
        }
        if self.open.len() >= MAX_DEPTH || !self.open.insert(target.clone()) {
            self.warnings.push(target.warn(
                "cyclic-ref",
                "`allOf` leads back to the schema itself, or too deep; it is not followed further",
            ));
            return;
        }
        match value {
            Value::Object(_) if !self.merged.insert(target.clone()) => {}
            Value::Object(map) => self.merge(&target, map, view),
            Value::Bool(_) | Value::Null => {}
            _ => self
                .warnings
                .push(target.warn("bad-schema", "the schema is not an object; it is read as one that says nothing")),
        }
        self.open.remove(&target);
        if target != *at {
            self.add_siblings(at, view);
        }
    }

    /// Merges the keywords beside a `$ref`: all of them in 3.1, only `nullable` before.
    fn add_siblings(&mut self, at: &DocumentLocation, view: &mut Schema) {
        let Some(Value::Object(map)) = self.sources.get(at) else { return };
        if self.version == SpecVersion::V31 {
            let siblings: Map<_, _> =
                map.iter().filter(|(key, _)| *key != "$ref").map(|(k, v)| (k.clone(), v.clone())).collect();
            if self.open.insert(at.clone()) {
                self.merge(at, &siblings, view);
                self.open.remove(at);
            }
        } else if says_nullable(map) {
            view.nullable = true;
        }
    }

    fn merge(&mut self, at: &DocumentLocation, map: &Map<String, Value>, view: &mut Schema) {
        for part in self.places(at, map, "allOf") {
            self.add(&part, view, false);
        }
        self.merge_types(at, map, view);
        self.merge_numbers(at, map, view);
        self.merge_members(at, map, view);
        view.one_of.extend(self.places(at, map, "oneOf"));
        view.any_of.extend(self.places(at, map, "anyOf"));
        view.not = self.place(at, map, "not").or(view.not.take());
        if view.one_of.iter().chain(&view.any_of).any(|branch| self.is_null(branch)) {
            view.nullable = true;
        }
        if let Some(name) = map.get("discriminator") {
            let name = name.get("propertyName").unwrap_or(name);
            view.discriminator = name.as_str().map(str::to_owned).or(view.discriminator.take());
        }
        view.title = self.text(at, map, "title").or(view.title.take());
        view.default = map.get("default").cloned().or(view.default.take());
        view.examples.extend(map.get("example").cloned());
        match map.get("examples") {
            Some(Value::Array(items)) => view.examples.extend(items.iter().cloned()),
            Some(Value::Object(named)) => {
                view.examples.extend(named.values().map(|one| one.get("value").unwrap_or(one).clone()))
            }
            _ => {}
        }
        view.read_only |= self.flag(at, map, "readOnly");
        view.write_only |= self.flag(at, map, "writeOnly");
        view.deprecated |= self.flag(at, map, "deprecated");
        view.extensions
            .extend(map.iter().filter(|(key, _)| key.starts_with("x-")).map(|(k, v)| (k.clone(), v.clone())));
    }

    fn merge_types(&mut self, at: &DocumentLocation, map: &Map<String, Value>, view: &mut Schema) {
        let named: Vec<&str> = match map.get("type") {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::String(one)) => vec![one],
            Some(Value::Array(several)) => several.iter().map(|one| one.as_str().unwrap_or("null")).collect(),
            Some(_) => {
                self.warnings.push(at.warn("bad-schema", "`type` is neither a name nor a list of names; left out"));
                Vec::new()
            }
        };
        view.nullable |= says_nullable(map) || named.contains(&"null");
        let mut types = Vec::new();
        for name in named.into_iter().filter(|name| *name != "null") {
            match JsonType::parse(name) {
                Some(kind) if !types.contains(&kind) => types.push(kind),
                Some(_) => {}
                None => self
                    .warnings
                    .push(at.warn("unknown-type", format_args!("no JSON type is called `{name}`; read as any type"))),
            }
        }
        let common: Vec<JsonType> = types.iter().copied().filter(|kind| view.allows(*kind)).collect();
        if !common.is_empty() {
            view.types = common;
        }
        view.format = self.text(at, map, "format").or(view.format.take());
        let mut values = match map.get("enum") {
            Some(Value::Array(values)) => values.clone(),
            None | Some(Value::Null) => Vec::new(),
            Some(one) => {
                self.warnings.push(at.warn("bad-schema", "`enum` is not a list; read as its only value"));
                vec![one.clone()]
            }
        };
        values.extend(map.get("const").cloned());
        if values.contains(&Value::Null) {
            view.nullable = true;
            values.retain(|value| !value.is_null());
        }
        if view.values.is_empty() {
            view.values = values;
        } else if !values.is_empty() {
            view.values.retain(|value| values.contains(value));
        }
    }

    fn merge_numbers(&mut self, at: &DocumentLocation, map: &Map<String, Value>, view: &mut Schema) {
        for bound in self.bounds(at, map, "minimum", "exclusiveMinimum") {
            if view.minimum.as_ref().is_none_or(|old| tighter(&bound, old, 1.0)) {
                view.minimum = Some(bound);
            }
        }
        for bound in self.bounds(at, map, "maximum", "exclusiveMaximum") {
            if view.maximum.as_ref().is_none_or(|old| tighter(&bound, old, -1.0)) {
                view.maximum = Some(bound);
            }
        }
        view.multiple_of = self.number(at, map, "multipleOf").or(view.multiple_of.take());
        view.min_length = view.min_length.max(self.count(at, map, "minLength"));
        view.min_items = view.min_items.max(self.count(at, map, "minItems"));
        view.min_properties = view.min_properties.max(self.count(at, map, "minProperties"));
        view.max_length = least(view.max_length, self.count(at, map, "maxLength"));
        view.max_items = least(view.max_items, self.count(at, map, "maxItems"));
        view.max_properties = least(view.max_properties, self.count(at, map, "maxProperties"));
        view.unique_items |= self.flag(at, map, "uniqueItems");
        view.patterns.extend(self.text(at, map, "pattern"));
    }

    fn merge_members(&mut self, at: &DocumentLocation, map: &Map<String, Value>, view: &mut Schema) {
        match map.get("items") {
            Some(Value::Array(_)) => view.prefix_items = self.places(at, map, "items"),
            Some(_) => view.items = self.place(at, map, "items").or(view.items.take()),
            None => {}
        }
        if map.contains_key("prefixItems") {
            view.prefix_items = self.places(at, map, "prefixItems");
        }
        match map.get("properties") {
            Some(Value::Object(properties)) => {
                let below = at.at("properties");
                view.properties.extend(properties.keys().map(|name| (name.clone(), below.at(name))));
            }
            None | Some(Value::Null) => {}
            Some(_) => self.warnings.push(at.warn("bad-schema", "`properties` is not an object; left out")),
        }
        match map.get("required") {
            Some(Value::Array(names)) => {
                for name in names.iter().filter_map(Value::as_str) {
                    if !view.requires(name) {
                        view.required.push(name.to_owned());
                    }
                }
            }
            // A boolean belongs to parameters of 2.0 and to old drafts; it says nothing about properties.
            None | Some(Value::Null | Value::Bool(_)) => {}
            Some(_) => self.warnings.push(at.warn("bad-schema", "`required` is not a list of names; left out")),
        }
        match map.get("additionalProperties") {
            Some(Value::Bool(false)) => view.additional = Additional::Forbidden,
            Some(Value::Bool(true)) => view.additional = Additional::Any,
            Some(Value::Object(_)) => view.additional = Additional::Schema(at.at("additionalProperties")),
            None | Some(Value::Null) => {}
            Some(_) => self.warnings.push(at.warn("bad-schema", "`additionalProperties` is no schema; left out")),
        }
    }

    /// The bounds of a keyword pair: `exclusive` is a flag beside the number (up to 3.0), or a number of its own (3.1).
    fn bounds(&mut self, at: &DocumentLocation, map: &Map<String, Value>, key: &str, exclusive: &str) -> Vec<Bound> {
        let flag = matches!(map.get(exclusive), Some(Value::Bool(true)));
        let mut found: Vec<Bound> =
            self.number(at, map, key).map(|value| Bound { value, exclusive: flag }).into_iter().collect();
        if !matches!(map.get(exclusive), Some(Value::Bool(_))) {
            found.extend(self.number(at, map, exclusive).map(|value| Bound { value, exclusive: true }));
        }
        found
    }

    fn number(&mut self, at: &DocumentLocation, map: &Map<String, Value>, key: &str) -> Option<Number> {
        match map.get(key)? {
            Value::Number(number) => Some(number.clone()),
            Value::String(text) if text.trim().parse::<Number>().is_ok() => text.trim().parse().ok(),
            Value::Null => None,
            _ => {
                self.warnings.push(at.warn("bad-schema", format_args!("`{key}` is not a number; left out")));
                None
            }
        }
    }

    fn count(&mut self, at: &DocumentLocation, map: &Map<String, Value>, key: &str) -> Option<u64> {
        let number = self.number(at, map, key)?;
        let whole = number.as_f64().filter(|value| *value >= 0.0 && value.fract() == 0.0);
        if whole.is_none() {
            self.warnings.push(at.warn("bad-schema", format_args!("`{key}` is not a count; left out")));
        }
        number.as_u64().or(whole.map(|value| value as u64))
    }

    fn flag(&mut self, at: &DocumentLocation, map: &Map<String, Value>, key: &str) -> bool {
        match map.get(key) {
            Some(Value::Bool(flag)) => *flag,
            Some(Value::String(text)) => text == "true",
            None | Some(Value::Null) => false,
            Some(_) => {
                self.warnings.push(at.warn("bad-schema", format_args!("`{key}` is neither true nor false; left out")));
                false
            }
        }
    }

    fn text(&mut self, at: &DocumentLocation, map: &Map<String, Value>, key: &str) -> Option<String> {
        match map.get(key)? {
            Value::String(text) => Some(text.clone()),
            Value::Null => None,
            _ => {
                self.warnings.push(at.warn("bad-schema", format_args!("`{key}` is not a text; left out")));
                None
            }
        }
    }

    fn place(&self, at: &DocumentLocation, map: &Map<String, Value>, key: &str) -> Option<DocumentLocation> {
        map.get(key).filter(|value| value.is_object()).map(|_| at.at(key))
    }

    fn places(&mut self, at: &DocumentLocation, map: &Map<String, Value>, key: &str) -> Vec<DocumentLocation> {
        match map.get(key) {
            Some(Value::Array(items)) => (0..items.len()).map(|index| at.at(key).at(&index.to_string())).collect(),
            None | Some(Value::Null) => Vec::new(),
            Some(_) => {
                self.warnings.push(at.warn("bad-schema", format_args!("`{key}` is not a list; left out")));
                Vec::new()
            }
        }
    }

    fn is_null(&self, branch: &DocumentLocation) -> bool {
        self.sources.follow(branch).is_ok_and(|(_, value)| value.get("type").and_then(Value::as_str) == Some("null"))
    }
}

fn says_nullable(map: &Map<String, Value>) -> bool {
    ["nullable", "x-nullable"].into_iter().any(|key| map.get(key) == Some(&Value::Bool(true)))
}

/// Whether `new` allows less than `old`; `sign` is 1 for lower bounds and −1 for upper ones.
fn tighter(new: &Bound, old: &Bound, sign: f64) -> bool {
    let (Some(new_value), Some(old_value)) = (new.value.as_f64(), old.value.as_f64()) else { return false };
    let difference = (new_value - old_value) * sign;
    difference > 0.0 || (difference == 0.0 && new.exclusive && !old.exclusive)
}

fn least(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}
