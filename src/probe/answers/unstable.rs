//! Unstable values: finds where answers to the same request differ from run to run, and classifies the difference.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use regex::Regex;
use serde_json::Value;

use super::field_path::{child, element};
use super::moments::{epoch, seconds};
use mastor_types::OpId;
use mastor_types::suite::input::canonical;
use mastor_types::suite::oracle::Quarantined;

/// How a value varies between runs, or would between days.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variation {
    /// A date, a time or an age.
    Time,
    /// A generated identifier: a UUID, a token.
    Identifier,
    /// An array with its elements in another order.
    Order,
    /// Without a pattern, or present in some answers only.
    Random,
    /// A growing number.
    Counter,
    /// Host name or port of the machine.
    Host,
}

impl Variation {
    /// The name used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Identifier => "identifier",
            Self::Order => "order",
            Self::Random => "random",
            Self::Counter => "counter",
            Self::Host => "host",
        }
    }
}

/// A varying place in an answer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unstable {
    /// Field path; `""` is the whole body. Indices are replaced by `[*]`: if one element varies, none is trusted.
    pub path: String,
    /// Class of the variation.
    pub why: Variation,
    /// Whether it is missing in some answers, or is an array whose length varies.
    pub comes_and_goes: bool,
}

impl Unstable {
    /// The entry for an oracle's confirmation.
    pub fn quarantined(&self) -> Quarantined {
        Quarantined { path: self.path.clone(), why: self.why.as_str().to_owned() }
    }
}

/// Recognises values that depend on the moment of the run, such as times near now or the service's own address; they
/// vary even where a few runs agree.
#[derive(Debug, Clone, Default)]
pub struct Moment {
    /// Current time in seconds since 1970.
    pub now: i64,
    /// Host and port of the service: `127.0.0.1:8080`.
    pub authority: String,
    /// Operations whose code iterates over sets; the order of their arrays is arbitrary even where a few runs agree.
    pub unordered: Arc<BTreeSet<OpId>>,
    /// Whether the current operation is one of `unordered`.
    pub any_order: bool,
    /// Operations whose code calls other services, whose answers are not this service's behaviour.
    pub asking: Arc<BTreeSet<OpId>>,
}

/// Maximum distance in seconds for a time to count as near; covers services that format local dates.
const NEAR: i64 = 26 * 3600;

impl Moment {
    /// The current moment, for a service at this base URL.
    pub fn now(base_url: &str) -> Self {
        let now = jiff::Timestamp::now().as_second();
        let rest = base_url.split_once("://").map_or(base_url, |(_, rest)| rest);
        Self { now, authority: rest.split('/').next().unwrap_or_default().to_owned(), ..Self::default() }
    }

    /// Adds the operations that iterate over sets.
    #[must_use]
    pub fn with_sets(self, unordered: &Arc<BTreeSet<OpId>>) -> Self {
        Self { unordered: Arc::clone(unordered), ..self }
    }

    /// Adds the operations that call other services.
    #[must_use]
    pub fn with_asking(self, asking: &Arc<BTreeSet<OpId>>) -> Self {
        Self { asking: Arc::clone(asking), ..self }
    }

    /// The moment for answers of this operation.
    #[must_use]
    pub fn of(&self, op_id: &OpId) -> Self {
        Self { any_order: self.unordered.contains(op_id), ..self.clone() }
    }

    /// Whether a longer text contains a date within a day of now, such as `2026-11-21`.
    fn names_the_day(&self, text: &str) -> bool {
        text.len() >= 10
            && [-1, 0, 1].into_iter().any(|days| {
                let day = jiff::Timestamp::from_second(self.now + days * 24 * 3600);
                day.is_ok_and(|day| text.contains(&day.strftime("%Y-%m-%d").to_string()))
            })
    }

    fn is_near(&self, second: i64) -> bool {
        (second - self.now).abs() <= NEAR
    }

    /// The class of a value that depends on the moment of the run; `None` for others.
    pub fn class(&self, value: &Value) -> Option<Variation> {
        match value {
            Value::String(text) if !self.authority.is_empty() && text.contains(&self.authority) => {
                Some(Variation::Host)
            }
            Value::String(text) if is_trace(text) || tells_position(text) => Some(Variation::Host),
            Value::String(text) => {
                let whole = seconds(text).is_some_and(|s| self.is_near(s));
                (whole || self.names_the_day(text)).then_some(Variation::Time)
            }
            Value::Number(number) => epoch(number.as_f64()?).filter(|s| self.is_near(*s)).map(|_| Variation::Time),
            _ => None,
        }
    }
}

/// Whether a text gives a parser's position in the request, as Jackson (`line: 1, column: 59`), Gson (`at line 1 column
/// 5`), Yasson (`line no=1, column no=3`) and XML parsers (`lineNumber: 1; columnNumber: 1`) do. It depends on the
/// parser and its buffers.
fn tells_position(text: &str) -> bool {
    static POSITION: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?i)\bline(\s?(no|number|nr))?\s?[:=]?\s?\d+[,;]?\s?col(umn)?(\s?(no|number|nr))?\s?[:=]?\s?\d+")
            .ok()
    });
    POSITION.as_ref().is_some_and(|position| position.is_match(text))
}

/// The varying places in the bodies of answers to one request; `None` is an empty body.
pub fn unstable(bodies: &[Option<Value>], moment: &Moment) -> Vec<Unstable> {
    let mut found = BTreeSet::new();
    let there: Vec<&Value> = bodies.iter().flatten().collect();
    if there.len() < bodies.len() && !there.is_empty() {
        found.insert(Unstable { path: String::new(), why: Variation::Random, comes_and_goes: true });
    } else {
        walk("", &there, moment, &mut found);
    }
    found.into_iter().collect()
}

fn walk(path: &str, values: &[&Value], moment: &Moment, found: &mut BTreeSet<Unstable>) {
    let Some(first) = values.first() else { return };
    fn add(found: &mut BTreeSet<Unstable>, path: &str, why: Variation, comes_and_goes: bool) {
        found.insert(Unstable { path: path.to_owned(), why, comes_and_goes });
    }
    let objects: Option<Vec<_>> = values.iter().map(|v| v.as_object()).collect();
    if let Some(objects) = objects {
        let mut by_key: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
        for object in &objects {
            for (key, value) in *object {
                by_key.entry(key).or_default().push(value);
            }
        }
        for (key, inner) in by_key {
            let path = child(path, key);
            if inner.len() < objects.len() {
                add(found, &path, Variation::Random, true);
            } else {
                walk(&path, &inner, moment, found);
            }
        }
        return;
    }
    let arrays: Option<Vec<_>> = values.iter().map(|v| v.as_array()).collect();
    if let (Some(arrays), Some(one)) = (arrays, first.as_array()) {
        if is_frames(one) {
            add(found, path, Variation::Host, false);
            return;
        }
        if one.len() > 1 && moment.any_order && arrays.iter().all(|items| sorted(items) == sorted(one)) {
            add(found, path, Variation::Order, false);
        }
        if arrays.iter().any(|items| *items != one) {
            if arrays.iter().all(|items| sorted(items) == sorted(one)) {
                add(found, path, Variation::Order, false);
            } else if arrays.iter().any(|items| items.len() != one.len()) {
                add(found, path, Variation::Random, true);
                return;
            }
        }
        for index in 0..one.len() {
            let inner: Vec<&Value> = arrays.iter().filter_map(|items| items.get(index)).collect();
            if inner.len() == arrays.len() && !found.contains(&order(path)) {
                walk(&element(path, "*"), &inner, moment, found);
            } else if let Some(of_one) = one.get(index) {
                walk(&element(path, "*"), &[of_one], moment, found);
            }
        }
        return;
    }
    if let Some(why) = values.iter().find_map(|value| moment.class(value)) {
        add(found, path, why, false);
    } else if values.iter().any(|value| value != first) {
        add(found, path, differing(values), false);
    }
}

/// Whether a text contains stack frames: those of reflective calls change while the JVM runs.
fn is_trace(text: &str) -> bool {
    static FRAME: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let frame = r"[\w.$/<>]+\((\w+\.(java|kt|scala|groovy):\d+|Native Method|Unknown Source)\)";
        // Tomcat's error pages list frames on lines of their own, without `at`.
        Regex::new(&format!(r"(?m)(\bat |^\s+){frame}")).ok()
    });
    (text.contains("\"stackTrace\"") && text.contains("\"lineNumber\""))
        || (text.contains('(') && FRAME.as_ref().is_some_and(|frame| frame.is_match(text)))
}

/// Whether an array contains stack frames as objects.
fn is_frames(items: &[Value]) -> bool {
    let frame = |item: &Value| ["methodName", "lineNumber", "className"].iter().all(|key| item.get(key).is_some());
    !items.is_empty() && items.iter().all(frame)
}

fn order(path: &str) -> Unstable {
    Unstable { path: path.to_owned(), why: Variation::Order, comes_and_goes: false }
}

fn sorted(items: &[Value]) -> Vec<String> {
    let mut texts: Vec<String> = items.iter().map(canonical).collect();
    texts.sort_unstable();
    texts
}

/// The class of differing leaves that do not depend on the moment.
fn differing(values: &[&Value]) -> Variation {
    static IDENTIFIER: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?i)^(.*[^0-9a-z])?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-z_+/=-]{16,}|[0-9a-f]{12,})([^0-9a-z].*)?$").ok()
    });
    let texts: Option<Vec<&str>> = values.iter().map(|v| v.as_str()).collect();
    let numbers: Option<Vec<f64>> = match &texts {
        Some(texts) => texts.iter().map(|text| trailing(text)).collect(),
        None => values.iter().map(|v| v.as_f64()).collect(),
    };
    if let Some(texts) = &texts {
        let grows =
            numbers.as_ref().is_some_and(|numbers| numbers.windows(2).all(|w| w[1] > w[0] && w[1] - w[0] < 1e4));
        let identifier = IDENTIFIER.as_ref().is_some_and(|shape| texts.iter().all(|text| shape.is_match(text)));
        return match () {
            () if identifier && !(grows && texts.iter().all(|t| t.len() < 16)) => Variation::Identifier,
            () if grows => Variation::Counter,
            () => Variation::Random,
        };
    }
    match numbers {
        Some(numbers) if numbers.iter().all(|n| n.fract() == 0.0) && numbers.windows(2).all(|w| w[1] > w[0]) => {
            Variation::Counter
        }
        _ => Variation::Random,
    }
}

/// The number at the end of a text.
fn trailing(text: &str) -> Option<f64> {
    let start = text.rfind(|c: char| !c.is_ascii_digit()).map_or(0, |at| at + 1);
    text.get(start..).filter(|digits| !digits.is_empty() && digits.len() < 15)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn moment() -> Moment {
        Moment { now: 1_795_279_680, authority: "127.0.0.1:8080".to_owned(), ..Moment::default() }
    }

    fn found(bodies: &[Value]) -> Vec<(String, &'static str)> {
        let bodies: Vec<Option<Value>> = bodies.iter().cloned().map(Some).collect();
        unstable(&bodies, &moment()).into_iter().map(|one| (one.path.clone(), one.why.as_str())).collect()
    }

    #[test]
    fn where_a_parser_stopped_is_of_the_machine() {
        let of_parsers = [
            "Unexpected character ('x' (code 120)) at [Source: (PushbackInputStream); line: 1, column: 59]",
            "Expected BEGIN_OBJECT but was STRING at line 1 column 5 path $.a",
            "Unable to parse number (line no=1, column no=3, offset=2)",
            "lineNumber: 1; columnNumber: 1; Content is not allowed in prolog.",
        ];
        for text in of_parsers {
            assert_eq!(moment().class(&json!(text)), Some(Variation::Host), "{text}");
        }
        for text in ["order line 3 is twice there", "column 4", "deadline 12 columns", "position 7 is taken"] {
            assert_eq!(moment().class(&json!(text)), None, "{text}");
        }
    }

    #[test]
    fn each_class_is_told_apart() {
        let a =
            json!({"id": 7, "key": "6f1ed002-ab5c-4b29-9b1d-3c6f1a8d2e10", "tags": ["a", "b"], "n": 0.25, "same": 1});
        let b =
            json!({"id": 8, "key": "0a1b2c3d-ab5c-4b29-9b1d-3c6f1a8d2e11", "tags": ["b", "a"], "n": 0.75, "same": 1});
        assert_eq!(
            found(&[a, b]),
            [
                ("id".to_owned(), "counter"),
                ("key".to_owned(), "identifier"),
                ("n".to_owned(), "random"),
                ("tags".to_owned(), "order"),
            ]
        );
    }

    #[test]
    fn what_names_this_day_or_this_address_varies_even_where_the_runs_agree() {
        let body = json!({"at": "2026-11-21T16:48:00Z", "day": "2026-11-21", "born": "1999-01-02", "ms": 1_795_279_680_123_i64, "n": 1_000_000,
            "self": "http://127.0.0.1:8080/orders/1"});
        assert_eq!(
            found(&[body.clone(), body]),
            [
                ("at".to_owned(), "time"),
                ("day".to_owned(), "time"),
                ("ms".to_owned(), "time"),
                ("self".to_owned(), "host"),
            ]
        );
    }

    #[test]
    fn what_is_kept_in_a_set_has_no_order_even_where_the_runs_agree() {
        let op = |text: &str| OpId::parse(text).unwrap();
        let moment = moment().with_sets(&Arc::new(BTreeSet::from([op("GET /sets")])));
        let body = Some(json!({"tags": ["a", "b"], "one": ["a"], "inner": [{"tags": ["x", "y"]}]}));
        let runs = [body.clone(), body];
        assert!(unstable(&runs, &moment.of(&op("GET /lists"))).is_empty());
        let found = unstable(&runs, &moment.of(&op("GET /sets")));
        let paths: Vec<&str> = found.iter().map(|one| one.path.as_str()).collect();
        assert_eq!(paths, ["inner[*].tags", "tags"]);
        assert!(found.iter().all(|one| one.why == Variation::Order));
    }

    #[test]
    fn frames_of_a_stack_are_of_the_machine_that_runs() {
        let frame = json!({"methodName": "invoke", "fileName": "A.java", "lineNumber": 3, "className": "a.A"});
        let body = json!({"message": "no", "stackTrace": [frame]});
        assert_eq!(found(&[body.clone(), body.clone()]), [("stackTrace".to_owned(), "host")]);
        assert_eq!(moment().class(&json!(body.to_string())), Some(Variation::Host));
        let text = "java.lang.IllegalStateException: no\n\tat a.b.C.run(C.java:12)\n";
        assert_eq!(moment().class(&json!(text)), Some(Variation::Host));
        let page = "<h1>HTTP Status 500</h1><pre>a.b.Missing: no\n\ta.b.C.find(C.java:41)\n\tsun.reflect.D.invoke0(Native Method)\n</pre>";
        assert_eq!(moment().class(&json!(page)), Some(Variation::Host));
        assert_eq!(moment().class(&json!("look at home (page 12)")), None);
    }

    #[test]
    fn a_day_inside_a_sentence_is_of_the_moment() {
        assert_eq!(moment().class(&json!("made on 2026-11-21 by ada")), Some(Variation::Time));
        assert_eq!(moment().class(&json!("made on 1999-11-21 by ada")), None);
    }

    #[test]
    fn elements_share_one_path_and_a_key_that_comes_and_goes_is_told() {
        assert_eq!(
            found(&[json!([{"id": 1, "x": 1}, {"id": 2}]), json!([{"id": 3}, {"id": 4}])]),
            [("[*].id".to_owned(), "counter"), ("[*].x".to_owned(), "random")]
        );
        assert_eq!(found(&[json!([1]), json!([1, 2])]), [(String::new(), "random")]);
        assert_eq!(unstable(&[Some(json!(1)), None], &moment()).len(), 1);
        assert!(unstable(&[None, None], &moment()).is_empty());
    }
}
