//! Input and output of the search for routes: the project with its configuration, and endpoints with warnings.

use super::endpoint::Endpoint;
use super::files::build::Build;
use super::files::properties::Properties;
use super::files::resources::Resources;
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;
use mastor_openapi::Document;
use mastor_revision::SourceTree;
use mastor_types::Warning;
pub use mastor_types::entry_pattern::EntryPattern;

/// Everything that frameworks read.
pub struct Inputs<'a> {
    /// The indexed Java code.
    pub project: &'a Project,
    /// The files of the revision.
    pub tree: &'a SourceTree,
    /// Configuration, build files and other text files.
    pub resources: &'a Resources,
    /// Application properties.
    pub properties: &'a Properties,
    /// Parsed build files.
    pub build: &'a Build,
    /// The document with the operations, if there is one.
    pub document: Option<&'a Document>,
    /// Entry patterns from `mastor.toml`.
    pub patterns: &'a [EntryPattern],
}

/// The results of one framework.
#[derive(Debug, Default)]
pub struct Routes {
    /// Endpoints in no particular order.
    pub endpoints: Vec<Endpoint>,
    /// Warnings about files that were read partly or not at all.
    pub warnings: Vec<Warning>,
}

impl Inputs<'_> {
    /// File and line of a member's name.
    pub fn place(&self, member: MemberId) -> (String, u32) {
        (self.project.path_of(member.ty).to_owned(), self.project.member(member).name_span.line)
    }

    /// Expands the properties in the paths of an annotation on `scope`; also returns the settings used. A path with an
    /// unknown property stays as written, with a warning.
    pub fn filled(
        &self,
        written: Vec<String>,
        (scope, line): (TypeId, u32),
        warnings: &mut Vec<Warning>,
    ) -> (Vec<String>, Vec<String>) {
        let (mut paths, mut files) = (Vec::new(), Vec::new());
        for path in written {
            match self.properties.expand(self.project.path_of(scope), &path) {
                Ok((expanded, used)) => {
                    files.extend(used);
                    paths.push(expanded);
                }
                Err(key) => {
                    let message = format!("no value for `${{{key}}}` in the path `{path}`");
                    warnings.push(self.warn("property-unresolved", message, scope, line));
                    paths.push(path);
                }
            }
        }
        (paths, files)
    }

    /// A warning at an annotation of a type.
    pub fn warn(&self, code: &str, message: String, ty: TypeId, line: u32) -> Warning {
        Warning::new(code, message, Some(self.project.path_of(ty))).at(line)
    }
}
