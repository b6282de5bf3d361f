//! Limits of Java class files: counts a test's constants and divides tests into classes.

use mastor_types::suite::assertion::{Assertion, Check};
use mastor_types::suite::input::{Body, Input};
use mastor_types::suite::oracle::Oracle;
use mastor_types::suite::sequence::Sequence;

/// Maximum number of tests in a class.
const TESTS: usize = 200;
/// Maximum number of texts in a class: its constant pool has at most 65,535 entries, and a text takes two.
const TEXTS: usize = 24_000;
/// Bytes of a text that surely fit into one constant, even where a character takes three bytes.
const PIECE: usize = 16_000;

/// An oracle or sequence that becomes a test.
pub(crate) trait Weighed {
    /// An upper estimate of the number of texts that it needs.
    fn texts(&self) -> usize;
}

impl Weighed for Oracle {
    fn texts(&self) -> usize {
        texts(&self.input, &self.assertions)
    }
}

impl Weighed for Sequence {
    fn texts(&self) -> usize {
        self.steps.iter().map(|step| texts(&step.input, &step.assertions) + 2 * step.captures.len()).sum()
    }
}

/// Why the test does not fit into a class file; `None` if it does.
pub(super) fn too_large(test: &impl Weighed) -> Option<String> {
    let texts = test.texts();
    (texts > TEXTS).then(|| format!("it has about {texts} texts, more than a class of Java holds"))
}

/// Divides tests into classes, keeping their order.
pub(crate) fn classes<T: Weighed>(tests: &[T]) -> Vec<&[T]> {
    let mut out = Vec::new();
    let mut rest = tests;
    while !rest.is_empty() {
        let mut room = TEXTS;
        let fits = |test: &&T| {
            let taken = if too_large(*test).is_some() { 0 } else { test.texts() };
            let has_room = taken <= room;
            room = room.saturating_sub(taken);
            has_room
        };
        let (class, others) = rest.split_at(rest.iter().take(TESTS).take_while(fits).count().max(1));
        out.push(class);
        rest = others;
    }
    out
}

fn texts(input: &Input, assertions: &[Assertion]) -> usize {
    let long = |text: &str| 1 + text.len() / PIECE;
    let pairs = [&input.query, &input.headers, &input.cookies];
    let mut count = 8;
    count += input.path.iter().map(|(name, value)| long(name) + long(value)).sum::<usize>();
    count += pairs.iter().flat_map(|pairs| pairs.iter()).map(|(name, value)| long(name) + long(value)).sum::<usize>();
    count += match &input.body {
        None => 0,
        Some(Body::Json { json }) => long(&json.to_string()),
        Some(Body::Text { text, .. }) => long(text),
        Some(Body::Base64 { base64, .. }) => long(base64),
        Some(Body::Form { form }) => form.iter().map(|(name, value)| long(name) + long(value)).sum(),
        Some(Body::Multipart { multipart }) => multipart.iter().map(|part| long(&part.text)).sum(),
    };
    count + assertions.iter().map(|assertion| checked(&assertion.check, long)).sum::<usize>()
}

fn checked(check: &Check, long: impl Fn(&str) -> usize) -> usize {
    match check {
        Check::Field { path: name, expected, .. } | Check::Header { name, expected, .. } => {
            long(name) + expected.as_ref().map_or(0, |expected| long(&expected.to_string()))
        }
        Check::Body { .. } | Check::Status { .. } => 1,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use mastor_types::http::Method;
    use mastor_types::op_id::OpId;
    use mastor_types::suite::oracle::Effect;

    fn with(checks: usize) -> Oracle {
        let one = |n| json!({"type": "field", "path": format!("a[{n}]"), "op": "equals", "expected": n});
        let assertions = (0..checks).map(|n| serde_json::from_value(one(n)).unwrap()).collect();
        let question = Oracle::question(&OpId::new(Method::Get, "/a"), "anonymous", Input::default(), Effect::Reads);
        Oracle { assertions, ..question }
    }

    #[test]
    fn a_class_has_room_for_its_texts() {
        let sizes = |oracles: &[Oracle]| classes(oracles).iter().map(|class| class.len()).collect::<Vec<_>>();
        assert_eq!(sizes(&vec![with(1); 450]), [200, 200, 50]);
        assert_eq!(sizes(&vec![with(5000); 5]), [2, 2, 1]);
        let all = [with(5000), with(13_000), with(5000), with(5000)];
        assert_eq!(all.iter().map(|one| too_large(one).is_some()).collect::<Vec<_>>(), [false, true, false, false]);
        assert_eq!(sizes(&all), [3, 1]);
    }
}
