//! Given: the data that an oracle needs beside its request, as rows, states and stubs.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::assertion::Assertion;
use super::evidence::EvidenceId;
use super::input::{Input, identity};
use crate::hash::Hash;
use crate::op_id::OpId;

/// Data that an oracle needs beside its request: one of a row, a state and a stub.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Given {
    /// A row that the service starts with, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<String>,
    /// A state that the service starts with, in words: a field as it is made, a setting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// What a call gives that is not followed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stub: Option<Stub>,
    /// Where the code or seed says so.
    pub evidence: EvidenceId,
    /// A request that shows whether it is so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read: Option<Read>,
}

impl Given {
    /// A row that the service starts with, and a request that shows it.
    pub fn row(row: String, evidence: EvidenceId, read: Option<Read>) -> Self {
        Self { row: Some(row), state: None, stub: None, evidence, read }
    }

    /// Other state that the service starts with.
    pub fn state(state: String, evidence: EvidenceId) -> Self {
        Self { row: None, state: Some(state), stub: None, evidence, read: None }
    }

    /// The result of a stubbed call.
    pub fn stub(stub: Stub, evidence: EvidenceId) -> Self {
        Self { row: None, state: None, stub: Some(stub), evidence, read: None }
    }

    /// The row, state or stub condition as text.
    pub fn what(&self) -> String {
        let stub = self.stub.as_ref().map(|stub| stub.when.clone());
        [&self.row, &self.state, &stub].into_iter().flatten().cloned().collect::<Vec<_>>().join(", ")
    }

    /// Whether the service starts with this data, so that no stub is needed.
    pub fn is_from_start(&self) -> bool {
        self.stub.is_none()
    }
}

/// What a call gives that is not followed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stub {
    /// Eight hexadecimal digits over the condition, by the names of what is called and sent: the same whatever variables are called.
    pub id: String,
    /// The calls that it rests on: class, method and parameters, sorted.
    pub calls: Vec<String>,
    /// What must hold of what they give, in words.
    pub when: String,
    /// What the calls give so that it holds, where that could be made concrete.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gives: Vec<Gives>,
}

/// One value of what a stubbed call gives.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gives {
    /// The method, as `com.acme.Rows#find`, whatever it is called with.
    pub call: String,
    /// Where in what it gives: `get().owner.id`, `[0].name`; empty for all of it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub at: String,
    /// What stands there.
    pub value: GivenValue,
}

/// A value that a stub gives.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum GivenValue {
    /// `null`.
    Null,
    /// An empty `Optional`, collection or text.
    Empty,
    /// An `Optional` or a collection that holds something.
    Present,
    /// A boolean, a number or a text.
    Is(Value),
    /// A constant of an enum, by its name.
    Constant(String),
    /// It fails with an exception of this class.
    Throws(String),
}

/// A request with what it is answered where an assumption is so.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Read {
    /// The operation.
    pub op_id: OpId,
    /// The user.
    #[serde(rename = "as")]
    pub as_user: String,
    /// The request.
    pub input: Input,
    /// What must be seen.
    pub assertions: Vec<Assertion>,
}

impl Read {
    /// The id of an oracle that sends the same request.
    pub fn id(&self) -> String {
        identity(&self.op_id, &self.as_user, &self.input)
    }
}

impl Stub {
    /// The stub of a call that gives these values.
    pub fn giving(call: &str, gives: Vec<Gives>) -> Self {
        let parts: Vec<String> = gives.iter().map(part).collect();
        let when = format!("{} {}", short(call), parts.join(", "));
        Self::of(call, gives, when)
    }

    /// The stub of a call that gives these values, with its condition in words.
    pub fn of(call: &str, gives: Vec<Gives>, when: String) -> Self {
        let key = format!("{call} gives {}", serde_json::to_string(&gives).unwrap_or_default());
        Self { id: Hash::of(key.as_bytes()).short(8), calls: vec![call.to_owned()], when, gives }
    }
}

/// One value in the result of a call, in words.
pub fn part(gives: &Gives) -> String {
    let value = match &gives.value {
        GivenValue::Null => "null".to_owned(),
        GivenValue::Empty => "empty".to_owned(),
        GivenValue::Present => "there".to_owned(),
        GivenValue::Is(value) => value.to_string(),
        GivenValue::Constant(name) => name.clone(),
        GivenValue::Throws(class) => return format!("fails with {}", class.rsplit('.').next().unwrap_or_default()),
    };
    let steps = gives.at.split('.').map(|step| step.trim_start_matches("[0]").trim_start_matches("get()"));
    let steps: Vec<&str> = steps.filter(|step| !step.is_empty()).collect();
    match (steps.is_empty(), &gives.value) {
        (true, GivenValue::Empty) => "finds nothing".to_owned(),
        (true, GivenValue::Null) => "gives null".to_owned(),
        (true, _) => format!("is {value}"),
        (false, _) => format!("its {} is {value}", steps.join(".")),
    }
}

/// A call by the simple name of its class, without parameters: `Rows.find`.
pub fn short(call: &str) -> String {
    let (class, method) = call.rsplit_once('#').unwrap_or(("", call));
    let class = class.rsplit(['.', '$']).next().unwrap_or_default();
    let method = method.split('(').next().unwrap_or_default();
    format!("{class}.{method}")
}
