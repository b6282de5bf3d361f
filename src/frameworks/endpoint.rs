//! An endpoint: one HTTP method on one path, with the member that serves it and the values that the framework binds to
//! its parameters.

use super::paths;
use super::record::Framework;
use mastor_java::ir::body::ExprId;
use mastor_java::ir::facts::{Annotation, TypeRef};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_types::Method;
use mastor_types::suite::source_context::MatchedBy;

/// Media type of a mapping whose text is not known.
pub const UNKNOWN_MEDIA: &str = "${unknown}";

/// One HTTP method on one path, with the member that serves it.
#[derive(Debug, Clone, PartialEq)]
pub struct Endpoint {
    /// HTTP method.
    pub method: Method,
    /// Path of the route in code: with the prefix of the class, without the context path, `{name:regex}` as `{name}`.
    pub path: String,
    /// The path with regular expressions.
    pub raw_path: String,
    /// Prefix of every path that configuration sets; empty if there is none.
    pub context_path: String,
    /// The member that serves the request.
    pub entry: MemberId,
    /// The concrete class of the receiver; differs from the entry's class if a base class declares the entry.
    pub receiver: TypeId,
    /// The framework that routes to it.
    pub framework: Framework,
    /// The origin of the route in one sentence: annotations, calls and constants.
    pub how: String,
    /// Other members that the route depends on: constants, declarations in interfaces, members that build routes.
    pub rests_on: Vec<MemberId>,
    /// Configuration keys and files (`path#key`, or a path) that the route depends on.
    pub rests_on_files: Vec<String>,
    /// File of the entry.
    pub file: String,
    /// Line of the entry's name, from 1.
    pub line: u32,
    /// Media types that it consumes; empty for any.
    pub consumes: Vec<String>,
    /// Media types that it produces; empty for any.
    pub produces: Vec<String>,
    /// The entry's parameters and their bindings, in order.
    pub params: Vec<BoundParam>,
    /// Kind of its return value for the framework.
    pub returns: Returns,
    /// The status that an annotation sets for success.
    pub success_status: Option<u16>,
    /// Whether the mapping names no method, so that this endpoint is one of several.
    pub any_method: bool,
    /// The lambda in the entry that serves the request; `None` if the entry itself does.
    pub lambda: Option<ExprId>,
    /// The `op_id` of the document's operation from which the endpoint was generated.
    pub made_from: Option<String>,
}

impl Endpoint {
    /// An endpoint of which nothing is declared but method, path, entry and framework: its parameters are unknown, and it
    /// gives a whole response. `place` is the file and line of the entry.
    pub fn undeclared(
        (method, path): (Method, &str),
        (entry, receiver): (MemberId, TypeId),
        framework: Framework,
        place: (String, u32),
        how: String,
    ) -> Self {
        Self {
            method,
            path: path.to_owned(),
            raw_path: path.to_owned(),
            context_path: String::new(),
            entry,
            receiver,
            framework,
            how,
            rests_on: Vec::new(),
            rests_on_files: Vec::new(),
            file: place.0,
            line: place.1,
            consumes: Vec::new(),
            produces: Vec::new(),
            params: Vec::new(),
            returns: Returns::Response,
            success_status: None,
            any_method: false,
            lambda: None,
            made_from: None,
        }
    }

    /// The path that clients request, with the context path and without parameter names.
    pub fn full_path(&self) -> String {
        paths::key(&paths::join(&self.context_path, &self.path))
    }
}

/// How the framework uses the return value of the entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Returns {
    /// Nothing (`void`, `Void`).
    Nothing,
    /// A value that is written as the body.
    #[default]
    Value,
    /// A string or model that names a view.
    View,
    /// A whole response (`ResponseEntity`, `Response`, `ResponseContext`).
    Response,
    /// The entry writes to the exchange itself.
    Written,
}

impl Endpoint {
    /// `Model` if a model named the entry; `None` if a rule found it.
    pub fn matched_by(&self) -> Option<MatchedBy> {
        self.framework.routing.named_by_model.then_some(MatchedBy::Model)
    }
}

/// The source of a parameter's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Location {
    /// A variable of the path.
    Path,
    /// The query (or a form field, if the framework does not distinguish them).
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
    /// An object that the framework provides: request, principal, locale …
    Context,
    /// A value from an argument resolver that is not modelled, of the project or of a library.
    Resolved,
}

/// One bound parameter of an entry.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundParam {
    /// Name in the request; for a body or context parameter, its name in Java.
    pub name: String,
    /// Source of the value.
    pub location: Location,
    /// Its type as written.
    pub ty: TypeRef,
    /// Whether the framework rejects a request without it.
    pub required: bool,
    /// The value if it is not sent.
    pub default: Option<String>,
    /// Index among the entry's parameters.
    pub index: usize,
    /// Annotations that constrain or validate it, as written.
    pub constraints: Vec<Annotation>,
    /// Whether it has `@Valid` or `@Validated`.
    pub validated: bool,
}
