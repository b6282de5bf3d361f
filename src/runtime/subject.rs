//! The subject: one operation of one revision, with all that may be looked at to tell what it answers.

use crate::frameworks::advice::ExceptionRule;
use crate::frameworks::{Build, Endpoint, Properties};
use crate::java::project::Project;
use crate::openapi::Document;
use crate::revision::SourceTree;
use crate::runtime::app::shared::Shared;
use crate::types::OpId;

/// One operation of one revision.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// Its name.
    pub op_id: &'a OpId,
    /// The revision's Java.
    pub project: &'a Project,
    /// What serves it.
    pub endpoint: &'a Endpoint,
    /// All endpoints of the service: an input must not reach another one.
    pub endpoints: &'a [Endpoint],
    /// Who answers exceptions.
    pub exceptions: &'a [ExceptionRule],
    /// The revision's files: those of the class path are opened by code.
    pub files: &'a SourceTree,
    /// Application properties.
    pub properties: &'a Properties,
    /// Build files.
    pub build: &'a Build,
    /// The document, where there is one.
    pub document: Option<&'a Document>,
    /// What all operations of the revision share.
    pub shared: &'a Shared<'a>,
}
