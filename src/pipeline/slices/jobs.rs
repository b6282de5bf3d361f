//! Oracles as slices: the request of each to the harness, what its stubs return, and its verdict (ARCHITECTURE.md,
//! *Slices*).

use base64::Engine as _;

use mastor_probe::answers::judge::{Captures, judge};
use mastor_probe::job::{Job, Standing};
use mastor_publish::checks::slices::missed;
use mastor_types::results::outcome::{Answer, Outcome, RunVerdict};
use mastor_types::results::slices::Sliced;
use mastor_types::suite::assertion::{Assertion, Check, FieldOp, Source};
use mastor_types::suite::events::Event;
use mastor_types::suite::given::{GivenValue, Gives};
use mastor_types::suite::oracle::Oracle;
use mastor_types::suite::request::{ANONYMOUS, percent};

/// Request header: what stubs return.
const GIVEN: &str = "X-Mastor-Given";
/// Answer header: the answer proves nothing.
pub(super) const INCONCLUSIVE: &str = "x-mastor-inconclusive";
/// Answer header: the exception that no code of the project caught.
pub(super) const THROWN: &str = "x-mastor-thrown";
/// Header for calls that change something outside: in a request the expected calls, in an answer those that were made.
pub(super) const EVENTS: &str = "X-Mastor-Events";
/// Answer header: an expected call that was not made.
const MISSED: &str = "X-Mastor-Missed";
/// Answer header: the view that would be rendered.
pub(super) const VIEW: &str = "x-mastor-view";
/// Answer header: the calls that stubs answered, and the most calls that it names.
pub(super) const CALLS: &str = "x-mastor-calls";
const MOST_CALLS: usize = 50;

/// Exceptions that stand for any exception.
const ANY_FAILURE: [&str; 3] = ["java.lang.RuntimeException", "java.lang.Exception", "java.lang.Throwable"];

/// Why an oracle cannot run as a slice: it is about something that a slice leaves out, or needs something that a stub
/// cannot return.
pub(super) fn left_out(oracle: &Oracle) -> Option<&'static str> {
    if oracle.given.iter().any(|given| given.row.is_some() || given.state.is_some()) {
        return Some("it rests on what the service starts with");
    }
    if oracle.given.iter().filter_map(|given| given.stub.as_ref()).any(|stub| stub.calls.is_empty()) {
        return Some("it rests on what the framework hands over");
    }
    // An unknown caller may be redirected to a login page.
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

/// The oracle as a request to the harness: headers carry what stubs return and which calls are expected, nobody logs
/// in, and givens and assumptions are removed.
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

/// The header text for the calls that a request expects; `None` if it expects none.
pub(super) fn expected(events: &[Event]) -> Option<String> {
    let lines: Vec<String> = events.iter().map(|event| event.lines().join("\n")).collect();
    let text = lines.join("\n\n");
    (!text.is_empty()).then(|| base64::engine::general_purpose::STANDARD.encode(text))
}

/// What stubs return, one value a line: the call, the place in the result, the kind of value, the value.
fn given(oracle: &Oracle) -> String {
    let stubs = oracle.given.iter().filter_map(|given| given.stub.as_ref());
    // A method of an unknown class has no stub.
    let known: Vec<&Gives> = stubs.flat_map(|stub| &stub.gives).filter(|gives| !gives.call.starts_with('?')).collect();
    // A specific exception of a call replaces a general one.
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

/// The verdict on an oracle by its outcome.
pub(super) fn judged(oracle: &Oracle, outcome: &Outcome) -> Sliced {
    let answer = answers(std::slice::from_ref(outcome)).pop();
    let says = |name: &str| answer.as_ref().and_then(|answer| header(answer, name));
    if let Some(why) = says(INCONCLUSIVE) {
        return told(oracle, RunVerdict::Inconclusive, Some(why), None);
    }
    // Views are not rendered: only the status and the headers are known then.
    let is_seen = |one: &Assertion| matches!(&one.check, Check::Status { .. } | Check::Header { .. });
    if says(VIEW).is_some() && !oracle.assertions.iter().all(is_seen) {
        return told(oracle, RunVerdict::Inconclusive, Some("a view is not rendered".to_owned()), None);
    }
    if let Some(why) = unasked(oracle, outcome.verdict, says(CALLS).as_deref().unwrap_or_default()) {
        return told(oracle, RunVerdict::Inconclusive, Some(why), None);
    }
    // If the answer differs too, that is reported instead.
    let holds = answer.as_ref().is_some_and(|answer| judge(&oracle.assertions, answer, &Captures::new()).is_empty());
    if let Some(call) = says(&MISSED.to_ascii_lowercase()).filter(|_| holds) {
        let event = oracle.events.iter().find(|event| event.call == call);
        let told = event.map(|event| format!("no call of {}({})", event.name(), event.handed()));
        return self::told(oracle, RunVerdict::Refuted, None, told);
    }
    let thrown = says(THROWN).map(|what| format!("nothing caught {what}"));
    told(oracle, outcome.verdict, outcome.reason.clone().or(thrown), missed(outcome))
}

/// Names a stub that the code never called although the oracle states its result: the slice took another path than the
/// oracle describes. Pure calls of libraries run for real and reach no stub; they count only if the oracle does not
/// hold.
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

/// A verdict on an oracle, with the reason.
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
