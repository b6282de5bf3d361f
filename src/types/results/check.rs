//! The result of `mastor check`: the verdict of each oracle, with the requests and answers of those that did not hold.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ignored::Ignored;
use super::outcome::RunVerdict;
use crate::op_id::OpId;

/// The fields of `mastor check`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct CheckFields {
    /// Where the service was asked.
    pub base_url: String,
    /// Every oracle and sequence, in the order of the suite.
    pub oracles: Vec<CheckedOracle>,
    /// Number of oracles by verdict; every verdict is there.
    pub counts: BTreeMap<String, usize>,
    /// How many of those that held broke at first, and held on fresh state.
    pub unsteady: usize,
    /// Entries of `[[ignore]]` in force: what they name was not run, or not judged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignored: Vec<Ignored>,
    /// Why the run ended early or cannot be concluded from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
    /// Seconds the run took; not in files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Seconds of it that the service took, summed over the oracles; not in files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_seconds: Option<f64>,
}

impl CheckFields {
    /// Number of oracles with this verdict.
    pub fn count(&self, verdict: RunVerdict) -> usize {
        self.counts.get(verdict.as_str()).copied().unwrap_or_default()
    }

    /// A copy without the values that differ from run to run.
    #[must_use]
    pub fn without_times(&self) -> Self {
        Self { seconds: None, service_seconds: None, ..self.clone() }
    }
}

/// What came of one oracle or sequence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CheckedOracle {
    /// `o_id` or `s_id`.
    pub id: String,
    /// The operations of its steps.
    pub op_ids: Vec<OpId>,
    /// Readable name.
    pub test_id: String,
    /// The verdict.
    pub verdict: RunVerdict,
    /// Why, where no failure says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What was expected and not seen; null where nothing was missed.
    pub failure: Option<Failing>,
}

/// What was expected and not seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Failing {
    /// The step that failed, from 1; an oracle has one.
    pub step: usize,
    /// Its operation.
    pub op_id: OpId,
    /// The user it was sent as.
    #[serde(rename = "as")]
    pub as_user: String,
    /// The first expectation that was not met, in words.
    pub expected: String,
    /// What was seen instead.
    pub seen: String,
    /// Further expectations of this step that were not met.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<Unmet>,
    /// What came back; null where no answer came.
    pub answer: Option<AnswerView>,
    /// The requests of all steps up to the one that failed, as `curl`.
    pub requests: Vec<String>,
    /// The code that the expectation rests on.
    pub evidence: Vec<EvidenceView>,
    /// The command that sends the requests again.
    pub replay: String,
}

/// One expectation and what was seen instead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Unmet {
    /// In words.
    pub expected: String,
    /// Instead.
    pub seen: String,
}

/// An answer, its body cut to what is shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AnswerView {
    /// Status code.
    pub status: u16,
    /// Headers in order.
    pub headers: Vec<(String, String)>,
    /// The body as text.
    pub body: String,
    /// Whether the body goes on.
    pub cut: bool,
}

/// Code that is cited: where it stands now, or why it is not shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EvidenceView {
    /// The cited symbol.
    pub symbol: String,
    /// Path from the repository's root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// First line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The cited text, of what is broken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Why it is not shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<String>,
}
