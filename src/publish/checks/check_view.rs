//! Builds the JSON object of a check from its outcomes.

use super::curl::curl;
use crate::terminal::explain::Cited;
use crate::wording::words;
use mastor_types::results::check::{AnswerView, CheckFields, CheckedOracle, EvidenceView, Failing, Unmet};
use mastor_types::results::outcome::{Answer, Exchange, Expected, Miss, Outcome, RunVerdict};
use mastor_types::suite::assertion::Assertion;

/// Maximum bytes shown of an answer's body.
const BODY: usize = 2000;

/// The object for these outcomes; `cited` returns the evidence of the oracle with an id.
pub fn check_fields(base_url: &str, outcomes: &[Outcome], cited: impl Fn(&str) -> Vec<Cited>) -> CheckFields {
    let counts = RunVerdict::ALL
        .into_iter()
        .map(|verdict| (verdict.as_str().to_owned(), outcomes.iter().filter(|o| o.verdict == verdict).count()))
        .collect();
    let oracles = outcomes.iter().map(|outcome| checked(outcome, &cited)).collect();
    CheckFields { base_url: base_url.to_owned(), oracles, counts, ..CheckFields::default() }
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

/// The missed expectation in words, with the concrete place if the path alone is ambiguous.
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

/// An answer with its body truncated.
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

/// Only broken oracles include their source text, since a first run may refute hundreds.
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

/// The result of an exchange on one line, to be shown below its `curl` command.
pub fn came_of(exchange: &Exchange) -> String {
    match &exchange.answer {
        Ok(answer) => format!("{} in {:.1} ms", answer.status, answer.millis),
        Err(no_answer) => no_answer.to_string(),
    }
}
