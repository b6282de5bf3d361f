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
pub use crate::types::entry_pattern::EntryPattern;

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
