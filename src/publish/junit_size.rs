//! What a class file holds: how many constants a test takes, and which tests share a class.

use crate::types::oracle::{Assertion, Body, Check, Input, Oracle};
use crate::types::sequence::Sequence;

/// Most tests of one class.
const TESTS: usize = 200;
/// Most texts of one class: a class file names 65,535 things, and a text is two of them.
const TEXTS: usize = 24_000;
/// Bytes of a text that stand in one constant, and some that may take three each.
const PIECE: usize = 16_000;

/// Something that becomes one test.
pub(super) trait Weighed {
    /// How many texts it takes, rather too many than too few.
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

/// Why no class file holds this; none where one does.
pub(super) fn too_large(test: &impl Weighed) -> Option<String> {
    let texts = test.texts();
    (texts > TEXTS).then(|| format!("it has about {texts} texts, more than a class of Java holds"))
}

/// These in order, those of one class together.
pub(super) fn classes<T: Weighed>(tests: &[T]) -> Vec<&[T]> {
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
    use crate::types::http::Method;
    use crate::types::op_id::OpId;
    use crate::types::oracle::Effect;

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
