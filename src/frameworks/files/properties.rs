//! Application properties: keys and values of `.properties` and YAML files, with profiles, placeholders and relaxed
//! names.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::applications::Applications;
use super::resources::{Resources, file_name, folder};
use mastor_types::Warning;

/// One key of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Property {
    /// Key as written, dotted, with `[0]` for elements of lists.
    pub key: String,
    /// Value; for YAML scalars as they would be printed.
    pub value: String,
    /// File that contains it.
    pub file: String,
    /// Profile in which it applies; `None` for all.
    pub profile: Option<String>,
}

/// All properties of a revision.
#[derive(Debug, Clone, Default)]
pub struct Properties {
    /// Every property, by file and in the order of the file.
    pub all: Vec<Property>,
    /// Paths of files that could at best be read line by line, so that some of their settings are unknown.
    pub read_in_part: Vec<String>,
    by_name: BTreeMap<String, Vec<usize>>,
    /// Which modules can be in one application: files of another application do not apply.
    pub applications: Arc<Applications>,
}

impl Properties {
    /// Reads every `.properties` file and the YAML files that Spring, Quarkus and Micronaut read.
    pub fn load(resources: &Resources) -> Self {
        let (mut all, mut read_in_part) = (Vec::new(), Vec::new());
        for (path, text) in resources.iter() {
            let name = file_name(path);
            if name.ends_with(".properties") && !is_messages(name) {
                let (found, is_whole) = read_properties(path, text);
                all.extend(found);
                read_in_part.extend((!is_whole).then(|| path.to_owned()));
            } else if is_application_yaml(name) {
                let (found, is_whole) = read_yaml(path, text);
                all.extend(found);
                read_in_part.extend((!is_whole).then(|| path.to_owned()));
            }
        }
        let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, property) in all.iter().enumerate() {
            by_name.entry(relaxed(&property.key)).or_default().push(at);
        }
        Self { all, read_in_part, by_name, applications: Arc::default() }
    }

    /// Warnings about files that could at best be read line by line.
    pub fn warnings(&self) -> impl Iterator<Item = Warning> {
        let what = "not all of it can be read: its keys are known as far as its lines give them, and a change of it flags every operation";
        self.read_in_part.iter().map(move |path| Warning::new("properties-read-in-part", what, Some(path)))
    }

    /// Whether the key of any property contains this text.
    pub fn names(&self, part: &str) -> bool {
        self.all.iter().any(|property| property.key.contains(part))
    }

    /// The value in force for code in `near`. Preference: the nearest file; an active profile before the default;
    /// `application` before other files.
    pub fn get(&self, near: &str, key: &str) -> Option<&Property> {
        let mut all: Vec<&Property> = self.candidates(near, key).collect();
        if all.iter().any(|property| property.profile.is_some()) {
            let active = self.active_profiles(near);
            all.retain(|property| property.profile.as_ref().is_none_or(|profile| active.contains(profile)));
        }
        all.into_iter().max_by_key(|property| self.rank(property, near))
    }

    fn candidates(&self, near: &str, key: &str) -> impl Iterator<Item = &Property> {
        let all = self.by_name.get(&relaxed(key)).into_iter().flatten().map(|at| &self.all[*at]);
        all.filter(move |property| near.is_empty() || self.applications.reads(near, &property.file))
    }

    fn rank(&self, property: &Property, near: &str) -> (usize, bool, bool, std::cmp::Reverse<String>) {
        let application = file_name(&property.file).starts_with("application");
        (
            shared(module_of(&property.file), near),
            application,
            property.profile.is_some(),
            std::cmp::Reverse(property.file.clone()),
        )
    }

    fn active_profiles(&self, near: &str) -> Vec<String> {
        let named = self
            .candidates(near, "spring.profiles.active")
            .filter(|property| property.profile.is_none())
            .max_by_key(|property| self.rank(property, near));
        let names = |property: &Property| property.value.split(',').map(|name| name.trim().to_owned()).collect();
        let mut active = named.map_or_else(|| vec!["default".to_owned()], names);
        // A service of Quarkus that was built runs with the profile `prod`, unless a setting says otherwise.
        let of_quarkus = self
            .candidates(near, "quarkus.profile")
            .filter(|property| property.profile.is_none())
            .max_by_key(|property| self.rank(property, near));
        let names = of_quarkus.map_or("prod", |property| property.value.as_str());
        active.extend(names.split(',').map(|name| format!("{OF_QUARKUS}{}", name.trim())));
        active
    }

    /// Replaces `${key}` and `${key:default}`, nested ones included. Returns the `file#key` of each property used; the
    /// error is a key without a value.
    pub fn expand(&self, near: &str, text: &str) -> Result<(String, Vec<String>), String> {
        let mut used = Used::default();
        let text = self.expand_within(near, text, &mut used, 0)?;
        Ok((text, used.properties))
    }

    /// Whether a text expands only by the default of a placeholder: where the service runs, another value is likely set.
    pub fn rests_on_default(&self, near: &str, text: &str) -> bool {
        let mut used = Used::default();
        self.expand_within(near, text, &mut used, 0).is_ok() && used.takes_default
    }

    fn expand_within(&self, near: &str, text: &str, used: &mut Used, depth: u32) -> Result<String, String> {
        let mut out = String::new();
        let mut rest = text;
        while let Some(open) = rest.find("${") {
            let Some(length) = closing(&rest[open + 2..]) else { break };
            out.push_str(&rest[..open]);
            let inner = &rest[open + 2..open + 2 + length];
            let (key, default) = match inner.split_once(':') {
                Some((key, default)) => (key.trim(), Some(default)),
                None => (inner.trim(), None),
            };
            if depth > 8 {
                return Err(key.to_owned());
            }
            let found = self.get(near, key);
            let value = match (found, default) {
                (Some(property), _) => {
                    used.properties.push(format!("{}#{}", property.file, property.key));
                    self.expand_within(near, &property.value, used, depth + 1)?
                }
                (None, Some(default)) => {
                    used.takes_default = true;
                    self.expand_within(near, default, used, depth + 1)?
                }
                (None, None) => return Err(key.to_owned()),
            };
            out.push_str(&value);
            rest = &rest[open + 3 + length..];
        }
        out.push_str(rest);
        Ok(out)
    }
}

/// What an expansion has used.
#[derive(Default)]
struct Used {
    /// The `file#key` of each property.
    properties: Vec<String>,
    /// Whether a default was taken.
    takes_default: bool,
}

/// Offset of the brace that closes a placeholder, skipping nested ones.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => return Some(at),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The relaxed form in which Spring compares keys: lower case, without `-` and `_`.
pub fn relaxed(key: &str) -> String {
    key.chars().filter(|c| !matches!(c, '-' | '_')).flat_map(char::to_lowercase).collect()
}

/// The folder of a file's module: the part of the path before `src/`, else the file's own folder.
pub fn module_of(path: &str) -> &str {
    if path.starts_with("src/") {
        return "";
    }
    match path.find("/src/") {
        Some(at) => &path[..at],
        None => folder(path),
    }
}

/// The number of leading path parts that two paths share.
pub fn shared(one: &str, two: &str) -> usize {
    let parts = |path: &str| path.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    parts(one).iter().zip(parts(two).iter()).take_while(|(a, b)| a == b).count()
}

/// Whether a file contains message texts rather than settings.
pub fn is_messages(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.starts_with("messages") || name.starts_with("validationmessages") || name.contains("bundle")
}

fn is_application_yaml(name: &str) -> bool {
    (name.ends_with(".yml") || name.ends_with(".yaml"))
        && (name.starts_with("application") || name.starts_with("bootstrap"))
}

/// The profile in a name such as `application-dev.yml`.
fn profile_of_name(name: &str) -> Option<String> {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let rest = stem.strip_prefix("application-").or_else(|| stem.strip_prefix("bootstrap-"))?;
    Some(rest.to_owned())
}

/// The sign before the name of a profile of Quarkus, which is not one of Spring's.
const OF_QUARKUS: char = '%';

/// The profile that Quarkus writes into a key, with its sign, and the rest of the key (Quarkus guides, "Configuration
/// reference", "Profile in the property name").
fn profile_of_key(key: &str) -> Option<(Option<String>, String)> {
    let (profile, rest) = key.split_once('.')?;
    profile.starts_with(OF_QUARKUS).then(|| (Some(profile.to_owned()), rest.to_owned()))
}

/// The properties of a file, and whether all of it could be parsed.
fn read_properties(path: &str, text: &str) -> (Vec<Property>, bool) {
    let mut found = Vec::new();
    let of_name = profile_of_name(file_name(path));
    let mut reader = java_properties::PropertiesIter::new_with_encoding(text.as_bytes(), encoding_rs::UTF_8);
    let read = reader.read_into(|key, value| {
        let (profile, key) = profile_of_key(&key).unwrap_or_else(|| (of_name.clone(), key));
        found.push(Property { key, value: value.trim().to_owned(), file: path.to_owned(), profile });
    });
    (found, read.is_ok())
}

/// The properties of a YAML file, and whether all of it could be parsed.
fn read_yaml(path: &str, text: &str) -> (Vec<Property>, bool) {
    let (mut found, mut is_whole) = (Vec::new(), true);
    let of_name = profile_of_name(file_name(path));
    for part in yaml_parts(text) {
        let mut flat = Vec::new();
        match yaml_document(&part) {
            Some(document) => flatten("", &document, &mut flat, 0),
            None => {
                is_whole = false;
                flat = by_lines(&part);
            }
        }
        let profile = flat
            .iter()
            .find(|(key, _)| matches!(key.as_str(), "spring.config.activate.on-profile" | "spring.profiles"))
            .map(|(_, value)| value.clone())
            .or_else(|| of_name.clone());
        found.extend(flat.into_iter().map(|(key, value)| {
            let (profile, key) = profile_of_key(&key).unwrap_or_else(|| (profile.clone(), key));
            Property { key, value, file: path.to_owned(), profile }
        }));
    }
    (found, is_whole)
}

/// The documents of a YAML file, as text.
fn yaml_parts(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    for line in text.lines() {
        if line.trim_end() == "---" {
            parts.push(String::new());
        } else if let Some(part) = parts.last_mut() {
            part.push_str(line);
            part.push('\n');
        }
    }
    parts
}

/// Parses a YAML document. It may contain Maven placeholders that are not YAML (`version: @project.version@`, Spring
/// Boot's own idiom).
fn yaml_document(text: &str) -> Option<serde_json::Value> {
    let read = |text: &str| yaml_serde::from_str::<serde_json::Value>(text).ok();
    read(text).or_else(|| read(&quoted(text)))
}

/// The text with quotes around each value that begins with `@name@`.
fn quoted(text: &str) -> String {
    let line = |line: &str| {
        let at = line.find(": @").map(|at| at + 2).or_else(|| line.find("- @").map(|at| at + 2));
        match at.map(|at| line.split_at(at)) {
            Some((before, value)) if value[1..].contains('@') => {
                format!("{before}'{}'", value.trim_end().replace('\'', "''"))
            }
            _ => line.to_owned(),
        }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// The keys of a document that is not valid YAML, derived from indentation: `a:` above an indented `b: 1` is `a.b`.
fn by_lines(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut within: Vec<(usize, String)> = Vec::new();
    for line in text.lines() {
        let line = line.replace('\t', "  ");
        let indent = line.len() - line.trim_start().len();
        let Some((key, value)) = line.trim().split_once(':').filter(|(key, _)| !key.starts_with(['#', '-'])) else {
            continue;
        };
        within.retain(|(outer, _)| *outer < indent);
        let value = value.trim().trim_matches(['"', '\'']).to_owned();
        let outer: Vec<&str> = within.iter().map(|(_, key)| key.as_str()).collect();
        let whole = [outer.as_slice(), &[key.trim()]].concat().join(".");
        if value.is_empty() {
            within.push((indent, key.trim().to_owned()));
        } else {
            found.push((whole, value));
        }
    }
    found
}

fn flatten(prefix: &str, value: &serde_json::Value, out: &mut Vec<(String, String)>, depth: u32) {
    if depth > 64 {
        return;
    }
    match value {
        serde_json::Value::Object(map) => {
            for (key, inner) in map {
                let name = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
                flatten(&name, inner, out, depth + 1);
            }
        }
        serde_json::Value::Array(items) => {
            for (at, inner) in items.iter().enumerate() {
                flatten(&format!("{prefix}[{at}]"), inner, out, depth + 1);
            }
        }
        serde_json::Value::Null => out.push((prefix.to_owned(), String::new())),
        serde_json::Value::String(text) => out.push((prefix.to_owned(), text.clone())),
        other => out.push((prefix.to_owned(), other.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_maven_fills_in_is_read_and_what_is_no_yaml_is_read_line_by_line_and_named() {
        let of = |text: &str| Properties::load(&Resources::from_texts(&[("src/main/resources/application.yml", text)]));
        let value = |properties: &Properties, key: &str| properties.get("", key).map(|one| one.value.clone());
        let filled = of("info:\n  version: @project.version@\nserver:\n  servlet:\n    context-path: /api\n");
        assert_eq!(value(&filled, "server.servlet.context-path").as_deref(), Some("/api"));
        assert_eq!(value(&filled, "info.version").as_deref(), Some("@project.version@"));
        assert_eq!(filled.warnings().count(), 0);
        let tabs = of("server:\n\tservlet:\n\t\tcontext-path: /api\nx: [1\n");
        assert_eq!(value(&tabs, "server.servlet.context-path").as_deref(), Some("/api"));
        assert_eq!(tabs.read_in_part, ["src/main/resources/application.yml"]);
        assert_eq!(tabs.warnings().count(), 1);
    }

    #[test]
    fn a_value_is_found_by_module_profile_and_relaxed_name() {
        let resources = Resources::from_texts(&[
            (
                "a/src/main/resources/application.properties",
                "server.servlet.contextPath=/a\nspring.profiles.active=dev\nx=1\n",
            ),
            ("a/src/main/resources/application-dev.properties", "x=2\n"),
            ("a/src/main/resources/application-prod.properties", "x=3\n"),
            (
                "b/src/main/resources/application.yml",
                "server:\n  servlet:\n    context-path: /b\nlist:\n  - one\n---\nspring.profiles: prod\nx: 9\n",
            ),
        ]);
        let properties = Properties::load(&resources);
        assert_eq!(properties.get("a", "server.servlet.context-path").unwrap().value, "/a");
        assert_eq!(properties.get("b", "server.servlet.context-path").unwrap().value, "/b");
        assert_eq!(properties.get("a", "x").unwrap().value, "2");
        assert_eq!(properties.get("b", "list[0]").unwrap().value, "one");
    }

    #[test]
    fn placeholders_nest_and_have_defaults() {
        let resources = Resources::from_texts(&[(
            "src/main/resources/application.properties",
            "base=/v${version:1}\nversion=2\nloop=${loop}\n",
        )]);
        let properties = Properties::load(&resources);
        assert_eq!(properties.expand("", "${base}/x${no:-${base}}").unwrap().0, "/v2/x-/v2");
        assert_eq!(properties.expand("", "${missing}").unwrap_err(), "missing");
        assert!(properties.expand("", "${loop}").is_err());
    }
}
