//! Oracles as slices: what each asks of the harness, what its stubs give, and what its answer says of it
//! (ARCHITECTURE.md, *Slices*).

use base64::Engine as _;

use crate::probe::job::{Job, Standing};
use crate::probe::judge::{Captures, judge};
use crate::publish::slices::missed;
use crate::types::events::Event;
use crate::types::oracle::{Assertion, Check, FieldOp, GivenValue, Gives, Oracle, Source};
use crate::types::outcome::{Answer, Outcome, RunVerdict};
use crate::types::request::{ANONYMOUS, percent};
use crate::types::slices::Sliced;

/// The header by which a request says what stubs give.
const GIVEN: &str = "X-Mastor-Given";
/// The header by which the harness says that an answer proves nothing.
pub(super) const INCONCLUSIVE: &str = "x-mastor-inconclusive";
/// The header by which it says what no code of the project caught.
pub(super) const THROWN: &str = "x-mastor-thrown";
/// The header by which a request says which calls it expects that change what is outside, and an answer which ones were made.
pub(super) const EVENTS: &str = "X-Mastor-Events";
/// The header by which the harness names a call that was expected and not made.
const MISSED: &str = "X-Mastor-Missed";
/// The header by which it names the view that would be rendered.
pub(super) const VIEW: &str = "x-mastor-view";
/// The header by which it names the calls that stubs answered, and how many it names.
pub(super) const CALLS: &str = "x-mastor-calls";
const MOST_CALLS: usize = 50;

/// Exceptions that stand for any.
const ANY_FAILURE: [&str; 3] = ["java.lang.RuntimeException", "java.lang.Exception", "java.lang.Throwable"];

/// Why an oracle makes no slice: it says something of what a slice leaves out, or needs what a stub does not give.
pub(super) fn left_out(oracle: &Oracle) -> Option<&'static str> {
    if oracle.given.iter().any(|given| given.row.is_some() || given.state.is_some()) {
        return Some("it rests on what the service starts with");
    }
    if oracle.given.iter().filter_map(|given| given.stub.as_ref()).any(|stub| stub.calls.is_empty()) {
        return Some("it rests on what the framework hands over");
    }
    // A caller whom nobody knows may be sent to a page to log in.
    let sends_to_log_in = oracle.assertions.iter().any(|assertion| match &assertion.check {
        Check::Header { name, expected: Some(expected), .. } => {
            name.eq_ignore_ascii_case("Location") && expected.to_string().contains("/login")
        }
        _ => false,
    });
    if sends_to_log_in || oracle.statuses().iter().any(|status| matches!(status, 401 | 403)) {
        return Some("who is let in is not asked in a slice");
    }
    None
}

/// An oracle as a request to the harness.
pub(super) fn job(oracle: &Oracle) -> Job {
    Job { standing: Standing::Candidate, ..Job::of_oracle(&as_request(oracle)) }
}

/// The oracle as it asks the harness: headers say what stubs give and which calls are expected, nobody logs in, and nothing is given or assumed any more.
pub(super) fn as_request(oracle: &Oracle) -> Oracle {
    let mut asked = Oracle { as_user: ANONYMOUS.to_owned(), given: Vec::new(), assumes: Vec::new(), ..oracle.clone() };
    asked.confirmation.fresh_state = false;
    let given = given(oracle);
    if !given.is_empty() {
        let text = base64::engine::general_purpose::STANDARD.encode(given);
        asked.input.headers.push((GIVEN.to_owned(), text));
    }
    if let Some(text) = expected(&oracle.events) {
        asked.input.headers.push((EVENTS.to_owned(), text));
        let check = Check::Header { name: MISSED.to_owned(), op: FieldOp::Absent, expected: None };
        asked.assertions.push(Assertion { check, source: Source::Observed });
    }
    asked
}

/// What a request says of the calls that it expects; `None` where it expects none.
pub(super) fn expected(events: &[Event]) -> Option<String> {
    let lines: Vec<String> = events.iter().map(|event| event.lines().join("\n")).collect();
    let text = lines.join("\n\n");
    (!text.is_empty()).then(|| base64::engine::general_purpose::STANDARD.encode(text))
}

/// What stubs give, a line each: the call, where in what it gives, the kind of value, the value.
fn given(oracle: &Oracle) -> String {
    let stubs = oracle.given.iter().filter_map(|given| given.stub.as_ref());
    // Nothing stands for a method of which the class is not known.
    let known: Vec<&Gives> = stubs.flat_map(|stub| &stub.gives).filter(|gives| !gives.call.starts_with('?')).collect();
    // That a call fails says less than what it fails with.
    let is_any =
        |gives: &Gives| matches!(&gives.value, GivenValue::Throws(class) if ANY_FAILURE.contains(&class.as_str()));
    let is_told = |gives: &Gives| {
        let of_call = known.iter().filter(|other| other.call == gives.call);
        of_call.filter(|other| matches!(other.value, GivenValue::Throws(_))).any(|other| !is_any(other))
    };
    let known = known.iter().filter(|gives| !(is_any(gives) && is_told(gives)));
    let lines = known.filter_map(|gives| {
        let (kind, value) = match &gives.value {
            GivenValue::Null => ("null", String::new()),
            GivenValue::Empty => ("empty", String::new()),
            GivenValue::Present => ("present", String::new()),
            GivenValue::Constant(name) => ("enum", name.clone()),
            GivenValue::Throws(class) => ("throws", class.clone()),
            GivenValue::Is(value) => match value {
                serde_json::Value::Bool(value) => ("bool", value.to_string()),
                serde_json::Value::Number(value) if value.is_f64() => ("double", value.to_string()),
                serde_json::Value::Number(value) => ("long", value.to_string()),
                serde_json::Value::String(value) => ("text", value.clone()),
                _ => return None,
            },
        };
        let fields = [method(&gives.call), gives.at.clone(), kind.to_owned(), value];
        Some(fields.map(|field| percent(&field)).join("\t"))
    });
    let mut lines: Vec<String> = lines.collect();
    lines.dedup();
    lines.join("\n")
}

/// A call as the harness names it: `com.acme.Rows#find`.
fn method(call: &str) -> String {
    let name = call.split(['(', '/']).next().unwrap_or(call);
    match (name.contains('#'), name.rsplit_once('.')) {
        (false, Some((ty, method))) => format!("{ty}#{method}"),
        _ => name.to_owned(),
    }
}

/// What an outcome says of an oracle.
pub(super) fn judged(oracle: &Oracle, outcome: &Outcome) -> Sliced {
    let answer = answers(std::slice::from_ref(outcome)).pop();
    let says = |name: &str| answer.as_ref().and_then(|answer| header(answer, name));
    if let Some(why) = says(INCONCLUSIVE) {
        return told(oracle, RunVerdict::Inconclusive, Some(why), None);
    }
    // What a view makes of its model is not seen: no more is known than the status and where a client is sent.
    let is_seen = |one: &Assertion| matches!(&one.check, Check::Status { .. } | Check::Header { .. });
    if says(VIEW).is_some() && !oracle.assertions.iter().all(is_seen) {
        return told(oracle, RunVerdict::Inconclusive, Some("a view is not rendered".to_owned()), None);
    }
    if let Some(why) = unasked(oracle, outcome.verdict, says(CALLS).as_deref().unwrap_or_default()) {
        return told(oracle, RunVerdict::Inconclusive, Some(why), None);
    }
    // Where the answer is another one too, that is told.
    let holds = answer.as_ref().is_some_and(|answer| judge(&oracle.assertions, answer, &Captures::new()).is_empty());
    if let Some(call) = says(&MISSED.to_ascii_lowercase()).filter(|_| holds) {
        let event = oracle.events.iter().find(|event| event.call == call);
        let told = event.map(|event| format!("no call of {}({})", event.name(), event.handed()));
        return self::told(oracle, RunVerdict::Refuted, None, told);
    }
    let thrown = says(THROWN).map(|what| format!("nothing caught {what}"));
    told(oracle, outcome.verdict, outcome.reason.clone().or(thrown), missed(outcome))
}

/// Says which stub the code never called, though the oracle says what it gives: the slice took another path than the oracle is about. Pure calls of
/// libraries run for real and reach no stub; they count only where the oracle does not hold.
fn unasked(oracle: &Oracle, verdict: RunVerdict, calls: &str) -> Option<String> {
    if calls.split("; ").count() >= MOST_CALLS {
        return None;
    }
    let stubs = oracle.given.iter().filter_map(|given| given.stub.as_ref());
    let is_wanted = |call: &&String| call.contains('#') || verdict == RunVerdict::Refuted;
    let mut wanted = stubs.flat_map(|stub| &stub.gives).map(|gives| &gives.call).filter(is_wanted);
    let is_made =
        |call: &String| method(call).rsplit('#').next().is_some_and(|name| calls.contains(&format!(".{name}/")));
    let missed = wanted.find(|call| !is_made(call))?;
    Some(format!("{} was not asked of a stub", short(missed)))
}

/// A call by the simple name of its class.
fn short(call: &str) -> String {
    let method = method(call);
    let cut = method.split('#').next().and_then(|class| class.rfind('.')).map_or(0, |dot| dot + 1);
    method[cut..].replace('#', ".")
}

/// A verdict, with why.
pub(super) fn told(oracle: &Oracle, verdict: RunVerdict, reason: Option<String>, missed: Option<String>) -> Sliced {
    Sliced {
        o_id: oracle.o_id.clone(),
        op_id: oracle.op_id.clone(),
        test_id: oracle.test_id.clone(),
        given: oracle.given.iter().map(|given| given.what()).collect(),
        verdict,
        reason,
        missed,
    }
}

/// The last answer of each outcome.
pub(super) fn answers(outcomes: &[Outcome]) -> Vec<Answer> {
    let last = outcomes.iter().filter_map(|outcome| outcome.exchanges.last());
    last.filter_map(|exchange| exchange.answer.as_ref().ok().cloned()).collect()
}

/// A header of an answer.
pub(super) fn header(answer: &Answer, name: &str) -> Option<String> {
    answer.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone())
}

#[cfg(test)]
mod tests {
    use super::method;

    #[test]
    fn a_call_is_named_by_its_class_and_method() {
        assert_eq!(method("a.Rows#find(long)"), "a.Rows#find");
        assert_eq!(method("org.acme.Client.fetch/1"), "org.acme.Client#fetch");
    }
}
