//! Observe: extends a confirmed oracle by assertions on the whole stable answer (`"source": "observed"`).

use serde_json::{Value, json};

use super::field_path::{Lies, child, element, lies};
use super::judge::Parsed;
use super::select::kind;
use super::unstable::{Moment, Unstable, Variation};
use crate::auth::secret::MASK;
use mastor_types::results::outcome::Answer;
use mastor_types::suite::assertion::{Assertion, BodyOp, Check, FieldOp, Source, StatusSet};
use mastor_types::suite::oracle::Oracle;

/// A part of a body with at most this many values is asserted value by value, so that failures name the field; a larger
/// part as a whole.
const LEAVES: usize = 24;
/// A larger body is asserted by its structure only, to keep the suite readable. In bytes.
const BYTES: usize = 32 * 1024;

/// Assertions on the stable parts of an answer that the oracle does not have yet.
///
/// `answer` is one of those that confirmed the oracle, `varies` the places that differed between them.
pub fn observed(oracle: &Oracle, answer: &Answer, varies: &[Unstable], moment: &Moment) -> Vec<Assertion> {
    let mut out = Vec::new();
    if oracle.statuses().len() != 1 {
        out.push(Check::Status { expected: StatusSet::One(answer.status) });
    }
    if let Some(location) = answer.header("location")
        && moment.class(&json!(location)).is_none()
        && !location.contains(MASK)
        && !varies.iter().any(|one| matches!(one.why, Variation::Counter | Variation::Identifier))
    {
        out.push(Check::Header { name: "Location".to_owned(), op: FieldOp::Equals, expected: Some(json!(location)) });
    }
    // A URL on the service's own address: the port differs between runs, so only the rest is asserted.
    if let Some(own) =
        answer.header("location").and_then(|text| text.split_once("://")?.1.strip_prefix(&moment.authority))
        && is_named(own)
        && moment.class(&json!(own)).is_none()
        && !own.contains(MASK)
    {
        out.push(Check::Header { name: "Location".to_owned(), op: FieldOp::Contains, expected: Some(json!(own)) });
    }
    if answer.body.is_empty() && !answer.cut {
        out.push(Check::Body { op: BodyOp::Empty, expected: None });
    } else if !answer.media_type().is_empty() {
        out.push(Check::Body { op: BodyOp::MediaType, expected: Some(answer.media_type()) });
    }
    if let Some(body) = Parsed::of(answer).into_value().filter(|_| !answer.cut) {
        let small = answer.body.len() <= BYTES;
        Seen { varies, small, out: &mut out }.value("", &body);
    }
    if moment.asking.contains(&oracle.op_id) {
        out.retain(|check| matches!(check, Check::Status { .. } | Check::Body { .. }));
    }
    let said = |check: &Check| oracle.assertions.iter().any(|assertion| implies(&assertion.check, check));
    out.retain(|check| !said(check));
    out.into_iter().map(|check| Assertion { check, source: Source::Observed }).collect()
}

/// Whether a path has no generated part: no number, no long word with a digit.
fn is_named(path: &str) -> bool {
    let given = |segment: &str| {
        let digits = segment.bytes().filter(u8::is_ascii_digit).count();
        digits > 0 && (digits == segment.len() || segment.len() >= 16)
    };
    path.len() > 1 && !path.split(['/', '?', '=', '&']).any(given)
}

/// Whether a known assertion implies another: on the same place with the same operator, or by comparing the whole.
fn implies(known: &Check, check: &Check) -> bool {
    match (known, check) {
        (Check::Field { path: p, op: x, .. }, Check::Field { path: q, op: y, .. }) => match lies(q, p) {
            Lies::At => x == y || *x == FieldOp::Equals || (*x == FieldOp::IsNull && *y == FieldOp::Equals),
            Lies::Below => *x == FieldOp::Equals,
            _ => false,
        },
        (Check::Header { name: p, op: x, .. }, Check::Header { name: q, op: y, .. }) => {
            p.eq_ignore_ascii_case(q) && x == y
        }
        (known, check) => known == check,
    }
}

struct Seen<'a> {
    varies: &'a [Unstable],
    small: bool,
    out: &'a mut Vec<Check>,
}

impl Seen<'_> {
    fn value(&mut self, path: &str, value: &Value) {
        let here: Vec<&Unstable> = self.varies.iter().filter(|one| lies(path, &one.path) != Lies::Apart).collect();
        let at = here.iter().find(|one| matches!(lies(path, &one.path), Lies::At | Lies::Below));
        if let Some(at) = at {
            if at.why == Variation::Order && self.small && lies(path, &at.path) == Lies::At {
                let inside = here.iter().any(|one| lies(path, &one.path) == Lies::Above);
                match inside || is_masked(value) {
                    true => self.push(path, FieldOp::Length, value.as_array().map(|items| json!(items.len()))),
                    false => self.push(path, FieldOp::SameItems, Some(value.clone())),
                }
            } else if !at.comes_and_goes {
                self.push(path, FieldOp::Type, Some(json!(kind(value))));
            }
            return;
        }
        // A secret in the answer is masked, so there is no value to compare with.
        let masked = is_masked(value);
        let whole = here.is_empty() && self.small && !masked;
        if whole && !path.is_empty() && leaves(value) > LEAVES {
            self.push(path, FieldOp::Equals, Some(value.clone()));
            return;
        }
        match value {
            Value::Object(fields) => {
                let steady = |key: &String| {
                    !here.iter().any(|one| one.comes_and_goes && lies(&child(path, key), &one.path) == Lies::At)
                };
                if fields.keys().all(|key| steady(key) && !key.contains(MASK))
                    && !here.iter().any(|one| one.comes_and_goes && parent_is(&one.path, path))
                {
                    let mut keys: Vec<&String> = fields.keys().collect();
                    keys.sort();
                    self.push(path, FieldOp::Keys, Some(json!(keys)));
                }
                for (key, inner) in fields.iter().filter(|(key, _)| !key.is_empty() && !key.contains(MASK)) {
                    self.value(&child(path, key), inner);
                }
            }
            Value::Array(items) if whole && leaves(value) > LEAVES => {
                self.push(path, FieldOp::Equals, Some(Value::Array(items.clone())));
            }
            Value::Array(items) => {
                self.push(path, FieldOp::Length, Some(json!(items.len())));
                let shown = if self.small { items.len() } else { 1 };
                for (index, inner) in items.iter().take(shown).enumerate() {
                    self.value(&element(path, index), inner);
                }
            }
            Value::Null => self.push(path, FieldOp::IsNull, None),
            leaf if self.small && !masked => self.push(path, FieldOp::Equals, Some(leaf.clone())),
            leaf => self.push(path, FieldOp::Type, Some(json!(kind(leaf)))),
        }
    }

    fn push(&mut self, path: &str, op: FieldOp, expected: Option<Value>) {
        self.out.push(Check::Field { path: path.to_owned(), op, expected });
    }
}

/// Whether the value contains a mask.
fn is_masked(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains(MASK),
        Value::Array(items) => items.iter().any(is_masked),
        Value::Object(fields) => fields.iter().any(|(key, inner)| key.contains(MASK) || is_masked(inner)),
        _ => false,
    }
}

fn parent_is(inner: &str, outer: &str) -> bool {
    lies(inner, outer) == Lies::Below
        && super::field_path::steps(inner).len() == super::field_path::steps(outer).len() + 1
}

fn leaves(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(leaves).sum::<usize>().max(1),
        Value::Object(fields) => fields.values().map(leaves).sum::<usize>().max(1),
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::super::differ::differ;
    use super::*;
    use crate::runs::confirm::settle;
    use mastor_types::results::change::ChangeEffect;
    use mastor_types::suite::input::Input;
    use mastor_types::suite::oracle::{Confirmation, Confirmed, Effect, Origin, Strategy};
    use mastor_types::{Method, OpId};

    fn moment() -> Moment {
        Moment { now: 1_795_279_680, authority: "127.0.0.1:8080".to_owned(), ..Moment::default() }
    }

    fn answer(status: u16, body: &Value) -> Answer {
        Answer {
            status,
            headers: vec![("content-type".to_owned(), "application/json".to_owned())],
            body: body.to_string().into_bytes(),
            cut: false,
            millis: 1.0,
        }
    }

    fn oracle(checks: Vec<Check>) -> Oracle {
        let (op_id, input) = (OpId::new(Method::Get, "/orders"), Input::default());
        Oracle {
            o_id: Oracle::identity(&op_id, "anonymous", &input),
            op_id,
            test_id: "fv_plain".to_owned(),
            description: String::new(),
            strategy: Strategy::Fv,
            as_user: "anonymous".to_owned(),
            input,
            assertions: checks.into_iter().map(Assertion::derived).collect(),
            events: Vec::new(),
            effect: Effect::Reads,
            given: Vec::new(),
            assumes: Vec::new(),
            evidence: Vec::new(),
            rationale: String::new(),
            origin: Origin::rules(),
            confirmation: Confirmation::none(),
        }
    }

    #[test]
    fn where_a_client_is_sent_on_is_told_without_the_services_address() {
        let sent = |url: &str| {
            let mut sent = answer(201, &json!({}));
            sent.headers.push(("location".to_owned(), url.to_owned()));
            vec![sent.clone(), sent]
        };
        let at = |port: &str| Moment { authority: format!("127.0.0.1:{port}"), ..moment() };
        let (old, new) = (sent("http://127.0.0.1:1/orders/blue"), sent("http://127.0.0.1:2/order/blue"));
        let differences = differ(&old, &new, &at("1"), &at("2"));
        assert_eq!(differences.len(), 1);
        assert_eq!((differences[0].place.as_str(), differences[0].effect), ("header Location", ChangeEffect::Breaking));
        assert_eq!(differences[0].after.as_deref(), Some("/order/blue"));
        let (old, new) = (sent("http://127.0.0.1:1/orders/17"), sent("http://127.0.0.1:2/orders/18"));
        assert!(differ(&old, &new, &at("1"), &at("2")).is_empty());
        let locations = |url: &str| {
            let seen = observed(&oracle(vec![status(201)]), &sent(url)[0], &[], &at("1"));
            seen.into_iter()
                .filter(|one| matches!(one.check, Check::Header { .. }))
                .map(|one| one.check)
                .collect::<Vec<_>>()
        };
        let contains = |path: &str| Check::Header {
            name: "Location".to_owned(),
            op: FieldOp::Contains,
            expected: Some(json!(path)),
        };
        assert_eq!(locations("http://127.0.0.1:1/orders/blue"), [contains("/orders/blue")]);
        assert!(locations("http://127.0.0.1:1/orders/17").is_empty());
    }

    fn status(code: u16) -> Check {
        Check::Status { expected: StatusSet::One(code) }
    }

    fn equals(path: &str, value: Value) -> Check {
        Check::Field { path: path.to_owned(), op: FieldOp::Equals, expected: Some(value) }
    }

    #[test]
    fn what_another_service_gave_is_not_asserted() {
        let (question, body) = (oracle(vec![status(200)]), json!({"rate": 0, "source": "fallback"}));
        let alone = observed(&question, &answer(200, &body), &[], &moment());
        assert!(alone.iter().any(|one| matches!(one.check, Check::Field { .. })), "{alone:?}");
        let asking = moment().with_asking(&std::sync::Arc::new([question.op_id.clone()].into()));
        let seen = observed(&question, &answer(200, &body), &[], &asking);
        assert!(!seen.is_empty() && seen.iter().all(|one| matches!(one.check, Check::Body { .. })), "{seen:?}");
    }

    #[test]
    fn a_value_behind_a_mask_is_not_compared() {
        let body = json!({"owner": "ada.***@example.com", "id": 7, "tags": ["***", "b"]});
        let seen = observed(&oracle(vec![status(200)]), &answer(200, &body), &[], &moment());
        let about = |path: &str| -> Vec<FieldOp> {
            let ops = seen.iter().filter_map(|assertion| match &assertion.check {
                Check::Field { path: at, op, .. } if at == path => Some(*op),
                _ => None,
            });
            ops.collect()
        };
        assert_eq!(about("owner"), [FieldOp::Type]);
        assert_eq!(about("tags[0]"), [FieldOp::Type]);
        assert_eq!(about("tags[1]"), [FieldOp::Equals]);
        assert_eq!(about("id"), [FieldOp::Equals]);
        let owner = oracle(vec![status(200), equals("owner", json!("ada.secret@example.com"))]);
        let settled = settle(&owner, &[answer(200, &body), answer(200, &body)], &moment());
        assert_eq!(settled.oracle.confirmation.state, Confirmed::Confirmed);
        assert_eq!(settled.oracle.assertions, [Assertion::derived(status(200))]);
    }

    #[test]
    fn what_varies_is_quarantined_and_the_oracle_stays() {
        let answers = [
            answer(200, &json!({"id": 1, "tags": ["a", "b"], "ok": true})),
            answer(200, &json!({"id": 2, "tags": ["b", "a"], "ok": true})),
        ];
        let candidate = oracle(vec![
            status(200),
            equals("id", json!(1)),
            equals("tags", json!(["a", "b"])),
            equals("ok", json!(true)),
        ]);
        let settled = settle(&candidate, &answers, &moment());
        assert_eq!(settled.oracle.confirmation.state, Confirmed::Confirmed);
        let set = Check::Field { path: "tags".to_owned(), op: FieldOp::SameItems, expected: Some(json!(["a", "b"])) };
        let checks: Vec<Check> = settled.oracle.assertions.iter().map(|a| a.check.clone()).collect();
        assert_eq!(checks, [status(200), set, equals("ok", json!(true))]);
        let why: Vec<String> =
            settled.oracle.confirmation.quarantined.iter().map(|q| format!("{} {}", q.path, q.why)).collect();
        assert_eq!(why, ["id counter", "tags order"]);
    }

    #[test]
    fn an_order_that_varies_excuses_no_length() {
        let length = Check::Field { path: "tags".to_owned(), op: FieldOp::Length, expected: Some(json!(2)) };
        let two = oracle(vec![length]);
        let moment = Moment { unordered: std::sync::Arc::new([two.op_id.clone()].into()), ..moment() };
        let of = |tags: Value| settle(&two, &[answer(200, &json!({"tags": tags}))], &moment);
        assert_eq!(of(json!(["b", "a"])).oracle.confirmation.state, Confirmed::Unconfirmed);
        assert_eq!(of(json!(["c", "b", "a"])).oracle.confirmation.state, Confirmed::Refuted);
    }

    #[test]
    fn what_never_holds_is_refuted_and_what_holds_sometimes_is_flaky() {
        let body = json!({"ok": true});
        let always = settle(&oracle(vec![status(404)]), &[answer(200, &body), answer(200, &body)], &moment());
        assert_eq!(always.oracle.confirmation.state, Confirmed::Refuted);
        assert_eq!(always.misses.len(), 1);
        let sometimes = settle(&oracle(vec![status(200)]), &[answer(200, &body), answer(503, &body)], &moment());
        assert_eq!(sometimes.oracle.confirmation.state, Confirmed::Flaky);
        let once = settle(&oracle(vec![status(200)]), &[answer(200, &body)], &moment());
        assert_eq!(once.oracle.confirmation.state, Confirmed::Unconfirmed);
    }

    #[test]
    fn the_stable_rest_of_an_answer_is_observed_and_never_what_is_derived() {
        let body = json!({"id": 7, "at": "2026-11-21T16:00:00Z", "lines": [{"sku": "A"}, {"sku": "B"}], "note": null});
        let answers = [answer(200, &body), answer(200, &body)];
        let settled = settle(&oracle(vec![status(200), equals("id", json!(7))]), &answers, &moment());
        let more = observed(&settled.oracle, &answers[1], &settled.unstable, &moment());
        assert!(more.iter().all(|assertion| assertion.source == Source::Observed));
        let words: Vec<String> = more
            .iter()
            .map(|assertion| match &assertion.check {
                Check::Field { path, op, expected } => {
                    format!("{path} {op:?} {}", expected.as_ref().map(ToString::to_string).unwrap_or_default())
                }
                other => format!("{other:?}"),
            })
            .collect();
        assert_eq!(
            words,
            [
                "Body { op: MediaType, expected: Some(\"application/json\") }",
                " Keys [\"at\",\"id\",\"lines\",\"note\"]",
                "at Type \"string\"",
                "lines Length 2",
                "lines[0] Keys [\"sku\"]",
                "lines[0].sku Equals \"A\"",
                "lines[1] Keys [\"sku\"]",
                "lines[1].sku Equals \"B\"",
                "note IsNull ",
            ]
        );
        let all: Vec<Assertion> = settled.oracle.assertions.iter().cloned().chain(more).collect();
        let held = super::super::judge::judge(&all, &answers[0], &super::super::judge::Captures::new());
        assert_eq!(held, []);
    }

    #[test]
    fn revisions_differ_where_nothing_varies() {
        let say = |old: &[Answer], new: &[Answer]| -> Vec<String> {
            let differences = differ(old, new, &moment(), &moment());
            let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
            differences
                .iter()
                .map(|d| format!("{} {} {} {:?}", d.place, value(&d.before), value(&d.after), d.effect))
                .collect()
        };
        let old = [answer(200, &json!({"id": 1, "n": 1, "old": 1})), answer(200, &json!({"id": 2, "n": 1, "old": 1}))];
        let new = [answer(200, &json!({"id": 9, "n": 2, "new": 1})), answer(200, &json!({"id": 9, "n": 2, "new": 1}))];
        assert_eq!(say(&old, &new), ["n 1 2 Breaking", "new - 1 Additive", "old 1 - Breaking"]);
        assert_eq!(say(&old, &old), [] as [String; 0]);
        assert_eq!(say(&old, &[answer(404, &json!({}))]), ["status 200 404 Breaking"]);
        let failing = [answer(400, &json!({})), answer(400, &json!({}))];
        assert_eq!(differ(&failing, &old, &moment(), &moment())[0].effect, ChangeEffect::Additive);
    }
}
