//! An endpoint: one HTTP method on one path, with the member that serves it and what the framework binds to its parameters.

use super::paths;
use super::record::Framework;
use crate::java::body::ExprId;
use crate::java::facts::{Annotation, TypeRef};
use crate::java::ids::{MemberId, TypeId};
use crate::types::Method;
use crate::types::source_context::MatchedBy;

/// Stands for the media types of a mapping whose text cannot be known.
pub const UNKNOWN_MEDIA: &str = "${unknown}";

/// One HTTP method on one path, with what serves it.
#[derive(Debug, Clone, PartialEq)]
pub struct Endpoint {
    /// HTTP method.
    pub method: Method,
    /// Path as the code makes it: with the prefix of the class, without the context path, `{name:regex}` as `{name}`.
    pub path: String,
    /// The same with regular expressions.
    pub raw_path: String,
    /// What configuration puts before every path; empty where there is none.
    pub context_path: String,
    /// The member that serves the request.
    pub entry: MemberId,
    /// The concrete type it runs on; another than the entry's own where a base class declares it.
    pub receiver: TypeId,
    /// Who routes to it.
    pub framework: Framework,
    /// One sentence: from which annotations, calls and constants the route comes.
    pub how: String,
    /// What the route rests on besides the entry: constants, declarations in interfaces, members that build routes.
    pub rests_on: Vec<MemberId>,
    /// Configuration keys and files (`path#key`, or a path) that the route rests on.
    pub rests_on_files: Vec<String>,
    /// File of the entry.
    pub file: String,
    /// Line of the entry's name, from 1.
    pub line: u32,
    /// Media types that it takes; empty for any.
    pub consumes: Vec<String>,
    /// Media types that it gives; empty for any.
    pub produces: Vec<String>,
    /// What is bound to the entry's parameters, in their order.
    pub params: Vec<BoundParam>,
    /// What it returns, as the framework sees it.
    pub returns: Returns,
    /// The status that an annotation sets for success.
    pub success_status: Option<u16>,
    /// True where the mapping names no method, so that this is one of several.
    pub any_method: bool,
    /// The lambda in the entry that serves the request, where the entry itself does not.
    pub lambda: Option<ExprId>,
    /// The `op_id` of the document's operation that it was made from.
    pub made_from: Option<String>,
}

impl Endpoint {
    /// The path that it is reached by, with the context path and without names of parameters.
    pub fn full_path(&self) -> String {
        paths::key(&paths::join(&self.context_path, &self.path))
    }
}

/// What the framework makes of the value that the entry returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Returns {
    /// Nothing (`void`, `Void`).
    Nothing,
    /// A value that becomes the body.
    #[default]
    Value,
    /// A string or model that names a view.
    View,
    /// A whole response (`ResponseEntity`, `Response`, `ResponseContext`).
    Response,
    /// The entry writes to the exchange by itself.
    Written,
}

impl Endpoint {
    /// Who said that this serves its operation, where that is not a rule.
    pub fn matched_by(&self) -> Option<MatchedBy> {
        self.framework.routing.named_by_model.then_some(MatchedBy::Model)
    }
}

/// Where the value of a parameter comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Location {
    /// A variable of the path.
    Path,
    /// The query (or a form field, where the framework does not tell them apart).
    Query,
    /// A header.
    Header,
    /// A cookie.
    Cookie,
    /// A field of an URL-encoded form.
    Form,
    /// A part of a multipart body.
    Part,
    /// The body.
    Body,
    /// A matrix parameter.
    Matrix,
    /// An object whose properties are filled from query and form (`@ModelAttribute`, `@BeanParam`).
    Model,
    /// Something of the framework: request, principal, locale …
    Context,
    /// What a resolver finds that is not known: of the project's own, or of a library's.
    Resolved,
}

/// One parameter of an entry, bound.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundParam {
    /// Name on the wire; of a body or context parameter its name in Java.
    pub name: String,
    /// Where the value comes from.
    pub location: Location,
    /// Its type as written.
    pub ty: TypeRef,
    /// Whether the framework refuses a request without it.
    pub required: bool,
    /// The value where it is not sent.
    pub default: Option<String>,
    /// Index among the entry's parameters.
    pub index: usize,
    /// Annotations that constrain or validate it, as written.
    pub constraints: Vec<Annotation>,
    /// Whether `@Valid` or `@Validated` is on it.
    pub validated: bool,
}
