//! The reader: looks up values in a document's files and collects warnings.

use serde_json::{Map, Value};

use super::document::{In, SecurityScheme, SecuritySchemeKind};
use super::paths::base_path;
use super::place::DocumentLocation;
use super::refs::Sources;
use super::version::SpecVersion;
use mastor_types::Warning;

/// State shared by all parts of reading.
pub(super) struct Reader<'a> {
    pub(super) sources: &'a Sources,
    pub(super) version: SpecVersion,
    pub(super) root: &'a Map<String, Value>,
    pub(super) warnings: Vec<Warning>,
}

impl<'a> Reader<'a> {
    pub(super) fn warn(&mut self, at: &DocumentLocation, code: &str, what: impl std::fmt::Display) {
        self.warnings.push(at.warn(code, what));
    }

    /// The value at `at` after references are followed; a dead reference gives a warning.
    pub(super) fn follow(&mut self, at: &DocumentLocation) -> Option<(DocumentLocation, &'a Value)> {
        match self.sources.follow(at) {
            Ok(found) => Some(found),
            Err(dead) => {
                self.warnings.push(dead.warning(at));
                None
            }
        }
    }

    /// The object at `at`; any other value except null gives a warning.
    pub(super) fn object(
        &mut self,
        at: &DocumentLocation,
        what: &str,
    ) -> Option<(DocumentLocation, &'a Map<String, Value>)> {
        let (at, value) = self.follow(at)?;
        match value {
            Value::Object(map) => Some((at, map)),
            Value::Null => None,
            _ => {
                self.warn(&at, "bad-value", format_args!("the {what} is not an object; left out"));
                None
            }
        }
    }

    /// The string under `key`, if there is one; any other value except null gives a warning.
    pub(super) fn text(&mut self, at: &DocumentLocation, map: &Map<String, Value>, key: &str) -> Option<String> {
        match map.get(key)? {
            Value::String(text) => Some(text.clone()),
            Value::Null => None,
            other => {
                self.warn(&at.at(key), "bad-value", format_args!("`{key}` is not a text"));
                (other.is_number() || other.is_boolean()).then(|| other.to_string())
            }
        }
    }

    /// The boolean under `key`; the strings `"true"` and `"false"` are accepted with a warning.
    pub(super) fn flag(&mut self, at: &DocumentLocation, map: &Map<String, Value>, key: &str) -> Option<bool> {
        match map.get(key)? {
            Value::Bool(flag) => Some(*flag),
            Value::Null => None,
            other => {
                self.warn(&at.at(key), "bad-value", format_args!("`{key}` is neither true nor false"));
                other.as_str().and_then(|text| text.parse().ok())
            }
        }
    }

    /// The strings of the list under `key`; a single string is a list of one.
    pub(super) fn texts(&mut self, at: &DocumentLocation, map: &Map<String, Value>, key: &str) -> Vec<String> {
        match map.get(key) {
            Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            None | Some(Value::Null) => Vec::new(),
            Some(other) => {
                self.warn(&at.at(key), "bad-value", format_args!("`{key}` is not a list"));
                other.as_str().map(str::to_owned).into_iter().collect()
            }
        }
    }

    /// The base paths of the document.
    pub(super) fn base_paths(&mut self, at: &DocumentLocation) -> Vec<String> {
        let root = self.root;
        let mut found = match self.version {
            SpecVersion::V20 => self.text(at, root, "basePath").map(|path| vec![base_path(&path)]).unwrap_or_default(),
            _ => self.servers(at, root).unwrap_or_default(),
        };
        if found.is_empty() {
            found.push(String::new());
        }
        found
    }

    /// Path parts of the `servers` of an object, without duplicates; `None` if it has none.
    pub(super) fn servers(&mut self, at: &DocumentLocation, map: &Map<String, Value>) -> Option<Vec<String>> {
        let at = at.at("servers");
        let servers = match map.get("servers")? {
            Value::Array(servers) if !servers.is_empty() => servers,
            Value::Array(_) | Value::Null => return None,
            _ => {
                self.warn(&at, "bad-value", "`servers` is not a list; left out");
                return None;
            }
        };
        let mut found = Vec::new();
        for (index, server) in servers.iter().enumerate() {
            let at = at.at(&index.to_string());
            let Some(url) = server.get("url").and_then(Value::as_str) else {
                self.warn(&at, "bad-value", "the server has no `url`; left out");
                continue;
            };
            let path = base_path(&self.with_defaults(&at, url, server.get("variables")));
            if !found.contains(&path) {
                found.push(path);
            }
        }
        Some(found)
    }

    fn with_defaults(&mut self, at: &DocumentLocation, url: &str, variables: Option<&Value>) -> String {
        let mut url = url.to_owned();
        for name in super::paths::template_parameters(&url.clone()) {
            let variable = variables.and_then(|variables| variables.get(&name));
            let value = variable.and_then(|variable| variable.get("default").or_else(|| variable.pointer("/enum/0")));
            let value = match value {
                Some(Value::String(text)) => text.clone(),
                Some(other @ (Value::Number(_) | Value::Bool(_))) => other.to_string(),
                _ => {
                    self.warn(at, "no-default", format_args!("the server variable `{name}` has no default"));
                    continue;
                }
            };
            url = url.replace(&format!("{{{name}}}"), &value);
        }
        url
    }

    /// The declared security schemes.
    pub(super) fn security_schemes(&mut self, at: &DocumentLocation) -> Vec<SecurityScheme> {
        let at = match self.version {
            SpecVersion::V20 => at.at("securityDefinitions"),
            _ => at.at("components").at("securitySchemes"),
        };
        let Some(Value::Object(schemes)) = self.sources.get(&at) else { return Vec::new() };
        let mut found = Vec::new();
        for name in schemes.keys() {
            let Some((at, scheme)) = self.object(&at.at(name), "security scheme") else { continue };
            found.push(SecurityScheme { name: name.clone(), kind: self.scheme_kind(&at, scheme), at });
        }
        found
    }

    fn scheme_kind(&mut self, at: &DocumentLocation, scheme: &Map<String, Value>) -> SecuritySchemeKind {
        let kind = self.text(at, scheme, "type").unwrap_or_default();
        let http = self.text(at, scheme, "scheme").unwrap_or_default().to_ascii_lowercase();
        match (kind.as_str(), http.as_str()) {
            ("basic", _) | ("http", "basic") => SecuritySchemeKind::Basic,
            ("http", "bearer") => SecuritySchemeKind::Bearer,
            ("http", other) => SecuritySchemeKind::Other(format!("http {other}").trim_end().to_owned()),
            ("apiKey", _) => SecuritySchemeKind::ApiKey {
                name: self.text(at, scheme, "name").unwrap_or_default(),
                location: match scheme.get("in").and_then(Value::as_str) {
                    Some("query") => In::Query,
                    Some("cookie") => In::Cookie,
                    _ => In::Header,
                },
            },
            ("oauth2", _) => SecuritySchemeKind::OAuth2,
            ("openIdConnect", _) => SecuritySchemeKind::OpenIdConnect,
            _ => SecuritySchemeKind::Other(kind),
        }
    }
}
