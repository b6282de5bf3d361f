//! The subject: one operation of one revision, with everything that its answer may depend on.

use crate::app::shared::Shared;
use mastor_frameworks::advice::ExceptionRule;
use mastor_frameworks::{Build, Endpoint, Properties};
use mastor_java::project::index::Project;
use mastor_openapi::Document;
use mastor_revision::SourceTree;
use mastor_types::OpId;

/// One operation of one revision.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// Its name.
    pub op_id: &'a OpId,
    /// The Java project of the revision.
    pub project: &'a Project,
    /// The endpoint that serves it.
    pub endpoint: &'a Endpoint,
    /// All endpoints of the service, to check that a request does not match another route.
    pub endpoints: &'a [Endpoint],
    /// The project's rules for exceptions.
    pub exceptions: &'a [ExceptionRule],
    /// The files of the revision; code may open class path resources.
    pub files: &'a SourceTree,
    /// Application properties.
    pub properties: &'a Properties,
    /// The build files.
    pub build: &'a Build,
    /// The OpenAPI document, if there is one.
    pub document: Option<&'a Document>,
    /// Data that all operations of the revision share.
    pub shared: &'a Shared<'a>,
}
