//! Entry patterns: `mastor.toml` entries that add ways to find the entry methods of operations.

use serde::{Deserialize, Serialize};

/// One entry pattern: `{ annotation = "com.acme.Endpoint", path = "value" }`, a base class, or a file of routes.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct EntryPattern {
    /// Annotation on methods, or on classes whose `member` is the entry: fully qualified or simple name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotation: Option<String>,
    /// Base class or interface whose concrete subtypes hold entries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_class: Option<String>,
    /// Configuration file (glob) with routes, one a line: `METHOD /path com.acme.Type#member`, separated by white space or commas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The annotation's argument with the path; without one, `value`. For `base-class` the name of a constant field or of a method that
    /// returns it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The annotation's argument with the HTTP method, or the method itself (`GET`); without one, every method.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// Name of the member that serves requests, where the pattern names classes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
}
