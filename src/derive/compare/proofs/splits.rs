//! Whether a later round of the joint run only splits what an earlier round told: by the objects that an opened member
//! gives.

use mastor_types::results::change::Change;

/// Whether the changes of a later round are those of an earlier one, of calls on other objects, under more conditions.
pub(super) fn splits(later: &[Change], earlier: &[Change]) -> bool {
    let conditions = |change: &Change| change.condition.as_ref().map_or(0, |said| said.split(" and ").count());
    let is_one = |earlier: &Change| {
        let own = method_alone(earlier.sentence());
        let mut again = later.iter().filter(|later| method_alone(later.sentence()) == own).peekable();
        again.peek().is_some() && again.all(|later| conditions(later) > conditions(earlier))
    };
    let is_usual = earlier.iter().any(|change| !change.seldom);
    !earlier.is_empty() && earlier.iter().filter(|change| !is_usual || !change.seldom).all(is_one)
}

/// A sentence whose first call is named by its method alone, without object and arguments.
fn method_alone(sentence: &str) -> String {
    let mut parts = sentence.splitn(3, '`');
    let (Some(start), Some(call), Some(rest)) = (parts.next(), parts.next(), parts.next()) else {
        return sentence.to_owned();
    };
    let mut depth = 0_usize;
    let mut named = (0, call.len());
    for (at, letter) in call.char_indices() {
        match letter {
            '(' => {
                if depth == 0 {
                    named.1 = at;
                }
                depth += 1;
            }
            ')' => depth = depth.saturating_sub(1),
            '.' if depth == 0 => named = (at + 1, call.len()),
            _ => {}
        }
    }
    if !call.contains('(') {
        return sentence.to_owned();
    }
    format!("{start}`{}`{rest}", call.get(named.0..named.1).unwrap_or(call))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mastor_types::results::change::{ChangeEffect, ChangeKind};
    use mastor_types::{Method, OpId};

    fn told(what: &str, condition: &str) -> Change {
        let op_id = OpId::new(Method::Get, "/rows");
        Change::new(&op_id, ChangeKind::Derived, ChangeEffect::Unclear, what.to_owned()).under(condition)
    }

    #[test]
    fn a_later_round_splits_a_call_by_the_object_that_it_is_made_on() {
        let whole = told("no longer calls `Base.open().add(1)`", "");
        let [new, old] = [
            ("no longer calls `new Base(…).add(1)`", "kept is null"),
            ("no longer calls `kept.add(…)`", "kept is open"),
        ]
        .map(|(what, condition)| told(what, condition));
        assert!(splits(&[new.clone(), old], std::slice::from_ref(&whole)));
        assert!(!splits(&[told("no longer calls `kept.add(1)`", "")], std::slice::from_ref(&whole)));
        assert!(!splits(&[told("no longer calls `kept.remove(1)`", "kept is open")], std::slice::from_ref(&whole)));
        assert!(!splits(&[new], &[]));
        let seldom = Change { seldom: true, ..whole };
        assert!(!splits(&[told("answers 500 where it answered 200", "a")], &[seldom]));
    }

    #[test]
    fn a_call_is_named_by_its_method() {
        assert_eq!(method_alone("calls `a.b(c.d()).e(f.g(1))` with `x`"), "calls `e` with `x`");
        assert_eq!(method_alone("gives `row.name` where it gave `null`"), "gives `row.name` where it gave `null`");
        assert_eq!(method_alone("answers 404 where it answered 200"), "answers 404 where it answered 200");
    }
}
