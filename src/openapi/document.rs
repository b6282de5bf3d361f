//! The document as data: operations with their parameters, bodies, responses and security, each with its location in
//! the document.

use serde_json::{Map, Value};

use super::place::{DocumentLocation, SchemaRef};
use super::refs::Sources;
use super::schema::Schema;
use super::version::SpecVersion;
use super::view;
use mastor_types::{Method, Warning};

/// An OpenAPI document with the files it refers to.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// Path of the root file from the repository's root.
    pub path: String,
    /// Version family.
    pub version: SpecVersion,
    /// `info.title`.
    pub title: Option<String>,
    /// `basePath`, or the path parts of `servers` with variables at their defaults; `[""]` if the document declares
    /// none.
    pub base_paths: Vec<String>,
    /// All operations, in the order of the document.
    pub operations: Vec<Operation>,
    /// Declared security schemes, in the order of the document.
    pub security_schemes: Vec<SecurityScheme>,
    /// Warnings about defects that reading tolerates, sorted.
    pub warnings: Vec<Warning>,
    pub(super) sources: Sources,
}

impl Document {
    /// The operation of this `op_id`.
    pub fn operation(&self, op_id: &str) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.op_id == op_id)
    }

    /// Names and locations of the root file's component schemas, in the order of the document.
    pub fn schemas(&self) -> Vec<(String, SchemaRef)> {
        let at = self.named_schemas();
        let Some(Value::Object(schemas)) = self.sources.get(&at) else { return Vec::new() };
        schemas.keys().map(|name| (name.clone(), at.at(name))).collect()
    }

    fn named_schemas(&self) -> DocumentLocation {
        DocumentLocation::new(
            &self.path,
            if self.version == SpecVersion::V20 { "/definitions" } else { "/components/schemas" },
        )
    }

    /// The location of the component schema `name`.
    pub fn schema(&self, name: &str) -> Option<SchemaRef> {
        let at = self.named_schemas().at(name);
        self.sources.get(&at).is_some().then_some(at)
    }

    /// The schema at a location, with references followed and `allOf` merged. A reference without a target gives an
    /// unconstrained schema.
    pub fn resolve(&self, at: &SchemaRef) -> Schema {
        view::schema(&self.sources, self.version, at, &mut Vec::new())
    }

    /// The raw value at a location; references are not followed.
    pub fn value(&self, at: &DocumentLocation) -> Option<&Value> {
        self.sources.get(at)
    }

    /// The raw value at a location after references are followed, with the location of the target.
    pub fn follow(&self, at: &DocumentLocation) -> Option<(DocumentLocation, &Value)> {
        self.sources.follow(at).ok()
    }

    /// Raw values of all files of the document, by path.
    pub fn files(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.sources.iter()
    }
}

/// One operation: a method on a path.
#[derive(Debug, Clone, PartialEq)]
pub struct Operation {
    /// HTTP method.
    pub method: Method,
    /// The path exactly as the document writes it.
    pub path: String,
    /// `GET /orders/{id}`.
    pub op_id: String,
    /// `operationId`.
    pub operation_id: Option<String>,
    /// Tag names.
    pub tags: Vec<String>,
    /// Parameters of the path and of the operation; the operation's override the path's. `body` and `formData`
    /// parameters of 2.0 are included.
    pub parameters: Vec<Parameter>,
    /// The request body, whatever the version; in 2.0 it comes from the `body` and `formData` parameters.
    pub request_body: Option<RequestBody>,
    /// Responses in the order of the document.
    pub responses: Vec<Response>,
    /// Whether the responses are only those that a generator writes by default: 200, 201, 204, 401, 403 or 404, with a
    /// schema on the success only.
    pub is_default_block: bool,
    /// Security in force: the operation's own, else the document's.
    pub security: Security,
    /// `deprecated`.
    pub deprecated: bool,
    /// `x-…` extensions of the operation; they override those of the path.
    pub extensions: Map<String, Value>,
    /// Base paths of the operation's or path's own `servers`; `None` if the document's apply.
    pub base_paths: Option<Vec<String>>,
    /// Location of the operation in the document.
    pub at: DocumentLocation,
    /// Location of its path item in the document.
    pub path_item: DocumentLocation,
}

impl Operation {
    /// Method and path with parameter names erased: `GET /orders/{}`.
    pub fn key(&self) -> String {
        super::paths::template_key(&self.op_id)
    }

    /// A string-valued extension such as `x-openapi-router-controller`.
    pub fn extension(&self, name: &str) -> Option<&str> {
        self.extensions.get(name)?.as_str()
    }

    /// The parameter with this location and name.
    pub fn parameter(&self, location: In, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.location == location && parameter.name == name)
    }
}

/// The part of the request that carries a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each variant is the location of that name")]
pub enum In {
    Path,
    Query,
    Header,
    Cookie,
    Body,
    FormData,
}

/// One parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Name as the document writes it.
    pub name: String,
    /// The part of the request that carries it.
    pub location: In,
    /// Whether it must be sent; always true for path parameters.
    pub required: bool,
    /// Type and constraints; in 2.0 the location of the parameter itself.
    pub schema: SchemaRef,
    /// Media type of a parameter with `content`.
    pub media_type: Option<String>,
    /// How lists are written: `collectionFormat`, or `style` combined with `explode`.
    pub list_style: Option<String>,
    /// `explode`, if declared.
    pub explode: Option<bool>,
    /// `deprecated`.
    pub deprecated: bool,
    /// `x-…` extensions.
    pub extensions: Map<String, Value>,
    /// Location of the parameter after references are followed.
    pub at: DocumentLocation,
}

/// The request body of an operation.
#[derive(Debug, Clone, PartialEq)]
pub struct RequestBody {
    /// Whether it must be sent.
    pub required: bool,
    /// One entry per media type.
    pub content: Vec<MediaType>,
    /// Fields of a 2.0 form, which has no schema of its own.
    pub form: Vec<Parameter>,
    /// Location of the body after references are followed.
    pub at: DocumentLocation,
}

/// A media type with its schema.
#[derive(Debug, Clone, PartialEq)]
pub struct MediaType {
    /// `application/json`, `*/*` …
    pub name: String,
    /// Schema of the payload; `None` if it is not declared.
    pub schema: Option<SchemaRef>,
}

/// The key of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// One code, such as 404.
    Code(u16),
    /// A class such as `4XX`, by its first digit.
    Class(u8),
    /// `default`.
    Default,
    /// Any other key.
    Unreadable,
}

impl Status {
    /// Parses a key of `responses`.
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        if text.eq_ignore_ascii_case("default") {
            return Self::Default;
        }
        match text.as_bytes() {
            [digit @ b'1'..=b'5', b'X' | b'x', b'X' | b'x'] => Self::Class(digit - b'0'),
            [b'1'..=b'9', _, _] => text.parse().map_or(Self::Unreadable, Self::Code),
            _ => Self::Unreadable,
        }
    }

    /// Whether the key is for this status code. `default` covers no code in particular and gives `false`.
    pub fn covers(self, code: u16) -> bool {
        match self {
            Self::Code(own) => own == code,
            Self::Class(digit) => u16::from(digit) == code / 100,
            Self::Default | Self::Unreadable => false,
        }
    }
}

/// One declared response.
#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    /// The key as written.
    pub key: String,
    /// The parsed key.
    pub status: Status,
    /// `description`.
    pub description: Option<String>,
    /// One entry per media type; empty if no payload is declared.
    pub content: Vec<MediaType>,
    /// Declared headers.
    pub headers: Vec<Header>,
    /// Location of the response after references are followed.
    pub at: DocumentLocation,
}

impl Response {
    /// The schema of the first media type that has one.
    pub fn schema(&self) -> Option<&SchemaRef> {
        self.content.iter().find_map(|media| media.schema.as_ref())
    }
}

/// A declared response header.
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    /// Name.
    pub name: String,
    /// Whether the header is always sent.
    pub required: bool,
    /// Schema of the header's value.
    pub schema: SchemaRef,
}

/// Where the security requirements are declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecurityFrom {
    /// On the operation.
    Operation,
    /// At the top of the document, for all operations without their own.
    Document,
    /// Nowhere.
    Unsaid,
}

/// The security requirements in force for an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Security {
    /// Where the requirements are declared.
    pub from: SecurityFrom,
    /// Alternatives, each a set of scheme names with scopes. An empty set allows anonymous access; an empty list means
    /// no security.
    pub alternatives: Vec<Vec<(String, Vec<String>)>>,
}

impl Security {
    /// Whether the document admits a caller without credentials.
    pub fn allows_anonymous(&self) -> bool {
        self.alternatives.is_empty() || self.alternatives.iter().any(Vec::is_empty)
    }
}

/// The kind of a security scheme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SecuritySchemeKind {
    /// HTTP Basic.
    Basic,
    /// HTTP Bearer.
    Bearer,
    /// A key in a header, a query parameter or a cookie.
    ApiKey {
        /// Name of the header, parameter or cookie.
        name: String,
        /// The part of the request that carries the key.
        location: In,
    },
    /// OAuth 2.
    OAuth2,
    /// OpenID Connect.
    OpenIdConnect,
    /// Any other type, as written.
    Other(String),
}

/// A declared security scheme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecurityScheme {
    /// The name by which operations refer to it.
    pub name: String,
    /// Its kind.
    pub kind: SecuritySchemeKind,
    /// Location of the scheme in the document.
    pub at: DocumentLocation,
}
