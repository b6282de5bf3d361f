//! The path constraints of a path: whether a condition follows from them or contradicts them.

use std::rc::Rc;

use super::condition::{Cond, constant, mirrored};
use crate::interpret::values::function::{Applied, Function, compare_scalars};
use crate::interpret::values::scalar::Scalar;
use crate::interpret::values::term::{Canon, InputPlace, OPERATOR, Term};
use crate::ir::body::BinaryOp;

/// The conditions taken so far; decides whether another one must hold or must fail.
#[derive(Debug, Clone, Default)]
pub struct PathConstraints {
    taken: Vec<Cond>,
}

impl PathConstraints {
    /// Adds a condition that holds.
    pub fn add(&mut self, cond: Cond) {
        if let Cond::All(parts) = &cond {
            parts.iter().for_each(|part| self.add(part.clone()));
        }
        self.taken.push(cond);
    }

    /// The conditions taken so far.
    pub fn all(&self) -> &[Cond] {
        &self.taken
    }

    /// Whether a condition of this set certainly contradicts the other set.
    pub fn contradicts(&self, other: &Self) -> bool {
        self.taken.iter().any(|cond| other.decides(cond) == Some(false))
    }

    /// Whether a condition must hold (`true`) or must fail (`false`); `None` if undecided.
    pub fn decides(&self, cond: &Cond) -> Option<bool> {
        if self.taken.contains(cond) {
            return Some(true);
        }
        if self.taken.contains(&cond.negate()) {
            return Some(false);
        }
        // `a != b` is `b != a`.
        let turned = match cond {
            Cond::Compare(op, prim, a, b) => Some(Cond::Compare(mirrored(*op), *prim, b.clone(), a.clone())),
            Cond::Same(a, b) => Some(Cond::Same(b.clone(), a.clone())),
            _ => None,
        };
        match turned {
            Some(turned) if self.taken.contains(&turned) => return Some(true),
            Some(turned) if self.taken.contains(&turned.negate()) => return Some(false),
            _ => {}
        }
        let every = |parts: &[Cond], all: bool| {
            let mut open = false;
            for part in parts {
                match self.decides(part) {
                    Some(value) if value != all => return Some(!all),
                    Some(_) => {}
                    None => open = true,
                }
            }
            (!open).then_some(all)
        };
        match cond {
            Cond::Not(inner) => self.decides(inner).map(|value| !value),
            Cond::All(parts) => every(parts, true),
            Cond::Any(parts) => every(parts, false),
            Cond::Same(term, other) => {
                let wanted = constant(other)?;
                self.value_of(term).map(|value| value == *wanted).or_else(|| {
                    let is_null = || self.taken.iter().any(|known| matches!(known, Cond::IsNull(t) if t == term));
                    // A text of another length is another text.
                    let has_other_length = |text: &str| {
                        self.by_range(&length_of(term), BinaryOp::Eq, text.encode_utf16().count() as i64) == Some(false)
                    };
                    let has_other_length =
                        |wanted: &Scalar| matches!(wanted, Scalar::Str(text) if has_other_length(&text.text));
                    let is_other = has_other_length(wanted) || ends_otherwise(term, other) || is_null();
                    is_other.then_some(false)
                })
            }
            Cond::Test(term) if let Term::Apply(Function::Equals, of) = &**term => {
                let [one, other] = of.as_slice() else { return None };
                (ends_otherwise(one, other) || ends_otherwise(other, one)).then_some(false)
            }
            Cond::Test(term) if let Term::Apply(Function::IsEmpty, of) = &**term => {
                let of = of.first()?;
                let known = self.value_of(of).map(|value| value == Scalar::text(""));
                known.or_else(|| self.by_range(&length_of(of), BinaryOp::Eq, 0))
            }
            Cond::IsNull(term) => {
                let value = self.value_of(term).map(|value| value == Scalar::Null);
                value.or_else(|| self.equals_present(term).then_some(false))
            }
            Cond::Compare(op, _, a, b)
                if cond.bound().is_none()
                    && let Some(limit) = self.value_of(a).as_ref().and_then(Scalar::as_long) =>
            {
                self.by_range(b, mirrored(*op), limit)
            }
            _ => {
                let (term, op, limit) = cond.bound()?;
                if let Some(value) = self.value_of(term).as_ref().and_then(Scalar::as_long) {
                    return compare_scalars(op, &Scalar::Long(value), &Scalar::Long(limit));
                }
                self.by_range(term, op, limit)
            }
        }
    }

    /// Whether a term equals another one that is never null.
    fn equals_present(&self, term: &Rc<Term>) -> bool {
        let is_present = |other: &Rc<Term>| match &**other {
            Term::Input(input) => input.place == InputPlace::Path,
            other => matches!(other, Term::Const(value) if *value != Scalar::Null),
        };
        self.taken.iter().any(|known| match known {
            Cond::Same(a, b) => (a == term && is_present(b)) || (b == term && is_present(a)),
            _ => false,
        })
    }

    /// The only possible value of a term, if there is one.
    fn value_of(&self, term: &Rc<Term>) -> Option<Scalar> {
        for known in &self.taken {
            match known {
                Cond::Same(t, c) if t == term => return constant(c).cloned(),
                Cond::Compare(BinaryOp::Eq, _, t, c) if t == term => return constant(c).cloned(),
                Cond::IsNull(t) if t == term => return Some(Scalar::Null),
                _ => {}
            }
        }
        // A function of a term with a known value.
        if let Term::Apply(function, args) = &**term {
            let args: Option<Vec<Scalar>> =
                args.iter().map(|arg| constant(arg).cloned().or_else(|| self.value_of(arg))).collect();
            if let Applied::Value(value) = function.apply(&args?) {
                return Some(value);
            }
        }
        None
    }

    /// The only integer that a term can be; `None` if there are several.
    pub fn only_integer(&self, term: &Rc<Term>) -> Option<i64> {
        match &**term {
            Term::Const(value) => value.as_long(),
            Term::Input(_) | Term::Opaque(_) => {
                let (low, high) = self.range(term);
                (low == high).then_some(low)
            }
            _ => None,
        }
    }

    /// The smallest and the largest possible integer value of a term.
    pub fn range(&self, term: &Rc<Term>) -> (i64, i64) {
        let (mut low, mut high) = (i64::MIN, i64::MAX);
        if matches!(&**term, Term::Apply(Function::Length | Function::Size, _)) {
            low = 0;
        }
        if let Some(limit) = random_below(term) {
            (low, high) = (0, limit.unwrap_or(i64::MAX));
        }
        for known in &self.taken {
            // An empty text has no characters, and every other text has one.
            if let Some((of, is_empty)) = emptiness(known)
                && is_length(term, of)
            {
                (low, high) = if is_empty { (0, 0) } else { (low.max(1), high) };
                continue;
            }
            let Some((t, op, limit)) = known.bound() else { continue };
            if t != term {
                continue;
            }
            match op {
                BinaryOp::Lt => high = high.min(limit.saturating_sub(1)),
                BinaryOp::Le => high = high.min(limit),
                BinaryOp::Gt => low = low.max(limit.saturating_add(1)),
                BinaryOp::Ge => low = low.max(limit),
                BinaryOp::Eq => {
                    low = low.max(limit);
                    high = high.min(limit);
                }
                _ => {}
            }
        }
        (low, high)
    }

    fn by_range(&self, term: &Rc<Term>, op: BinaryOp, limit: i64) -> Option<bool> {
        let (low, high) = self.range(term);
        match op {
            BinaryOp::Lt if high < limit => Some(true),
            BinaryOp::Lt if low >= limit => Some(false),
            BinaryOp::Le if high <= limit => Some(true),
            BinaryOp::Le if low > limit => Some(false),
            BinaryOp::Gt if low > limit => Some(true),
            BinaryOp::Gt if high <= limit => Some(false),
            BinaryOp::Ge if low >= limit => Some(true),
            BinaryOp::Ge if high < limit => Some(false),
            BinaryOp::Eq if limit < low || limit > high => Some(false),
            BinaryOp::Ne if limit < low || limit > high => Some(true),
            BinaryOp::Eq if low == high && low == limit => Some(true),
            BinaryOp::Ne if low == high && low == limit => Some(false),
            _ => None,
        }
    }
}

fn length_of(text: &Rc<Term>) -> Rc<Term> {
    Rc::new(Term::Apply(Function::Length, vec![text.clone()]))
}

fn is_length(term: &Term, of: &Rc<Term>) -> bool {
    matches!(term, Term::Apply(Function::Length, own) if own.first() == Some(of))
}

/// The text that a condition says is empty, or is not.
fn emptiness(cond: &Cond) -> Option<(&Rc<Term>, bool)> {
    match cond {
        Cond::Test(term) => match &**term {
            Term::Apply(Function::IsEmpty, of) => Some((of.first()?, true)),
            _ => None,
        },
        Cond::Not(inner) => emptiness(inner).map(|(of, is_empty)| (of, !is_empty)),
        _ => None,
    }
}

/// For a term that is a result of `Random.nextInt(n)`: the greatest possible result, if known (documentation of
/// `java.util.Random`).
fn random_below(term: &Rc<Term>) -> Option<Option<i64>> {
    const RANDOM: &[&str] = &[
        "java.security.SecureRandom.nextInt/1",
        "java.util.Random.nextInt/1",
        "java.util.concurrent.ThreadLocalRandom.nextInt/1",
    ];
    let Term::Opaque(call) = &**term else { return None };
    if !RANDOM.contains(&&*call.callee) {
        return None;
    }
    let limit = call.operands.get(1).and_then(|operand| match operand {
        Canon::Term(term) => constant(term)?.as_long(),
        _ => None,
    });
    Some(limit.map(|limit| limit - 1))
}

/// Whether a concatenation starts or ends with another text than a constant does.
fn ends_otherwise(joined: &Term, constant: &Term) -> bool {
    let Term::Const(Scalar::Str(text)) = constant else { return false };
    !text.text.starts_with(constant_end(joined, true)) || !text.text.ends_with(constant_end(joined, false))
}

/// The constant text with which a concatenation starts, or ends; empty if it starts or ends with an open value.
fn constant_end(term: &Term, is_start: bool) -> &str {
    match term {
        Term::Const(Scalar::Str(text)) => &text.text,
        Term::Apply(Function::Concat, parts) => {
            let part = if is_start { parts.first() } else { parts.last() };
            part.map_or("", |part| constant_end(part, is_start))
        }
        // Of a value whose text is open, such as a date.
        Term::Opaque(joined) if joined.callee.strip_prefix(OPERATOR) == Some("+") => {
            match if is_start { joined.operands.first() } else { joined.operands.last() } {
                Some(Canon::Term(part)) => constant_end(part, is_start),
                _ => "",
            }
        }
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpret::values::scalar::Prim;
    use crate::interpret::values::term::{Input, InputPlace};

    fn length() -> Rc<Term> {
        length_of(&text())
    }

    fn cmp(op: BinaryOp, limit: i32) -> Cond {
        Cond::Compare(op, Prim::Int, length(), Rc::new(Term::Const(Scalar::Int(limit))))
    }

    #[test]
    fn a_concatenation_equals_no_text_that_starts_or_ends_otherwise() {
        let text = |text: &str| Rc::new(Term::Const(Scalar::text(text)));
        let open = Rc::new(Term::Input(Input::new(InputPlace::Query, "until")));
        let joined = |parts: [Rc<Term>; 2]| Rc::new(Term::Apply(Function::Concat, parts.to_vec()));
        let (until, due) =
            (joined([text("until "), open.clone()]), joined([joined([open.clone(), text(" ")]), text("due")]));
        let decides =
            |term: &Rc<Term>, other: &str| PathConstraints::default().decides(&Cond::Same(term.clone(), text(other)));
        assert_eq!(decides(&until, "dueDate"), Some(false));
        assert_eq!(decides(&until, "until then"), None);
        assert_eq!(decides(&due, "overdue"), None);
        assert_eq!(decides(&due, "dueDate"), Some(false));
        let equals = Cond::Test(Rc::new(Term::Apply(Function::Equals, vec![text("dueDate"), until])));
        assert_eq!(PathConstraints::default().decides(&equals), Some(false));
    }

    #[test]
    fn ranges_decide_what_follows() {
        let mut known = PathConstraints::default();
        known.add(cmp(BinaryOp::Ge, 2));
        known.add(cmp(BinaryOp::Le, 3));
        assert_eq!(known.decides(&cmp(BinaryOp::Lt, 2)), Some(false));
        assert_eq!(known.decides(&cmp(BinaryOp::Gt, 3)), Some(false));
        assert_eq!(known.decides(&cmp(BinaryOp::Eq, 2)), None);
        assert_eq!(known.decides(&cmp(BinaryOp::Eq, 4)), Some(false));
        assert_eq!(known.range(&length()), (2, 3));
    }

    fn text() -> Rc<Term> {
        Rc::new(Term::Input(Input::new(InputPlace::Path, "code")))
    }

    fn knowing(cond: Cond) -> PathConstraints {
        let mut known = PathConstraints::default();
        known.add(cond);
        known
    }

    #[test]
    fn length_and_emptiness_of_a_text_decide_each_other() {
        let is_empty = Cond::Test(Rc::new(Term::Apply(Function::IsEmpty, vec![text()])));
        assert_eq!(knowing(cmp(BinaryOp::Ge, 2)).decides(&is_empty), Some(false));
        assert_eq!(knowing(cmp(BinaryOp::Ge, 0)).decides(&is_empty), None);
        assert_eq!(knowing(is_empty.clone()).decides(&cmp(BinaryOp::Ge, 1)), Some(false));
        assert_eq!(knowing(is_empty.negate()).decides(&cmp(BinaryOp::Ge, 1)), Some(true));
        assert_eq!(knowing(is_empty.negate()).decides(&cmp(BinaryOp::Ge, 2)), None);
    }

    #[test]
    fn what_equals_a_part_of_the_path_is_not_null() {
        let field = Rc::new(Term::Input(Input::new(InputPlace::Body, "code")));
        let is_same = Cond::Same(text(), field.clone());
        assert_eq!(knowing(is_same.clone()).decides(&Cond::IsNull(field.clone())), Some(false));
        assert_eq!(knowing(is_same.negate()).decides(&Cond::IsNull(field)), None);
        // Two inputs of one name are told apart.
        assert_eq!(is_same.to_string(), "code of the path equals code of the body");
    }

    #[test]
    fn a_text_of_another_length_is_another_text() {
        let is_ab = Cond::Same(text(), Rc::new(Term::Const(Scalar::text("ab"))));
        assert_eq!(knowing(cmp(BinaryOp::Ge, 3)).decides(&is_ab), Some(false));
        assert_eq!(knowing(cmp(BinaryOp::Ge, 2)).decides(&is_ab), None);
    }
}
