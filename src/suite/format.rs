//! The file format of suite files: JSON with sorted keys, indented by two spaces, with a newline at the end.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::error::SuiteError;
use super::renew::renew;
use mastor_types::hash::Hash;
use mastor_types::suite::input::in_order;
use mastor_types::suite::oracle::Oracle;
use mastor_types::suite::sequence::Sequence;
use mastor_types::suite::source_context::SourceContext;

/// Version of the suite files.
pub const SCHEMA_VERSION: u32 = 2;

/// `.mastor/suite/<slug>.json`: source context and oracles of one operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SuiteFile {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// What the source says of the operation.
    pub context: SourceContext,
    /// Its oracles, by `test_id`.
    pub oracles: Vec<Oracle>,
    /// Changes that were taken which no oracle of the time spoke against, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accepted: Vec<Decision>,
    /// Candidates that the service refuted, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refuted: Vec<RefutedCandidate>,
    /// Assumptions that the service refuted, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<RefutedAssumption>,
}

/// An assumption that the service refuted: nothing that rests on it is offered while the code that it is about is the same.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RefutedAssumption {
    /// The assumption's id, which holds the hash of the code that it is about.
    pub id: String,
    /// What was assumed.
    pub what: String,
    /// What was seen instead.
    pub seen: String,
}

/// A candidate that the service refuted: it is not offered again while the code is the same.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RefutedCandidate {
    /// The oracle's id: what was asked.
    pub id: String,
    /// Hash of what it expected: another expectation is another candidate.
    pub expected: Hash,
    /// Fingerprint of the operation that it was made from.
    pub made_from: Hash,
}

/// A change of behaviour that somebody has taken.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// What the change is known by, derived and seen alike.
    pub id: String,
    /// How often it was taken: a change that was undone and made again is taken again.
    pub times: u32,
    /// The change, in one sentence.
    pub what: String,
}

/// `.mastor/suite/sequences/<slug>.json`: the sequences that start with one operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SequenceFile {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The sequences, by `test_id`.
    pub sequences: Vec<Sequence>,
}

/// Serialises a file; equal values give equal bytes on every machine.
pub fn to_bytes<T: Serialize>(value: &T) -> Vec<u8> {
    // Serialising these types cannot fail: keys are strings and no number is NaN.
    let value = serde_json::to_value(value).unwrap_or(Value::Null);
    let mut text = serde_json::to_string_pretty(&in_order(&value)).unwrap_or_default();
    text.push('\n');
    text.into_bytes()
}

/// Whether the file holds conflict markers of a merge.
pub fn has_conflict(bytes: &[u8]) -> bool {
    bytes.windows(8).any(|w| w == b"<<<<<<< ")
}

/// Parses a file of this or an older version.
///
/// # Errors
/// [`SuiteError::Newer`] where `schema_version` is higher than [`SCHEMA_VERSION`], otherwise [`SuiteError::Damaged`].
pub fn from_bytes<T: DeserializeOwned>(path: &str, bytes: &[u8]) -> Result<T, SuiteError> {
    let damaged = |reason: String| SuiteError::Damaged { path: path.to_owned(), reason };
    if has_conflict(bytes) {
        return Err(damaged(
            "it holds conflict markers of a merge; take either side and run `mastor generate`".to_owned(),
        ));
    }
    let mut value: Value = serde_json::from_slice(bytes).map_err(|e| damaged(e.to_string()))?;
    match value.get("schema_version").and_then(Value::as_u64) {
        Some(found) if found > u64::from(SCHEMA_VERSION) => {
            return Err(SuiteError::Newer { path: path.to_owned(), found, known: SCHEMA_VERSION });
        }
        Some(found) if found < u64::from(SCHEMA_VERSION) => {
            renew(&mut value, found);
            value["schema_version"] = Value::from(SCHEMA_VERSION);
        }
        Some(_) => {}
        None => return Err(damaged("it has no `schema_version`".to_owned())),
    }
    serde_json::from_value(value).map_err(|e| damaged(e.to_string()))
}
