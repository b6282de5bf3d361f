//! The source context of an operation: facts from its code about parameters and responses, verified or pending (MASTOR
//! paper, section 4.3).

use serde::{Deserialize, Serialize};

use super::evidence::{EvidenceId, EvidenceTable};
use crate::op_id::OpId;

/// The class and method that implement an operation.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Fully qualified class name.
    pub class: String,
    /// Method name with erased parameter types, such as `find(String)`.
    pub method: String,
}

/// Who said what implements an operation, where no rule could.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MatchedBy {
    /// A chat model: no route in the source has the operation's path. It is asked again only when the entry has vanished.
    Model,
}

/// Where a parameter stands in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "named for the part of the request")]
pub enum Location {
    Path,
    Query,
    Header,
    Cookie,
    Form,
    Body,
}

impl Location {
    /// The part of the request by its name: `path`, `query`, `header`, `cookie`, `form` or `body`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query => "query",
            Self::Header => "header",
            Self::Cookie => "cookie",
            Self::Form => "form",
            Self::Body => "body",
        }
    }
}

/// All that the source says of one operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceContext {
    /// The operation.
    pub op_id: OpId,
    /// What implements it; absent where the operation has no handler in the source.
    pub entry: Option<Entry>,
    /// Who said so, where that is not a rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matched_by: Option<MatchedBy>,
    /// Parameters with evidence.
    pub request_params: Vec<RequestParam>,
    /// Responses with evidence.
    pub response_schema: ResponseSchema,
    /// Parameters that the document claims and the code does not show.
    pub request_params_pending: Vec<PendingParam>,
    /// Responses that the document claims and the code does not show, or that analysis could not decide.
    pub response_schema_pending: Vec<PendingResponse>,
    /// The citations used here and by the oracles of the operation.
    pub evidence: EvidenceTable,
}

/// One parameter, verified.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RequestParam {
    /// Name on the wire; for a body field its dotted path, and `""` for the whole body.
    pub name: String,
    /// Part of the request.
    pub location: Location,
    /// Java type as written.
    #[serde(rename = "type")]
    pub ty: String,
    /// Whether a request without it is refused.
    pub required: bool,
    /// Default value, where the framework fills one in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// What its values must satisfy.
    pub constraints: Vec<Constraint>,
    /// Whether the document has a parameter of this name and location.
    pub oas_match: bool,
    /// Where the code says so.
    pub evidence: EvidenceId,
}

/// A constraint on a parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Constraint {
    /// What is constrained and how.
    #[serde(flatten)]
    pub kind: ConstraintKind,
    /// Where the code says so.
    pub evidence: EvidenceId,
}

/// The kinds of constraints that rules read off code.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ConstraintKind {
    /// Length of a string or collection within `min..=max`.
    Length {
        /// Least length.
        #[serde(skip_serializing_if = "Option::is_none")]
        min: Option<i64>,
        /// Greatest length.
        #[serde(skip_serializing_if = "Option::is_none")]
        max: Option<i64>,
    },
    /// Number within `min..=max`; bounds as decimal text, so that none is lost.
    Range {
        /// Least value.
        #[serde(skip_serializing_if = "Option::is_none")]
        min: Option<String>,
        /// Greatest value.
        #[serde(skip_serializing_if = "Option::is_none")]
        max: Option<String>,
        /// Whether `min` itself is excluded.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        exclusive_min: bool,
        /// Whether `max` itself is excluded.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        exclusive_max: bool,
    },
    /// Not null.
    NotNull,
    /// Not empty.
    NotEmpty,
    /// Not blank.
    NotBlank,
    /// Matches a regular expression in Java's dialect.
    Pattern {
        /// The expression.
        regex: String,
    },
    /// An e-mail address.
    Email,
    /// One of these values.
    OneOf {
        /// The values, as on the wire.
        values: Vec<String>,
    },
    /// Another condition, in words.
    Condition {
        /// The condition that a valid value meets.
        text: String,
    },
}

/// The constraint as a clause for people: `length 2..3`, `at least 1`, `not null`.
impl std::fmt::Display for ConstraintKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Length { min, max } => {
                let text = |bound: &Option<i64>| bound.as_ref().map(ToString::to_string);
                write!(f, "length {}", bounds((text(min), false), (text(max), false)))
            }
            Self::Range { min, max, exclusive_min, exclusive_max } => {
                f.write_str(&bounds((min.clone(), *exclusive_min), (max.clone(), *exclusive_max)))
            }
            Self::NotNull => f.write_str("not null"),
            Self::NotEmpty => f.write_str("not empty"),
            Self::NotBlank => f.write_str("not blank"),
            Self::Pattern { regex } => write!(f, "matches {regex}"),
            Self::Email => f.write_str("an e-mail address"),
            Self::OneOf { values } => write!(f, "one of {}", values.join(", ")),
            Self::Condition { text } => f.write_str(text),
        }
    }
}

/// Bounds as text; each flag tells whether the bound itself is excluded.
fn bounds((min, above): (Option<String>, bool), (max, below): (Option<String>, bool)) -> String {
    let low = min.as_ref().map(|min| format!("{} {min}", if above { "above" } else { "at least" }));
    let high = max.as_ref().map(|max| format!("{} {max}", if below { "below" } else { "at most" }));
    match (min, max, low, high) {
        (Some(min), Some(max), ..) if !above && !below => format!("{min}..{max}"),
        (.., Some(low), Some(high)) => format!("{low} and {high}"),
        (.., Some(one), None) | (.., None, Some(one)) => one,
        _ => "any".to_owned(),
    }
}

/// What an operation answers.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResponseSchema {
    /// Status of success, where exactly one is known.
    pub success_status: Option<u16>,
    /// Every status below 400 that some path ends in, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub success_statuses: Vec<u16>,
    /// Fields of a successful JSON body.
    pub fields: Vec<ResponseField>,
    /// Paths that end in an error.
    pub error_cases: Vec<ErrorCase>,
}

/// One field of a response body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResponseField {
    /// Dotted, with `[*]` for elements; `""` for the whole body.
    pub path: String,
    /// Java type as written.
    #[serde(rename = "type")]
    pub ty: String,
    /// Whether it can be null or absent; `None` where that could not be told.
    pub nullable: Option<bool>,
    /// Where the code says so.
    pub evidence: EvidenceId,
}

/// One way to an error status.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ErrorCase {
    /// Status code.
    pub status: u16,
    /// The condition in words, such as `length of code outside 2..3`.
    pub condition: String,
    /// Where the code says so.
    pub evidence: EvidenceId,
}

/// A parameter that only the document names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PendingParam {
    /// Name.
    pub name: String,
    /// Part of the request.
    pub location: Location,
    /// Why it is not verified.
    pub reason: String,
}

/// A response that is claimed, or possible, and not verified.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PendingResponse {
    /// Status; absent where only the body is in question.
    pub status: Option<u16>,
    /// What the document says; absent where it says nothing.
    pub oas_claim: Option<String>,
    /// Why it is not verified: the unknowns that were met.
    pub reason: String,
}
