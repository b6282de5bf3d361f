//! What slices show of an oracle that holds, beyond what it expects: the whole stable answer, and the calls that change
//! something outside.

use base64::Engine as _;

use super::jobs::{CALLS, EVENTS, INCONCLUSIVE, VIEW, answers, header};
use mastor_probe::answers::judge::Parsed;
use mastor_probe::answers::observe;
use mastor_probe::answers::unstable::{Moment, unstable};
use mastor_types::results::outcome::{Answer, Outcome};
use mastor_types::suite::assertion::Assertion;
use mastor_types::suite::events::Event;
use mastor_types::suite::oracle::Oracle;

/// What was seen in every run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Observed {
    /// Further assertions.
    pub assertions: Vec<Assertion>,
    /// Calls that change something outside.
    pub events: Vec<Event>,
}

/// What an oracle that holds has shown in each of at least two runs; nothing if an answer is inconclusive or a server
/// error.
pub(super) fn observed(oracle: &Oracle, outcomes: &[Outcome], base_url: &str) -> Observed {
    let answers = answers(outcomes);
    let says_nothing = |answer: &Answer| header(answer, INCONCLUSIVE).is_some() || answer.status >= 500;
    if answers.len() < 2 || answers.iter().any(says_nothing) {
        return Observed::default();
    }
    let events = events(&answers);
    let first = &answers[0];
    // Stubs that the oracle does not name returned default values, which a service would not; of a view only the name is known.
    let of_stubs = !oracle.needs_stubs() && header(first, CALLS).is_some_and(|calls| !calls.is_empty());
    if of_stubs || header(first, VIEW).is_some() {
        return Observed { assertions: Vec::new(), events };
    }
    let moment = Moment::now(base_url);
    let bodies: Vec<_> = answers.iter().map(|answer| Parsed::of(answer).into_value()).collect();
    let assertions = observe::observed(oracle, first, &unstable(&bodies, &moment), &moment);
    Observed { assertions, events }
}

/// The calls that every answer reports, with the arguments that are equal in all of them.
pub(super) fn events(answers: &[Answer]) -> Vec<Event> {
    let mut all = answers.iter().map(of_answer);
    let first = all.next().unwrap_or_default();
    all.fold(first, |known, more| {
        // A call that only some answers report is dropped; the others keep their order.
        let mut open = more;
        let common = known.iter().filter_map(|event| {
            let at = open.iter().position(|other| other.call == event.call)?;
            event.in_common(&open.remove(at))
        });
        common.collect()
    })
}

fn of_answer(answer: &Answer) -> Vec<Event> {
    let text = header(answer, &EVENTS.to_ascii_lowercase());
    let bytes = text.and_then(|text| base64::engine::general_purpose::STANDARD.decode(text).ok());
    bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::jobs::expected;
    use super::*;

    fn answer(events: &[(&str, serde_json::Value)]) -> Answer {
        let one = |(call, argument): &(&str, serde_json::Value)| Event {
            call: (*call).to_owned(),
            arguments: vec![argument.clone()],
        };
        let all: Vec<Event> = events.iter().map(one).collect();
        let text = serde_json::to_string(&all).unwrap();
        let text = base64::engine::general_purpose::STANDARD.encode(text);
        Answer {
            status: 200,
            headers: vec![(EVENTS.to_ascii_lowercase(), text)],
            body: Vec::new(),
            cut: false,
            millis: 1.0,
        }
    }

    #[test]
    fn calls_that_are_made_each_time_count_with_what_is_the_same_of_them() {
        let first =
            answer(&[("a.Rows#save", json!({"id": 1, "at": "x"})), ("a.Mail#send", json!("ada")), ("a.B#c", json!(1))]);
        let second = answer(&[("a.Rows#save", json!({"id": 1, "at": "y"})), ("a.Mail#send", json!("ada"))]);
        let both = events(&[first, second]);
        let shown: Vec<String> = both.iter().map(|event| format!("{}({})", event.name(), event.handed())).collect();
        assert_eq!(shown, [r#"Rows.save({"id":1,"at":null})"#, r#"Mail.send("ada")"#]);
        let asked = base64::engine::general_purpose::STANDARD.decode(expected(&both).unwrap()).unwrap();
        assert_eq!(String::from_utf8(asked).unwrap(), "a.Rows#save\n/0/id\t1\n\na.Mail#send\n/0\t\"ada\"");
        assert_eq!(expected(&[]), None);
    }
}
