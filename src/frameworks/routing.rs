//! What finding routes needs and gives: the project with its configuration in, endpoints and warnings out.

use super::build::Build;
use super::endpoint::Endpoint;
use super::properties::Properties;
use super::resources::Resources;
use crate::java::ids::{MemberId, TypeId};
use crate::java::project::Project;
use crate::openapi::Document;
use crate::revision::SourceTree;
use crate::types::Warning;

/// All that frameworks read.
pub struct Inputs<'a> {
    /// Java, indexed.
    pub project: &'a Project,
    /// The revision.
    pub tree: &'a SourceTree,
    /// Configuration, build files and the like.
    pub resources: &'a Resources,
    /// Application properties.
    pub properties: &'a Properties,
    /// Build files.
    pub build: &'a Build,
    /// The document that operations come from, where there is one.
    pub document: Option<&'a Document>,
    /// Entry patterns of `mastor.toml`.
    pub patterns: &'a [EntryPattern],
}

/// A further way to find entries, as `mastor.toml` says it.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
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
    /// The annotation's argument with the path; without one, `value`. For `base-class` the name of a constant field or of a method that returns it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The annotation's argument with the HTTP method, or the method itself (`GET`); without one, every method.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// Name of the member that serves requests, where the pattern names classes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
}

/// What one framework finds.
#[derive(Debug, Default)]
pub struct Routes {
    /// Endpoints in no particular order.
    pub endpoints: Vec<Endpoint>,
    /// What was read in part or not at all.
    pub warnings: Vec<Warning>,
}

impl Inputs<'_> {
    /// File and line of a member's name.
    pub fn place(&self, member: MemberId) -> (String, u32) {
        (self.project.path_of(member.ty).to_owned(), self.project.member(member).name_span.line)
    }

    /// A warning at an annotation of a type.
    pub fn warn(&self, code: &str, message: String, ty: TypeId, line: u32) -> Warning {
        Warning::new(code, message, Some(self.project.path_of(ty))).at(line)
    }
}
