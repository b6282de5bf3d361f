//! The document as data: operations with their parameters, bodies, responses and security, each with the place where it stands.

use serde_json::{Map, Value};

use super::place::{Place, SchemaRef};
use super::refs::Sources;
use super::schema::Schema;
use super::version::SpecVersion;
use super::view;
use crate::types::{Method, Warning};

/// An OpenAPI document with the files it refers to.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// Path of the root file from the repository's root.
    pub path: String,
    /// Version family.
    pub version: SpecVersion,
    /// `info.title`.
    pub title: Option<String>,
    /// `basePath`, or the path parts of `servers` with variables at their defaults; `[""]` where none is said.
    pub base_paths: Vec<String>,
    /// All operations, in the order of the document.
    pub operations: Vec<Operation>,
    /// Declared security schemes, in the order of the document.
    pub security_schemes: Vec<SecurityScheme>,
    /// What was forgiven, sorted.
    pub warnings: Vec<Warning>,
    pub(super) sources: Sources,
}

impl Document {
    /// The operation of this `op_id`.
    pub fn operation(&self, op_id: &str) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.op_id == op_id)
    }

    /// Names and places of the root file's component schemas, in the order of the document.
    pub fn schemas(&self) -> Vec<(String, SchemaRef)> {
        let at = self.named_schemas();
        let Some(Value::Object(schemas)) = self.sources.get(&at) else { return Vec::new() };
        schemas.keys().map(|name| (name.clone(), at.at(name))).collect()
    }

    fn named_schemas(&self) -> Place {
        Place::new(&self.path, if self.version == SpecVersion::V20 { "/definitions" } else { "/components/schemas" })
    }

    /// The place of the component schema `name`.
    pub fn schema(&self, name: &str) -> Option<SchemaRef> {
        let at = self.named_schemas().at(name);
        self.sources.get(&at).is_some().then_some(at)
    }

    /// The schema at a place, with references followed and `allOf` merged. What leads nowhere is an unconstrained schema.
    pub fn resolve(&self, at: &SchemaRef) -> Schema {
        view::schema(&self.sources, self.version, at, &mut Vec::new())
    }

    /// The raw value at a place, references not followed.
    pub fn value(&self, at: &Place) -> Option<&Value> {
        self.sources.get(at)
    }

    /// The raw value that a place leads to when references are followed.
    pub fn follow(&self, at: &Place) -> Option<(Place, &Value)> {
        self.sources.follow(at).ok()
    }

    /// Raw values of all files the document is made of, by path.
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
    /// Parameters of the path and of the operation, the latter overriding the former; with those of 2.0 bodies and forms.
    pub parameters: Vec<Parameter>,
    /// The request body of any version, `body` and `formData` parameters of 2.0 included.
    pub request_body: Option<RequestBody>,
    /// Responses in the order of the document.
    pub responses: Vec<Response>,
    /// Whether the responses are only what a generator writes without knowing anything (200/201/204/401/403/404, nothing but the success with a schema).
    pub is_default_block: bool,
    /// Security in force: the operation's, else the document's.
    pub security: Security,
    /// `deprecated`.
    pub deprecated: bool,
    /// `x-…` of the operation, over those of the path.
    pub extensions: Map<String, Value>,
    /// Base paths of the operation's or path's own `servers`; `None` where the document's hold.
    pub base_paths: Option<Vec<String>>,
    /// Where the operation stands.
    pub at: Place,
    /// Where its path item stands.
    pub path_item: Place,
}

impl Operation {
    /// Method and path with parameter names erased: `GET /orders/{}`.
    pub fn key(&self) -> String {
        super::paths::template_key(&self.op_id)
    }

    /// A textual extension such as `x-openapi-router-controller`.
    pub fn extension(&self, name: &str) -> Option<&str> {
        self.extensions.get(name)?.as_str()
    }

    /// The parameter of this name and location.
    pub fn parameter(&self, location: In, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.location == location && parameter.name == name)
    }
}

/// Where a parameter goes.
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
    /// Where it goes.
    pub location: In,
    /// Whether it must be sent; always for the path.
    pub required: bool,
    /// Type and constraints; in 2.0 the parameter itself.
    pub schema: SchemaRef,
    /// Media type of a parameter with `content`.
    pub media_type: Option<String>,
    /// How lists are written: `collectionFormat`, or `style` with `explode`.
    pub list_style: Option<String>,
    /// `explode`, where said.
    pub explode: Option<bool>,
    /// `deprecated`.
    pub deprecated: bool,
    /// `x-…`.
    pub extensions: Map<String, Value>,
    /// Where it stands, references followed.
    pub at: Place,
}

/// What an operation takes as its body.
#[derive(Debug, Clone, PartialEq)]
pub struct RequestBody {
    /// Whether it must be sent.
    pub required: bool,
    /// One entry per media type.
    pub content: Vec<MediaType>,
    /// Fields of a 2.0 form, which has no schema of its own.
    pub form: Vec<Parameter>,
    /// Where it stands, references followed.
    pub at: Place,
}

/// A media type with its schema.
#[derive(Debug, Clone, PartialEq)]
pub struct MediaType {
    /// `application/json`, `*/*` …
    pub name: String,
    /// What the payload looks like; `None` where it is not said.
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
    /// None of these.
    Unreadable,
}

impl Status {
    /// Reads a key of `responses`.
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

    /// Whether an answer with this code is what the key speaks of (`default` speaks of none in particular).
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
    /// The key read.
    pub status: Status,
    /// `description`.
    pub description: Option<String>,
    /// One entry per media type; empty where no payload is declared.
    pub content: Vec<MediaType>,
    /// Declared headers.
    pub headers: Vec<Header>,
    /// Where it stands, references followed.
    pub at: Place,
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
    /// Whether it is always there.
    pub required: bool,
    /// Its type.
    pub schema: SchemaRef,
}

/// Who says what security holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecurityFrom {
    /// The operation.
    Operation,
    /// The document, for all operations that say nothing.
    Document,
    /// Nobody.
    Unsaid,
}

/// The security requirements in force for an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Security {
    /// Who says so.
    pub from: SecurityFrom,
    /// Alternatives, each a set of scheme names with scopes; an empty one means anonymous access; no alternative means open.
    pub alternatives: Vec<Vec<(String, Vec<String>)>>,
}

impl Security {
    /// Whether a caller without credentials is let in, as far as the document says.
    pub fn allows_anonymous(&self) -> bool {
        self.alternatives.is_empty() || self.alternatives.iter().any(Vec::is_empty)
    }
}

/// What kind of security a scheme is.
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
        /// Where it goes.
        location: In,
    },
    /// OAuth 2.
    OAuth2,
    /// OpenID Connect.
    OpenIdConnect,
    /// Anything else, by its type as written.
    Other(String),
}

/// A declared security scheme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecurityScheme {
    /// The name operations refer to.
    pub name: String,
    /// Its kind.
    pub kind: SecuritySchemeKind,
    /// Where it stands.
    pub at: Place,
}
