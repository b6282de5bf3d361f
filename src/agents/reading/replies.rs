//! Replies of models in their wire format, separate from the suite's types and lenient about irrelevant details.
//!
//! The JSON Schema of each reply (`schemas`) is generated from its type and sent with the request. Replies are
//! untrusted: the `read_*` files turn them into facts and candidates, or drop them with a reason.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::schemas;

/// Parses a reply as `T`.
///
/// # Errors
/// An error message for the model: what does not fit, and where.
pub fn read<T: serde::de::DeserializeOwned>(value: &Value) -> Result<T, String> {
    T::deserialize(value).map_err(|error| error.to_string())
}

/// Reply of the matching.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
pub struct Matches {
    /// The operations that the code shown implements; the others are left out.
    pub matches: Vec<Matched>,
}

/// One operation with the method that implements it.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct Matched {
    /// The operation, exactly as listed.
    pub operation: String,
    /// Name of the class that is shown.
    pub class: String,
    /// Name of its method.
    pub method: String,
    /// Line that says so, as `F1:42`.
    pub evidence: String,
}

/// Reply of the source extraction.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
pub struct Context {
    /// Parameters that the code reads.
    #[serde(default)]
    pub request_params: Vec<Param>,
    /// Status of success, where exactly one is.
    #[serde(default)]
    pub success_status: Option<u16>,
    /// All statuses below 400, where there are several.
    #[serde(default)]
    pub success_statuses: Vec<u16>,
    /// Fields of a successful JSON body.
    #[serde(default)]
    pub fields: Vec<Field>,
    /// Errors that the code answers.
    #[serde(default)]
    pub error_cases: Vec<Error>,
    /// Parameters that only the document names.
    #[serde(default)]
    pub pending_params: Vec<Pending>,
    /// Statuses that only the document names.
    #[serde(default)]
    pub pending_statuses: Vec<PendingStatus>,
}

/// A parameter.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct Param {
    /// Name on the wire; of a body field its dotted path, and empty for the whole body.
    pub name: String,
    /// `path`, `query`, `header`, `cookie`, `form` or `body`.
    #[schemars(schema_with = "schemas::locations")]
    pub location: String,
    /// Java type.
    #[serde(rename = "type", default)]
    pub ty: String,
    /// Whether a request without it is refused.
    #[serde(default)]
    pub required: bool,
    /// Value that is filled in where it is missing.
    #[serde(default)]
    pub default: Option<String>,
    /// What its value must satisfy.
    #[serde(default)]
    pub constraints: Vec<Limit>,
    /// Line that says so, as `F1:42`.
    pub evidence: String,
}

/// A constraint on a parameter.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct Limit {
    /// `length`, `range`, `not_null`, `not_empty`, `not_blank`, `pattern`, `email`, `one_of` or `condition`.
    #[schemars(schema_with = "schemas::limits")]
    pub kind: String,
    /// Least length or value.
    #[serde(default)]
    pub min: Option<serde_json::Number>,
    /// Greatest length or value.
    #[serde(default)]
    pub max: Option<serde_json::Number>,
    /// Regular expression of `pattern`, condition of `condition`.
    #[serde(default)]
    pub text: Option<String>,
    /// Values of `one_of`.
    #[serde(default)]
    pub values: Vec<String>,
    /// Line that says so.
    pub evidence: String,
}

/// A field of the response.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct Field {
    /// Dotted path, `[*]` for elements.
    pub path: String,
    /// Java type.
    #[serde(rename = "type", default)]
    pub ty: String,
    /// Whether it can be null or absent.
    #[serde(default)]
    pub nullable: Option<bool>,
    /// Line that says so.
    pub evidence: String,
}

/// An error case.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct Error {
    /// Status code.
    pub status: u16,
    /// When it is answered.
    #[schemars(length(max = 300))]
    pub condition: String,
    /// Line that says so.
    pub evidence: String,
}

/// A parameter without evidence.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct Pending {
    /// Its name.
    pub name: String,
    /// Its location.
    #[serde(default)]
    pub location: String,
    /// Why it is not verified.
    #[serde(default)]
    #[schemars(length(max = 300))]
    pub reason: String,
}

/// A status without evidence.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct PendingStatus {
    /// The status.
    pub status: u16,
    /// Why it is not verified.
    #[serde(default)]
    #[schemars(length(max = 300))]
    pub reason: String,
}

/// Reply of the association extraction.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
pub struct Associations {
    /// Groups of operations that belong together.
    pub groups: Vec<Group>,
}

/// One association: operations in the order in which they run.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct Group {
    /// `resource_lifecycle`, `identifier_flow`, `field_data_passing`, `nested_resource` or `state_propagation`.
    #[schemars(schema_with = "schemas::patterns")]
    pub pattern: String,
    /// The operations, exactly as listed.
    pub operations: Vec<String>,
    /// Why the last step loses its meaning without the first.
    #[serde(default)]
    #[schemars(length(max = 300))]
    pub reason: String,
    /// Values that pass from one step to another.
    #[serde(default)]
    pub flows: Vec<Flow>,
}

/// A value that passes.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct Flow {
    /// Step that gives it, from 0.
    pub from_step: usize,
    /// Where it stands in the answer: `body:id` or `header:Location#tail`.
    pub capture: String,
    /// Step that takes it.
    pub to_step: usize,
    /// Where it goes: `path.id`, `query.name`, `header.Name` or `body.path`.
    pub bind: String,
}

/// Reply of the oracle generation, first or again.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
pub struct Oracles {
    /// The oracles.
    pub oracles: Vec<Proposed>,
    /// On regeneration: names of oracles that a hint is right about and that no other oracle can replace. They are dropped.
    #[serde(default)]
    pub withdrawn: Vec<String>,
    /// What the code says of the assumptions that were listed.
    #[serde(default)]
    pub assumptions: Vec<Judged>,
}

/// What the code says of an assumption.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct Judged {
    /// Its id, as listed.
    pub id: String,
    /// Whether it is so.
    pub holds: bool,
    /// Which code says so.
    #[serde(default)]
    #[schemars(length(max = 300))]
    pub why: String,
}

/// What a call gives that leaves the project's code.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct Gift {
    /// The call, as listed.
    pub call: String,
    /// Where in its result: `get().owner.id`, `[0].name`; left out for all of it.
    #[serde(default)]
    pub at: String,
    /// `"null"`, `"empty"`, `"present"`, `{"is": …}`, `{"constant": "OPEN"}` or `{"throws": "java.io.IOException"}`.
    #[schemars(schema_with = "schemas::anything")]
    pub value: Value,
}

/// One proposed oracle.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct Proposed {
    /// Short name that begins with its strategy.
    pub test_id: String,
    /// One sentence.
    #[serde(default)]
    #[schemars(length(max = 300))]
    pub description: String,
    /// `fv`, `fi`, `bv` or `bi`.
    #[schemars(schema_with = "schemas::strategies")]
    pub strategy: String,
    /// `anonymous` or one of the users.
    #[serde(rename = "as", default)]
    pub as_user: Option<String>,
    /// The request.
    #[serde(default)]
    pub input: Request,
    /// Name of the derived oracle whose open values this one states: it sends that one's request, and has no `input`.
    #[serde(default)]
    pub fills: Option<String>,
    /// What calls give that leave the project's code.
    #[serde(default)]
    pub given: Vec<Gift>,
    /// What must be seen.
    #[schemars(schema_with = "schemas::claims")]
    pub assertions: Vec<Claim>,
    /// Lines that it follows from, as `F1:42`, or ids of facts.
    #[serde(default)]
    #[schemars(length(max = 12))]
    pub evidence: Vec<String>,
    /// Why the answer follows from these lines.
    #[serde(default)]
    #[schemars(length(max = 300))]
    pub rationale: String,
    /// Records that must be there, in words.
    #[serde(default)]
    pub assumes: Vec<String>,
    /// When made again: name of the oracle that this one takes the place of.
    #[serde(default)]
    pub replaces: Option<String>,
}

/// A request; keys beside these are passed over.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
pub struct Request {
    /// Values of the path's parameters.
    #[serde(default)]
    #[schemars(schema_with = "schemas::named")]
    pub path: Option<BTreeMap<String, Value>>,
    /// Query parameters: an object, or pairs.
    #[serde(default)]
    #[schemars(schema_with = "schemas::pairs")]
    pub query: Option<Value>,
    /// Headers: an object, or pairs.
    #[serde(default)]
    #[schemars(schema_with = "schemas::pairs")]
    pub headers: Option<Value>,
    /// Cookies: an object, or pairs.
    #[serde(default)]
    #[schemars(schema_with = "schemas::pairs")]
    pub cookies: Option<Value>,
    /// Body: `{"json": …}`, `{"text": …, "media_type": …}` or `{"form": [[name, value]]}`.
    #[serde(default)]
    #[schemars(schema_with = "schemas::anything")]
    pub body: Option<Value>,
}

/// An assertion.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Claim {
    /// `status`, `field`, `header` or `body`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Path of a field.
    #[serde(default, alias = "field_path")]
    pub path: Option<String>,
    /// Name of a header.
    #[serde(default)]
    pub name: Option<String>,
    /// Operator.
    #[serde(default)]
    pub op: Option<String>,
    /// What is expected.
    #[serde(default)]
    pub expected: Option<Value>,
}

/// Reply of the generation over several operations.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
pub struct Sequences {
    /// The sequences.
    pub sequences: Vec<ProposedSequence>,
    /// On regeneration: names of sequences that a hint is right about and that no other sequence can replace. They are dropped.
    #[serde(default)]
    pub withdrawn: Vec<String>,
}

/// One proposed sequence.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct ProposedSequence {
    /// Short name.
    pub test_id: String,
    /// One sentence.
    #[serde(default)]
    #[schemars(length(max = 300))]
    pub description: String,
    /// The steps in order.
    pub steps: Vec<ProposedStep>,
    /// Ids of facts, as `e:…`, of the contexts that were given.
    #[serde(default)]
    #[schemars(length(max = 12))]
    pub evidence: Vec<String>,
    /// Why the later steps must answer so.
    #[serde(default)]
    #[schemars(length(max = 300))]
    pub rationale: String,
    /// When made again: name of the sequence that this one takes the place of.
    #[serde(default)]
    pub replaces: Option<String>,
}

/// One step.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct ProposedStep {
    /// The operation, exactly as given.
    pub op_id: String,
    /// `anonymous` or one of the users.
    #[serde(rename = "as", default)]
    pub as_user: Option<String>,
    /// The request.
    #[serde(default)]
    pub input: Request,
    /// Name → `body:path` or `header:Name#tail`.
    #[serde(default)]
    pub captures: BTreeMap<String, String>,
    /// `path.id`, `query.name`, `header.Name` or `body.path` → `$captures.name`.
    #[serde(default)]
    pub binds: BTreeMap<String, String>,
    /// What must be seen.
    #[schemars(schema_with = "schemas::claims")]
    pub assertions: Vec<Claim>,
}

/// Reply of a challenger.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
pub struct Review {
    /// What to improve; empty where nothing is.
    pub hints: Vec<Hint>,
}

/// One hint, never a corrected oracle.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct Hint {
    /// Name of the oracle; absent where one is missing.
    #[serde(default)]
    pub test_id: Option<String>,
    /// `structural_completeness`, `coverage_gaps`, `assertion_correctness` or `sequence_logic`.
    #[serde(default)]
    #[schemars(schema_with = "schemas::dimensions")]
    pub dimension: String,
    /// What is wrong, and what the code says.
    #[schemars(length(max = 300))]
    pub hint: String,
}

/// Reply of the direct prompting that the paper compares with.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
pub struct Direct {
    /// By operation.
    pub operations: Vec<DirectOperation>,
}

/// The oracles of one operation.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct DirectOperation {
    /// Exactly as listed.
    pub op_id: String,
    /// Its oracles.
    #[serde(default)]
    pub oracles: Vec<Proposed>,
}
