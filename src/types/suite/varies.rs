//! Fields whose values vary from run to run. Neither mastor's runner nor any export judges them.

use super::assertion::{Assertion, Check};
use super::oracle::Confirmation;

/// The varying fields of an oracle or a sequence.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Varies {
    fields: Vec<String>,
    in_sequence: bool,
}

impl Varies {
    /// The varying fields that earlier runs have found, for a test of this many steps.
    pub fn of(confirmation: &Confirmation, steps: usize) -> Self {
        // A field quarantined for its order is still judged: its array is compared as a set.
        let fields = confirmation.quarantined.iter().filter(|field| field.why != "order");
        Self { fields: fields.map(|field| field.path.clone()).collect(), in_sequence: steps > 1 }
    }

    /// Adds a field.
    pub fn add(&mut self, field: String) {
        self.fields.push(field);
    }

    /// Whether the value at `path` in the answer to step `step` (from 0) varies. All indices of an array count as the
    /// same field.
    pub fn varies(&self, step: usize, path: &str) -> bool {
        let path = any_index(path);
        let within = |field: String| {
            field.is_empty()
                || path.strip_prefix(&field).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        let of_step = |field: &String| field_of_step(field, step, self.in_sequence).map(any_index);
        self.fields.iter().filter_map(of_step).any(within)
    }

    /// The assertions on the answer to step `step` that are judged.
    pub fn judged<'a>(&self, step: usize, assertions: &'a [Assertion]) -> Vec<&'a Assertion> {
        let varies = |check: &Check| matches!(check, Check::Field { path, .. } if self.varies(step, path));
        assertions.iter().filter(|assertion| !varies(&assertion.check)).collect()
    }
}

/// The path of a field if it belongs to this step; in a sequence, the step's number may stand before it, as in
/// `2:items[*].id`.
fn field_of_step(field: &str, step: usize, in_sequence: bool) -> Option<&str> {
    match field.split_once(':').map(|(number, path)| (number.parse::<usize>(), path)) {
        Some((Ok(number), path)) if in_sequence => (number == step + 1).then_some(path),
        _ => Some(field),
    }
}

/// The path with every index replaced by `[*]`.
fn any_index(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('[') {
        out.push_str(before);
        match after.split_once(']') {
            Some((index, after)) if index.bytes().all(|b| b.is_ascii_digit()) => {
                out.push_str("[*]");
                rest = after;
            }
            _ => {
                out.push('[');
                rest = after;
            }
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::super::oracle::Quarantined;
    use super::*;

    #[test]
    fn what_varies_is_not_judged_at_any_index_and_in_its_own_step_alone() {
        let field = |path: &str, why: &str| Quarantined { path: path.to_owned(), why: why.to_owned() };
        let quarantined = vec![field("2:items[*].id", "time"), field("at", "time"), field("list", "order")];
        let confirmation = Confirmation::confirmed(2, quarantined);
        let varies = Varies::of(&confirmation, 2);
        let seen = [(0, "items[3].id"), (1, "items[3].id"), (1, "items[3].idle"), (0, "at.zone"), (0, "list")];
        assert_eq!(seen.map(|(step, path)| varies.varies(step, path)), [false, true, false, true, false]);
        let judge =
            |path: &str| serde_json::from_value(serde_json::json!({"type": "field", "path": path, "op": "not_null"}));
        let assertions: Vec<Assertion> = ["at", "id"].map(|path| judge(path).unwrap()).into();
        assert_eq!(varies.judged(0, &assertions), [&assertions[1]]);
    }
}
