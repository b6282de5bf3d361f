//! Stubs in words: what a call gives, as a condition that a person reads.

use super::oracle::{GivenValue, Gives, Stub};
use crate::types::hash::Hash;

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
