//! What a check has shown, as an object: the verdict of each oracle and, where it did not hold, all that is needed to see why.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::curl::curl;
use super::explain::Cited;
use super::words;
use crate::types::op_id::OpId;
use crate::types::oracle::Assertion;
use crate::types::outcome::{Answer, Exchange, Expected, Miss, Outcome, RunVerdict};

/// Bytes of an answer's body that are shown.
const BODY: usize = 2000;

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

impl CheckFields {
    /// The object over these outcomes; `cited` gives the evidence of the oracle of this id.
    pub fn new(base_url: &str, outcomes: &[Outcome], cited: impl Fn(&str) -> Vec<Cited>) -> Self {
        let counts = RunVerdict::ALL
            .into_iter()
            .map(|verdict| (verdict.as_str().to_owned(), outcomes.iter().filter(|o| o.verdict == verdict).count()))
            .collect();
        let oracles = outcomes.iter().map(|outcome| checked(outcome, &cited)).collect();
        Self { base_url: base_url.to_owned(), oracles, counts, ..Self::default() }
    }

    /// The number of oracles with this verdict.
    pub fn count(&self, verdict: RunVerdict) -> usize {
        self.counts.get(verdict.as_str()).copied().unwrap_or_default()
    }

    /// The same without what differs from run to run.
    #[must_use]
    pub fn without_times(&self) -> Self {
        Self { seconds: None, service_seconds: None, ..self.clone() }
    }
}

fn checked(outcome: &Outcome, cited: &impl Fn(&str) -> Vec<Cited>) -> CheckedOracle {
    CheckedOracle {
        id: outcome.id.clone(),
        op_ids: outcome.op_ids.clone(),
        test_id: outcome.test_id.clone(),
        verdict: outcome.verdict,
        reason: outcome.reason.clone(),
        failure: failing(outcome, cited),
    }
}

fn failing(outcome: &Outcome, cited: &impl Fn(&str) -> Vec<Cited>) -> Option<Failing> {
    let first = outcome.misses.first()?;
    let exchange = outcome.exchanges.iter().find(|exchange| exchange.step == first.step);
    let more = outcome.misses.iter().skip(1).map(|miss| Unmet { expected: expected(miss), seen: miss.seen.clone() });
    Some(Failing {
        step: first.step + 1,
        op_id: outcome.op_ids.get(first.step).or(outcome.op_ids.first())?.clone(),
        as_user: exchange.map(|exchange| exchange.as_user.clone()).unwrap_or_default(),
        expected: expected(first),
        seen: first.seen.clone(),
        more: more.collect(),
        answer: exchange.and_then(|exchange| exchange.answer.as_ref().ok()).map(answer),
        requests: outcome.exchanges.iter().map(curl).collect(),
        evidence: cited(&outcome.id).iter().map(|cited| evidence(cited, outcome.verdict)).collect(),
        replay: format!("mastor replay {}", outcome.id),
    })
}

/// What a miss expected, in words, with the concrete place where that says more.
pub fn expected(miss: &Miss) -> String {
    match &miss.expected {
        Expected::Assertion { check, .. } => {
            let clause = words::assertion(&Assertion::derived(check.clone()));
            let told = miss.at.is_empty() || clause.starts_with(&miss.at);
            if told { clause } else { format!("{clause}, at {}", miss.at) }
        }
        Expected::Capture { name, from } => format!("a value for `{name}` at {from}"),
        Expected::Answer => "an answer".to_owned(),
    }
}

/// An answer, its body cut to what is shown.
pub fn answer(answer: &Answer) -> AnswerView {
    let text = answer.text();
    let end = (0..=BODY.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    AnswerView {
        status: answer.status,
        headers: answer.headers.clone(),
        body: text[..end].to_owned(),
        cut: answer.cut || end < text.len(),
    }
}

/// Only what is broken needs a decision, and so the text itself: a first run may well refute hundreds.
fn evidence(cited: &Cited, verdict: RunVerdict) -> EvidenceView {
    let in_full = verdict == RunVerdict::Broken;
    match cited {
        Cited::Found(excerpt) => EvidenceView {
            symbol: excerpt.symbol.clone(),
            file: Some(excerpt.path.clone()),
            line: excerpt.text.get(..excerpt.span.start).map(|before| before.matches('\n').count() + 1),
            source: excerpt.text.get(excerpt.span.clone()).filter(|_| in_full).map(str::to_owned),
            lost: None,
        },
        Cited::Lost { symbol, reason } => {
            EvidenceView { symbol: symbol.clone(), file: None, line: None, source: None, lost: Some(reason.clone()) }
        }
    }
}

/// The exchanges of a run as `curl`, each with what came of it in one line.
pub fn came_of(exchange: &Exchange) -> String {
    match &exchange.answer {
        Ok(answer) => format!("{} in {:.1} ms", answer.status, answer.millis),
        Err(no_answer) => no_answer.to_string(),
    }
}
